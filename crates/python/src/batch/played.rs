//! Games as rows of moves, played again: the boards before each disc.

use super::{give, long::NO_MOVE, rows::positions_of};
use crate::{errors, moves};
use numpy::{IntoPyArray as _, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods as _};
use outflank_othello::{Color, Game, Move, Position, Square};
use pyo3::{IntoPyObjectExt as _, exceptions::PyValueError, prelude::*};

/// Games between two looks for signals.
const BLOCK: usize = 1 << 10;

/// Boards and the colors to move.
type Starts<'py> = (PyReadonlyArray2<'py, u64>, PyReadonlyArray1<'py, u8>);

/// Returns the positions before `n` games.
fn starts_of(py: Python<'_>, (boards, sides): &Starts<'_>, n: usize) -> PyResult<Vec<Position>> {
    let positions = positions_of(py, boards)?;
    let sides = sides.as_slice()?;
    if positions.len() != n || sides.len() != n {
        let message = format!(
            "{} starts and {} colors for {n} games",
            positions.len(),
            sides.len()
        );
        return Err(PyValueError::new_err(message));
    }
    let side = |&number: &u8| if number == 0 { Color::Black } else { Color::White };
    let starts = positions.iter().zip(sides);
    Ok(starts
        .map(|(position, number)| Position::new(position.board(), side(number)))
        .collect())
}

/// The columns of what was played.
#[derive(Default)]
struct Replay {
    boards: Vec<[u64; 2]>,
    /// Where each game begins, and the end of the last one.
    offsets: Vec<i64>,
    mv: Vec<u8>,
    side: Vec<u8>,
    passed: Vec<bool>,
}

impl Replay {
    /// Adds a game; an error is the place of the move in its row, and what it is.
    fn push(&mut self, row: &[u8], start: Position) -> Result<(), (usize, Game, Option<Move>)> {
        let mut game = Game::from_position(start);
        for (ply, &number) in row.iter().take_while(|&&number| number != NO_MOVE).enumerate() {
            let Some(square) = Square::from_index(usize::from(number)) else {
                return Err((ply, game, None));
            };
            let passed = game.position().board().must_pass();
            let before = *game.position();
            if game.place(square).is_err() {
                return Err((ply, game, Some(Move::Place(square))));
            }
            let (board, side) = if passed {
                (before.board().passed(), !before.side())
            } else {
                (before.board(), before.side())
            };
            self.boards.push([board.player().bits(), board.opponent().bits()]);
            self.mv.push(number);
            self.side.push(u8::from(side == Color::White));
            self.passed.push(passed);
        }
        self.offsets.push(self.boards.len() as i64);
        Ok(())
    }
}

/// Plays games again, one a row of squares, ended by 255; passes are not among them: boards before each disc, where the
/// games begin, the moves, who moves, and whether the other side has passed. `starts` are the boards and the colors to
/// move before each game, if they are not the usual ones.
#[pyfunction]
#[pyo3(signature = (games, starts = None))]
pub(crate) fn replay(
    py: Python<'_>,
    games: PyReadonlyArray2<'_, u8>,
    starts: Option<Starts<'_>>,
) -> PyResult<Py<PyAny>> {
    let width = games.shape()[1];
    if width == 0 {
        return Err(PyValueError::new_err(
            "games are an array of shape (N, 60), not of no columns",
        ));
    }
    let mut found = Replay::default();
    found.offsets.push(0);
    let starts = starts
        .map(|starts| starts_of(py, &starts, games.shape()[0]))
        .transpose()?;
    for (number, block) in games.as_slice()?.chunks(BLOCK * width).enumerate() {
        let bad = py.detach(|| {
            let mut rows = block.chunks(width).enumerate();
            rows.find_map(|(row, moves)| {
                let start = starts
                    .as_ref()
                    .map_or_else(Position::start, |starts| starts[number * BLOCK + row]);
                found.push(moves, start).err().map(|bad| (row, bad))
            })
        });
        if let Some((row, (ply, mut game, mv))) = bad {
            let row = number * BLOCK + row;
            let place = format!("row {row}, move {}", ply + 1);
            let Some(Move::Place(square)) = mv else {
                return Err(PyValueError::new_err(format!(
                    "{place}: squares are 0 (a1) to 63 (h8), 255 ends a game"
                )));
            };
            let reason = match game.place(square) {
                Err(error) => error.reason.to_string(),
                Ok(()) => String::new(),
            };
            let mv = moves::to_python(py, Move::Place(square))?;
            let args = (format!("{place}: {reason}"), mv, py.None(), row);
            return Err(errors::raise(py, "IllegalMoveError", args));
        }
        py.check_signals()?;
    }
    (
        give(py, found.boards)?,
        found.offsets.into_pyarray(py),
        found.mv.into_pyarray(py),
        found.side.into_pyarray(py),
        found.passed.into_pyarray(py),
    )
        .into_py_any(py)
}
