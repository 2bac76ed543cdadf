//! Asking a running search to end.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A flag shared between a search and whoever may stop it; clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct StopToken {
    flag: Arc<AtomicBool>,
    ask: Option<fn() -> bool>,
}

impl StopToken {
    /// Returns a token that nobody has stopped.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a token that is stopped as soon as `ask` says so, too: where nobody else can set a flag, as in a page
    /// whose only thread is the one that searches.
    pub fn asking(ask: fn() -> bool) -> Self {
        Self {
            ask: Some(ask),
            ..Self::default()
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
        self.flag.load(Ordering::Relaxed) || self.ask.is_some_and(|ask| ask())
    }
}

impl From<Arc<AtomicBool>> for StopToken {
    /// Shares a flag with somebody who knows no token, such as a signal handler.
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self { flag, ask: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_flag() {
        let token = StopToken::new();
        let other = token.clone();
        other.stop();
        assert!(token.is_stopped());
        token.reset();
        assert!(!other.is_stopped());
        let flag = Arc::new(AtomicBool::new(false));
        let shared = StopToken::from(Arc::clone(&flag));
        flag.store(true, Ordering::Relaxed);
        assert!(shared.is_stopped());
    }
}
