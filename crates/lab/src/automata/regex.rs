//! Regular expressions over the symbols of a line, and the naive matcher.

use crate::lines::Symbol;
use std::{fmt, str::FromStr};

/// A regular expression: `X`, `O`, `-`, `#`, `.` (any), `[…]` (one of), `|`, `*`, `+`, `?` and parentheses.
///
/// ```
/// use outflank_lab::automata::Regex;
/// let regex: Regex = "OX+-|-X+O".parse()?;
/// assert_eq!(regex.to_string(), "OX+-|-X+O");
/// assert_eq!("(X".parse::<Regex>().unwrap_err().to_string(), "column 3: expected \")\"");
/// # Ok::<(), outflank_lab::automata::ParseRegexError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Regex {
    /// One symbol out of a set; bit `i` is [`Symbol`] number `i`.
    Class(u8),
    /// One after the other; matches the empty string if there are none.
    Concat(Vec<Regex>),
    /// One of several.
    Any(Vec<Regex>),
    /// Any number of times.
    Star(Box<Regex>),
    /// Once or more.
    Plus(Box<Regex>),
    /// Once or not at all.
    Optional(Box<Regex>),
}

/// Why a text is not a regular expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {reason}")]
pub struct ParseRegexError {
    /// The character at fault, from 1.
    pub column: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

impl Regex {
    /// Returns the expression with the two players' discs exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let all = |parts: &[Self]| parts.iter().map(Self::swapped).collect();
        match self {
            Self::Class(set) => Self::Class(set & 0b1001 | (set & 0b0010) << 1 | (set & 0b0100) >> 1),
            Self::Concat(parts) => Self::Concat(all(parts)),
            Self::Any(parts) => Self::Any(all(parts)),
            Self::Star(part) => Self::Star(Box::new(part.swapped())),
            Self::Plus(part) => Self::Plus(Box::new(part.swapped())),
            Self::Optional(part) => Self::Optional(Box::new(part.swapped())),
        }
    }

    /// Returns whether the empty string matches.
    pub fn matches_empty(&self) -> bool {
        match self {
            Self::Class(_) => false,
            Self::Concat(parts) => parts.iter().all(Self::matches_empty),
            Self::Any(parts) => parts.iter().any(Self::matches_empty),
            Self::Star(_) | Self::Optional(_) => true,
            Self::Plus(part) => part.matches_empty(),
        }
    }

    /// Returns every position at which a match that starts at `start` can end, sorted, without duplicates.
    fn ends(&self, text: &[Symbol], start: usize) -> Vec<usize> {
        let mut ends = match self {
            Self::Class(set) => match text.get(start) {
                Some(&symbol) if set >> symbol as u8 & 1 != 0 => vec![start + 1],
                _ => Vec::new(),
            },
            Self::Concat(parts) => parts.iter().fold(vec![start], |from, part| {
                from.into_iter().flat_map(|at| part.ends(text, at)).collect()
            }),
            Self::Any(parts) => parts.iter().flat_map(|part| part.ends(text, start)).collect(),
            Self::Optional(part) => [vec![start], part.ends(text, start)].concat(),
            Self::Star(part) | Self::Plus(part) => {
                let mut all = if matches!(self, Self::Star(_)) {
                    vec![start]
                } else {
                    Vec::new()
                };
                let mut last = vec![start];
                while !last.is_empty() {
                    let next: Vec<_> = last
                        .into_iter()
                        .flat_map(|at| part.ends(text, at))
                        .filter(|end| !all.contains(end))
                        .collect();
                    all.extend(&next);
                    last = next;
                }
                all
            }
        };
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Returns at how many positions of `text` a match ends, by trying every start: the oracle of the automata.
    pub fn count_naive(&self, text: &[Symbol]) -> u32 {
        let mut ended = vec![false; text.len() + 1];
        for start in 0..text.len() {
            for end in self.ends(text, start) {
                ended[end] = true;
            }
        }
        ended.into_iter().map(u32::from).sum()
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, within: Within) -> fmt::Result {
        let group = match self {
            Self::Concat(_) => within == Within::Repeat,
            Self::Any(_) => within != Within::Whole,
            _ => false,
        };
        if group {
            f.write_str("(")?;
        }
        match self {
            Self::Class(0b1111) => f.write_str(".")?,
            Self::Class(set) => {
                let members = || {
                    Symbol::ALL
                        .into_iter()
                        .filter(|&symbol| set >> symbol as u8 & 1 != 0)
                };
                let alone = members().count() == 1;
                f.write_str(if alone { "" } else { "[" })?;
                for symbol in members() {
                    write!(f, "{}", symbol.to_char())?;
                }
                f.write_str(if alone { "" } else { "]" })?;
            }
            Self::Concat(parts) => {
                for part in parts {
                    part.write(f, Within::Concat)?;
                }
            }
            Self::Any(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { "|" })?;
                    part.write(f, Within::Concat)?;
                }
            }
            Self::Star(part) | Self::Plus(part) | Self::Optional(part) => {
                part.write(f, Within::Repeat)?;
                f.write_str(match self {
                    Self::Star(_) => "*",
                    Self::Plus(_) => "+",
                    _ => "?",
                })?;
            }
        }
        f.write_str(if group { ")" } else { "" })
    }
}

