//! What every searcher shares, for any game: limits, clock, stop token, and the textbook algorithms.
//!
//! [`drive`] is the root driver of both engines: it turns a node search that can search one [`Stage`] into an answer
//! under any limit.

mod clock;
mod control;
pub mod driver;
mod event;
mod limits;
mod stop;
mod table;
mod time;

pub use clock::{Clock, ManualClock};
pub use control::Control;
pub use driver::{Driven, Plan, RootAnswer, RootRequest, RootSearch, drive};
pub use event::{Event, Line, Stage, Verdict};
pub use limits::Limits;
pub use stop::StopToken;
pub use table::{Table, TableEntry, TableError};
pub use time::{GameClock, Settled, TimePlan};
