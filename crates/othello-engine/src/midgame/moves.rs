//! The moves of a node and their order.

use outflank_othello::{Bitboard, Board, Square};

/// Squares by what they are usually worth, best first: corners, the middle and the edges, C squares, X squares.
pub(super) const SQUARE_CLASSES: [Bitboard; 4] = [
    Bitboard::CORNERS,
    Bitboard::new(!(Bitboard::CORNERS.bits() | Bitboard::C_SQUARES.bits() | Bitboard::X_SQUARES.bits())),
    Bitboard::C_SQUARES,
    Bitboard::X_SQUARES,
];

/// Least depth at which moves are sorted by the rough evaluation of the board behind them, too.
pub(super) const ROUGH_FROM: u32 = 3;
/// Least depth at which the whole evaluation is asked instead.
pub(super) const EVALUATE_FROM: u32 = 5;
/// Weight of that value (1/128 disc) against the quick score.
pub(super) const VALUE_WEIGHT: i32 = 4;
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

    pub(super) const EMPTY: Self = Self {
        moves: [Candidate {
            square: Square::A1,
            flips: Bitboard::EMPTY,
            score: 0,
        }; Self::CAPACITY],
        len: 0,
    };

    /// Adds the moves to these squares in their order.
    #[inline(always)]
    pub(super) fn add(&mut self, board: Board, squares: impl IntoIterator<Item = Square>) {
        for square in squares {
            self.moves[self.len & (Self::CAPACITY - 1)] = Candidate {
                square,
                flips: board.flips(square),
                score: 0,
            };
            self.len += 1;
        }
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
}

/// Whose turn it is in a list of moves: one after the other, and those that were put off after all others.
pub(super) struct Picker<'l> {
    list: &'l mut MoveList,
    next: usize,
    /// Whether the best score comes next, rather than the next in the list.
    by_score: bool,
    /// Indices that were put off, as bits.
    deferred: u64,
}

/// A move whose turn it is.
pub(super) struct Pick {
    /// Its place in the list.
    pub(super) index: usize,
    pub(super) candidate: Candidate,
    /// Whether it was put off before.
    pub(super) again: bool,
}

impl<'l> Picker<'l> {
    #[inline(always)]
    pub(super) const fn new(list: &'l mut MoveList) -> Self {
        Self {
            list,
            next: 0,
            by_score: false,
            deferred: 0,
        }
    }

    /// Has the rest, that have their scores, come best first.
    #[inline(always)]
    pub(super) const fn go_by_score(&mut self) {
        self.by_score = true;
    }

    /// Returns the moves that have not had their turn.
    #[inline(always)]
    pub(super) fn rest(&mut self) -> &mut [Candidate] {
        &mut self.list.moves[self.next..self.list.len]
    }

    /// Returns how many moves have had their turn.
    #[inline(always)]
    pub(super) const fn begun(&self) -> usize {
        self.next
    }

    #[inline(always)]
    pub(super) fn pick(&mut self) -> Option<Pick> {
        let again = self.next == self.list.len;
        let index = if !again {
            if self.by_score {
                self.bring_best();
            }
            self.next += 1;
            self.next - 1
        } else if self.deferred != 0 {
            let first = self.deferred.trailing_zeros() as usize;
            self.deferred &= self.deferred - 1;
            first
        } else {
            return None;
        };
        Some(Pick {
            index,
            candidate: self.list.moves[index],
            again,
        })
    }

    /// Brings the move with the best score to the next place. Most nodes are cut off before all have had their turn.
    #[inline(always)]
    fn bring_best(&mut self) {
        let rest = self.rest();
        let (mut best, mut best_key) = (0, i64::MIN);
        for (index, candidate) in rest.iter().enumerate() {
            // Squares settle ties.
            let key = i64::from(candidate.score) << 8 | candidate.square as i64;
            if key > best_key {
                (best, best_key) = (index, key);
            }
        }
        rest.swap(0, best);
    }

    /// Puts a move off until all others have had their turn.
    #[inline(always)]
    pub(super) const fn defer(&mut self, pick: &Pick) {
        self.deferred |= 1 << pick.index;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_are_put_off_come_last_and_only_once() {
        let board = Board::start();
        let mut list = MoveList::EMPTY;
        list.add(board, board.legal_moves());
        let mut picker = Picker::new(&mut list);
        let mut order = Vec::new();
        while let Some(pick) = picker.pick() {
            if !pick.again && pick.index % 2 == 0 {
                picker.defer(&pick);
            } else {
                order.push(pick.index);
            }
        }
        assert_eq!(order, [1, 3, 0, 2]);
        let mut none = MoveList::EMPTY;
        assert!(Picker::new(&mut none).pick().is_none());
    }
}
