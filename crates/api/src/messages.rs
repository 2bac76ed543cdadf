//! The dialogue of a front-end that sends messages and an engine that answers: one JSON object each.
//!
//! A message asks for a call under a number, or cancels one: `{"id":7,"call":"analyze",…}` with the fields of a
//! [`Call`], `{"cancel":7}`, and first of all `{"id":1,"call":"hello"}`. The answers bear the number:
//! `{"id":7,"event":{…}}` for every event, and at last `{"id":7,"done":{"complete":true}}` or `{"id":7,"error":{…}}`.
//! Who carries the messages, and which searches run beside one another, is not said here.

mod responder;

pub use responder::Responder;

use crate::{Call, Error, Event, Input, analyze::AnalyzeEvent, review::ReviewEvent};
use outflank_eval::Patterns;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{collections::BTreeMap, time::Duration};

/// The version of the dialogue.
pub const PROTOCOL: u32 = 1;
/// Most bytes of a message.
pub const MOST_BYTES: usize = 1 << 20;

/// Something that a front-end sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The beginning.
    Hello {
        /// The number of the message.
        id: u64,
        /// What it says.
        hello: Hello,
    },
    /// Something that is asked.
    Call {
        /// The number of the message.
        id: u64,
        /// What is asked.
        call: Box<Call>,
    },
    /// The call of this number is to end with what it has found.
    Cancel(u64),
    /// The engines forget what they have learned.
    Forget {
        /// The number of the message.
        id: u64,
    },
}

/// How a front-end introduces itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The version of the dialogue that it speaks; [`PROTOCOL`] if it does not say.
    #[serde(default)]
    pub protocol: Option<u32>,
    /// The word that lets it in, where one is asked for.
    #[serde(default)]
    pub token: Option<String>,
    /// The session that its last connection had, to go on with its tables and games.
    #[serde(default)]
    pub session: Option<String>,
}

/// What answers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct About {
    /// `Outflank`.
    pub engine: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The version of the dialogue.
    pub protocol: u32,
    /// What it is part of: `server`, `wasm` or `c`.
    pub kind: &'static str,
    /// Checksum of the weights.
    pub weights: String,
    /// Threads of a search.
    pub threads: usize,
    /// Bytes of a table where a request asks for no other size.
    pub table_bytes: u64,
    /// What a request may ask for at most.
    pub limits: MostOf,
    /// By what a server knows the session when its connection was lost; only the front-end knows it, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

impl About {
    /// Returns what an engine of this program says of itself.
    pub fn new(kind: &'static str, table_bytes: u64, limits: MostOf) -> Self {
        Self {
            engine: "Outflank",
            version: env!("CARGO_PKG_VERSION"),
            protocol: PROTOCOL,
            kind,
            weights: format!("{:016x}", Patterns::embedded_checksum()),
            threads: 1,
            table_bytes,
            limits,
            session: None,
        }
    }
}

/// What a request may ask for at most; no limit where nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MostOf {
    /// Seconds of a search.
    pub seconds: Option<f64>,
    /// Level.
    pub level: Option<u32>,
    /// Positions of a call that takes many.
    pub positions: Option<usize>,
}

/// What went wrong, in a word that programs understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// It is no message.
    BadMessage,
    /// There is no such call.
    UnknownCall,
    /// What is asked about cannot be read, or a field is out of range.
    BadInput,
    /// The message is too long.
    TooLarge,
    /// Too much is asked at a time.
    Busy,
    /// More is asked for than may be.
    Limit,
    /// This cannot be had here.
    Unsupported,
    /// The search has failed.
    EngineFailed,
    /// The token is missing or wrong.
    Unauthorized,
    /// The front-end speaks another version.
    Version,
}

/// A message that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The number of the message, if it has one.
    pub id: Option<u64>,
    /// Why.
    pub code: Code,
    /// Why, in words.
    pub message: String,
}

