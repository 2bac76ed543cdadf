//! The layer on 256-bit vectors: eight units at a time, two inputs at a time.

#![expect(unsafe_code, reason = "loads of whole vectors, and intrinsics that need AVX2")]

use super::{
    super::network::{HIDDEN, PAIRS, scale},
    PairOfWeights,
};
use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_packs_epi32,
    _mm256_permute4x64_epi64, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_srai_epi32,
};

/// Vectors that hold one number of 32 bits for each unit.
const VECTORS: usize = HIDDEN / 8;

/// Returns what hidden units with these constants and weights add to the output; see [`super::portable::layer`].
#[inline]
pub(in super::super) fn layer(
    inputs: &[i16; 2 * PAIRS],
    weights: &[PairOfWeights; PAIRS],
    bias: &[i32; HIDDEN],
    output: &[i16; HIDDEN],
) -> i32 {
    // SAFETY: AVX2 is enabled for the whole compilation, or this module would not exist.
    unsafe { layer_vector(inputs, weights, bias, output) }
}

/// Loads the 32 bytes that begin at number `at` of `numbers`.
#[inline]
#[target_feature(enable = "avx2")]
fn load<T, const N: usize>(numbers: &[T; N], at: usize) -> __m256i {
    let numbers = &numbers[at..];
    assert!(size_of_val(numbers) >= 32);
    // SAFETY: the 32 bytes lie inside the slice, as was just checked; the load need not be aligned.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn layer_vector(
    inputs: &[i16; 2 * PAIRS],
    weights: &[PairOfWeights; PAIRS],
    bias: &[i32; HIDDEN],
    output: &[i16; HIDDEN],
) -> i32 {
    let mut hidden: [__m256i; VECTORS] = [_mm256_setzero_si256(); VECTORS];
    for (vector, sums) in hidden.iter_mut().enumerate() {
        *sums = load(bias, 8 * vector);
    }
    for (pair, weights) in weights.iter().enumerate() {
        let (even, odd) = (inputs[2 * pair], inputs[2 * pair + 1]);
        let both = _mm256_set1_epi32(i32::from(even) & 0xFFFF | i32::from(odd) << 16);
        for (vector, sums) in hidden.iter_mut().enumerate() {
            *sums = _mm256_add_epi32(*sums, _mm256_madd_epi16(both, load(weights, 16 * vector)));
        }
    }
    let shift = |sums| _mm256_srai_epi32::<{ scale::HIDDEN_SHIFT as i32 }>(sums);
    let mut total = _mm256_setzero_si256();
    for two in 0..VECTORS / 2 {
        // Packing saturates at the greatest number of 16 bits and leaves the halves interleaved.
        let packed = _mm256_packs_epi32(shift(hidden[2 * two]), shift(hidden[2 * two + 1]));
        let active = _mm256_max_epi16(
            _mm256_permute4x64_epi64::<0b11_01_10_00>(packed),
            _mm256_setzero_si256(),
        );
        total = _mm256_add_epi32(total, _mm256_madd_epi16(active, load(output, 16 * two)));
    }
    let half = _mm_add_epi32(
        _mm256_castsi256_si128(total),
        _mm256_extracti128_si256::<1>(total),
    );
    let half = _mm_add_epi32(half, _mm_shuffle_epi32::<0b00_00_11_10>(half));
    let half = _mm_add_epi32(half, _mm_shuffle_epi32::<0b00_00_00_01>(half));
    _mm_cvtsi128_si32(half)
}
