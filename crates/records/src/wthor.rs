//! The WTHOR database of the French federation: games (`.wtb`), players (`.jou`) and tournaments (`.trn`).
//!
//! A file is a header of 16 bytes and records of fixed size, little endian: 68 bytes a game, 20 a player, 26 a
//! tournament. A move is row · 10 + column (a1 is 11, h8 is 88), 0 stands for none, and passes are not stored: the
//! reader plays the implied ones. The record counts in the header are checked, never trusted.
//!
//! ```
//! use outflank_records::wthor::{Header, Wthor};
//! let mut bytes = Header::for_games(1, 2001).to_bytes().to_vec();
//! bytes.extend([0; 6]); // tournament, black, white
//! bytes.extend([32, 32]); // real and theoretical score
//! bytes.extend([56, 64, 33]); // f5 d6 c3
//! bytes.resize(16 + 68, 0);
//! let file = Wthor::read(bytes.as_slice())?;
//! assert_eq!(file.games[0].game.transcript(), "f5d6c3");
//! assert!(!file.games[0].is_finished());
//! assert!(file.problems.is_empty());
//! # Ok::<(), outflank_records::wthor::WthorError>(())
//! ```

use outflank_othello::{Discs, Game, IllegalMove, Position, Square};
use std::io::{self, Read};

mod convert;
mod names;
mod writer;

pub use convert::WthorWriter;
pub use names::{NameFile, NameKind};
pub use writer::{WriteWthorError, write_games};

/// Size of the header of every WTHOR file, in bytes.
pub const HEADER_BYTES: usize = 16;
/// Size of the record of a game, in bytes.
pub const GAME_BYTES: usize = 68;
/// Empties at which the theoretical score is computed when the header says 0.
pub const DEFAULT_THEORETICAL_EMPTIES: u8 = 22;

/// What this program writes as the theoretical score of a game that nobody has solved, in a file where others are: no
/// score, so that nobody learns from it.
pub const NO_SCORE: u8 = 255;

/// The 16 bytes at the start of a WTHOR file, as they stand there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Header {
    /// Date of creation: century (20), year of the century, month, day.
    pub created: [u8; 4],
    /// Number of games, as claimed.
    pub n_games: i32,
    /// Number of players or tournaments, as claimed; empties in a file of solitaires.
    pub n_names: u16,
    /// Year of the games.
    pub year: u16,
    /// Side of the board; 0 stands for 8.
    pub board_size: u8,
    /// 1 for solitaires, 0 for games.
    pub kind: u8,
    /// Empties at which the theoretical score is computed; 0 stands for 22.
    pub depth: u8,
    /// Not used.
    pub reserved: u8,
}

impl Header {
    /// Returns the header of a file of `n_games` games of `year`, without a date of creation.
    pub fn for_games(n_games: i32, year: u16) -> Self {
        Self {
            n_games,
            year,
            board_size: 8,
            depth: DEFAULT_THEORETICAL_EMPTIES,
            ..Self::default()
        }
    }

    /// Reads the header.
    pub const fn from_bytes(b: [u8; HEADER_BYTES]) -> Self {
        Self {
            created: [b[0], b[1], b[2], b[3]],
            n_games: i32::from_le_bytes([b[4], b[5], b[6], b[7]]),
            n_names: u16::from_le_bytes([b[8], b[9]]),
            year: u16::from_le_bytes([b[10], b[11]]),
            board_size: b[12],
            kind: b[13],
            depth: b[14],
            reserved: b[15],
        }
    }

    /// Returns the 16 bytes of the header.
    pub fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..4].copy_from_slice(&self.created);
        bytes[4..8].copy_from_slice(&self.n_games.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.n_names.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.year.to_le_bytes());
        bytes[12..].copy_from_slice(&[self.board_size, self.kind, self.depth, self.reserved]);
        bytes
    }

    /// Returns the number of empties from which the theoretical scores assume perfect play.
    pub const fn theoretical_empties(self) -> u8 {
        if self.depth == 0 {
            DEFAULT_THEORETICAL_EMPTIES
        } else {
            self.depth
        }
    }
}

/// The 68 bytes of a game, as they stand in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// Index into the tournament file.
    pub tournament: u16,
    /// Index of the black player in the player file.
    pub black: u16,
    /// Index of the white player in the player file.
    pub white: u16,
    /// Black's discs at the end as played, 0–64, empties to the winner.
    pub real_score: u8,
    /// Black's discs under perfect play from [`Header::theoretical_empties`] empties on, 0–64.
    pub theoretical_score: u8,
    /// Moves as row · 10 + column, 0 after the last one; no passes.
    pub moves: [u8; 60],
}

