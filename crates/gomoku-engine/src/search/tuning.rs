//! The numbers of the main search that were chosen by trial: values in 1/500 of the logarithm of the odds, depths in stones.

use outflank_gomoku::Class;

/// How far from a stone a move may be, in points along rows and columns.
pub(super) const REACH: u32 = 2;

/// What a move that cut off at the same distance from the root promises beside its shapes.
pub(super) const KILLER_PROMISE: i32 = 60;
/// What of the history counts beside the shapes, and the bound of its entries.
pub(super) const HISTORY_SHARE: i32 = 64;
pub(super) const MOST_HISTORY: i32 = 8_192;

/// Deepest node that is cut without a search because the evaluation is far above the window, and how far by depth.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 5;
pub(super) const REVERSE_FUTILITY_MARGIN: i32 = 90;
/// The same far below it.
pub(super) const RAZOR_DEPTH: i32 = 2;

/// Least depth of a node where passing is tried.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;

/// Deepest node where quiet moves are left out because the evaluation is far below the window.
pub(super) const FUTILITY_DEPTH: i32 = 3;

/// Least depth and number of moves before it from which a move is searched less deep.
pub(super) const REDUCTION_DEPTH: i32 = 3;
pub(super) const REDUCTION_MOVES: i32 = 2;

/// A move that makes less than this for both sides is quiet.
pub(super) const LOUD: Class = Class::OpenThree;

/// Depth that a search of wins by fours of the other side lasts below the horizon.
pub(super) const LAST_DEPTH: i32 = -4;

/// Returns by how much the history changes at a depth.
pub(super) fn history_step(depth: i32) -> i32 {
    (depth * depth).min(400)
}

/// Returns how far below the window the evaluation must be for a node to be given up.
pub(super) fn razor_margin(depth: i32) -> i32 {
    250 + 200 * depth
}

/// Returns how far below the window the evaluation must be for quiet moves to be left out.
pub(super) fn futility_margin(depth: i32) -> i32 {
    100 + 130 * depth
}

/// Returns how many moves are searched before quiet ones are left out.
pub(super) fn late_moves(depth: i32) -> i32 {
    4 + depth * depth
}

/// Returns the depth of the search after a pass.
pub(super) fn null_move_depth(depth: i32) -> i32 {
    depth - 3 - depth / 4
}

/// Depths and moves that the table of reductions tells apart.
const DEPTHS: usize = 64;
const MOVES: usize = 128;

/// `0.4 + ln(depth) · ln(move + 1) / 1.9`, cut to a whole number; made by integers, so that no processor differs.
static REDUCTIONS: [[u8; MOVES]; DEPTHS] = {
    let mut table = [[0; MOVES]; DEPTHS];
    let mut depth = 1;
    while depth < DEPTHS {
        let mut n = 0;
        while n < MOVES {
            let product = ln(depth as u64) * ln(n as u64 + 1);
            table[depth][n] = ((product * 10 / 19 + (4 << (2 * LN_BITS)) / 10) >> (2 * LN_BITS)) as u8;
            n += 1;
        }
        depth += 1;
    }
    table
};

/// Fraction bits of [`ln`].
const LN_BITS: u32 = 24;
/// ln 2 times 2 to the 31st.
const LN_2: u128 = 1_488_522_236;

/// Returns the natural logarithm of `x`, at least 1, times 2 to the 24th.
const fn ln(x: u64) -> u64 {
    // The logarithm to base 2 bit by bit, by squaring; the fraction has 31 bits.
    let whole = x.ilog2();
    let mut rest = (x << 31) >> whole;
    let mut log = (whole as u64) << 31;
    let mut bit = 30;
    loop {
        rest = ((rest as u128 * rest as u128) >> 31) as u64;
        if rest >= 1 << 32 {
            rest >>= 1;
            log |= 1 << bit;
        }
        if bit == 0 {
            break;
        }
        bit -= 1;
    }
    ((log as u128 * LN_2) >> (62 - LN_BITS)) as u64
}

/// Returns how many stones less deep the `n`-th move (from 0) is searched at a depth.
pub(super) fn reduction(depth: i32, n: i32) -> i32 {
    let depth = depth.clamp(0, DEPTHS as i32 - 1) as usize;
    let n = n.clamp(0, MOVES as i32 - 1) as usize;
    i32::from(REDUCTIONS[depth][n])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_follow_their_formula() {
        for depth in 1..DEPTHS as i32 {
            for n in 0..MOVES as i32 {
                let exact = 0.4 + f64::from(depth).ln() * f64::from(n + 1).ln() / 1.9;
                assert_eq!(reduction(depth, n), exact as i32, "depth {depth}, move {n}");
            }
        }
        assert_eq!(reduction(100, 300), reduction(63, 127));
    }
}
