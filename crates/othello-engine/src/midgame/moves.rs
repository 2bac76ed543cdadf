//! The moves of a node and their order.

use outflank_othello::{Bitboard, Board, Square};
use std::ops::Index;

/// Squares by what they are usually worth, best first: corners, the middle and the edges, C squares, X squares.
pub(super) const SQUARE_CLASSES: [Bitboard; 4] = [
    Bitboard::CORNERS,
    Bitboard::new(!(Bitboard::CORNERS.bits() | Bitboard::C_SQUARES.bits() | Bitboard::X_SQUARES.bits())),
    Bitboard::C_SQUARES,
    Bitboard::X_SQUARES,
];

/// Least depth at which moves are sorted by the evaluation of the board behind them.
pub(super) const EVALUATE_FROM: u32 = 3;
/// Weight of that value (1/128 disc) against the quick score.
pub(super) const VALUE_WEIGHT: i32 = 4;
/// How far below alpha small searches still tell moves apart, in 1/128 disc.
pub(super) const SLACK: i32 = 8 * 128;
/// Quick score per weighted move that the opponent has less.
const MOBILITY: i32 = 128;
/// Quick score per empty square less that touches the discs of the player who moved.
const POTENTIAL: i32 = 24;
/// Quick score of a corner, other squares, a C square, an X square.
const CLASS_SCORE: [i32; 4] = [400, 0, -100, -300];

/// A move with its flipped discs and the number that it is sorted by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) square: Square,
    pub(super) flips: Bitboard,
    pub(super) score: i32,
}

/// The moves of one node, without allocation.
pub(super) struct MoveList {
    moves: [Candidate; Self::CAPACITY],
    len: usize,
}

impl MoveList {
    /// At least the greatest number of legal moves on any board: every one needs an empty square.
    const CAPACITY: usize = 64;

    /// Returns the moves to the squares of `legal`, in index order.
    #[inline(always)]
    pub(super) fn new(board: Board, legal: Bitboard) -> Self {
        let mut list = Self {
            moves: [Candidate {
                square: Square::A1,
                flips: Bitboard::EMPTY,
                score: 0,
            }; Self::CAPACITY],
            len: 0,
        };
        for square in legal {
            list.moves[list.len & (Self::CAPACITY - 1)] = Candidate {
                square,
                flips: board.flips(square),
                score: 0,
            };
            list.len += 1;
        }
        list
    }

    #[inline(always)]
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.moves[..self.len].iter()
    }

    /// Puts the move to `square` first, if it is in the list.
    pub(super) fn put_first(&mut self, square: Square) {
        let found = self.iter().position(|candidate| candidate.square == square);
        if let Some(index) = found {
            self.moves[..=index].rotate_right(1);
        }
    }

    /// Returns the moves from `index` on.
    pub(super) fn rest(&mut self, index: usize) -> &mut [Candidate] {
        &mut self.moves[index..self.len]
    }
}

impl Index<usize> for MoveList {
    type Output = Candidate;

    #[inline(always)]
    fn index(&self, index: usize) -> &Candidate {
        &self.moves[index]
    }
}

/// Returns how promising the move to `square` is that leaves `child`: few replies, a good square.
#[inline(always)]
pub(super) fn quick_score(child: Board, square: Square) -> i32 {
    if child.player().is_empty() {
        return 1 << 28;
    }
    let replies = child.legal_moves();
    let weighted = replies.count() + (replies & Bitboard::CORNERS).count();
    let potential = (child.opponent().neighbors() & child.empties()).count();
    let class = SQUARE_CLASSES
        .iter()
        .position(|group| group.contains(square))
        .unwrap_or(1);
    CLASS_SCORE[class] - MOBILITY * weighted as i32 - POTENTIAL * potential as i32
}

/// Returns how deep the small searches go that sort the moves of a node of this depth; 0 for none.
pub(super) const fn search_depth(depth: u32, pv: bool, cut: bool) -> u32 {
    let bonus = if pv {
        2
    } else if cut {
        0
    } else {
        // Where every move must be refuted their order hardly matters.
        return 0;
    };
    let search = (depth + bonus).saturating_sub(6) / 3;
    if search > 4 { 4 } else { search }
}
