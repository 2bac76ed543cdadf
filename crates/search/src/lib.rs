//! What every searcher shares, for any game: limits, clock, stop token, and the textbook algorithms.

mod clock;
mod limits;
pub mod mcts;
mod random;
mod stop;
mod table;
pub mod textbook;

pub use clock::{Clock, ManualClock};
pub use limits::Limits;
pub use random::SplitMix64;
pub use stop::StopToken;
pub use table::{Table, TableEntry, TableError};
