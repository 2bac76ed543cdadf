//! What the strength levels 1 to 60 mean: how far ahead, and from when on without error.

use crate::probcut::Selectivity;
use outflank_search::Level;

/// What the engine does at a level, at each number of empties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    number: u32,
}

impl Strength {
    /// Returns what `level` means.
    pub const fn of(level: Level) -> Self {
        Self {
            number: level.number(),
        }
    }

    /// Returns how many discs ahead the engine looks before the end is in reach: the number of the level.
    pub const fn depth(self) -> u32 {
        self.number
    }

    /// Returns the greatest number of empties from which the engine plays without error.
    ///
    /// Twice the depth for low levels; then as far as takes about as long as a midgame move of the level.
    pub const fn exact_empties(self) -> u32 {
        match self.number {
            n @ 1..=10 => 2 * n,
            11 | 12 => 20,
            13..=15 => 21,
            16..=18 => 22,
            19..=21 => 24,
            22..=24 => 26,
            25..=27 => 28,
            28..=30 => 30,
            n if n < 33 => 32,
            n => n,
        }
    }

    /// Returns the greatest number of empties from which the engine searches to the end, with suspicious lines cut
    /// where it is not yet exact.
    pub const fn selective_empties(self) -> u32 {
        let more = match self.number {
            1..=10 => 0,
            11..=20 => 2,
            _ => 4,
        };
        if self.exact_empties() + more > Level::MAX {
            Level::MAX
        } else {
            self.exact_empties() + more
        }
    }

    /// Returns the selectivity of midgame searches.
    pub const fn selectivity(self) -> Selectivity {
        Selectivity::LEVELS[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_levels_never_look_less_far() {
        let levels: Vec<_> = Level::all().map(Strength::of).collect();
        assert_eq!(levels.len(), 60);
        for pair in levels.windows(2) {
            assert!(pair[0].depth() < pair[1].depth());
            assert!(pair[0].exact_empties() <= pair[1].exact_empties());
            assert!(pair[0].selective_empties() <= pair[1].selective_empties());
        }
        for level in levels {
            assert!(level.exact_empties() >= level.depth().min(20));
            assert!(level.selective_empties() >= level.exact_empties());
        }
    }
}
