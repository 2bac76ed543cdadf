//! Moves and colors: Python's are the enumerations of `outflank._types`, in the order of their numbers.

use outflank_othello::{Color, Move, Square};
use pyo3::{exceptions::PyTypeError, prelude::*, sync::PyOnceLock};

/// The number of a pass; squares are 0 to 63, a1 first.
pub(crate) const PASS: u8 = 64;

static MOVES: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();
static COLORS: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();

/// Returns the members of an enumeration of `outflank._types`, which are made once for each interpreter.
fn members<'a>(
    py: Python<'_>,
    cell: &'a PyOnceLock<Vec<Py<PyAny>>>,
    name: &str,
) -> PyResult<&'a Vec<Py<PyAny>>> {
    cell.get_or_try_init(py, || {
        let class = py.import("outflank._types")?.getattr(name)?;
        class.try_iter()?.map(|member| Ok(member?.unbind())).collect()
    })
}

/// Returns the number of a move.
pub(crate) fn number(mv: Move) -> u8 {
    mv.square().map_or(PASS, |square| square.index() as u8)
}

/// Returns the move of that number, if there is one.
pub(crate) fn of_number(number: i64) -> Option<Move> {
    if number == i64::from(PASS) {
        return Some(Move::Pass);
    }
    usize::try_from(number)
        .ok()
        .and_then(Square::from_index)
        .map(Move::Place)
}

/// Returns Python's move.
pub(crate) fn to_python(py: Python<'_>, mv: Move) -> PyResult<Py<PyAny>> {
    Ok(members(py, &MOVES, "Move")?[usize::from(number(mv))].clone_ref(py))
}

/// Returns Python's moves.
pub(crate) fn all_to_python(py: Python<'_>, moves: &[Move]) -> PyResult<Vec<Py<PyAny>>> {
    moves.iter().map(|&mv| to_python(py, mv)).collect()
}

/// Returns Python's color.
pub(crate) fn color_to_python(py: Python<'_>, color: Color) -> PyResult<Py<PyAny>> {
    Ok(members(py, &COLORS, "Color")?[color as usize].clone_ref(py))
}

/// Reads a color: 0 is black, 1 is white.
pub(crate) fn color(number: u8) -> PyResult<Color> {
    match number {
        0 => Ok(Color::Black),
        1 => Ok(Color::White),
        _ => Err(PyTypeError::new_err(format!(
            "{number} is no color: Color.BLACK (0) or Color.WHITE (1)"
        ))),
    }
}

/// A move as Python may give it: a `Move`, its number, or a text such as `d3` or `pass`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveLike(pub(crate) Move);

impl<'py> FromPyObject<'_, 'py> for MoveLike {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(number) = object.extract::<i64>() {
            return of_number(number).map(Self).ok_or_else(|| {
                let message = format!("{number} is no move: squares are 0 (a1) to 63 (h8), a pass is 64");
                pyo3::exceptions::PyValueError::new_err(message)
            });
        }
        let Ok(text) = object.extract::<String>() else {
            return Err(PyTypeError::new_err(
                "a move is a Move, a number or a text such as d3",
            ));
        };
        // The same words as Python's `Move("…")`.
        let class = object.py().import("outflank._types")?.getattr("Move")?;
        let number: i64 = class.call1((text,))?.extract()?;
        of_number(number)
            .map(Self)
            .ok_or_else(|| PyTypeError::new_err("Move has members that are no moves"))
    }
}
