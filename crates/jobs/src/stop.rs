//! The stop token: how one thread asks others to end early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that all its clones share.
///
/// The engines that work for a job can share its [flag](Self::flag), so that one request ends them all.
///
/// # Examples
/// ```
/// use outflank_jobs::StopToken;
///
/// let stop = StopToken::new();
/// let copy = stop.clone();
/// assert!(!copy.is_stopped());
/// stop.stop();
/// assert!(copy.is_stopped());
/// stop.reset();
/// assert!(!copy.is_stopped());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// Makes a token that asks nobody to stop yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everyone who holds this token to stop.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the request back, so that the token can serve the next piece of work.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Reports whether a stop was asked for.
    ///
    /// Cost: one relaxed load, so it may stand in the inner loop of a search.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns the flag itself, for a signal handler or an engine with its own kind of token.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl From<Arc<AtomicBool>> for StopToken {
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}
