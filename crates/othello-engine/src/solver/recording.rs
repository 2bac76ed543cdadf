//! When threads waited for work and how often they shared it: for whoever looks at where a solve loses time.

use outflank_search::Clock;
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// A time in which a thread had nothing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The thread; 0 is the one that was asked to solve.
    pub thread: usize,
    /// When it began to wait, since [`crate::Solver::record`].
    pub begin: Duration,
    /// How long it waited.
    pub length: Duration,
}

/// What threads did to each other while positions were solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// Nodes whose moves were shared out.
    pub splits: u64,
    /// Times that a thread took part in a node of another thread.
    pub joins: u64,
    /// Times without work, in the order in which they ended.
    pub waits: Vec<Wait>,
    /// How long all of it took.
    pub elapsed: Duration,
}

/// Keeps a [`Sharing`] up to date.
pub(super) struct Recording {
    clock: Arc<dyn Clock>,
    began: Duration,
    /// The threads that wait at the moment, and since when.
    waiting: BTreeMap<usize, Duration>,
    pub(super) sharing: Sharing,
}

impl Recording {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            began: clock.now(),
            clock,
            waiting: BTreeMap::new(),
            sharing: Sharing::default(),
        }
    }

    fn now(&self) -> Duration {
        self.clock.now().saturating_sub(self.began)
    }

    /// Takes note that a thread begins to wait.
    pub(super) fn begins_to_wait(&mut self, thread: usize) {
        self.waiting.insert(thread, self.now());
    }

    /// Takes note that a thread goes on; one that waited before the recording began has waited since then.
    pub(super) fn goes_on(&mut self, thread: usize) {
        let begin = self.waiting.remove(&thread).unwrap_or_default();
        let length = self.now().saturating_sub(begin);
        self.sharing.waits.push(Wait {
            thread,
            begin,
            length,
        });
    }

    /// Ends the recording for all threads.
    pub(super) fn end(mut self) -> Sharing {
        for thread in self.waiting.clone().into_keys() {
            self.goes_on(thread);
        }
        self.sharing.elapsed = self.now();
        self.sharing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_search::ManualClock;

    #[test]
    fn waits_begin_and_end_with_the_recording_at_the_latest() {
        let clock = ManualClock::default();
        clock.advance(Duration::from_secs(5));
        let mut recording = Recording::new(Arc::new(clock.clone()));
        let second = Duration::from_secs(1);
        clock.advance(second);
        recording.goes_on(1);
        clock.advance(second);
        recording.begins_to_wait(1);
        recording.begins_to_wait(0);
        clock.advance(second);
        recording.goes_on(0);
        clock.advance(second);
        let sharing = recording.end();
        let wait = |thread, begin, length| Wait {
            thread,
            begin: begin * second,
            length: length * second,
        };
        assert_eq!(sharing.waits, [wait(1, 0, 1), wait(0, 2, 1), wait(1, 2, 2)]);
        assert_eq!(sharing.elapsed, 4 * second);
    }
}
