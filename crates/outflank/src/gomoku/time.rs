//! The system clock.

use outflank_search::Clock;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Time since the start of the program's first use of it.
struct SystemClock(Instant);

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Returns a clock that starts now.
pub(super) fn system_clock() -> Arc<dyn Clock> {
    Arc::new(SystemClock(Instant::now()))
}
