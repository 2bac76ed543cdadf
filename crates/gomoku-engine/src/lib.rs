//! The Gomoku champion: forced wins with proofs, opening tables, and the main search.
//!
//! - [`ThreatSearch`] finds wins by fours (VCF) and by fours and threats (VCT).
//! - [`Engine`] chooses moves; at the levels `human-1` to `human-8` it errs as people do.
//! - [`Proof`] writes such a win out, and [`verify`] checks it against every answer.

mod book;
mod budget;
mod config;
mod engine;
pub mod eval;
mod human;
mod network;
mod order;
mod proof;
mod search;
mod table;
mod threat;
mod value;

pub use book::{
    OpeningTable, ReadTableError,
    build::{Build, BuildError, BuildEvent, BuildOptions, ResumeError, lacking},
};
pub use budget::Budget;
pub use config::EngineConfig;
pub use engine::{Engine, Line, Outcome, Progress, Request};
pub use proof::{Flaw, Proof, verify};
pub use threat::search::{Answer, ThreatSearch, ThreatSettings};
pub use value::Value;

/// What decides how strong and how fast the engine is, for whoever measures that.
pub mod tuning {
    pub use crate::config::level_nodes;
    pub use crate::eval::Weights;
    pub use crate::human::Manner;
    pub use crate::network::{HIDDEN, Network, NetworkError, REACH, WIDTH};
    pub use crate::threat::search::ThreatSettings;
}
