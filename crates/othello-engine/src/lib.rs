//! The Othello engine: perfect play in the endgame.
//!
//! [`Solver`] finds the exact value of a position, or of all its moves, or only whether it is won.

mod kernels;
mod ordering;
mod solver;
mod table;

pub use ordering::{OrderingWeights, TierWeights};
pub use solver::{Goal, Kind, MoveValue, SolveResult, Solver, SolverError, SolverOptions, Techniques};
