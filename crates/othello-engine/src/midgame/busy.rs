//! Which moves other threads are searching at the moment. [KERRIGAN18]
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

    /// This thread begins to search the board.
    pub(super) fn begin(&self, hash: u64, depth: u32) {
        let mark = Self::mark(hash, depth);
        self.slot(mark).store(mark, Ordering::Relaxed);
    }

    /// This thread has searched the board.
    pub(super) fn end(&self, hash: u64, depth: u32) {
        let mark = Self::mark(hash, depth);
        let slot = self.slot(mark);
        if slot.load(Ordering::Relaxed) == mark {
            slot.store(0, Ordering::Relaxed);
        }
    }
}
