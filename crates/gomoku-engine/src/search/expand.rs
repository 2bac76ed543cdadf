//! The moves of a node: which are searched, and how deep.

use super::{
    moves::MAX_CANDIDATES,
    tuning::{
        FUTILITY_DEPTH, LOUD, REDUCTION_DEPTH, REDUCTION_MOVES, futility_margin, late_moves, reduction,
    },
    worker::{Worker, table_key},
};
use crate::{
    table::Bound,
    value::{EVAL_BOUND, MATE, MATE_BOUND},
};
use outflank_gomoku::{Class, Color, Point, PointSet};

/// What is asked about a position.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) side: Color,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// At least 1.
    pub(super) depth: i32,
    /// Stones from the root.
    pub(super) ply: usize,
}

/// The moves of a node.
#[derive(Clone, Copy)]
pub(super) enum Among {
    /// All near the stones; with the evaluation of the position where moves may be left out by it.
    All(i32),
    /// Those that can parry a proven threat.
    Parries(PointSet),
}

/// Quiet moves that were searched before the one that cut off.
struct Quiets {
    moves: [Point; 32],
    len: usize,
}

impl Quiets {
    fn push(&mut self, mv: Point) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }
}

impl Worker<'_> {
    /// Searches the moves of a node, `first` before the others, and returns its value.
    pub(super) fn expand<const PV: bool>(&mut self, node: Node, among: Among, first: Option<Point>) -> i32 {
        let Node { side, depth, ply, .. } = node;
        let key = table_key(&self.board, side);
        let (points, estimate, is_danger) = match among {
            Among::All(estimate) => (self.neighborhood(), estimate, false),
            Among::Parries(points) => (points, 0, true),
        };
        let mut candidates = self.candidates(&points, side, ply, first);
        let mut is_complete = is_danger && candidates.len() < MAX_CANDIDATES;
        let mut alpha = node.alpha;
        let (mut best_value, mut best) = (-MATE, None);
        let mut quiets = Quiets {
            moves: [Point::default(); 32],
            len: 0,
        };
        let mut n_searched = 0;
        while let Some(mv) = candidates.next() {
            let own = self.board.class(mv, side);
            let is_quiet = own < LOUD && self.board.class(mv, !side) < LOUD;
            if !PV && is_quiet && !is_danger && best_value > -MATE_BOUND && n_searched > 0 {
                let is_late = n_searched >= late_moves(depth);
                let is_hopeless = depth <= FUTILITY_DEPTH && estimate + futility_margin(depth) <= alpha;
                if is_late || is_hopeless {
                    is_complete = false;
                    continue;
                }
            }
            let mut less = 0;
            if depth >= REDUCTION_DEPTH && n_searched >= REDUCTION_MOVES && own < Class::Four {
                less = reduction(depth, n_searched)
                    - i32::from(PV)
                    - i32::from(!is_quiet)
                    - i32::from(is_danger);
                less = less.clamp(0, depth - 2);
            }
            let value = self.visit::<PV>(mv, Node { alpha, ..node }, less, n_searched == 0);
            if self.budget.is_exhausted() {
                return 0;
            }
            n_searched += 1;
            if value > best_value {
                best_value = value;
                best = Some(mv);
                if PV || value > alpha {
                    self.set_line(ply, mv);
                }
            }
            if value > alpha {
                alpha = value;
                if alpha >= node.beta {
                    self.reward(mv, side, depth, ply);
                    for &quiet in &quiets.moves[..quiets.len] {
                        self.punish(quiet, side, depth);
                    }
                    break;
                }
            }
            if is_quiet {
                quiets.push(mv);
            }
        }
        if n_searched == 0 {
            // Renju: every candidate is forbidden, or nothing is near. Nothing is proven.
            return self.weights.evaluate(&self.board, side);
        }
        if best_value <= -MATE_BOUND && !is_complete {
            best_value = -EVAL_BOUND;
        }
        let bound = if best_value >= node.beta {
            Bound::Lower
        } else if best_value > node.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(key, best_value, depth, bound, best, ply);
        best_value
    }

    /// Plays a move and returns its value: the first with the whole window, others with a null window before that, and
    /// `less` deep before they may raise it.
    fn visit<const PV: bool>(&mut self, mv: Point, node: Node, less: i32, is_first: bool) -> i32 {
        let Node {
            side,
            alpha,
            beta,
            depth,
            ply,
        } = node;
        let below = depth - 1;
        self.board.place(mv, side);
        let mut value = alpha;
        if !is_first {
            value = -self.node::<false>(!side, -alpha - 1, -alpha, below - less, ply + 1);
            if value > alpha && less > 0 {
                value = -self.node::<false>(!side, -alpha - 1, -alpha, below, ply + 1);
            }
        }
        if is_first || (PV && value > alpha && value < beta) {
            value = -self.node::<PV>(!side, -beta, -alpha, below, ply + 1);
        }
        self.board.unplace();
        value
    }
}
