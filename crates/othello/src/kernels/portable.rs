//! Kernels in plain integer arithmetic: the reference of every other instruction set, and the fall-back.

use super::RAYS;

/// Returns the squares where the owner of `player` may place a disc.
///
/// Kogge–Stone fill along each of the eight directions. [WIKI-KOGGE]
#[inline]
pub const fn legal_moves(player: u64, opponent: u64) -> u64 {
    const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;
    let inner = opponent & INNER_COLUMNS;
    let moves = along(player, inner, 1) | along(player, inner, 7) | along(player, inner, 9);
    (moves | along(player, opponent, 8)) & !(player | opponent)
}

/// Returns the squares one step beyond a run of `opponent` discs that starts next to a `player` disc, in both
/// directions of one axis.
const fn along(player: u64, opponent: u64, step: u32) -> u64 {
    let mut up = opponent & player << step;
    let mut down = opponent & player >> step;
    up |= opponent & up << step;
    down |= opponent & down >> step;
    let pairs_up = opponent & opponent << step;
    let pairs_down = opponent & opponent >> step;
    up |= pairs_up & up << (2 * step);
    down |= pairs_down & down >> (2 * step);
    up |= pairs_up & up << (2 * step);
    down |= pairs_down & down >> (2 * step);
    up << step | down >> step
}

/// Returns the `opponent` discs that are flipped by placing a `player` disc on `square` (an index below 64).
///
/// Empty if the move is illegal. The square itself should be empty; if it is not, the answer is what it would be if
/// it were.
///
/// Towards higher squares a carry runs through the opponent's discs to the first other cell of the ray; towards
/// lower ones that cell is the highest set bit.
///
/// # Panics
///
/// Panics if `square` is 64 or more.
#[inline]
pub const fn flips(square: usize, player: u64, opponent: u64) -> u64 {
    let rays = &RAYS[square];
    let mut flips = 0;
    let mut direction = 0;
    while direction < 4 {
        let ray = rays[direction];
        let outflank = (opponent | !ray).wrapping_add(1) & ray & player;
        flips |= outflank.wrapping_sub((outflank != 0) as u64) & ray;
        let ray = rays[direction + 4];
        let first_other = 1 << 63 >> ((ray & !opponent).leading_zeros() & 63);
        let outflank: u64 = first_other & ray & player;
        flips |= (outflank.wrapping_neg() << 1) & ray;
        direction += 1;
    }
    flips
}
