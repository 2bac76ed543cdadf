//! What an evaluation costs inside a search: the same tree walked with several evaluators.

use outflank_eval::{
    Evaluator, Patterns, Score,
    patterns::{PatternState, naive::Naive},
};
use outflank_othello::{Bitboard, Board, Square};

/// Walks all games of `depth` discs from `board` and evaluates the positions at the end.
///
/// Returns their number and the sum of their values, which keeps the compiler from leaving the work out.
pub fn walk<E: Evaluator>(evaluator: &E, board: Board, depth: u32) -> (u64, i64) {
    visit(evaluator, board, &evaluator.state(board), depth)
}

fn visit<E: Evaluator>(evaluator: &E, board: Board, state: &E::State, depth: u32) -> (u64, i64) {
    if depth == 0 {
        return (1, i64::from(evaluator.evaluate(board, state).units()));
    }
    let (mut leaves, mut sum) = (0, 0);
    for square in board.legal_moves() {
        let flips = board.flips(square);
        let next = evaluator.after_move(state, board, square, flips);
        let below = visit(evaluator, board.play_unchecked(square, flips), &next, depth - 1);
        leaves += below.0;
        sum -= below.1;
    }
    (leaves, sum)
}

/// Evaluates nothing: what a walk costs without an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Evaluator for Nothing {
    type State = ();

    fn state(&self, _board: Board) {}

    fn after_move(&self, (): &(), _board: Board, _square: Square, _flips: Bitboard) {}

    fn after_pass(&self, (): &()) {}

    fn evaluate(&self, board: Board, (): &()) -> Score {
        Score::estimate(board.player().bits() as i32 & 127)
    }

    fn ordering_score(&self, board: Board) -> Score {
        self.evaluate(board, &())
    }

    fn fingerprint(&self) -> u64 {
        0
    }
}

/// The pattern evaluation through another way to its indices.
#[derive(Debug)]
pub enum Way<'a> {
    /// Indices recomputed from the board at each leaf.
    Recomputed(&'a Patterns),
    /// An array of 64 cells, cell by cell.
    Array(&'a Naive),
    /// The light evaluation of the solver.
    Light(&'a Patterns),
}

impl Evaluator for Way<'_> {
    type State = ();

    fn state(&self, _board: Board) {}

    fn after_move(&self, (): &(), _board: Board, _square: Square, _flips: Bitboard) {}

    fn after_pass(&self, (): &()) {}

    #[inline]
    fn evaluate(&self, board: Board, (): &()) -> Score {
        match self {
            Self::Recomputed(patterns) => patterns.evaluate(board, &PatternState::of(board)),
            Self::Array(naive) => naive.evaluate(board),
            Self::Light(patterns) => patterns.ordering_score(board),
        }
    }

    fn ordering_score(&self, board: Board) -> Score {
        self.evaluate(board, &())
    }

    fn fingerprint(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::random_board;

    #[test]
    fn all_ways_agree() {
        let patterns = Patterns::embedded();
        let naive = Naive::new(Patterns::embedded_weights());
        for seed in 0..4 {
            let board = random_board(seed, 30);
            let expected = walk(&patterns, board, 3);
            assert_eq!(walk(&Way::Recomputed(&patterns), board, 3), expected);
            assert_eq!(walk(&Way::Array(&naive), board, 3), expected);
            assert_eq!(walk(&Nothing, board, 3).0, expected.0);
        }
    }
}
