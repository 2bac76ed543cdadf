//! The discs of a position as the player to move sees them: what searches work on.

use crate::{Bitboard, Discs, Move, Square, Symmetry, kernels};
use std::fmt;

/// The discs of the player to move and of the opponent; 16 bytes, cheap to copy.
///
/// A `Board` does not know colors: after every move or pass the two sets change places.
/// The two sets never overlap.
///
/// # Examples
///
/// ```
/// use outflank_othello::{Board, Square, bitboard};
/// let board = Board::start();
/// assert_eq!(board.legal_moves(), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . X . . . .
///     . . X . . . . .
///     . . . . . X . .
///     . . . . X . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// let next = board.play(Square::F5.into()).expect("f5 is legal");
/// assert_eq!((next.player().count(), next.opponent().count()), (1, 4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    player: Bitboard,
    opponent: Bitboard,
}

/// A move that the rules do not allow here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// There is a disc on the square already.
    #[error("{0} is occupied")]
    Occupied(Square),
    /// The disc would flip nothing.
    #[error("{0} flips nothing")]
    FlipsNothing(Square),
    /// A pass although a disc can be placed.
    #[error("a pass is not allowed while there is a legal move ({0})")]
    PassWithMoves(Square),
    /// Neither side can move.
    #[error("the game is over")]
    GameOver,
}

impl Board {
    /// Returns the standard start position, from the side of black, who moves first.
    pub const fn start() -> Self {
        Self {
            player: Bitboard::new(0x0000_0008_1000_0000),
            opponent: Bitboard::new(0x0000_0010_0800_0000),
        }
    }

    /// Returns the board with these discs, or `None` if the sets overlap.
    #[inline]
    pub const fn new(player: Bitboard, opponent: Bitboard) -> Option<Self> {
        if player.intersects(opponent) {
            None
        } else {
            Some(Self { player, opponent })
        }
    }

    /// Returns the board with these discs without checking that the sets are disjoint.
    ///
    /// Memory-safe for any input; overlapping sets make every later answer meaningless.
    #[inline(always)]
    pub const fn new_unchecked(player: Bitboard, opponent: Bitboard) -> Self {
        debug_assert!(!player.intersects(opponent));
        Self { player, opponent }
    }

    /// Returns the discs of the player to move.
    #[inline(always)]
    pub const fn player(self) -> Bitboard {
        self.player
    }

    /// Returns the discs of the other player.
    #[inline(always)]
    pub const fn opponent(self) -> Bitboard {
        self.opponent
    }

    /// Returns the squares with a disc.
    #[inline(always)]
    pub const fn occupied(self) -> Bitboard {
        Bitboard::new(self.player.bits() | self.opponent.bits())
    }

    /// Returns the squares without a disc.
    #[inline(always)]
    pub const fn empties(self) -> Bitboard {
        Bitboard::new(!(self.player.bits() | self.opponent.bits()))
    }

    /// Returns the squares on which the player to move may place a disc.
    #[inline]
    pub fn legal_moves(self) -> Bitboard {
        Bitboard::new(kernels::legal_moves(self.player.bits(), self.opponent.bits()))
    }

    /// Returns the number of legal moves, a pass not counted.
    #[inline]
    pub fn mobility(self) -> u32 {
        self.legal_moves().count()
    }

    /// Returns the opponent's discs that a disc on `square` would flip; empty if that is not legal.
    #[inline]
    pub fn flips(self, square: Square) -> Bitboard {
        if self.occupied().contains(square) {
            return Bitboard::EMPTY;
        }
        Bitboard::new(kernels::flips(
            square.index(),
            self.player.bits(),
            self.opponent.bits(),
        ))
    }

    /// Returns whether `mv` may be played: a placed disc must flip something, a pass needs that no disc can be
    /// placed but the opponent still can.
    pub fn is_legal(self, mv: Move) -> bool {
        match mv {
            Move::Place(square) => !self.flips(square).is_empty(),
            Move::Pass => self.must_pass(),
        }
    }

    /// Returns whether the player to move has no disc to place but the opponent has.
    #[inline]
    pub fn must_pass(self) -> bool {
        self.legal_moves().is_empty() && !self.passed().legal_moves().is_empty()
    }

    /// Returns whether neither side can place a disc.
    #[inline]
    pub fn is_game_over(self) -> bool {
        self.legal_moves().is_empty() && self.passed().legal_moves().is_empty()
    }

