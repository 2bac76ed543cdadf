//! Sets of squares as 64-bit words.

use crate::Square;
use std::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign},
};

/// A set of squares; bit 0 is a1, bit 63 is h8.
///
/// `-` is set difference. Iterating gives the squares in index order.
///
/// # Examples
///
/// ```
/// use outflank_othello::{Bitboard, Square, bitboard};
/// let corners = bitboard! {
///     X . . . . . . X
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     X . . . . . . X
/// };
/// assert_eq!(corners, Bitboard::CORNERS);
/// assert_eq!(corners.into_iter().collect::<Vec<_>>(), [Square::A1, Square::H1, Square::A8, Square::H8]);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bitboard(u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const ALL: Self = Self(!0);
    /// a1, h1, a8, h8.
    pub const CORNERS: Self = Self(0x8100_0000_0000_0081);
    /// The 28 squares of the outer ring.
    pub const EDGES: Self = Self(0xFF81_8181_8181_81FF);
    /// The X squares: b2, g2, b7, g7, diagonal neighbors of the corners.
    pub const X_SQUARES: Self = Self(0x0042_0000_0000_4200);
    /// The C squares: the eight edge neighbors of the corners (b1, a2, …).
    pub const C_SQUARES: Self = Self(0x4281_0000_0000_8142);
    /// The A squares: the eight edge squares two steps from a corner (c1, f1, a3, …).
    pub const A_SQUARES: Self = Self(0x2400_8100_0081_0024);
    /// The B squares: the eight middle squares of the edges (d1, e1, a4, …).
    pub const B_SQUARES: Self = Self(0x1800_0081_8100_0018);

    /// Returns the set with these bits, a1 lowest.
    #[inline(always)]
    pub const fn new(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the bits, a1 lowest.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the set of one square.
    #[inline(always)]
    pub const fn from_square(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Returns whether `square` is in the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Returns whether the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of squares.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the two sets share a square.
    #[inline(always)]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether every square of this set is in `other`.
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns the set with `square` added.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square.index())
    }

    /// Returns the set with `square` removed.
    #[inline]
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square.index()))
    }

    /// Returns the square with the lowest index, if any.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_index_wrapping(self.0.trailing_zeros() as usize))
        }
    }

    /// Removes and returns the square with the lowest index, if any.
    #[inline]
    pub const fn pop_first(&mut self) -> Option<Square> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    /// Returns the squares that touch this set sideways or diagonally, the set's own squares included only where
    /// they touch another of its squares.
    #[inline]
    #[must_use]
    pub const fn neighbors(self) -> Self {
        const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
        const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        let sides = (self.0 << 1 & NOT_A) | (self.0 >> 1 & NOT_H);
        let rows = sides | self.0;
        Self(sides | rows << 8 | rows >> 8)
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Self {
        Self::from_square(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// Iterator over the squares of a [`Bitboard`], in index order.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl fmt::Debug for Bitboard {
    /// Draws the set as eight rows of `X` and `.`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bitboard! {")?;
        for row in 0..8 {
            f.write_str("\n   ")?;
            for column in 0..8 {
                f.write_str(if self.0 >> (row * 8 + column) & 1 != 0 {
                    " X"
                } else {
                    " ."
                })?;
            }
        }
        f.write_str("\n}")
    }
}

macro_rules! set_operator {
    ($trait:ident $method:ident $assign_trait:ident $assign_method:ident |$a:ident, $b:ident| $result:expr) => {
        impl $trait for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($result)
            }
        }
        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}
set_operator!(BitAnd bitand BitAndAssign bitand_assign |a, b| a & b);
set_operator!(BitOr bitor BitOrAssign bitor_assign |a, b| a | b);
set_operator!(BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b);
set_operator!(Sub sub SubAssign sub_assign |a, b| a & !b);

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Writes a [`Bitboard`] as a picture of 64 cells, `X` for members and `.` for the rest.
#[macro_export]
macro_rules! bitboard {
    (@bit X) => { 1u64 };
    (@bit .) => { 0u64 };
    ($($cell:tt)*) => {{
        const CELLS: [u64; 64] = [$($crate::bitboard!(@bit $cell)),*];
        const BITS: u64 = {
            let mut bits = 0;
            let mut i = 0;
            while i < 64 {
                bits |= CELLS[i] << i;
                i += 1;
            }
            bits
        };
        $crate::Bitboard::new(BITS)
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_sets_tile_the_edge() {
        let parts = [
            Bitboard::CORNERS,
            Bitboard::C_SQUARES,
            Bitboard::A_SQUARES,
            Bitboard::B_SQUARES,
        ];
        assert_eq!(
            parts.into_iter().fold(Bitboard::EMPTY, |a, b| a | b),
            Bitboard::EDGES
        );
        assert_eq!(parts.map(Bitboard::count), [4, 8, 8, 8]);
        assert_eq!(
            Bitboard::X_SQUARES,
            [Square::B2, Square::G2, Square::B7, Square::G7]
                .into_iter()
                .collect()
        );
        assert_eq!((!Bitboard::EDGES).count(), 36);
    }

    #[test]
    fn neighbors_match_coordinates() {
        for square in Square::ALL {
            let expected: Bitboard = Square::ALL
                .into_iter()
                .filter(|other| {
                    let columns = square.column().abs_diff(other.column());
                    let rows = square.row().abs_diff(other.row());
                    columns.max(rows) == 1
                })
                .collect();
            assert_eq!(Bitboard::from_square(square).neighbors(), expected, "{square}");
        }
    }
}
