//! Discs that can never be flipped again: a lower bound that is cheap to compute and never wrong.
//!
//! A disc can only be flipped along one of its four lines. It is safe along a line that is full, at whose end it
//! stands, or on which it touches a stable disc of its own color. So the bound starts from
//!
//! 1. the edges, where only the edge itself matters and where all continuations can be worked out beforehand (a table
//!    of the 3⁸ edges in which both sides may place discs anywhere), and
//! 2. the discs whose four lines are all full,
//!
//! and lets stability spread inwards by contact until nothing changes.

use crate::{Bitboard, Board};

const EDGE_RING: u64 = 0xFF81_8181_8181_81FF;
const FILE_A: u64 = 0x0101_0101_0101_0101;

/// `TERNARY[bits]` is the number whose ternary digits are the bits of the index.
static TERNARY: [u16; 256] = {
    let mut table = [0; 256];
    let mut bits = 1;
    while bits < 256 {
        table[bits] = 3 * table[bits / 2] + (bits % 2) as u16;
        bits += 1;
    }
    table
};

/// The stable discs of both colors on an edge, by `TERNARY[own] + 2 * TERNARY[other]`; 6.4 KiB.
static STABLE_ON_EDGE: [u8; 6561] = edge_table();

/// Works the edges out from the full ones to the empty one: a disc is stable if no placement of either color on any
/// empty square flips it and it is stable after each of them.
const fn edge_table() -> [u8; 6561] {
    let mut table = [0; 6561];
    let mut empties = 0;
    while empties <= 8 {
        let mut own: u32 = 0;
        while own < 256 {
            let free = !own & 0xFF;
            let mut other = free;
            loop {
                if (own | other).count_ones() == 8 - empties {
                    table[edge_index(own, other)] = stable_on_edge(&table, own, other);
                }
                if other == 0 {
                    break;
                }
                other = (other - 1) & free;
            }
            own += 1;
        }
        empties += 1;
    }
    table
}

const fn edge_index(own: u32, other: u32) -> usize {
    TERNARY[own as usize] as usize + 2 * TERNARY[other as usize] as usize
}

const fn stable_on_edge(table: &[u8; 6561], own: u32, other: u32) -> u8 {
    let mut stable = own | other;
    let mut square = 0;
    while square < 8 {
        let bit = 1 << square;
        if (own | other) & bit == 0 {
            let flips = edge_flips(square, own, other);
            stable &= !flips & table[edge_index(own | flips | bit, other & !flips)] as u32;
            let flips = edge_flips(square, other, own);
            stable &= !flips & table[edge_index(own & !flips, other | flips | bit)] as u32;
        }
        square += 1;
    }
    stable as u8
}

/// Returns the discs of `other` between `square` and the nearest disc of `own` on either side.
const fn edge_flips(square: u32, own: u32, other: u32) -> u32 {
    let mut flips = 0;
    let mut run = 0;
    let mut i = square + 1;
    while i < 8 && other >> i & 1 != 0 {
        run |= 1 << i;
        i += 1;
    }
    if i < 8 && own >> i & 1 != 0 {
        flips |= run;
    }
    run = 0;
    i = square;
    while i > 0 && other >> (i - 1) & 1 != 0 {
        i -= 1;
        run |= 1 << i;
    }
    if i > 0 && own >> (i - 1) & 1 != 0 {
        flips |= run;
    }
    flips
}