impl Record {
    /// Reads a record.
    pub fn from_bytes(b: &[u8; GAME_BYTES]) -> Self {
        let mut moves = [0; 60];
        moves.copy_from_slice(&b[8..]);
        Self {
            tournament: u16::from_le_bytes([b[0], b[1]]),
            black: u16::from_le_bytes([b[2], b[3]]),
            white: u16::from_le_bytes([b[4], b[5]]),
            real_score: b[6],
            theoretical_score: b[7],
            moves,
        }
    }

    /// Returns the 68 bytes of the record.
    pub fn to_bytes(&self) -> [u8; GAME_BYTES] {
        let mut bytes = [0; GAME_BYTES];
        bytes[..2].copy_from_slice(&self.tournament.to_le_bytes());
        bytes[2..4].copy_from_slice(&self.black.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.white.to_le_bytes());
        bytes[6] = self.real_score;
        bytes[7] = self.theoretical_score;
        bytes[8..].copy_from_slice(&self.moves);
        bytes
    }

    /// Plays the moves from the start position, implied passes included.
    ///
    /// # Errors
    ///
    /// Returns the first code that is not a legal move, with its place.
    pub fn to_game(&self) -> Result<Game, RecordError> {
        let mut game = Game::new();
        let n_moves = self.moves.iter().take_while(|&&code| code != 0).count();
        for (i, &code) in self.moves[..n_moves].iter().enumerate() {
            let ply = i + 1;
            let square = square_from_code(code).ok_or(RecordError::NotASquare { ply, code })?;
            game.place(square).map_err(|error| RecordError::Illegal {
                ply,
                square,
                reason: error.reason,
            })?;
        }
        match self.moves[n_moves..].iter().position(|&code| code != 0) {
            Some(i) => Err(RecordError::Gap {
                ply: n_moves + 1,
                next: n_moves + i + 1,
            }),
            None => Ok(game),
        }
    }
}

/// Returns the square with the WTHOR code row · 10 + column, `None` if there is none.
pub const fn square_from_code(code: u8) -> Option<Square> {
    let (row, column) = (code / 10, code % 10);
    if row == 0 || column == 0 {
        None
    } else {
        Square::from_coordinates(column as usize - 1, row as usize - 1)
    }
}

/// Returns the WTHOR code of a square, row · 10 + column: a1 is 11, f5 is 56.
pub const fn code_from_square(square: Square) -> u8 {
    ((square.row() + 1) * 10 + square.column() + 1) as u8
}

/// Returns black's discs as WTHOR counts them (0–64, empties to the winner) for black's margin.
pub const fn score_from_discs(discs: Discs) -> u8 {
    (32 + discs.get().div_euclid(2)) as u8
}

/// Returns black's margin for a WTHOR score, `None` above 64.
///
/// ```
/// use outflank_records::wthor::discs_from_score;
/// assert_eq!(discs_from_score(56).map(|discs| discs.get()), Some(48));
/// assert_eq!(discs_from_score(0).map(|discs| discs.get()), Some(-64));
/// assert_eq!(discs_from_score(65), None);
/// ```
pub const fn discs_from_score(score: u8) -> Option<Discs> {
    Discs::new(score as i32 * 2 - 64)
}

/// A game of a WTHOR file: the record and what it replays to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WthorGame {
    /// Number of the record in the file, from 1.
    pub number: usize,
    /// The year of the header.
    pub year: u16,
    /// Empties from which the theoretical score assumes perfect play (the header's depth, P3; 22 where it says 0).
    pub theoretical_empties: u8,
    /// The record as it stands in the file.
    pub record: Record,
    /// The game, passes explicit.
    pub game: Game,
}

impl WthorGame {
    /// Returns whether neither side can move at the end; games given up or lost on time are not finished.
    pub fn is_finished(&self) -> bool {
        self.game.position().is_game_over()
    }

    /// Returns black's margin as the file states it, `None` where the byte is no score.
    pub const fn real_discs(&self) -> Option<Discs> {
        discs_from_score(self.record.real_score)
    }

    /// Returns black's margin under perfect play as the file states it, `None` where the byte is no score.
    pub const fn theoretical_discs(&self) -> Option<Discs> {
        discs_from_score(self.record.theoretical_score)
    }

