//! When a running search must end: stop token, deadline and node limit in one place.

use crate::{Clock, ManualClock, StopToken};
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// What every search asks, at least once in [`Control::POLL`] nodes, to learn whether it must give up.
///
/// Clones are views of the same control, for the threads of one search. It can be disarmed, so that the first and
/// shallowest stage ends whatever the time and there is a move to play; a limit of nodes holds even then.
#[derive(Clone)]
pub struct Control {
    stop: StopToken,
    clock: Arc<dyn Clock>,
    start: Duration,
    deadline: Option<Duration>,
    max_nodes: u64,
    armed: Arc<AtomicBool>,
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("stop", &self.stop)
            .field("start", &self.start)
            .field("deadline", &self.deadline)
            .field("max_nodes", &self.max_nodes)
            .finish_non_exhaustive()
    }
}

impl Control {
    /// Most positions that a search enters between two questions.
    pub const POLL: u64 = 1024;

    /// Returns a control for a search that begins now, may last for `time` and may enter `nodes` positions.
    pub fn new(stop: StopToken, clock: Arc<dyn Clock>, time: Option<Duration>, nodes: Option<u64>) -> Self {
        let start = clock.now();
        Self {
            stop,
            clock,
            start,
            deadline: time.map(|time| start.saturating_add(time)),
            max_nodes: nodes.unwrap_or(u64::MAX),
            armed: Arc::new(AtomicBool::new(true)),
        }
    }

    /// Returns a control that ends a search only when `stop` is stopped.
    pub fn stopped_by(stop: &StopToken) -> Self {
        Self::new(stop.clone(), Arc::new(ManualClock::default()), None, None)
    }

    /// Returns a control that never ends a search.
    pub fn unlimited() -> Self {
        Self::stopped_by(&StopToken::new())
    }

    /// Returns a control without a limit of time for a search that may enter `nodes` positions.
    pub fn of_nodes(nodes: u64) -> Self {
        Self {
            max_nodes: nodes,
            ..Self::unlimited()
        }
    }

    /// Returns the control of a part of this search that begins now, after `spent` positions: it ends with the whole,
    /// or after `time`, or after `nodes` positions of its own.
    #[must_use]
    pub fn part(&self, spent: u64, time: Option<Duration>, nodes: Option<u64>) -> Self {
        let now = self.clock.now();
        let own = time.map(|time| now.saturating_add(time));
        Self {
            stop: self.stop.clone(),
            clock: Arc::clone(&self.clock),
            start: now,
            deadline: self.deadline.into_iter().chain(own).min(),
            max_nodes: self.nodes_left(spent).min(nodes.unwrap_or(u64::MAX)),
            armed: Arc::clone(&self.armed),
        }
    }

    /// Returns a view of this control that stays armed, whatever the others are told.
    #[must_use]
    pub fn always_armed(&self) -> Self {
        Self {
            armed: Arc::new(AtomicBool::new(true)),
            ..self.clone()
        }
    }

    /// Returns the time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.start)
    }

    /// Returns the time until the deadline; `None` if there is none.
    pub fn time_left(&self) -> Option<Duration> {
        Some(self.deadline?.saturating_sub(self.clock.now()))
    }

    /// Returns the greatest number of positions that may be entered; `u64::MAX` without a limit.
    pub const fn max_nodes(&self) -> u64 {
        self.max_nodes
    }

    /// Returns how many more positions may be entered after `spent`; `u64::MAX` without a limit.
    pub const fn nodes_left(&self, spent: u64) -> u64 {
        if self.max_nodes == u64::MAX {
            u64::MAX
        } else {
            self.max_nodes.saturating_sub(spent)
        }
    }

    /// Returns the token that stops this search.
    pub const fn stop_token(&self) -> &StopToken {
        &self.stop
    }

    /// Makes the stop token and the deadline count (`true`) or not (`false`).
    pub fn arm(&self, armed: bool) {
        self.armed.store(armed, Ordering::Relaxed);
    }

    /// Returns whether the stop token and the deadline count at the moment; see [`Control::arm`].
    pub fn is_armed(&self) -> bool {
        self.armed.load(Ordering::Relaxed)
    }

    /// Returns whether the search must end now, having entered `nodes` positions.
    ///
    /// Cost: about as much as reading the clock, if there is a deadline.
    pub fn must_stop(&self, nodes: u64) -> bool {
        nodes >= self.max_nodes
            || self.is_armed()
                && (self.stop.is_stopped()
                    || self.deadline.is_some_and(|deadline| self.clock.now() >= deadline))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_ends_the_search_and_nodes_even_a_disarmed_one() {
        let (clock, stop) = (ManualClock::default(), StopToken::new());
        let control = Control::new(
            stop.clone(),
            Arc::new(clock.clone()),
            Some(Duration::from_secs(1)),
            Some(100),
        );
        assert!(!control.must_stop(99) && control.must_stop(100));
        let clone = control.clone();
        control.arm(false);
        stop.stop();
        clock.advance(Duration::from_secs(2));
        assert!(!clone.must_stop(99) && clone.must_stop(100));
        assert!(control.always_armed().must_stop(0));
        control.arm(true);
        assert!(clone.must_stop(0));
        stop.reset();
        assert!(clone.must_stop(0));
    }

    #[test]
    fn a_part_ends_with_the_whole_and_by_itself() {
        let (clock, stop) = (ManualClock::default(), StopToken::new());
        let seconds = |n| Some(Duration::from_secs(n));
        let whole = Control::new(stop.clone(), Arc::new(clock.clone()), seconds(10), Some(100));
        clock.advance(Duration::from_secs(4));
        let part = whole.part(30, seconds(3), None);
        assert_eq!((part.max_nodes(), part.time_left()), (70, seconds(3)));
        assert_eq!(part.elapsed(), Duration::ZERO);
        assert_eq!(whole.part(30, None, Some(50)).max_nodes(), 50);
        assert_eq!(whole.part(0, seconds(60), None).time_left(), seconds(6));
        assert_eq!(whole.part(300, None, None).max_nodes(), 0);
        stop.stop();
        assert!(part.must_stop(0));
        assert_eq!(Control::unlimited().part(5, None, None).max_nodes(), u64::MAX);
    }
}
