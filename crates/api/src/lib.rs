//! What every front-end asks for: typed requests, progress events and results.
//!
//! The types are serde types, and they are the wire: an object of `outflank … --json` is one of them, and so is a message
//! of any other front-end. [`schema`] gives their JSON Schema, which is committed under `docs/schema/`.
//! Everything runs in the caller's thread; [`worker`] owns an engine in a thread of its own for whoever has to go on
//! listening, and [`dialogue`] lets it talk with another program.
//!
//! A request may name a file or a program. That is refused unless the front-end passes in the [`Capabilities`] for it.
//!
//! ```
//! use outflank_api::{Call, Capabilities, run};
//! use outflank_search::{StopToken, SystemClock};
//!
//! let text = r#"{"call":"analyze","input":{"text":"f5d6c3"},"limits":{"depth":4},"lines":2}"#;
//! let call: Call = serde_json::from_str(text)?;
//! let mut events = Vec::new();
//! run(&call, &Capabilities::NONE, &SystemClock::shared(), &StopToken::new(), &mut |event| events.push(event))?;
//! assert!(serde_json::to_string(events.last().expect("a result"))?.contains(r#""kind":"estimate""#));
//!
//! // No file is opened for somebody who may not have it.
//! let text = r#"{"call":"show","input":{"path":"/etc/passwd"}}"#;
//! let call: Call = serde_json::from_str(text)?;
//! assert!(run(&call, &Capabilities::NONE, &SystemClock::shared(), &StopToken::new(), &mut |_| {}).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
pub mod analyze;
pub mod bench;
pub mod book;
mod call;
pub mod convert;
#[cfg(not(target_arch = "wasm32"))]
pub mod dialogue;
mod engines;
mod error;
pub mod explore;
pub mod games;
#[doc(hidden)]
pub mod laws;
pub mod levels;
pub mod messages;
pub mod names;
pub mod opening_table;
pub mod openings;
pub mod picture;
pub mod play;
#[cfg(not(target_arch = "wasm32"))]
pub mod players;
pub mod puzzles;
pub mod report;
pub mod review;
#[cfg(not(target_arch = "wasm32"))]
pub mod schema;
pub mod show;
pub mod solve;
pub mod tree;
pub mod wire;
#[cfg(not(target_arch = "wasm32"))]
pub mod worker;

pub use access::{Capabilities, Input, List, Open, Source, WthorNames};
pub use call::{Call, Effort, Event, run};
pub use engines::Engines;
pub use error::Error;
