//! Several threads on one search: persistent helpers that share out the moves of split nodes.
//!
//! A thread at a node whose first moves are searched and have not cut it off that sees that another thread has nothing to
//! do publishes the rest of the node's moves as a [`Split`]. All that join take
//! moves from it one by one; the first value above `alpha` cuts the others off. The owner, out of moves, waits for
//! the others, and meanwhile helps below its own split, never elsewhere, so that it is back when they are done.
//! Only the shared table and the split itself are written by several threads.

use super::{
    split::{Guard, Pool, Rest, Shared, Split},
    worker::Worker,
};
use crate::error::EngineError;
use outflank_eval::Evaluator;
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{Builder, JoinHandle},
};

impl<E: Evaluator> Worker<E> {
    /// Searches the rest of a node together with idle threads; returns the best value and its square.
    pub(super) fn split(&mut self, rest: Rest) -> (i32, u8) {
        let mut moves = rest.moves;
        moves.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
        let split = Arc::new(Split {
            parent: self.split.clone(),
            player: rest.board.0,
            opponent: rest.board.1,
            alpha: rest.alpha,
            cut_node: rest.cut_node,
            moves,
            next: AtomicUsize::new(0),
            best: Mutex::new(rest.best),
            cut: AtomicBool::new(false),
            helpers: AtomicUsize::new(0),
            control: Arc::clone(&self.control),
        });
        let shared = Arc::clone(&self.shared);
        shared.pool.publish(Arc::clone(&split));
        self.work_on(&split);
        let mut splits = shared.pool.lock();
        splits.retain(|other| !Arc::ptr_eq(other, &split));
        while split.helpers.load(Ordering::Relaxed) != 0 {
            let below = splits
                .iter()
                .find(|other| other.has_work() && other.is_below(&split))
                .cloned();
            splits = match below {
                Some(other) => self.help(&shared.pool, splits, &other),
                None => shared.pool.wait(splits, self.number),
            };
        }
        drop(splits);
        self.resume();
        self.must_stop();
        *split.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes moves from `split` until there are none, it is decided, or the search is stopped.
    fn work_on(&mut self, split: &Arc<Split>) {
        let outer = self.split.replace(Arc::clone(split));
        while !self.must_stop() {
            let Some(candidate) = split.moves.get(split.next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let (next, other) = candidate.after(split.player, split.opponent);
            let value = -self.null_window::<true>(next, other, -split.alpha - 2, !split.cut_node);
            if !self.stopped {
                split.report(value, candidate.square);
            }
        }
        self.split = outer;
    }

    /// Joins `split`; the lock is given back meanwhile.
    fn help<'a>(&mut self, pool: &'a Pool, guard: Guard<'a>, split: &Arc<Split>) -> Guard<'a> {
        split.helpers.fetch_add(1, Ordering::Relaxed);
        drop(guard);
        pool.note(|recording| recording.sharing.joins += 1);
        self.begin(Arc::clone(&split.control));
        self.work_on(split);
        if self.number != 0 {
            pool.helper_nodes
                .fetch_add(self.nodes - self.reported_nodes, Ordering::Relaxed);
            self.reported_nodes = self.nodes;
        }
        let guard = pool.lock();
        split.helpers.fetch_sub(1, Ordering::Relaxed);
        pool.changed.notify_all();
        guard
    }

    /// Helps wherever there is work, until the solver is dropped.
    fn serve(&mut self) {
        let shared = Arc::clone(&self.shared);
        let mut splits = shared.pool.lock();
        while !shared.pool.quit.load(Ordering::Relaxed) {
            let split = splits.iter().find(|split| split.has_work()).cloned();
            splits = match split {
                Some(split) => self.help(&shared.pool, splits, &split),
                None => shared.pool.wait(splits, self.number),
            };
        }
    }
}

/// The helper threads of a solver; dropping it ends them.
pub(super) struct Helpers<E> {
    shared: Arc<Shared<E>>,
    threads: Vec<JoinHandle<()>>,
}

impl<E: Evaluator + 'static> Helpers<E> {
    /// Starts `count` threads.
    pub(super) fn start(shared: &Arc<Shared<E>>, count: usize) -> Result<Self, EngineError> {
        let mut helpers = Self {
            shared: Arc::clone(shared),
            threads: Vec::new(),
        };
        for index in 0..count {
            let mut worker = Worker::new(Arc::clone(shared));
            worker.number = index + 1;
            let thread = Builder::new()
                .name(format!("solver {}", index + 2))
                .spawn(move || worker.serve())
                .map_err(|error| EngineError::Threads {
                    wanted: count + 1,
                    reason: error.to_string(),
                })?;
            helpers.threads.push(thread);
        }
        Ok(helpers)
    }
}

impl<E> Drop for Helpers<E> {
    fn drop(&mut self) {
        let pool = &self.shared.pool;
        let guard = pool.lock();
        pool.quit.store(true, Ordering::Relaxed);
        pool.changed.notify_all();
        drop(guard);
        for thread in self.threads.drain(..) {
            // A helper that panicked has nothing left to clean up.
            drop(thread.join());
        }
    }
}
