//! A server on this computer for tests, and pages and programs that talk to it.

#![allow(dead_code, reason = "each test needs a part of it")]

use futures_util::{SinkExt as _, StreamExt as _};
use outflank_api::messages::MostOf;
use outflank_search::{StopToken, SystemClock};
use outflank_server::{Assets, ServeError, Settings, serve};
use serde_json::Value;
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

pub(crate) const MINUTE: Duration = Duration::from_mins(1);

pub(crate) fn settings() -> Settings {
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
        games: None,
        clock: SystemClock::shared(),
    }
}

/// A server that ends when it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) stop: StopToken,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

impl Server {
    pub(crate) fn start(settings: Settings) -> Self {
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
    pub(crate) fn ask(&self, request: &str) -> String {
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

    pub(crate) fn get(&self, path: &str, host: &str) -> String {
        self.ask(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ))
    }

    pub(crate) fn upgrade(&self, host: &str, origin: Option<&str>) -> String {
        let origin = origin.map_or_else(String::new, |origin| format!("Origin: {origin}\r\n"));
        self.ask(&format!(
            "GET /ws HTTP/1.1\r\nHost: {host}\r\n{origin}Connection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ))
    }

    pub(crate) async fn connect(&self, from_page: bool) -> Result<Client, Error> {
        let mut request = format!("ws://{}/ws", self.address).into_client_request()?;
        if from_page {
            let origin = format!("http://{}", self.address).parse().expect("a header");
            request.headers_mut().insert("origin", origin);
        }
        Ok(Client(connect_async(request).await?.0))
    }

    pub(crate) fn end(mut self) -> Duration {
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

pub(crate) struct Client(pub(crate) WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>);

impl Client {
    pub(crate) async fn send(&mut self, message: &Value) {
        self.0
            .send(Message::text(message.to_string()))
            .await
            .expect("sent");
    }

    /// Returns the next answer; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
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
    pub(crate) async fn answers(&mut self, id: u64) -> Vec<Value> {
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

pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    Runtime::new().expect("a runtime").block_on(test)
}
