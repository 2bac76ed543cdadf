//! Stopping solvers in time: one thread that looks at all deadlines.

use outflank_search::{Clock, StopToken};
use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// How often the deadlines are looked at.
const PERIOD: Duration = Duration::from_millis(2);

/// A solver's token and when it is to be stopped.
struct Entry {
    stop: StopToken,
    deadline: Option<Duration>,
    busy: bool,
}

/// The deadlines of all workers of a batch.
#[derive(Default)]
pub(super) struct Watchdog {
    entries: Mutex<Vec<Entry>>,
    quitting: AtomicBool,
    finished: AtomicBool,
}

impl Watchdog {
    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a new worker's token, its identity from now on.
    pub(super) fn register(&self) -> StopToken {
        let stop = StopToken::new();
        self.lock().push(Entry {
            stop: stop.clone(),
            deadline: None,
            busy: false,
        });
        stop
    }

    fn set(&self, stop: &StopToken, deadline: Option<Duration>, busy: bool) {
        let quitting = self.is_quitting();
        for entry in self.lock().iter_mut().filter(|entry| entry.stop.is_same(stop)) {
            (entry.deadline, entry.busy) = (deadline, busy);
            entry.stop.reset();
            if quitting {
                entry.stop.stop();
            }
        }
    }

    /// Starts the time of a worker.
    pub(super) fn arm(&self, stop: &StopToken, deadline: Option<Duration>) {
        self.set(stop, deadline, true);
    }

    /// Ends the time of a worker, and makes its token fresh.
    pub(super) fn disarm(&self, stop: &StopToken) {
        self.set(stop, None, false);
    }

    /// Returns whether the whole batch ends.
    pub(super) fn is_quitting(&self) -> bool {
        self.quitting.load(Ordering::SeqCst)
    }

    /// Tells the thread in [`Watchdog::watch`] to end.
    pub(super) fn finish(&self) {
        self.finished.store(true, Ordering::SeqCst);
    }

    /// Stops what is late, and everything once `is_stopped` says so, until [`Watchdog::finish`].
    pub(super) fn watch(&self, clock: &dyn Clock, is_stopped: &(dyn Fn() -> bool + Sync)) {
        while !self.finished.load(Ordering::SeqCst) {
            let entries = self.lock();
            if is_stopped() {
                self.quitting.store(true, Ordering::SeqCst);
            }
            let (now, quitting) = (clock.now(), self.is_quitting());
            for entry in entries.iter().filter(|entry| entry.busy) {
                if quitting || entry.deadline.is_some_and(|deadline| now >= deadline) {
                    entry.stop.stop();
                }
            }
            drop(entries);
            thread::sleep(PERIOD);
        }
    }
}