    /// Returns whether the stored real score is what the moves replay to; `None` if the game is not finished.
    pub fn score_agrees(&self) -> Option<bool> {
        let result = self.game.result()?;
        Some(score_from_discs(result.discs) == self.record.real_score)
    }

    /// Returns the position to which the theoretical score belongs: the first with at most
    /// [`WthorGame::theoretical_empties`] empties, black's margin there under perfect play.
    ///
    /// `None` if the game stops before it or the byte is no score. Some collections fill the theoretical byte with
    /// the real score: then this is no label at all.
    pub fn theoretical_position(&self) -> Option<(Position, Discs)> {
        let discs = self.theoretical_discs()?;
        let empties = u32::from(self.theoretical_empties);
        let positions = self.game.positions();
        let position = positions
            .into_iter()
            .find(|p| p.board().empties().count() <= empties)?;
        Some((position, discs))
    }
}

/// Why the moves of a record are not a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A move byte is no square.
    #[error("ply {ply}: {code} is not a square (row * 10 + column, 11 to 88)")]
    NotASquare {
        /// Number of the move, from 1, passes not counted.
        ply: usize,
        /// The byte.
        code: u8,
    },
    /// A move is not legal.
    #[error("ply {ply}, {square}: {reason}")]
    Illegal {
        /// Number of the move, from 1, passes not counted.
        ply: usize,
        /// Where the disc was to go.
        square: Square,
        /// Why it cannot.
        reason: IllegalMove,
    },
    /// Moves go on after an empty byte.
    #[error("ply {ply}: no move, but moves go on at ply {next}")]
    Gap {
        /// Number of the missing move, from 1.
        ply: usize,
        /// Number of the next byte that is not 0.
        next: usize,
    },
}

/// What is wrong with a WTHOR file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WthorError {
    /// The source of the bytes failed.
    #[error("reading failed after record {record}: {message}")]
    Io {
        /// Number of whole records read before.
        record: usize,
        /// What the source said.
        message: String,
    },
    /// Too short for a header.
    #[error("a WTHOR file starts with a header of 16 bytes, found {found}")]
    ShortHeader {
        /// Bytes found.
        found: usize,
    },
    /// A board of another size.
    #[error("header: board of side {size}, only 8 can be read")]
    BoardSize {
        /// Side of the board.
        size: u8,
    },
    /// The header's count is not the number of records.
    #[error("header: {claimed} records claimed, {found} found")]
    Count {
        /// What the header claims.
        claimed: i64,
        /// Whole records in the file.
        found: usize,
    },
    /// The file ends within a record.
    #[error("record {record}: cut off after {bytes} of {size} bytes")]
    Truncated {
        /// Number of the record, from 1.
        record: usize,
        /// Bytes found.
        bytes: usize,
        /// Bytes of a whole record.
        size: usize,
    },
    /// The moves of a record are not a game.
    #[error("record {record}: {error}")]
    Game {
        /// Number of the record, from 1.
        record: usize,
        /// What is wrong with its moves.
        error: RecordError,
    },
}

impl WthorError {
    /// Returns the number of the record in question, from 1, and 0 where it is the header.
    pub const fn record(&self) -> usize {
        match *self {
            Self::Io { record, .. } | Self::Truncated { record, .. } | Self::Game { record, .. } => record,
            Self::Count { found, .. } => found,
            Self::ShortHeader { .. } | Self::BoardSize { .. } => 0,
        }
    }
}

/// What a file of the WTHOR database holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Games (`.wtb`).
    Games,
    /// Names of players or tournaments (`.jou`, `.trn`).
    Names,
}

/// Returns what kind of WTHOR file begins with these bytes, whatever the file is called; `None` if it is none.
///
/// The header and the first record, 84 bytes, are enough.
///
/// ```
/// use outflank_records::wthor::{FileKind, Header, sniff};
/// assert_eq!(sniff(&Header::for_games(0, 2001).to_bytes()), Some(FileKind::Games));
/// assert_eq!(sniff(b"f5d6c3d3c4f4f6f3"), None);
/// ```
pub fn sniff(head: &[u8]) -> Option<FileKind> {
    let (header, rest) = head.split_first_chunk::<HEADER_BYTES>()?;
    let is_text = header.iter().all(|byte| *byte >= b'\t');
    let header = Header::from_bytes(*header);
    let [century, _, month, day] = header.created;
    let is_plausible = !is_text
        && matches!(century, 0 | 18..=22)
        && month <= 12
        && day <= 31
        && (0..10_000_000).contains(&header.n_games)
        && header.kind <= 1
        && header.depth <= 60
        && header.year < 3000;
    if !is_plausible {
        return None;
    }
    if header.n_games == 0 && header.n_names > 0 {
        return Some(FileKind::Names);
    }
    // The first move of a game, where there is one and no date that says as much.
    let starts = century > 0
        || rest
            .get(8)
            .is_none_or(|code| *code == 0 || square_from_code(*code).is_some());
    (starts && matches!(header.board_size, 0 | 8 | 10)).then_some(FileKind::Games)
}

