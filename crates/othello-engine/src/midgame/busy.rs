//! Which moves other threads are searching at the moment. \[KERRIGAN18\]
//!
//! A thread that comes to a move that another is searching already leaves it for later: by then the table has the
//! answer. This is all that the threads tell each other beside the table. Lost or wrong marks cost time, never
//! correctness.

use std::sync::atomic::{AtomicU64, Ordering};

/// Marks of the moves being searched, by what they lead to.
#[derive(Debug)]
pub(super) struct Busy(Box<[AtomicU64]>);

/// Number of marks; a power of two, far more than threads times plies.
const SLOTS: usize = 1 << 12;

impl Busy {
    pub(super) fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    const fn mark(hash: u64, depth: u32) -> u64 {
        (hash ^ (depth as u64) << 56) | 1
    }

    fn slot(&self, mark: u64) -> &AtomicU64 {
        &self.0[(mark >> 24) as usize & (SLOTS - 1)]
    }

    /// Returns whether some thread is searching the board of this hash.
    pub(super) fn has(&self, hash: u64, depth: u32) -> bool {
        let mark = Self::mark(hash, depth);
        self.slot(mark).load(Ordering::Relaxed) == mark
    }

    /// Marks the board as searched by this thread, until the mark is dropped.
    pub(super) fn begin(&self, hash: u64, depth: u32) -> BusyMark<'_> {
        let mark = Self::mark(hash, depth);
        let slot = self.slot(mark);
        slot.store(mark, Ordering::Relaxed);
        BusyMark { slot, mark }
    }
}

/// A board that a thread is searching.
#[derive(Debug)]
pub(super) struct BusyMark<'b> {
    slot: &'b AtomicU64,
    mark: u64,
}

impl Drop for BusyMark<'_> {
    fn drop(&mut self) {
        // Another board may have taken the slot meanwhile.
        if self.slot.load(Ordering::Relaxed) == self.mark {
            self.slot.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_holds_until_it_is_dropped_and_leaves_others_alone() {
        let busy = Busy::new();
        let (hash, other) = (0x1234_5678_9abc_def0, 0x1234_5678_9abc_def2);
        let mark = busy.begin(hash, 9);
        assert!(busy.has(hash, 9));
        assert!(!busy.has(hash, 8));
        drop(mark);
        assert!(!busy.has(hash, 9));
        // Both boards have one slot: the later mark stays when the earlier ends.
        let first = busy.begin(hash, 9);
        let second = busy.begin(other, 9);
        drop(first);
        assert!(busy.has(other, 9));
        drop(second);
        assert!(!busy.has(other, 9));
    }
}