/// Where an expression is written, which decides about parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Whole,
    Concat,
    Repeat,
}

impl fmt::Display for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Within::Whole)
    }
}

impl FromStr for Regex {
    type Err = ParseRegexError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parser = Parser {
            chars: text.chars().collect(),
            at: 0,
            depth: 0,
        };
        let regex = parser.alternatives()?;
        if parser.at < parser.chars.len() {
            return parser.fail("expected a symbol, an operator or the end");
        }
        Ok(regex)
    }
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    depth: usize,
}

impl Parser {
    /// Parentheses within each other, so that no text exhausts the stack.
    const MAX_DEPTH: usize = 50;

    fn fail<T>(&self, reason: &'static str) -> Result<T, ParseRegexError> {
        Err(ParseRegexError {
            column: self.at + 1,
            reason,
        })
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn alternatives(&mut self) -> Result<Regex, ParseRegexError> {
        let mut parts = vec![self.sequence()?];
        while self.take('|') {
            parts.push(self.sequence()?);
        }
        Ok(if parts.len() == 1 {
            parts.swap_remove(0)
        } else {
            Regex::Any(parts)
        })
    }

    fn sequence(&mut self) -> Result<Regex, ParseRegexError> {
        let mut parts = Vec::new();
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            let mut part = self.atom()?;
            // A second operator on the same part changes nothing that one could not say: refused, so that texts
            // cannot nest without parentheses.
            part = match self.peek() {
                Some('*') => Regex::Star(Box::new(part)),
                Some('+') => Regex::Plus(Box::new(part)),
                Some('?') => Regex::Optional(Box::new(part)),
                _ => {
                    parts.push(part);
                    continue;
                }
            };
            self.at += 1;
            parts.push(part);
        }
        Ok(if parts.len() == 1 {
            parts.swap_remove(0)
        } else {
            Regex::Concat(parts)
        })
    }

    fn atom(&mut self) -> Result<Regex, ParseRegexError> {
        if self.take('.') {
            return Ok(Regex::Class(0b1111));
        }
        if self.take('(') {
            self.depth += 1;
            if self.depth > Self::MAX_DEPTH {
                return self.fail("parentheses are nested too deeply");
            }
            let inner = self.alternatives()?;
            self.depth -= 1;
            return if self.take(')') {
                Ok(inner)
            } else {
                self.fail("expected \")\"")
            };
        }
        if self.take('[') {
            let mut set = 0;
            while !self.take(']') {
                match self.peek().and_then(Symbol::from_char) {
                    Some(symbol) => set |= 1 << symbol as u8,
                    None => return self.fail("expected X, O, -, # or \"]\""),
                }
                self.at += 1;
            }
            return if set == 0 {
                self.fail("an empty class matches nothing")
            } else {
                Ok(Regex::Class(set))
            };
        }
        match self.peek().and_then(Symbol::from_char) {
            Some(symbol) => {
                self.at += 1;
                Ok(Regex::Class(1 << symbol as u8))
            }
            None => self.fail("expected X, O, -, #, ., \"[\" or \"(\""),
        }
    }
}
