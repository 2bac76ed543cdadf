//! Kernels of the last move: how many discs it flips, without making it.
//!
//! One file per instruction set, same function names; [`portable`] is always compiled and is the reference.

pub(crate) mod portable;

#[cfg(target_feature = "bmi2")]
pub(crate) mod bmi2;

#[cfg(target_feature = "bmi2")]
pub(crate) use bmi2::count_last_flips;

#[cfg(not(target_feature = "bmi2"))]
pub(crate) use portable::count_last_flips;

/// The squares next to each square, sideways and diagonally.
pub(crate) static NEIGHBORS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = outflank_othello::Bitboard::new(1 << square).neighbors().bits();
        square += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_equal_the_flips_on_a_full_board() {
        let mut x = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..100_000 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            let square = (x >> 58) as usize;
            let player = x.rotate_left(21) & x.rotate_left(41) & !(1 << square);
            for player in [player, !x & !(1 << square), !player & !(1 << square)] {
                let opponent = !player & !(1 << square);
                let expected =
                    outflank_othello::kernels::portable::flips(square, player, opponent).count_ones();
                assert_eq!(count_last_flips(square, player), expected as i32);
                assert_eq!(portable::count_last_flips(square, player), expected as i32);
            }
        }
    }
}
