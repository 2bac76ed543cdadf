//! Which boards a book has as positions, and in which orientation.

use outflank_othello::{Bitboard, Board, Square, Symmetry};

/// What a board is for a book.
///
/// A board whose player must pass stands for the one after the pass, and a finished one for its result, so that a book
/// never has either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Somebody can place a disc.
    Node {
        /// The smallest of the board's eight images, after the pass if there is one.
        key: Board,
        /// The symmetry that leads from the board to the key.
        symmetry: Symmetry,
        /// Whether the player to move must pass, so that values change their sign.
        passed: bool,
    },
    /// The game is over with this margin for the player to move, in discs.
    End(i32),
}

impl Place {
    /// Returns what `board` is for a book.
    pub fn of(board: Board) -> Self {
        let passed = board.legal_moves().is_empty();
        let mover = if passed { board.passed() } else { board };
        if passed && mover.legal_moves().is_empty() {
            return Self::End(board.final_discs().get());
        }
        let (key, symmetry) = mover.canonical();
        Self::Node {
            key,
            symmetry,
            passed,
        }
    }

    /// Returns the key if the player to move of `board` can place a disc.
    pub fn key(board: Board) -> Option<(Board, Symmetry)> {
        match Self::of(board) {
            Self::Node {
                key,
                symmetry,
                passed: false,
            } => Some((key, symmetry)),
            _ => None,
        }
    }
}

/// Returns whether `board` can be the key of a position.
pub(crate) fn is_key(board: Board) -> bool {
    !board.legal_moves().is_empty() && board.canonical().0 == board
}

/// Returns the legal moves of `key`, of those that are images of each other only the one on the smallest square.
pub fn distinct_moves(key: Board) -> Bitboard {
    let mut moves = key.legal_moves();
    for symmetry in &Symmetry::ALL[1..] {
        if key.transformed(*symmetry) == key {
            for square in moves {
                let image = symmetry.square(square);
                if image > square {
                    moves = moves.without(image);
                }
            }
        }
    }
    moves
}

/// Returns the square that stands for `square` among its images, where `key` has symmetries of its own.
pub fn distinct_move(key: Board, square: Square) -> Square {
    let own = Symmetry::ALL.into_iter().filter(|&s| key.transformed(s) == key);
    own.map(|symmetry| symmetry.square(square))
        .min()
        .unwrap_or(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_moves_one_is_kept() {
        let start = Board::start().canonical().0;
        assert_eq!(distinct_moves(start).count(), 1);
        for square in start.legal_moves() {
            assert!(distinct_moves(start).contains(distinct_move(start, square)));
        }
        let next = Board::start().play(Square::F5.into()).expect("legal");
        let (next, _) = next.canonical();
        assert_eq!(distinct_moves(next), next.legal_moves());
    }

    #[test]
    fn passes_and_ends_are_no_positions() {
        let board =
            |player, opponent| Board::new(Bitboard::new(player), Bitboard::new(opponent)).expect("disjoint");
        assert_eq!(Place::of(board(1, 0)), Place::End(64));
        assert_eq!(Place::of(board(0, 1)), Place::End(-64));
        // a1 and b1: whoever owns a1 can take b1 from c1; the other one must pass.
        assert!(matches!(
            Place::of(board(1, 2)),
            Place::Node { passed: false, .. }
        ));
        assert!(matches!(Place::of(board(2, 1)), Place::Node { passed: true, .. }));
        assert_eq!(Place::key(board(2, 1)), None);
    }
}
