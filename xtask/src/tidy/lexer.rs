//! Tells code, comments and string contents of Rust text apart, line by line.
//!
//! The rules look for words such as `unsafe`, and must not find them in a comment or a string.
//! This is no parser: it knows comments (nested ones too), plain and raw strings, character literals and lifetimes,
//! which is what it takes to be right about where code is.

/// One line of Rust text, split.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// The code, without comments; the contents of strings and character literals are left out.
    pub(crate) code: String,
    /// The text of all comments on the line, markers left out; `None` if there is none.
    pub(crate) comment: Option<String>,
    /// Whether the line belongs to an item marked `#[cfg(test)]`.
    pub(crate) is_test: bool,
}

impl Line {
    /// Reports whether the code contains `word` as a whole identifier.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        words(&self.code).any(|(_, found)| found == word)
    }
}

/// Iterates over the identifiers of a piece of code, with the byte offset of each.
pub(crate) fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + code[rest..].find(is_word)?;
        let end = code[start..]
            .find(|c| !is_word(c))
            .map_or(code.len(), |length| start + length);
        rest = end;
        Some((start, &code[start..end]))
    })
}

/// Where the scanner stands.
#[derive(Clone, Copy)]
enum State {
    Code,
    LineComment,
    /// Nesting depth.
    BlockComment(u32),
    /// A plain string.
    Text,
    /// A raw string and its number of `#`.
    RawText(usize),
}

/// Splits `text` into lines of code and comments.
pub(crate) fn split(text: &str) -> Vec<Line> {
    let chars: Vec<char> = text.chars().collect();
    let mut lines = vec![Line::default()];
    let mut state = State::Code;
    let mut at = 0;
    while at < chars.len() {
        let (next_state, used) = step(&chars, at, state, &mut lines);
        if chars[at] == '\n' {
            lines.push(Line::default());
        }
        state = next_state;
        at += used;
    }
    if text.ends_with('\n') || text.is_empty() {
        lines.pop();
    }
    mark_tests(&mut lines);
    lines
}

/// Handles the characters at `at`; returns the new state and how many characters were used.
/// A line break is always used alone, so that the caller can count lines.
fn step(chars: &[char], at: usize, state: State, lines: &mut [Line]) -> (State, usize) {
    let line = lines.last_mut().expect("there is always a current line");
    let here = chars[at];
    let next = chars.get(at + 1).copied();
    match state {
        State::Code => match here {
            '/' if next == Some('/') => {
                line.comment.get_or_insert_default();
                (State::LineComment, 2)
            }
            '/' if next == Some('*') => {
                line.comment.get_or_insert_default();
                (State::BlockComment(1), 2)
            }
            '"' => {
                line.code.push('"');
                (State::Text, 1)
            }
            'r' if !follows_identifier(chars, at) && raw_hashes(chars, at + 1).is_some() => {
                let hashes = raw_hashes(chars, at + 1).unwrap_or(0);
                line.code.push('"');
                (State::RawText(hashes), hashes + 2)
            }
            '\'' => (State::Code, skip_quote(chars, at, line)),
            '\n' => (State::Code, 1),
            _ => {
                line.code.push(here);
                (State::Code, 1)
            }
        },
        State::LineComment => {
            if here == '\n' {
                return (State::Code, 1);
            }
            line.comment.get_or_insert_default().push(here);
            (State::LineComment, 1)
        }
        State::BlockComment(depth) => match (here, next) {
            ('*', Some('/')) if depth == 1 => (State::Code, 2),
            ('*', Some('/')) => (State::BlockComment(depth - 1), 2),
            ('/', Some('*')) => (State::BlockComment(depth + 1), 2),
            _ => {
                let comment = line.comment.get_or_insert_default();
                if here != '\n' {
                    comment.push(here);
                }
                (State::BlockComment(depth), 1)
            }
        },
        State::Text => match here {
            '\\' if next.is_some_and(|c| c != '\n') => (State::Text, 2),
            '"' => {
                line.code.push('"');
                (State::Code, 1)
            }
            _ => (State::Text, 1),
        },
        State::RawText(hashes) => {
            let closes =
                here == '"' && chars[at + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes;
            if closes {
                line.code.push('"');
                (State::Code, 1 + hashes)
            } else {
                (State::RawText(hashes), 1)
            }
        }
    }
}

/// Reports whether the character before `at` belongs to an identifier; the prefixes `b` and `c` of strings do not count.
fn follows_identifier(chars: &[char], at: usize) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    match at.checked_sub(1).map(|i| chars[i]) {
        Some('b' | 'c') => at.checked_sub(2).is_some_and(|i| is_word(chars[i])),
        Some(c) => is_word(c),
        None => false,
    }
}

