//! The list of moves of a node, and what each move is worth trying first.

use crate::{table::NO_MOVE, techniques::Techniques};
use outflank_othello::{
    corner_anchored_raw,
    kernels::{flips, legal_moves},
};
use std::ops::Range;

/// Most legal moves that a list can hold; no reachable position has as many.
pub(crate) const CAPACITY: usize = 40;

/// The corners.
const CORNERS: u64 = 0x8100_0000_0000_0081;

/// How much each sign of a good move counts when the solver orders moves; any unit, only ratios matter.
///
/// The defaults come from a search for the fewest nodes on fixed positions (`examples/tune_ordering.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderingWeights {
    /// Up to twelve empties.
    pub middle: TierWeights,
    /// More than twelve empties, where the evaluation may be searched.
    pub upper: TierWeights,
    /// From `whole_from` empties on.
    pub top: TierWeights,
    /// Least numbers of empties at which the evaluation is searched one, two and three moves deep, where a cut-off is
    /// expected.
    pub search_from: [u32; 3],
    /// Least number of empties at which `middle.evaluation` counts.
    pub evaluation_from: u32,
    /// Least number of empties of a leaf at which the rough evaluation is asked instead of the light one.
    pub full_from: u32,
    /// Least number of empties of a leaf at which the whole evaluation is asked instead of the rough one.
    pub whole_from: u32,
}

/// The weights of one tier of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TierWeights {
    /// Per move left to the opponent, corners twice.
    pub mobility: i32,
    /// Per own disc in a corner or beside one.
    pub corner: i32,
    /// For a move into a quadrant with an odd number of empties.
    pub parity: i32,
    /// Per class of the square: corner 4, far from corners 2 or 3, C square 1, X square 0.
    pub square: i32,
    /// Per disc that the evaluator gives.
    pub evaluation: i32,
}

impl OrderingWeights {
    /// What the tuner found.
    pub const TUNED: Self = Self {
        middle: TierWeights {
            mobility: 40,
            corner: 9,
            parity: 15,
            square: 4,
            evaluation: 5,
        },
        upper: TierWeights {
            mobility: 44,
            corner: 10,
            parity: 6,
            square: 0,
            evaluation: 26,
        },
        top: TierWeights {
            mobility: 44,
            corner: 10,
            parity: 6,
            square: 0,
            evaluation: 16,
        },
        search_from: [14, 17, 20],
        evaluation_from: 11,
        full_from: 12,
        whole_from: 15,
    };
}

/// The class of each square for [`TierWeights::square`].
#[rustfmt::skip]
pub(crate) static SQUARE_CLASS: [i8; 64] = [
    4, 1, 3, 3, 3, 3, 1, 4,
    1, 0, 2, 2, 2, 2, 0, 1,
    3, 2, 3, 2, 2, 3, 2, 3,
    3, 2, 2, 2, 2, 2, 2, 3,
    3, 2, 2, 2, 2, 2, 2, 3,
    3, 2, 3, 2, 2, 3, 2, 3,
    1, 0, 2, 2, 2, 2, 0, 1,
    4, 1, 3, 3, 3, 3, 1, 4,
];

/// A move with what it flips and how promising it looks.
#[derive(Clone, Copy, Debug)]
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
///
/// Flips and scores are kept apart: what was written in two pieces a moment ago and is read in one comes late, since
/// the processor cannot hand it on from its store buffer.
#[derive(Debug)]
pub(crate) struct Candidates<const N: usize = CAPACITY> {
    flips: [u64; N],
    /// The score, below 2²⁵, and after it the square, so that the lowest square comes first of equals.
    keys: [i32; N],
    len: usize,
    taken: usize,
}

