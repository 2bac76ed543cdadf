//! Asking a running search to end.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A flag shared between a search and whoever may stop it; clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// Returns a token that nobody has stopped.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the search to end as soon as it can.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the request back, so that the token can serve the next search.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Returns whether the search should end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
