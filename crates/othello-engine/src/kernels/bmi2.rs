//! The count by bit extraction: each of the four lines is packed into a byte and looked up.

#![expect(
    unsafe_code,
    reason = "calling functions that need BMI2; they touch no memory"
)]

use std::arch::x86_64::_pext_u64;

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

/// The two diagonals through each square, and the square's place on them counted from row 1.
struct Diagonals {
    /// Parallel to a1–h8.
    falling: u64,
    /// Parallel to h1–a8.
    rising: u64,
    falling_place: u8,
    rising_place: u8,
}

static DIAGONALS: [Diagonals; 64] = {
    let mut table = [const {
        Diagonals {
            falling: 0,
            rising: 0,
            falling_place: 0,
            rising_place: 0,
        }
    }; 64];
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square % 8, square / 8);
        let mut other = 0;
        while other < 64 {
            let (u, v) = (other % 8, other / 8);
            if x + v == u + y {
                table[square].falling |= 1 << other;
                table[square].falling_place += (v < y) as u8;
            }
            if x + y == u + v {
                table[square].rising |= 1 << other;
                table[square].rising_place += (v < y) as u8;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

/// Returns how many discs a disc of `player` on `square` flips if every other square is occupied.
#[inline(always)]
pub(crate) fn count_last_flips(square: usize, player: u64) -> i32 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let square = square & 63;
    let (column, row) = (square & 7, square >> 3);
    let lines = &DIAGONALS[square];
    // SAFETY: BMI2 is enabled for the whole compilation, or this module would not exist.
    let pext = |set: u64, mask: u64| unsafe { _pext_u64(set, mask) } as usize & 0xFF;
    let count = |place: usize, line: usize| i32::from(COUNTS[place & 7][line]);
    count(column, (player >> (row * 8)) as usize & 0xFF)
        + count(row, pext(player, FILE_A << column))
        + count(usize::from(lines.falling_place), pext(player, lines.falling))
        + count(usize::from(lines.rising_place), pext(player, lines.rising))
}
