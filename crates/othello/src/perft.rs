//! Counting move sequences fast: bulk counting, a table, several threads; and unique positions.
//!
//! A pass is a ply and a game that ends before the last ply counts as one, as in every published table (a pass that
//! cost no ply would give 3005320 at depth 9, and leaving finished games out 24571056 at depth 10).
//! [`crate::naive::NaiveBoard::perft`] and [`outflank_game::perft`] are the slow oracles.

pub mod method;

use crate::{Bitboard, Board, Square, kernels};
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
    thread,
};

/// A pair of move-generation kernels, so that one perft can be run through each instruction set.
pub trait Kernel: Copy + Send + Sync {
    /// Returns the legal moves; see [`kernels::portable::legal_moves`].
    fn legal_moves(self, player: u64, opponent: u64) -> u64;
    /// Returns the flipped discs; see [`kernels::portable::flips`].
    fn flips(self, square: usize, player: u64, opponent: u64) -> u64;
}

/// The fastest kernels of this build.
#[derive(Clone, Copy, Debug, Default)]
pub struct Active;

/// The portable kernels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable;

impl Kernel for Active {
    #[inline(always)]
    fn legal_moves(self, player: u64, opponent: u64) -> u64 {
        kernels::legal_moves(player, opponent)
    }
    #[inline(always)]
    fn flips(self, square: usize, player: u64, opponent: u64) -> u64 {
        kernels::flips(square, player, opponent)
    }
}

impl Kernel for Portable {
    #[inline(always)]
    fn legal_moves(self, player: u64, opponent: u64) -> u64 {
        kernels::portable::legal_moves(player, opponent)
    }
    #[inline(always)]
    fn flips(self, square: usize, player: u64, opponent: u64) -> u64 {
        kernels::portable::flips(square, player, opponent)
    }
}

/// Returns the board after a disc on `square`.
#[inline(always)]
fn place<K: Kernel>(kernel: K, board: Board, square: Square) -> Board {
    let flips = kernel.flips(square.index(), board.player().bits(), board.opponent().bits());
    board.play_unchecked(square, Bitboard::new(flips))
}

#[inline(always)]
fn moves<K: Kernel>(kernel: K, board: Board) -> Bitboard {
    Bitboard::new(kernel.legal_moves(board.player().bits(), board.opponent().bits()))
}

/// Returns the number of move sequences of `depth` plies by playing every move to the last.
pub fn plain<K: Kernel>(kernel: K, board: Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let squares = moves(kernel, board);
    if squares.is_empty() {
        let passed = board.passed();
        return if moves(kernel, passed).is_empty() {
            1
        } else {
            plain(kernel, passed, depth - 1)
        };
    }
    squares
        .into_iter()
        .map(|square| plain(kernel, place(kernel, board, square), depth - 1))
        .sum()
}

/// Returns the same number as [`plain`]; at the last ply the moves are counted instead of played.
///
/// # Examples
///
/// ```
/// use outflank_othello::{Board, perft};
/// assert_eq!(perft::bulk(perft::Active, Board::start(), 8), 390216);
/// ```
pub fn bulk<K: Kernel>(kernel: K, board: Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => last_ply(moves(kernel, board)),
        _ => bulk_moves(kernel, board, moves(kernel, board), depth),
    }
}

fn last_ply(squares: Bitboard) -> u64 {
    // Without a move there is one sequence left: the pass, or the end of the game.
    u64::from(if squares.is_empty() { 1 } else { squares.count() })
}

/// Counts from a board whose legal moves are known, with at least two plies to go.
fn bulk_moves<K: Kernel>(kernel: K, board: Board, squares: Bitboard, depth: u32) -> u64 {
    if squares.is_empty() {
        let passed = board.passed();
        let replies = moves(kernel, passed);
        return match (replies.is_empty(), depth) {
            (true, _) => 1,
            (false, 2) => u64::from(replies.count()),
            (false, _) => bulk_moves(kernel, passed, replies, depth - 1),
        };
    }
    let mut leaves = 0;
    for square in squares {
        let next = place(kernel, board, square);
        let replies = moves(kernel, next);
        leaves += if depth == 2 {
            last_ply(replies)
        } else {
            bulk_moves(kernel, next, replies, depth - 1)
        };
    }
    leaves
}

/// A table of counts already made, for [`with_table`].
///
/// One entry per slot, the newest wins; an entry is used only if the whole board and the depth are the same.
#[derive(Debug)]
pub struct Table {
    entries: Vec<(Board, u32, u64)>,
}

impl Table {
    /// Bytes per entry.
    const ENTRY_BYTES: usize = size_of::<(Board, u32, u64)>();

    /// Returns an empty table of about `megabytes` MB, or the reason why the memory cannot be had.
    ///
    /// # Errors
    ///
    /// Returns the allocator's error.
    pub fn new(megabytes: usize) -> Result<Self, std::collections::TryReserveError> {
        let len = (megabytes.saturating_mul(1 << 20) / Self::ENTRY_BYTES).max(1);
        let mut entries = Vec::new();
        entries.try_reserve_exact(len)?;
        entries.resize(
            len,
            (Board::new_unchecked(Bitboard::EMPTY, Bitboard::EMPTY), 0, 0),
        );
        Ok(Self { entries })
    }

