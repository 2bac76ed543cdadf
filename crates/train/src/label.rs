//! What a position is worth: exact near the end, the value of a full-width search of fixed depth before.
//!
//! The value of a full-width search does not depend on move order, tables or machine, so labels can be made anywhere
//! (on a graphics card too, see `tools/gpu`) and checked here, bit for bit.

use crate::sample::{Sample, Source};
use outflank_eval::{Evaluator, Score};
use outflank_othello::{Bitboard, Board, Color, Position, Square};
use outflank_othello_engine::{Engine, EngineConfig, Request, SolverGoal, tuning::ProbCutTable};
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

/// Entries of the table: a power of two.
const TABLE: usize = 1 << 15;
/// Bytes of the engine's tables: enough for 18 empties, and soon cleared.
const ENGINE_TABLE: usize = 1 << 23;
/// Remaining depth (or empties, when solving) from which the table is used and moves are sorted.
const SORT_DEPTH: u32 = 2;
const TABLE_DEPTH: u32 = 3;
/// Beyond every value.
const INFINITY: i32 = 1 << 20;

#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    lower: i32,
    upper: i32,
    search: u32,
}

/// Labels positions; keeps its table from one to the next only to save the allocation.
pub struct Labeler<E: Evaluator + 'static> {
    evaluator: E,
    config: LabelConfig,
    table: Vec<Entry>,
    search: u32,
    nodes: u64,
    engine: Engine<E>,
}

impl<E: Evaluator + 'static> std::fmt::Debug for Labeler<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Labeler({:?}, {} nodes)", self.config, self.nodes)
    }
}

/// A move with what the search needs of it.
struct Child<S> {
    board: Board,
    state: S,
    /// Sorts moves, the best first.
    score: i32,
}

impl<E: Evaluator + Clone + 'static> Labeler<E> {
    /// Returns a labeler.
    pub fn new(evaluator: E, config: LabelConfig) -> Self {
        let empty = Entry {
            board: Board::new_unchecked(Bitboard::EMPTY, Bitboard::EMPTY),
            lower: 0,
            upper: 0,
            search: 0,
        };
        let options = EngineConfig {
            table_bytes: ENGINE_TABLE,
            ..EngineConfig::default()
        };
        let engine = Engine::judging_by(
            Arc::new(evaluator.clone()),
            Arc::new(ProbCutTable::embedded()),
            options,
            Arc::new(ManualClock::default()),
        );
        Self {
            engine: engine.expect("8 MB and no thread"),
            evaluator,
            config,
            table: vec![empty; TABLE],
            search: 0,
            nodes: 0,
        }
    }

    /// Returns the evaluator at the leaves.
    pub const fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Returns the positions entered so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
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

    /// Returns the value of a full-width search of `depth` placed discs, exact if that reaches the end.
    pub fn search(&mut self, board: Board, depth: u32) -> Score {
        self.search += 1;
        let depth = depth.min(board.empties().count());
        let state = self.evaluator.state(board);
        Score::saturating(self.visit(board, &state, depth, -INFINITY, INFINITY, false))
    }

    /// Fail-soft alpha-beta with zero windows; passes cost no depth.
    fn visit(
        &mut self,
        board: Board,
        state: &E::State,
        depth: u32,
        alpha: i32,
        beta: i32,
        passed: bool,
    ) -> i32 {
        self.nodes += 1;
        let moves = board.legal_moves();
        if moves.is_empty() {
            if passed || board.passed().legal_moves().is_empty() {
                return Score::from_discs(board.final_discs()).units();
            }
            let state = self.evaluator.after_pass(state);
            return -self.visit(board.passed(), &state, depth, -beta, -alpha, true);
        }
        if depth == 0 {
            return self.evaluator.evaluate_within(board, state, alpha, beta).units();
        }
        let slot = (board.player().bits().wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ board.opponent().bits().wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
            >> 49;
        let (mut lower, mut upper) = (-INFINITY, INFINITY);
        if depth >= TABLE_DEPTH {
            let entry = self.table[slot as usize];
            if entry.search == self.search && entry.board == board {
                (lower, upper) = (entry.lower, entry.upper);
                if lower >= beta || lower == upper {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
            }
        }
        let children = self.children(board, state, moves, depth);
        let mut best = -INFINITY;
        let mut low = alpha;
        for (number, child) in children.iter().enumerate() {
            let mut value;
            if number == 0 {
                value = -self.visit(child.board, &child.state, depth - 1, -beta, -low, false);
            } else {
                value = -self.visit(child.board, &child.state, depth - 1, -low - 1, -low, false);
                if value > low && value < beta {
                    value = -self.visit(child.board, &child.state, depth - 1, -beta, -value, false);
                }
            }
            best = best.max(value);
            low = low.max(value);
            if low >= beta {
                break;
            }
        }
        if depth >= TABLE_DEPTH {
            if best > alpha {
                lower = lower.max(best);
            }
            if best < beta {
                upper = upper.min(best);
            }
            self.table[slot as usize] = Entry {
                board,
                lower,
                upper,
                search: self.search,
            };
        }
        best
    }

    /// Returns the positions after each move, the most promising first.
    fn children(&self, board: Board, state: &E::State, moves: Bitboard, depth: u32) -> Vec<Child<E::State>> {
        let empties = board.empties().count();
        let to_the_end = depth >= empties;
        let mut children: Vec<_> = moves
            .into_iter()
            .map(|square: Square| {
                let flips = board.flips(square);
                let next = board.play_unchecked(square, flips);
                let state = self.evaluator.after_move(state, board, square, flips);
                let score = if depth < SORT_DEPTH || to_the_end && depth < 5 {
                    0
                } else if to_the_end && depth < 10 {
                    // Few answers first, corners before other squares.
                    let corner = i32::from(Bitboard::CORNERS.contains(square));
                    -8 * next.mobility() as i32 + 5 * corner
                } else {
                    -self.evaluator.rough(next, &state).units()
                        - if to_the_end {
                            160 * next.mobility() as i32
                        } else {
                            0
                        }
                };
                Child {
                    board: next,
                    state,
                    score,
                }
            })
            .collect();
        children.sort_by_key(|child| -child.score);
        children
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
