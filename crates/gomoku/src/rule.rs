//! The rule sets and the two colors.

use outflank_game::Player;
use std::{fmt, ops::Not, str::FromStr};

/// The color of a stone; Black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// The first player.
    Black = 0,
    /// The second player.
    White = 1,
}

impl Color {
    /// Both colors, Black first.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// Returns 0 for Black and 1 for White.
    #[inline]
    pub const fn idx(self) -> usize {
        self as usize
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

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

/// What wins and what is forbidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Five or more in a row wins for both colors.
    #[default]
    Freestyle,
    /// Exactly five in a row wins; six or more is nothing.
    Standard,
    /// Black wins with exactly five and loses with an overline, a double-four or a double-three; White wins with five
    /// or more.
    Renju,
    /// Exactly five in a row wins, unless a stone of the other color blocks each of its ends.
    Caro,
}

/// A text or number that names no rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no rule set: use freestyle, standard, renju or caro")]
pub struct ParseRuleError {
    /// The offending text.
    pub text: String,
}

impl Rule {
    /// All rule sets.
    pub const ALL: [Self; 4] = [Self::Freestyle, Self::Standard, Self::Renju, Self::Caro];

    /// Returns whether `color` needs exactly five (a longer row does not win).
    pub const fn needs_exactly_five(self, color: Color) -> bool {
        match self {
            Self::Freestyle => false,
            Self::Standard | Self::Caro => true,
            Self::Renju => matches!(color, Color::Black),
        }
    }

    /// Returns the rule set that a Gomocup manager means by `INFO rule number`.
    ///
    /// 0 is free-style, 1 standard, 4 Renju (2 in Yixin-board), 8 or 9 Caro. Other numbers (2 + 1, continuous games)
    /// are `None`.
    pub const fn from_gomocup(number: u32) -> Option<Self> {
        match number {
            0 => Some(Self::Freestyle),
            1 => Some(Self::Standard),
            2 | 4 => Some(Self::Renju),
            8 | 9 => Some(Self::Caro),
            _ => None,
        }
    }

    /// Returns the number of this rule set in the Gomocup protocol.
    pub const fn to_gomocup(self) -> u32 {
        match self {
            Self::Freestyle => 0,
            Self::Standard => 1,
            Self::Renju => 4,
            Self::Caro => 9,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Freestyle => "freestyle",
            Self::Standard => "standard",
            Self::Renju => "renju",
            Self::Caro => "caro",
        })
    }
}

impl FromStr for Rule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.trim().to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|rule| rule.to_string() == lower)
            .ok_or_else(|| ParseRuleError {
                text: text.chars().take(40).collect(),
            })
    }
}
