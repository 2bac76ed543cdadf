//! What a position is known by in an index: the smallest of its images, and a fingerprint of that.

use outflank_othello::{Board, Square, Symmetry};

/// The smallest of the eight images of a board, and all symmetries that lead to it.
///
/// # Examples
///
/// ```
/// use outflank_games::canonical;
/// use outflank_othello::{Board, Square};
/// let start = canonical(Board::start());
/// // The first moves are one move, seen from four sides.
/// let first = [Square::D3, Square::C4, Square::F5, Square::E6].map(|square| start.image(square));
/// assert!(first.iter().all(|&image| image == first[0]));
/// assert_eq!(start.originals(first[0]).len(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The smallest image.
    pub board: Board,
    /// Bit *i* is set if symmetry number *i* leads to it.
    symmetries: u8,
}

/// Returns the smallest of the eight images of a board.
pub fn canonical(board: Board) -> Canonical {
    let mut found = Canonical { board, symmetries: 1 };
    for (i, symmetry) in Symmetry::ALL.into_iter().enumerate().skip(1) {
        let image = board.transformed(symmetry);
        if image < found.board {
            found = Canonical {
                board: image,
                symmetries: 1 << i,
            };
        } else if image == found.board {
            found.symmetries |= 1 << i;
        }
    }
    found
}

impl Canonical {
    fn symmetries(self) -> impl Iterator<Item = Symmetry> {
        let all = Symmetry::ALL.into_iter().enumerate();
        all.filter(move |(i, _)| self.symmetries >> i & 1 != 0)
            .map(|(_, symmetry)| symmetry)
    }

    /// Returns the image of a square of the original board; of several, where the board is symmetric, the smallest.
    pub fn image(self, square: Square) -> Square {
        let images = self.symmetries().map(|symmetry| symmetry.square(square));
        images.min().unwrap_or(square)
    }

    /// Returns the squares of the original board that have this image, in order; one unless the board is symmetric.
    pub fn originals(self, image: Square) -> Vec<Square> {
        let mut squares: Vec<Square> = self
            .symmetries()
            .map(|symmetry| symmetry.inverse().square(image))
            .collect();
        squares.sort_unstable();
        squares.dedup();
        squares
    }

    /// Returns the fingerprint of the smallest image in `bits` bits, from 1 to 40.
    ///
    /// Stored indexes depend on it: it must never change.
    pub fn fingerprint(self, bits: u32) -> u64 {
        let mut x = self.board.player().bits().wrapping_mul(0x9E37_79B9_7F4A_7C15);
        x ^= x >> 32;
        x = (x ^ self.board.opponent().bits()).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        x ^= x >> 29;
        x = x.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        x ^= x >> 33;
        x = x.wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        x >> (64 - bits.clamp(1, 40))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_othello::Game;

    #[test]
    fn images_agree_from_every_side() {
        let game: Game = "f5d6c3d3c4f4f6f3e6e7d7c6f7".parse().expect("legal");
        for position in game.positions() {
            let board = position.board();
            let expected = canonical(board);
            assert_eq!(expected.board, board.canonical().0);
            for symmetry in Symmetry::ALL {
                let turned = canonical(board.transformed(symmetry));
                assert_eq!(turned.board, expected.board);
                assert_eq!(turned.fingerprint(40), expected.fingerprint(40));
                for square in Square::ALL {
                    assert_eq!(turned.image(symmetry.square(square)), expected.image(square));
                    assert!(turned.originals(turned.image(square)).contains(&square));
                }
            }
        }
    }

    #[test]
    fn fingerprints_stay_as_they_are() {
        let start = canonical(Board::start());
        assert_eq!(start.fingerprint(40), START);
        assert_eq!(start.fingerprint(8), START >> 32);
    }

    /// Of the start position: stored indexes hold it.
    const START: u64 = 466_625_143_965;
}
