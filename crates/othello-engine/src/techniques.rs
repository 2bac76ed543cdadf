//! The switchable parts of both searches.

use std::fmt;

/// A set of techniques that the midgame search may use, to measure what each is worth.
///
/// Without [`MidgameTechniques::PROBCUT`], [`MidgameTechniques::REDUCTIONS`] and [`MidgameTechniques::BALANCE`] every
/// value equals that of textbook alpha-beta at the same depth, whatever else is on.
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
    /// Null windows after the first move.
    pub const NULL_WINDOWS: Self = Self(8);
    /// A narrow window around the expected value at the root.
    pub const ASPIRATION: Self = Self(16);
    /// Multi-ProbCut, at confidences below 100 %.
    pub const PROBCUT: Self = Self(32);
    /// Late moves searched less deeply first, at confidences below 100 %.
    pub const REDUCTIONS: Self = Self(64);
    /// The exact solver for the last empties, where the depth reaches the end.
    pub const SOLVER: Self = Self(128);
    /// The estimate before the last disc counts beside the best one after it, so that values do not lean one way at
    /// even depths and the other at odd ones.
    pub const BALANCE: Self = Self(256);
    /// Everything.
    pub const ALL: Self = Self(511);

    const NAMES: [(&'static str, Self); 9] = [
        ("table", Self::TABLE),
        ("enhanced-cutoffs", Self::ENHANCED_CUTOFFS),
        ("ordering", Self::ORDERING),
        ("null-windows", Self::NULL_WINDOWS),
        ("aspiration", Self::ASPIRATION),
        ("probcut", Self::PROBCUT),
        ("reductions", Self::REDUCTIONS),
        ("solver", Self::SOLVER),
        ("balance", Self::BALANCE),
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

/// The parts of the search that can be switched off, to measure what each is worth. Values are right without any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent switch")]
pub struct Techniques {
    /// Alpha-beta cut-offs and everything below; off, the whole tree is searched.
    pub pruning: bool,
    /// Odd regions first.
    pub parity: bool,
    /// Moves that leave the opponent few moves first.
    pub mobility: bool,
    /// Corners and what they anchor first.
    pub corner_stability: bool,
    /// The evaluator's opinion in the ordering.
    pub evaluation: bool,
    /// That opinion after a shallow search instead of at once, where there are many empties.
    pub ordering_search: bool,
    /// Bounds from stable discs.
    pub stability: bool,
    /// Looking whether a table already holds a refutation by any move.
    pub enhanced_cutoffs: bool,
    /// Each thread's private table.
    pub private_table: bool,
    /// The shared table.
    pub shared_table: bool,
    /// Where [`Engine`](crate::Engine) solves: a selective search first, which tells what value to expect.
    pub presearch: bool,
    /// Trying first what the selective search found best.
    pub guide: bool,
}

impl Techniques {
    /// Everything on.
    pub const ALL: Self = Self {
        pruning: true,
        parity: true,
        mobility: true,
        corner_stability: true,
        evaluation: true,
        ordering_search: true,
        stability: true,
        enhanced_cutoffs: true,
        private_table: true,
        shared_table: true,
        presearch: true,
        guide: true,
    };
}
