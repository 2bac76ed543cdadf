//! What every search for forced wins has: settings, answers, and what is remembered.

use super::{
    cache::{Cache, Mode},
    numbers::Numbers,
};
use outflank_gomoku::{Board, Color, Point};

/// How the search for forced wins works; the defaults are the fast ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches, each measured on and off"
)]
pub struct ThreatSettings {
    /// Remember positions without a win.
    pub cache: bool,
    /// Search to depth 1, 2, 3, … instead of to the full depth at once.
    pub deepening: bool,
    /// Fours with their forced answers cost no depth (in the search for threats).
    pub free_fours: bool,
    /// Also try moves that threaten fours without making an open three.
    pub hidden_threats: bool,
    /// Positions that one look for a win by fours inside the search for threats may cost.
    pub vcf_nodes: u64,
    /// log₂ of the number of cache entries (16 bytes each).
    pub cache_bits: u32,
}

impl Default for ThreatSettings {
    fn default() -> Self {
        Self {
            cache: true,
            deepening: true,
            free_fours: true,
            hidden_threats: true,
            vcf_nodes: 20_000,
            cache_bits: 18,
        }
    }
}

/// What a search for a forced win found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The attacker wins.
    Win {
        /// One line of play, the attacker first, up to the move after which five can no longer be prevented.
        line: Vec<Point>,
        /// Fours (VCF) or threats (VCT) allowed when it was found.
        depth: u32,
    },
    /// No win within the depth, by the moves considered.
    NoWin {
        /// Whether greater depth cannot change that.
        exhausted: bool,
    },
    /// The budget ran out first.
    Unknown,
}

/// Result of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    Win,
    /// No win; `cut` if the depth limit stopped some line.
    Fail {
        cut: bool,
    },
    /// Nothing is known: out of budget.
    Abort,
}

/// Searches for forced wins and remembers where there are none.
#[derive(Debug)]
pub struct ThreatSearch {
    pub(super) settings: ThreatSettings,
    pub(super) cache: Cache,
    /// Proof and disproof numbers of the positions met.
    pub(super) numbers: Numbers,
    /// The winning line found last, last move first.
    pub(super) line: Vec<Point>,
}

impl ThreatSearch {
    /// Returns a search with an empty cache.
    pub fn new(settings: ThreatSettings) -> Self {
        Self {
            settings,
            cache: Cache::new(if settings.cache { settings.cache_bits } else { 0 }),
            numbers: Numbers::new(settings.cache_bits),
            line: Vec::new(),
        }
    }

    /// Returns the settings.
    pub fn settings(&self) -> &ThreatSettings {
        &self.settings
    }

    /// Returns the winning line found last, the attacker first.
    pub(crate) fn found_line(&self) -> Vec<Point> {
        self.line.iter().rev().copied().collect()
    }

    /// Returns the move remembered as winning for `attacker` within `depth` threats.
    pub(crate) fn remembered_win(&self, board: &Board, attacker: Color, depth: u32) -> Option<Point> {
        let known = self
            .cache
            .probe(Cache::key(board.stones_key(), attacker, Mode::Vct))?;
        known
            .best()
            .filter(|&best| known.wins_at(depth) && board.is_empty(best))
    }

    /// Forgets everything remembered.
    pub fn clear(&mut self) {
        self.cache.clear();
        self.numbers.clear();
    }
}

impl Default for ThreatSearch {
    fn default() -> Self {
        Self::new(ThreatSettings::default())
    }
}
