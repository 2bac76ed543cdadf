//! Characters as people paste them: full-width forms, byte-order marks, Latin-1 bytes.

use crate::Problem;
use std::borrow::Cow;

/// Returns the plain ASCII form of a character that is one in all but code point, else the character itself.
///
/// Full-width letters, digits and signs of East Asian keyboards, the ideographic and the no-break space, and the
/// typographic hyphens and minus.
///
/// ```
/// use outflank_records::text::fold;
/// assert_eq!("ｆ５\u{3000}−".chars().map(fold).collect::<String>(), "f5 -");
/// assert_eq!(fold('é'), 'é');
/// ```
pub const fn fold(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => match char::from_u32(c as u32 - 0xFF01 + 0x21) {
            Some(ascii) => ascii,
            None => c,
        },
        '\u{3000}' | '\u{A0}' => ' ',
        '\u{2010}'..='\u{2013}' | '\u{2212}' => '-',
        _ => c,
    }
}

/// The mark that some editors and shells put in front of a text.
pub const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Returns a text without the byte order mark in front of it, if there is one.
///
/// Everything that reads the first line of a file or of standard input uses this: a mark is no part of any notation
/// and of no protocol.
///
/// ```
/// use outflank_records::text::without_mark;
/// assert_eq!(without_mark("\u{FEFF}START 15"), "START 15");
/// assert_eq!(without_mark("f5d6c3"), "f5d6c3");
/// ```
pub fn without_mark(text: &str) -> &str {
    text.trim_start_matches(BYTE_ORDER_MARK)
}

/// Returns the text of `bytes`: UTF-8 if it is that, else Latin-1, where every byte is a character.
///
/// The second value is whether Latin-1 had to be assumed.
///
/// ```
/// use outflank_records::text::decode;
/// assert_eq!(decode("é".as_bytes()), ("é".into(), false));
/// assert_eq!(decode(b"St\xe9phane"), ("Stéphane".into(), true));
/// ```
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), false),
        Err(_) => (
            Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
            true,
        ),
    }
}

/// Returns why the bytes at the start of a file are not text that can be read, if they are something else that is
/// known: UTF-16, with or without a mark, a compressed file, or another program's book.
///
/// 32 bytes are enough.
pub(crate) fn unreadable(head: &[u8]) -> Option<Problem> {
    let compressed: [(&[u8], &str, &str); 6] = [
        (b"\x1F\x8B", "gzip", "gunzip"),
        (b"PK\x03\x04", "zip", "unzip"),
        (b"BZh", "bzip2", "bunzip2"),
        (b"\xFD7zXZ\0", "xz", "unxz"),
        (b"\x28\xB5\x2F\xFD", "zstd", "unzstd"),
        (b"7z\xBC\xAF\x27\x1C", "7-Zip", "7z x"),
    ];
    if let Some((_, name, command)) = compressed.iter().find(|(magic, ..)| head.starts_with(magic)) {
        return Some(Problem::Compressed { name, command });
    }
    let books: [(&[u8], &str); 2] = [(b"XADEKOOB", "Edax"), (b"EGAROUCID", "Egaroucid")];
    if let Some((_, name)) = books.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(Problem::Book(name));
    }
    // Latin letters, digits and signs have one byte of zero in UTF-16, always on the same side.
    let head = &head[..head.len().min(32)];
    let n_zeros = |first: usize| {
        head.iter()
            .skip(first)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    let (even, odd) = (n_zeros(0), n_zeros(1));
    let is_text = |first: usize| head.iter().skip(first).step_by(2).all(|byte| *byte >= b'\t');
    let most = |n: usize, other: usize| head.len() >= 4 && 4 * n >= 3 * (head.len() / 2) && is_text(other);
    let is_utf16 =
        head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF") || most(odd, 0) || most(even, 1);
    is_utf16.then_some(Problem::Utf16)
}

/// Returns the start of `text`, at most `n` characters, with an ellipsis if something is missing.
pub(crate) fn excerpt(text: &str, n: usize) -> String {
    let text = text.trim();
    match text.char_indices().nth(n) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// A place in a text, read character by character in folded form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the byte offset of the next character.
    pub(crate) const fn offset(&self) -> usize {
        self.at
    }

    /// Returns the text from here on.
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Returns the next character.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next().map(fold)
    }

    /// Returns the character `n` places on, 0 being the next one.
    pub(crate) fn peek_nth(&self, n: usize) -> Option<char> {
        self.rest().chars().nth(n).map(fold)
    }

    /// Returns the next character and goes past it.
    pub(crate) fn bump(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(fold(c))
    }

    /// Goes past `n` characters.
    pub(crate) fn skip(&mut self, n: usize) {
        for _ in 0..n {
            self.bump();
        }
    }

    /// Goes past the characters for which `keep` holds and returns them in folded form.
    pub(crate) fn take_while(&mut self, mut keep: impl FnMut(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek().filter(|&c| keep(c)) {
            taken.push(c);
            self.bump();
        }
        taken
    }

    /// Goes past white space.
    pub(crate) fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.bump();
        }
    }
}
