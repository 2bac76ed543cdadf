//! Asking a running search to end.

use crate::Clock;
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// A flag shared between a search and whoever may stop it; clones share the flag.
///
/// A token can also carry a deadline of its own, after which it counts as stopped without anybody's doing.
#[derive(Clone, Default)]
pub struct StopToken {
    flag: Arc<AtomicBool>,
    deadline: Option<(Arc<dyn Clock>, Duration)>,
}

impl StopToken {
    /// Returns a token that nobody has stopped.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a token that shares this one's flag and also counts as stopped once `clock` shows `deadline`.
    ///
    /// Asking such a token reads the clock.
    #[must_use]
    pub fn with_deadline(&self, clock: Arc<dyn Clock>, deadline: Duration) -> Self {
        Self {
            flag: Arc::clone(&self.flag),
            deadline: Some((clock, deadline)),
        }
    }

    /// Asks the search to end as soon as it can.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Takes the request back, so that the token can serve the next search.
    pub fn reset(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// Returns whether the search should end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
            || self
                .deadline
                .as_ref()
                .is_some_and(|(clock, deadline)| clock.now() >= *deadline)
    }
}

impl From<Arc<AtomicBool>> for StopToken {
    /// Shares a flag with somebody else's token, such as that of a long job.
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self { flag, deadline: None }
    }
}

impl fmt::Debug for StopToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StopToken")
            .field("stopped", &self.flag)
            .field("deadline", &self.deadline.as_ref().map(|(_, deadline)| deadline))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ManualClock;

    #[test]
    fn clones_share_the_flag_and_a_deadline_is_ones_own() {
        let clock = ManualClock::default();
        let token = StopToken::new();
        let timed = token.with_deadline(Arc::new(clock.clone()), Duration::from_secs(1));
        assert!(!timed.is_stopped());
        clock.advance(Duration::from_secs(1));
        assert!(timed.is_stopped() && !token.is_stopped());
        let other = token.clone();
        other.stop();
        assert!(token.is_stopped());
        token.reset();
        assert!(!token.is_stopped());
    }
}
