//! The rules of Gomoku.
//!
//! Boards of 5×5 to 20×20 points under four rule sets ([`Rule`]), the shapes that a stone makes in its four lines,
//! kept up to date move by move ([`Board`]), Renju's forbidden points and the eight symmetries.
//! [`notation`] reads and writes games. [`NaiveBoard`] is the slow oracle of all of it.

mod board;
pub mod canonical;
mod class;
pub mod naive;
pub mod notation;
mod point;
mod rule;
mod shape;
mod symmetry;
mod tables;
mod zobrist;

pub use board::{Board, End, Foul, PlayError, SetupError};
pub use class::{Class, Combo, N_COMBOS};
pub use naive::NaiveBoard;
pub use point::{MAX_SIZE, MIN_SIZE, N_POINTS, ParsePointError, Point, PointSet, Points, STRIDE};
pub use rule::{Color, ParseRuleError, Rule};
pub use shape::Shape;
pub use symmetry::Symmetry;
pub use tables::Tables;

#[cfg(test)]
mod tests;
