//! What comes out of every reader: positions with scores, and games with tags.

use crate::{ReadError, Warning, ggf, tree::Tree};
use outflank_othello::{Color, Discs, Game, Move, Position};
use std::fmt;

/// A notation or file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// 64 squares and a side.
    Board,
    /// Othello board file: a board and scores of moves.
    Obf,
    /// A FEN of xboard or UGI.
    Fen,
    /// Moves as text.
    Transcript,
    /// Generic Game Format of the server GGS.
    Ggf,
    /// Smart Game Format, game 2.
    Sgf,
    /// Portable Game Notation as PlayOK writes it.
    Pgn,
    /// JSON of Othello Quest.
    OthelloQuest,
    /// JSON of Botzone.
    Botzone,
    /// JSON that this program prints, or a list of moves.
    Json,
    /// A table with a heading, such as CSV.
    Table,
    /// A diagram of move numbers.
    Diagram,
    /// The WTHOR database.
    Wthor,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "board",
            Self::Obf => "OBF",
            Self::Fen => "FEN",
            Self::Transcript => "transcript",
            Self::Ggf => "GGF",
            Self::Sgf => "SGF",
            Self::Pgn => "PGN",
            Self::OthelloQuest => "Othello Quest",
            Self::Botzone => "Botzone",
            Self::Json => "JSON",
            Self::Table => "table",
            Self::Diagram => "diagram",
            Self::Wthor => "WTHOR",
        })
    }
}

/// The score of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveScore {
    /// The move.
    pub mv: Move,
    /// Final margin for the side to move, in discs.
    pub discs: Discs,
}

/// A position, with what its source says about the values of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredPosition {
    /// The position.
    pub position: Position,
    /// A score of the position without a move, for the side to move, in discs.
    pub best: Option<Discs>,
    /// Scores of moves, in the order of the source; every move is legal.
    pub scores: Vec<MoveScore>,
    /// A comment, empty if there is none.
    pub comment: String,
}

impl ScoredPosition {
    /// Returns a position of which nothing else is known.
    pub const fn new(position: Position) -> Self {
        Self {
            position,
            best: None,
            scores: Vec::new(),
            comment: String::new(),
        }
    }

    /// Returns the value of the position for the side to move: the best move's score, else the score without a move.
    pub fn expected(&self) -> Option<Discs> {
        self.scores.iter().map(|score| score.discs).max().or(self.best)
    }

    /// Returns the moves that have the best score.
    pub fn best_moves(&self) -> Vec<Move> {
        let best = self.expected();
        self.scores
            .iter()
            .filter(|score| Some(score.discs) == best)
            .map(|score| score.mv)
            .collect()
    }
}

/// What a record says about one move, as text; empty where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveNote {
    /// Evaluation in discs from the mover's view, as written.
    pub eval: String,
    /// Time spent, as written: seconds, or `mm:ss`, `hh:mm:ss`.
    pub time: String,
}

impl MoveNote {
    /// Returns the evaluation in discs, `None` if there is none or it is not a finite number.
    pub fn eval_discs(&self) -> Option<f64> {
        self.eval.trim().parse().ok().filter(|x: &f64| x.is_finite())
    }

    /// Returns the time in seconds, `None` if there is none or it is not understood.
    ///
    /// ```
    /// use outflank_records::MoveNote;
    /// let note = |time: &str| MoveNote { eval: String::new(), time: time.into() };
    /// assert_eq!(note("2.5").seconds(), Some(2.5));
    /// assert_eq!(note("1:00:02").seconds(), Some(3602.0));
    /// assert_eq!(note("soon").seconds(), None);
    /// ```
    pub fn seconds(&self) -> Option<f64> {
        let mut seconds = 0.0;
        for part in self.time.trim().split(':') {
            let part: f64 = part.parse().ok().filter(|x: &f64| x.is_finite())?;
            seconds = seconds * 60.0 + part;
        }
        Some(seconds)
    }
}

/// A game with what its source says about it.
///
/// Tags have GGF's keys whatever the format was: `PB` and `PW` the players, `RB` and `RW` their ratings, `PC` the
/// place, `DT` the date, `TI` (or `TB` and `TW`) the clocks, `RE` the result from black's view, `CO` a comment.
/// Tags that nothing here understands are kept as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// The game, passes explicit.
    pub game: Game,
    /// Keys and values, in order; a key may come twice.
    pub tags: Vec<(String, String)>,
    /// What is said about each move, passes included; shorter than the game if there is no more to say.
    pub notes: Vec<MoveNote>,
}

