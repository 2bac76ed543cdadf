//! One node of the main search, in stages.

use super::{
    expand::{Among, Node},
    tuning::{
        LAST_DEPTH, NULL_MOVE_DEPTH, RAZOR_DEPTH, REVERSE_FUTILITY_DEPTH, REVERSE_FUTILITY_MARGIN,
        null_move_depth, razor_margin,
    },
    worker::{MAX_PLY, Worker, table_key},
};
use crate::{
    table::{Bound, Entry, to_node, to_root},
    threat::{
        defenses::defenses,
        points::{is_allowed, parries},
        search::Finding,
        vcf::has_four_move,
    },
    value::{EVAL_BOUND, MATE, MATE_BOUND},
};
use outflank_gomoku::{Class, Color, Point, PointSet, Rule};

/// What the stages before the moves found out.
enum Stage {
    /// The value is known.
    Done(i32),
    /// Moves must be searched; with a set if only its points can parry a proven threat.
    Search(Option<PointSet>),
}

impl Worker<'_> {
    /// Returns the value of the position for `side` to move, `ply` stones from the root.
    ///
    /// Meaningless once the budget is exhausted.
    pub(super) fn node<const PV: bool>(
        &mut self,
        side: Color,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
    ) -> i32 {
        self.lines[ply].clear();
        if !self.budget.spend() {
            return 0;
        }
        if self.board.n_empty() == 0 {
            return 0;
        }
        if ply + 2 >= MAX_PLY {
            return self.weights.evaluate(&self.board, side);
        }
        alpha = alpha.max(ply as i32 - MATE);
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let node = |alpha, beta| Node {
            side,
            alpha,
            beta,
            depth: depth.max(1),
            ply,
        };
        let fives = self.board.points_of(side, Class::Five);
        if let Some(five) = fives.first() {
            self.lines[ply].push(five);
            return MATE - (ply as i32 + 1);
        }
        if self.board.count_of(!side, Class::Five) > 0 {
            let points = self.answers_to_four(side);
            return match points.len() {
                0 => (ply as i32 + 2) - MATE,
                1 => self.forced::<PV>(side, alpha, beta, depth, ply, points.first().unwrap_or_default()),
                _ => self.expand::<PV>(node(alpha, beta), Among::Parries(points), None),
            };
        }
        let key = table_key(&self.board, side);
        let entry = self.table.probe(key, key);
        if let Some(entry) = entry.filter(|entry| !PV && entry.depth >= depth) {
            let value = to_root(entry.value, ply as i32);
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if cuts {
                return value;
            }
        }
        let danger = match self.threats_of_both(side, depth, ply) {
            Stage::Done(value) => {
                self.store(
                    key,
                    value,
                    200,
                    Bound::Exact,
                    self.lines[ply].first().copied(),
                    ply,
                );
                return value;
            }
            Stage::Search(danger) => danger,
        };
        if depth <= 0 && (danger.is_none() || depth <= LAST_DEPTH) {
            return self.weights.evaluate(&self.board, side);
        }
        let among = match danger {
            Some(parries) => Among::Parries(parries),
            None if PV => Among::All(0),
            None => {
                let estimate = self.weights.evaluate(&self.board, side);
                if let Some(value) = self.prune(estimate, side, alpha, beta, depth, ply) {
                    return value;
                }
                Among::All(estimate)
            }
        };
        let best = entry
            .and_then(|entry| entry.best)
            .filter(|&best| self.board.is_empty(best));
        self.expand::<PV>(node(alpha, beta), among, best)
    }

    /// Returns the points where `side` can stop the five that the other side threatens.
    fn answers_to_four(&self, side: Color) -> PointSet {
        let fives = *self.board.points_of(!side, Class::Five);
        if fives.len() > 1 && self.board.rule() != Rule::Caro {
            return PointSet::EMPTY;
        }
        let points = parries(&self.board, !side);
        points
            .iter()
            .filter(|&point| is_allowed(&self.board, point, side))
            .collect()
    }

    /// Plays the only move; it costs no depth unless the line is already very long.
    fn forced<const PV: bool>(
        &mut self,
        side: Color,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        mv: Point,
    ) -> i32 {
        let cost = i32::from(ply as i32 > 2 * self.root_depth + 8);
        self.board.place(mv, side);
        let value = -self.node::<PV>(!side, -beta, -alpha, depth - cost, ply + 1);
        self.board.unplace();
        self.set_line(ply, mv);
        value
    }

    /// Looks for wins by fours of the side to move, then of the other side.
    fn threats_of_both(&mut self, side: Color, depth: i32, ply: usize) -> Stage {
        let other = !side;
        let sure = self.board.rule() != Rule::Caro;
        if sure && let Some(four) = self.board.points_of(side, Class::OpenFour).first() {
            self.lines[ply].push(four);
            return Stage::Done(MATE - (ply as i32 + 3));
        }
        let nodes = if depth > 0 {
            self.vcf_nodes
        } else {
            self.vcf_nodes / 4
        };
        if has_four_move(&self.board, side)
            && self
                .threats
                .has_vcf_within(&mut self.board, side, nodes, &mut self.budget)
                == Finding::Win
        {
            let line = self.threats.found_line();
            let value = MATE - (ply + line.len() + 2) as i32;
            self.lines[ply].extend(line);
            return Stage::Done(value);
        }
        let open_four = *self.board.points_of(other, Class::OpenFour);
        let line = match open_four.first() {
            Some(four) if sure => vec![four],
            _ if depth <= 0 || !has_four_move(&self.board, other) => return Stage::Search(None),
            _ => {
                let found = self
                    .threats
                    .has_vcf_within(&mut self.board, other, nodes, &mut self.budget);
                if found != Finding::Win {
                    return Stage::Search(None);
                }
                self.threats.found_line()
            }
        };
        let parries = defenses(&mut self.board, other, &line);
        let parries: PointSet = parries
            .iter()
            .filter(|&point| is_allowed(&self.board, point, side))
            .collect();
        if parries.is_empty() {
            return Stage::Done((ply + line.len() + 3) as i32 - MATE);
        }
        Stage::Search(Some(parries))
    }

    /// Null move, and cuts by the evaluation far outside the window.
    fn prune(
        &mut self,
        value: i32,
        side: Color,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        if beta.abs() >= MATE_BOUND || alpha.abs() >= MATE_BOUND {
            return None;
        }
        if depth <= REVERSE_FUTILITY_DEPTH && value - REVERSE_FUTILITY_MARGIN * depth >= beta {
            return Some(value);
        }
        if depth <= RAZOR_DEPTH && value + razor_margin(depth) <= alpha {
            return Some(value);
        }
        // No position is better with the other side to move: an extra stone never harms (Renju's exceptions aside).
        if depth >= NULL_MOVE_DEPTH && value >= beta {
            let value = -self.node::<false>(!side, -beta, 1 - beta, null_move_depth(depth), ply + 1);
            if value >= beta && !self.budget.is_exhausted() {
                return Some(value.min(EVAL_BOUND));
            }
        }
        None
    }

    /// Sets the line of `ply` to `mv` and the line below.
    pub(super) fn set_line(&mut self, ply: usize, mv: Point) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }

    pub(super) fn store(
        &mut self,
        key: u64,
        value: i32,
        depth: i32,
        bound: Bound,
        best: Option<Point>,
        ply: usize,
    ) {
        if self.budget.is_exhausted() {
            return;
        }
        let (value, search) = (to_node(value, ply as i32), self.search);
        self.table.update(key, key, |old: Option<Entry>| Entry {
            key,
            best: best.or_else(|| old.and_then(|old| old.best)),
            value,
            depth,
            bound,
            search,
        });
    }
}
