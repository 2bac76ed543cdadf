//! What can be wrong, or doubtful, in a text.

use crate::wthor::WthorError;
use outflank_othello::{Color, IllegalMove, ParseSquareError, Square};
use std::fmt;

/// Why a text could not be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Byte offset in the text that was given.
    pub offset: usize,
    /// Number of the move, from 1, passes counted, if the trouble is a move.
    pub ply: Option<usize>,
    /// The square in question, if there is one.
    pub square: Option<Square>,
    /// What is wrong there.
    pub problem: Problem,
}

impl ReadError {
    /// Returns an error that concerns no move.
    pub(crate) const fn new(offset: usize, problem: Problem) -> Self {
        Self {
            offset,
            ply: None,
            square: None,
            problem,
        }
    }

    /// Returns the same error with its place counted from `base` bytes earlier.
    pub(crate) const fn moved(mut self, base: usize) -> Self {
        self.offset += base;
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ply) = self.ply {
            write!(f, "ply {ply}")?;
        }
        if let Some(square) = self.square {
            write!(f, "{}{square}", if self.ply.is_some() { ", " } else { "" })?;
        }
        if self.ply.is_some() || self.square.is_some() {
            f.write_str(": ")?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.problem)
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Not 64 squares.
    #[error("a board has 64 squares, found {0}")]
    SquareCount(usize),
    /// A character that no board dialect knows.
    #[error("{0:?} is no square of a board: expected X, O or - (or another dialect's signs)")]
    BoardCharacter(char),
    /// The digits 0 and 1 beside letters: in some programs 0 is black, and it looks like O, which is white.
    #[error("digits and letters are both used as discs: 0 would be black and O white")]
    MixedDialects,
    /// The side to move is not a side.
    #[error("side to move {0:?}: expected X or O")]
    Side(String),
    /// A FEN with more or fewer rows.
    #[error("expected 8 rows, found {0}")]
    RowCount(usize),
    /// A row of a FEN with more or fewer squares.
    #[error("row {row}: {found} squares instead of 8")]
    RowLength {
        /// Which row of the text, from 1.
        row: usize,
        /// Squares in it.
        found: usize,
    },
    /// A sign in a FEN that is neither a disc of its dialect nor a number of empty squares.
    #[error("row {row}: {found:?} is no disc")]
    RowSign {
        /// Which row of the text, from 1.
        row: usize,
        /// The sign.
        found: char,
    },
    /// A FEN without the side to move.
    #[error("expected a side to move, b or w")]
    NoSide,
    /// A board of another size.
    #[error("board of side {0:?}, only 8 can be read")]
    BoardSize(String),
    /// Discs of both colors on one square.
    #[error("discs of both colors on this square")]
    Overlap,
    /// A text that is not a square where a square is needed.
    #[error(transparent)]
    Square(#[from] ParseSquareError),
    /// A move that the rules do not allow.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// A move cut in half.
    #[error("{0:?} is half a move: a square is a letter a–h and a digit 1–8")]
    HalfMove(String),
    /// A number that is no move number.
    #[error("number {0:?} where a move is expected")]
    Number(String),
    /// Text that is no move, with moves after it or nothing before it.
    #[error("{0:?} is not a move")]
    NotAMove(String),
    /// A move by the side that is not to move.
    #[error("a move of {found}, but {expected} is to move")]
    WrongColor {
        /// Who is to move.
        expected: Color,
        /// Whose move it says it is.
        found: Color,
    },
    /// A diagram of move numbers in which one stands on two squares.
    #[error("number {0} stands on two squares")]
    NumberTwice(u8),
    /// A diagram of move numbers in which one is not there.
    #[error("number {0} is missing, but higher ones are there")]
    NumberMissing(u8),
    /// A text without a single move.
    #[error("no moves found")]
    NoMoves,
    /// A score that is no whole number of discs from −64 to 64.
    #[error("score {0:?}: expected whole discs from -64 to +64")]
    Score(String),
    /// One move with two scores.
    #[error("scored twice")]
    ScoredTwice,
    /// Something else was expected by the syntax.
    #[error("expected {expected}, found {found:?}")]
    Expected {
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A parenthesis, bracket or brace that is never closed.
    #[error("{0:?} is never closed")]
    Unclosed(char),
    /// A record of another game.
    #[error("a game of {0:?}, not Othello{name}", name = other_game(.0))]
    OtherGame(String),
    /// A record of other rules.
    #[error("{name} ({tag}) is not supported, only plain Othello on 8×8 squares is: {remedy}")]
    Variant {
        /// What it is called.
        name: &'static str,
        /// The tag that says it.
        tag: String,
        /// What can be done.
        remedy: &'static str,
    },
    /// The first move belongs to a start with the colors exchanged.
    #[error(
        "{0}; it is legal where the colors of the start are exchanged (black on d4 and e5): \
         put that board in front of the moves, or mirror them"
    )]
    ExchangedStart(IllegalMove),
    /// Something that a position or a game needs is not there.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// Not JSON.
    #[error("not JSON: {0}")]
    Json(String),
    /// Longer than any record is.
    #[error("longer than {0} bytes without an end")]
    TooLong(usize),
    /// A file of the WTHOR database that cannot be read.
    #[error(transparent)]
    Wthor(WthorError),
    /// The names beside the games of the WTHOR database.
    #[error("a file of names of the WTHOR database: the games are in the .wtb files")]
    WthorNames,
    /// Two bytes a character.
    #[error("the text is UTF-16: save it as UTF-8")]
    Utf16,
    /// An opening book.
    #[error("an opening book of {0}, which holds no games: export its lines as text")]
    Book(&'static str),
    /// A packed file.
    #[error("the file is compressed ({name}): unpack it first, with {command}")]
    Compressed {
        /// What packed it.
        name: &'static str,
        /// The command that unpacks it.
        command: &'static str,
    },
    /// The source of the bytes failed.
    #[error("reading failed: {0}")]
    Io(String),
    /// A name that several openings have.
    #[error("several openings are called so: {0}")]
    Openings(String),
    /// Nothing that is known.
    #[error("not a position or game in any known notation")]
    Unrecognized,
}

/// Returns what to say of a game besides its number or name.
fn other_game(game: &str) -> String {
    let name = crate::gomoku::sgf::game_name(game);
    match game.trim() {
        "4" => format!(": {name} is read with --game gomoku"),
        number if number.parse::<u16>().is_ok() => format!(": {name}"),
        _ => String::new(),
    }
}

/// What was read with a doubt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// The side to move was not given.
    #[error("no side to move given: {side} assumed, {reason}")]
    SideAssumed {
        /// The side that was assumed.
        side: Color,
        /// Why this one.
        reason: &'static str,
    },
    /// The digit 0 beside black discs as letters.
    #[error("the digit 0 read as the letter O: white")]
    Zero,
    /// Digits as discs.
    #[error("digits as discs: 0 read as black, 1 as white")]
    Digits,
    /// Text after the end.
    #[error("ignored text at the end: {0:?}")]
    TrailingText(String),
    /// Text before the start.
    #[error("ignored text before the start: {0:?}")]
    LeadingText(String),
    /// A comment in which something looks like a move.
    #[error("ignored a comment: {0:?}")]
    Comment(String),
    /// A pass after the end of the game.
    #[error("ignored a pass after the end of the game")]
    PassAfterEnd,
    /// A bare number behind a board.
    #[error("number {0:?} behind the board read as the score of the side to move")]
    BareScore(String),
    /// An OBF field or a record's tag that is not understood.
    #[error("ignored {0:?}")]
    Ignored(String),
    /// The rows are numbered from the other side.
    #[error("the rows are numbered from the other side: read mirrored")]
    MirroredRows,
    /// Invalid UTF-8.
    #[error("not UTF-8: read as Latin-1")]
    Latin1,
    /// Komi for one player only, or none in all.
    #[error("incomplete komi tags {0}")]
    Komi(String),
    /// A needed tag is absent and its usual value was taken.
    #[error("no {0} given")]
    MissingTag(&'static str),
    /// A stated result is not what the moves lead to.
    #[error("the record says {stated}, the moves lead to {replayed}")]
    ResultDiffers {
        /// What the record says.
        stated: String,
        /// What the moves lead to.
        replayed: String,
    },
    /// A result that counts the discs on the board only.
    #[error("the result {stated} counts without the empty squares: with them it is {discs:+}")]
    RawResult {
        /// What the record says.
        stated: String,
        /// Black's margin with the empties to the winner.
        discs: i32,
    },
    /// A result that cannot be.
    #[error("the result {0:?} is not understood: black's margin is at most 64 discs either way")]
    OddResult(String),
    /// A time that cannot be.
    #[error("the time {0:?} is negative")]
    OddTime(String),
    /// Letters after a move.
    #[error("ignored {ignored:?} after the move {mv}")]
    MoveSuffix {
        /// The move.
        mv: String,
        /// What follows it.
        ignored: String,
    },
    /// Side lines of a game tree.
    #[error("{0} moves of variations left out")]
    Variations(usize),
    /// A count that does not fit.
    #[error("{claimed} games announced, {found} found")]
    GameCount {
        /// What the line says.
        claimed: usize,
        /// What it holds.
        found: usize,
    },
}

/// A value and the doubts that came with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<T> {
    /// What was read.
    pub value: T,
    /// What was doubtful.
    pub warnings: Vec<Warning>,
}
