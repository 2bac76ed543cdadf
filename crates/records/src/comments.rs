//! What stands between moves and is none: comments, variations, marks of quality.
//!
//! All of it is turned to spaces, byte for byte, so that every move stays at its offset.

use crate::{
    Problem, ReadError, Warning,
    looks::{n_squares, starts_with_move},
    text::{Scanner, excerpt, fold},
};
use std::collections::BTreeSet;

/// Returns the moves of a PGN game with comments (`{…}`, `; …`, a line that starts with `%`), variations and numeric
/// marks (`$1`) turned to spaces.
pub(crate) fn blank(text: &str, warnings: &mut Vec<Warning>) -> Result<String, ReadError> {
    let mut body = Blanks::new(text);
    // Where the open comment began, and the open variations.
    let (mut comment, mut depth, mut opened, mut n_variations) = (None, 0_usize, 0, 0);
    let (mut to_line_end, mut in_mark, mut line_starts) = (false, false, true);
    for (at, c) in text.char_indices() {
        in_mark &= c.is_ascii_digit();
        to_line_end &= c != '\n';
        let is_blank = match c {
            '}' if comment.is_some() => {
                comment = None;
                true
            }
            _ if comment.is_some() || to_line_end || in_mark => true,
            '{' => {
                comment = Some(at);
                true
            }
            ';' => {
                to_line_end = true;
                true
            }
            '%' if line_starts => {
                to_line_end = true;
                true
            }
            '$' => {
                in_mark = true;
                true
            }
            '(' => {
                if depth == 0 {
                    opened = at;
                    n_variations += 1;
                }
                depth += 1;
                true
            }
            ')' if depth > 0 => {
                depth -= 1;
                true
            }
            _ => depth > 0,
        };
        line_starts = c == '\n';
        body.push(c, is_blank);
    }
    if n_variations > 0 {
        warnings.push(Warning::Variations(n_variations));
    }
    match (comment, depth) {
        (Some(at), _) => Err(ReadError::new(at, Problem::Unclosed('{'))),
        (None, 1..) => Err(ReadError::new(opened, Problem::Unclosed('('))),
        (None, 0) => Ok(body.text),
    }
}

/// Returns plain moves with what is no move turned to spaces; what held a move is named in a warning.
///
/// A transcript is no PGN: a semicolon may stand between moves, and a bracket around all of them. So a comment is what
/// stands in closed braces, in closed brackets behind a move, or, where more than one move stands between two
/// semicolons, behind a semicolon that follows a space. A text that begins with a bracket or a quotation mark is a list:
/// there all of them are turned to spaces.
pub(crate) fn blank_loose(text: &str, warnings: &mut Vec<Warning>) -> String {
    let is_list = text.trim_start().starts_with(['[', '(', '"', '\'', '“', '「']);
    let quotes = |c: char| {
        matches!(
            c,
            '[' | ']' | '(' | ')' | '{' | '}' | '"' | '\'' | '`' | '“' | '”' | '「' | '」'
        )
    };
    if is_list {
        let mut body = Blanks::new(text);
        for c in text.chars() {
            body.push(c, quotes(c));
        }
        return body.text;
    }
    if !text.contains(['{', '(', ';', '$', '"', '\'', '`']) {
        return text.to_owned();
    }
    let remarks = remarks(text);
    let mut body = Blanks::new(text);
    let mut in_mark = false;
    let mut ahead = remarks.iter().peekable();
    for (at, c) in text.char_indices() {
        in_mark = c == '$' || in_mark && c.is_ascii_digit();
        ahead.next_if(|remark| remark.end <= at);
        let in_remark = ahead.peek().is_some_and(|remark| remark.contains(&at));
        body.push(c, in_mark || in_remark || matches!(c, '"' | '\'' | '`'));
    }
    let mut named = BTreeSet::new();
    for remark in remarks {
        let remark = &text[remark];
        if n_squares(remark) > 0 && named.insert(remark) && named.len() <= 5 {
            warnings.push(Warning::Comment(excerpt(remark, 60)));
        }
    }
    body.text
}

/// Returns where the comments of a transcript are, in order.
fn remarks(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut remarks = Vec::new();
    let mut at = 0;
    // The line that was looked at last, by its start, and whether semicolons stand between its moves.
    let mut last_line = None;
    // Words in brackets are a comment where moves may follow; behind the last one they are text at the end.
    let last_digit = text.rfind(|c| fold(c).is_ascii_digit()).unwrap_or(0);
    // Each sign is looked at with what follows it: a text with more of them is no game, and shall not take long.
    for _ in 0..300 {
        let Some(found) = text[at..].find(['{', '(', ';']) else {
            break;
        };
        let start = at + found;
        let rest = &text[start..];
        let closed = |end: char| rest.find(end).map(|n| start + n + end.len_utf8());
        let line_end = rest.find('\n').map_or(text.len(), |n| start + n);
        let end = match rest.as_bytes()[0] {
            b'{' => closed('}'),
            b'(' => closed(')').filter(|&end| end <= last_digit || n_squares(&text[start..end]) > 0),
            _ => {
                let line_start = text[..start].rfind('\n').map_or(0, |n| n + 1);
                let line = &text[line_start..line_end];
                let is_apart = text[line_start..start]
                    .chars()
                    .next_back()
                    .is_none_or(char::is_whitespace);
                let separates = match last_line {
                    Some((known, separates)) if known == line_start => separates,
                    _ => semicolons_separate(line),
                };
                last_line = Some((line_start, separates));
                (is_apart && !separates).then_some(line_end)
            }
        };
        match end {
            Some(end) => {
                remarks.push(start..end);
                at = end;
            }
            None => at = start + 1,
        }
    }
    remarks
}

/// Returns whether one move at most stands between each two semicolons of a line, and nothing else.
fn semicolons_separate(line: &str) -> bool {
    line.split(';').map(str::trim).all(|piece| {
        let is_move =
            starts_with_move(Scanner::new(piece)) || piece.starts_with(|c: char| c.is_ascii_digit());
        piece.is_empty() || is_move && n_squares(piece) <= 1
    })
}

/// A text on the way, in which some characters are turned to spaces.
struct Blanks {
    text: String,
}

impl Blanks {
    fn new(text: &str) -> Self {
        Self {
            text: String::with_capacity(text.len()),
        }
    }

    fn push(&mut self, c: char, is_blank: bool) {
        if is_blank && c != '\n' {
            self.text.extend(std::iter::repeat_n(' ', c.len_utf8()));
        } else {
            self.text.push(c);
        }
    }
}
