//! What the documents count on a board: square weights, mobility, stability by contact with corners.

use outflank_othello::{Bitboard, Board};

/// The square weights that documents B and C share: corner 100, C −20, X −50, edges 10 and 5, inside −2 and −1.
#[rustfmt::skip]
pub const SQUARE_WEIGHTS: [i32; 64] = [
    100, -20,  10,   5,   5,  10, -20, 100,
    -20, -50,  -2,  -2,  -2,  -2, -50, -20,
     10,  -2,  -1,  -1,  -1,  -1,  -2,  10,
      5,  -2,  -1,  -1,  -1,  -1,  -2,   5,
      5,  -2,  -1,  -1,  -1,  -1,  -2,   5,
     10,  -2,  -1,  -1,  -1,  -1,  -2,  10,
    -20, -50,  -2,  -2,  -2,  -2, -50, -20,
    100, -20,  10,   5,   5,  10, -20, 100,
];

/// Returns the number of own discs within `mask`, less the other's.
pub(crate) fn balance(board: Board, mask: Bitboard) -> i32 {
    (board.player() & mask).count() as i32 - (board.opponent() & mask).count() as i32
}

/// Returns the number of own moves, less the other's.
pub(crate) fn mobility(board: Board) -> i32 {
    board.mobility() as i32 - board.passed().mobility() as i32
}

/// Returns the discs of `own` that are stable by contact with corners: source document B's approximation.
///
/// A disc is taken as stable if along each of its four lines one neighbor is the border or a stable own disc. Full
/// lines are not looked at, so that this finds less than [the sound bound of the rules crate](outflank_othello).
pub fn anchored_stability(own: Bitboard) -> Bitboard {
    const A: u64 = 0x0101_0101_0101_0101;
    const H: u64 = 0x8080_8080_8080_8080;
    const ROW_1: u64 = 0xFF;
    const ROW_8: u64 = 0xFF << 56;
    let own = own.bits();
    let mut stable = 0;
    loop {
        // Bits that wrap around the board land on squares whose neighbor there is the border anyway.
        let along_row = stable << 1 | stable >> 1 | A | H;
        let along_column = stable << 8 | stable >> 8 | ROW_1 | ROW_8;
        let falling = stable << 9 | stable >> 9 | A | H | ROW_1 | ROW_8;
        let rising = stable << 7 | stable >> 7 | A | H | ROW_1 | ROW_8;
        let next = own & along_row & along_column & falling & rising;
        if next == stable {
            return Bitboard::new(stable);
        }
        stable = next;
    }
}

/// Returns the number of own stable discs, less the other's, by [`anchored_stability`].
pub(crate) fn stability(board: Board) -> i32 {
    anchored_stability(board.player()).count() as i32 - anchored_stability(board.opponent()).count() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_othello::Square;

    /// Stability by its definition, square by square.
    fn slow_stability(own: Bitboard) -> Bitboard {
        let mut stable = Bitboard::EMPTY;
        let safe = |stable: Bitboard, square: Square, dx: i32, dy: i32| {
            let (column, row) = (square.column() as i32 + dx, square.row() as i32 + dy);
            let outside = !(0..8).contains(&column) || !(0..8).contains(&row);
            outside || stable.contains(Square::from_index_wrapping((row * 8 + column) as usize))
        };
        loop {
            let next: Bitboard = own
                .into_iter()
                .filter(|&square| {
                    [(1, 0), (0, 1), (1, 1), (1, -1)]
                        .into_iter()
                        .all(|(dx, dy)| safe(stable, square, dx, dy) || safe(stable, square, -dx, -dy))
                })
                .collect();
            if next == stable {
                return stable;
            }
            stable = next;
        }
    }

    #[test]
    fn anchored_stability_is_its_definition() {
        let mut random = outflank_game::SplitMix64::new(5);
        for _ in 0..2000 {
            let own = Bitboard::new(random.next_u64() | random.next_u64());
            assert_eq!(anchored_stability(own), slow_stability(own));
        }
        assert_eq!(anchored_stability(Bitboard::ALL), Bitboard::ALL);
    }
}
