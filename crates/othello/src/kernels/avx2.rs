//! Kernels on 256-bit vectors: four directions at a time.
//!
//! All intrinsics used work on registers alone; the module exists only where AVX2 is enabled at compile time, which is
//! all that they require.

#![expect(
    unsafe_code,
    reason = "calling functions that need AVX2; they touch no memory"
)]

use super::RAYS;
use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_extracti128_si256,
    _mm256_or_si256, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64,
    _mm256_srlv_epi64, _mm256_sub_epi64,
};

#[inline]
#[target_feature(enable = "avx2")]
fn steps() -> __m256i {
    _mm256_setr_epi64x(1, 7, 8, 9)
}

#[inline]
#[target_feature(enable = "avx2")]
fn fold(vector: __m256i) -> u64 {
    let half = _mm_or_si128(
        _mm256_castsi256_si128(vector),
        _mm256_extracti128_si256::<1>(vector),
    );
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}

/// Returns the squares where the owner of `player` may place a disc; see [`super::portable::legal_moves`].
#[inline]
pub fn legal_moves(player: u64, opponent: u64) -> u64 {
    // SAFETY: AVX2 is enabled for the whole compilation, or this module would not exist.
    unsafe { legal_moves_vector(player, opponent) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn legal_moves_vector(player: u64, opponent: u64) -> u64 {
    const INNER_COLUMNS: i64 = 0x7E7E_7E7E_7E7E_7E7E;
    let step = steps();
    let step2 = _mm256_add_epi64(step, step);
    let discs = _mm256_set1_epi64x(player as i64);
    let inner = _mm256_and_si256(
        _mm256_set1_epi64x(opponent as i64),
        _mm256_setr_epi64x(INNER_COLUMNS, INNER_COLUMNS, -1, INNER_COLUMNS),
    );
    let mut up = _mm256_and_si256(inner, _mm256_sllv_epi64(discs, step));
    let mut down = _mm256_and_si256(inner, _mm256_srlv_epi64(discs, step));
    up = _mm256_or_si256(up, _mm256_and_si256(inner, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(inner, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(inner, _mm256_sllv_epi64(inner, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)));
    let beyond = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    fold(beyond) & !(player | opponent)
}

/// Returns the `opponent` discs flipped by a `player` disc on `square`; see [`super::portable::flips`].
///
/// # Panics
///
/// Panics if `square` is 64 or more.
#[inline]
pub fn flips(square: usize, player: u64, opponent: u64) -> u64 {
    // SAFETY: AVX2 is enabled for the whole compilation, or this module would not exist.
    unsafe { flips_vector(square, player, opponent) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn flips_vector(square: usize, player: u64, opponent: u64) -> u64 {
    let rays = &RAYS[square];
    let ray = |direction: usize| rays[direction] as i64;
    let discs = _mm256_set1_epi64x(player as i64);
    let others = _mm256_set1_epi64x(opponent as i64);
    let ones = _mm256_set1_epi64x(-1);
    let zero = _mm256_setzero_si256();

    // Higher squares: adding one carries through the run of opponents to the first other cell of the ray.
    let high = _mm256_setr_epi64x(ray(0), ray(1), ray(2), ray(3));
    let carried = _mm256_sub_epi64(_mm256_or_si256(others, _mm256_andnot_si256(high, ones)), ones);
    let outflank = _mm256_and_si256(_mm256_and_si256(carried, high), discs);
    let below = _mm256_sub_epi64(
        _mm256_add_epi64(outflank, ones),
        _mm256_cmpeq_epi64(outflank, zero),
    );
    let flips_high = _mm256_and_si256(below, high);

    // Lower squares: smear the first other cell down the ray; what stays uncovered is the run.
    let low = _mm256_setr_epi64x(ray(4), ray(5), ray(6), ray(7));
    let step = steps();
    let step2 = _mm256_add_epi64(step, step);
    let mut covered = _mm256_andnot_si256(others, low);
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, step));
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, step2));
    covered = _mm256_or_si256(
        covered,
        _mm256_srlv_epi64(covered, _mm256_add_epi64(step2, step2)),
    );
    let run = _mm256_andnot_si256(covered, low);
    let held = _mm256_and_si256(_mm256_srlv_epi64(run, step), _mm256_and_si256(discs, low));
    let flips_low = _mm256_andnot_si256(_mm256_cmpeq_epi64(held, zero), run);

    fold(_mm256_or_si256(flips_high, flips_low))
}
