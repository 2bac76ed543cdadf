//! What every searcher shares, for any game: limits, clock, stop token, and the textbook algorithms.

mod clock;
mod limits;
mod stop;

pub use clock::{Clock, ManualClock};
pub use limits::Limits;
pub use stop::StopToken;
