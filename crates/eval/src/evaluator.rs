//! The interface between searches and evaluators.

use crate::Score;
use outflank_othello::{Bitboard, Board, Square};
use std::sync::Arc;

/// Judges Othello boards from the side of the player to move.
///
/// A search keeps one `State` per ply: [`Evaluator::state`] makes it from a board, [`Evaluator::after_move`] and
/// [`Evaluator::after_pass`] derive the next ply's. An evaluator that needs no state uses `()`.
/// Integer arithmetic only, so that a search gives the same nodes on every CPU.
pub trait Evaluator: Send + Sync {
    /// What the evaluator keeps per ply.
    type State: Clone + Send;

    /// Returns the state of `board`, computed from nothing but the board.
    fn state(&self, board: Board) -> Self::State;

    /// Returns the state after the player to move on `board` places a disc on `square` that flips `flips`.
    fn after_move(&self, state: &Self::State, board: Board, square: Square, flips: Bitboard) -> Self::State;

    /// Returns the state after a pass.
    fn after_pass(&self, state: &Self::State) -> Self::State;

    /// Returns the estimate for the player to move; `state` must belong to `board`.
    ///
    /// Within ±63 discs ([`Score::MAX_ESTIMATE`]): only the rules prove a wipe-out.
    fn evaluate(&self, board: Board, state: &Self::State) -> Score;

    /// Returns a cheaper estimate than [`Evaluator::evaluate`] where there is one; `state` must belong to `board`.
    ///
    /// Searches sort moves with it.
    #[inline]
    fn rough(&self, board: Board, state: &Self::State) -> Score {
        self.evaluate(board, state)
    }

    /// Returns the estimate if it lies between `alpha` and `beta` (units of 1/128 disc), else a bound on it: a number
    /// from `beta` up that it reaches, or a number up to `alpha` that it does not exceed.
    ///
    /// An evaluator that knows early on which side of the window its estimate lies need not finish it.
    #[inline]
    fn evaluate_within(&self, board: Board, state: &Self::State, _alpha: i32, _beta: i32) -> Score {
        self.evaluate(board, state)
    }

    /// Returns a cheap estimate for the player to move, good enough to sort moves in the endgame solver.
    fn ordering_score(&self, board: Board) -> Score;

    /// Returns a number that differs between evaluators whose scores differ, so that tables filled under one are
    /// not read under another.
    fn fingerprint(&self) -> u64;
}

/// A shared evaluator is an evaluator.
impl<E: Evaluator> Evaluator for Arc<E> {
    type State = E::State;

    fn state(&self, board: Board) -> Self::State {
        (**self).state(board)
    }

    #[inline(always)]
    fn after_move(&self, state: &Self::State, board: Board, square: Square, flips: Bitboard) -> Self::State {
        (**self).after_move(state, board, square, flips)
    }

    #[inline(always)]
    fn after_pass(&self, state: &Self::State) -> Self::State {
        (**self).after_pass(state)
    }

    #[inline(always)]
    fn evaluate(&self, board: Board, state: &Self::State) -> Score {
        (**self).evaluate(board, state)
    }

    #[inline(always)]
    fn rough(&self, board: Board, state: &Self::State) -> Score {
        (**self).rough(board, state)
    }

    #[inline(always)]
    fn evaluate_within(&self, board: Board, state: &Self::State, alpha: i32, beta: i32) -> Score {
        (**self).evaluate_within(board, state, alpha, beta)
    }

    #[inline(always)]
    fn ordering_score(&self, board: Board) -> Score {
        (**self).ordering_score(board)
    }

    fn fingerprint(&self) -> u64 {
        (**self).fingerprint()
    }
}

/// A borrowed evaluator is an evaluator.
impl<E: Evaluator> Evaluator for &E {
    type State = E::State;

    fn state(&self, board: Board) -> Self::State {
        (**self).state(board)
    }

    #[inline(always)]
    fn after_move(&self, state: &Self::State, board: Board, square: Square, flips: Bitboard) -> Self::State {
        (**self).after_move(state, board, square, flips)
    }

    #[inline(always)]
    fn after_pass(&self, state: &Self::State) -> Self::State {
        (**self).after_pass(state)
    }

    #[inline(always)]
    fn evaluate(&self, board: Board, state: &Self::State) -> Score {
        (**self).evaluate(board, state)
    }

    #[inline(always)]
    fn rough(&self, board: Board, state: &Self::State) -> Score {
        (**self).rough(board, state)
    }

    #[inline(always)]
    fn evaluate_within(&self, board: Board, state: &Self::State, alpha: i32, beta: i32) -> Score {
        (**self).evaluate_within(board, state, alpha, beta)
    }

    #[inline(always)]
    fn ordering_score(&self, board: Board) -> Score {
        (**self).ordering_score(board)
    }

    fn fingerprint(&self) -> u64 {
        (**self).fingerprint()
    }
}
