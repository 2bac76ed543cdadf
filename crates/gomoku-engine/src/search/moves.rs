//! Candidates and their order.

use super::{
    tuning::{HISTORY_SHARE, KILLER_PROMISE, MOST_HISTORY, REACH, history_step},
    worker::Worker,
};
use crate::{order, threat::points::is_allowed};
use outflank_gomoku::{Class, Color, Point, PointSet};

/// Most candidates at one node.
pub(super) const MAX_CANDIDATES: usize = 128;

/// Candidates, taken best first.
pub(super) struct Candidates {
    /// Promise above the sixteen bits of the inverted index, so that one comparison decides: of equal promises the
    /// smaller point comes first.
    list: [i64; MAX_CANDIDATES],
    len: usize,
    taken: usize,
}

impl Candidates {
    fn push(&mut self, mv: Point, promise: i32) {
        if let Some(slot) = self.list.get_mut(self.len) {
            *slot = i64::from(promise) << 16 | (0xFFFF - mv.idx() as i64);
            self.len += 1;
        }
    }

    /// Takes the most promising candidate left.
    pub(super) fn next(&mut self) -> Option<Point> {
        let rest = self.list.get_mut(self.taken..self.len)?;
        let (mut best, mut at) = (*rest.first()?, 0);
        for (i, &candidate) in rest.iter().enumerate() {
            if candidate > best {
                (best, at) = (candidate, i);
            }
        }
        rest.swap(0, at);
        self.taken += 1;
        Point::from_idx((0xFFFF - (best & 0xFFFF)) as usize)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }
}

impl Worker<'_> {
    /// Returns the empty points near the stones.
    pub(super) fn neighborhood(&self) -> PointSet {
        let stones = self
            .board
            .stones(Color::Black)
            .union(self.board.stones(Color::White));
        stones.spread(REACH).intersection(&self.board.empties())
    }

    /// Collects the allowed points of `points`, scored for `side`.
    pub(super) fn candidates(
        &self,
        points: &PointSet,
        side: Color,
        ply: usize,
        first: Option<Point>,
    ) -> Candidates {
        let mut candidates = Candidates {
            list: [0; MAX_CANDIDATES],
            len: 0,
            taken: 0,
        };
        let killers = self.killers[ply];
        for mv in points {
            if candidates.len == MAX_CANDIDATES {
                break;
            }
            if matches!(self.board.class(mv, side), Class::Forbidden | Class::Doubtful)
                && !is_allowed(&self.board, mv, side)
            {
                continue;
            }
            let own = order::heat(&self.board, mv, side);
            let other = order::heat(&self.board, mv, !side);
            let mut promise = 2 * own + other + self.history[side.idx()][mv.idx() & 511] / HISTORY_SHARE;
            if Some(mv) == first {
                promise += 1 << 24;
            } else if killers.contains(&Some(mv)) {
                promise += KILLER_PROMISE;
            }
            candidates.push(mv, promise);
        }
        candidates
    }

    /// Remembers a move that cut off.
    pub(super) fn reward(&mut self, mv: Point, side: Color, depth: i32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = history_step(depth);
        let entry = &mut self.history[side.idx()][mv.idx() & 511];
        *entry += bonus - *entry * bonus / MOST_HISTORY;
    }

    /// Remembers that a move did not cut off where another did.
    pub(super) fn punish(&mut self, mv: Point, side: Color, depth: i32) {
        let malus = history_step(depth);
        let entry = &mut self.history[side.idx()][mv.idx() & 511];
        *entry += -malus - *entry * malus / MOST_HISTORY;
    }
}
