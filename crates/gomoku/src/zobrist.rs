//! Keys of positions: one 64-bit number for every stone, rule set, size and side.
//!
//! The numbers come from a mixing function instead of a stored table, evaluated at compile time.

use crate::{Color, Point, Rule, point::N_POINTS};

/// Mixes the bits of a counter (the `SplitMix64` generator).
const fn mix(counter: u64) -> u64 {
    let mut z = counter
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(0x6F75_7466_6C61_6E6B);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const STONES: [[u64; 512]; 2] = {
    let mut table = [[0; 512]; 2];
    let mut idx = 0;
    while idx < N_POINTS {
        table[0][idx] = mix(2 * idx as u64 + 1);
        table[1][idx] = mix(2 * idx as u64 + 2);
        idx += 1;
    }
    table
};

static TABLE: [[u64; 512]; 2] = STONES;

/// Returns the share of a stone in the key.
#[inline]
pub(crate) fn stone(point: Point, color: Color) -> u64 {
    TABLE[color.idx()][point.idx() & 511]
}

/// Returns the share of the side to move.
#[inline]
pub(crate) const fn side(color: Color) -> u64 {
    match color {
        Color::Black => 0,
        Color::White => mix(4001),
    }
}

/// Returns the key of the empty board.
pub(crate) const fn start(rule: Rule, size: u8) -> u64 {
    mix(5000 + 100 * rule as u64 + size as u64)
}
