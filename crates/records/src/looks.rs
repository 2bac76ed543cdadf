//! What looks like a move: squares, passes and signs of color, before anything is read.

use crate::text::{Scanner, fold};
use outflank_othello::Color;

/// Returns the color that a sign in front of a move names.
pub(crate) const fn color_sign(c: char) -> Option<Color> {
    match c {
        '⚫' | '●' | '黒' | '黑' => Some(Color::Black),
        '⚪' | '○' | '白' => Some(Color::White),
        _ => None,
    }
}

/// Returns whether a text holds a square that stands at the start of a word.
pub(crate) fn has_square(text: &str) -> bool {
    squares(text).next().is_some()
}

/// Returns how many squares a text holds, one in each word at most where letters stand before it.
pub(crate) fn n_squares(text: &str) -> usize {
    squares(text).count()
}

/// Returns an entry for each square that stands where a word starts or behind a digit.
fn squares(text: &str) -> impl Iterator<Item = ()> {
    let mut previous = ' ';
    let mut chars = text.chars().map(fold).peekable();
    std::iter::from_fn(move || {
        while let Some(c) = chars.next() {
            let starts = !previous.is_alphabetic() || color_sign(previous).is_some();
            let digit = chars.peek().is_some_and(|d| ('1'..='8').contains(d));
            previous = c;
            if starts && digit && ('a'..='h').contains(&c.to_ascii_lowercase()) {
                return Some(());
            }
        }
        None
    })
}

/// Returns whether a text starts with a move: a letter and a digit, or the word for a pass.
pub(crate) fn starts_with_move(mut scanner: Scanner<'_>) -> bool {
    let word = scanner.take_while(|c| c.is_ascii_alphabetic());
    let is_pass = ["pa", "ps", "pas", "pass"].contains(&word.to_ascii_lowercase().as_str());
    let digit = scanner.bump().is_some_and(|c| c.is_ascii_digit());
    // `F6ローズビル` is the name of an opening.
    let is_name = scanner
        .peek()
        .is_some_and(|c| c.is_alphabetic() && !c.is_ascii() && color_sign(c).is_none());
    is_pass || word.len() == 1 && digit && !is_name
}
