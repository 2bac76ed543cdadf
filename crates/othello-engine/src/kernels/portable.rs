//! The count in plain integer arithmetic, by flipping.

use outflank_othello::kernels::portable::flips;

/// Returns how many discs a disc of `player` on `square` flips if every other square is occupied.
#[inline]
#[cfg_attr(
    target_feature = "bmi2",
    allow(dead_code, reason = "the reference of the tests")
)]
pub(crate) fn count_last_flips(square: usize, player: u64) -> i32 {
    let opponent = !player & !(1 << (square & 63));
    flips(square & 63, player, opponent).count_ones() as i32
}
