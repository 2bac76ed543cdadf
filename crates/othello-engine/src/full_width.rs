//! Full-width search to a fixed depth: slow beside the engine, and the same value everywhere.

use outflank_eval::{Evaluator, Score};
use outflank_othello::{Bitboard, Board, Square};

/// Entries of the table: a power of two.
const TABLE: usize = 1 << 15;
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

/// Searches every move to a fixed depth.
///
/// The value does not depend on the order of moves, on tables or on what was searched before, so it can be repeated
/// anywhere: for labels to learn from, and for players whose choices are to be the same everywhere.
pub struct FullWidth<E: Evaluator> {
    evaluator: E,
    table: Vec<Entry>,
    search: u32,
    nodes: u64,
}

impl<E: Evaluator> std::fmt::Debug for FullWidth<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FullWidth({} nodes)", self.nodes)
    }
}

/// A move with what the search needs of it.
struct Child<S> {
    board: Board,
    state: S,
    /// Sorts moves, the best first.
    score: i32,
}

impl<E: Evaluator> FullWidth<E> {
    /// Returns a search with this evaluator at its leaves.
    pub fn new(evaluator: E) -> Self {
        let empty = Entry {
            board: Board::new_unchecked(Bitboard::EMPTY, Bitboard::EMPTY),
            lower: 0,
            upper: 0,
            search: 0,
        };
        Self {
            evaluator,
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

    /// Returns the value of `board` after a search of `depth` placed discs, exact if that reaches the end.
    pub fn value(&mut self, board: Board, depth: u32) -> Score {
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
