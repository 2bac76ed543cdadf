//! The syntax that GGF and SGF share: `( ; KEY [value] )`.

use crate::{Problem, ReadError, text::excerpt};

/// A piece of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
    /// A key and one of its values; a key with several values comes several times.
    Property {
        /// The key, upper case.
        key: String,
        /// The value without escapes.
        value: String,
        /// Byte offset of the value.
        offset: usize,
    },
}

/// How `\` is read within a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// Before `]` and `\` only: other backslashes are text (GGF).
    Brackets,
    /// Before every character; an escaped line break vanishes (SGF).
    All,
}

/// Splits a record into its pieces.
pub(crate) fn lex(text: &str, escapes: Escapes) -> Result<Vec<Token>, ReadError> {
    let mut tokens = Vec::new();
    let mut key = String::new();
    let mut chars = text.char_indices().peekable();
    // Whether more values of the last key may follow.
    let mut after_value = false;
    while let Some((at, c)) = chars.next() {
        match c {
            '(' | ')' | ';' if !key.is_empty() => {
                return Err(expected(at, "[ and a value", &text[at..]));
            }
            '(' => tokens.push(Token::Open),
            ')' => tokens.push(Token::Close),
            ';' => tokens.push(Token::Node),
            '[' => {
                if key.is_empty() && !after_value {
                    return Err(expected(at, "a tag", &text[at..]));
                }
                let name = if key.is_empty() {
                    last_key(&tokens)
                } else {
                    std::mem::take(&mut key)
                };
                let offset = at + 1;
                let mut value = String::new();
                let mut closed = false;
                while let Some((_, c)) = chars.next() {
                    match c {
                        ']' => {
                            closed = true;
                            break;
                        }
                        '\\' => {
                            let next = chars.peek().map(|&(_, next)| next);
                            match (next, escapes) {
                                (Some('\n'), Escapes::All) => {}
                                (Some(next @ (']' | '\\')), _) | (Some(next), Escapes::All) => {
                                    value.push(next);
                                }
                                (_, _) => {
                                    value.push('\\');
                                    continue;
                                }
                            }
                            chars.next();
                        }
                        c => value.push(c),
                    }
                }
                if !closed {
                    return Err(ReadError::new(at, Problem::Unclosed('[')));
                }
                tokens.push(Token::Property {
                    key: name,
                    value,
                    offset,
                });
                after_value = true;
                continue;
            }
            c if c.is_ascii_alphanumeric() => key.push(c.to_ascii_uppercase()),
            c if c.is_whitespace() => {
                continue;
            }
            _ => return Err(expected(at, "a tag", &text[at..])),
        }
        after_value = false;
    }
    if key.is_empty() {
        Ok(tokens)
    } else {
        Err(expected(text.len(), "[ and a value", ""))
    }
}

fn last_key(tokens: &[Token]) -> String {
    match tokens.last() {
        Some(Token::Property { key, .. }) => key.clone(),
        _ => String::new(),
    }
}

fn expected(offset: usize, expected: &'static str, found: &str) -> ReadError {
    let found = excerpt(found, 12);
    ReadError::new(offset, Problem::Expected { expected, found })
}

/// Returns a value with the characters escaped that would end it.
pub(crate) fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace(']', "\\]")
}

/// Returns the top-level `(…)` groups of a text with their offsets, and the texts around them.
///
/// A group that is not closed reaches to the end.
pub(crate) fn groups(text: &str) -> Groups<'_> {
    let mut groups = Groups {
        found: Vec::new(),
        between: Vec::new(),
    };
    let (mut depth, mut start, mut last_end) = (0_usize, 0, 0);
    let mut in_value = false;
    let mut escaped = false;
    for (at, b) in text.bytes().enumerate() {
        if in_value {
            match b {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b']' => in_value = false,
                _ => {}
            }
            continue;
        }
        match b {
            b'[' if depth > 0 => in_value = true,
            b'(' => {
                if depth == 0 {
                    groups.between.push(&text[last_end..at]);
                    start = at;
                }
                depth += 1;
            }
            b')' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    last_end = at + 1;
                    groups.found.push((start, &text[start..last_end]));
                }
            }
            _ => {}
        }
    }
    if depth > 0 {
        groups.found.push((start, &text[start..]));
    } else {
        groups.between.push(&text[last_end..]);
    }
    groups
}

/// The top-level groups of a text.
pub(crate) struct Groups<'a> {
    /// Offset and text of each group.
    pub(crate) found: Vec<(usize, &'a str)>,
    /// What stands before, between and after them.
    pub(crate) between: Vec<&'a str>,
}

/// Follows brackets line by line, to find where a group ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Depth {
    n_open: usize,
    in_value: bool,
    escaped: bool,
}

impl Depth {
    /// Takes in more text.
    pub(crate) fn feed(&mut self, text: &str) {
        for b in text.bytes() {
            if self.in_value {
                match b {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b']' => self.in_value = false,
                    _ => {}
                }
                continue;
            }
            match b {
                b'[' if self.n_open > 0 => self.in_value = true,
                b'(' => self.n_open += 1,
                b')' => self.n_open = self.n_open.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Returns whether every group is closed.
    pub(crate) const fn is_closed(self) -> bool {
        self.n_open == 0
    }
}

/// Follows the brackets of JSON line by line, to find where a value ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JsonDepth {
    n_open: usize,
    in_string: bool,
    escaped: bool,
}

impl JsonDepth {
    /// Takes in more text.
    pub(crate) fn feed(&mut self, text: &str) {
        for b in text.bytes() {
            match b {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                b'{' | b'[' if !self.in_string => self.n_open += 1,
                b'}' | b']' if !self.in_string => self.n_open = self.n_open.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Returns whether every bracket is closed.
    pub(crate) const fn is_closed(self) -> bool {
        self.n_open == 0
    }
}
