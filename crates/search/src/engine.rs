//! The trait of everything that can be asked for the best move of a game.

use crate::{Outcome, Progress, Request, StopToken};
use outflank_game::GameState;
use std::fmt::{Debug, Display};

/// A move of the game that an engine plays.
pub type MoveOf<E> = <<E as Engine>::Game as GameState>::Move;
/// What an engine answers.
pub type OutcomeOf<E> = Outcome<MoveOf<E>, <E as Engine>::Value>;
/// What an engine reports while it searches.
pub type ProgressOf<E> = Progress<MoveOf<E>, <E as Engine>::Value>;

/// An engine with its memory, for one search at a time.
///
/// What a search learns stays for the next one, until [`Engine::clear`]: an analysis continues from what it knows when
/// a move is played, and pondering is a search of the expected position that is stopped when the opponent has moved.
pub trait Engine: Send {
    /// The game it plays.
    type Game: GameState<Move: Send + Sync + 'static> + Send + Sync + 'static;
    /// What a position is worth to it, for the side to move; greater is better.
    type Value: Copy + Ord + Debug + Display + Send + Sync + 'static;

    /// Searches the position of `request` and returns the best moves found; reports to `on_progress` on the way.
    ///
    /// Whatever the limits, and however early `stop` is stopped, the outcome has a legal move unless the game is over.
    /// With one thread a limit of nodes is never exceeded, and without a limit of time the same search from the same
    /// memory gives the same outcome.
    fn search(
        &mut self,
        request: &Request<Self::Game>,
        stop: &StopToken,
        on_progress: &mut dyn FnMut(&ProgressOf<Self>),
    ) -> OutcomeOf<Self>;

    /// Forgets everything, so that the next search costs the same nodes as in a new engine.
    fn clear(&mut self);

    /// Begins anew, from `seed`, whatever is left to chance: the same seed, the same choices.
    fn reseed(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Notes the best line of somebody else's search of `position`, so that the next searches try its moves first.
    ///
    /// Only the order of moves is taken over, never a value: what is proven stays proven, whoever talks to the engine.
    /// The line ends at its first illegal move.
    fn suggest(&mut self, position: &Self::Game, line: &[MoveOf<Self>]) {
        let _ = (position, line);
    }
}

impl<E: Engine + ?Sized> Engine for &mut E {
    type Game = E::Game;
    type Value = E::Value;

    fn search(
        &mut self,
        request: &Request<Self::Game>,
        stop: &StopToken,
        on_progress: &mut dyn FnMut(&ProgressOf<Self>),
    ) -> OutcomeOf<Self> {
        (**self).search(request, stop, on_progress)
    }

    fn clear(&mut self) {
        (**self).clear();
    }

    fn reseed(&mut self, seed: u64) {
        (**self).reseed(seed);
    }

    fn suggest(&mut self, position: &Self::Game, line: &[MoveOf<Self>]) {
        (**self).suggest(position, line);
    }
}

impl<E: Engine + ?Sized> Engine for Box<E> {
    type Game = E::Game;
    type Value = E::Value;

    fn search(
        &mut self,
        request: &Request<Self::Game>,
        stop: &StopToken,
        on_progress: &mut dyn FnMut(&ProgressOf<Self>),
    ) -> OutcomeOf<Self> {
        (**self).search(request, stop, on_progress)
    }

    fn clear(&mut self) {
        (**self).clear();
    }

    fn reseed(&mut self, seed: u64) {
        (**self).reseed(seed);
    }

    fn suggest(&mut self, position: &Self::Game, line: &[MoveOf<Self>]) {
        (**self).suggest(position, line);
    }
}
