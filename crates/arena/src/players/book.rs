//! What the description of a player of Othello says about an opening book.
//!
//! Books are opened and looked at by crates that this one does not know: they say how when they register the players.

use crate::player::Failure;
use outflank_eval::Score;
use outflank_othello::Position;
use outflank_search::Engine;
use std::sync::Arc;

/// An engine of Othello, of whatever make.
pub type OthelloPlayer = Box<dyn Engine<Game = Position, Value = Score>>;

/// Puts a book before an engine, for one player.
pub type WithBook = Arc<dyn Fn(OthelloPlayer) -> Result<OthelloPlayer, Failure> + Send + Sync>;

/// Opens the book of a description, or says what is wrong with it.
pub type OpenBook = Arc<dyn Fn(&BookOptions) -> Result<WithBook, String> + Send + Sync>;

/// The options of a description that concern a book, as they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookOptions {
    /// The file after `--book`.
    pub file: String,
    /// The discs after `--book-random`: choose among the moves that lose no more.
    pub random: Option<String>,
    /// The discs after `--book-human`: choose as often as people do among the moves that lose no more.
    pub human: Option<String>,
}

impl BookOptions {
    /// Takes an option and its value over; `false` if it does not concern a book.
    pub(super) fn take(&mut self, option: &str, text: &str) -> bool {
        match option {
            "--book" => text.clone_into(&mut self.file),
            "--book-random" => self.random = Some(text.to_owned()),
            "--book-human" => self.human = Some(text.to_owned()),
            _ => return false,
        }
        true
    }

    /// Returns what puts the book before an engine, with `open`, if there is a book in the description.
    pub(super) fn open(&self, open: Option<&OpenBook>) -> Result<Option<WithBook>, String> {
        let (random, human) = (self.random.is_some(), self.human.is_some());
        if random && human {
            return Err("--book-random and --book-human exclude each other".to_owned());
        }
        if !self.file.is_empty() {
            let open = open.ok_or("no book can be opened from here")?;
            return open(self).map(Some);
        }
        if random || human {
            return Err(
                "--book-random and --book-human choose from a book: name it with --book FILE".to_owned(),
            );
        }
        Ok(None)
    }
}