    /// Returns the board after `mv`, seen from the other side.
    ///
    /// # Errors
    ///
    /// Returns why the move is not legal.
    pub fn play(self, mv: Move) -> Result<Self, IllegalMove> {
        match mv {
            Move::Place(square) => {
                let flips = self.flips(square);
                if flips.is_empty() {
                    Err(self.why_illegal(square))
                } else {
                    Ok(self.play_unchecked(square, flips))
                }
            }
            Move::Pass => match (self.legal_moves().first(), self.passed().legal_moves().is_empty()) {
                (Some(square), _) => Err(IllegalMove::PassWithMoves(square)),
                (None, true) => Err(IllegalMove::GameOver),
                (None, false) => Ok(self.passed()),
            },
        }
    }

    fn why_illegal(self, square: Square) -> IllegalMove {
        if self.occupied().contains(square) {
            IllegalMove::Occupied(square)
        } else if self.is_game_over() {
            IllegalMove::GameOver
        } else {
            IllegalMove::FlipsNothing(square)
        }
    }

    /// Returns the board after a disc on `square` that flips exactly `flips`, seen from the other side.
    ///
    /// Memory-safe for any input; wrong `flips` make a wrong board.
    #[inline(always)]
    #[must_use]
    pub const fn play_unchecked(self, square: Square, flips: Bitboard) -> Self {
        let flips = flips.bits();
        Self {
            player: Bitboard::new(self.opponent.bits() & !flips),
            opponent: Bitboard::new(self.player.bits() | flips | 1 << square.index()),
        }
    }

    /// Returns the board before [`Board::play_unchecked`] with the same arguments.
    #[inline(always)]
    #[must_use]
    pub const fn undo_unchecked(self, square: Square, flips: Bitboard) -> Self {
        let flips = flips.bits();
        Self {
            player: Bitboard::new(self.opponent.bits() & !(flips | 1 << square.index())),
            opponent: Bitboard::new(self.player.bits() | flips),
        }
    }

    /// Returns the same discs seen from the other side, whether a pass is legal or not.
    #[inline(always)]
    #[must_use]
    pub const fn passed(self) -> Self {
        Self {
            player: self.opponent,
            opponent: self.player,
        }
    }

    /// Returns the margin for the player to move if the game ended here: the winner takes the empties, a tie is 0.
    ///
    /// ```
    /// use outflank_othello::{Bitboard, Board};
    /// let one_disc = Board::new(Bitboard::new(1), Bitboard::EMPTY).expect("disjoint");
    /// assert_eq!(one_disc.final_discs().get(), 64);
    /// assert_eq!(one_disc.raw_difference(), 1);
    /// ```
    pub const fn final_discs(self) -> Discs {
        let difference = self.raw_difference();
        let empties = self.empties().count() as i32;
        Discs::saturating(difference + difference.signum() * empties)
    }

    /// Returns the player's discs minus the opponent's, empties counted for nobody.
    pub const fn raw_difference(self) -> i32 {
        self.player.count() as i32 - self.opponent.count() as i32
    }

    /// Returns the image of the board under `symmetry`.
    #[must_use]
    pub const fn transformed(self, symmetry: Symmetry) -> Self {
        Self {
            player: symmetry.bitboard(self.player),
            opponent: symmetry.bitboard(self.opponent),
        }
    }

    /// Returns the smallest of the eight images, and a symmetry that leads to it from here.
    #[must_use]
    pub fn canonical(self) -> (Self, Symmetry) {
        let mut best = (self, Symmetry::IDENTITY);
        for symmetry in &Symmetry::ALL[1..] {
            let image = self.transformed(*symmetry);
            if image < best.0 {
                best = (image, *symmetry);
            }
        }
        best
    }
}

impl fmt::Debug for Board {
    /// Draws the board with `X` for the player to move and `O` for the opponent.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Board, X to move:\n  a b c d e f g h")?;
        for row in 0..8 {
            write!(f, "\n{}", row + 1)?;
            for column in 0..8 {
                let square = Square::from_index_wrapping(row * 8 + column);
                f.write_str(
                    match (self.player.contains(square), self.opponent.contains(square)) {
                        (true, _) => " X",
                        (_, true) => " O",
                        _ => " -",
                    },
                )?;
            }
        }
        Ok(())
    }
}
