//! Games to WTHOR records and files.

use super::{GAME_BYTES, HEADER_BYTES, Header, Record, code_from_square, score_from_discs};
use outflank_othello::{Color, Game, Position};
use std::io::{self, Write};

/// Why a game does not fit a WTHOR record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteWthorError {
    /// The format has no place for a start position.
    #[error("WTHOR holds only games from the standard start position")]
    OtherStart,
}

impl Record {
    /// Returns the record of a game, without players and tournament.
    ///
    /// Nothing is solved for the theoretical score: it is that of the last position, what perfect play gives when at
    /// most one square is left. The header of the file should say so with a depth of 1.
    ///
    /// Passes are left out, as the format has none. The score of an unfinished game counts its last position as if
    /// it were over.
    ///
    /// # Errors
    ///
    /// Returns an error if the game does not start at the standard start position.
    pub fn from_game(game: &Game) -> Result<Self, WriteWthorError> {
        if *game.start() != Position::start() {
            return Err(WriteWthorError::OtherStart);
        }
        let mut moves = [0; 60];
        let squares = game.moves().iter().filter_map(|mv| mv.square());
        for (slot, square) in moves.iter_mut().zip(squares) {
            *slot = code_from_square(square);
        }
        let score = score_from_discs(game.position().final_discs(Color::Black));
        Ok(Self {
            tournament: 0,
            black: 0,
            white: 0,
            real_score: score,
            theoretical_score: score,
            moves,
        })
    }
}

/// Writes a `.wtb` file: the header, with its count set to the number of records, and the records.
///
/// # Errors
///
/// Returns what the destination says.
pub fn write_games(mut output: impl Write, header: Header, records: &[Record]) -> io::Result<()> {
    let n_games = i32::try_from(records.len()).map_err(|_| {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            "more games than a WTHOR file can count",
        )
    })?;
    let mut bytes = Vec::with_capacity(HEADER_BYTES + GAME_BYTES * records.len());
    bytes.extend(Header { n_games, ..header }.to_bytes());
    for record in records {
        bytes.extend(record.to_bytes());
    }
    output.write_all(&bytes)
}
