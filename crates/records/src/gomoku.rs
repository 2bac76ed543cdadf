//! Gomoku: games and positions as moves, SGF with `GM[4]`, Piskvork's `psq` files, drawn boards and our own JSON.
//!
//! ```
//! use outflank_gomoku::Rule;
//! use outflank_records::gomoku;
//! let record = gomoku::read("1. h8 i9 2. j10")?.value;
//! assert_eq!(record.moves.len(), 3);
//! assert_eq!(gomoku::read("7,7 8,8 9,9")?.value.moves, record.moves);
//! let file = gomoku::read("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,3\n-1\n")?.value;
//! assert_eq!(file.moves, ["h8".parse()?, "i9".parse()?]);
//! assert_eq!(gomoku::sgf::write(&record, 15), "(;GM[4]FF[4]CA[UTF-8]AP[Outflank]SZ[15];B[hh];W[ig];B[jf])");
//! assert_eq!(record.board(Rule::Renju, 15)?.n_stones(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::text::{self, excerpt};
use outflank_gomoku::{
    Board, Color, MAX_SIZE, MIN_SIZE, PlayError, Point, Rule, SetupError, Tables, notation,
};
use std::fmt;

mod json;
mod moves;
pub mod psq;
pub mod sgf;

/// A game or position as a text says it; nothing in it has been played yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Edge of the board in points, if the text says it.
    pub size: Option<u8>,
    /// Rule set, if the text says it.
    pub rule: Option<Rule>,
    /// Stones that lie on the board before the first move.
    pub stones: Vec<(Point, Color)>,
    /// Who makes the first move, if it is not the side that the stones suggest: White where Black has more of them,
    /// else Black.
    pub side: Option<Color>,
    /// The moves, colors in turn.
    pub moves: Vec<Point>,
}

/// What was read, and what was doubtful about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// What was read.
    pub value: Record,
    /// What was doubtful.
    pub warnings: Vec<Warning>,
}

/// Why a text is no game, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Line of the trouble, from 1.
    pub line: usize,
    /// Column of the trouble in characters, from 1.
    pub column: usize,
    /// Number of the move, from 1, if the trouble is a move.
    pub nth: Option<usize>,
    /// What is wrong there.
    pub problem: Problem,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 1 || self.column > 1 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        if let Some(nth) = self.nth {
            write!(f, "move {nth}: ")?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for ReadError {}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Something that is no point stands where a move should.
    #[error("{0:?} is no point: write h8, or 7,7 counted from 0")]
    Point(String),
    /// A size that no board has.
    #[error("a board of {0} points is not supported: the edge must be 5 to 20")]
    Size(String),
    /// A board that is not square.
    #[error("a board of {0} points is not supported: width and height must be equal")]
    Rectangle(String),
    /// Two sizes of one board.
    #[error("the edge of the board is said to be {0} points and {1} points")]
    Sizes(u8, u8),
    /// A record of another game.
    #[error("a game of {0}, not Gomoku")]
    OtherGame(String),
    /// A stone of the color that is not to move.
    #[error(
        "a stone of {found}, but {expected} is to move: stones that are set up belong into AB[] and AW[]"
    )]
    WrongColor {
        /// Who is to move.
        expected: Color,
        /// Whose stone it is.
        found: Color,
    },
    /// A pass.
    #[error("a pass is not supported: every move places a stone")]
    Pass,
    /// Stones set up behind the first move.
    #[error("stones can be set up before the first move only")]
    LateSetup,
    /// The record as such is damaged.
    #[error(transparent)]
    Syntax(crate::Problem),
    /// A move that cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// Stones that make no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// What was read with a doubt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// Side lines of a game tree.
    #[error("{0} moves of variations left out")]
    Variations(usize),
    /// A needed tag is absent and its usual value was taken.
    #[error("no {0} given")]
    MissingTag(&'static str),
    /// Something that is not understood.
    #[error("ignored {0:?}")]
    Ignored(String),
    /// Invalid UTF-8.
    #[error("not UTF-8: read as Latin-1")]
    Latin1,
}

