//! Pairs in the vectors of WebAssembly.

use std::arch::wasm32::{
    i8x16_shuffle, i64x2_add, i64x2_eq, i64x2_neg, i64x2_shl, i64x2_splat, u64x2, u64x2_extract_lane, v128,
    v128_and, v128_andnot, v128_or,
};

/// Two words of 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Pair(v128);

impl Pair {
    /// Returns two words.
    #[inline(always)]
    pub(super) fn new([low, high]: [u64; 2]) -> Self {
        Self(u64x2(low, high))
    }

    /// Returns a board and its mirror image.
    #[inline(always)]
    pub(super) fn mirrored(board: u64) -> Self {
        let twice = i64x2_splat(board as i64);
        Self(i8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0>(
            twice, twice,
        ))
    }

    /// Returns the union of the board and what its mirror image shows.
    #[inline(always)]
    pub(super) fn folded(self) -> u64 {
        let mirrored = i8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(self.0, self.0);
        u64x2_extract_lane::<0>(v128_or(self.0, mirrored))
    }

    /// Shifts both words to higher squares.
    #[inline(always)]
    pub(super) fn up<const STEP: i32>(self) -> Self {
        Self(i64x2_shl(self.0, STEP as u32))
    }

    /// Returns what is in both.
    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    /// Returns what is in either.
    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }

    /// Returns what is not in `other`.
    #[inline(always)]
    pub(super) fn without(self, other: Self) -> Self {
        Self(v128_andnot(self.0, other.0))
    }

    /// Returns the lowest bit of each word.
    #[inline(always)]
    pub(super) fn lowest(self) -> Self {
        Self(v128_and(self.0, i64x2_neg(self.0)))
    }

    /// Returns all bits below the only one of each word; none where it has none.
    #[inline(always)]
    pub(super) fn below(self) -> Self {
        let none = i64x2_eq(self.0, i64x2_splat(0));
        Self(v128_andnot(i64x2_add(self.0, i64x2_splat(-1)), none))
    }
}
