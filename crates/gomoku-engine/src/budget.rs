//! When a search must end: nodes, time, or somebody's wish.

use outflank_search::{Clock, Limits, StopToken};
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// Positions between two looks at the clock, less one; at 200,000 positions a second that is below 3 ms.
const POLL_MASK: u64 = 511;
/// The same for a helping thread, which the thread that leads waits for.
const HELPER_POLL_MASK: u64 = 63;

/// Who else searches the same position.
#[derive(Clone)]
enum Team {
    Alone,
    /// Counts the positions of the helpers with its own.
    Lead(Arc<AtomicU64>),
    /// Reports its positions.
    Helper(Arc<AtomicU64>),
}

/// What one search may spend, and what it has spent.
#[derive(Clone)]
pub struct Budget {
    nodes: u64,
    max_nodes: u64,
    deadline: Option<Duration>,
    clock: Option<Arc<dyn Clock>>,
    stop: StopToken,
    exhausted: bool,
    team: Team,
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
            team: Team::Alone,
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
            team: Team::Alone,
        }
    }

    /// Makes this the budget of a thread whose helpers count their positions in `helpers`.
    pub(crate) fn lead(&mut self, helpers: Arc<AtomicU64>) {
        self.team = Team::Lead(helpers);
    }

    /// Returns the budget of a thread that helps until `stage_over` and counts its positions in `helpers`.
    pub(crate) fn helper(stage_over: StopToken, helpers: Arc<AtomicU64>) -> Self {
        Self {
            stop: stage_over,
            team: Team::Helper(helpers),
            ..Self::unlimited()
        }
    }

    /// Lets a helper whose stage was over work again.
    pub(crate) fn renew(&mut self) {
        self.exhausted = false;
    }

    /// Counts one position; returns whether the search may go on.
    #[inline]
    pub fn spend(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.max_nodes || (self.nodes & HELPER_POLL_MASK == 0 && self.poll()) {
            self.exhausted = true;
        }
        !self.exhausted
    }

    /// Returns whether it is time to look up, and the search must end.
    #[inline]
    fn poll(&self) -> bool {
        if let Team::Helper(helpers) = &self.team {
            helpers.fetch_add(HELPER_POLL_MASK + 1, Ordering::Relaxed);
            return self.stop.is_stopped();
        }
        self.nodes & POLL_MASK == 0 && self.is_overdue()
    }

    /// Returns the positions that the helpers have reported.
    pub(crate) fn nodes_of_helpers(&self) -> u64 {
        match &self.team {
            Team::Lead(helpers) => helpers.load(Ordering::Relaxed),
            _ => 0,
        }
    }

    fn is_overdue(&self) -> bool {
        self.stop.is_stopped()
            || self.nodes.saturating_add(self.nodes_of_helpers()) >= self.max_nodes
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
        self.exhausted |= self.is_overdue();
        !self.exhausted
    }

    /// Returns the positions counted so far.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns a budget for a part of this search: at most `max_nodes` positions, and `share` (0 to 1) of the time and
    /// of the positions that are left.
    #[must_use]
    pub fn part(&self, max_nodes: u64, share: f64) -> Self {
        let share = share.clamp(0.0, 1.0);
        let mut part = self.clone();
        let left = self
            .max_nodes
            .saturating_sub(self.nodes)
            .saturating_sub(self.nodes_of_helpers());
        part.nodes = 0;
        part.team = Team::Alone;
        part.max_nodes = max_nodes.min(left);
        if self.max_nodes != u64::MAX {
            part.max_nodes = part.max_nodes.min((left as f64 * share).ceil() as u64);
        }
        part.exhausted = self.exhausted;
        part.deadline = self.clock.as_ref().zip(self.deadline).map(|(clock, deadline)| {
            let now = clock.now();
            now + deadline.saturating_sub(now).mul_f64(share)
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
