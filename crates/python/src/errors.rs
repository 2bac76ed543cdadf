//! Exceptions: the classes are Python's, `outflank._errors`; here they get what an error of the crates below says.

use crate::{moves, position::Position};
use outflank_othello::{GameError, IllegalMove, Move, Position as Rules};
use outflank_records::{BadItem, PasteError, Problem};
use pyo3::{IntoPyObjectExt as _, call::PyCallArgs, prelude::*};

/// Returns an exception of the class `name` of `outflank._errors`.
pub(crate) fn raise<'py>(py: Python<'py>, name: &str, args: impl PyCallArgs<'py>) -> PyErr {
    let made = py
        .import("outflank._errors")
        .and_then(|module| module.getattr(name)?.call1(args));
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Returns the error of a move that the rules do not allow.
pub(crate) fn illegal(
    py: Python<'_>,
    position: Rules,
    mv: Move,
    reason: IllegalMove,
    index: Option<usize>,
) -> PyErr {
    let message = match index {
        Some(index) => format!("move {}, {mv}: {reason}", index + 1),
        None => reason.to_string(),
    };
    let made = || Ok::<_, PyErr>((moves::to_python(py, mv)?, Position(position).into_py_any(py)?));
    match made() {
        Ok((mv, position)) => raise(py, "IllegalMoveError", (message, mv, position, index)),
        Err(error) => error,
    }
}

/// Returns the error of a move of a game.
pub(crate) fn illegal_in_game(py: Python<'_>, position: Rules, error: GameError) -> PyErr {
    illegal(py, position, error.mv, error.reason, Some(error.number - 1))
}

/// Returns the exception that tells of something that could not be read.
pub(crate) fn bad_item(py: Python<'_>, bad: &BadItem) -> PyErr {
    let args = (
        bad.to_string(),
        bad.line,
        bad.column,
        bad.text.clone(),
        remedy(&bad.error.problem),
    );
    raise(py, "ParseError", args)
}

/// Returns the exception of a text of which nothing can be read.
pub(crate) fn unreadable(py: Python<'_>, error: &PasteError) -> PyErr {
    match error {
        PasteError::Empty => raise(
            py,
            "ParseError",
            ("there is no position or game in the text", 1, 1, "", NOTATIONS),
        ),
        PasteError::Bad(bad) => match bad.first() {
            Some(bad) => bad_item(py, bad),
            None => raise(py, "ParseError", (error_text(error), 1, 1, "", NOTATIONS)),
        },
    }
}

fn error_text(error: &PasteError) -> String {
    format!("{error:?}")
}

const NOTATIONS: &str = "give a board of 64 squares (X, O, -) and the side to move, moves such as f5d6c3, OBF, GGF, SGF, \
                         FEN or WTHOR";

/// Returns what would be right in place of what is wrong.
const fn remedy(problem: &Problem) -> &'static str {
    match problem {
        Problem::SquareCount(_)
        | Problem::BoardCharacter(_)
        | Problem::MixedDialects
        | Problem::Side(_)
        | Problem::Overlap => {
            "a board is 64 squares from a1 to h8, X for black, O for white, - for empty, and then X or O to move"
        }
        Problem::RowCount(_) | Problem::RowLength { .. } | Problem::RowSign { .. } | Problem::NoSide => {
            "a FEN has 8 rows of 8 squares, from the highest to the lowest, and then b or w to move"
        }
        Problem::Illegal(_) | Problem::WrongColor { .. } => {
            "every move has to be legal; the moves before this one are, and passes may be left out"
        }
        Problem::Square(_)
        | Problem::HalfMove(_)
        | Problem::Number(_)
        | Problem::NotAMove(_)
        | Problem::NoMoves => "a move is a letter a to h and a digit 1 to 8, such as f5, or pass",
        Problem::Score(_) | Problem::ScoredTwice => "a score is a whole number of discs from -64 to +64",
        Problem::Utf16 => "save the text as UTF-8",
        _ => NOTATIONS,
    }
}
