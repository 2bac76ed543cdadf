//! Moves: a disc on a square, or a pass.

use crate::{ParseSquareError, Square};
use std::{fmt, str::FromStr};

/// A move; a pass is a move of its own and is legal only when there is no other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A disc on this square.
    Place(Square),
    /// No disc, because none can be placed.
    Pass,
}

impl Move {
    /// Returns the square of a placed disc, `None` for a pass.
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::Place(square) => Some(square),
            Self::Pass => None,
        }
    }
}

impl From<Square> for Move {
    fn from(square: Square) -> Self {
        Self::Place(square)
    }
}

impl fmt::Display for Move {
    /// Writes `f5` or `pass`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(square) => square.fmt(f),
            Self::Pass => f.write_str("pass"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseSquareError;

    /// Parses a square, or a pass in any of its spellings: `pass`, `pa`, `ps`, `--`, `@@@@`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "pass" | "pas" | "pa" | "ps" | "--" | "@@@@" => Ok(Self::Pass),
            _ => text.parse().map(Self::Place),
        }
    }
}