impl<const N: usize> Candidates<N> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            flips: [0; N],
            keys: [0; N],
            len: 0,
            taken: 0,
        }
    }

    #[inline(always)]
    const fn key(score: i32, square: u8) -> i32 {
        score << 6 | (63 - (square & 63)) as i32
    }

    #[inline(always)]
    fn at(&self, index: usize) -> Candidate {
        let key = self.keys[index];
        Candidate {
            flips: self.flips[index],
            score: key >> 6,
            square: 63 - (key & 63) as u8,
        }
    }

    /// Adds legal moves with their flips; reports whether none of them takes the last disc of the other side.
    ///
    /// After one that does, the rest is missing; what is beyond the capacity is forgotten, which `debug_assert` catches.
    #[inline(always)]
    pub(crate) fn add_moves(&mut self, (player, opponent): (u64, u64), mut moves: u64) -> bool {
        while moves != 0 {
            let square = moves.trailing_zeros() as usize & 63;
            moves &= moves - 1;
            let flips = flips(square, player, opponent);
            if flips == opponent {
                return false;
            }
            debug_assert!(self.len < N);
            if self.len < N {
                self.flips[self.len] = flips;
                self.keys[self.len] = Self::key(0, square as u8);
                self.len += 1;
            }
        }
        true
    }

    /// Keeps only the candidates for which `keep` holds, in their order.
    #[inline(always)]
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Candidate) -> bool) {
        let mut kept = 0;
        for i in 0..self.len.min(N) {
            let candidate = self.at(i);
            self.flips[kept] = candidate.flips;
            self.keys[kept] = self.keys[i];
            kept += usize::from(keep(&candidate));
        }
        self.len = kept;
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns how many candidates are not yet taken.
    #[inline(always)]
    pub(crate) fn left(&self) -> usize {
        self.len - self.taken
    }

    /// Where the candidates not yet taken stand.
    #[inline(always)]
    fn places(&self) -> Range<usize> {
        self.taken..self.len.min(N)
    }

    /// The candidates not yet taken.
    #[inline(always)]
    pub(crate) fn rest(&self) -> impl Iterator<Item = Candidate> {
        self.places().map(|index| self.at(index))
    }

    /// Gives the candidates not yet taken the scores that `score` returns, as long as it returns some.
    #[inline(always)]
    pub(crate) fn score_rest(&mut self, mut score: impl FnMut(&Candidate) -> Option<i32>) {
        for index in self.places() {
            let candidate = self.at(index);
            let Some(score) = score(&candidate) else { return };
            self.keys[index] = Self::key(score, candidate.square);
        }
    }

    /// Takes the candidate at `index`.
    #[inline(always)]
    fn take_at(&mut self, index: usize) -> Candidate {
        let first = self.taken;
        let candidate = self.at(index);
        self.flips[index] = self.flips[first];
        self.keys[index] = self.keys[first];
        self.taken += 1;
        candidate
    }

    /// Takes the move to this square, if it is there; [`NO_MOVE`] is not.
    #[inline(always)]
    pub(crate) fn take(&mut self, square: u8) -> Option<Candidate> {
        if square == NO_MOVE {
            return None;
        }
        let index = self.places().find(|&index| self.at(index).square == square)?;
        Some(self.take_at(index))
    }

    /// Takes the most promising of the rest; of equals, the lowest square.
    #[inline(always)]
    pub(crate) fn take_best(&mut self) -> Option<Candidate> {
        let mut places = self.places();
        let mut best = places.next()?;
        let mut best_key = self.keys[best];
        for index in places {
            let key = self.keys[index];
            if key > best_key {
                (best, best_key) = (index, key);
            }
        }
        Some(self.take_at(best))
    }
}

impl TierWeights {
    /// Returns the score of a move by everything but the evaluation; greater is better.
    #[inline(always)]
    pub(crate) fn cheap(&self, candidate: &Candidate, (player, opponent): (u64, u64), odd: u64) -> i32 {
        let (next, other) = candidate.after(player, opponent);
        let mut score = i32::from(SQUARE_CLASS[usize::from(candidate.square & 63)]) * self.square
            - weighted_mobility(next, other) * self.mobility
            + corner_stability(other) * self.corner;
        if odd >> (candidate.square & 63) & 1 != 0 {
            score += self.parity;
        }
        score
    }

    /// Returns the weights with those of missing techniques at zero.
    pub(crate) fn only(mut self, techniques: &Techniques) -> Self {
        let clear = |weight: &mut i32, keep: bool| {
            if !keep {
                *weight = 0;
            }
        };
        clear(&mut self.mobility, techniques.mobility);
        clear(&mut self.corner, techniques.corner_stability);
        clear(&mut self.square, techniques.corner_stability);
        clear(&mut self.parity, techniques.parity);
        clear(&mut self.evaluation, techniques.evaluation);
        self
    }
}

/// Returns the number of legal moves, corners twice.
#[inline(always)]
pub(crate) fn weighted_mobility(player: u64, opponent: u64) -> i32 {
    let moves = legal_moves(player, opponent);
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
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

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_othello::Board;

    #[test]
    fn candidates_come_best_first_with_what_they_flip() {
        let board = Board::start();
        let discs = (board.player().bits(), board.opponent().bits());
        let all = || {
            let mut list = Candidates::<12>::new();
            assert!(list.add_moves(discs, board.legal_moves().bits()));
            list
        };
        let squares: Vec<u8> = all().rest().map(|candidate| candidate.square).collect();
        assert_eq!(squares.len(), 4);
        // A hint outweighs the rest, scores below zero stay in order, and of equals the lowest square comes first.
        let scores = [-9_000, (1 << 24) + 9_000, -8_999, -9_000];
        let mut list = all();
        let mut next = scores.into_iter();
        list.score_rest(|_| next.next());
        for index in [1, 2, 0, 3] {
            let taken = list.take_best().expect("there are four");
            assert_eq!((taken.square, taken.score), (squares[index], scores[index]));
            assert_eq!(taken.flips, flips(usize::from(taken.square), discs.0, discs.1));
        }
        assert!(list.take_best().is_none());
        assert_eq!((list.len(), list.left()), (4, 0));

        let mut list = all();
        list.retain(|candidate| candidate.square != squares[1]);
        assert!(list.take(squares[1]).is_none());
        assert_eq!(list.take(squares[2]).map(|taken| taken.square), Some(squares[2]));
        let rest: Vec<u8> = list.rest().map(|candidate| candidate.square).collect();
        assert_eq!(rest, [squares[0], squares[3]]);
    }
}
