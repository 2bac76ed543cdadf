//! Opening books: asked for one position at a time; answers are those of `api`, as JSON.

use crate::game::Game;
use outflank_api::book::{show, stats};
use outflank_book::Look as _;
use outflank_study::book::Shelf;
use pyo3::{
    exceptions::{PyOSError, PyValueError},
    prelude::*,
};
use serde::Serialize;
use std::{fmt, path::PathBuf};

/// Returns an answer as JSON.
pub(crate) fn json(answer: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(answer).map_err(|error| failed(&error))
}

/// Returns the error of what cannot be answered.
pub(crate) fn failed(error: &dyn fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A file that is not there is an error of the system, with its number, by which Python chooses the class.
pub(crate) fn must_be_there(path: &PathBuf) -> PyResult<()> {
    match std::fs::metadata(path) {
        Ok(_) => Ok(()),
        Err(error) => Err(match error.raw_os_error() {
            Some(number) => PyOSError::new_err((number, error.to_string(), path.clone())),
            None => PyOSError::new_err(format!("{}: {error}", path.display())),
        }),
    }
}

/// An opening book: that of a file, which stays there, or the one inside the package.
#[pyclass(frozen, module = "outflank._core")]
pub(crate) struct Book(Shelf);

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Self> {
        let Some(path) = path else {
            let starter = Shelf::starter();
            return starter
                .map(Self)
                .ok_or_else(|| PyValueError::new_err("the package was built without a book: name a file"));
        };
        must_be_there(&path)?;
        let opened = py.detach(|| Shelf::open(&path));
        opened.map(Self).map_err(|error| failed(&error))
    }

    /// Returns what the book says about the last position of a game, an `api::book::BookPosition`.
    fn show(&self, py: Python<'_>, game: &Game) -> PyResult<String> {
        let played = game.lock().game.clone();
        let shown = py.detach(|| show(&self.0, &played));
        json(&shown.map_err(|error| failed(&error))?)
    }

    /// Returns what is in the book, an `api::book::BookStats`.
    fn stats(&self, py: Python<'_>) -> PyResult<String> {
        let counted = py.detach(|| self.0.worked().map(|book| stats(&book)));
        json(&counted.map_err(|error| failed(&error))?)
    }

    fn __len__(&self) -> usize {
        self.0.positions() as usize
    }
}
