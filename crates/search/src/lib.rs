//! The contract of every engine, for any game: what a search is asked, when it must end, and what it answers.
//!
//! [`Engine`] is what plays; a [`Request`] asks it, a [`StopToken`] stops it, an [`Outcome`] is its answer.
//! [`Control`] is the only way a search ends early.
//! [`drive`] is the root driver: it turns a node search that can search one [`Stage`] into an answer under any limit.

mod clock;
mod control;
pub mod driver;
mod engine;
mod outcome;
mod request;
mod stop;
mod table;
mod threads;
mod time;

#[cfg(not(target_arch = "wasm32"))]
pub use clock::SystemClock;
pub use clock::{Clock, ManualClock};
pub use control::Control;
pub use driver::{Driven, Plan, RootAnswer, RootRequest, RootSearch, drive};
pub use engine::{Engine, MoveOf, OutcomeOf, ProgressOf};
pub use outcome::{Line, Origin, Outcome, Progress, Stage, Verdict};
pub use request::{Goal, Level, Limits, NoSuchLevel, ParseLevelError, Request};
pub use stop::StopToken;
pub use table::{Table, TableEntry, TableError};
pub use threads::threads_at_work;
pub use time::{GameClock, Settled, TimePlan};
