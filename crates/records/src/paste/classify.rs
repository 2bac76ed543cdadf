//! What a line looks like: decides the notation before anything is read.

use crate::{
    board, fen,
    text::{Scanner, fold},
};

/// Returns whether a record in brackets is SGF rather than GGF: the game is a number, or there is a file format.
pub(super) fn is_sgf(text: &str) -> bool {
    let game = text.split_once("GM[").map(|(_, value)| value.trim_start());
    match game {
        Some(value) => value.starts_with(|c: char| c.is_ascii_digit()),
        None => text.contains("FF["),
    }
}

/// Returns whether a line starts JSON: an object, or a list of objects, lists or texts in double quotation marks.
pub(super) fn is_json(trimmed: &str) -> bool {
    let inner = trimmed.strip_prefix('[').map(str::trim_start);
    trimmed.starts_with('{')
        || inner.is_some_and(|inner| inner.is_empty() || inner.starts_with(['{', '[', '"']))
}

/// Returns whether a line starts a PGN game: `[Key "value"]`.
pub(super) fn is_pgn(trimmed: &str) -> bool {
    let Some(inner) = trimmed.strip_prefix('[') else {
        return false;
    };
    let behind = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    inner.starts_with(|c: char| c.is_ascii_alphabetic()) && behind.trim_start().starts_with('"')
}

/// Returns whether a line starts a board in brackets, `[8 …`.
pub(super) fn is_bracket_board(trimmed: &str) -> bool {
    trimmed
        .strip_prefix('[')
        .is_some_and(|inner| inner.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns whether a line is meant as a FEN: its first word holds several ranks.
pub(super) fn is_fen(trimmed: &str) -> bool {
    let word = trimmed.split_whitespace().next().unwrap_or_default();
    word.matches('/').count() >= 4
        && word
            .chars()
            .map(fold)
            .all(|c| matches!(c, '/' | '0'..='9') || fen::Dialect::of(c).is_some())
}

/// Returns whether a line is meant as a board: it starts with many signs of one.
pub(super) fn is_board_line(trimmed: &str) -> bool {
    let signs = trimmed
        .chars()
        .map(fold)
        .filter(|c| !c.is_whitespace())
        .take_while(|&c| board::cell(c).is_some());
    signs.take(20).count() == 20
}

/// Returns whether a line goes on with a numbered list of moves: it starts with a number above 1.
pub(super) fn continues_moves(trimmed: &str) -> bool {
    let mut scanner = Scanner::new(trimmed);
    let number = scanner.take_while(|c| c.is_ascii_digit());
    let separates = |c: char| matches!(c, '.' | ')' | ',' | ':') || c.is_whitespace();
    number.parse().is_ok_and(|n: u32| n > 1) && scanner.peek().is_none_or(separates)
}

/// Returns whether a line starts a record, whatever is still open.
pub(super) fn starts_record(trimmed: &str) -> bool {
    let trimmed = trimmed.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    trimmed.starts_with("(;GM[") || trimmed.starts_with("(;FF[")
}

/// Returns whether a line begins or ends a block of code in Markdown, as forums and chats have it.
pub(super) fn is_fence(trimmed: &str) -> bool {
    let name = trimmed.trim_start_matches('`');
    trimmed.len() >= name.len() + 3 && name.chars().all(char::is_alphanumeric)
}

/// Returns whether a line may be part of a list of moves: it starts with nothing that another notation starts with.
pub(super) fn may_be_moves(trimmed: &str) -> bool {
    !(trimmed.is_empty()
        || trimmed.starts_with(['%', '#', '|'])
        || trimmed.starts_with("//")
        || is_fence(trimmed)
        || trimmed.contains("(;")
        || is_json(trimmed)
        || is_pgn(trimmed)
        || is_bracket_board(trimmed)
        || is_board_line(trimmed)
        || is_fen(trimmed))
}
