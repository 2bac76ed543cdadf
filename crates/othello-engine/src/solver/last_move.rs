//! How many discs the last move flips, without making it.
//!
//! Each of the four lines through the square is packed into a byte by a multiplication and looked up. Instructions
//! that gather bits (`pext`) are no faster here.

/// `COUNTS[place][line]`: flips of a disc at `place` of a line of eight on which `line` are the own discs and all
/// other cells but `place` are opponents. Shorter lines work as well: their missing cells look like opponents with
/// nothing beyond them. 2 KiB.
static COUNTS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut line = 0;
        while line < 256 {
            let mut up = place + 1;
            while up < 8 && line >> up & 1 == 0 {
                up += 1;
            }
            let mut flips = if up < 8 { up - place - 1 } else { 0 };
            let mut down = place;
            while down > 0 && line >> (down - 1) & 1 == 0 {
                down -= 1;
            }
            if down > 0 {
                flips += place - down;
            }
            table[place][line] = flips as u8;
            line += 1;
        }
        place += 1;
    }
    table
};

/// The two diagonals through each square: parallel to a1–h8, and parallel to h1–a8.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut table = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square % 8, square / 8);
        let mut other = 0;
        while other < 64 {
            let (u, v) = (other % 8, other / 8);
            table[square][0] |= ((x + v == u + y) as u64) << other;
            table[square][1] |= ((x + y == u + v) as u64) << other;
            other += 1;
        }
        square += 1;
    }
    table
};

/// Returns how many discs a disc of `player` on `square` flips if every other square is occupied.
#[inline(always)]
pub(super) fn count_last_flips(square: usize, player: u64) -> i32 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    // Takes the square of row r + 1 on file a to bit 56 + r.
    const FILE_TO_BYTE: u64 = 0x0102_0408_1020_4080;
    let square = square & 63;
    let (column, row) = (square & 7, square >> 3);
    let [falling, rising] = DIAGONALS[square];
    let count = |place: usize, line: u64| i32::from(COUNTS[place][line as usize & 0xFF]);
    // A diagonal has at most one square in each column, so that the sum of its rows packs it.
    count(column, player >> (row * 8))
        + count(row, (player >> column & FILE_A).wrapping_mul(FILE_TO_BYTE) >> 56)
        + count(column, (player & falling).wrapping_mul(FILE_A) >> 56)
        + count(column, (player & rising).wrapping_mul(FILE_A) >> 56)
}

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
            }
        }
    }
}
