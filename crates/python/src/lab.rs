//! The textbook searches, with an evaluation of the laboratory or a function of Python's.
//!
//! A function of Python's is called in the caller's thread. A search cannot fail, so that what the function raises is kept,
//! the search is stopped, and the exception comes out at its end.

use crate::{
    jobs::Job,
    moves,
    position::{Position as Object, PositionLike},
};
use outflank_game::{Evaluate, Outcome};
use outflank_lab::{
    evaluation::Evaluation,
    players::{method_names, parse_method},
};
use outflank_othello::{Move, Position};
use outflank_search::{Control, StopToken};
use outflank_textbook::{Report, Settings, Ties, search_within};
use pyo3::{
    IntoPyObjectExt as _,
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};
use std::cell::{Cell, RefCell};

/// A float is worth so many units, so that decimals count.
const UNITS: f64 = 1000.0;
/// No value may be greater than this: a won game is worth more.
const GREATEST: i64 = 1_000_000;
/// Calls between two looks for signals.
const CALLS: u32 = 1024;

/// A function of Python's as an evaluation.
struct Called<'a, 'py> {
    function: &'a Bound<'py, PyAny>,
    /// Whether it takes the two sets of discs in place of a position.
    takes_bitboards: bool,
    stop: &'a StopToken,
    calls: Cell<u32>,
    error: RefCell<Option<PyErr>>,
}

impl Called<'_, '_> {
    fn call(&self, position: &Position) -> PyResult<i32> {
        let py = self.function.py();
        self.calls.set(self.calls.get() + 1);
        if self.calls.get().is_multiple_of(CALLS) {
            py.check_signals()?;
        }
        let board = position.board();
        let value = if self.takes_bitboards {
            self.function
                .call1((board.player().bits(), board.opponent().bits()))?
        } else {
            self.function.call1((Object(*position),))?
        };
        let units = if let Ok(number) = value.extract::<i64>() {
            Some(number)
        } else {
            let float = value.extract::<f64>().map_err(|_| {
                PyTypeError::new_err(format!("the evaluation gave {value:?} for {position}, no number"))
            })?;
            Some((float * UNITS).round())
                .filter(|units| units.is_finite())
                .map(|units| units as i64)
        };
        match units.filter(|units| units.abs() <= GREATEST) {
            Some(units) => Ok(units as i32),
            None => Err(PyValueError::new_err(format!(
                "the evaluation gave {value:?} for {position}: whole numbers up to {GREATEST} either way, or floats up to a \
                 thousandth of that"
            ))),
        }
    }
}

impl Evaluate<Position> for Called<'_, '_> {
    fn evaluate(&self, position: &Position) -> i32 {
        if self.error.borrow().is_some() {
            return 0;
        }
        self.call(position).unwrap_or_else(|error| {
            *self.error.borrow_mut() = Some(error);
            self.stop.stop();
            0
        })
    }

    fn outcome_value(&self, outcome: Outcome) -> i32 {
        // As the evaluations of the laboratory count the end of a game.
        Evaluate::<Position>::outcome_value(&Evaluation::Phase, outcome)
    }
}

/// Returns value, move, line, depth, whether it is complete, and the counters.
fn to_python(py: Python<'_>, report: &Report<Move>) -> PyResult<Py<PyAny>> {
    let counters = report.counters;
    (
        report.value,
        report.best.map(|mv| moves::to_python(py, mv)).transpose()?,
        moves::all_to_python(py, &report.line)?,
        report.depth,
        report.complete,
        [
            counters.nodes,
            counters.evaluations,
            counters.probes,
            counters.hits,
            counters.cutoffs,
        ],
    )
        .into_py_any(py)
}

fn settings(method: &str, ties_seed: Option<u64>) -> PyResult<Settings> {
    let (method, order) = parse_method(method).map_err(|_| {
        PyValueError::new_err(format!(
            "{method:?} is no method: one of {}, each also with +order",
            method_names().join(", ")
        ))
    })?;
    Ok(Settings {
        method,
        order,
        ties: ties_seed.map_or(Ties::First, |seed| Ties::Random { seed }),
    })
}

/// Searches with a function of Python's, in the caller's thread.
#[pyfunction]
pub(crate) fn lab_search(
    position: PositionLike,
    function: &Bound<'_, PyAny>,
    method: &str,
    depth: u32,
    ties_seed: Option<u64>,
    bitboards: bool,
) -> PyResult<Py<PyAny>> {
    let settings = settings(method, ties_seed)?;
    let stop = StopToken::new();
    let called = Called {
        function,
        takes_bitboards: bitboards,
        stop: &stop,
        calls: Cell::new(0),
        error: RefCell::new(None),
    };
    let report = search_within(
        &settings,
        &position.0,
        &called,
        depth,
        &Control::stopped_by(&stop),
    );
    match called.error.into_inner() {
        Some(error) => Err(error),
        None => to_python(function.py(), &report),
    }
}

/// Starts a search with an evaluation of the laboratory.
#[pyfunction]
pub(crate) fn lab_search_named(
    position: PositionLike,
    evaluation: &str,
    method: &str,
    depth: u32,
    ties_seed: Option<u64>,
) -> PyResult<Job> {
    let settings = settings(method, ties_seed)?;
    let found = Evaluation::by_name(evaluation).ok_or_else(|| {
        PyValueError::new_err(format!(
            "{evaluation:?} is no evaluation of the laboratory, such as squares, phase, e, mobility or corners+mobility"
        ))
    })?;
    Ok(Job::start(move |stop, _| {
        let report = search_within(&settings, &position.0, &found, depth, &Control::stopped_by(stop));
        Box::new(move |py| to_python(py, &report))
    }))
}

/// The names of the textbook methods; each also with `+order`, for moves ordered by evaluation.
#[pyfunction]
pub(crate) fn lab_methods() -> Vec<String> {
    method_names()
}

/// The value of an evaluation of the laboratory, for the player to move.
#[pyfunction]
pub(crate) fn lab_evaluate(position: PositionLike, evaluation: &str) -> PyResult<i32> {
    let found = Evaluation::by_name(evaluation);
    found
        .map(|evaluation| Evaluate::evaluate(&evaluation, &position.0))
        .ok_or_else(|| PyValueError::new_err(format!("{evaluation:?} is no evaluation of the laboratory")))
}
