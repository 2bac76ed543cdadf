//! Arrays of boards: one row is the discs of the player to move and those of the opponent, bit 0 is a1.
//!
//! The interpreter is released while rows are worked on, a block at a time; between two blocks signals are asked for.

mod long;
mod played;
mod rows;

pub(crate) use long::{NO_VALUE, search, self_play, solve};
pub(crate) use played::replay;

use crate::{evaluator::Evaluator, moves};
use numpy::{
    IntoPyArray as _, PyArray1, PyArray2, PyArray3, PyArray4, PyArrayMethods as _, PyReadonlyArray1,
    PyReadonlyArray2,
};
use outflank_eval::Score;
use outflank_game::SplitMix64;
use outflank_othello::{Bitboard, Board, IllegalMove, Move, Square, Symmetry, stable_discs};
use pyo3::{exceptions::PyValueError, prelude::*};
use rows::{Problem, board_of, collect_rows, map_rows, rows_of};

/// Boards as Python gives them.
type Boards<'py> = PyReadonlyArray2<'py, u64>;
/// Boards as they go back.
type Given<'py> = Bound<'py, PyArray2<u64>>;

/// One number for each row.
type Column<'py, T> = Bound<'py, PyArray1<T>>;

/// Number of columns of a mask: one for each square, and one for the pass.
const MASK: usize = 65;
/// Number of features of a board.
const FEATURES: usize = 18;

const fn words(board: Board) -> [u64; 2] {
    [board.player().bits(), board.opponent().bits()]
}

fn give(py: Python<'_>, boards: Vec<[u64; 2]>) -> PyResult<Given<'_>> {
    let n = boards.len();
    boards.into_flattened().into_pyarray(py).reshape([n, 2])
}

/// Returns moves as a row of numbers, filled up with what is no move.
fn moves_of(moves: &[Move]) -> [u8; long::LINE] {
    let mut row = [long::NO_MOVE; long::LINE];
    for (cell, &mv) in row.iter_mut().zip(moves) {
        *cell = moves::number(mv);
    }
    row
}

/// Writes one byte, 0 or 1, for each of the 64 bits.
fn write_bits(bits: u64, out: &mut [u8]) {
    for (byte, eight) in bits.to_le_bytes().into_iter().zip(out.chunks_exact_mut(8)) {
        for (bit, cell) in eight.iter_mut().enumerate() {
            *cell = byte >> bit & 1;
        }
    }
}

/// Writes the two planes of a board, the mover's first.
pub(crate) fn write_planes(player: u64, opponent: u64, out: &mut [u8]) {
    write_bits(player, &mut out[..64]);
    write_bits(opponent, &mut out[64..]);
}

/// The squares on which the player to move may place a disc, as bits.
#[pyfunction]
#[pyo3(signature = (boards, threads = 1))]
pub(crate) fn legal<'py>(py: Python<'py>, boards: Boards<'py>, threads: usize) -> PyResult<Column<'py, u64>> {
    let rows = rows_of(&boards)?;
    let legal = map_rows(py, rows, 0_u64, threads, |row| {
        Ok(board_of(row)?.legal_moves().bits())
    })?;
    Ok(legal.into_pyarray(py))
}

/// A table of 65 columns, one for each square and the last for the pass: whether the move is legal.
#[pyfunction]
#[pyo3(signature = (boards, threads = 1))]
pub(crate) fn legal_mask<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let rows = rows_of(&boards)?;
    let masks = map_rows(py, rows, [false; MASK], threads, |row| {
        let board = board_of(row)?;
        let legal = board.legal_moves().bits();
        let mut mask = [false; MASK];
        for (square, cell) in mask[..64].iter_mut().enumerate() {
            *cell = legal >> square & 1 != 0;
        }
        mask[64] = legal == 0 && !board.passed().legal_moves().is_empty();
        Ok(mask)
    })?;
    masks
        .into_flattened()
        .into_pyarray(py)
        .reshape([rows.len(), MASK])
}

