//! A server on this computer, asked politely and otherwise.

use futures_util::{SinkExt as _, StreamExt as _};
use outflank_api::messages::MostOf;
use outflank_search::StopToken;
use outflank_server::{Assets, ServeError, Settings, serve};
use serde_json::{Value, json};
use std::{
    borrow::Cow,
    io::{Read as _, Write as _},
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream},
    sync::mpsc,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use tokio::runtime::Runtime;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Error, Message, client::IntoClientRequest as _},
};

const MINUTE: Duration = Duration::from_mins(1);

fn settings() -> Settings {
    let page = Cow::Borrowed(&b"<!doctype html><title>Outflank</title>"[..]);
    Settings {
        bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: 0,
        other_ports: 0,
        allowed_hosts: Vec::new(),
        token: None,
        sessions: 3,
        threads: 1,
        table_bytes: 1 << 20,
        limits: MostOf::default(),
        assets: Assets::of([("index.html".to_owned(), page)]),
    }
}

/// A server that ends when it is dropped.
struct Server {
    address: SocketAddr,
    stop: StopToken,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

impl Server {
    fn start(settings: Settings) -> Self {
        let stop = StopToken::new();
        let (sender, receiver) = mpsc::channel();
        let token = stop.clone();
        let thread = thread::spawn(move || {
            serve(
                settings,
                |address| sender.send(address).expect("the test waits"),
                &token,
            )
        });
        Self {
            address: receiver.recv_timeout(MINUTE).expect("a server"),
            stop,
            thread: Some(thread),
        }
    }

