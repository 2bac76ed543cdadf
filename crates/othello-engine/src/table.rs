//! What the shared table holds for the exact solver, and the key of a board.

use outflank_search::TableEntry;

/// No move.
pub(crate) const NO_MOVE: u8 = 64;

/// Proven bounds on the value of a board, and the moves that were best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExactEntry {
    pub(crate) player: u64,
    pub(crate) opponent: u64,
    /// The value is at least this many discs for the player to move.
    pub(crate) lower: i8,
    /// The value is at most this many discs.
    pub(crate) upper: i8,
    /// Squares of the best move of the last search and of the one before; [`NO_MOVE`] if there is none.
    pub(crate) moves: [u8; 2],
    /// Binary logarithm of the nodes that the entry cost.
    pub(crate) cost: u8,
}

impl ExactEntry {
    /// Returns what is known about any board.
    pub(crate) const fn unknown(player: u64, opponent: u64) -> Self {
        Self {
            player,
            opponent,
            lower: -64,
            upper: 64,
            moves: [NO_MOVE; 2],
            cost: 0,
        }
    }

    /// Returns the entry after a search with the window above `alpha` that found `best` by `square` in `nodes` nodes.
    pub(crate) fn learned(mut self, alpha: i32, best: i32, square: u8, nodes: u64) -> Self {
        if best > alpha {
            self.lower = self.lower.max(best as i8);
            if self.moves[0] != square {
                self.moves = [square, self.moves[0]];
            }
        } else {
            self.upper = self.upper.min(best as i8);
            if self.moves[0] == NO_MOVE {
                self.moves[0] = square;
            }
        }
        self.cost = self.cost.max(nodes.max(1).ilog2() as u8);
        self
    }
}

impl TableEntry for ExactEntry {
    type Key = (u64, u64);

    fn pack(self) -> [u64; 3] {
        let bytes = [
            self.lower as u8,
            self.upper as u8,
            self.moves[0],
            self.moves[1],
            self.cost,
            0,
            0,
            0,
        ];
        [self.player, self.opponent, u64::from_le_bytes(bytes)]
    }

    fn unpack(words: [u64; 3]) -> Self {
        let bytes = words[2].to_le_bytes();
        Self {
            player: words[0],
            opponent: words[1],
            lower: bytes[0] as i8,
            upper: bytes[1] as i8,
            moves: [bytes[2], bytes[3]],
            cost: bytes[4],
        }
    }

    fn is_for(&self, (player, opponent): (u64, u64)) -> bool {
        self.player == player && self.opponent == opponent
    }

    fn worth(&self) -> u32 {
        u32::from(self.cost)
    }
}

/// Mixes the discs of a board into a table index; the same on every CPU.
#[inline(always)]
pub(crate) const fn hash(player: u64, opponent: u64) -> u64 {
    let mixed = player
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .rotate_left(29)
        .wrapping_add(opponent)
        .wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ mixed >> 32
}