impl Refusal {
    /// Returns a refusal of the message with this number.
    pub fn new(id: impl Into<Option<u64>>, code: Code, message: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            code,
            message: message.into(),
        }
    }

    /// Returns what a call failed with.
    pub fn of_error(id: u64, error: &Error) -> Self {
        let code = match error {
            Error::PathRefused(_) | Error::Player(_) | Error::Open { .. } => Code::Unsupported,
            Error::Input(_) | Error::Value { .. } => Code::BadInput,
            Error::TooMuch(_) => Code::TooLarge,
            Error::Engine(_) => Code::EngineFailed,
        };
        Self::new(id, code, error.to_string())
    }

    /// Returns it as a message.
    pub fn to_json(&self) -> Value {
        json!({"id": self.id, "error": {"code": self.code, "message": self.message}})
    }
}

/// Returns the answer to a [`Hello`].
pub fn about(id: u64, about: &About) -> [Value; 2] {
    [json!({"id": id, "event": about}), done(id, true)]
}

/// Returns the end of a call.
pub fn done(id: u64, complete: bool) -> Value {
    json!({"id": id, "done": {"complete": complete}})
}

impl Message {
    /// Returns the number of a message that is refused unread, so that who asked need not wait for its answer; `None` for
    /// a text that is long, since reading it is what is refused.
    pub fn number(text: &str) -> Option<u64> {
        #[derive(Deserialize)]
        struct Numbered {
            id: u64,
        }
        let numbered = || serde_json::from_str(text).ok();
        let short = text.len() <= 4096;
        short.then(numbered).flatten().map(|Numbered { id }| id)
    }

    /// Reads a message.
    ///
    /// # Errors
    ///
    /// Returns what to answer to a text that is none.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        if text.len() > MOST_BYTES {
            let reason = format!("{} bytes; a message has at most {MOST_BYTES}", text.len());
            return Err(Refusal::new(None, Code::TooLarge, reason));
        }
        let bad = |id: Option<u64>, reason: String| Refusal::new(id, Code::BadMessage, reason);
        let Value::Object(mut object) =
            serde_json::from_str(text).map_err(|error| bad(None, error.to_string()))?
        else {
            return Err(bad(None, "a message is an object".to_owned()));
        };
        if let Some(cancel) = object.get("cancel") {
            return match cancel.as_u64() {
                Some(id) => Ok(Self::Cancel(id)),
                None => Err(bad(None, "\"cancel\" is the number of a call".to_owned())),
            };
        }
        let Some(id) = object.remove("id").as_ref().and_then(Value::as_u64) else {
            return Err(bad(None, "no \"id\": a call has a number from 0".to_owned()));
        };
        let Some(name) = object.get("call").and_then(Value::as_str).map(str::to_owned) else {
            return Err(bad(Some(id), "no \"call\": the name of what is asked".to_owned()));
        };
        match name.as_str() {
            "hello" => {
                object.remove("call");
                let hello = serde_json::from_value(Value::Object(object));
                let hello = hello.map_err(|error| bad(Some(id), error.to_string()))?;
                Ok(Self::Hello { id, hello })
            }
            "forget" => Ok(Self::Forget { id }),
            name => match serde_json::from_value(Value::Object(object)) {
                Ok(call) => Ok(Self::Call {
                    id,
                    call: Box::new(call),
                }),
                Err(error) if Call::NAMES.contains(&name) => {
                    Err(Refusal::new(id, Code::BadInput, error.to_string()))
                }
                Err(_) => {
                    let known = Call::NAMES.join(", ");
                    let reason = format!("no call {name:?}: hello, forget, {known}");
                    Err(Refusal::new(id, Code::UnknownCall, reason))
                }
            },
        }
    }
}

/// Thins out the news of one call: at most ten a second for each rank, the newest, and the last one before the end.
#[derive(Debug)]
pub struct News {
    id: u64,
    /// When the last news of each rank went out.
    sent: BTreeMap<usize, Duration>,
    /// The newest of each rank that has not gone out.
    kept: BTreeMap<usize, Value>,
}

