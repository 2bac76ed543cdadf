//! The books of other programs, and books as lines of JSON.

pub mod edax;
pub mod egaroucid;
pub mod json;

use crate::{Added, Book, BookError, Fact, Slot};
use outflank_othello::Board;
use std::fmt;

/// Problems that a report lists; the others are only counted.
const LISTED: usize = 20;

/// What became of a book on its way in or out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions read or written.
    pub positions: u64,
    /// Facts where there was none.
    pub new: u64,
    /// Facts that were worth more than those before.
    pub better: u64,
    /// Facts that were worth less, or there already.
    pub worse: u64,
    /// Positions in which a pass is the only move: left out on the way in, made on the way out.
    pub passes: u64,
    /// Positions left out because the game is over.
    pub ended: u64,
    /// Values that the format has no room for.
    pub left_out: u64,
    /// Links that were turned into the leaf that the format demands.
    pub made_leaves: u64,
    /// Positions that nothing but their value is known of, so that the format cannot have them.
    pub without_moves: u64,
    /// Records that could not be used.
    pub refused: u64,
    /// Why, for the first of them.
    pub problems: Vec<Problem>,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Place of the record, from 0; lines of text from 1.
    pub record: u64,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {}: {}", self.record, self.reason)
    }
}

impl Report {
    pub(crate) fn refuse(&mut self, record: u64, reason: impl Into<String>) {
        self.refused += 1;
        if self.problems.len() < LISTED {
            let reason = reason.into();
            self.problems.push(Problem { record, reason });
        }
    }

    pub(crate) fn add(
        &mut self,
        book: &mut Book,
        board: Board,
        slot: Slot,
        fact: Fact,
    ) -> Result<(), BookError> {
        match book.add(board, slot, fact)? {
            Added::New => self.new += 1,
            Added::Better => self.better += 1,
            Added::Same | Added::Worse => self.worse += 1,
        }
        Ok(())
    }
}

/// Why a file cannot be read as the book of another program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExchangeError {
    /// It is something else.
    #[error("this is no book of {0}")]
    NotOne(&'static str),
    /// It has another version.
    #[error("this book of {program} has version {version}; version {known} can be read")]
    Version {
        /// The program.
        program: &'static str,
        /// The version found.
        version: u8,
        /// The version that is known.
        known: u8,
    },
    /// Too many sources.
    #[error(transparent)]
    Book(#[from] BookError),
    /// A value does not fit.
    #[error("{0}")]
    Option(&'static str),
}
