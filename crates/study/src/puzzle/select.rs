//! Which of many candidates are kept: no two that look alike.

use super::Puzzle;
use outflank_othello::{Board, Symmetry};

/// Puzzles that were kept, up to a number.
#[derive(Clone, Debug)]
pub struct Selection {
    count: usize,
    kept: Vec<Puzzle>,
    boards: Vec<Board>,
}

/// Squares in which two boards differ at least, however they are turned.
const LEAST_DISTANCE: u32 = 8;

impl Selection {
    /// Returns a selection of `count` puzzles at most.
    pub const fn new(count: usize) -> Self {
        Self {
            count,
            kept: Vec::new(),
            boards: Vec::new(),
        }
    }

    /// Returns whether there is no room for more.
    pub const fn is_full(&self) -> bool {
        self.kept.len() >= self.count
    }

    /// Keeps a puzzle, unless there is no room or one that looks alike; returns whether it did.
    pub fn add(&mut self, puzzle: Puzzle) -> bool {
        let board = puzzle.position.board();
        if self.is_full() || self.boards.iter().any(|known| looks_like(*known, board)) {
            return false;
        }
        self.boards.push(board);
        self.kept.push(puzzle);
        true
    }

    /// Returns what was kept so far.
    pub fn kept(&self) -> &[Puzzle] {
        &self.kept
    }
}

fn looks_like(a: Board, b: Board) -> bool {
    // Turning does not change the number of discs.
    let n_discs = |board: Board| [board.player().count(), board.opponent().count()];
    let apart: u32 = n_discs(a)
        .iter()
        .zip(n_discs(b))
        .map(|(a, b)| a.abs_diff(b))
        .sum();
    apart < LEAST_DISTANCE
        && Symmetry::ALL.into_iter().any(|symmetry| {
            let b = b.transformed(symmetry);
            let differ = (a.player() ^ b.player()) | (a.opponent() ^ b.opponent());
            differ.count() < LEAST_DISTANCE
        })
}
