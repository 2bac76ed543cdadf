//! Endgame puzzles: one best move, exact values of all moves, and how hard it is to find.
//!
//! A [`Maker`] takes them from games; [`check()`] confirms one by a plain search that shares nothing with the solver.
//! [`shipped`] are those inside the program.

mod check;
mod job;
mod make;
mod select;
mod text;
mod theme;

pub use check::{Fault, check, textbook_value};
pub use job::{MakeError, MakeProgress, Origin, Wanted, make_to_file};
pub use make::{Criteria, Maker};
pub use select::Selection;
pub use text::{ParsePuzzleError, read, write};
pub use theme::Theme;

use outflank_eval::fnv1a;
use outflank_othello::{Color, Move, Position, Square};
use outflank_othello_engine::MoveValue;
use std::sync::OnceLock;

/// Puzzles from games of 1977 to 2009 and of PlayOK and eOthello; positions only.
const SHIPPED: &str = include_str!("../data/puzzles.tsv");

/// Returns the puzzles inside the program.
pub fn shipped() -> &'static [Puzzle] {
    static READ: OnceLock<Vec<Puzzle>> = OnceLock::new();
    READ.get_or_init(|| read(SHIPPED).unwrap_or_default())
}

/// A move of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move.
    pub mv: Move,
    /// Whether every other move is worse.
    pub only: bool,
}

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Difficulty {
    /// How many of a hundred people choose another move, by the program's model of them, for each of [`BANDS`].
    pub wrong: [u8; BANDS.len()],
    /// The discs to look ahead, 1, 2 or 4, from which on the best move looks best; 0 if it takes more.
    pub look: u8,
}

/// Mean losses of a move, in discs, of the people that [`Difficulty::wrong`] speaks of: a beginner, a club player, an
/// expert.
pub const BANDS: [f32; 3] = [6.5, 2.5, 0.9];

/// A position with one best move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The position.
    pub position: Position,
    /// Every legal move and its exact value for the player to move, the best first; at least two.
    pub moves: Vec<MoveValue>,
    /// How the game goes on with best play, up to the last move that has no equal.
    pub line: Vec<Step>,
    /// What it is about.
    pub themes: Vec<Theme>,
    /// How hard it is.
    pub difficulty: Difficulty,
    /// Where it is from.
    pub source: String,
}

impl Puzzle {
    /// Returns the best move.
    pub fn best(&self) -> Square {
        self.moves[0].square
    }

    /// Returns the exact value of the position for the player to move, in discs.
    pub fn value(&self) -> i32 {
        self.moves[0].value.get()
    }

    /// Returns how much the second best move loses, in discs.
    pub fn gap(&self) -> i32 {
        self.value() - self.moves[1].value.get()
    }

    /// Returns whether every other move changes who wins.
    pub fn decides(&self) -> bool {
        self.value().signum() != self.moves[1].value.get().signum()
    }

    /// Returns what a move loses, in discs; `None` if it is not legal.
    pub fn loss(&self, square: Square) -> Option<i32> {
        let found = self.moves.iter().find(|known| known.square == square)?;
        Some(self.value() - found.value.get())
    }

    /// Returns a name that all images of the position share, and that does not change.
    pub fn id(&self) -> String {
        let (board, _) = self.position.board().canonical();
        let mut bytes = board.player().bits().to_le_bytes().to_vec();
        bytes.extend(board.opponent().bits().to_le_bytes());
        format!("{:016x}", fnv1a(&bytes))
    }

    /// Returns who is to move.
    pub const fn side(&self) -> Color {
        self.position.side()
    }

    /// Returns the empty squares.
    pub fn empties(&self) -> u32 {
        self.position.board().empties().count()
    }
}

#[cfg(test)]
mod tests;