/// Packs the eight cells of file a into a byte, row 1 lowest.
#[inline(always)]
const fn file_a(set: u64) -> usize {
    ((set & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize
}

/// Spreads a byte over file a, row 1 lowest.
#[inline(always)]
const fn to_file_a(bits: u64) -> u64 {
    // The copy shifted by 7i puts bit i on row i; bit 7 goes apart, it would collide with bit 0.
    let spread = (bits & 0x7F).wrapping_mul(0x0002_0408_1020_4081) & FILE_A;
    spread | (bits & 0x80) << 49
}

/// Returns the discs on the four edges that are stable by the edge alone, of both colors.
#[inline]
fn stable_on_edges(own: u64, other: u64) -> u64 {
    let look = |own: usize, other: usize| {
        u64::from(STABLE_ON_EDGE[TERNARY[own & 0xFF] as usize + 2 * TERNARY[other & 0xFF] as usize])
    };
    look(own as usize, other as usize)
        | look((own >> 56) as usize, (other >> 56) as usize) << 56
        | to_file_a(look(file_a(own), file_a(other)))
        | to_file_a(look(file_a(own >> 7), file_a(other >> 7))) << 7
}

/// For each square, whether all squares of its row, its column and its two diagonals have discs.
#[inline]
const fn full_lines(occupied: u64) -> [u64; 4] {
    let mut row = occupied & occupied >> 4;
    row &= row >> 2;
    row &= row >> 1;
    row = (row & FILE_A).wrapping_mul(0xFF);
    let mut column = occupied & occupied.rotate_right(32);
    column &= column.rotate_right(16);
    column &= column.rotate_right(8);
    [
        row,
        column,
        full_diagonals(occupied),
        full_anti_diagonals(occupied),
    ]
}

/// Doubles the stretch looked at from each square three times, beyond the board counting as full.
#[inline]
const fn full_diagonals(occupied: u64) -> u64 {
    let mut up = occupied & (occupied >> 9 | 0xFF80_8080_8080_8080);
    up &= up >> 18 | 0xFFFF_C0C0_C0C0_C0C0;
    up &= up >> 36 | 0xFFFF_FFFF_F0F0_F0F0;
    let mut down = occupied & (occupied << 9 | 0x0101_0101_0101_01FF);
    down &= down << 18 | 0x0303_0303_0303_FFFF;
    down &= down << 36 | 0x0F0F_0F0F_FFFF_FFFF;
    up & down
}

/// As [`full_diagonals`], along h1–a8.
#[inline]
const fn full_anti_diagonals(occupied: u64) -> u64 {
    let mut up = occupied & (occupied >> 7 | 0xFF01_0101_0101_0101);
    up &= up >> 14 | 0xFFFF_0303_0303_0303;
    up &= up >> 28 | 0xFFFF_FFFF_0F0F_0F0F;
    let mut down = occupied & (occupied << 7 | 0x8080_8080_8080_80FF);
    down &= down << 14 | 0xC0C0_C0C0_C0C0_FFFF;
    down &= down << 28 | 0xF0F0_F0F0_FFFF_FFFF;
    up & down
}

/// Returns discs of `own` that can never be flipped, whatever both sides play; not all of them, but never a wrong one.
///
/// On raw words, for searches; [`stable_discs`] is the same on a [`Board`].
#[inline]
pub fn stable_discs_raw(own: u64, other: u64) -> u64 {
    let full = full_lines(own | other);
    let mut stable = own & (stable_on_edges(own, other) | full[0] & full[1] & full[2] & full[3]);
    if stable == 0 {
        return 0;
    }
    let inner = own & !EDGE_RING;
    loop {
        let row = full[0] | stable << 1 | stable >> 1;
        let column = full[1] | stable << 8 | stable >> 8;
        let diagonal = full[2] | stable << 9 | stable >> 9;
        let anti_diagonal = full[3] | stable << 7 | stable >> 7;
        let spread = inner & row & column & diagonal & anti_diagonal;
        if spread & !stable == 0 {
            return stable;
        }
        stable |= spread;
    }
}

/// Returns discs of the player to move that can never be flipped, whatever both sides play.
///
/// A lower bound: not all stable discs are found, but a disc in the answer is stable for certain.
///
/// # Examples
///
/// ```
/// use outflank_othello::{Bitboard, Board, stable_discs};
/// assert!(stable_discs(Board::start()).is_empty());
/// let corner = Board::new(Bitboard::new(0x07), Bitboard::new(0x18)).expect("disjoint");
/// assert_eq!(stable_discs(corner), corner.player());
/// ```
pub fn stable_discs(board: Board) -> Bitboard {
    Bitboard::new(stable_discs_raw(board.player().bits(), board.opponent().bits()))
}

/// The corners and the C squares beside them, by which of the corners these are: a1, h1, a8, h8 from the lowest bit.
static CORNERS_WITH_C_SQUARES: [u64; 16] = {
    const EACH: [u64; 4] = [
        0x0000_0000_0000_0103,
        0x0000_0000_0000_80C0,
        0x0301_0000_0000_0000,
        0xC080_0000_0000_0000,
    ];
    let mut table = [0; 16];
    let mut corners = 0;
    while corners < 16 {
        let mut i = 0;
        while i < 4 {
            if corners >> i & 1 == 1 {
                table[corners] |= EACH[i];
            }
            i += 1;
        }
        corners += 1;
    }
    table
};

/// Returns the discs of `own` in a corner, or on a C square next to an own corner: a cheap stand-in for stability
/// in move ordering. On raw words.
#[inline(always)]
pub fn corner_anchored_raw(own: u64) -> u64 {
    const CORNERS: u64 = 0x8100_0000_0000_0081;
    // Brings the four corners side by side into the highest bits; nothing else reaches them.
    const TOGETHER: u64 = 1 << 60 | 1 << 54 | 1 << 6 | 1;
    let corners = (own & CORNERS).wrapping_mul(TOGETHER) >> 60;
    own & CORNERS_WITH_C_SQUARES[corners as usize]
}

/// Returns the discs of the player to move in a corner, or on a C square next to an own corner.
///
/// All of them are stable; [`stable_discs`] finds many more at a higher price.
pub fn corner_anchored_discs(board: Board) -> Bitboard {
    Bitboard::new(corner_anchored_raw(board.player().bits()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Square, Symmetry};

    /// A small generator of reproducible positions (xorshift).
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 33) as usize % n
        }

        fn playout(&mut self, empties: u32) -> Option<Board> {
            let mut board = Board::start();
            while board.empties().count() > empties {
                let moves: Vec<Square> = board.legal_moves().into_iter().collect();
                if moves.is_empty() {
                    if board.is_game_over() {
                        return None;
                    }
                    board = board.passed();
                    continue;
                }
                let square = moves[self.below(moves.len())];
                board = board.play_unchecked(square, board.flips(square));
            }
            Some(board)
        }
    }

    /// Plays every line to its end and asserts that none of `player_claim` and `opponent_claim` changes hands.
    fn assert_never_flipped(board: Board, player_claim: Bitboard, opponent_claim: Bitboard) {
        let mut moved = false;
        for square in board.legal_moves() {
            moved = true;
            let flips = board.flips(square);
            assert!(!flips.intersects(opponent_claim), "{board:?} {square}");
            assert_never_flipped(board.play_unchecked(square, flips), opponent_claim, player_claim);
        }
        if !moved && board.must_pass() {
            assert_never_flipped(board.passed(), opponent_claim, player_claim);
        }
    }

    #[test]
    fn no_line_of_play_flips_a_stable_disc() {
        let mut random = Random(0x5EED_0001);
        let mut claimed = 0;
        let mut checked = 0;
        while checked < 400 {
            let empties = 3 + checked % 6;
            let Some(board) = random.playout(empties) else {
                continue;
            };
            checked += 1;
            let own = stable_discs(board);
            let other = stable_discs(board.passed());
            assert!(own.is_subset(board.player()) && other.is_subset(board.opponent()));
            assert!(corner_anchored_discs(board).is_subset(own), "{board:?}");
            claimed += own.count() + other.count();
            assert_never_flipped(board, own, other);
        }
        assert!(claimed > 400 * 20, "{claimed}: the bound finds too little");
    }

    #[test]
    fn anchored_discs_are_in_own_corners_and_beside_them() {
        let mut random = Random(0x5EED_0003);
        for _ in 0..2000 {
            let own = (0..64).fold(0_u64, |own, square| own | (random.below(2) as u64) << square);
            let is_own = |column: usize, row: usize| own >> (8 * row + column) & 1 == 1;
            let mut expected = 0;
            for (column, row, beside) in [
                (0, 0, [(1, 0), (0, 1)]),
                (7, 0, [(6, 0), (7, 1)]),
                (0, 7, [(1, 7), (0, 6)]),
                (7, 7, [(6, 7), (7, 6)]),
            ] {
                if is_own(column, row) {
                    expected |= 1 << (8 * row + column);
                    for (column, row) in beside {
                        expected |= u64::from(is_own(column, row)) << (8 * row + column);
                    }
                }
            }
            assert_eq!(corner_anchored_raw(own), expected, "{own:#x}");
        }
    }

    #[test]
    fn lines_and_edges_match_coordinates() {
        let mut random = Random(0x5EED_0002);
        for _ in 0..2000 {
            let mut occupied = !0_u64;
            for _ in 0..random.below(12) {
                occupied &= !(1 << random.below(64));
            }
            let on_line = |a: Square, b: Square| {
                let (c, r) = (
                    a.column() as i32 - b.column() as i32,
                    a.row() as i32 - b.row() as i32,
                );
                [r == 0, c == 0, c == r, c == -r]
            };
            for (line, full) in full_lines(occupied).into_iter().enumerate() {
                for square in Square::ALL {
                    let expected = Square::ALL
                        .into_iter()
                        .all(|other| !on_line(square, other)[line] || occupied >> other.index() & 1 != 0);
                    assert_eq!(
                        full >> square.index() & 1 != 0,
                        expected,
                        "{square} {line} {occupied:x}"
                    );
                }
            }
        }
        for bits in 0..256_u64 {
            assert_eq!(file_a(to_file_a(bits)) as u64, bits);
            assert_eq!(to_file_a(bits) & !FILE_A, 0);
        }
    }

    #[test]
    fn symmetric_boards_have_symmetric_stability() {
        let mut random = Random(0x5EED_0003);
        for empties in 1..40 {
            let Some(board) = random.playout(empties) else {
                continue;
            };
            for symmetry in Symmetry::ALL {
                let image = symmetry.bitboard(stable_discs(board));
                assert_eq!(stable_discs(board.transformed(symmetry)), image, "{board:?}");
            }
        }
    }
}
