//! The Othello engine: perfect play in the endgame, deep estimates before it.
//!
//! [`Engine`] answers under any limit; it joins the two searches below.
//! [`Solver`] finds the exact value of a position, or of all its moves, or only whether it is won.
//! [`MidgameSearch`] looks ahead selectively where the end is out of reach.

mod engine;
mod kernels;
mod levels;
mod midgame;
mod ordering;
pub mod probcut;
mod solver;
mod table;

pub use engine::{Engine, EngineConfig, Line, Outcome, Progress, Request};
pub use levels::Strength;
pub use midgame::{MidgameSearch, MidgameTechniques};
pub use ordering::{OrderingWeights, TierWeights};
pub use probcut::{ProbCutTable, Selectivity};
pub use solver::{MoveValue, SolveResult, Solver, SolverError, SolverGoal, SolverOptions, Techniques};
