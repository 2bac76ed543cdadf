//! Looking a position up, in its own orientation.

use crate::{
    BookFile, Derived, Entry, FileError, Move, ReadAt, SourceId, Worked, derive,
    place::{Place, distinct_move},
};
use outflank_othello::{Board, Square, Symmetry};

/// A book that can be asked, in memory or in its file.
pub trait Look {
    /// Returns what is known about the position with this key, and what follows about it.
    ///
    /// # Errors
    ///
    /// The book cannot be read.
    fn find(&self, key: Board) -> Result<Option<(Entry, Derived)>, FileError>;

    /// Returns the name of a source of the book.
    fn source_name(&self, source: SourceId) -> &str;

    /// Returns the number of positions.
    fn positions(&self) -> u64;
}

impl Look for Worked {
    fn find(&self, key: Board) -> Result<Option<(Entry, Derived)>, FileError> {
        let entry = self.book().get(key);
        Ok(entry.and_then(|entry| Some((entry.clone(), *self.derived(key)?))))
    }

    fn source_name(&self, source: SourceId) -> &str {
        self.book().source_name(source)
    }

    fn positions(&self) -> u64 {
        self.book().len() as u64
    }
}

impl<R: ReadAt> Look for BookFile<R> {
    fn find(&self, key: Board) -> Result<Option<(Entry, Derived)>, FileError> {
        Self::find(self, key)
    }

    fn source_name(&self, source: SourceId) -> &str {
        self.sources().get(source.index()).map_or("", String::as_str)
    }

    fn positions(&self) -> u64 {
        self.len()
    }
}

/// A position of a book, in the orientation in which it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// What follows about the position; for the player who can move, also where the other one must pass first.
    pub derived: Derived,
    /// Whether the player to move must pass first.
    pub passed: bool,
    /// What is known about the position itself.
    pub entry: Entry,
    /// Every legal move, best first, those without a value last; of moves that are images of each other only one.
    pub moves: Vec<Move>,
    key: Board,
    symmetry: Symmetry,
}

impl View {
    /// Looks `board` up; `None` if it is not in the book, or the game is over.
    ///
    /// # Errors
    ///
    /// The book cannot be read.
    pub fn of(book: &dyn Look, board: Board) -> Result<Option<Self>, FileError> {
        let Place::Node {
            key,
            symmetry,
            passed,
        } = Place::of(board)
        else {
            return Ok(None);
        };
        let Some((entry, derived)) = book.find(key)? else {
            return Ok(None);
        };
        let next = |key| Ok::<_, FileError>(book.find(key)?.map(|(_, derived)| derived));
        let mut moves = derive::moves(key, &entry, next)?;
        let back = symmetry.inverse();
        for mv in &mut moves {
            mv.square = back.square(mv.square);
        }
        // Stable, so that equal moves stand by the squares of the key, whatever the orientation.
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.derived.value));
        Ok(Some(Self {
            derived,
            passed,
            entry,
            moves,
            key,
            symmetry,
        }))
    }

    /// Returns the move on `square`, or the one that it is an image of.
    pub fn find(&self, square: Square) -> Option<&Move> {
        let wanted = distinct_move(self.key, self.symmetry.square(square));
        let mut moves = self.moves.iter();
        moves.find(|mv| distinct_move(self.key, self.symmetry.square(mv.square)) == wanted)
    }

    /// Returns how much a move gives away, in units.
    pub fn loss(&self, mv: &Move) -> Option<i32> {
        derive::loss(&self.derived, mv)
    }
}