/// Returns the row after a move.
fn after(row: [u64; 2], number: u8) -> Result<[u64; 2], Problem> {
    let board = board_of(row)?;
    let Some(mv) = moves::of_number(i64::from(number)) else {
        return Err(Problem::NoMove(number));
    };
    if let Move::Place(square) = mv {
        let flips = board.flips(square);
        if !flips.is_empty() {
            return Ok(words(board.play_unchecked(square, flips)));
        }
    }
    board
        .play(mv)
        .map(words)
        .map_err(|reason: IllegalMove| Problem::Illegal(mv, reason))
}

/// Pairs every row with its move.
fn with_moves<'a>(rows: &'a [[u64; 2]], moves: &'a PyReadonlyArray1<'_, u8>) -> PyResult<&'a [u8]> {
    let moves = moves.as_slice()?;
    if moves.len() == rows.len() {
        Ok(moves)
    } else {
        Err(PyValueError::new_err(format!(
            "{} moves for {} boards",
            moves.len(),
            rows.len()
        )))
    }
}

/// The boards after a move each, seen from the other side; with `keep` a row whose move is not legal stays as it is, and
/// the second array says which ones were played.
#[pyfunction]
#[pyo3(signature = (boards, moves, keep = false, threads = 1))]
pub(crate) fn play<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    moves: PyReadonlyArray1<'py, u8>,
    keep: bool,
    threads: usize,
) -> PyResult<(Given<'py>, Option<Column<'py, bool>>)> {
    let rows = rows_of(&boards)?;
    let moves = with_moves(rows, &moves)?;
    if !keep {
        let played = rows::map_pairs(py, rows, moves, [0; 2], threads, |row, &mv| after(row, mv))?;
        return Ok((give(py, played)?, None));
    }
    let played = rows::map_pairs(
        py,
        rows,
        moves,
        ([0; 2], false),
        threads,
        |row, &mv| match after(row, mv) {
            Err(Problem::Overlap(squares)) => Err(Problem::Overlap(squares)),
            Err(_) => Ok((row, false)),
            Ok(next) => Ok((next, true)),
        },
    )?;
    let (played, ok): (Vec<_>, Vec<_>) = played.into_iter().unzip();
    Ok((give(py, played)?, Some(ok.into_pyarray(py))))
}

/// Every board after every legal move, with the row it comes from and the move; a pass where nothing else is legal.
#[pyfunction]
#[pyo3(signature = (boards, threads = 1))]
pub(crate) fn children<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    threads: usize,
) -> PyResult<(Given<'py>, Column<'py, i64>, Column<'py, u8>)> {
    let rows = rows_of(&boards)?;
    let found = collect_rows(py, rows, threads, |index, row, found| {
        let board = board_of(row)?;
        let legal = board.legal_moves();
        for square in legal {
            let next = board.play_unchecked(square, board.flips(square));
            found.push((words(next), index as i64, square.index() as u8));
        }
        if legal.is_empty() && board.must_pass() {
            found.push((words(board.passed()), index as i64, moves::PASS));
        }
        Ok(())
    })?;
    let n = found.iter().map(Vec::len).sum();
    let (mut next, mut parent, mut by) = (
        Vec::with_capacity(n),
        Vec::with_capacity(n),
        Vec::with_capacity(n),
    );
    for (board, index, mv) in found.into_iter().flatten() {
        next.push(board);
        parent.push(index);
        by.push(mv);
    }
    Ok((give(py, next)?, parent.into_pyarray(py), by.into_pyarray(py)))
}

/// Whether neither side can move.
#[pyfunction]
#[pyo3(signature = (boards, threads = 1))]
pub(crate) fn is_over<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    threads: usize,
) -> PyResult<Column<'py, bool>> {
    let rows = rows_of(&boards)?;
    let over = map_rows(py, rows, false, threads, |row| Ok(board_of(row)?.is_game_over()))?;
    Ok(over.into_pyarray(py))
}

/// The margin for the player to move if the game ended here, the empties counted for the winner.
#[pyfunction]
#[pyo3(signature = (boards, threads = 1))]
pub(crate) fn final_scores<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    threads: usize,
) -> PyResult<Column<'py, i8>> {
    let rows = rows_of(&boards)?;
    let scores = map_rows(py, rows, 0_i8, threads, |row| {
        Ok(board_of(row)?.final_discs().get() as i8)
    })?;
    Ok(scores.into_pyarray(py))
}