impl GameRecord {
    /// Returns a game of which nothing else is known.
    pub const fn new(game: Game) -> Self {
        Self {
            game,
            tags: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Returns the first value of a tag.
    pub fn tag(&self, key: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(tag, _)| tag == key)
            .map(|(_, value)| value.as_str())
    }

    /// Adds a tag, unless the value is empty or says of the type of the game (`TY`) what GGF takes for granted.
    ///
    /// Keys that GGF needs for the game itself (`GM`, `BO`, `B`, `W`) get an `X` in front, and so have those of a type or a
    /// komi that GGF would refuse: here they only stand beside moves that are legal.
    pub fn add_tag(&mut self, key: &str, value: impl Into<String>) {
        let value = value.into();
        let is_own = Self::is_reserved(key) || ggf::check_tag(key, &value).is_err();
        let prefix = if is_own { "X" } else { "" };
        let says_nothing = value.is_empty() || ggf::is_usual_type(key, &value) && self.tag(key).is_none();
        if !says_nothing {
            self.tags.push((format!("{prefix}{key}"), value));
        }
    }

    /// Returns whether GGF uses a key for the board or the moves.
    pub(crate) fn is_reserved(key: &str) -> bool {
        matches!(key, "GM" | "BO" | "B" | "W")
    }

    /// Plays a pass that the rules imply, if the color to move has to pass and it is `color`'s move that comes.
    pub(crate) fn imply_pass(&mut self, color: Color) {
        if self.game.position().side() != color && self.game.position().board().must_pass() {
            self.play(Move::Pass, MoveNote::default())
                .expect("a forced pass is legal");
        }
    }

    /// Plays a move with its note.
    pub(crate) fn play(&mut self, mv: Move, note: MoveNote) -> Result<(), outflank_othello::GameError> {
        self.game.play(mv)?;
        if note != MoveNote::default() {
            self.notes
                .resize(self.game.moves().len() - 1, MoveNote::default());
            self.notes.push(note);
        }
        Ok(())
    }
}

/// Why a game could not be read, and the part of it before the trouble.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) error: ReadError,
    /// The game up to there; without moves if not even the first could be read.
    pub(crate) legal: Box<GameRecord>,
}

impl Failed {
    pub(crate) fn new(error: ReadError, legal: GameRecord) -> Self {
        Self {
            error,
            legal: Box::new(legal),
        }
    }

    /// Returns the same failure with its place counted from `base` bytes earlier.
    pub(crate) fn moved(mut self, base: usize) -> Self {
        self.error = self.error.moved(base);
        self
    }
}

impl From<ReadError> for Failed {
    fn from(error: ReadError) -> Self {
        Self::new(error, GameRecord::default())
    }
}

/// A position or a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A position, perhaps with scores.
    Position(ScoredPosition),
    /// A game, perhaps with tags.
    Game(GameRecord),
}

/// One position or game that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Line on which it starts, from 1; of WTHOR the number of the record.
    pub line: usize,
    /// The notation it was in.
    pub format: Format,
    /// What it is.
    pub content: Content,
    /// The whole of it, where there are variations, or things said between the moves that a record has no place for.
    pub tree: Option<Box<Tree>>,
    /// What was doubtful about it.
    pub warnings: Vec<Warning>,
}

impl Item {
    /// Returns the position, for a game the one after its last move.
    pub const fn position(&self) -> &Position {
        match &self.content {
            Content::Position(scored) => &scored.position,
            Content::Game(record) => record.game.position(),
        }
    }

    /// Returns the game, for a position one without moves.
    pub fn game(&self) -> Game {
        match &self.content {
            Content::Position(scored) => Game::from_position(scored.position),
            Content::Game(record) => record.game.clone(),
        }
    }
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadItem {
    /// Line of the trouble, from 1.
    pub line: usize,
    /// Column of the trouble in characters, from 1.
    pub column: usize,
    /// The notation it seemed to be, if any.
    pub format: Option<Format>,
    /// The start of the offending line.
    pub text: String,
    /// What is wrong.
    pub error: ReadError,
    /// The game up to the trouble, if it is one with at least one legal move before it.
    pub legal: Option<Box<GameRecord>>,
}

impl fmt::Display for BadItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Records of WTHOR are counted, they have no lines.
        if self.format == Some(Format::Wthor) {
            return self.error.fmt(f);
        }
        write!(f, "line {}, column {}: {}", self.line, self.column, self.error)
    }
}

impl std::error::Error for BadItem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Everything that was found in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pasted {
    /// What could be read, in order; never empty when it comes from [`crate::paste`].
    pub items: Vec<Item>,
    /// What could not, in order.
    pub bad: Vec<BadItem>,
}

/// Why nothing at all could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PasteError {
    /// There is nothing but space and comments.
    Empty,
    /// Everything that is there is bad; at least one.
    Bad(Vec<BadItem>),
}

impl fmt::Display for PasteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is no position or game here"),
            Self::Bad(bad) => {
                if let Some(first) = bad.first() {
                    first.fmt(f)?;
                }
                match bad.len() {
                    0 | 1 => Ok(()),
                    n => write!(f, " (and {} more)", n - 1),
                }
            }
        }
    }
}

impl std::error::Error for PasteError {}
