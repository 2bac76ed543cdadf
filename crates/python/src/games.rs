//! Collections of games: a database, or files that are read into memory; questions and answers are those of `api`, as JSON.

use crate::book::{failed, json, must_be_there};
use outflank_api::{
    Error,
    games::{GameObject, explore, list},
};
use outflank_database::Database;
use outflank_games::{Builder, Collection, Store};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use std::{
    fs::File,
    io::{BufReader, Read as _},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The first bytes of a database.
const DATABASE: &[u8] = b"SQLite format 3\0";

enum Kept {
    Database(Box<Database>),
    Memory(Box<Collection>),
}

/// Games that can be asked.
#[pyclass(frozen, module = "outflank._core")]
pub(crate) struct Games {
    kept: Mutex<Kept>,
    /// Games that could not be read.
    #[pyo3(get)]
    bad: usize,
}

/// Returns whether a file is a database.
fn is_database(path: &Path) -> PyResult<bool> {
    let mut head = Vec::new();
    File::open(path)?
        .take(DATABASE.len() as u64)
        .read_to_end(&mut head)?;
    Ok(head == DATABASE)
}

fn question<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| failed(&error))
}

/// A question to a store of any kind.
trait Ask<T> {
    fn ask<S: Store>(&self, store: &S) -> Result<T, Error>;
}

/// How many games there are.
struct Count;

impl Ask<usize> for Count {
    fn ask<S: Store>(&self, store: &S) -> Result<usize, Error> {
        let segments = store
            .segments()
            .map_err(|error| Error::Input(error.to_string()))?;
        Ok(segments.iter().map(|segment| segment.facts.len()).sum())
    }
}

struct Explore(outflank_api::games::ExploreRequest);

impl Ask<outflank_api::games::Explored> for Explore {
    fn ask<S: Store>(&self, store: &S) -> Result<outflank_api::games::Explored, Error> {
        explore(&self.0, store)
    }
}

struct List(outflank_api::games::ListRequest);

impl Ask<(usize, Vec<GameObject>)> for List {
    fn ask<S: Store>(&self, store: &S) -> Result<(usize, Vec<GameObject>), Error> {
        let mut games = Vec::new();
        let total = list(&self.0, store, &mut |game| {
            games.push(game);
            Ok(())
        })?;
        Ok((total, games))
    }
}

impl Games {
    fn ask<T: Send>(&self, py: Python<'_>, question: &(impl Ask<T> + Sync)) -> PyResult<T> {
        let answer = py.detach(
            || match &*self.kept.lock().unwrap_or_else(PoisonError::into_inner) {
                Kept::Database(database) => question.ask(database.as_ref()),
                Kept::Memory(collection) => question.ask(collection.as_ref()),
            },
        );
        answer.map_err(|error| failed(&error))
    }
}

#[pymethods]
impl Games {
    /// One database, or files with games in any notation.
    #[new]
    fn new(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Self> {
        for path in &paths {
            must_be_there(path)?;
        }
        if let [path] = &paths[..]
            && is_database(path)?
        {
            let database = py
                .detach(|| Database::open(path))
                .map_err(|error| failed(&error))?;
            return Ok(Self {
                kept: Mutex::new(Kept::Database(Box::new(database))),
                bad: 0,
            });
        }
        let (mut builder, mut bad) = (Builder::default(), 0);
        for path in &paths {
            let file = File::open(path)?;
            bad += py.detach(|| {
                let names = crate::data::names_beside(path);
                let source = path
                    .file_name()
                    .map_or(String::new(), |name| name.to_string_lossy().into_owned());
                builder.read(&source, BufReader::new(file), crate::data::files(&names))
            });
            py.check_signals()?;
        }
        let collection = py.detach(|| builder.build());
        Ok(Self {
            kept: Mutex::new(Kept::Memory(Box::new(collection))),
            bad,
        })
    }

    /// Answers an `api::games::ExploreRequest` with an `Explored`.
    fn explore(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        json(&self.ask(py, &Explore(question(request)?))?)
    }

    /// Answers an `api::games::ListRequest` with the number of all games and those that are wanted.
    fn list(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        json(&self.ask(py, &List(question(request)?))?)
    }

    fn __len__(&self) -> PyResult<usize> {
        Python::attach(|py| self.ask(py, &Count))
    }
}
