//! What a position is worth: exact near the end, the value of a full-width search of fixed depth before.
//!
//! The value of a full-width search does not depend on move order, tables or machine, so labels can be made anywhere
//! (on a graphics card too, see `tools/gpu`) and checked here, bit for bit.

use crate::{
    sample::{Sample, Source},
    watched::{Draw, Watched},
};
use outflank_eval::{Evaluator, Score};
use outflank_othello::{Board, Color, Position};
use outflank_othello_engine::{
    Engine, EngineConfig, Request, SolverGoal,
    tuning::{FullWidth, ProbCutTable},
};
use outflank_search::{Control, ManualClock, StopToken};
use std::sync::Arc;

/// How positions are labeled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelConfig {
    /// Positions with at most this many empties are solved to the end.
    pub exact_empties: usize,
    /// Placed discs that the search looks ahead elsewhere.
    pub depth: u32,
    /// Whether the label is the mean of a search of `depth` and one of a disc more.
    ///
    /// An evaluation that favors the side to move (or the other) hands that on to one sign at even depths and to the
    /// other at odd ones: the mean of both cancels it.
    pub both_parities: bool,
}

impl Default for LabelConfig {
    fn default() -> Self {
        Self {
            exact_empties: 12,
            depth: 4,
            both_parities: false,
        }
    }
}

/// Labels positions with what this evaluation says to the next stage, four discs ahead.
pub fn to_next_stage<E: Evaluator + Clone + 'static>(evaluator: E, samples: &mut [Sample]) {
    let config = LabelConfig {
        exact_empties: 4,
        depth: 4,
        ..LabelConfig::default()
    };
    let mut labeler = Labeler::new(evaluator, config);
    for sample in samples {
        labeler.label(sample);
    }
}

/// Bytes of the engine's tables: enough for 18 empties, and soon cleared.
const ENGINE_TABLE: usize = 1 << 23;

/// Labels positions; keeps its tables from one to the next only to save the allocation.
pub struct Labeler<E: Evaluator + 'static> {
    config: LabelConfig,
    full_width: FullWidth<E>,
    /// Nodes of the engine.
    nodes: u64,
    engine: Engine<Watched<E>>,
    /// The evaluator of the engine.
    watched: Watched<E>,
}

impl<E: Evaluator + 'static> std::fmt::Debug for Labeler<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Labeler({:?}, {} nodes)",
            self.config,
            self.nodes + self.full_width.nodes()
        )
    }
}

impl<E: Evaluator + Clone + 'static> Labeler<E> {
    /// Returns a labeler.
    pub fn new(evaluator: E, config: LabelConfig) -> Self {
        let options = EngineConfig {
            table_bytes: ENGINE_TABLE,
            ..EngineConfig::default()
        };
        let watched = Watched::new(evaluator.clone());
        let engine = Engine::judging_by(
            Arc::new(watched.clone()),
            Arc::new(ProbCutTable::embedded()),
            options,
            Arc::new(ManualClock::default()),
        );
        Self {
            engine: engine.expect("8 MB and no thread"),
            watched,
            full_width: FullWidth::new(evaluator),
            config,
            nodes: 0,
        }
    }

    /// Returns the evaluator at the leaves.
    pub const fn evaluator(&self) -> &E {
        self.full_width.evaluator()
    }

    /// Returns the positions entered so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes + self.full_width.nodes()
    }

    /// Sets the value of a position and where it comes from.
    pub fn label(&mut self, sample: &mut Sample) {
        if sample.empties() <= self.config.exact_empties {
            sample.value = self.solve(sample.board).units() as i16;
            sample.source = Source::Exact;
        } else {
            let mut units = self.search(sample.board, self.config.depth).units();
            if self.config.both_parities {
                units = (units + self.search(sample.board, self.config.depth + 1).units()).div_euclid(2);
            }
            sample.value = units as i16;
            sample.source = Source::Search;
        }
    }

    /// Returns the exact value of a position.
    pub fn solve(&mut self, board: Board) -> Score {
        let result = self.engine.solve(board, SolverGoal::Exact, &Control::unlimited());
        self.nodes += result.nodes;
        Score::from_discs(result.value)
    }

    /// Returns the end of the best line of a search of `depth` discs, as the player to move there sees it; `None` if
    /// the game ends before.
    ///
    /// It is what the value of such a search stands on.
    pub fn principal_leaf(&mut self, board: Board, depth: u32) -> Option<Board> {
        self.engine.clear();
        // Which color moves is all the same.
        let mut position = Position::new(board, Color::Black);
        let request = Request::new(position).depth(depth);
        let outcome = self.engine.search(&request, &StopToken::new(), &mut |_| {});
        self.nodes += outcome.nodes;
        for &mv in &outcome.best().moves {
            position.play(mv).ok()?;
        }
        let leaf = position.board();
        (leaf.empties().count() + depth == board.empties().count()).then_some(leaf)
    }

    /// Returns the positions that `draw` keeps of those that a search of `depth` discs evaluates close to the bound that it
    /// asks about.
    pub(crate) fn visited(&mut self, board: Board, depth: u32, draw: Draw) -> Vec<Board> {
        self.engine.clear();
        self.watched.watch(draw);
        let request = Request::new(Position::new(board, Color::Black)).depth(depth);
        self.nodes += self.engine.search(&request, &StopToken::new(), &mut |_| {}).nodes;
        self.watched.take()
    }

    /// Returns the value of a full-width search of `depth` placed discs, exact if that reaches the end.
    pub fn search(&mut self, board: Board, depth: u32) -> Score {
        self.full_width.value(board, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::random_board;
    use outflank_eval::HandMade;

    /// Plain negamax: no window, no order, no table.
    fn negamax(board: Board, depth: u32) -> i32 {
        let moves = board.legal_moves();
        if moves.is_empty() {
            if board.is_game_over() {
                return 128 * board.final_discs().get();
            }
            return -negamax(board.passed(), depth);
        }
        if depth == 0 {
            return HandMade.evaluate(board, &()).units();
        }
        moves
            .into_iter()
            .map(|square| -negamax(board.play_unchecked(square, board.flips(square)), depth - 1))
            .max()
            .expect("there are moves")
    }

    #[test]
    fn labels_equal_plain_negamax() {
        let mut labeler = Labeler::new(HandMade, LabelConfig::default());
        for seed in 0..60 {
            let board = random_board(seed, 10 + seed as usize % 40);
            for depth in 0..4 {
                assert_eq!(
                    labeler.search(board, depth).units(),
                    negamax(board, depth),
                    "{board:?}"
                );
            }
        }
        for seed in 0..40 {
            let board = random_board(seed, 7);
            assert_eq!(labeler.solve(board).units(), negamax(board, 64), "{board:?}");
        }
    }
}
