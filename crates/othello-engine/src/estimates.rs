//! What the midgame table holds, when it may answer, and what the exact solver takes from it.

use outflank_othello::{Bitboard, Board, Square};
use outflank_search::{Table, TableEntry};
use std::sync::Arc;

/// No square.
pub(crate) const NO_SQUARE: u8 = 64;
/// Below and above every score, in 1/128 disc.
pub(crate) const INFINITE: i32 = 16_000;

/// Bounds on the value of a board at some depth and confidence, and the move that was best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MidgameEntry {
    /// The whole board: a hit is never a hash collision.
    pub(crate) board: Board,
    /// The value is at least this, in 1/128 disc for the player to move.
    pub(crate) lower: i16,
    /// The value is at most this.
    pub(crate) upper: i16,
    /// Placed discs ahead that the bounds stand for; the number of empties if they reach the end.
    pub(crate) depth: u8,
    /// Confidence of the bounds, in percent; 100 only if nothing below was cut on suspicion.
    pub(crate) confidence: u8,
    /// Best move, [`NO_SQUARE`] if none is known.
    pub(crate) square: u8,
    /// Searches since the table was made, modulo 256; later entries are worth more.
    pub(crate) age: u8,
}

impl MidgameEntry {
    /// Returns whether the bounds can stand for a search of `depth` at `confidence`: both must be at least as great.
    #[inline(always)]
    pub(crate) const fn serves(&self, depth: u32, confidence: u8) -> bool {
        self.depth as u32 >= depth && self.confidence >= confidence
    }

    /// Returns the best move.
    #[inline(always)]
    pub(crate) fn best(&self) -> Option<Square> {
        Square::from_index(self.square as usize)
    }

    /// Returns what is to be stored after `new`, where `old` is there already.
    pub(crate) fn merged(old: Option<Self>, new: Self) -> Self {
        let Some(old) = old else { return new };
        let square = if new.square == NO_SQUARE {
            old.square
        } else {
            new.square
        };
        let mut merged = Self { square, ..new };
        if old.depth == new.depth && old.confidence == new.confidence {
            let (lower, upper) = (old.lower.max(new.lower), old.upper.min(new.upper));
            // Selective searches can contradict each other; then the later one counts alone.
            if lower <= upper {
                (merged.lower, merged.upper) = (lower, upper);
            }
        } else if old.serves(new.depth.into(), new.confidence) {
            merged = Self {
                square: if old.square == NO_SQUARE {
                    square
                } else {
                    old.square
                },
                age: new.age,
                ..old
            };
        }
        merged
    }
}

impl TableEntry for MidgameEntry {
    type Key = Board;

    #[inline(always)]
    fn pack(self) -> [u64; 3] {
        let data = u64::from(self.lower as u16)
            | u64::from(self.upper as u16) << 16
            | u64::from(self.depth) << 32
            | u64::from(self.confidence) << 40
            | u64::from(self.square) << 48
            | u64::from(self.age) << 56;
        [self.board.player().bits(), self.board.opponent().bits(), data]
    }

    #[inline(always)]
    fn unpack([player, opponent, data]: [u64; 3]) -> Self {
        Self {
            board: Board::new_unchecked(Bitboard::new(player), Bitboard::new(opponent)),
            lower: data as i16,
            upper: (data >> 16) as i16,
            depth: (data >> 32) as u8,
            confidence: (data >> 40) as u8,
            square: (data >> 48) as u8,
            age: (data >> 56) as u8,
        }
    }

    #[inline(always)]
    fn is_for(&self, key: Board) -> bool {
        self.board == key
    }

    fn worth(&self) -> u32 {
        u32::from(self.age) << 8 | u32::from(self.depth)
    }
}

/// Mixes the discs of a board into a table index; the same on every CPU.
#[inline(always)]
pub(crate) const fn hash(board: Board) -> u64 {
    let mixed = board
        .player()
        .bits()
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .rotate_left(31)
        .wrapping_add(board.opponent().bits())
        .wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    mixed ^ mixed >> 29
}

/// What the selective search has found about the positions it met: moves to try first, never bounds.
pub(crate) struct Guide(pub(crate) Arc<Table<MidgameEntry>>);

impl Guide {
    /// Returns the best move known for `board`.
    #[inline]
    pub(crate) fn best(&self, board: Board) -> Option<Square> {
        self.0.probe(hash(board), board)?.best()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(lower: i16, upper: i16, depth: u8, confidence: u8, square: u8) -> MidgameEntry {
        MidgameEntry {
            board: Board::start(),
            lower,
            upper,
            depth,
            confidence,
            square,
            age: 3,
        }
    }

    #[test]
    fn packing_loses_nothing() {
        for entry in [
            entry(-8192, 8192, 60, 100, 64),
            entry(-1, 0, 1, 73, 0),
            entry(5, 5, 9, 95, 63),
        ] {
            assert_eq!(MidgameEntry::unpack(entry.pack()), entry);
            assert!(entry.is_for(Board::start()));
            assert!(!entry.is_for(Board::start().passed()));
        }
    }

    #[test]
    fn less_depth_or_confidence_never_serves() {
        let deep = entry(0, 0, 12, 73, 1);
        assert!(deep.serves(12, 73) && deep.serves(3, 60));
        assert!(!deep.serves(13, 73) && !deep.serves(12, 87) && !deep.serves(1, 100));
    }

    #[test]
    fn merging_narrows_and_keeps_what_serves_more() {
        let (low, high) = (entry(10, 8192, 8, 95, 5), entry(-8192, 30, 8, 95, NO_SQUARE));
        assert_eq!(MidgameEntry::merged(Some(low), high), entry(10, 30, 8, 95, 5));
        let contrary = entry(-8192, 0, 8, 95, 7);
        assert_eq!(MidgameEntry::merged(Some(low), contrary), contrary);
        let shallow = entry(-8192, 0, 4, 95, 7);
        assert_eq!(MidgameEntry::merged(Some(low), shallow), low);
        let surer = entry(-8192, 0, 4, 100, 7);
        assert_eq!(MidgameEntry::merged(Some(low), surer), surer);
    }
}
