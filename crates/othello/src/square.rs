//! The 64 squares, numbered along the rows: a1 is 0, b1 is 1, h8 is 63.

use std::{fmt, str::FromStr};

/// One of the 64 squares of the board.
///
/// Columns are a–h from left to right, rows 1–8 from top to bottom, as Othello players write them.
/// `Option<Square>` takes one byte.
///
/// # Examples
///
/// ```
/// use outflank_othello::Square;
/// let square: Square = "F5".parse()?;
/// assert_eq!(square, Square::F5);
/// assert_eq!((square.column(), square.row(), square.index()), (5, 4, 37));
/// assert_eq!(square.to_string(), "f5");
/// assert_eq!("i9".parse::<Square>().unwrap_err().to_string(), "\"i9\": column i is off the board");
/// # Ok::<(), outflank_othello::ParseSquareError>(())
/// ```
#[rustfmt::skip]
#[allow(missing_docs, reason = "a square is its own documentation")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// All squares in index order.
    #[rustfmt::skip]
    pub const ALL: [Self; 64] = {
        use Square::*;
        [
            A1, B1, C1, D1, E1, F1, G1, H1,
            A2, B2, C2, D2, E2, F2, G2, H2,
            A3, B3, C3, D3, E3, F3, G3, H3,
            A4, B4, C4, D4, E4, F4, G4, H4,
            A5, B5, C5, D5, E5, F5, G5, H5,
            A6, B6, C6, D6, E6, F6, G6, H6,
            A7, B7, C7, D7, E7, F7, G7, H7,
            A8, B8, C8, D8, E8, F8, G8, H8,
        ]
    };

    /// Returns the square with this index (a1 is 0, h8 is 63), or `None` from 64 up.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < 64 { Some(Self::ALL[index]) } else { None }
    }

    /// Returns the square with the lowest six bits of `index` as its index.
    #[inline(always)]
    pub const fn from_index_wrapping(index: usize) -> Self {
        Self::ALL[index & 63]
    }

    /// Returns the square at `column` (a is 0) and `row` (1 is 0), or `None` off the board.
    pub const fn from_coordinates(column: usize, row: usize) -> Option<Self> {
        if column < 8 && row < 8 {
            Some(Self::ALL[row * 8 + column])
        } else {
            None
        }
    }

    /// Returns the index, 0 (a1) to 63 (h8).
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the column, 0 (a) to 7 (h).
    #[inline]
    pub const fn column(self) -> usize {
        self as usize & 7
    }

    /// Returns the row, 0 (row 1, at the top) to 7 (row 8).
    #[inline]
    pub const fn row(self) -> usize {
        self as usize >> 3
    }
}

impl fmt::Display for Square {
    /// Writes the square in lower case: `f5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column() as u8), self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseSquareError {
    /// The text is not one letter and one digit.
    #[error("{0:?}: a square is a letter a–h and a digit 1–8")]
    Shape(String),
    /// The letter is beyond h.
    #[error("{text:?}: column {column} is off the board")]
    Column {
        /// The whole text.
        text: String,
        /// The letter, in lower case.
        column: char,
    },
    /// The digit is 0 or 9.
    #[error("{text:?}: row {row} is off the board")]
    Row {
        /// The whole text.
        text: String,
        /// The digit.
        row: char,
    },
}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Parses a letter in either case and a digit.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut chars = text.chars();
        let (Some(letter), Some(digit), None) = (chars.next(), chars.next(), chars.next()) else {
            return Err(ParseSquareError::Shape(text.to_owned()));
        };
        if !letter.is_ascii_alphabetic() || !digit.is_ascii_digit() {
            return Err(ParseSquareError::Shape(text.to_owned()));
        }
        let column = letter.to_ascii_lowercase();
        if column > 'h' {
            return Err(ParseSquareError::Column {
                text: text.to_owned(),
                column,
            });
        }
        if !('1'..='8').contains(&digit) {
            return Err(ParseSquareError::Row {
                text: text.to_owned(),
                row: digit,
            });
        }
        Ok(Self::ALL[(digit as usize - '1' as usize) * 8 + (column as usize - 'a' as usize)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_round_trips() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::from_index(index), Some(square));
            assert_eq!(
                Square::from_coordinates(square.column(), square.row()),
                Some(square)
            );
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.to_string().to_uppercase().parse(), Ok(square));
        }
        assert_eq!(Square::from_index(64), None);
        assert_eq!(size_of::<Option<Square>>(), 1);
    }

    #[test]
    fn wrong_squares_say_why() {
        for (text, column, row) in [("a0", false, true), ("f9", false, true), ("i1", true, false)] {
            let error = text.parse::<Square>().unwrap_err();
            assert_eq!(matches!(error, ParseSquareError::Column { .. }), column, "{text}");
            assert_eq!(matches!(error, ParseSquareError::Row { .. }), row, "{text}");
        }
        for text in ["", "f", "f55", "5f", "é5", "f€", "ｆ５"] {
            assert!(
                matches!(text.parse::<Square>(), Err(ParseSquareError::Shape(_))),
                "{text}"
            );
        }
    }
}
