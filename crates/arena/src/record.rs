//! A played game, as it is kept: one line of JSON, and GGF for other programs.

use outflank_othello::{Color, Discs, Game, Move, Position};
use outflank_records::{GameRecord, MoveNote, ggf};
use serde::{Deserialize, Serialize};

/// One move of a played game, with what the player said about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedMove {
    /// The move: `f5`, or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
    /// The player's value for itself, in discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Depth of the player's search, in discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions that the player's search entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time taken in seconds, on the referee's clock; absent in the opening and for forced passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Neither side could move.
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
}

/// A finished game of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Number of the game in the match, from 0.
    pub game: usize,
    /// Number of the opening, from 0; the games of a pair share it.
    pub opening: usize,
    /// Name of the player with the black discs.
    pub black: String,
    /// Name of the player with the white discs.
    pub white: String,
    /// Numbers of both players in the match, black first.
    pub players: [usize; 2],
    /// Black's margin in discs; the winner takes the empties, a game lost away from the board counts 64.
    pub discs: i32,
    /// How it ended.
    pub end: End,
    /// Details of the end where there is something to say: the illegal moves, the time over, a program's last words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Illegal answers of each player, black first.
    #[serde(default)]
    pub illegal: [u32; 2],
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
    /// Returns the loser and winner as indices into `players`; `None` for a draw.
    pub const fn winner(&self) -> Option<Color> {
        match self.discs {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        }
    }

    /// Returns the margin for a player of the match, who must have played.
    pub const fn discs_for(&self, player: usize) -> i32 {
        if self.players[0] == player {
            self.discs
        } else {
            -self.discs
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

    /// Replays the game.
    ///
    /// # Errors
    ///
    /// Returns the first move that is not legal.
    pub fn replay(&self) -> Result<Game, RecordError> {
        let fail = |error: &dyn std::fmt::Display| RecordError::Game(error.to_string());
        let start: Position = match &self.start {
            None => Position::start(),
            Some(text) => text.parse().map_err(|error| fail(&error))?,
        };
        let mut game = Game::from_position(start);
        for played in &self.moves {
            let mv: Move = played.mv.parse().map_err(|error| fail(&error))?;
            game.play(mv).map_err(|error| fail(&error))?;
        }
        Ok(game)
    }

    /// Returns the game as one line of GGF with values, times, and depths in a comment.
    ///
    /// # Errors
    ///
    /// As [`PlayedGame::replay`].
    pub fn to_ggf(&self) -> Result<String, RecordError> {
        let mut record = GameRecord::new(self.replay()?);
        record.add_tag("PC", "Outflank");
        record.add_tag("PB", self.black.replace(['[', ']'], "|"));
        record.add_tag("PW", self.white.replace(['[', ']'], "|"));
        let suffix = match self.end {
            End::Board | End::Adjudicated => "",
            End::Resigned => ":r",
            End::Time | End::NoAnswer => ":t",
            End::Illegal | End::Exited | End::Dialogue | End::NotStarted => ":s",
        };
        record.add_tag("RE", format!("{:+}{suffix}", self.discs));
        record.add_tag("CO", self.comment());
        record.notes = self
            .moves
            .iter()
            .map(|played| MoveNote {
                eval: played
                    .value
                    .map_or_else(String::new, |value| format!("{value:.2}")),
                time: played
                    .seconds
                    .map_or_else(String::new, |seconds| format!("{seconds:.3}")),
            })
            .collect();
        Ok(ggf::write(&record))
    }

    /// What GGF has no place for: the end and the depths.
    fn comment(&self) -> String {
        let mut comment = format!("game {}, opening {}", self.game + 1, self.opening + 1);
        if self.end != End::Board {
            let end = serde_json::to_value(self.end).ok();
            let end = end.as_ref().and_then(|end| end.as_str()).unwrap_or_default();
            comment = format!("{comment}; end: {end} {}", self.detail);
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
        comment.replace(['[', ']'], "|")
    }
}

/// Black's margin of a game that `loser` has lost away from the board.
pub(crate) fn forfeit_discs(loser: Color) -> i32 {
    match loser {
        Color::Black => -Discs::MAX.get(),
        Color::White => Discs::MAX.get(),
    }
}
