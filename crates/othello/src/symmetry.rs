//! The eight symmetries of the board.

use crate::{Bitboard, Move, Square};

/// A symmetry of the square board: a reflection in the main diagonal or none, then mirrorings.
///
/// The number's bits say what is applied, lowest first: 1 swaps columns and rows (a1–h8 diagonal), 2 mirrors the
/// columns (a ↔ h), 4 mirrors the rows (1 ↔ 8).
///
/// # Examples
///
/// ```
/// use outflank_othello::{Square, Symmetry};
/// for symmetry in Symmetry::ALL {
///     let there = symmetry.square(Square::B1);
///     assert_eq!(symmetry.inverse().square(there), Square::B1);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Self = Self(0);
    /// All eight, the identity first.
    pub const ALL: [Self; 8] = [
        Self(0),
        Self(1),
        Self(2),
        Self(3),
        Self(4),
        Self(5),
        Self(6),
        Self(7),
    ];
    /// The four that leave the start position as it is: identity, both diagonals, half a turn.
    pub const OF_START: [Self; 4] = [Self(0), Self(1), Self(6), Self(7)];

    /// Returns its place in [`Symmetry::ALL`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the symmetry that takes this one back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        // With the diagonal, the mirrorings change places; without it, every symmetry is its own inverse.
        match self.0 {
            3 => Self(5),
            5 => Self(3),
            own => Self(own),
        }
    }

    /// Returns the image of a square.
    pub const fn square(self, square: Square) -> Square {
        let (mut column, mut row) = (square.column(), square.row());
        if self.0 & 1 != 0 {
            (column, row) = (row, column);
        }
        if self.0 & 2 != 0 {
            column = 7 - column;
        }
        if self.0 & 4 != 0 {
            row = 7 - row;
        }
        Square::from_index_wrapping(row * 8 + column)
    }

    /// Returns the image of a move; a pass stays a pass.
    pub const fn apply_move(self, mv: Move) -> Move {
        match mv {
            Move::Place(square) => Move::Place(self.square(square)),
            Move::Pass => Move::Pass,
        }
    }

    /// Returns the image of a set of squares.
    #[inline]
    pub const fn bitboard(self, board: Bitboard) -> Bitboard {
        let mut bits = board.bits();
        if self.0 & 1 != 0 {
            bits = transpose(bits);
        }
        if self.0 & 2 != 0 {
            bits = bits.swap_bytes().reverse_bits();
        }
        if self.0 & 4 != 0 {
            bits = bits.swap_bytes();
        }
        Bitboard::new(bits)
    }
}

/// Mirrors in the a1–h8 diagonal by three rounds of block swaps. [WARREN13] §7-3
const fn transpose(bits: u64) -> u64 {
    let mut x = bits;
    let mut swap = (x ^ x >> 7) & 0x00AA_00AA_00AA_00AA;
    x ^= swap ^ swap << 7;
    swap = (x ^ x >> 14) & 0x0000_CCCC_0000_CCCC;
    x ^= swap ^ swap << 14;
    swap = (x ^ x >> 28) & 0x0000_0000_F0F0_F0F0;
    x ^ swap ^ swap << 28
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_and_squares_map_alike() {
        for symmetry in Symmetry::ALL {
            for square in Square::ALL {
                let image = symmetry.square(square);
                assert_eq!(
                    symmetry.bitboard(square.into()),
                    image.into(),
                    "{symmetry:?} {square}"
                );
                assert_eq!(symmetry.inverse().square(image), square);
            }
        }
    }

    #[test]
    fn the_eight_are_distinct_and_closed() {
        let images = |a: Symmetry, b: Symmetry| Square::ALL.map(|square| b.square(a.square(square)));
        for a in Symmetry::ALL {
            for b in Symmetry::ALL {
                let n = Symmetry::ALL
                    .iter()
                    .filter(|c| Square::ALL.map(|s| c.square(s)) == images(a, b))
                    .count();
                assert_eq!(n, 1);
            }
        }
    }
}
