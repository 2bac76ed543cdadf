//! What the threads of one search share: tables, options, and the nodes whose moves they share out.

use super::recording::Recording;
use crate::{
    estimates::Guide,
    ordering::{Candidate, OrderingWeights},
    table::ExactEntry,
    techniques::Techniques,
};
use outflank_search::{Control, Table};
use std::sync::{
    Arc, Condvar, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
};

/// The lock on the list of splits.
pub(super) type Guard<'a> = MutexGuard<'a, Vec<Arc<Split>>>;

/// Read by all threads; only the table, the counters and the list of splits change.
#[repr(align(128))]
pub(super) struct Shared<E> {
    pub(super) evaluator: E,
    /// Bounds proven by this solver and by those of the leaves of the search before it.
    pub(super) table: Arc<Table<ExactEntry>>,
    pub(super) techniques: Techniques,
    /// Hints from a selective search.
    pub(super) guide: Option<Guide>,
    /// Zero where the technique is off.
    pub(super) weights: OrderingWeights,
    pub(super) pool: Pool,
}

/// Where threads find work.
///
/// On cache lines of its own, so that writes elsewhere leave what every thread reads at every node in its cache.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Pool {
    /// Splits with moves to take, oldest first.
    splits: Mutex<Vec<Arc<Split>>>,
    /// Threads that were offered work and have not woken up yet; changes only under the lock.
    offered: AtomicUsize,
    pub(super) changed: Condvar,
    /// Threads that wait for work and were offered none; changes only under the lock.
    idle: AtomicUsize,
    /// Nodes of the helpers in this solve.
    pub(super) helper_nodes: AtomicU64,
    /// Nodes of the thread that solves, when it told last.
    pub(super) main_nodes: AtomicU64,
    pub(super) quit: AtomicBool,
    /// What is recorded of all this, if anybody asked for it.
    recording: Mutex<Option<Recording>>,
}

impl Pool {
    pub(super) fn lock(&self) -> Guard<'_> {
        self.splits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a thread waits for work that nobody has offered it yet: one may take long to wake up.
    #[inline(always)]
    pub(super) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) != 0
    }

    /// Gives the lock back until something changes; this thread has nothing to do meanwhile.
    pub(super) fn wait<'a>(&self, guard: Guard<'a>, thread: usize) -> Guard<'a> {
        self.idle.fetch_add(1, Ordering::Relaxed);
        self.note(|recording| recording.begins_to_wait(thread));
        let guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        self.note(|recording| recording.goes_on(thread));
        // Which of the threads that wait wakes up for which offer is all the same.
        let count = match self.offered.load(Ordering::Relaxed) {
            0 => &self.idle,
            _ => &self.offered,
        };
        count.fetch_sub(1, Ordering::Relaxed);
        guard
    }

    /// Offers a split to the threads that wait.
    pub(super) fn publish(&self, split: Arc<Split>) {
        let mut splits = self.lock();
        splits.push(split);
        if self.idle.load(Ordering::Relaxed) != 0 {
            self.idle.fetch_sub(1, Ordering::Relaxed);
            self.offered.fetch_add(1, Ordering::Relaxed);
        }
        self.note(|recording| recording.sharing.splits += 1);
        self.changed.notify_all();
    }

    /// Records something, if that was asked for.
    pub(super) fn note(&self, what: impl FnOnce(&mut Recording)) {
        let mut recording = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(recording) = recording.as_mut() {
            what(recording);
        }
    }

    /// Ends what is recorded and returns it; begins with `next`, if it is one.
    pub(super) fn record(&self, next: Option<Recording>) -> Option<Recording> {
        let mut recording = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut recording, next)
    }
}

/// A node whose remaining moves several threads search, all with the same null window.
pub(super) struct Split {
    pub(super) parent: Option<Arc<Split>>,
    pub(super) player: u64,
    pub(super) opponent: u64,
    pub(super) alpha: i32,
    /// Whether the node was expected to be cut off.
    pub(super) cut_node: bool,
    pub(super) moves: Vec<Candidate>,
    pub(super) next: AtomicUsize,
    /// The best value and its square.
    pub(super) best: Mutex<(i32, u8)>,
    /// A value above `alpha` was found.
    pub(super) cut: AtomicBool,
    /// Threads at work here besides the owner; changes only under the pool's lock.
    pub(super) helpers: AtomicUsize,
    pub(super) control: Arc<Control>,
}

impl Split {
    /// Returns whether this node or one above it is decided, so that work below is wasted.
    #[inline(always)]
    pub(super) fn is_moot(&self) -> bool {
        let mut split = self;
        loop {
            if split.cut.load(Ordering::Relaxed) {
                return true;
            }
            match &split.parent {
                Some(parent) => split = parent,
                None => return false,
            }
        }
    }

    /// Returns whether there are moves to take, and for something.
    pub(super) fn has_work(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.moves.len() && !self.is_moot()
    }

    pub(super) fn is_below(&self, ancestor: &Arc<Split>) -> bool {
        let mut parent = &self.parent;
        while let Some(split) = parent {
            if Arc::ptr_eq(split, ancestor) {
                return true;
            }
            parent = &split.parent;
        }
        false
    }

    pub(super) fn report(&self, value: i32, square: u8) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if value > best.0 {
            *best = (value, square);
        }
        if value > self.alpha {
            self.cut.store(true, Ordering::Relaxed);
        }
    }
}

/// The rest of a node, to be searched by several threads.
pub(super) struct Rest {
    pub(super) board: (u64, u64),
    pub(super) alpha: i32,
    /// Whether the node was expected to be cut off.
    pub(super) cut_node: bool,
    /// The best value and square so far.
    pub(super) best: (i32, u8),
    /// In any order.
    pub(super) moves: Vec<Candidate>,
}
