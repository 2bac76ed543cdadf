//! When a running search must end: the stop token, the clock and the node limit in one place.

use crate::{Clock, StopToken};
use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// What a node search asks, every few hundred nodes, to learn whether it must give up.
///
/// Shared by all threads of one search. It can be disarmed, so that the first and shallowest stage always ends and
/// there is a move to play.
pub struct Control<'a> {
    stop: StopToken,
    clock: &'a dyn Clock,
    start: Duration,
    deadline: Option<Duration>,
    max_nodes: u64,
    armed: AtomicBool,
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("stop", &self.stop)
            .field("start", &self.start)
            .field("deadline", &self.deadline)
            .field("max_nodes", &self.max_nodes)
            .finish_non_exhaustive()
    }
}

impl<'a> Control<'a> {
    /// Returns a control for a search that begins now, may last for `time` and may enter `nodes` positions.
    pub fn new(stop: StopToken, clock: &'a dyn Clock, time: Option<Duration>, nodes: Option<u64>) -> Self {
        let start = clock.now();
        Self {
            stop,
            clock,
            start,
            deadline: time.map(|time| start.saturating_add(time)),
            max_nodes: nodes.unwrap_or(u64::MAX),
            armed: AtomicBool::new(true),
        }
    }

    /// Returns the time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.start)
    }

    /// Returns the greatest number of positions that may be entered.
    pub const fn max_nodes(&self) -> u64 {
        self.max_nodes
    }

    /// Returns the token that stops this search.
    pub const fn stop_token(&self) -> &StopToken {
        &self.stop
    }

    /// Makes [`Control::must_stop`] answer (`true`) or always say no (`false`).
    pub fn arm(&self, armed: bool) {
        self.armed.store(armed, Ordering::Relaxed);
    }

    /// Returns whether limits apply at the moment; see [`Control::arm`].
    pub fn is_armed(&self) -> bool {
        self.armed.load(Ordering::Relaxed)
    }

    /// Returns whether the search must end now, having entered `nodes` positions.
    ///
    /// Cost: about as much as reading the clock.
    pub fn must_stop(&self, nodes: u64) -> bool {
        self.is_armed()
            && (self.stop.is_stopped()
                || nodes >= self.max_nodes
                || self.deadline.is_some_and(|deadline| self.clock.now() >= deadline))
    }
}
