//! What a match needs of a player, and the players of this crate.

mod engine;
mod external;
mod process;
mod registry;
mod simple;
mod words;

pub use engine::EnginePlayer;
pub use external::{External, ExternalPlayer};
pub use registry::{Maker, PlayerSpec, Registry, SpecError};
pub use simple::{Greedy, PlainSearch, RandomMover};

use outflank_othello::{Game, Move, Position};
use outflank_protocol::{Answer, ClientError, TimeControl, TurnClock};
use std::time::Duration;

/// Someone who can play a game.
///
/// A player lives for many games. It is asked only when it has a choice or at least a disc to place: forced passes are
/// played by the referee, and appear in the game.
pub trait Player: Send {
    /// Prepares for a game that stands at `game`, after its opening moves.
    ///
    /// Must forget everything that could make the next game depend on earlier ones; `seed` decides whatever the player
    /// leaves to chance.
    ///
    /// # Errors
    ///
    /// Returns why the player cannot play; it loses the game and is made anew for the next.
    fn new_game(&mut self, game: &Game, control: &TimeControl, seed: u64) -> Result<(), Failure>;

    /// Returns a move for the side to move.
    ///
    /// `patience` is how long the referee waits at most; a player that can be interrupted gives up then.
    ///
    /// # Errors
    ///
    /// As [`Player::new_game`].
    fn choose(
        &mut self,
        game: &Game,
        clock: &TurnClock,
        patience: Option<Duration>,
    ) -> Result<Reply, Failure>;

    /// Returns what the player calls itself, if it does.
    fn own_name(&self) -> Option<String> {
        None
    }
}

/// A player's answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// A move, legal or not.
    Move(Answer),
    /// The game is given up.
    Resign,
}

/// Why a player cannot go on with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The program could not be started.
    #[error("cannot start {command:?}: {message}")]
    Start {
        /// The command.
        command: String,
        /// The system's reason.
        message: String,
    },
    /// No answer came within the referee's patience.
    #[error("no answer within {0:?}")]
    NoAnswer(Duration),
    /// The program ended.
    #[error("the program ended ({0})")]
    Exited(String),
    /// What the program wrote is no dialogue.
    #[error(transparent)]
    Dialogue(#[from] ClientError),
    /// The player is part of this program and failed.
    #[error("{0}")]
    Internal(String),
}

/// Returns the value in discs of a position for the side to move, from a plain search with the hand-made evaluator.
pub(crate) fn simple_value(position: &Position, depth: u32) -> f64 {
    simple::plain_search(position, depth).1
}

/// Returns an answer that consists of a move and what the player thinks of it.
pub(crate) fn answer(mv: Move, value: Option<f64>, depth: Option<u32>, nodes: Option<u64>) -> Answer {
    Answer {
        text: mv.to_string(),
        mv: Some(mv),
        value,
        depth,
        nodes,
    }
}