impl News {
    /// Time between two news of a rank.
    const INTERVAL: Duration = Duration::from_millis(100);

    /// Returns the news of the call with this number.
    pub const fn new(id: u64) -> Self {
        Self {
            id,
            sent: BTreeMap::new(),
            kept: BTreeMap::new(),
        }
    }

    /// Takes an event; tells `send` what goes out now.
    pub fn take(&mut self, event: &Event, now: Duration, send: &mut dyn FnMut(Value)) {
        let message = json!({"id": self.id, "event": event});
        let Some(rank) = event.rank_of_progress() else {
            self.flush(send);
            return send(message);
        };
        match self.sent.get(&rank) {
            Some(&last) if now.saturating_sub(last) < Self::INTERVAL => {
                self.kept.insert(rank, message);
            }
            _ => {
                self.kept.remove(&rank);
                self.sent.insert(rank, now);
                send(message);
            }
        }
    }

    /// Lets out what was kept back.
    pub fn flush(&mut self, send: &mut dyn FnMut(Value)) {
        for (_, message) in std::mem::take(&mut self.kept) {
            send(message);
        }
    }
}

impl Call {
    /// Keeps a call within limits: what has no limit gets one.
    ///
    /// # Errors
    ///
    /// Returns what it asks too much of.
    pub fn limit(&mut self, most: &MostOf, about: &About) -> Result<(), String> {
        let texts = match self {
            Self::Solve(request) => Some(&request.input),
            Self::Review(request) => Some(&request.input),
            Self::Analyze(request) => Some(&request.input),
            _ => None,
        };
        if let (Some(_), Some(Input::Base64(_))) = (most.positions, texts) {
            return Err("positions that are searched come as text here, one a line".to_owned());
        }
        if let (Some(positions), Some(Input::Text(text))) = (most.positions, texts) {
            let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
            if lines > positions {
                return Err(format!("{lines} lines; here a call has at most {positions}"));
            }
        }
        let bytes = match self {
            Self::Solve(request) => request.table_bytes,
            Self::Analyze(request) => request.table_bytes,
            Self::Play(request) => request.table_bytes,
            _ => None,
        };
        if bytes.is_some_and(|bytes| bytes > about.table_bytes) {
            return Err(format!("a table has at most {} bytes here", about.table_bytes));
        }
        let (level, seconds) = match self {
            Self::Analyze(request) => (request.limits.level, Some(&mut request.limits.seconds)),
            Self::Play(request) => (request.limits.level, Some(&mut request.limits.seconds)),
            Self::Explore(request) => match &mut request.limits {
                Some(limits) => (limits.level, Some(&mut limits.seconds)),
                None => (None, None),
            },
            Self::Solve(request) => (None, Some(&mut request.seconds)),
            Self::Review(request) => (Some(request.level), Some(&mut request.seconds)),
            Self::Openings(request) => (Some(request.level), None),
            _ => (None, None),
        };
        if let (Some(most), Some(level)) = (most.level, level)
            && level > most
        {
            return Err(format!("level {level}; here the highest is {most}"));
        }
        if let (Some(most), Some(seconds)) = (most.seconds, seconds) {
            *seconds = Some(seconds.map_or(most, |seconds| seconds.min(most)));
        }
        Ok(())
    }
}

impl Event {
    /// Returns whether it is news of progress and no result.
    pub fn is_progress(&self) -> bool {
        self.rank_of_progress().is_some()
    }

    /// Returns the rank of the move that an event of progress is about; `None` for a result.
    fn rank_of_progress(&self) -> Option<usize> {
        match self {
            Self::Analyze(AnalyzeEvent::Progress(news)) => Some(news.progress.rank),
            Self::Review(ReviewEvent::Progress(_)) => Some(0),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
