//! What queries know of every game without its moves: 32 bytes of numbers.

use outflank_othello::{Color, Discs};

/// Stands for a margin that is not known.
const UNKNOWN: i8 = i8::MIN;

/// Yes-or-no facts of a game, and who won it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u16);

impl Flags {
    /// Neither side could move at the end.
    pub const FINISHED: Self = Self(1);
    /// The source states another result than the moves of the finished game give.
    pub const RESULT_DIFFERS: Self = Self(2);
    /// Given up, lost on time, or agreed.
    pub const EARLY: Self = Self(4);
    /// It goes through an opening of a list that was drawn by lot.
    pub const XOT: Self = Self(8);
    /// The same game stands elsewhere in the collection.
    pub const DUPLICATE: Self = Self(16);
    /// It does not start at the standard start position.
    pub const OTHER_START: Self = Self(128);

    const WINNER: u16 = 32 | 64;

    /// Returns whether all flags of `other` are set.
    #[inline]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Sets or clears flags.
    #[must_use]
    pub const fn with(self, other: Self, set: bool) -> Self {
        if set {
            Self(self.0 | other.0)
        } else {
            Self(self.0 & !other.0)
        }
    }

    /// Returns the flags with the winner: `Some(None)` is a draw, `None` not known.
    #[must_use]
    pub const fn with_winner(self, winner: Option<Option<Color>>) -> Self {
        let bits = match winner {
            None => 0,
            Some(Some(Color::Black)) => 32,
            Some(Some(Color::White)) => 64,
            Some(None) => 96,
        };
        Self(self.0 & !Self::WINNER | bits)
    }

    /// Returns the winner: `Some(None)` is a draw, `None` not known.
    #[inline]
    pub const fn winner(self) -> Option<Option<Color>> {
        match self.0 & Self::WINNER {
            32 => Some(Some(Color::Black)),
            64 => Some(Some(Color::White)),
            96 => Some(None),
            _ => None,
        }
    }
}

/// What is known of a game; numbers of names are 0 where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Number of the game, for people.
    pub id: u32,
    /// The player of the black discs.
    pub black: u32,
    /// The player of the white discs.
    pub white: u32,
    /// Where it was played.
    pub event: u32,
    /// Where it was read.
    pub source: u32,
    /// The year, 0 if it is not known.
    pub year: u16,
    /// The month, 0 if it is not known.
    pub month: u8,
    /// The day, 0 if it is not known.
    pub day: u8,
    /// Black's margin, the empty squares counted for the winner.
    pub result: Option<Discs>,
    /// Black's margin with perfect play from [`Facts::theoretical_empties`] empty squares on.
    pub theoretical: Option<Discs>,
    /// Empty squares from which the theoretical result is for.
    pub theoretical_empties: u8,
    /// Discs on the board at the end.
    pub discs: u8,
    /// The rest.
    pub flags: Flags,
}

impl Facts {
    /// Size of the stored form.
    pub const BYTES: usize = 32;

    /// Returns the stored form.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let numbers = [self.id, self.black, self.white, self.event, self.source];
        for (slot, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            slot.copy_from_slice(&number.to_le_bytes());
        }
        bytes[20..22].copy_from_slice(&self.year.to_le_bytes());
        bytes[22] = self.month;
        bytes[23] = self.day;
        let margin = |discs: Option<Discs>| discs.map_or(UNKNOWN, |discs| discs.get() as i8) as u8;
        bytes[24] = margin(self.result);
        bytes[25] = margin(self.theoretical);
        bytes[26] = self.theoretical_empties;
        bytes[27] = self.discs;
        bytes[28..30].copy_from_slice(&self.flags.0.to_le_bytes());
        bytes
    }

    /// Reads the stored form; a margin that is none is not known.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let margin = |at: usize| Discs::new(i32::from(bytes[at] as i8));
        Self {
            id: number(0),
            black: number(4),
            white: number(8),
            event: number(12),
            source: number(16),
            year: u16::from_le_bytes([bytes[20], bytes[21]]),
            month: bytes[22],
            day: bytes[23],
            result: margin(24),
            theoretical: margin(25),
            theoretical_empties: bytes[26],
            discs: bytes[27],
            flags: Flags(u16::from_le_bytes([bytes[28], bytes[29]])),
        }
    }

    /// Returns the least and the greatest margin for black that the game may have ended with.
    #[inline]
    pub fn result_range(&self) -> (i32, i32) {
        match (self.result, self.flags.winner()) {
            (Some(discs), _) => (discs.get(), discs.get()),
            (None, Some(Some(Color::Black))) => (1, 64),
            (None, Some(Some(Color::White))) => (-64, -1),
            (None, Some(None)) => (0, 0),
            (None, None) => (-64, 64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_survive_their_bytes() {
        let facts = Facts {
            id: 1,
            black: 2,
            white: 0x0300_0000,
            event: 4,
            source: 5,
            year: 1996,
            month: 11,
            day: 30,
            result: Discs::new(-64),
            theoretical: None,
            theoretical_empties: 24,
            discs: 63,
            flags: Flags::XOT
                .with(Flags::FINISHED, true)
                .with_winner(Some(Some(Color::White))),
        };
        assert_eq!(Facts::from_bytes(&facts.to_bytes()), facts);
        assert_eq!(facts.flags.winner(), Some(Some(Color::White)));
        assert_eq!(Facts::from_bytes(&[0xFF; 32]).result, Discs::new(-1));
    }

    #[test]
    fn winners_leave_other_flags_alone() {
        for winner in [
            None,
            Some(None),
            Some(Some(Color::Black)),
            Some(Some(Color::White)),
        ] {
            let flags = Flags::EARLY
                .with_winner(Some(Some(Color::White)))
                .with_winner(winner);
            assert_eq!(flags.winner(), winner);
            assert!(flags.has(Flags::EARLY) && !flags.has(Flags::XOT));
        }
    }
}
