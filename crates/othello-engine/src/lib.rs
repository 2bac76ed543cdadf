//! The Othello engine: perfect play in the endgame, deep estimates before it.
//!
//! [`Engine`] answers under any limit; it joins the two searches below.
//! [`Solver`] finds the exact value of a position, or of all its moves, or only whether it is won.
//! [`tuning::MidgameSearch`] looks ahead selectively where the end is out of reach.

mod config;
mod contract;
mod engine;
mod error;
mod estimates;
mod full_width;
pub mod human;
mod levels;
mod midgame;
mod ordering;
pub mod probcut;
mod solver;
mod table;
mod techniques;

pub use config::EngineConfig;
pub use contract::{Line, Outcome, Progress, Request};
pub use engine::Engine;
pub use error::EngineError;
pub use levels::Strength;
pub use solver::{MoveValue, SolveResult, Solver, SolverGoal, SolverOptions};

/// What decides how strong and how fast the searches are, for whoever measures that.
pub mod tuning {
    pub use crate::full_width::FullWidth;
    pub use crate::midgame::MidgameSearch;
    pub use crate::ordering::{OrderingWeights, TierWeights};
    pub use crate::probcut::{ProbCutTable, Selectivity};
    pub use crate::solver::{Sharing, Wait};
    pub use crate::techniques::{MidgameTechniques, Techniques};
}
