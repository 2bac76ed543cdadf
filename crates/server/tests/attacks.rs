//! A server on this computer, asked politely and otherwise.

mod common {
    pub(crate) mod support;
}

use common::support::{Server, run, settings};
use futures_util::{SinkExt as _, StreamExt as _, future::join};
use outflank_search::StopToken;
use outflank_server::{ServeError, Settings, serve};
use serde_json::{Value, json};
use std::{
    net::{IpAddr, Ipv4Addr},
    time::Duration,
};
use tokio_tungstenite::tungstenite::Message;

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
        let first = server.connect(true).await.expect("a connection");
        let mut second = server.connect(true).await.expect("a connection");
        let third = server.connect(true).await.expect("a connection");
        assert!(server.connect(true).await.is_err(), "three sessions are all");
        drop(third);
        // A flood: some are answered, the rest refused; in the end the connection closes. The answers are read beside it:
        // what has not been read by the end may be lost with the connection.
        let (mut sink, mut stream) = first.0.split();
        let flood = async {
            for id in 0..400 {
                let message = Message::text(json!({"id": id, "call": "forget"}).to_string());
                if sink.send(message).await.is_err() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        };
        let refusals = async {
            let mut busy = 0;
            while let Some(Ok(message)) = stream.next().await {
                let Message::Text(text) = message else { continue };
                let answer: Value = serde_json::from_str(text.as_str()).expect("JSON");
                if answer["error"]["code"] == "busy" {
                    assert!(answer["id"].is_u64(), "who asked hears of it: {answer}");
                    busy += 1;
                }
            }
            busy
        };
        let ((), busy) = tokio::time::timeout(Duration::from_mins(1), join(flood, refusals))
            .await
            .expect("in time");
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
