//! The switchable parts of the midgame search.

use std::fmt;

/// A set of techniques that the midgame search may use, to measure what each is worth.
///
/// Without [`MidgameTechniques::PROBCUT`] and [`MidgameTechniques::REDUCTIONS`] every value equals that of textbook
/// alpha-beta at the same depth, whatever else is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MidgameTechniques(u16);

impl MidgameTechniques {
    /// Nothing but alpha-beta.
    pub const NONE: Self = Self(0);
    /// The transposition table.
    pub const TABLE: Self = Self(1);
    /// Looking whether the table already holds a refutation by any move.
    pub const ENHANCED_CUTOFFS: Self = Self(2);
    /// Sorting moves by mobility and the static evaluation.
    pub const ORDERING: Self = Self(4);
    /// Sorting moves by small searches where the depth is great.
    pub const ORDERING_SEARCH: Self = Self(8);
    /// Null windows after the first move.
    pub const NULL_WINDOWS: Self = Self(16);
    /// A narrow window around the expected value at the root.
    pub const ASPIRATION: Self = Self(32);
    /// Multi-ProbCut, at confidences below 100 %.
    pub const PROBCUT: Self = Self(64);
    /// Late moves searched less deeply first, at confidences below 100 %.
    pub const REDUCTIONS: Self = Self(128);
    /// The exact solver for the last empties, where the depth reaches the end.
    pub const SOLVER: Self = Self(256);
    /// Everything.
    pub const ALL: Self = Self(511);

    const NAMES: [(&'static str, Self); 9] = [
        ("table", Self::TABLE),
        ("enhanced-cutoffs", Self::ENHANCED_CUTOFFS),
        ("ordering", Self::ORDERING),
        ("ordering-search", Self::ORDERING_SEARCH),
        ("null-windows", Self::NULL_WINDOWS),
        ("aspiration", Self::ASPIRATION),
        ("probcut", Self::PROBCUT),
        ("reductions", Self::REDUCTIONS),
        ("solver", Self::SOLVER),
    ];

    /// Returns every technique with its name.
    pub fn named() -> impl Iterator<Item = (&'static str, Self)> {
        Self::NAMES.into_iter()
    }

    /// Returns whether all of `techniques` are in the set.
    #[inline(always)]
    pub const fn has(self, techniques: Self) -> bool {
        self.0 & techniques.0 == techniques.0
    }

    /// Returns the set with `techniques` added.
    #[must_use]
    pub const fn with(self, techniques: Self) -> Self {
        Self(self.0 | techniques.0)
    }

    /// Returns the set with `techniques` removed.
    #[must_use]
    pub const fn without(self, techniques: Self) -> Self {
        Self(self.0 & !techniques.0)
    }
}

impl fmt::Debug for MidgameTechniques {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(
                Self::NAMES
                    .iter()
                    .filter(|(_, technique)| self.has(*technique))
                    .map(|(name, _)| name),
            )
            .finish()
    }
}
