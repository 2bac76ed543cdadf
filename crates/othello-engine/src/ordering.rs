//! The list of moves of a node, and what each move is worth trying first.

use outflank_othello::{corner_anchored_raw, kernels::legal_moves};

/// Most legal moves that a list can hold; no reachable position has as many.
const CAPACITY: usize = 40;

/// The corners.
const CORNERS: u64 = 0x8100_0000_0000_0081;

/// A move with what it flips and how promising it looks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Candidate {
    pub(crate) flips: u64,
    /// Greater is searched earlier.
    pub(crate) score: i32,
    pub(crate) square: u8,
}

impl Candidate {
    /// Returns the discs of the mover and of the other side after the move, from the *other side's* view: it is to
    /// move then.
    #[inline(always)]
    pub(crate) const fn after(&self, player: u64, opponent: u64) -> (u64, u64) {
        (
            opponent & !self.flips,
            player | self.flips | 1 << (self.square & 63),
        )
    }
}

/// The candidates of one node; taken out best first.
#[derive(Debug)]
pub(crate) struct Candidates<const N: usize = CAPACITY> {
    items: [Candidate; N],
    len: usize,
    taken: usize,
}

impl<const N: usize> Candidates<N> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            items: [Candidate::default(); N],
            len: 0,
            taken: 0,
        }
    }

    /// Adds a candidate; beyond the capacity it is forgotten, which `debug_assert` catches.
    #[inline(always)]
    pub(crate) fn push(&mut self, candidate: Candidate) {
        debug_assert!(self.len < N);
        if self.len < N {
            self.items[self.len] = candidate;
            self.len += 1;
        }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The candidates not yet taken.
    #[inline(always)]
    pub(crate) fn rest(&self) -> &[Candidate] {
        &self.items[self.taken.min(self.len)..self.len]
    }

    /// The candidates not yet taken, to be scored.
    #[inline(always)]
    pub(crate) fn rest_mut(&mut self) -> &mut [Candidate] {
        &mut self.items[self.taken.min(self.len)..self.len]
    }

    /// Takes the most promising of the rest; of equals, the one added first.
    #[inline(always)]
    pub(crate) fn take_best(&mut self) -> Option<Candidate> {
        let start = self.taken;
        let rest = self.items.get_mut(start..self.len)?;
        let mut best = 0;
        for i in 1..rest.len() {
            if rest[i].score > rest[best].score {
                best = i;
            }
        }
        if rest.is_empty() {
            return None;
        }
        rest.swap(0, best);
        self.taken += 1;
        Some(rest[0])
    }
}

/// Returns the number of legal moves, corners twice.
#[inline(always)]
pub(crate) fn weighted_mobility(player: u64, opponent: u64) -> i32 {
    let moves = legal_moves(player, opponent);
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}

/// Returns the number of empty squares next to a disc of `opponent`: where `player` may be able to move one day.
#[inline(always)]
pub(crate) fn potential_mobility(player: u64, opponent: u64) -> i32 {
    let near = outflank_othello::Bitboard::new(opponent).neighbors().bits();
    (near & !(player | opponent)).count_ones() as i32
}

/// Returns the number of own discs in corners and next to them along the edge.
#[inline(always)]
pub(crate) fn corner_stability(own: u64) -> i32 {
    corner_anchored_raw(own).count_ones() as i32
}

/// Returns the empty squares that lie in a quadrant with an odd number of empties.
#[inline(always)]
pub(crate) const fn odd_quadrants(empties: u64) -> u64 {
    const QUADRANTS: [u64; 4] = [
        0x0000_0000_0F0F_0F0F,
        0x0000_0000_F0F0_F0F0,
        0x0F0F_0F0F_0000_0000,
        0xF0F0_F0F0_0000_0000,
    ];
    let mut odd = 0;
    let mut i = 0;
    while i < 4 {
        let part = empties & QUADRANTS[i];
        odd |= part & ((part.count_ones() & 1) as u64).wrapping_neg();
        i += 1;
    }
    odd
}
