//! What a search may spend and has spent: a [`Control`] that one thread counts its positions against.

use outflank_search::{Control, ManualClock, StopToken};
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// Positions between two looks at the clock; at 200,000 positions a second that is below 3 ms.
const POLL: u64 = 512;
/// The same for a helping thread, which the thread that leads waits for.
const HELPER_POLL: u64 = 64;

/// Positions that the threads of one search have reported.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    lead: AtomicU64,
    helpers: AtomicU64,
}

/// Who else searches the same position.
#[derive(Clone)]
enum Team {
    Alone,
    /// Counts the positions of the helpers with its own.
    Lead(Arc<Counts>),
    /// Counts those of all others with its own.
    Helper(Arc<Counts>),
}

/// What one search may spend, and what it has spent.
#[derive(Clone)]
pub struct Budget {
    control: Control,
    nodes: u64,
    /// Positions after which the control is asked again; 0 once the budget is exhausted.
    next_poll: u64,
    /// Positions that a helper has reported.
    reported: u64,
    exhausted: bool,
    team: Team,
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("nodes", &self.nodes)
            .field("control", &self.control)
            .field("exhausted", &self.exhausted)
            .finish_non_exhaustive()
    }
}

impl Budget {
    /// Returns the budget of a search that ends when `control` says so.
    pub const fn new(control: Control) -> Self {
        Self {
            control,
            nodes: 0,
            next_poll: 0,
            reported: 0,
            exhausted: false,
            team: Team::Alone,
        }
    }

    /// Returns a budget without an end.
    pub fn unlimited() -> Self {
        Self::new(Control::unlimited())
    }

    /// Returns a budget of `max_nodes` positions.
    pub fn nodes_only(max_nodes: u64) -> Self {
        Self::new(Control::of_nodes(max_nodes))
    }

    /// Makes this the budget of a thread that leads others, which report in `counts`.
    pub(crate) fn lead(&mut self, counts: Arc<Counts>) {
        self.team = Team::Lead(counts);
    }

    /// Returns the budget of a thread that helps this one until `is_over`, within the same limit of positions.
    pub(crate) fn helper(&self, is_over: &StopToken, counts: Arc<Counts>) -> Self {
        let clock = Arc::new(ManualClock::default());
        let most = Some(self.control.max_nodes());
        Self {
            team: Team::Helper(counts),
            ..Self::new(Control::new(is_over.clone(), clock, None, most))
        }
    }

    /// Counts one position if there is one left; returns whether it may be searched.
    ///
    /// With one thread the number of positions never exceeds the limit.
    #[inline]
    pub fn spend(&mut self) -> bool {
        if self.nodes >= self.next_poll && !self.look_up() {
            return false;
        }
        self.nodes += 1;
        true
    }

    /// Asks the control; returns whether the search may go on.
    #[cold]
    fn look_up(&mut self) -> bool {
        let mut gap = POLL;
        match &self.team {
            Team::Alone => {}
            Team::Lead(counts) => counts.lead.store(self.nodes, Ordering::Relaxed),
            Team::Helper(counts) => {
                counts
                    .helpers
                    .fetch_add(self.nodes - self.reported, Ordering::Relaxed);
                self.reported = self.nodes;
                gap = HELPER_POLL;
            }
        }
        if !self.check() {
            return false;
        }
        let left = self.control.nodes_left(self.spent_by_all());
        self.next_poll = self.nodes.saturating_add(left.clamp(1, gap));
        true
    }

    /// Returns the positions that the helpers have reported.
    pub(crate) fn nodes_of_helpers(&self) -> u64 {
        match &self.team {
            Team::Lead(counts) => counts.helpers.load(Ordering::Relaxed),
            _ => 0,
        }
    }

    fn spent_by_all(&self) -> u64 {
        match &self.team {
            Team::Alone => self.nodes,
            Team::Lead(_) => self.nodes.saturating_add(self.nodes_of_helpers()),
            Team::Helper(counts) => {
                counts.helpers.load(Ordering::Relaxed) + counts.lead.load(Ordering::Relaxed)
            }
        }
    }

    /// Returns whether the budget is used up.
    #[inline]
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Asks the control now; returns whether the search may go on.
    pub fn check(&mut self) -> bool {
        if self.exhausted || self.control.must_stop(self.spent_by_all()) {
            self.exhausted = true;
            self.next_poll = 0;
        }
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
        let spent = self.spent_by_all();
        let mut most = max_nodes;
        if self.control.max_nodes() != u64::MAX {
            most = most.min((self.control.nodes_left(spent) as f64 * share).ceil() as u64);
        }
        let time = self.control.time_left().map(|left| left.mul_f64(share));
        Self {
            exhausted: self.exhausted,
            ..Self::new(self.control.part(spent, time, Some(most)))
        }
    }

    /// Adds what a part has spent.
    pub fn add_spent(&mut self, part: &Self) {
        self.nodes += part.nodes;
        self.check();
        self.next_poll = self.next_poll.min(self.nodes);
    }

    /// Returns the time left, or `None` without a limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.control.time_left()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_nodes_is_never_exceeded() {
        for limit in [0, 1, 2, 511, 512, 513, 2_000] {
            let mut budget = Budget::nodes_only(limit);
            let granted = (0..5_000).filter(|_| budget.spend()).count() as u64;
            assert_eq!((granted, budget.nodes()), (limit, limit));
            assert!(budget.is_exhausted());
        }
        let mut whole = Budget::nodes_only(100);
        let mut part = whole.part(50, 1.0);
        assert_eq!((0..90).filter(|_| part.spend()).count(), 50);
        whole.add_spent(&part);
        let mut half = whole.part(u64::MAX, 0.5);
        assert_eq!((0..90).filter(|_| half.spend()).count(), 25);
        whole.add_spent(&half);
        assert_eq!((0..90).filter(|_| whole.spend()).count(), 25);
    }

    #[test]
    fn a_stop_ends_it_and_its_parts() {
        let stop = StopToken::new();
        let mut budget = Budget::new(Control::stopped_by(&stop));
        let mut part = budget.part(u64::MAX, 0.5);
        assert!(budget.spend() && part.spend());
        stop.stop();
        assert!(!budget.check() && !part.check() && !part.spend());
    }
}
