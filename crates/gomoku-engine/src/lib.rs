//! The Gomoku champion: forced wins with proofs, opening tables, and the main search.
//!
//! - [`ThreatSearch`] finds wins by fours (VCF) and by fours and threats (VCT).
//! - [`Proof`] writes such a win out, and [`verify`] checks it against every answer.

mod budget;
mod order;
mod proof;
mod threat;

pub use budget::Budget;
pub use proof::{Flaw, Proof, verify};
pub use threat::{Answer, ThreatSearch, ThreatSettings};
