//! A book that several parties use, any of whom may put another in its place.

use crate::Look;
use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A book that can be asked from any thread.
pub type AnyBook = Arc<dyn Look + Send + Sync>;

/// A book, or none, that several parties have: when one of them takes another book, all have it.
#[derive(Clone, Default)]
pub struct SharedBook(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    book: Option<AnyBook>,
    /// Whether it is only looked at, and no move is played from it.
    is_closed: bool,
}

impl fmt::Debug for SharedBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedBook").finish_non_exhaustive()
    }
}

impl SharedBook {
    /// Returns a book to share, or the place for one.
    pub fn new(book: Option<AnyBook>) -> Self {
        let shared = Self::default();
        shared.put(book);
        shared
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the book, to look at.
    pub fn get(&self) -> Option<AnyBook> {
        self.state().book.clone()
    }

    /// Returns the book if moves are played from it.
    pub fn to_play(&self) -> Option<AnyBook> {
        let state = self.state();
        state.book.clone().filter(|_| !state.is_closed)
    }

    /// Takes another book, or none.
    pub fn put(&self, book: Option<AnyBook>) {
        self.state().book = book;
    }

    /// Says whether moves are played from it; they are until somebody says otherwise.
    pub fn play_from_it(&self, play: bool) {
        self.state().is_closed = !play;
    }
}
