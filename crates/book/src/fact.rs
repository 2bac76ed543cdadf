//! Facts: what a search, a person or another book said about a move, and which of two is worth more.

use serde::{Deserialize, Serialize};

/// How a value came about, least worth first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A search that stopped before the end of the game.
    Estimate = 1,
    /// A search to the end that left out lines on suspicion.
    ToEnd = 2,
    /// Somebody else says that it is solved; the source names who.
    Claimed = 3,
    /// A person has set it.
    Manual = 4,
    // 5 is left free in files, between what is said and what is proved.
    /// Proved by our own solver.
    Exact = 6,
}

impl Kind {
    const ALL: [Self; 5] = [
        Self::Estimate,
        Self::ToEnd,
        Self::Claimed,
        Self::Manual,
        Self::Exact,
    ];

    /// Returns the name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Estimate => "estimate",
            Self::ToEnd => "to-end",
            Self::Claimed => "claimed",
            Self::Manual => "manual",
            Self::Exact => "exact",
        }
    }
}

/// The confidences that a book can note, in percent.
const CONFIDENCES: [u8; 7] = [0, 73, 87, 95, 98, 99, 100];

/// What a value is worth: first its kind counts, then the depth, then the confidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth {
    kind: Kind,
    depth: u8,
    confidence: u8,
}

impl Worth {
    /// What is proved.
    pub const EXACT: Self = Self {
        kind: Kind::Exact,
        depth: 0,
        confidence: 100,
    };
    /// What a person has set.
    pub const MANUAL: Self = Self {
        kind: Kind::Manual,
        depth: 0,
        confidence: 0,
    };

    /// Returns a worth; the depth is at most 63, and the confidence becomes the next lower one that a book can note.
    pub fn new(kind: Kind, depth: u32, confidence: u8) -> Self {
        let known = CONFIDENCES.iter().rev().find(|&&known| known <= confidence);
        Self {
            kind,
            depth: depth.min(63) as u8,
            confidence: known.copied().unwrap_or(0),
        }
    }

    /// Returns how the value came about.
    pub const fn kind(self) -> Kind {
        self.kind
    }

    /// Returns how many discs the search looked ahead; 0 if that is not known.
    pub const fn depth(self) -> u32 {
        self.depth as u32
    }

    /// Returns how far the search can be trusted, in percent; 0 if that is not known.
    pub const fn confidence(self) -> u8 {
        self.confidence
    }

    /// Returns whether the value is proved.
    pub const fn is_exact(self) -> bool {
        matches!(self.kind, Kind::Exact)
    }

    /// Returns by how much the true value may well differ, in units.
    ///
    /// The odd-even effect alone moves the values of openings by a disc from one depth to the next, so that no estimate is
    /// better than that; a shallow one is worse by an eighth of a disc for each disc that it falls short of 24.
    pub fn margin(self) -> i32 {
        match self.kind {
            Kind::Exact | Kind::Manual | Kind::Claimed => 0,
            Kind::ToEnd => match self.confidence {
                99.. => UNITS / 2,
                95.. => UNITS,
                _ => 2 * UNITS,
            },
            Kind::Estimate => UNITS + (24 - i32::from(self.depth)).max(0) * UNITS / 8,
        }
    }

    /// Returns the worth as 12 bits; 0 is never one.
    pub(crate) fn to_bits(self) -> u16 {
        let place = CONFIDENCES.iter().position(|&known| known == self.confidence);
        self.kind as u16 | (place.unwrap_or(0) as u16) << 3 | u16::from(self.depth) << 6
    }

    pub(crate) fn from_bits(bits: u16) -> Option<Self> {
        let kind = Kind::ALL.into_iter().find(|&kind| kind as u16 == bits & 7)?;
        let confidence = *CONFIDENCES.get(usize::from(bits >> 3 & 7))?;
        (bits >> 12 == 0).then_some(Self {
            kind,
            depth: (bits >> 6) as u8,
            confidence,
        })
    }
}

/// Units of a value in one disc.
pub const UNITS: i32 = 128;
/// The greatest value: all 64 discs.
pub(crate) const MOST: i32 = 64 * UNITS;

/// Returns the nearest whole number of discs, halves away from zero.
pub const fn to_discs(units: i32) -> i32 {
    let half = if units < 0 { -UNITS / 2 } else { UNITS / 2 };
    (units + half) / UNITS
}

/// The place of a source in the table of its book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub(crate) u8);

impl SourceId {
    /// Returns the place as a number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value for the player to move, what it is worth, and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// In units of 1/128 disc, −8192 to 8192.
    pub value: i16,
    /// What it is worth.
    pub worth: Worth,
    /// Who says so.
    pub source: SourceId,
}

impl Fact {
    /// Returns a fact; the value is clamped to what is possible.
    pub fn new(units: i32, worth: Worth, source: SourceId) -> Self {
        Self {
            value: units.clamp(-MOST, MOST) as i16,
            worth,
            source,
        }
    }

    /// Returns the value in units.
    pub const fn units(self) -> i32 {
        self.value as i32
    }
}

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// A legal move.
    Move(outflank_othello::Square),
    /// Every legal move about which there is no fact: none is better than this.
    Rest,
    /// The position, no move being named.
    Position,
}

/// How often a move was played in games, and how these ended. The greater of two counts is kept, never their sum, so that
/// the same games are not counted twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count {
    /// Games.
    pub games: u32,
    /// Mean result for the player to move, in units.
    pub mean: i16,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worth_is_twelve_bits() {
        let mut known = 0;
        for bits in 0..=u16::MAX {
            if let Some(worth) = Worth::from_bits(bits) {
                assert_eq!(worth.to_bits(), bits);
                known += 1;
            }
        }
        assert_eq!(known, 5 * 7 * 64);
    }

    #[test]
    fn kind_counts_before_depth_before_confidence() {
        let worth = Worth::new;
        let rising = [
            worth(Kind::Estimate, 10, 100),
            worth(Kind::Estimate, 12, 73),
            worth(Kind::Estimate, 12, 95),
            worth(Kind::ToEnd, 4, 73),
            worth(Kind::Claimed, 0, 0),
            Worth::MANUAL,
            Worth::EXACT,
        ];
        assert!(rising.is_sorted());
        assert_eq!(worth(Kind::Estimate, 99, 97).confidence(), 95);
        assert_eq!(worth(Kind::Estimate, 99, 97).depth(), 63);
    }

    #[test]
    fn discs_are_rounded_away_from_zero() {
        for (units, discs) in [
            (0, 0),
            (63, 0),
            (64, 1),
            (-63, 0),
            (-64, -1),
            (8192, 64),
            (-8192, -64),
        ] {
            assert_eq!(to_discs(units), discs, "{units}");
        }
    }
}
