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
/// Programs use [`SystemClock`], tests [`ManualClock`]; where there is no system clock (WebAssembly) the host brings
/// its own.
pub trait Clock: Send + Sync {
    /// Returns the time since some fixed moment; never decreases.
    fn now(&self) -> Duration;
}

/// The time that has passed since the clock was made.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(std::time::Instant);

#[cfg(not(target_arch = "wasm32"))]
impl SystemClock {
    /// Returns a clock that starts at zero.
    #[expect(
        clippy::new_without_default,
        reason = "a value that depends on the moment is no default"
    )]
    pub fn new() -> Self {
        Self(std::time::Instant::now())
    }

    /// Returns such a clock to be shared.
    pub fn shared() -> Arc<dyn Clock> {
        Arc::new(Self::new())
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_clock_starts_at_zero_and_goes_on() {
        let clock = SystemClock::new();
        let first = clock.now();
        assert!(first < Duration::from_mins(1));
        while clock.now() == first {}
        assert!(clock.now() > first);
    }
}
