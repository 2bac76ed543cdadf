//! When a search must end: nodes, time, or somebody's wish.

use outflank_search::{Clock, Limits, StopToken};
use std::{fmt, sync::Arc, time::Duration};

/// Positions between two looks at the clock; at 200,000 positions a second that is below 3 ms.
const POLL_MASK: u64 = 511;

/// What one search may spend, and what it has spent.
#[derive(Clone)]
pub struct Budget {
    nodes: u64,
    max_nodes: u64,
    deadline: Option<Duration>,
    clock: Option<Arc<dyn Clock>>,
    stop: StopToken,
    exhausted: bool,
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("nodes", &self.nodes)
            .field("max_nodes", &self.max_nodes)
            .field("deadline", &self.deadline)
            .field("exhausted", &self.exhausted)
            .finish_non_exhaustive()
    }
}

impl Budget {
    /// Returns a budget without an end.
    pub fn unlimited() -> Self {
        Self::nodes_only(u64::MAX)
    }

    /// Returns a budget of `max_nodes` positions.
    pub fn nodes_only(max_nodes: u64) -> Self {
        Self {
            nodes: 0,
            max_nodes,
            deadline: None,
            clock: None,
            stop: StopToken::new(),
            exhausted: false,
        }
    }

    /// Returns a budget of `limits`, whose time starts now on `clock`.
    pub fn new(limits: &Limits, clock: Arc<dyn Clock>, stop: StopToken) -> Self {
        let deadline = limits.time.map(|time| clock.now() + time);
        let max_nodes = limits.nodes.unwrap_or(u64::MAX);
        Self {
            nodes: 0,
            max_nodes,
            deadline,
            clock: Some(clock),
            stop,
            exhausted: false,
        }
    }

    /// Counts one position; returns whether the search may go on.
    #[inline]
    pub fn spend(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.max_nodes || (self.nodes & POLL_MASK == 0 && self.is_overdue()) {
            self.exhausted = true;
        }
        !self.exhausted
    }

    fn is_overdue(&self) -> bool {
        self.stop.is_stopped()
            || self
                .clock
                .as_ref()
                .zip(self.deadline)
                .is_some_and(|(clock, deadline)| clock.now() >= deadline)
    }

    /// Returns whether the budget is used up.
    #[inline]
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Looks at the clock and the stop token now; returns whether the search may go on.
    pub fn check(&mut self) -> bool {
        self.exhausted |= self.is_overdue() || self.nodes >= self.max_nodes;
        !self.exhausted
    }

    /// Returns the positions counted so far.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns a budget for a part of this search: at most `max_nodes` positions and `share` of the time left.
    #[must_use]
    pub fn part(&self, max_nodes: u64, share: f64) -> Self {
        let mut part = self.clone();
        part.nodes = 0;
        part.max_nodes = max_nodes.min(self.max_nodes.saturating_sub(self.nodes));
        part.exhausted = self.exhausted;
        part.deadline = self.clock.as_ref().zip(self.deadline).map(|(clock, deadline)| {
            let now = clock.now();
            now + deadline.saturating_sub(now).mul_f64(share.clamp(0.0, 1.0))
        });
        part
    }

    /// Adds what a part has spent.
    pub fn add_spent(&mut self, part: &Self) {
        self.nodes += part.nodes;
        self.check();
    }

    /// Returns the time left, or `None` without a limit.
    pub fn time_left(&self) -> Option<Duration> {
        let (clock, deadline) = self.clock.as_ref().zip(self.deadline)?;
        Some(deadline.saturating_sub(clock.now()))
    }
}
