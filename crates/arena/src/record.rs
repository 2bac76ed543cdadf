//! A played game, as it is kept: one line of JSON, from which the formats of other programs are made.

use crate::player::Claim;
use outflank_game::Player as Side;
use serde::{Deserialize, Serialize};

/// One move of a played game, with what the player said about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedMove {
    /// The move as the game writes it: `f5`, `pass`.
    #[serde(rename = "move")]
    pub mv: String,
    /// The player's value for itself: discs in Othello, the chance to win in percent in Gomoku.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Depth of the player's search, in discs or stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions that the player's search entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time taken in seconds, on the referee's clock; absent in the opening and for forced passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Whether the player took the move from an opening book.
    #[serde(default, skip_serializing_if = "is_default")]
    pub book: bool,
}

/// How long a player thought, on the referee's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thinking {
    /// Moves that were asked for.
    pub moves: u64,
    /// Seconds of all of them.
    pub seconds: f64,
    /// Seconds of the longest.
    pub longest: f64,
    /// Moves that came from an opening book.
    #[serde(default, skip_serializing_if = "is_default")]
    pub book: u64,
}

impl Thinking {
    /// Counts a move.
    pub(crate) fn add(&mut self, seconds: f64) {
        self.moves += 1;
        self.seconds = microseconds(self.seconds + seconds);
        self.longest = self.longest.max(seconds);
    }

    /// Counts the moves of a game.
    pub(crate) fn join(&mut self, other: &Self) {
        self.moves += other.moves;
        self.seconds = microseconds(self.seconds + other.seconds);
        self.longest = self.longest.max(other.longest);
        self.book += other.book;
    }

    /// Returns the mean seconds of a move; 0 if there was none.
    pub fn mean(&self) -> f64 {
        self.seconds / self.moves.max(1) as f64
    }
}

/// Rounds seconds to what the clock can tell.
pub(crate) fn microseconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By the rules of the game.
    Board,
    /// The referee knew the exact result of the position.
    Adjudicated,
    /// A player gave up.
    Resigned,
    /// A move came after the flag had fallen.
    Time,
    /// No answer came at all within the referee's patience.
    NoAnswer,
    /// A player made three illegal moves.
    Illegal,
    /// A program ended in the middle of the game.
    Exited,
    /// A program wrote nonsense or refused what it must accept.
    Dialogue,
    /// A program could not be started.
    NotStarted,
}

impl End {
    /// Returns whether the game was lost away from the board.
    pub const fn is_forfeit(self) -> bool {
        !matches!(self, Self::Board | Self::Adjudicated | Self::Resigned)
    }

    /// Returns the name that stands in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Adjudicated => "adjudicated",
            Self::Resigned => "resigned",
            Self::Time => "time",
            Self::NoAnswer => "no-answer",
            Self::Illegal => "illegal",
            Self::Exited => "exited",
            Self::Dialogue => "dialogue",
            Self::NotStarted => "not-started",
        }
    }
}

/// A finished game of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Number of the game in the match, from 0.
    pub game: usize,
    /// Number of the opening, from 0; the games of a pair share it.
    pub opening: usize,
    /// The rules: `othello`, or `gomoku`, the rule set and the edge of the board.
    pub rules: String,
    /// Name of the player with black.
    pub black: String,
    /// Name of the player with white.
    pub white: String,
    /// Numbers of both players in the match, black first.
    pub players: [usize; 2],
    /// Black's margin: discs in Othello, where the winner takes the empties and a game lost away from the board counts 64;
    /// 1, 0 or −1 in Gomoku.
    pub margin: i32,
    /// How it ended.
    pub end: End,
    /// Details of the end where there is something to say: the illegal moves, the time over, a program's last words,
    /// which of several ways to end.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Illegal answers of each player, black first.
    #[serde(default)]
    pub illegal: [u32; 2],
    /// The best result that each player said was proven for it, black first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub claims: [Option<Claim>; 2],
    /// How long each player thought, black first.
    #[serde(default)]
    pub thinking: [Thinking; 2],
    /// Number of moves at the start that belong to the opening.
    pub opening_moves: usize,
    /// The position before the first move, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves, opening and passes included.
    pub moves: Vec<PlayedMove>,
}

/// Why a line is no played game.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It is not JSON of this shape.
    #[error("not the record of a game: {0}")]
    Json(#[from] serde_json::Error),
    /// Its moves cannot be played.
    #[error("the recorded game cannot be replayed: {0}")]
    Game(String),
}

impl PlayedGame {
    /// Returns the side that won; `None` for a draw.
    pub const fn winner(&self) -> Option<Side> {
        match self.margin {
            0 => None,
            1.. => Some(Side::First),
            _ => Some(Side::Second),
        }
    }

    /// Returns the margin for a player of the match, who must have played.
    pub const fn margin_for(&self, player: usize) -> i32 {
        if self.players[0] == player {
            self.margin
        } else {
            -self.margin
        }
    }

    /// Returns the record as one line of JSON, without a line end.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings and numbers always serialize")
    }

    /// Reads what [`PlayedGame::to_json`] writes.
    ///
    /// # Errors
    ///
    /// Returns why the line is no such record.
    pub fn from_json(line: &str) -> Result<Self, RecordError> {
        Ok(serde_json::from_str(line)?)
    }

    /// Returns what formats of other programs have no place for: the numbers, the end and the depths.
    pub(crate) fn comment(&self) -> String {
        let mut comment = format!("game {}, opening {}", self.game + 1, self.opening + 1);
        if self.end != End::Board {
            comment = format!("{comment}; end: {} {}", self.end.name(), self.detail);
        }
        if self.moves.iter().any(|played| played.depth.is_some()) {
            let depths: Vec<String> = self
                .moves
                .iter()
                .map(|played| {
                    played
                        .depth
                        .map_or_else(|| "-".to_owned(), |depth| depth.to_string())
                })
                .collect();
            comment = format!("{comment}; depths: {}", depths.join(" "));
        }
        comment
    }
}
