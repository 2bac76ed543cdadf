//! Pairs in vectors of 128 bits, with the instructions of SSE 4.1 (all of x86-64-v2).

#![expect(
    unsafe_code,
    reason = "calling functions that need SSE 4.1; they touch no memory"
)]

use std::arch::x86_64::{
    __m128i, _mm_add_epi64, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi64, _mm_cvtsi64_si128,
    _mm_cvtsi128_si64, _mm_or_si128, _mm_set_epi64x, _mm_setr_epi8, _mm_shuffle_epi8, _mm_slli_epi64,
    _mm_sub_epi64,
};

/// Makes safe functions of intrinsics that work on registers alone.
macro_rules! safe {
    ($($name:ident = $intrinsic:ident $(<$constant:ident>)? ($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[inline(always)]
        fn $name $(<const $constant: i32>)? ($($argument: $type),*) -> $result {
            // SAFETY: SSE 4.1 is enabled for the whole compilation, or this module would not exist.
            unsafe { $intrinsic $(::<$constant>)? ($($argument),*) }
        }
    )*};
}

safe! {
    and = _mm_and_si128(a: __m128i, b: __m128i) -> __m128i;
    or = _mm_or_si128(a: __m128i, b: __m128i) -> __m128i;
    not_but = _mm_andnot_si128(a: __m128i, b: __m128i) -> __m128i;
    add = _mm_add_epi64(a: __m128i, b: __m128i) -> __m128i;
    subtract = _mm_sub_epi64(a: __m128i, b: __m128i) -> __m128i;
    equal = _mm_cmpeq_epi64(a: __m128i, b: __m128i) -> __m128i;
    shuffled = _mm_shuffle_epi8(bytes: __m128i, places: __m128i) -> __m128i;
    shifted = _mm_slli_epi64<STEP>(a: __m128i) -> __m128i;
    words = _mm_set_epi64x(high: i64, low: i64) -> __m128i;
    low_word = _mm_cvtsi128_si64(a: __m128i) -> i64;
    from_low_word = _mm_cvtsi64_si128(low: i64) -> __m128i;
}

/// Returns where [`shuffled`] takes its bytes from: `low` for the low word, then `high`; −1 for zero.
#[inline(always)]
fn places(low: [i8; 8], high: [i8; 8]) -> __m128i {
    let ([a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]) = (low, high);
    // SAFETY: as above.
    unsafe { _mm_setr_epi8(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) }
}

/// Two words of 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Pair(__m128i);

impl Pair {
    /// Returns two words.
    #[inline(always)]
    pub(super) fn new([low, high]: [u64; 2]) -> Self {
        Self(words(high as i64, low as i64))
    }

    /// Returns a board and its mirror image.
    #[inline(always)]
    pub(super) fn mirrored(board: u64) -> Self {
        let both = places([0, 1, 2, 3, 4, 5, 6, 7], [7, 6, 5, 4, 3, 2, 1, 0]);
        Self(shuffled(from_low_word(board as i64), both))
    }

    /// Returns the union of the board and what its mirror image shows.
    #[inline(always)]
    pub(super) fn folded(self) -> u64 {
        let mirrored = shuffled(self.0, places([15, 14, 13, 12, 11, 10, 9, 8], [-1; 8]));
        low_word(or(self.0, mirrored)) as u64
    }

    /// Shifts both words to higher squares.
    #[inline(always)]
    pub(super) fn up<const STEP: i32>(self) -> Self {
        Self(shifted::<STEP>(self.0))
    }

    /// Returns what is in both.
    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Self(and(self.0, other.0))
    }

    /// Returns what is in either.
    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        Self(or(self.0, other.0))
    }

    /// Returns what is not in `other`.
    #[inline(always)]
    pub(super) fn without(self, other: Self) -> Self {
        Self(not_but(other.0, self.0))
    }

    /// Returns the lowest bit of each word.
    #[inline(always)]
    pub(super) fn lowest(self) -> Self {
        Self(and(self.0, subtract(words(0, 0), self.0)))
    }

    /// Returns all bits below the only one of each word; none where it has none.
    #[inline(always)]
    pub(super) fn below(self) -> Self {
        Self(not_but(equal(self.0, words(0, 0)), add(self.0, words(-1, -1))))
    }
}