    /// Sends text over a plain connection and returns the first line of the answer.
    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(MINUTE)).expect("a time");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        let mut byte = [0];
        while !answer.ends_with(b"\r\n") && matches!(stream.read(&mut byte), Ok(1)) {
            answer.push(byte[0]);
        }
        String::from_utf8_lossy(&answer).trim().to_owned()
    }

    fn get(&self, path: &str, host: &str) -> String {
        self.ask(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ))
    }

    fn upgrade(&self, host: &str, origin: Option<&str>) -> String {
        let origin = origin.map_or_else(String::new, |origin| format!("Origin: {origin}\r\n"));
        self.ask(&format!(
            "GET /ws HTTP/1.1\r\nHost: {host}\r\n{origin}Connection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ))
    }

    async fn connect(&self, from_page: bool) -> Result<Client, Error> {
        let mut request = format!("ws://{}/ws", self.address).into_client_request()?;
        if from_page {
            let origin = format!("http://{}", self.address).parse().expect("a header");
            request.headers_mut().insert("origin", origin);
        }
        Ok(Client(connect_async(request).await?.0))
    }

    fn end(mut self) -> Duration {
        let began = Instant::now();
        self.stop.stop();
        let thread = self.thread.take().expect("not ended yet");
        thread.join().expect("no panic").expect("no error");
        began.elapsed()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

struct Client(WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>);

impl Client {
    async fn send(&mut self, message: &Value) {
        self.0
            .send(Message::text(message.to_string()))
            .await
            .expect("sent");
    }

    /// Returns the next answer; `None` at the end.
    async fn next(&mut self) -> Option<Value> {
        loop {
            let next = tokio::time::timeout(MINUTE, self.0.next())
                .await
                .expect("in time");
            match next? {
                Ok(Message::Text(text)) => return serde_json::from_str(text.as_str()).ok(),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Returns the answers to the message of this number up to the last.
    async fn answers(&mut self, id: u64) -> Vec<Value> {
        let mut found = Vec::new();
        while let Some(answer) = self.next().await {
            if answer["id"] == id {
                found.push(answer);
                let last = found.last().expect("just pushed");
                if last["done"].is_object() || last["error"].is_object() {
                    break;
                }
            }
        }
        found
    }
}

fn run<T>(test: impl Future<Output = T>) -> T {
    Runtime::new().expect("a runtime").block_on(test)
}

#[test]
fn other_names_and_other_pages_are_refused() {
    let server = Server::start(settings());
    let (own, port) = (server.address.to_string(), server.address.port());
    assert_eq!(server.get("/", &own), "HTTP/1.1 200 OK");
    assert_eq!(server.get("/", &format!("localhost:{port}")), "HTTP/1.1 200 OK");
    for host in [
        "evil.example".to_owned(),
        format!("127.0.0.1.evil.example:{port}"),
        format!("localhost.:{port}"),
        "127.0.0.1".to_owned(),
    ] {
        assert_eq!(
            server.get("/", &host),
            "HTTP/1.1 421 Misdirected Request",
            "{host}"
        );
        assert_eq!(
            server.upgrade(&host, None),
            "HTTP/1.1 421 Misdirected Request",
            "{host}"
        );
    }
    assert_eq!(
        server.ask("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"),
        "HTTP/1.1 421 Misdirected Request"
    );
    for origin in [
        "http://evil.example",
        "null",
        "http://127.0.0.1.evil.example",
        "https://localhost",
    ] {
        assert_eq!(
            server.upgrade(&own, Some(origin)),
            "HTTP/1.1 403 Forbidden",
            "{origin}"
        );
    }
    let page = format!("http://{own}");
    assert_eq!(
        server.upgrade(&own, Some(&page)),
        "HTTP/1.1 101 Switching Protocols"
    );
    assert_eq!(server.get("/ws", &own), "HTTP/1.1 400 Bad Request");
    assert_eq!(server.get("/../Cargo.toml", &own), "HTTP/1.1 404 Not Found");
    let post = format!("POST / HTTP/1.1\r\nHost: {own}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    assert_eq!(server.ask(&post), "HTTP/1.1 405 Method Not Allowed");
    let long = format!(
        "GET / HTTP/1.1\r\nHost: {own}\r\nX: {}\r\n\r\n",
        "x".repeat(20_000)
    );
    assert!(server.ask(&long).contains("431") || server.ask(&long).is_empty());
}

#[test]
fn a_page_asks_and_is_answered() {
    let server = Server::start(settings());
    run(async {
        let mut page = server.connect(true).await.expect("a connection");
        page.send(&json!({"id": 1, "call": "hello", "protocol": 1})).await;
        let hello = page.answers(1).await;
        assert_eq!(hello[0]["event"]["kind"], "server");
        page.send(&json!({"id": 2, "call": "analyze", "input": {"text": "f5d6"}, "limits": {"depth": 6}}))
            .await;
        let found = page.answers(2).await;
        assert_eq!(found[0]["event"]["depth"], 6);
        assert_eq!(found[1]["done"]["complete"], true);
        // A search without end is stopped by the next one, and that by its number.
        page.send(&json!({"id": 3, "call": "analyze", "input": {"text": "f5d6"}, "limits": {"depth": 60}}))
            .await;
        page.send(&json!({"id": 4, "call": "analyze", "input": {"text": "f5d6c3"}, "limits": {"depth": 60}}))
            .await;
        assert_eq!(
            page.answers(3)
                .await
                .pop()
                .map(|last| last["done"]["complete"].clone()),
            Some(json!(false))
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
        // What needs no search is answered beside it, and does not end it.
        page.send(&json!({"id": 20, "call": "names", "input": {"text": "f5d6"}}))
            .await;
        let names = page.answers(20).await;
        assert_eq!(names.last().expect("an end")["done"]["complete"], true);
        page.send(&json!({"cancel": 4})).await;
        assert_eq!(
            page.answers(4)
                .await
                .pop()
                .map(|last| last["done"]["complete"].clone()),
            Some(json!(false))
        );
        for (id, message, code) in [
            (
                5,
                json!({"id": 5, "call": "show", "input": {"path": "/etc/passwd"}}),
                "unsupported",
            ),
            (
                6,
                json!({"id": 6, "call": "players", "players": ["external: /bin/sh"]}),
                "unsupported",
            ),
            (7, json!({"id": 7, "call": "exec"}), "unknown-call"),
            (
                8,
                json!({"id": 8, "call": "analyze", "input": {"text": "f5"}, "table_bytes": 1_u64 << 40}),
                "limit",
            ),
        ] {
            page.send(&message).await;
            assert_eq!(page.answers(id).await[0]["error"]["code"], code, "{message}");
        }
    });
    assert!(server.end() < Duration::from_secs(1));
}

#[test]
fn a_stranger_needs_the_token() {
    let server = Server::start(Settings {
        token: Some("open sesame".to_owned()),
        sessions: 20,
        ..settings()
    });
    run(async {
        // Before hello nothing is done.
        let mut stranger = server.connect(false).await.expect("a connection");
        stranger
            .send(&json!({"id": 1, "call": "names", "input": {"text": "f5"}}))
            .await;
        assert_eq!(
            stranger.next().await.expect("an answer")["error"]["code"],
            "unauthorized"
        );
        stranger
            .send(&json!({"id": 2, "call": "hello", "token": "open sesame"}))
            .await;
        assert_eq!(stranger.answers(2).await[0]["event"]["engine"], "Outflank");
        for number in 0..7 {
            let mut guess = server.connect(number % 2 == 0).await.expect("a connection");
            guess
                .send(&json!({"id": 1, "call": "hello", "token": format!("open {number}")}))
                .await;
            assert_eq!(guess.answers(1).await[0]["error"]["code"], "unauthorized");
            assert_eq!(guess.next().await, None);
        }
        // Now the right one has to wait, too.
        let mut late = server.connect(true).await.expect("a connection");
        late.send(&json!({"id": 1, "call": "hello", "token": "open sesame"}))
            .await;
        assert_eq!(late.answers(1).await[0]["error"]["code"], "unauthorized");
        // Who was let in goes on.
        stranger
            .send(&json!({"id": 3, "call": "names", "input": {"text": "f5d6"}}))
            .await;
        assert_eq!(
            stranger.answers(3).await.last().expect("an end")["done"]["complete"],
            true
        );
    });
}

#[test]
fn programs_without_a_token_are_refused_where_there_is_none() {
    let server = Server::start(settings());
    run(async {
        let mut program = server.connect(false).await.expect("a connection");
        program.send(&json!({"id": 1, "call": "hello"})).await;
        assert_eq!(program.answers(1).await[0]["error"]["code"], "unauthorized");
    });
}

#[test]
fn other_computers_need_a_token() {
    let settings = Settings {
        bind: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        ..settings()
    };
    let refused = serve(settings, |_| {}, &StopToken::new());
    assert!(matches!(refused, Err(ServeError::NoToken(_))));
}

#[test]
fn too_much_is_refused_and_nobody_else_suffers() {
    let server = Server::start(settings());
    run(async {
        let mut first = server.connect(true).await.expect("a connection");
        let mut second = server.connect(true).await.expect("a connection");
        let third = server.connect(true).await.expect("a connection");
        assert!(server.connect(true).await.is_err(), "three sessions are all");
        drop(third);
        // A flood: some are answered, the rest refused; in the end the connection closes.
        for id in 0..400 {
            if first
                .0
                .send(Message::text(json!({"cancel": id}).to_string()))
                .await
                .is_err()
            {
                break;
            }
        }
        let mut busy = 0;
        while let Some(answer) = first.next().await {
            busy += u32::from(answer["error"]["code"] == "busy");
        }
        assert!(busy > 0);
        // A message of two megabytes ends its connection.
        let long = Message::text("x".repeat(2 << 20));
        let mut third = loop {
            if let Ok(client) = server.connect(true).await {
                break client;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let _cut = third.0.send(long).await;
        assert_eq!(third.next().await, None);
        second
            .send(&json!({"id": 1, "call": "names", "input": {"text": "f5d6"}}))
            .await;
        assert_eq!(
            second.answers(1).await.last().expect("an end")["done"]["complete"],
            true
        );
    });
}

#[test]
fn connections_leave_nothing_behind() {
    let server = Server::start(settings());
    run(async {
        for number in 0..60 {
            let mut page = loop {
                if let Ok(client) = server.connect(true).await {
                    break client;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            };
            page.send(
                &json!({"id": 1, "call": "analyze", "input": {"text": "f5d6"}, "limits": {"depth": 60}}),
            )
            .await;
            // Some leave at once, some in the middle of a search.
            if number % 3 == 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        let mut last = loop {
            if let Ok(client) = server.connect(true).await {
                break client;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        last.send(&json!({"id": 1, "call": "analyze", "input": {"text": "f5d6"}, "limits": {"depth": 4}}))
            .await;
        assert_eq!(
            last.answers(1).await.last().expect("an end")["done"]["complete"],
            true
        );
    });
    assert!(server.end() < Duration::from_secs(1));
}
