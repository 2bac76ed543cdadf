//! Loops over rows: blocks, threads, the first bad row.

use crate::{errors, moves};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods as _};
use outflank_othello::{Bitboard, Board, Color, IllegalMove, Move, Position};
use pyo3::{exceptions::PyValueError, prelude::*};
use std::thread;

/// Rows that one thread works on between two looks for signals: some milliseconds, or tens where a row is much work.
const BLOCK: usize = 1 << 16;

/// Why a row is none.
#[derive(Clone, Copy, Debug)]
pub(super) enum Problem {
    /// Discs of both colors on these squares.
    Overlap(Bitboard),
    /// A number that is no move.
    NoMove(u8),
    /// A move that the rules do not allow.
    Illegal(Move, IllegalMove),
}

/// As many where rows are sorted first: the more, the better, in some tenths of a second.
pub(super) const SORTED_BLOCK: usize = 1 << 18;

/// A problem with its row.
pub(super) type Bad = (usize, Problem);

/// Returns the rows of an array.
pub(super) fn rows_of<'a>(boards: &'a PyReadonlyArray2<'_, u64>) -> PyResult<&'a [[u64; 2]]> {
    let shape = boards.shape();
    if shape[1] != 2 {
        return Err(PyValueError::new_err(format!(
            "boards are an array of shape (N, 2), the discs of the player to move and of the opponent, not ({}, {})",
            shape[0], shape[1]
        )));
    }
    Ok(boards.as_slice()?.as_chunks().0)
}

/// Returns the board of a row.
#[inline]
pub(super) fn board_of([player, opponent]: [u64; 2]) -> Result<Board, Problem> {
    let (player, opponent) = (Bitboard::new(player), Bitboard::new(opponent));
    Board::new(player, opponent).ok_or(Problem::Overlap(player & opponent))
}

/// Returns the positions of all rows; which color is to move does not matter.
pub(super) fn positions_of(py: Python<'_>, boards: &PyReadonlyArray2<'_, u64>) -> PyResult<Vec<Position>> {
    let position = |(index, row): (usize, &[u64; 2])| match board_of(*row) {
        Ok(board) => Ok(Position::new(board, Color::Black)),
        Err(problem) => Err(error(py, (index, problem))),
    };
    rows_of(boards)?.iter().enumerate().map(position).collect()
}

/// Returns the exception that names the row.
fn error(py: Python<'_>, (row, problem): Bad) -> PyErr {
    match problem {
        Problem::Overlap(squares) => {
            let squares: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
            let message = format!("row {row}: discs of both colors on {}", squares.join(" "));
            errors::raise(py, "SetupError", (message,))
        }
        Problem::NoMove(number) => PyValueError::new_err(format!(
            "row {row}: {number} is no move: squares are 0 (a1) to 63 (h8), a pass is 64"
        )),
        Problem::Illegal(mv, reason) => match moves::to_python(py, mv) {
            Ok(mv) => errors::raise(
                py,
                "IllegalMoveError",
                (format!("row {row}: {reason}"), mv, py.None(), row),
            ),
            Err(error) => error,
        },
    }
}

/// Returns what `work` makes of each row.
pub(super) fn map_rows<T: Copy + Send>(
    py: Python<'_>,
    rows: &[[u64; 2]],
    nothing: T,
    threads: usize,
    work: impl Fn([u64; 2]) -> Result<T, Problem> + Sync,
) -> PyResult<Vec<T>> {
    map_pairs(py, rows, rows, nothing, threads, |row, _| work(row))
}

/// Returns what `work` makes of each row with what belongs to it.
pub(super) fn map_pairs<W: Sync, T: Copy + Send>(
    py: Python<'_>,
    rows: &[[u64; 2]],
    with: &[W],
    nothing: T,
    threads: usize,
    work: impl Fn([u64; 2], &W) -> Result<T, Problem> + Sync,
) -> PyResult<Vec<T>> {
    map_parts(py, rows, nothing, (threads, BLOCK), |first, rows, out| {
        let with = &with[first..first + rows.len()];
        for (index, ((row, with), out)) in rows.iter().zip(with).zip(out).enumerate() {
            *out = work(*row, with).map_err(|problem| (first + index, problem))?;
        }
        Ok(())
    })
}

/// Lets `work` write what it makes of the rows, a block for each thread at a time, whose first row has the number that it is
/// told.
pub(super) fn map_parts<T: Copy + Send>(
    py: Python<'_>,
    rows: &[[u64; 2]],
    nothing: T,
    (threads, block): (usize, usize),
    work: impl Fn(usize, &[[u64; 2]], &mut [T]) -> Result<(), Bad> + Sync,
) -> PyResult<Vec<T>> {
    let mut out = vec![nothing; rows.len()];
    let threads = threads.max(1);
    let block = block * threads;
    let blocks = rows.chunks(block).zip(out.chunks_mut(block));
    for (number, (rows, out)) in blocks.enumerate() {
        let first = number * block;
        let done = py.detach(|| {
            if threads == 1 {
                return work(first, rows, out);
            }
            let share = rows.len().div_ceil(threads);
            thread::scope(|scope| {
                let parts = rows.chunks(share).zip(out.chunks_mut(share));
                let running: Vec<_> = parts
                    .enumerate()
                    .map(|(n, (rows, out))| {
                        let work = &work;
                        scope.spawn(move || work(first + n * share, rows, out))
                    })
                    .collect();
                // In order, so that the first bad row is named whoever finds it.
                let ends = running.into_iter().map(|thread| {
                    thread
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                });
                ends.collect::<Vec<_>>().into_iter().collect()
            })
        });
        done.map_err(|bad| error(py, bad))?;
        py.check_signals()?;
    }
    Ok(out)
}

/// Returns everything that `work` adds for the rows, in their order, in several parts.
pub(super) fn collect_rows<T: Send>(
    py: Python<'_>,
    rows: &[[u64; 2]],
    threads: usize,
    work: impl Fn(usize, [u64; 2], &mut Vec<T>) -> Result<(), Problem> + Sync,
) -> PyResult<Vec<Vec<T>>> {
    let threads = threads.max(1);
    let mut found = Vec::new();
    for (number, block) in rows.chunks(BLOCK * threads).enumerate() {
        let share = block.len().div_ceil(threads).max(1);
        let part = |first: usize, rows: &[[u64; 2]]| -> Result<Vec<T>, Bad> {
            let mut found = Vec::new();
            for (index, row) in rows.iter().enumerate() {
                work(first + index, *row, &mut found).map_err(|problem| (first + index, problem))?;
            }
            Ok(found)
        };
        let parts: Vec<Result<Vec<T>, Bad>> = py.detach(|| {
            thread::scope(|scope| {
                let running: Vec<_> = block
                    .chunks(share)
                    .enumerate()
                    .map(|(n, rows)| {
                        let part = &part;
                        scope.spawn(move || part(number * BLOCK * threads + n * share, rows))
                    })
                    .collect();
                let ends = running.into_iter().map(|thread| {
                    thread
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                });
                ends.collect()
            })
        });
        for part in parts {
            found.push(part.map_err(|bad| error(py, bad))?);
        }
        py.check_signals()?;
    }
    Ok(found)
}