/// Returns the number of `#` if a raw string's hashes and opening quote start at `at`.
fn raw_hashes(chars: &[char], at: usize) -> Option<usize> {
    let hashes = chars.get(at..)?.iter().take_while(|&&c| c == '#').count();
    (chars.get(at + hashes) == Some(&'"')).then_some(hashes)
}

/// Handles a `'` in code: skips a character literal, or takes the quote of a lifetime; returns the characters used.
fn skip_quote(chars: &[char], at: usize, line: &mut Line) -> usize {
    line.code.push('\'');
    match chars.get(at + 1) {
        Some('\\') => {
            let body = chars[at + 2..]
                .iter()
                .skip(1)
                .take_while(|&&c| c != '\'' && c != '\n')
                .count();
            line.code.push('\'');
            body + 4
        }
        Some(c) if *c != '\n' && chars.get(at + 2) == Some(&'\'') => {
            line.code.push('\'');
            3
        }
        _ => 1,
    }
}

/// Marks the items behind `#[cfg(test)]`.
fn mark_tests(lines: &mut [Line]) {
    let mut at = 0;
    while at < lines.len() {
        let code = lines[at].code.trim_start();
        let is_marker = code.starts_with("#[cfg(test)]") || code.starts_with("#[cfg(all(test,");
        if is_marker {
            let end = item_end(lines, at);
            for line in &mut lines[at..=end] {
                line.is_test = true;
            }
            at = end;
        }
        at += 1;
    }
}

/// Returns the last line of the item whose attribute stands on line `start`.
fn item_end(lines: &[Line], start: usize) -> usize {
    let mut depth = 0_i32;
    for (i, line) in lines.iter().enumerate().skip(start) {
        // An attribute line may hold the item too; its own brackets are square, so they do not disturb the count.
        for c in line.code.chars() {
            match c {
                '{' => depth += 1,
                '}' => {
                    depth -= 1;
                    if depth <= 0 {
                        return i;
                    }
                }
                ';' if depth == 0 => return i,
                _ => {}
            }
        }
    }
    lines.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<String> {
        split(text).into_iter().map(|line| line.code).collect()
    }

    #[test]
    fn comments_are_not_code() {
        let lines = split("let a = 1; // unsafe\n/* one /* two */ unsafe\n unsafe */ let b;\n");
        assert_eq!(lines[0].code, "let a = 1; ");
        assert_eq!(lines[0].comment.as_deref(), Some(" unsafe"));
        assert_eq!(lines[1].code, "");
        assert_eq!(lines[2].code, " let b;");
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn string_contents_are_not_code() {
        assert_eq!(code(r#"f("a // \" b", x)"#), [r#"f("", x)"#]);
        assert_eq!(code("f(r#\"a \" // b\"#, x) // c"), ["f(\"\", x) "]);
        assert_eq!(code("f(br\"a\\\", x)"), ["f(b\"\", x)"]);
        assert_eq!(
            code("let s = \"one\ntwo // three\";\nlet t;"),
            ["let s = \"", "\";", "let t;"]
        );
        assert_eq!(code("let s = \"one \\\n two\";"), ["let s = \"", "\";"]);
    }

    #[test]
    fn an_identifier_that_ends_in_r_starts_no_raw_string() {
        assert_eq!(code("var\"a\""), ["var\"\""]);
    }

    #[test]
    fn quotes_are_literals_or_lifetimes() {
        assert_eq!(
            code("match c { '\"' => 1, '\\'' => 2, '/' => 3 }"),
            ["match c { '' => 1, '' => 2, '' => 3 }"]
        );
        assert_eq!(code("'\\u{1F600}', x"), ["'', x"]);
        assert_eq!(code("fn f<'a>(x: &'a str) {}"), ["fn f<'a>(x: &'a str) {}"]);
    }

    #[test]
    fn test_items_are_marked() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() {\n  }\n}\nfn c() {}\n#[cfg(test)]\nmod more;\nfn d() {}\n";
        let marks: Vec<bool> = split(text).iter().map(|line| line.is_test).collect();
        assert_eq!(
            marks,
            [false, true, true, true, true, true, false, true, true, false]
        );
    }

    #[test]
    fn words_are_whole() {
        let found: Vec<&str> = words("unsafe_code + (unsafe){x1}")
            .map(|(_, word)| word)
            .collect();
        assert_eq!(found, ["unsafe_code", "unsafe", "x1"]);
        assert!(split("a unsafe {")[0].has_word("unsafe"));
        assert!(!split("unsafe_code")[0].has_word("unsafe"));
    }
}
