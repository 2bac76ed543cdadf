//! The opening book of a dialogue: what it says about a position, and another one in its place.

use outflank_book::{AnyBook, Continuation, Move as BookMove, SharedBook, View, continuation};
use outflank_eval::Score;
use outflank_othello::{Move, Position};
use std::{fmt, sync::Arc};

/// Opens the book that the other side names, or says why it cannot be had.
type OpenBook = Arc<dyn Fn(&str) -> Result<AnyBook, String> + Send + Sync>;

/// The opening book that the other side can ask about; the engine behind the dialogue plays from the same one.
#[derive(Clone, Default)]
pub struct DialogueBook {
    shared: SharedBook,
    open: Option<OpenBook>,
}

impl fmt::Debug for DialogueBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DialogueBook")
            .field("opens", &self.open.is_some())
            .finish_non_exhaustive()
    }
}

/// What a book says about a move.
#[derive(Clone, Debug, PartialEq)]
pub struct BookLine {
    /// The move and what is expected to follow.
    pub moves: Vec<Move>,
    /// What it is worth in discs, for the side to move.
    pub discs: f64,
    /// How far the value looks ahead.
    pub depth: u32,
    /// Whether the value is proved.
    pub proved: bool,
    /// Games in which it was played.
    pub games: u32,
}

impl DialogueBook {
    /// Returns the book that an engine has.
    pub fn new(shared: SharedBook) -> Self {
        Self { shared, open: None }
    }

    /// Lets the other side name another book, which `open` opens.
    #[must_use]
    pub fn with_files(self, open: impl Fn(&str) -> Result<AnyBook, String> + Send + Sync + 'static) -> Self {
        Self {
            open: Some(Arc::new(open)),
            ..self
        }
    }

    /// Takes the book of this name; none if there is no name.
    pub(crate) fn load(&self, name: &str) -> Result<(), String> {
        if name.is_empty() {
            self.shared.put(None);
            return Ok(());
        }
        let open = self.open.as_ref();
        let open = open.ok_or("cannot load a book: this program may not open files")?;
        self.shared.put(Some(open(name)?));
        Ok(())
    }

    /// Says whether the engine plays from it.
    pub(crate) fn play_from_it(&self, play: bool) {
        self.shared.play_from_it(play);
    }

    /// Returns what the book says about the moves of a position, best first; nothing if it does not have the position, or
    /// cannot be read.
    ///
    /// A player who must pass hears what follows the pass.
    pub fn lines(&self, position: &Position) -> Vec<BookLine> {
        let Some(book) = self.shared.get() else {
            return Vec::new();
        };
        let board = position.board();
        let Ok(Some(view)) = View::of(&*book, board) else {
            return Vec::new();
        };
        let line = |mv: &BookMove| {
            let able = if view.passed { board.passed() } else { board };
            let Continuation { mut moves, depth, .. } = continuation(&*book, able, mv)?;
            let mut discs = Score::saturating(mv.units()?).discs();
            if view.passed {
                moves.insert(0, Move::Pass);
                discs = -discs;
            }
            Some(BookLine {
                moves,
                discs: discs + 0.0,
                depth,
                proved: mv.derived.is_proved(),
                games: mv.count.games,
            })
        };
        let lines = view.moves.iter().filter_map(line);
        // All moves after a pass are the one move that there is.
        lines.take(if view.passed { 1 } else { usize::MAX }).collect()
    }
}

impl BookLine {
    /// Returns how much the value is worth, for people: `proved`, `depth 18`.
    pub(crate) fn worth(&self) -> String {
        if self.proved {
            "proved".to_owned()
        } else {
            format!("depth {}", self.depth)
        }
    }

    /// Returns value, worth and games, for people.
    pub(crate) fn said(&self) -> String {
        let games = match self.games {
            0 => String::new(),
            1 => ", 1 game".to_owned(),
            games => format!(", {games} games"),
        };
        format!("{}, {}{games}", crate::text::discs(self.discs), self.worth())
    }
}
