//! FEN: eight rows with `/` between them and the side to move, in two dialects, since nobody has standardized one for
//! Othello.
//!
//! | dialect | rows | black, white | side to move | start position |
//! | --- | --- | --- | --- | --- |
//! | UGI | row 1 first | `b` `w` (also `x` `o` `*`) | `b` or `w` | `8/8/8/3wb3/3bw3/8/8/8 b` |
//! | xboard | row 8 first | `P` `p` | `w` for black, who moves first | `8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1` |
//!
//! The signs of the discs tell them apart; squares keep their names, so xboard's first row is row 8.

use crate::{
    Parsed, Problem, ReadError,
    text::{excerpt, fold},
};
use outflank_othello::{Bitboard, Color, Position, Setup, Square};

/// A dialect of FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// That of the protocol UGI: `b` and `w`, row 1 first.
    Ugi,
    /// That of xboard's variant "reversi": `P` and `p`, row 8 first.
    Xboard,
}

impl Dialect {
    /// Returns the dialect to which a sign of a disc belongs.
    pub(crate) const fn of(sign: char) -> Option<Self> {
        match sign {
            'P' | 'p' => Some(Self::Xboard),
            'b' | 'B' | 'x' | 'X' | '*' | 'w' | 'W' | 'o' | 'O' => Some(Self::Ugi),
            _ => None,
        }
    }

    const fn disc(self, sign: char) -> Option<Color> {
        match (self, sign) {
            (Self::Ugi, 'b' | 'B' | 'x' | 'X' | '*') | (Self::Xboard, 'P') => Some(Color::Black),
            (Self::Ugi, 'w' | 'W' | 'o' | 'O') | (Self::Xboard, 'p') => Some(Color::White),
            _ => None,
        }
    }

    fn side(self, word: &str) -> Option<Color> {
        match (self, word) {
            (Self::Ugi, "b" | "B" | "x" | "X" | "*") | (Self::Xboard, "w") => Some(Color::Black),
            (Self::Ugi, "w" | "W" | "o" | "O") | (Self::Xboard, "b") => Some(Color::White),
            _ => None,
        }
    }

    const fn signs(self) -> (char, char) {
        match self {
            Self::Ugi => ('b', 'w'),
            Self::Xboard => ('P', 'p'),
        }
    }

    /// Returns the row of the board that stands at `index` in the text; the same back.
    const fn row(self, index: usize) -> usize {
        match self {
            Self::Ugi => index,
            Self::Xboard => 7 - index,
        }
    }
}

/// Parses a FEN of either dialect; a board without discs is taken for xboard's.
///
/// Fields behind the side to move are not looked at.
///
/// # Errors
///
/// Returns what is not as it should be.
///
/// # Examples
///
/// ```
/// use outflank_othello::Position;
/// use outflank_records::fen::{self, Dialect};
/// let fen = "8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1";
/// assert_eq!(fen::parse(fen)?.value, Position::start());
/// assert_eq!(fen::write(&Position::start(), Dialect::Xboard), fen);
/// assert_eq!(fen::parse("8/8/8/3wb3/3bw3/8/8/8 b")?.value, Position::start());
/// for bad in ["8/8/8/3Pp3/3pP3/8/8 w", "9/8/8/3Pp3/3pP3/8/8/8 w", "8/8/8/3Pp3/3pP3/8/8/8", "8/8/8/3Pb3/3bP3/8/8/8 w"] {
///     assert!(fen::parse(bad).is_err());
/// }
/// # Ok::<(), outflank_records::ReadError>(())
/// ```
pub fn parse(text: &str) -> Result<Parsed<Position>, ReadError> {
    let board = text.split_whitespace().next().unwrap_or_default();
    let dialect = board.chars().map(fold).find_map(Dialect::of);
    parse_as(dialect.unwrap_or(Dialect::Xboard), text)
}

