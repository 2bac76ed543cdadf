//! How far a search may go.

use std::time::Duration;

/// The limits of one search; `None` means no limit of that kind. The search ends at the first that it reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Placed stones or discs ahead; passes cost no depth.
    pub depth: Option<u32>,
    /// Positions entered.
    pub nodes: Option<u64>,
    /// Time for this search.
    pub time: Option<Duration>,
}
