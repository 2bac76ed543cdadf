//! What a match needs of a player.

use crate::history::History;
use outflank_game::GameState;
use outflank_protocol::{TimeControl, TurnClock};
use outflank_search::StopToken;
use std::time::Duration;

/// Someone who can play a game.
///
/// A player lives for many games. It is asked only when it has a choice or at least a stone or disc to place: forced
/// passes are played by the referee, and appear in the game.
pub trait Player<G: GameState>: Send {
    /// Prepares for a game that stands at `history`, after its opening moves.
    ///
    /// Must forget everything that could make the next game depend on earlier ones.
    ///
    /// # Errors
    ///
    /// Returns why the player cannot play; it loses the game and is made anew for the next.
    fn new_game(&mut self, history: &History<G>, setup: &Setup<'_>) -> Result<(), Failure>;

    /// Is called before the clock of each move starts, to put in order what no player should pay for.
    ///
    /// # Errors
    ///
    /// As [`Player::new_game`].
    fn get_ready(&mut self, history: &History<G>) -> Result<(), Failure> {
        let _ = history;
        Ok(())
    }

    /// Returns a move for the side to move.
    ///
    /// # Errors
    ///
    /// As [`Player::new_game`].
    fn choose(&mut self, history: &History<G>, turn: &Turn<'_>) -> Result<Reply<G::Move>, Failure>;

    /// Returns the time this player has, if it is not what the match gives.
    fn own_control(&self) -> Option<TimeControl> {
        None
    }

    /// Returns what the player calls itself, if it does.
    fn own_name(&self) -> Option<String> {
        None
    }
}

/// The circumstances of a game.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The player's time.
    pub control: TimeControl,
    /// Decides whatever the player leaves to chance.
    pub seed: u64,
    /// How long the referee waits until the player is ready.
    pub patience: Duration,
    /// Stopped when the game is not wanted any more.
    pub stop: &'a StopToken,
}

/// The circumstances of a move.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// What the clocks show; its control is that of the player to move.
    pub clock: TurnClock,
    /// How long the referee waits at most; a player that can be interrupted gives up then.
    pub patience: Duration,
    /// The time at which the player should have answered; `None` without a clock.
    pub flag: Option<Duration>,
    /// Stopped when the game is not wanted any more.
    pub stop: &'a StopToken,
}

/// A player's answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<M> {
    /// A move, legal or not.
    Move(Choice<M>),
    /// The game is given up.
    Resign,
}

/// A move and what the player thinks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<M> {
    /// The move as the player wrote it.
    pub text: String,
    /// The move if the text is one, legal or not; `None` for anything else.
    pub mv: Option<M>,
    /// The player's value of the position for itself: discs in Othello, the chance to win in percent in Gomoku.
    pub value: Option<f64>,
    /// What the player says is proven.
    pub claim: Option<Claim>,
    /// Depth of its search, in stones or discs.
    pub depth: Option<u32>,
    /// The positions it entered.
    pub nodes: Option<u64>,
    /// Whether the move comes from an opening book.
    pub is_book: bool,
}

/// A result that a player says is certain, for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// It will not get a draw.
    Loss,
    /// It gets a draw.
    Draw,
    /// It wins.
    Win,
}

impl<M: std::fmt::Display> Choice<M> {
    /// Returns an answer that is a move and nothing else.
    pub fn of(mv: M) -> Self {
        Self {
            text: mv.to_string(),
            mv: Some(mv),
            value: None,
            claim: None,
            depth: None,
            nodes: None,
            is_book: false,
        }
    }
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
    #[error("no answer within {waited:?}{}", words(last_words))]
    NoAnswer {
        /// How long the referee waited.
        waited: Duration,
        /// The last lines of the program's standard error.
        last_words: String,
    },
    /// The program ended.
    #[error("the program ended ({how}){}", words(last_words))]
    Exited {
        /// How, as the system says it.
        how: String,
        /// The last lines of the program's standard error.
        last_words: String,
    },
    /// What the program wrote is no dialogue, or it refused what it must accept.
    #[error("{message}{}", words(last_words))]
    Dialogue {
        /// What is wrong.
        message: String,
        /// The last lines of the program's standard error.
        last_words: String,
    },
    /// The player cannot play this kind of game at all: its rules, its start or its time. That is no loss; the match cannot
    /// be played.
    #[error("{0}")]
    Unsupported(String),
    /// The game is not wanted any more.
    #[error("stopped")]
    Stopped,
    /// The player is part of this program and failed.
    #[error("{0}")]
    Internal(String),
}

impl Failure {
    /// Returns the failure of a part of this program that was asked for a move in a finished game.
    pub fn no_move() -> Self {
        Self::Internal("asked for a move in a finished game".to_owned())
    }
}

fn words(last: &str) -> String {
    if last.is_empty() {
        String::new()
    } else {
        format!("; its last words: {last}")
    }
}
