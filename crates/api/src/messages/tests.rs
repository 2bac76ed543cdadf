//! Messages that are, that are none, and news that come too fast.

use super::*;
use crate::{Capabilities, Engines};
use outflank_search::{ManualClock, StopToken};
use std::sync::Arc;

#[test]
fn every_kind_of_message_is_read() {
    let hello = Message::parse(r#"{"id":1,"call":"hello","protocol":1,"token":"x"}"#);
    assert_eq!(
        hello,
        Ok(Message::Hello {
            id: 1,
            hello: Hello {
                protocol: Some(1),
                token: Some("x".to_owned()),
                session: None
            }
        })
    );
    assert_eq!(Message::parse(r#"{"cancel":7}"#), Ok(Message::Cancel(7)));
    assert_eq!(
        Message::parse(r#"{"id":2,"call":"forget"}"#),
        Ok(Message::Forget { id: 2 })
    );
    let call = Message::parse(r#"{"id":3,"call":"names","input":{"text":"f5d6"}}"#);
    assert!(matches!(call, Ok(Message::Call { id: 3, .. })), "{call:?}");
}

#[test]
fn what_is_no_message_is_refused_with_its_number() {
    let long = format!(r#"{{"id":1,"call":"{}"}}"#, "x".repeat(MOST_BYTES));
    for (text, id, code) in [
        ("", None, Code::BadMessage),
        ("[]", None, Code::BadMessage),
        (r#"{"cancel":"x"}"#, None, Code::BadMessage),
        (r#"{"id":-1,"call":"names"}"#, None, Code::BadMessage),
        (r#"{"call":"names"}"#, None, Code::BadMessage),
        (r#"{"id":4}"#, Some(4), Code::BadMessage),
        (r#"{"id":4,"call":"hello","user":"x"}"#, Some(4), Code::BadMessage),
        (r#"{"id":4,"call":"show"}"#, Some(4), Code::BadInput),
        (
            r#"{"id":4,"call":"analyze","input":{"text":""},"lines":-1}"#,
            Some(4),
            Code::BadInput,
        ),
        (
            r#"{"id":4,"call":"exec","path":"/bin/sh"}"#,
            Some(4),
            Code::UnknownCall,
        ),
        (&long, None, Code::TooLarge),
    ] {
        let refusal = Message::parse(text).expect_err(text);
        assert_eq!((refusal.id, refusal.code), (id, code), "{text:.80}");
        assert!(refusal.to_json()["error"]["message"].is_string());
    }
}

#[test]
fn a_file_or_a_program_is_refused_whatever_the_call() {
    let mut engines = Engines::fresh(Arc::new(ManualClock::default()));
    let path = || json!({"path": "/etc/passwd"});
    let mut refused = Vec::new();
    for &name in Call::NAMES {
        // Fields that a call needs beside its input.
        let mut asked = match name {
            "convert" => json!({"to": "ggf", "input": path()}),
            "games" => json!({"add": {"name": "x", "input": path()}}),
            "players" => json!({"players": ["external: /bin/sh"]}),
            // They have no input.
            "levels" | "openings" | "puzzles" => continue,
            _ => json!({"input": path()}),
        };
        asked["id"] = json!(1);
        asked["call"] = json!(name);
        let Ok(Message::Call { id, call }) = Message::parse(&asked.to_string()) else {
            panic!("{asked}");
        };
        let error = engines
            .run(&call, &Capabilities::NONE, &StopToken::new(), &mut |event| {
                panic!("{event:?}")
            })
            .expect_err(name);
        assert_eq!(Refusal::of_error(id, &error).code, Code::Unsupported, "{name}");
        refused.push(name);
    }
    assert_eq!(refused.len() + 3, Call::NAMES.len(), "{refused:?}");
    // No other field takes a name of a file or a program.
    for (field, value) in [
        ("path", "/etc/passwd"),
        ("program", "/bin/sh"),
        ("file", "x"),
        ("url", "http://localhost"),
        ("command", "ls"),
    ] {
        for &name in Call::NAMES {
            let mut asked =
                json!({"id": 1, "call": name, "input": {"text": "f5"}, "players": [], "to": "ggf"});
            asked[field] = json!(value);
            let refusal = Message::parse(&asked.to_string()).expect_err(name);
            assert_eq!(refusal.code, Code::BadInput, "{name} {field}");
        }
    }
    for text in [
        r#"{"id":1,"call":"exec","command":"ls"}"#,
        r#"{"id":1,"call":"open","path":"/etc/passwd"}"#,
        r#"{"id":1,"call":"database","games":"/tmp/x.db"}"#,
    ] {
        assert_eq!(Message::parse(text).expect_err(text).code, Code::UnknownCall);
    }
}

#[test]
fn news_are_thinned_out_and_the_last_one_is_not_lost() {
    let text = r#"{"id":9,"call":"analyze","input":{"text":"f5d6"},"limits":{"depth":10},"lines":2,"progress":true}"#;
    let Ok(Message::Call { id, call }) = Message::parse(text) else {
        panic!("{text}");
    };
    let mut engines = Engines::kept(Arc::new(ManualClock::default()), 1 << 20);
    let (mut news, mut sent) = (News::new(id), Vec::new());
    engines
        .run(&call, &Capabilities::NONE, &StopToken::new(), &mut |event| {
            news.take(&event, Duration::ZERO, &mut |message| sent.push(message));
        })
        .expect("an analysis");
    news.flush(&mut |message| sent.push(message));
    // Time stands still: the first and the last news of each of two moves, and the result.
    assert_eq!(sent.len(), 5, "{sent:?}");
    assert!(
        sent[..4]
            .iter()
            .all(|message| message["event"]["progress"].is_object())
    );
    assert_eq!(sent[2]["event"]["progress"]["depth"], 10);
    assert_eq!(sent[4]["event"]["lines"].as_array().map(Vec::len), Some(2));
    assert!(sent.iter().all(|message| message["id"] == 9));
}

#[test]
fn engines_that_are_kept_remember() {
    let text = r#"{"id":9,"call":"analyze","input":{"text":"f5d6"},"limits":{"depth":9}}"#;
    let Ok(Message::Call { call, .. }) = Message::parse(text) else {
        panic!("{text}");
    };
    let clock = || Arc::new(ManualClock::default());
    let twice = |mut engines: Engines| {
        [(); 2].map(|()| {
            let mut nodes = 0;
            engines
                .run(&call, &Capabilities::NONE, &StopToken::new(), &mut |event| {
                    if let Event::Analyze(AnalyzeEvent::Result(result)) = event {
                        nodes = result.nodes;
                    }
                })
                .expect("an analysis");
            nodes
        })
    };
    let [first, second] = twice(Engines::fresh(clock()));
    assert_eq!(first, second);
    let [again, less] = twice(Engines::kept(clock(), 64 << 20));
    assert!(again == first && less < first, "{again} {less}");
}
