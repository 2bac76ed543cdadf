//! Zobrist keys: one 64-bit number per square and color, and one for the side to move. [ZOBRIST70]

use crate::{Bitboard, Color, Square};

/// The numbers: black discs, white discs, and white to move.
struct Numbers {
    discs: [[u64; 64]; 2],
    white_to_move: u64,
}

/// `SplitMix64` from a fixed seed, so that keys are the same in every build. [VIGNA-SPLITMIX]
const NUMBERS: Numbers = {
    let mut state: u64 = 0x4F55_5446_4C41_4E4B;
    let mut numbers = [0; 129];
    let mut i = 0;
    while i < 129 {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        numbers[i] = z ^ z >> 31;
        i += 1;
    }
    let mut discs = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        discs[0][square] = numbers[square];
        discs[1][square] = numbers[64 + square];
        square += 1;
    }
    Numbers {
        discs,
        white_to_move: numbers[128],
    }
};

/// Returns the share of one disc in the key.
pub(crate) const fn disc(color: Color, square: Square) -> u64 {
    NUMBERS.discs[color as usize][square.index()]
}

/// Returns what changes in the key when a disc changes its color, for every disc in `flips`.
pub(crate) fn flipped(flips: Bitboard) -> u64 {
    flips.into_iter().fold(0, |key, square| {
        key ^ disc(Color::Black, square) ^ disc(Color::White, square)
    })
}

/// Returns what changes in the key when the turn passes to the other side.
pub(crate) const fn turn() -> u64 {
    NUMBERS.white_to_move
}

/// Returns the key of a whole position from scratch.
pub(crate) fn key(black: Bitboard, white: Bitboard, side: Color) -> u64 {
    let discs = |color, set: Bitboard| set.into_iter().fold(0, |key, square| key ^ disc(color, square));
    let turn = if side == Color::White { turn() } else { 0 };
    discs(Color::Black, black) ^ discs(Color::White, white) ^ turn
}
