//! Plain, possibly nonsensical data on the way to a [`Position`].

use crate::{Bitboard, Board, Color, Position};

/// The discs of both colors and the side to move, not yet checked.
///
/// Any disjoint sets make a position, reachable or not: an empty board, a full one, a single disc.
///
/// # Examples
///
/// ```
/// use outflank_othello::{Bitboard, Color, Setup, Square};
/// let mut setup = Setup { black: Square::D5.into(), white: Square::D4.into(), side: Color::Black };
/// assert!(setup.build().is_ok());
/// setup.white = setup.white.with(Square::D5);
/// assert_eq!(setup.build().unwrap_err().to_string(), "black and white discs on the same square: d5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Black discs.
    pub black: Bitboard,
    /// White discs.
    pub white: Bitboard,
    /// The color to move.
    pub side: Color,
}

/// Why a [`Setup`] is not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Some squares hold discs of both colors.
    #[error("black and white discs on the same square: {}", list(*.0))]
    Overlap(Bitboard),
}

fn list(squares: Bitboard) -> String {
    squares
        .into_iter()
        .map(|square| square.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

impl Setup {
    /// Returns the position with these discs.
    ///
    /// # Errors
    ///
    /// Returns the squares that hold discs of both colors.
    pub fn build(self) -> Result<Position, SetupError> {
        let (player, opponent) = match self.side {
            Color::Black => (self.black, self.white),
            Color::White => (self.white, self.black),
        };
        match Board::new(player, opponent) {
            Some(board) => Ok(Position::new(board, self.side)),
            None => Err(SetupError::Overlap(player & opponent)),
        }
    }
}
