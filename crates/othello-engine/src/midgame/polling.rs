//! When a thread looks up from its work: to see whether the search must end, or whether another thread has decided
//! by now what it is working on.

use super::{node::Node, worker::Worker};
use outflank_eval::Evaluator;
use std::sync::atomic::Ordering;

/// Nodes between two looks at the clock, the stop token and the table.
const POLL: u64 = 512;
/// Least depth at which a thread gives a node up once another has decided it.
const ABANDON_FROM: u32 = 6;

/// A null-window node whose moves are being searched.
pub(super) struct OpenNode {
    key: u64,
    node: Node,
}

/// What the table says by now of a node that is still being searched.
#[derive(Clone, Copy)]
pub(super) struct Decided {
    /// Index among the open nodes.
    index: usize,
    bound: i32,
}

impl<E: Evaluator> Worker<'_, E> {
    /// Counts a node; returns whether the search must end, in which case none was entered.
    #[inline(always)]
    pub(super) fn enter(&mut self) -> bool {
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        self.stopped |= self.shared.stage_over.load(Ordering::Relaxed)
            || self.shared.control.must_stop(self.nodes_before + self.nodes);
        if !self.stopped {
            self.decided = self.decided_meanwhile();
            self.stopped = self.decided.is_some();
        }
        // As many as are left, so that the limit is met exactly.
        self.next_poll = self.nodes + (self.limit - self.nodes).min(POLL);
    }

    /// Returns the outermost open node that the table decides by now, thanks to another thread.
    fn decided_meanwhile(&self) -> Option<Decided> {
        self.open.iter().enumerate().find_map(|(index, open)| {
            let entry = self.shared.table.probe(open.key, open.node.board)?;
            let bound = self.decides(&entry, &open.node)?;
            Some(Decided { index, bound })
        })
    }

    /// Searches the moves of a node by `search`, whose table key is `key`, so that another thread may decide it
    /// meanwhile; returns the bound if one has.
    #[inline]
    pub(super) fn unless_decided<R>(
        &mut self,
        key: u64,
        node: &Node,
        search: impl FnOnce(&mut Self) -> R,
    ) -> Result<R, i32> {
        let open = self.shared.busy.is_some()
            && !node.is_principal()
            && node.has_null_window()
            && node.depth >= ABANDON_FROM;
        if !open {
            return Ok(search(self));
        }
        self.open.push(OpenNode { key, node: *node });
        let found = search(self);
        self.open.pop();
        match self.decided.take_if(|decided| decided.index == self.open.len()) {
            Some(decided) => {
                self.stopped = false;
                Err(decided.bound)
            }
            None => Ok(found),
        }
    }
}
