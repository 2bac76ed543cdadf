//! The private table of one thread, sized to the level-2 cache: what few empties need, without locks.

use crate::table::NO_MOVE;

/// Entries; 24 bytes each.
const ENTRIES: usize = 1 << 13;

/// Proven bounds of a board.
#[derive(Clone, Copy)]
pub(super) struct CacheEntry {
    player: u64,
    opponent: u64,
    /// Entries of other generations count as empty.
    generation: u32,
    pub(super) lower: i8,
    pub(super) upper: i8,
    /// The best move found, or [`NO_MOVE`].
    pub(super) square: u8,
}

/// A direct-mapped table of bounds.
pub(super) struct Cache {
    entries: Box<[CacheEntry]>,
    generation: u32,
}

impl Cache {
    pub(super) fn new() -> Self {
        let empty = CacheEntry {
            player: 0,
            opponent: 0,
            generation: 0,
            lower: -64,
            upper: 64,
            square: NO_MOVE,
        };
        Self {
            entries: vec![empty; ENTRIES].into_boxed_slice(),
            generation: 1,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        if self.generation == u32::MAX {
            *self = Self::new();
        }
        self.generation += 1;
    }

    #[inline(always)]
    const fn index(hash: u64) -> usize {
        hash as usize & (ENTRIES - 1)
    }

    #[inline(always)]
    pub(super) fn probe(&self, hash: u64, player: u64, opponent: u64) -> Option<CacheEntry> {
        let entry = self.entries[Self::index(hash)];
        (entry.player == player && entry.opponent == opponent && entry.generation == self.generation)
            .then_some(entry)
    }

    /// Stores that the value is above `alpha` (at least `best`) or not above it (at most `best`).
    #[inline(always)]
    pub(super) fn store(&mut self, hash: u64, board: (u64, u64), alpha: i32, best: i32, square: u8) {
        let (player, opponent) = board;
        let entry = &mut self.entries[Self::index(hash)];
        if entry.player != player || entry.opponent != opponent || entry.generation != self.generation {
            *entry = CacheEntry {
                player,
                opponent,
                generation: self.generation,
                lower: -64,
                upper: 64,
                square: NO_MOVE,
            };
        }
        if best > alpha {
            entry.lower = best as i8;
            entry.square = square;
        } else {
            entry.upper = best as i8;
            if entry.square == NO_MOVE {
                entry.square = square;
            }
        }
    }
}
