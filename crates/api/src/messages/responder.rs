//! A dialogue without anything beside a call: for a page's worker, and for programs in other languages.

use super::{About, Code, Message, MostOf, News, PROTOCOL, Refusal, about, done};
use crate::{Capabilities, Engines};
use outflank_search::{Clock, StopToken};
use serde_json::Value;
use std::hint::black_box;
use std::sync::Arc;

/// The engines of one front-end, which answer its messages one after another in the thread of the caller.
#[derive(Debug)]
pub struct Responder {
    engines: Engines,
    about: About,
}

impl Responder {
    /// Returns engines with tables of `table_bytes`, for a front-end of this kind; of half, a quarter and so on where
    /// so much memory cannot be had.
    pub fn new(kind: &'static str, clock: Arc<dyn Clock>, table_bytes: u64) -> Self {
        let table_bytes = fitting(table_bytes);
        Self {
            engines: Engines::kept(clock, table_bytes),
            about: About::new(kind, table_bytes, MostOf::default()),
        }
    }

    /// Answers a message; `emit` gets every answer as soon as it is there.
    ///
    /// A `cancel` has no answer: no call runs while it is read.
    pub fn answer(&mut self, text: &str, stop: &StopToken, emit: &mut dyn FnMut(&Value)) {
        match Message::parse(text) {
            Err(refusal) => emit(&refusal.to_json()),
            Ok(Message::Cancel(_)) => {}
            Ok(Message::Hello { id, hello }) if hello.protocol.is_some_and(|version| version != PROTOCOL) => {
                let reason = format!("this engine speaks version {PROTOCOL}");
                emit(&Refusal::new(id, Code::Version, reason).to_json());
            }
            Ok(Message::Hello { id, .. }) => {
                about(id, &self.about).iter().for_each(emit);
            }
            Ok(Message::Forget { id }) => {
                self.engines.forget();
                emit(&done(id, true));
            }
            Ok(Message::Call { id, call }) => {
                let clock = Arc::clone(self.engines.clock());
                let mut news = News::new(id);
                let found = self.engines.run(&call, &Capabilities::NONE, stop, &mut |event| {
                    news.take(&event, clock.now(), &mut |message| emit(&message));
                });
                news.flush(&mut |message| emit(&message));
                match found {
                    Ok(()) => emit(&done(id, !stop.is_stopped())),
                    Err(error) => emit(&Refusal::of_error(id, &error).to_json()),
                }
            }
        }
    }
}

/// A table that is asked for even where memory for it cannot be had now.
const LEAST_TABLE: u64 = 1 << 20;

/// Returns the first of `bytes`, its half, its quarter and so on for which memory can be had.
fn fitting(bytes: u64) -> u64 {
    let mut bytes = bytes;
    while bytes > LEAST_TABLE && !fits(bytes) {
        bytes /= 2;
    }
    bytes
}

/// Reports whether so much memory can be had in one piece; it is given back untouched.
fn fits(bytes: u64) -> bool {
    let Ok(bytes) = usize::try_from(bytes) else {
        return false;
    };
    let mut memory = Vec::<u8>::new();
    let can_be_had = memory.try_reserve_exact(bytes).is_ok();
    // Memory that nobody sees is none that a compiler asks for.
    black_box(&memory);
    can_be_had
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_search::ManualClock;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn answers(responder: &mut Responder, text: &str, stop: &StopToken) -> Vec<Value> {
        let mut found = Vec::new();
        responder.answer(text, stop, &mut |value| found.push(value.clone()));
        found
    }

    #[test]
    fn messages_are_answered() {
        let mut responder = Responder::new("wasm", Arc::new(ManualClock::default()), 1 << 20);
        let stop = StopToken::new();
        let hello = answers(&mut responder, r#"{"id":1,"call":"hello","protocol":1}"#, &stop);
        assert_eq!(hello[0]["event"]["kind"], "wasm");
        assert_eq!(hello[1]["done"]["complete"], true);
        let other = answers(&mut responder, r#"{"id":1,"call":"hello","protocol":2}"#, &stop);
        assert_eq!(other[0]["error"]["code"], "version");
        let text = r#"{"id":2,"call":"analyze","input":{"text":"f5d6"},"limits":{"depth":5}}"#;
        let found = answers(&mut responder, text, &stop);
        assert_eq!(found[0]["event"]["depth"], 5);
        assert_eq!(found[1]["done"]["complete"], true);
        assert!(answers(&mut responder, r#"{"cancel":2}"#, &stop).is_empty());
        let forget = answers(&mut responder, r#"{"id":3,"call":"forget"}"#, &stop);
        assert_eq!(forget, [done(3, true)]);
        let nonsense = answers(&mut responder, "nonsense", &stop);
        assert_eq!(nonsense[0]["error"]["code"], "bad-message");
    }

    #[test]
    fn a_table_that_does_not_fit_is_halved_until_it_does() {
        let mut responder = Responder::new("wasm", Arc::new(ManualClock::default()), 1 << 63);
        let hello = answers(&mut responder, r#"{"id":1,"call":"hello"}"#, &StopToken::new());
        let bytes = hello[0]["event"]["table_bytes"].as_u64().unwrap_or(0);
        assert!(bytes.is_power_of_two(), "{bytes}");
        assert!(((1 << 20)..1 << 60).contains(&bytes), "{bytes}");
    }

    static ASKED: AtomicU32 = AtomicU32::new(0);

    #[test]
    fn a_call_that_is_stopped_ends_with_what_it_has() {
        let mut responder = Responder::new("wasm", Arc::new(ManualClock::default()), 1 << 20);
        let stop = StopToken::asking(|| ASKED.fetch_add(1, Ordering::Relaxed) > 100);
        let text = r#"{"id":2,"call":"analyze","input":{"text":"f5d6"},"limits":{"depth":40}}"#;
        let found = answers(&mut responder, text, &stop);
        assert!(found[0]["event"]["move"].is_string());
        assert_eq!(found[1]["done"]["complete"], false);
    }
}
