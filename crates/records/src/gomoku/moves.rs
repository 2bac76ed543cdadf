//! Moves of Gomoku in the dialects that people paste.
//!
//! `h8i9`, `H8, I9`, `1. h8 2. i9`, full-width letters and digits, `7,7 8,8` and `7 7` (column and row from 0), colors
//! in front of moves.

use super::{Failure, Parsed, Problem, Record};
use crate::text::{excerpt, fold};
use outflank_gomoku::{Color, Point};

/// A place in the text and the folded character there.
type Place = (usize, char);

pub(super) fn parse(text: &str) -> Result<Parsed, Failure> {
    let places: Vec<Place> = text.char_indices().map(|(at, c)| (at, fold(c))).collect();
    let has_points = places
        .windows(2)
        .any(|pair| pair[0].1.is_ascii_alphabetic() && pair[1].1.is_ascii_digit());
    let moves = if has_points || places.iter().any(|(_, c)| c.is_alphabetic()) {
        letters(text, &places)?
    } else {
        numbers(text, &places)?
    };
    Ok(Parsed::from(Record {
        moves,
        ..Record::default()
    }))
}

/// `h8`: a letter and digits each, with numbers, colors and punctuation between them.
fn letters(text: &str, places: &[Place]) -> Result<Vec<Point>, Failure> {
    let mut moves: Vec<Point> = Vec::new();
    let mut at = 0;
    let digits = |from: usize| {
        places[from..]
            .iter()
            .take_while(|(_, c)| c.is_ascii_digit())
            .count()
    };
    while let Some(&(offset, c)) = places.get(at) {
        let nth = moves.len() + 1;
        let next = places.get(at + 1).map(|place| place.1);
        if is_separator(c) {
            at += 1;
        } else if let Some(color) = mark(c).filter(|_| !next.is_some_and(|c| c.is_ascii_digit())) {
            check_color(color, offset, nth)?;
            at += 1;
        } else if c.is_ascii_alphabetic() && next.is_some_and(|c| c.is_ascii_digit()) {
            let n = 1 + digits(at + 1);
            let word: String = places[at..at + n].iter().map(|place| place.1).collect();
            moves.push(word.parse().map_err(|_| Failure::point(offset, nth, &word))?);
            at += n;
        } else if c.is_ascii_alphabetic()
            && let Some((color, n)) = color_word(&places[at..])
        {
            check_color(color, offset, nth)?;
            at += n;
        } else if c.is_ascii_digit() {
            at += move_number(places, at, moves.len()).ok_or_else(|| fail(text, offset, nth))?;
        } else {
            return Err(fail(text, offset, nth));
        }
    }
    Ok(moves)
}

/// Returns the length of the move number at `at`, with its full stop or parenthesis; `None` if it is no such number.
fn move_number(places: &[Place], at: usize, n_moves: usize) -> Option<usize> {
    let digits: String = places[at..]
        .iter()
        .map(|place| place.1)
        .take_while(char::is_ascii_digit)
        .collect();
    let number: usize = digits.parse().ok()?;
    let follows = places.get(at + digits.len()).map(|place| place.1);
    let fits = number == n_moves + 1 || number == (n_moves + 1).div_ceil(2);
    match follows {
        Some('.' | ')' | ':') => Some(digits.len() + 1),
        _ if fits => Some(digits.len()),
        _ => None,
    }
}

/// Returns the color that a sign in front of a move names.
const fn mark(c: char) -> Option<Color> {
    match c {
        '●' | '⚫' | '黒' | '黑' => Some(Color::Black),
        '○' | '⚪' | '白' => Some(Color::White),
        _ => None,
    }
}

/// Returns the color that a word in front of a move names, such as `B:` or `black`, and its length with the colon.
fn color_word(places: &[Place]) -> Option<(Color, usize)> {
    let word: String = places
        .iter()
        .map(|place| place.1)
        .take_while(char::is_ascii_alphabetic)
        .collect();
    let n = word.len();
    let has_colon = places.get(n).is_some_and(|place| place.1 == ':');
    let color = match word.to_ascii_lowercase().as_str() {
        "black" => Color::Black,
        "white" => Color::White,
        "b" | "x" if has_colon => Color::Black,
        "w" | "o" if has_colon => Color::White,
        _ => return None,
    };
    Some((color, n + usize::from(has_colon)))
}

fn check_color(found: Color, offset: usize, nth: usize) -> Result<(), Failure> {
    let expected = if nth.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    };
    if found == expected {
        Ok(())
    } else {
        Err(Failure::of_move(
            offset,
            nth,
            Problem::WrongColor { expected, found },
        ))
    }
}

const fn is_separator(c: char) -> bool {
    // The variation selectors are what some keyboards put behind a sign.
    c.is_whitespace()
        || matches!(
            c,
            ',' | ';' | '-' | '_' | '"' | '\'' | '[' | ']' | '(' | ')' | '|' | '\u{FE0E}' | '\u{FE0F}'
                // Marks of quality, and what forums and chats put around a quotation.
                | '!' | '?' | '>' | '`'
        )
}

/// `7,7 8,8`, or `7 7 8 8`, or `(7, 7), (8, 8)`: column and row from 0.
fn numbers(text: &str, places: &[Place]) -> Result<Vec<Point>, Failure> {
    let mut found: Vec<(usize, u8)> = Vec::new();
    let mut at = 0;
    while let Some(&(offset, c)) = places.get(at) {
        let digits: String = places[at..]
            .iter()
            .map(|place| place.1)
            .take_while(char::is_ascii_digit)
            .collect();
        if digits.is_empty() {
            if !is_separator(c) {
                return Err(fail(text, offset, found.len() / 2 + 1));
            }
            at += 1;
            continue;
        }
        // A minus in front of a number is a sign, not a separator.
        let is_negative = at > 0 && places[at - 1].1 == '-';
        let number = digits.parse().ok().filter(|_| !is_negative);
        let number = number.ok_or_else(|| fail(text, offset, found.len() / 2 + 1))?;
        found.push((offset, number));
        at += digits.len();
    }
    let pairs = found.chunks(2).enumerate();
    pairs
        .map(|(i, pair)| match *pair {
            [(offset, x), (_, y)] => Point::new(x, y).ok_or_else(|| fail(text, offset, i + 1)),
            _ => Err(fail(text, pair[0].0, i + 1)),
        })
        .collect()
}

/// Returns the error for what stands at `offset`, up to the next space.
fn fail(text: &str, offset: usize, nth: usize) -> Failure {
    let word = text[offset..].split_whitespace().next().unwrap_or_default();
    Failure::of_move(offset, nth, Problem::Point(excerpt(word, 20)))
}
