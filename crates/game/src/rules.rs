//! The two traits that join games to searches: [`GameState`] (rules) and [`Evaluate`] (judgment).

use std::{fmt, hash::Hash, ops::Not};

/// One of the two players, named by who moves first at the start of a game.
///
/// Othello calls them black and white, Gomoku too; a game tree on paper calls them maximizer and minimizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// The player who makes the first move of the game.
    First,
    /// The other player.
    Second,
}

impl Not for Player {
    type Output = Self;

    /// Returns the other player.
    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// How a finished game ended, from the side of the player to move in the final position.
///
/// The margin carries its own unit per game: discs in Othello, 1 / 0 / −1 in Gomoku.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    /// Positive if the player to move has won, 0 for a draw, negative if that player has lost.
    pub margin: i32,
}

impl Not for Outcome {
    type Output = Self;

    /// Returns the same outcome from the other player's side.
    fn not(self) -> Self {
        Self { margin: -self.margin }
    }
}

/// A state of a two-player, perfect-information, zero-sum game, with the moves that lead on from it.
///
/// A pass, where the game has one, is an explicit move.
/// Every implementation must satisfy the laws of [`crate::conformance`].
pub trait GameState: Clone + PartialEq + fmt::Debug {
    /// A move, pass included; ordered so that lists of moves and tie-breaks are reproducible.
    type Move: Copy + Ord + Hash + fmt::Debug + fmt::Display;
    /// What [`GameState::undo`] needs beside the move to restore the state before it.
    type Undo;
    /// A symmetry of the board.
    type Symmetry: Copy + PartialEq + fmt::Debug;

    /// Returns the player to move.
    fn player(&self) -> Player;

    /// Appends every legal move to `moves`, in a fixed order; appends nothing if and only if the game is over.
    fn collect_legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Returns every legal move, in a fixed order; empty if and only if the game is over.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.collect_legal_moves(&mut moves);
        moves
    }

    /// Returns every move that can be written down for this game, legal here or not.
    ///
    /// Only the conformance suite needs it: it checks [`GameState::is_legal`] against [`GameState::collect_legal_moves`].
    fn all_moves(&self) -> Vec<Self::Move>;

    /// Returns whether `mv` may be played here.
    fn is_legal(&self, mv: Self::Move) -> bool;

    /// Returns whether `mv` is a pass, which costs a search no depth.
    fn is_pass(&self, mv: Self::Move) -> bool;

    /// Plays `mv`, which must be legal.
    ///
    /// # Panics
    ///
    /// May panic or leave a meaningless (but memory-safe) state if `mv` is not legal.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back `mv`, the last move played, with what [`GameState::play`] returned for it.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);

    /// Returns the outcome if the game is over, from the side of the player to move, and `None` if it is not.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns a 64-bit key of the state, player to move included, kept up to date move by move.
    fn key(&self) -> u64;

    /// Returns the same key as [`GameState::key`], computed from nothing but the state: its oracle.
    fn recomputed_key(&self) -> u64;

    /// Returns every symmetry that preserves the rules, the identity included.
    fn symmetries(&self) -> Vec<Self::Symmetry>;

    /// Returns the symmetry that takes back what `symmetry` does.
    fn inverse(&self, symmetry: Self::Symmetry) -> Self::Symmetry;

    /// Returns the image of this state under `symmetry`.
    #[must_use]
    fn transformed(&self, symmetry: Self::Symmetry) -> Self;

    /// Returns the image of `mv` under `symmetry`; a pass is its own image.
    fn transform_move(&self, mv: Self::Move, symmetry: Self::Symmetry) -> Self::Move;

    /// Returns the one representative shared by all images of this state, and a symmetry that leads to it from here.
    #[must_use]
    fn canonical(&self) -> (Self, Self::Symmetry);
}

/// Judges a state that is not over, for searches that stop before the end.
pub trait Evaluate<G: GameState> {
    /// Returns the estimated value of `game` for the player to move, in the evaluator's own unit.
    fn evaluate(&self, game: &G) -> i32;

    /// Returns the value of a finished game in the same unit, for the player to move.
    ///
    /// The default is the margin itself; an evaluator with a finer unit scales it.
    fn outcome_value(&self, outcome: Outcome) -> i32 {
        outcome.margin
    }
}

impl<G: GameState, E: Evaluate<G> + ?Sized> Evaluate<G> for &E {
    fn evaluate(&self, game: &G) -> i32 {
        (**self).evaluate(game)
    }

    fn outcome_value(&self, outcome: Outcome) -> i32 {
        (**self).outcome_value(outcome)
    }
}
