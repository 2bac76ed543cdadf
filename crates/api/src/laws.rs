//! The law of messages, for its fuzz target; the ordinary tests replay it on seeds and their mutations.

use crate::{
    Capabilities, Engines, Error,
    messages::{self, About, Message, MostOf, News, Refusal},
};
use outflank_search::{ManualClock, StopToken};
use serde_json::Value;
use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

/// Bytes of the tables.
const TABLE_BYTES: u64 = 1 << 16;
/// Questions of a search whether to go on, before it is stopped.
const PATIENCE: u32 = 20;

thread_local! {
    static ENGINES: RefCell<Engines> =
        RefCell::new(Engines::kept(Arc::new(ManualClock::default()), TABLE_BYTES));
    static ASKED: AtomicU32 = const { AtomicU32::new(0) };
}

fn is_enough() -> bool {
    ASKED.with(|asked| asked.fetch_add(1, Ordering::Relaxed) > PATIENCE)
}

/// Returns whether some text in a message names a file in a place where that means one.
fn names_a_file(value: &Value) -> bool {
    match value {
        Value::Object(fields) => {
            (fields.len() == 1 && fields.get("path").is_some_and(Value::is_string))
                || fields.values().any(names_a_file)
        }
        Value::Array(values) => values.iter().any(names_a_file),
        _ => false,
    }
}

/// No message panics; each that asks something has an end: `done` or an error of a kind that is known, and none that names a
/// file is done.
pub fn message(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let most = MostOf {
        seconds: Some(1.0),
        level: Some(20),
        positions: Some(3),
    };
    let (id, mut call) = match Message::parse(&text) {
        Ok(Message::Call { id, call }) => (id, call),
        Ok(_) => return,
        Err(refusal) => {
            assert!(refusal.to_json()["error"]["message"].is_string());
            return;
        }
    };
    let about = About::new("laws", TABLE_BYTES, most);
    if call.limit(&most, &about).is_err() {
        return;
    }
    // Numbers of positions to measure levels with are no search that asks.
    if matches!(&*call, crate::Call::Levels(_)) {
        return;
    }
    ASKED.with(|asked| asked.store(0, Ordering::Relaxed));
    let stop = StopToken::asking(is_enough);
    let (mut news, mut sent) = (News::new(id), Vec::new());
    let ended = ENGINES.with_borrow_mut(|engines| {
        engines.run(&call, &Capabilities::NONE, &stop, &mut |event| {
            news.take(&event, Duration::ZERO, &mut |message| sent.push(message));
        })
    });
    news.flush(&mut |message| sent.push(message));
    let is_about_a_file = serde_json::to_value(&call).is_ok_and(|call| names_a_file(&call));
    assert!(!is_about_a_file || ended.is_err(), "{text}");
    sent.push(match ended {
        Ok(()) => messages::done(id, !stop.is_stopped()),
        Err(error) => {
            let is_allowed = matches!(error, Error::Open { .. });
            assert!(!is_allowed, "a file was opened: {text}");
            Refusal::of_error(id, &error).to_json()
        }
    });
    let lasts = |message: &&Value| message.get("done").is_some() || message.get("error").is_some();
    assert_eq!(sent.iter().filter(lasts).count(), 1);
    assert!(sent.last().is_some_and(|last| lasts(&last)) && sent.iter().all(|message| message["id"] == id));
}
