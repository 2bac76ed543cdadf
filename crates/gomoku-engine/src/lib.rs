//! The Gomoku champion: forced wins with proofs, opening tables, and the main search.
//!
//! - [`ThreatSearch`] finds wins by fours (VCF) and by fours and threats (VCT).
//! - [`Engine`] chooses moves.
//! - [`Proof`] writes such a win out, and [`verify`] checks it against every answer.

mod book;
mod budget;
pub mod eval;
mod order;
mod proof;
mod search;
mod table;
mod threat;
mod value;

pub use book::{BuildOptions, OpeningTable, ReadTableError, lacking};
pub use budget::Budget;
pub use proof::{Flaw, Proof, verify};
pub use search::{Engine, EngineSettings, Event, Line, Outcome, SearchLimits};
pub use threat::{Answer, ThreatSearch, ThreatSettings};
pub use value::Value;
