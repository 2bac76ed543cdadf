//! The two colors.

use outflank_game::Player;
use std::{fmt, ops::Not};

/// A player's color; black moves first in the standard start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// Dark discs, written `X`.
    Black,
    /// Light discs, written `O`.
    White,
}

impl Color {
    /// Returns the board character: `X` for black, `O` for white.
    pub const fn symbol(self) -> char {
        match self {
            Self::Black => 'X',
            Self::White => 'O',
        }
    }
}

impl Not for Color {
    type Output = Self;

    /// Returns the other color.
    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Color {
    /// Writes `black` or `white`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

impl From<Color> for Player {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::First,
            Color::White => Self::Second,
        }
    }
}
