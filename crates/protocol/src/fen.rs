//! Two dialects of FEN, which nobody has standardized for Othello.
//!
//! | protocol | rows | black, white | side to move | start position |
//! | --- | --- | --- | --- | --- |
//! | UGI | row 1 first | `b` `w` (also `x` `o`) | `b` or `w` | `8/8/8/3wb3/3bw3/8/8/8 b` |
//! | xboard | row 8 first | `P` `p` | `w` for black, who moves first | `8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1` |

use outflank_othello::{Bitboard, Color, Position, Setup, Square};

/// A dialect of FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Ugi,
    Xboard,
}

impl Dialect {
    fn disc(self, c: char) -> Option<Color> {
        match (self, c) {
            (Self::Ugi, 'b' | 'B' | 'x' | 'X') | (Self::Xboard, 'P') => Some(Color::Black),
            (Self::Ugi, 'w' | 'W' | 'o' | 'O') | (Self::Xboard, 'p') => Some(Color::White),
            _ => None,
        }
    }

    fn side(self, text: &str) -> Option<Color> {
        match (self, text) {
            (Self::Ugi, "b" | "x" | "X") | (Self::Xboard, "w") => Some(Color::Black),
            (Self::Ugi, "w" | "o" | "O") | (Self::Xboard, "b") => Some(Color::White),
            _ => None,
        }
    }

    const fn row(self, index: usize) -> usize {
        match self {
            Self::Ugi => index,
            Self::Xboard => 7 - index,
        }
    }
}

/// Reads a position; what follows the side to move does not matter.
pub(crate) fn parse(dialect: Dialect, text: &str) -> Result<Position, String> {
    let mut words = text.split_whitespace();
    let rows: Vec<&str> = words.next().unwrap_or_default().split('/').collect();
    if rows.len() != 8 {
        return Err(format!("expected 8 rows, found {}", rows.len()));
    }
    let mut setup = Setup {
        black: Bitboard::EMPTY,
        white: Bitboard::EMPTY,
        side: words
            .next()
            .and_then(|side| dialect.side(side))
            .ok_or("expected a side to move, b or w")?,
    };
    for (index, row) in rows.iter().enumerate() {
        let mut column = 0;
        for c in row.chars() {
            if let Some(count) = c.to_digit(10).filter(|count| (1..=8).contains(count)) {
                column += count as usize;
                continue;
            }
            let square = Square::from_coordinates(column, dialect.row(index));
            match (dialect.disc(c), square) {
                (Some(Color::Black), Some(square)) => setup.black = setup.black.with(square),
                (Some(Color::White), Some(square)) => setup.white = setup.white.with(square),
                (None, _) => return Err(format!("row {}: {c:?} is no disc", index + 1)),
                (_, None) => return Err(format!("row {}: more than 8 squares", index + 1)),
            }
            column += 1;
        }
        if column != 8 {
            return Err(format!("row {}: {column} squares instead of 8", index + 1));
        }
    }
    setup.build().map_err(|error| error.to_string())
}

/// Writes a position in UGI's dialect.
pub(crate) fn ugi(position: &Position) -> String {
    let mut text = String::new();
    for row in 0..8 {
        let mut empty = 0;
        for square in (0..8).filter_map(|column| Square::from_coordinates(column, row)) {
            let Some(color) = position.disc_at(square) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push(if color == Color::Black { 'b' } else { 'w' });
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        if row < 7 {
            text.push('/');
        }
    }
    text.push_str(if position.side() == Color::Black {
        " b"
    } else {
        " w"
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_dialects_have_the_same_start() {
        let start = Position::start();
        assert_eq!(ugi(&start), "8/8/8/3wb3/3bw3/8/8/8 b");
        assert_eq!(parse(Dialect::Ugi, "8/8/8/3wb3/3bw3/8/8/8 b"), Ok(start));
        // user-needs.md 3.3, input 37: the first mover (`P`) owns d5 and e4, and has d3 c4 f5 e6.
        let xboard = parse(Dialect::Xboard, "8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1").expect("valid");
        assert_eq!(xboard, start);
    }

    #[test]
    fn positions_survive() {
        let mut position = Position::start();
        for mv in ["f5", "d6", "c3", "d3", "c4"] {
            position.play(mv.parse().expect("a move")).expect("legal");
            assert_eq!(parse(Dialect::Ugi, &ugi(&position)), Ok(position));
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
            ("PPPPPPPPP/8/8/8/8/8/8/8 w", "row 1: more than 8 squares"),
        ] {
            assert_eq!(parse(Dialect::Xboard, text), Err(message.to_owned()), "{text}");
        }
    }
}