/// Parses a FEN of one dialect, as a protocol does that knows only this one.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_as(dialect: Dialect, text: &str) -> Result<Parsed<Position>, ReadError> {
    let start = text.len() - text.trim_start().len();
    let folded: String = text.chars().map(fold).collect();
    let mut words = folded.split_whitespace();
    let rows: Vec<&str> = words.next().unwrap_or_default().split('/').collect();
    let fail = |problem| Err(ReadError::new(start, problem));
    if rows.len() != 8 {
        return fail(Problem::RowCount(rows.len()));
    }
    let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (index, row) in rows.iter().enumerate() {
        let mut column = 0;
        for sign in row.chars() {
            let square = Square::from_coordinates(column, dialect.row(index));
            match (dialect.disc(sign), square) {
                (Some(Color::Black), Some(square)) => black = black.with(square),
                (Some(Color::White), Some(square)) => white = white.with(square),
                (Some(_), None) => {}
                (None, _) if ('1'..='8').contains(&sign) => column += sign as usize - '1' as usize,
                (None, _) => {
                    let (row, found) = (index + 1, sign);
                    return fail(Problem::RowSign { row, found });
                }
            }
            column += 1;
        }
        if column != 8 {
            let (row, found) = (index + 1, column);
            return fail(Problem::RowLength { row, found });
        }
    }
    let side = match words.next() {
        None => return fail(Problem::NoSide),
        Some(word) => match dialect.side(word) {
            Some(side) => side,
            None => return fail(Problem::Side(excerpt(word, 20))),
        },
    };
    let setup = Setup { black, white, side };
    Ok(Parsed {
        value: setup.build().expect("a sign is one disc at most"),
        warnings: Vec::new(),
    })
}

/// Returns the FEN of a position, with all fields that programs of this dialect expect.
pub fn write(position: &Position, dialect: Dialect) -> String {
    let (black, white) = dialect.signs();
    let mut fen = String::new();
    for index in 0..8 {
        let mut n_empty = 0;
        for column in 0..8 {
            let square = Square::from_index_wrapping(dialect.row(index) * 8 + column);
            let Some(color) = position.disc_at(square) else {
                n_empty += 1;
                continue;
            };
            if n_empty > 0 {
                fen.push_str(&n_empty.to_string());
                n_empty = 0;
            }
            fen.push(if color == Color::Black { black } else { white });
        }
        if n_empty > 0 {
            fen.push_str(&n_empty.to_string());
        }
        fen.push(if index < 7 { '/' } else { ' ' });
    }
    let is_black = position.side() == Color::Black;
    match dialect {
        Dialect::Ugi => fen + if is_black { "b" } else { "w" },
        Dialect::Xboard => fen + if is_black { "w" } else { "b" } + " - - 0 1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_dialects_have_the_same_start() {
        let start = Position::start();
        for (dialect, text) in [
            (Dialect::Ugi, "8/8/8/3wb3/3bw3/8/8/8 b"),
            (Dialect::Xboard, "8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1"),
        ] {
            assert_eq!(write(&start, dialect), text);
            for read in [parse(text), parse_as(dialect, text)] {
                assert_eq!(read.map(|parsed| parsed.value), Ok(start));
            }
        }
        // Signs of other programs, for both sides to move.
        for text in [
            "8/8/8/3ox3/3xo3/8/8/8 x",
            "8/8/8/3O*3/3*O3/8/8/8 *",
            "８/8/8/3ＷＢ3/3BW3/8/8/8 B",
        ] {
            assert_eq!(parse(text).map(|parsed| parsed.value), Ok(start), "{text}");
        }
    }

    #[test]
    fn positions_survive() {
        let mut position = Position::start();
        for mv in ["f5", "d6", "c3", "d3", "c4"] {
            position.play(mv.parse().expect("a move")).expect("legal");
            for dialect in [Dialect::Ugi, Dialect::Xboard] {
                let again = parse(&write(&position, dialect)).map(|parsed| parsed.value);
                assert_eq!(again, Ok(position));
            }
        }
    }

    #[test]
    fn wrong_texts_are_refused() {
        for (text, message) in [
            ("", "expected 8 rows, found 1"),
            ("8/8/8/8/8/8/8 w", "expected 8 rows, found 7"),
            ("8/8/8/3Pp3/3pP3/8/8/9 w", "row 8: '9' is no disc"),
            ("8/8/8/3Pp3/3pP3/8/8/8", "expected a side to move, b or w"),
            ("8/8/8/3Pp4/3pP3/8/8/8 w", "row 4: 9 squares instead of 8"),
            ("PPPPPPPPP/8/8/8/8/8/8/8 w", "row 1: 9 squares instead of 8"),
            ("8/8/8/3wP3/3Pw3/8/8/8 w", "row 4: 'P' is no disc"),
            ("8/8/8/3wb3/3bw3/8/8/8 P", "side to move \"P\""),
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
        // A protocol does not take the other dialect, whose rows run the other way.
        assert!(parse_as(Dialect::Ugi, "8/8/8/3Pp3/3pP3/8/8/8 w").is_err());
        assert!(parse_as(Dialect::Xboard, "8/8/8/3wb3/3bw3/8/8/8 b").is_err());
    }
}