/// Reads a game or position in any of the notations; nothing but space is the empty board.
///
/// # Errors
///
/// [`ReadError`] names the first thing that is wrong.
pub fn read(text: &str) -> Result<Parsed, ReadError> {
    let text = text::without_mark(text);
    let lead = text.len() - text.trim_start().len();
    let body = text.trim();
    if body.starts_with("(;") {
        sgf::parse(body).map_err(|error| error.resolve(text, lead))
    } else if psq::is_header(body) {
        psq::parse(body).map_err(|error| error.resolve(text, lead))
    } else if body.starts_with('{') || body.starts_with('[') && body.contains('"') {
        json::parse(body).map_err(|error| error.resolve(text, lead))
    } else if let Some(drawing) = notation::Drawing::read(body) {
        let side = (drawing.side != notation::side_of(&drawing.stones)).then_some(drawing.side);
        Ok(Parsed::from(Record {
            size: Some(drawing.size),
            stones: drawing.stones,
            side,
            ..Record::default()
        }))
    } else {
        moves::parse(body).map_err(|error| error.resolve(text, lead))
    }
}

/// Reads a game or position in any of the notations from the bytes of a file: text that is not UTF-8 is read as
/// Latin-1, with a warning.
///
/// # Errors
///
/// As [`read`].
pub fn read_bytes(bytes: &[u8]) -> Result<Parsed, ReadError> {
    if let Some(problem) = text::unreadable(bytes) {
        return Err(Failure::new(0, Problem::Syntax(problem)).resolve("", 0));
    }
    let (text, latin1) = text::decode(bytes);
    let mut parsed = read(&text)?;
    if latin1 {
        parsed.warnings.push(Warning::Latin1);
    }
    Ok(parsed)
}

impl From<Record> for Parsed {
    fn from(value: Record) -> Self {
        Self {
            value,
            warnings: Vec::new(),
        }
    }
}

impl Record {
    /// Returns who makes the first move.
    pub fn first(&self) -> Color {
        self.side.unwrap_or_else(|| notation::side_of(&self.stones))
    }

    /// Returns the position before the first move, on a board of the record's own size, or `size` if it names none.
    ///
    /// # Errors
    ///
    /// [`ReadError`] for stones that make no position.
    pub fn start(&self, rule: Rule, size: u8) -> Result<Board, ReadError> {
        let size = self.size.unwrap_or(size);
        let built = if self.stones.is_empty() && self.first() == Color::Black {
            Board::new(rule, size)
        } else {
            Board::from_stones(Tables::new(rule), size, &self.stones, self.first())
        };
        built.map_err(|error| Failure::new(0, error.into()).resolve("", 0))
    }

    /// Plays the record under `rule` on a board of its own size, or `size` if it names none.
    ///
    /// # Errors
    ///
    /// [`ReadError`] for a move that cannot be played or stones that make no position.
    pub fn board(&self, rule: Rule, size: u8) -> Result<Board, ReadError> {
        let mut board = self.start(rule, size)?;
        for (i, &mv) in self.moves.iter().enumerate() {
            board.play(mv).map_err(|error| {
                Failure {
                    nth: Some(i + 1),
                    ..Failure::new(0, error.into())
                }
                .resolve("", 0)
            })?;
        }
        Ok(board)
    }
}

/// An error whose place is a byte offset.
#[derive(Debug)]
struct Failure {
    offset: usize,
    nth: Option<usize>,
    problem: Problem,
}

impl Failure {
    const fn new(offset: usize, problem: Problem) -> Self {
        Self {
            offset,
            nth: None,
            problem,
        }
    }

    /// Returns the error of move number `nth`, from 1.
    const fn of_move(offset: usize, nth: usize, problem: Problem) -> Self {
        Self {
            offset,
            nth: Some(nth),
            problem,
        }
    }

    fn point(offset: usize, nth: usize, found: &str) -> Self {
        Self::of_move(offset, nth, Problem::Point(excerpt(found, 20)))
    }

    /// Returns the error with its line and column in `text`, of which `lead` bytes were cut off in front.
    fn resolve(self, text: &str, lead: usize) -> ReadError {
        let before = text.get(..lead + self.offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        ReadError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            nth: self.nth,
            problem: self.problem,
        }
    }
}

/// Reads the size of a board: `15`, or `15x15` and `15:15`, which must be square.
fn board_size(text: &str) -> Result<u8, Problem> {
    let mut edges = text
        .split(['x', 'X', ':', '*'])
        .map(|edge| edge.trim().parse::<u8>());
    let (first, second) = (edges.next(), edges.next());
    match (first, second, edges.next()) {
        (Some(Ok(width)), Some(Ok(height)), None) if width != height => {
            Err(Problem::Rectangle(format!("{width}×{height}")))
        }
        (Some(Ok(width)), None | Some(Ok(_)), None) if (MIN_SIZE..=MAX_SIZE).contains(&width) => Ok(width),
        _ => Err(Problem::Size(excerpt(text, 20))),
    }
}

#[cfg(test)]
mod tests;