/// Reads as many bytes as there are, up to the size of `buffer`.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut n = 0;
    while n < buffer.len() {
        match input.read(&mut buffer[n..]) {
            Ok(0) => break,
            Ok(more) => n += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(n)
}

fn read_header(input: &mut impl Read) -> Result<Header, WthorError> {
    let mut bytes = [0; HEADER_BYTES];
    match fill(input, &mut bytes) {
        Ok(HEADER_BYTES) => Ok(Header::from_bytes(bytes)),
        Ok(found) => Err(WthorError::ShortHeader { found }),
        Err(error) => Err(WthorError::Io {
            record: 0,
            message: error.to_string(),
        }),
    }
}

/// Reads the games of a `.wtb` file one by one, in constant memory.
///
/// Bad records come as errors and reading goes on behind them. A file cut off in a record, or with another number of
/// records than its header claims, yields that error after the last game.
#[derive(Debug)]
pub struct WthorReader<R> {
    input: R,
    header: Header,
    n_read: usize,
    done: bool,
}

impl<R: Read> WthorReader<R> {
    /// Reads the header.
    ///
    /// The source should be buffered: records are read one at a time.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no whole header or the board is not 8×8.
    pub fn new(mut input: R) -> Result<Self, WthorError> {
        let header = read_header(&mut input)?;
        if !matches!(header.board_size, 0 | 8) {
            return Err(WthorError::BoardSize {
                size: header.board_size,
            });
        }
        Ok(Self {
            input,
            header,
            n_read: 0,
            done: false,
        })
    }

    /// Returns the header.
    pub const fn header(&self) -> &Header {
        &self.header
    }
}

impl<R: Read> Iterator for WthorReader<R> {
    type Item = Result<WthorGame, WthorError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let mut bytes = [0; GAME_BYTES];
        match fill(&mut self.input, &mut bytes) {
            Err(error) => {
                self.done = true;
                Some(Err(WthorError::Io {
                    record: self.n_read,
                    message: error.to_string(),
                }))
            }
            Ok(0) => {
                self.done = true;
                let claimed = i64::from(self.header.n_games);
                (claimed != self.n_read as i64).then_some(Err(WthorError::Count {
                    claimed,
                    found: self.n_read,
                }))
            }
            Ok(GAME_BYTES) => {
                self.n_read += 1;
                let number = self.n_read;
                let record = Record::from_bytes(&bytes);
                Some(match record.to_game() {
                    Ok(game) => Ok(WthorGame {
                        number,
                        year: self.header.year,
                        theoretical_empties: self.header.theoretical_empties(),
                        record,
                        game,
                    }),
                    Err(error) => Err(WthorError::Game {
                        record: number,
                        error,
                    }),
                })
            }
            Ok(n) => {
                self.done = true;
                Some(Err(WthorError::Truncated {
                    record: self.n_read + 1,
                    bytes: n,
                    size: GAME_BYTES,
                }))
            }
        }
    }
}

/// A whole `.wtb` file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wthor {
    /// The header as it stands in the file.
    pub header: Header,
    /// The games that could be read, in order.
    pub games: Vec<WthorGame>,
    /// Everything that is wrong with the file, in order.
    pub problems: Vec<WthorError>,
}

impl Wthor {
    /// Reads all games; bad records are listed among the problems and the good ones kept.
    ///
    /// # Errors
    ///
    /// Returns an error only if the header cannot be read or the board is not 8×8.
    pub fn read(input: impl Read) -> Result<Self, WthorError> {
        let mut reader = WthorReader::new(input)?;
        let (mut games, mut problems) = (Vec::new(), Vec::new());
        for item in reader.by_ref() {
            match item {
                Ok(game) => games.push(game),
                Err(error) => problems.push(error),
            }
        }
        Ok(Self {
            header: reader.header,
            games,
            problems,
        })
    }
}
