//! One node of the main search, in stages.

use super::worker::{MAX_PLY, Worker, table_key};
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
                _ => self.moves::<PV>(side, (alpha, beta), depth.max(1), ply, Some(points), None),
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
        if depth <= 0 && (danger.is_none() || depth <= -4) {
            return self.weights.evaluate(&self.board, side);
        }
        if !PV
            && danger.is_none()
            && let Some(value) = self.prune(side, alpha, beta, depth, ply)
        {
            return value;
        }
        let best = entry
            .and_then(|entry| entry.best)
            .filter(|&best| self.board.is_empty(best));
        self.moves::<PV>(side, (alpha, beta), depth.max(1), ply, danger, best)
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
    fn prune(&mut self, side: Color, alpha: i32, beta: i32, depth: i32, ply: usize) -> Option<i32> {
        if beta.abs() >= MATE_BOUND || alpha.abs() >= MATE_BOUND {
            return None;
        }
        let value = self.weights.evaluate(&self.board, side);
        if depth <= 5 && value - 90 * depth >= beta {
            return Some(value);
        }
        if depth <= 2 && value + 250 + 200 * depth <= alpha {
            return Some(value);
        }
        // No position is better with the other side to move: an extra stone never harms (Renju's exceptions aside).
        if depth >= 3 && value >= beta {
            let reduced = depth - 3 - depth / 4;
            let value = -self.node::<false>(!side, -beta, 1 - beta, reduced, ply + 1);
            if value >= beta && !self.budget.is_exhausted() {
                return Some(value.min(EVAL_BOUND));
            }
        }
        None
    }

    /// Searches the moves: those of `danger` if the other side threatens to win, else the candidates.
    fn moves<const PV: bool>(
        &mut self,
        side: Color,
        (mut alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        danger: Option<PointSet>,
        first: Option<Point>,
    ) -> i32 {
        let key = table_key(&self.board, side);
        let points = danger.unwrap_or_else(|| self.neighborhood());
        let mut candidates = self.candidates(&points, side, ply, first);
        let mut complete = danger.is_some() && candidates.len() < super::moves::MAX_CANDIDATES;
        let estimate = if danger.is_none() {
            self.weights.evaluate(&self.board, side)
        } else {
            0
        };
        let start = alpha;
        let (mut best_value, mut best) = (-MATE, None);
        let mut quiets: [Point; 32] = [Point::default(); 32];
        let mut n_quiets = 0;
        let mut n_searched = 0;
        while let Some(mv) = candidates.next() {
            let own = self.board.class(mv, side);
            let other = self.board.class(mv, !side);
            let quiet = own < Class::OpenThree && other < Class::OpenThree;
            if !PV && quiet && danger.is_none() && best_value > -MATE_BOUND && n_searched > 0 {
                let late = n_searched >= 4 + depth * depth;
                let hopeless = depth <= 3 && estimate + 100 + 130 * depth <= alpha;
                if late || hopeless {
                    complete = false;
                    continue;
                }
            }
            let mut reduction = 0;
            if depth >= 3 && n_searched >= 2 && own < Class::Four {
                reduction = reduction_for(depth, n_searched);
                reduction -= i32::from(PV) + i32::from(!quiet) + i32::from(danger.is_some());
                reduction = reduction.clamp(0, depth - 2);
            }
            self.board.place(mv, side);
            let below = depth - 1;
            let mut value;
            if n_searched == 0 {
                value = -self.node::<PV>(!side, -beta, -alpha, below, ply + 1);
            } else {
                value = -self.node::<false>(!side, -alpha - 1, -alpha, below - reduction, ply + 1);
                if value > alpha && reduction > 0 {
                    value = -self.node::<false>(!side, -alpha - 1, -alpha, below, ply + 1);
                }
                if PV && value > alpha && value < beta {
                    value = -self.node::<PV>(!side, -beta, -alpha, below, ply + 1);
                }
            }
            self.board.unplace();
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
                if alpha >= beta {
                    self.reward(mv, side, depth, ply);
                    for &quiet in &quiets[..n_quiets] {
                        self.punish(quiet, side, depth);
                    }
                    break;
                }
            }
            if quiet && n_quiets < quiets.len() {
                quiets[n_quiets] = mv;
                n_quiets += 1;
            }
        }
        if n_searched == 0 {
            // Renju: every candidate is forbidden, or nothing is near. Nothing is proven.
            return self.weights.evaluate(&self.board, side);
        }
        if best_value <= -MATE_BOUND && !complete {
            best_value = -EVAL_BOUND;
        }
        let bound = if best_value >= beta {
            Bound::Lower
        } else if best_value > start {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(key, best_value, depth, bound, best, ply);
        best_value
    }

    /// Sets the line of `ply` to `mv` and the line below.
    fn set_line(&mut self, ply: usize, mv: Point) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }

    fn store(&mut self, key: u64, value: i32, depth: i32, bound: Bound, best: Option<Point>, ply: usize) {
        if self.budget.is_exhausted() {
            return;
        }
        let value = to_node(value, ply as i32);
        self.table.update(key, key, |old: Option<Entry>| Entry {
            key,
            best: best.or_else(|| old.and_then(|old| old.best)),
            value,
            depth,
            bound,
        });
    }
}

/// Plies by which the `n`-th move at `depth` is searched less deep.
fn reduction_for(depth: i32, n: i32) -> i32 {
    let ln = |x: i32| f64::from(x).ln();
    (0.4 + ln(depth) * ln(n + 1) / 1.9) as i32
}