/// The number of empty squares.
#[pyfunction]
#[pyo3(signature = (boards, threads = 1))]
pub(crate) fn empties<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    threads: usize,
) -> PyResult<Column<'py, u8>> {
    let rows = rows_of(&boards)?;
    let empties = map_rows(py, rows, 0_u8, threads, |row| {
        Ok(board_of(row)?.empties().count() as u8)
    })?;
    Ok(empties.into_pyarray(py))
}

/// The eight images of each board, in the order of the symmetries.
#[pyfunction]
#[pyo3(signature = (boards, threads = 1))]
pub(crate) fn symmetries<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray3<u64>>> {
    let rows = rows_of(&boards)?;
    let images = map_rows(py, rows, [[0; 2]; 8], threads, |row| {
        let board = board_of(row)?;
        Ok(Symmetry::ALL.map(|symmetry| words(board.transformed(symmetry))))
    })?;
    let words = images.into_flattened().into_flattened();
    words.into_pyarray(py).reshape([rows.len(), 8, 2])
}

/// The smallest image of each board, and the number of the symmetry that leads to it.
#[pyfunction]
#[pyo3(signature = (boards, threads = 1))]
pub(crate) fn canonical<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    threads: usize,
) -> PyResult<(Given<'py>, Column<'py, u8>)> {
    let rows = rows_of(&boards)?;
    let images = map_rows(py, rows, ([0; 2], 0), threads, |row| {
        let (board, symmetry) = board_of(row)?.canonical();
        Ok((words(board), symmetry.index() as u8))
    })?;
    let (images, numbers): (Vec<_>, Vec<_>) = images.into_iter().unzip();
    Ok((give(py, images)?, numbers.into_pyarray(py)))
}

/// Which rows are equal; groups in the order of their first rows.
struct Groups {
    first: Vec<i64>,
    counts: Vec<i64>,
    /// For each row the number of its group.
    inverse: Vec<i64>,
}

impl Groups {
    fn of(rows: &[[u64; 2]]) -> Self {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_unstable_by_key(|&row| (rows[row], row));
        let mut groups: Vec<&[usize]> = order.chunk_by(|&a, &b| rows[a] == rows[b]).collect();
        groups.sort_unstable_by_key(|group| group[0]);
        let mut inverse = vec![0; rows.len()];
        for (number, group) in groups.iter().enumerate() {
            for &row in *group {
                inverse[row] = number as i64;
            }
        }
        Self {
            first: groups.iter().map(|group| group[0] as i64).collect(),
            counts: groups.iter().map(|group| group.len() as i64).collect(),
            inverse,
        }
    }
}

/// The distinct boards in the order in which they first occur, each with its first row and how often it occurs, and for
/// every row the number of its board; with `symmetric` the images of a board count as one, and the smallest stands for
/// them.
#[pyfunction]
#[pyo3(signature = (boards, symmetric = true, threads = 1))]
#[expect(clippy::type_complexity, reason = "four arrays, which Python unpacks")]
pub(crate) fn unique<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    symmetric: bool,
    threads: usize,
) -> PyResult<(Given<'py>, Column<'py, i64>, Column<'py, i64>, Column<'py, i64>)> {
    let rows = rows_of(&boards)?;
    let images = map_rows(py, rows, [0; 2], threads, |row| {
        let board = board_of(row)?;
        Ok(words(if symmetric { board.canonical().0 } else { board }))
    })?;
    let groups = py.detach(|| Groups::of(&images));
    let distinct = groups.first.iter().map(|&row| images[row as usize]).collect();
    Ok((
        give(py, distinct)?,
        groups.first.into_pyarray(py),
        groups.inverse.into_pyarray(py),
        groups.counts.into_pyarray(py),
    ))
}

/// Two planes of eight rows and columns for each board, the mover's discs and the opponent's.
#[pyfunction]
#[pyo3(signature = (boards, threads = 1))]
pub(crate) fn to_planes<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray4<u8>>> {
    let rows = rows_of(&boards)?;
    let planes = map_rows(py, rows, [0_u8; 128], threads, |row| {
        let [player, opponent] = words(board_of(row)?);
        let mut planes = [0; 128];
        write_planes(player, opponent, &mut planes);
        Ok(planes)
    })?;
    planes
        .into_flattened()
        .into_pyarray(py)
        .reshape([rows.len(), 2, 8, 8])
}

