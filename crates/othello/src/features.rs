//! What players talk about: potential mobility, frontier, regions and their parity.
//!
//! Every function has a twin in the tests that walks the array of [`crate::naive`].

use crate::{Bitboard, Board, Square};

impl Board {
    /// Returns the empty squares next to an opponent's disc: where the player may come to move.
    pub const fn potential_moves(self) -> Bitboard {
        Bitboard::new(self.opponent().neighbors().bits() & self.empties().bits())
    }

    /// Returns the number of empty squares next to an opponent's disc.
    pub const fn potential_mobility(self) -> u32 {
        self.potential_moves().count()
    }

    /// Returns the player's discs with an empty neighbor: those that the opponent may come to flip.
    pub const fn frontier(self) -> Bitboard {
        Bitboard::new(self.empties().neighbors().bits() & self.player().bits())
    }

    /// Returns the sum, over the discs that a move on `square` would flip and the new disc itself, of the empty
    /// neighbors left after the move ("divergence" in requirement B2); 0 if the move is not legal.
    pub fn divergence(self, square: Square) -> u32 {
        let flips = self.flips(square);
        if flips.is_empty() {
            return 0;
        }
        let empties = self.empties().without(square);
        let touched = flips.with(square);
        touched
            .into_iter()
            .map(|disc| (Bitboard::from_square(disc).neighbors() & empties).count())
            .sum()
    }

    /// Returns the connected regions of empty squares (sideways and diagonally), by their lowest square.
    pub fn regions(self) -> Vec<Bitboard> {
        let mut left = self.empties();
        let mut regions = Vec::new();
        while let Some(first) = left.first() {
            let mut region = Bitboard::from_square(first);
            loop {
                let grown = region | region.neighbors() & left;
                if grown == region {
                    break;
                }
                region = grown;
            }
            left -= region;
            regions.push(region);
        }
        regions
    }

    /// Returns the empty squares that lie in regions of an odd size.
    pub fn odd_regions(self) -> Bitboard {
        self.regions()
            .into_iter()
            .filter(|region| region.count() % 2 == 1)
            .fold(Bitboard::EMPTY, |a, b| a | b)
    }
}

/// The four 4×4 quarters of the board, whose parity of empties is the cheap stand-in for regions.
pub const QUADRANTS: [Bitboard; 4] = [
    Bitboard::new(0x0000_0000_0F0F_0F0F),
    Bitboard::new(0x0000_0000_F0F0_F0F0),
    Bitboard::new(0x0F0F_0F0F_0000_0000),
    Bitboard::new(0xF0F0_F0F0_0000_0000),
];

impl Board {
    /// Returns the empty squares that lie in quarters with an odd number of empties.
    pub fn odd_quadrants(self) -> Bitboard {
        let empties = self.empties();
        QUADRANTS
            .into_iter()
            .map(|quadrant| quadrant & empties)
            .filter(|part| part.count() % 2 == 1)
            .fold(Bitboard::EMPTY, |a, b| a | b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Position};

    fn touching(a: Square, b: Square) -> bool {
        a != b && a.column().abs_diff(b.column()) <= 1 && a.row().abs_diff(b.row()) <= 1
    }

    /// Calls `check` with random boards of every density.
    fn for_random_boards(mut check: impl FnMut(Board)) {
        let mut state = 7_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            state ^ state >> 33
        };
        for round in 0..2000 {
            let occupied = if round % 2 == 0 {
                random() | random()
            } else {
                random() & random()
            };
            let player = occupied & random();
            check(Board::new(Bitboard::new(player), Bitboard::new(occupied & !player)).unwrap());
        }
    }

    #[test]
    fn features_match_a_walk_over_the_squares() {
        for_random_boards(|board| {
            let position = Position::new(board, Color::Black);
            let at = |square: Square| position.disc_at(square);
            let near = |square, what| {
                Square::ALL
                    .into_iter()
                    .any(|other| touching(square, other) && at(other) == what)
            };
            let squares = |condition: &dyn Fn(Square) -> bool| -> Bitboard {
                Square::ALL.into_iter().filter(|&s| condition(s)).collect()
            };
            assert_eq!(
                board.potential_moves(),
                squares(&|s| at(s).is_none() && near(s, Some(Color::White)))
            );
            assert_eq!(
                board.frontier(),
                squares(&|s| at(s) == Some(Color::Black) && near(s, None))
            );
            for square in board.legal_moves() {
                let mut expected = 0;
                for disc in board.flips(square).with(square) {
                    let free =
                        |&other: &Square| touching(disc, other) && at(other).is_none() && other != square;
                    expected += Square::ALL.iter().filter(|other| free(other)).count();
                }
                assert_eq!(board.divergence(square) as usize, expected);
            }
        });
    }

    #[test]
    fn regions_match_a_flood_fill() {
        for_random_boards(|board| {
            let regions = board.regions();
            assert_eq!(
                regions.iter().fold(Bitboard::EMPTY, |a, &b| a | b),
                board.empties()
            );
            let mut label = [usize::MAX; 64];
            for (n, region) in regions.iter().enumerate() {
                for square in *region {
                    assert_eq!(label[square.index()], usize::MAX, "regions overlap");
                    label[square.index()] = n;
                }
            }
            // Every region is reached from its first square, and no two regions touch.
            for region in &regions {
                let mut stack = vec![region.first().unwrap()];
                let mut seen = Bitboard::EMPTY;
                while let Some(square) = stack.pop() {
                    if !seen.contains(square) {
                        seen = seen.with(square);
                        stack.extend(
                            board
                                .empties()
                                .into_iter()
                                .filter(|&other| touching(square, other)),
                        );
                    }
                }
                assert_eq!(seen, *region);
            }
            let odd = |square: &Square| regions[label[square.index()]].count() % 2 == 1;
            assert_eq!(
                board.odd_regions(),
                board.empties().into_iter().filter(odd).collect()
            );
            let quarter = |s: Square| (s.column() / 4, s.row() / 4);
            let odd = |square: &Square| {
                board
                    .empties()
                    .into_iter()
                    .filter(|&s| quarter(s) == quarter(*square))
                    .count()
                    % 2
                    == 1
            };
            assert_eq!(
                board.odd_quadrants(),
                board.empties().into_iter().filter(odd).collect()
            );
        });
    }
}
