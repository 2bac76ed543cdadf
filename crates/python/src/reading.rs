//! Texts and files in any notation: all at once, or item by item.

use crate::{errors, game::Game, moves, position::Position};
use outflank_othello::Discs;
use outflank_records::{BadItem, Content, Item, PasteError, paste_bytes, read_items};
use pyo3::{
    IntoPyObjectExt as _,
    exceptions::{PyOSError, PyTypeError},
    prelude::*,
    types::PyDict,
};
use std::{
    fs::File,
    io::BufReader,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// Returns what `outflank._results.Item` is made of: line, notation, position, game, value, scores, comment, doubts.
fn to_python<'py>(py: Python<'py>, item: &Item) -> PyResult<Bound<'py, PyAny>> {
    let scores = PyDict::new(py);
    let (game, value, comment) = match &item.content {
        Content::Game(_) => (Some(Game::of_item(item)), None, None),
        Content::Position(scored) => {
            for score in &scored.scores {
                scores.set_item(moves::to_python(py, score.mv)?, score.discs.get())?;
            }
            let value = scored.expected().map(Discs::get);
            (None, value, Some(scored.comment.clone()))
        }
    };
    let warnings: Vec<String> = item.warnings.iter().map(ToString::to_string).collect();
    (
        item.line,
        item.format.to_string(),
        Position(*item.position()),
        game,
        value,
        scores,
        comment.unwrap_or_default(),
        warnings,
    )
        .into_bound_py_any(py)
}

/// Reads everything in a text: the items, and the errors of what cannot be read.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "two lists, which Python unpacks")]
pub(crate) fn parse<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
) -> PyResult<(Vec<Bound<'py, PyAny>>, Vec<Py<PyAny>>)> {
    let bytes = if let Ok(text) = text.extract::<String>() {
        text.into_bytes()
    } else if let Ok(bytes) = text.extract::<Vec<u8>>() {
        bytes
    } else {
        return Err(PyTypeError::new_err("a text or bytes are read, nothing else"));
    };
    let read = py.detach(|| paste_bytes(&bytes));
    let (items, bad) = match read {
        Ok(pasted) => (pasted.items, pasted.bad),
        Err(PasteError::Empty) => (Vec::new(), Vec::new()),
        Err(PasteError::Bad(bad)) => (Vec::new(), bad),
    };
    let items: PyResult<Vec<_>> = items.iter().map(|item| to_python(py, item)).collect();
    let bad = bad
        .iter()
        .map(|bad| errors::bad_item(py, bad).into_value(py).into_any());
    Ok((items?, bad.collect()))
}

/// The items of a file, one after the other.
#[pyclass(frozen, module = "outflank._core")]
pub(crate) struct Items(Mutex<outflank_records::Items<BufReader<File>>>);

#[pymethods]
impl Items {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let next: Option<Result<Item, BadItem>> =
            py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).next());
        match next {
            None => Ok(None),
            Some(Ok(item)) => to_python(py, &item).map(Some),
            Some(Err(bad)) => Ok(Some(
                errors::bad_item(py, &bad)
                    .into_value(py)
                    .into_bound(py)
                    .into_any(),
            )),
        }
    }
}

/// Reads a file of any size: items, and errors in their places.
#[pyfunction]
pub(crate) fn read(path: PathBuf) -> PyResult<Items> {
    let file = File::open(&path).map_err(|error| {
        let number = error.raw_os_error();
        // With a number Python makes `FileNotFoundError` and its like of it.
        match number {
            Some(number) => PyOSError::new_err((number, error.to_string(), path)),
            None => PyOSError::new_err(format!("{}: {error}", path.display())),
        }
    })?;
    Ok(Items(Mutex::new(read_items(BufReader::new(file)))))
}
