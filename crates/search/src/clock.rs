//! Time as the lower layers see it: a trait, so that they need no operating system.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// A source of elapsed time.
///
/// The front-ends implement it with the system clock; tests use [`ManualClock`].
pub trait Clock: Send + Sync {
    /// Returns the time since some fixed moment; never decreases.
    fn now(&self) -> Duration;
}

/// A clock that stands still until it is told to move; clones share the time.
#[derive(Clone, Debug, Default)]
pub struct ManualClock(Arc<AtomicU64>);

impl ManualClock {
    /// Moves the time on.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(
            u64::try_from(by.as_nanos()).unwrap_or(u64::MAX),
            Ordering::Relaxed,
        );
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}