    fn slot(&mut self, board: Board, depth: u32) -> &mut (Board, u32, u64) {
        let mut hash = board.player().bits().wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash = (hash ^ hash >> 32 ^ board.opponent().bits()).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        hash = (hash ^ hash >> 32 ^ u64::from(depth)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let index = (u128::from(hash) * self.entries.len() as u128) >> 64;
        &mut self.entries[index as usize]
    }
}

/// Returns the same number as [`plain`], with the counts of boards met before taken from `table`.
pub fn with_table<K: Kernel>(kernel: K, board: Board, depth: u32, table: &mut Table) -> u64 {
    if depth < 3 {
        return bulk(kernel, board, depth);
    }
    let slot = table.slot(board, depth);
    if slot.0 == board && slot.1 == depth {
        return slot.2;
    }
    let squares = moves(kernel, board);
    let leaves = if squares.is_empty() {
        let passed = board.passed();
        if moves(kernel, passed).is_empty() {
            1
        } else {
            with_table(kernel, passed, depth - 1, table)
        }
    } else {
        squares
            .into_iter()
            .map(|square| with_table(kernel, place(kernel, board, square), depth - 1, table))
            .sum()
    };
    *table.slot(board, depth) = (board, depth, leaves);
    leaves
}

/// Returns the same number as [`plain`], counted by `n_threads` threads, each with its own table of
/// `table_megabytes` MB if that is not 0.
///
/// # Errors
///
/// Returns the allocator's error if a table cannot be had.
pub fn parallel<K: Kernel>(
    kernel: K,
    board: Board,
    depth: u32,
    n_threads: usize,
    table_megabytes: usize,
) -> Result<u64, std::collections::TryReserveError> {
    // Three plies give enough pieces to keep every thread busy to the end.
    let split = depth.min(3);
    let mut pieces = vec![board];
    let mut finished = 0;
    for _ in 0..split {
        let before = std::mem::take(&mut pieces);
        for board in before {
            let next = successors(kernel, board);
            finished += u64::from(next.is_empty());
            pieces.extend(next);
        }
    }
    let (next, total) = (AtomicUsize::new(0), AtomicU64::new(finished));
    let count = || -> Result<(), std::collections::TryReserveError> {
        let mut table = if table_megabytes > 0 {
            Some(Table::new(table_megabytes)?)
        } else {
            None
        };
        while let Some(&piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            let leaves = match &mut table {
                Some(table) => with_table(kernel, piece, depth - split, table),
                None => bulk(kernel, piece, depth - split),
            };
            total.fetch_add(leaves, Ordering::Relaxed);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..n_threads.max(1)).map(|_| scope.spawn(count)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().expect("counting does not panic"))
    })?;
    Ok(total.into_inner())
}

/// Returns the boards one ply on, a pass counted as a ply.
fn successors<K: Kernel>(kernel: K, board: Board) -> Vec<Board> {
    let squares = moves(kernel, board);
    if squares.is_empty() {
        let passed = board.passed();
        return if moves(kernel, passed).is_empty() {
            Vec::new()
        } else {
            vec![passed]
        };
    }
    squares
        .into_iter()
        .map(|square| place(kernel, board, square))
        .collect()
}

/// Returns the number of different positions after 0, 1, … `n_moves` placed discs from `board`, where the images
/// of a position under the eight symmetries count once.
///
/// Unlike in perft, a pass is no move of its own here: a side that must pass is followed by the other side's moves.
///
/// Memory: 16 bytes per unique position of the last ply, and as much again while it is collected.
///
/// ```
/// use outflank_othello::{Board, perft};
/// assert_eq!(perft::unique_positions(Board::start(), 6), [1, 1, 3, 14, 60, 322, 1773]);
/// ```
pub fn unique_positions(board: Board, n_moves: u32) -> Vec<usize> {
    let mut level = vec![board.canonical().0];
    let mut counts = vec![1];
    for _ in 0..n_moves {
        let mut next = Vec::new();
        let mut sorted = 0;
        for board in level {
            let to_move = if board.must_pass() { board.passed() } else { board };
            let placed = |square| place(Active, to_move, square).canonical().0;
            next.extend(moves(Active, to_move).into_iter().map(placed));
            // Keep the list short: most boards are met several times.
            if next.len() > 2 * sorted + (1 << 20) {
                next.sort_unstable();
                next.dedup();
                sorted = next.len();
            }
        }
        next.sort_unstable();
        next.dedup();
        counts.push(next.len());
        level = next;
    }
    counts
}

/// Returns the unique positions as [`unique_positions`] counts them, by sets and without kernels: its oracle.
#[doc(hidden)]
pub fn unique_positions_naive(n_moves: u32) -> Vec<usize> {
    use crate::{Color, Position, naive::NaiveBoard};
    let mut level = BTreeSet::from([Board::start().canonical().0]);
    let mut counts = vec![1];
    for _ in 0..n_moves {
        let mut next = BTreeSet::new();
        for board in level {
            let naive = NaiveBoard::from_position(&Position::new(board, Color::Black));
            for square in naive.legal_moves() {
                let mut after = naive.clone();
                after.place(square);
                next.insert(after.to_board().canonical().0);
            }
        }
        counts.push(next.len());
        level = next;
    }
    counts
}
