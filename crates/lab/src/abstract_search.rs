//! Alpha-beta with source document A's pruning rule: a branch is cut where its abstract state says enough.
//!
//! ```text
//! at a node at least min_depth from the leaves, whose abstract state occurred often enough:
//!     mean - width * spread >= beta   -> return that (the mover is far too well off)
//!     mean + width * spread <= alpha  -> return that
//! ```
//! The value is then no longer minimax's: what the rule saves and how often it is wrong are measured, and it is
//! off unless asked for.

use crate::abstract_states::{AbstractEvaluation, AbstractState, Statistics};
use outflank_game::{Evaluate, GameState as _, Outcome};
use outflank_othello::{Move, Position};
use outflank_textbook::{Counters, INFINITE};

/// When a branch is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PruningRule {
    /// Standard deviations between the mean and the window.
    pub width: f64,
    /// Positions that the abstract state must have had.
    pub min_count: u64,
    /// Least depth of a node that may be cut, in placed discs; nodes nearer the leaves are cheap anyway.
    pub min_depth: u32,
}

impl Default for PruningRule {
    /// Half a spread, 30 positions, depth 2.
    fn default() -> Self {
        Self {
            width: 0.5,
            min_count: 30,
            min_depth: 2,
        }
    }
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Value for the player to move, in 1/100 disc.
    pub value: i32,
    /// The best move.
    pub best: Option<Move>,
    /// What it cost.
    pub counters: Counters,
    /// Branches cut by the rule.
    pub pruned: u64,
}

/// Searches with the evaluation by `statistics`; with `rule` it prunes by them too.
#[derive(Debug)]
pub struct AbstractSearch<'a> {
    statistics: &'a Statistics,
    evaluation: AbstractEvaluation,
    rule: Option<PruningRule>,
    counters: Counters,
    pruned: u64,
}

impl<'a> AbstractSearch<'a> {
    /// Returns a search.
    pub fn new(statistics: &'a Statistics, rule: Option<PruningRule>) -> Self {
        Self {
            statistics,
            evaluation: AbstractEvaluation::new(statistics),
            rule,
            counters: Counters::default(),
            pruned: 0,
        }
    }

    /// Searches `position` to `depth` placed discs; the root itself is never cut.
    pub fn search(&mut self, position: &Position, depth: u32) -> Found {
        self.counters = Counters::default();
        self.pruned = 0;
        let (value, best) = self.visit(&mut position.clone(), depth, (-INFINITE, INFINITE), true);
        Found {
            value,
            best,
            counters: self.counters,
            pruned: self.pruned,
        }
    }

    fn visit(
        &mut self,
        position: &mut Position,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        is_root: bool,
    ) -> (i32, Option<Move>) {
        self.counters.nodes += 1;
        if let Some(outcome) = position.outcome() {
            return (outcome_value(outcome), None);
        }
        if depth == 0 {
            self.counters.evaluations += 1;
            return (self.evaluation.value(position.board()), None);
        }
        if !is_root && let Some(value) = self.prune(position, depth, alpha, beta) {
            self.pruned += 1;
            return (value, None);
        }
        let mut best = (-INFINITE, None);
        for mv in position.legal_moves() {
            let below = if mv == Move::Pass { depth } else { depth - 1 };
            let undo = outflank_game::GameState::play(position, mv);
            let value = -self.visit(position, below, (-beta, -alpha), false).0;
            position.undo(mv, undo);
            if value > best.0 {
                best = (value, Some(mv));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.counters.cutoffs += 1;
                break;
            }
        }
        best
    }

    fn prune(&self, position: &Position, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let rule = self.rule.filter(|rule| depth >= rule.min_depth)?;
        let record = self.statistics.record(AbstractState::of(position.board()));
        if record.count < rule.min_count {
            return None;
        }
        let (mean, room) = (100.0 * record.mean(), 100.0 * rule.width * record.spread());
        let (low, high) = ((mean - room) as i32, (mean + room) as i32);
        if low >= beta {
            Some(low)
        } else if high <= alpha {
            Some(high)
        } else {
            None
        }
    }
}

/// Returns the worth of a finished game in the same unit as the estimates, and beyond them.
fn outcome_value(outcome: Outcome) -> i32 {
    use crate::evaluation::Evaluation;
    Evaluation::Phase.outcome_value(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{evaluation::Evaluation, sample::random_positions};
    use outflank_othello::Game;
    use outflank_textbook::{Method, Settings, search};
    use std::sync::Arc;

    #[test]
    fn without_the_rule_it_is_alpha_beta() {
        let mut random = outflank_game::SplitMix64::new(2);
        let mut statistics = Statistics::default();
        for _ in 0..30 {
            let mut game = Game::new();
            while !game.position().is_game_over() {
                let moves = game.position().legal_moves();
                game.play(moves[random.below(moves.len())]).unwrap();
            }
            statistics.add_game(&game);
        }
        let evaluation = Evaluation::Abstract(Arc::new(AbstractEvaluation::new(&statistics)));
        let mut n_pruned = 0;
        for position in random_positions(30, 0..58, 9) {
            let expected = search(&Settings::new(Method::AlphaBeta), &position, &evaluation, 3);
            let found = AbstractSearch::new(&statistics, None).search(&position, 3);
            assert_eq!(
                (found.value, found.best, found.counters.nodes),
                (expected.value, expected.best, expected.counters.nodes)
            );
            let rule = PruningRule {
                width: 0.2,
                min_count: 5,
                min_depth: 1,
            };
            let pruned = AbstractSearch::new(&statistics, Some(rule)).search(&position, 3);
            n_pruned += pruned.pruned;
            assert!(pruned.best.is_some());
        }
        assert!(n_pruned > 0);
    }
}
