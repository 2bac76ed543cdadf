//! The real clock, for the searches of lower layers, which know only the trait.

use outflank_search::Clock;
use std::time::{Duration, Instant};

/// The time since it was made.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(Instant);

impl WallClock {
    /// Returns a clock that starts now.
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
