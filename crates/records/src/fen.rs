//! The FEN of xboard's variant "reversi": ranks from 8 down to 1, `P` for the first mover.
//!
//! The first mover is called White there and is black in Othello, upper case; squares keep their names, so rank 8 is
//! row 8: `8/8/8/3Pp3/3pP3/8/8/8 w` is the start position.

use crate::{
    Parsed, Problem, ReadError,
    text::{excerpt, fold},
};
use outflank_othello::{Bitboard, Color, Position, Setup, Square};

/// Parses a FEN: eight ranks and the side to move; fields behind it are not looked at.
///
/// # Errors
///
/// Returns what is not as it should be.
///
/// # Examples
///
/// ```
/// use outflank_othello::Position;
/// use outflank_records::fen;
/// let fen = "8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1";
/// assert_eq!(fen::parse(fen)?.value, Position::start());
/// assert_eq!(fen::write(&Position::start()), fen);
/// for bad in ["8/8/8/3Pp3/3pP3/8/8 w", "9/8/8/3Pp3/3pP3/8/8/8 w", "8/8/8/3Pp3/3pP3/8/8/8"] {
///     assert!(fen::parse(bad).is_err());
/// }
/// # Ok::<(), outflank_records::ReadError>(())
/// ```
pub fn parse(text: &str) -> Result<Parsed<Position>, ReadError> {
    let start = text.len() - text.trim_start().len();
    let folded: String = text.chars().map(fold).collect();
    let mut words = folded.split_whitespace();
    let ranks: Vec<&str> = words.next().unwrap_or_default().split('/').collect();
    let fail = |expected, found: &str| {
        let found = excerpt(found, 20);
        Err(ReadError::new(start, Problem::Expected { expected, found }))
    };
    if ranks.len() != 8 {
        return fail("eight ranks with / between them", &folded);
    }
    let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (i, rank) in ranks.iter().enumerate() {
        let row = 7 - i;
        let mut column = 0;
        for c in rank.chars() {
            match (c, Square::from_coordinates(column, row)) {
                ('1'..='8', _) => column += c as usize - '0' as usize,
                ('P', Some(square)) => {
                    black = black.with(square);
                    column += 1;
                }
                ('p', Some(square)) => {
                    white = white.with(square);
                    column += 1;
                }
                _ => return fail("eight squares in a rank: P, p or a number from 1 to 8", rank),
            }
        }
        if column != 8 {
            return fail("eight squares in a rank: P, p or a number from 1 to 8", rank);
        }
    }
    let side = match words.next() {
        Some("w") => Color::Black,
        Some("b") => Color::White,
        other => return fail("w or b as the side to move", other.unwrap_or_default()),
    };
    let setup = Setup { black, white, side };
    Ok(Parsed {
        value: setup.build().expect("a sign is one disc at most"),
        warnings: Vec::new(),
    })
}

/// Returns the FEN of a position.
pub fn write(position: &Position) -> String {
    let mut fen = String::new();
    for row in (0..8).rev() {
        let mut n_empty = 0;
        for column in 0..8 {
            let square = Square::from_index_wrapping(row * 8 + column);
            let Some(color) = position.disc_at(square) else {
                n_empty += 1;
                continue;
            };
            if n_empty > 0 {
                fen.push_str(&n_empty.to_string());
                n_empty = 0;
            }
            fen.push(if color == Color::Black { 'P' } else { 'p' });
        }
        if n_empty > 0 {
            fen.push_str(&n_empty.to_string());
        }
        fen.push(if row > 0 { '/' } else { ' ' });
    }
    fen.push(if position.side() == Color::Black { 'w' } else { 'b' });
    fen + " - - 0 1"
}