/// Returns what players talk about, of both sides, the mover's first.
fn features_of(board: Board) -> [u8; FEATURES] {
    let other = board.passed();
    let corners = Bitboard::new(0x8100_0000_0000_0081);
    let x_squares = Bitboard::new(0x0042_0000_0000_4200);
    let c_squares = Bitboard::new(0x4281_0000_0000_8142);
    let count = |bits: Bitboard| bits.count() as u8;
    let odd = board
        .regions()
        .iter()
        .filter(|region| region.count() % 2 == 1)
        .count();
    let both = |of: &dyn Fn(Board) -> u8| [of(board), of(other)];
    let pairs = [
        both(&|board| count(board.player())),
        both(&|board| board.mobility() as u8),
        both(&|board| board.potential_mobility() as u8),
        both(&|board| count(board.frontier())),
        both(&|board| count(stable_discs(board) & board.player())),
        both(&|board| count(board.player() & corners)),
        both(&|board| count(board.player() & x_squares)),
        both(&|board| count(board.player() & c_squares)),
    ];
    let mut features = [0; FEATURES];
    features[..16].copy_from_slice(&pairs.concat());
    features[16] = board.empties().count() as u8;
    features[17] = odd as u8;
    features
}

/// What players talk about, 18 numbers a board; `outflank.batch` has their names.
#[pyfunction]
#[pyo3(signature = (boards, threads = 1))]
pub(crate) fn features<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let rows = rows_of(&boards)?;
    let found = map_rows(py, rows, [0; FEATURES], threads, |row| {
        Ok(features_of(board_of(row)?))
    })?;
    found
        .into_flattened()
        .into_pyarray(py)
        .reshape([rows.len(), FEATURES])
}

/// The estimate of each board in discs for the player to move, without a search.
#[pyfunction]
#[pyo3(signature = (boards, evaluator, threads = 1))]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    evaluator: &Evaluator,
    threads: usize,
) -> PyResult<Column<'py, f32>> {
    let rows = rows_of(&boards)?;
    let patterns = &*evaluator.0;
    let values = rows::map_parts(
        py,
        rows,
        0_f32,
        (threads, rows::SORTED_BLOCK),
        |first, rows, out| {
            let board =
                |(index, row): (usize, &[u64; 2])| board_of(*row).map_err(|problem| (first + index, problem));
            let boards: Vec<Board> = rows.iter().enumerate().map(board).collect::<Result<_, _>>()?;
            let mut scores = vec![Score::ZERO; boards.len()];
            patterns.values(&boards, &mut scores);
            for (value, score) in out.iter_mut().zip(&scores) {
                *value = score.discs() as f32;
            }
            Ok(())
        },
    )?;
    Ok(values.into_pyarray(py))
}

/// Boards with this many empty squares, each at the end of a game of random moves from the start.
#[pyfunction]
#[pyo3(signature = (n, empties, seed, threads = 1))]
pub(crate) fn random_positions(
    py: Python<'_>,
    n: usize,
    empties: u32,
    seed: u64,
    threads: usize,
) -> PyResult<Given<'_>> {
    if empties > 60 {
        return Err(PyValueError::new_err(format!(
            "{empties} empty squares: a game has 0 to 60"
        )));
    }
    let rows = vec![[0; 2]; n];
    let numbers: Vec<u64> = (0..n as u64).collect();
    let boards = rows::map_pairs(py, &rows, &numbers, [0; 2], threads, |_, &number| {
        let mut random = SplitMix64::new(seed.wrapping_add(SplitMix64::new(number).next_u64()));
        Ok(words(random_board(empties, &mut random)))
    })?;
    give(py, boards)
}

/// Plays random moves until so many squares are empty; a game that ends before is begun anew.
fn random_board(empties: u32, random: &mut SplitMix64) -> Board {
    let mut board = Board::start();
    while board.empties().count() > empties {
        let legal = board.legal_moves();
        if legal.is_empty() {
            board = if board.is_game_over() {
                Board::start()
            } else {
                board.passed()
            };
            continue;
        }
        let nth = random.below(legal.count() as usize);
        let square: Square = legal.into_iter().nth(nth).expect("it is below their number");
        board = board.play_unchecked(square, board.flips(square));
    }
    board
}
