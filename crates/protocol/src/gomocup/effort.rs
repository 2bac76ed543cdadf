//! Time and effort, as the manager speaks of them.

use outflank_search::{GameClock, Limits};
use std::time::Duration;

/// `time_left` of a game without a limit.
pub(super) const NO_LIMIT: i64 = 2_147_483_647;

/// Numbers of `INFO` are cut to this size: thirty thousand years in milliseconds.
pub(super) const MOST_INFO: i64 = 1 << 50;

/// What the manager has told about time and effort, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) turn: i64,
    pub(super) total: i64,
    pub(super) left: Option<i64>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
}

impl Default for Effort {
    /// What the protocol says of a manager that says nothing: half a minute a move, and no limit for the game.
    fn default() -> Self {
        Self {
            turn: 30_000,
            total: 0,
            left: None,
            depth: None,
            nodes: None,
        }
    }
}

impl Effort {
    /// Returns the limits of a search.
    pub(super) fn limits(&self) -> Limits {
        let ms = |ms: i64| Duration::from_millis(ms.max(0) as u64);
        let left = self.left.or((self.total > 0).then_some(self.total));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            // 0 is "as fast as you can".
            time: Some(ms(if self.turn > 0 { self.turn } else { 30 })),
            clock: left.map(|left| GameClock {
                remaining: ms(left),
                increment: Duration::ZERO,
            }),
            level: None,
        }
    }
}
