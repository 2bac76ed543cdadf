//! The evaluator without learning: mobility, potential mobility, corners and their neighborhood, parity.
//!
//! It gives the engine something to play with before weights are trained, and stays as the baseline of every
//! comparison.

use crate::{Evaluator, Score};
use outflank_othello::{Bitboard, Board, Square};

/// Mobility, potential mobility, corner regions and parity with fixed weights.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandMade;

/// Units per legal move more than the opponent.
const MOBILITY: i32 = 140;
/// Units per empty square next to an opponent's disc, more than the opponent has.
const POTENTIAL_MOBILITY: i32 = 45;
/// Units per corner more than the opponent.
const CORNER: i32 = 900;
/// Units per X square held next to an empty corner.
const X_SQUARE: i32 = -420;
/// Units per C square held next to an empty corner.
const C_SQUARE: i32 = -150;
/// Units for having the last move in sight (an odd number of empties).
const PARITY: i32 = 120;

impl HandMade {
    fn corner_regions(own: u64, other: u64) -> i32 {
        let empty_corners = Bitboard::CORNERS.bits() & !(own | other);
        let x = Bitboard::new(empty_corners).neighbors() & Bitboard::X_SQUARES;
        let c = Bitboard::new(empty_corners).neighbors() & Bitboard::C_SQUARES;
        let count = |set: u64| set.count_ones() as i32;
        let balance = |mask: u64| count(own & mask) - count(other & mask);
        CORNER * balance(Bitboard::CORNERS.bits())
            + X_SQUARE * balance(x.bits())
            + C_SQUARE * balance(c.bits())
    }
}

impl Evaluator for HandMade {
    type State = ();

    fn state(&self, _board: Board) {}

    fn after_move(&self, (): &(), _board: Board, _square: Square, _flips: Bitboard) {}

    fn after_pass(&self, (): &()) {}

    fn evaluate(&self, board: Board, (): &()) -> Score {
        let (own, other) = (board.player(), board.opponent());
        let mobility = board.mobility() as i32 - board.passed().mobility() as i32;
        let potential = |set: Bitboard| (set.neighbors() & board.empties()).count() as i32;
        let units = MOBILITY * mobility
            + POTENTIAL_MOBILITY * (potential(other) - potential(own))
            + Self::corner_regions(own.bits(), other.bits())
            + if board.empties().count() % 2 == 1 {
                PARITY
            } else {
                -PARITY
            };
        Score::estimate(units)
    }

    fn ordering_score(&self, board: Board) -> Score {
        self.evaluate(board, &())
    }

    fn fingerprint(&self) -> u64 {
        0x4861_6E64_4D61_6465
    }
}
