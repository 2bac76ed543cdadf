//! Lines of bytes, numbered and decoded, in bounded memory.

use super::MAX_RECORD_BYTES;
use crate::{
    Problem,
    text::{decode, unreadable, without_mark},
};
use std::{
    collections::VecDeque,
    io::{BufRead, ErrorKind, Read},
};

/// A line without its end.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// From 1.
    pub(super) number: usize,
    pub(super) text: String,
    /// Whether it is not UTF-8 and was read as Latin-1.
    pub(super) latin1: bool,
}

/// The lines of an input; LF, CR LF and CR end a line.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    queue: VecDeque<Line>,
    number: usize,
    failed: bool,
}

impl<R> Lines<R> {
    pub(super) const fn new(input: R) -> Self {
        Self {
            input,
            queue: VecDeque::new(),
            number: 0,
            failed: false,
        }
    }
}

impl<R: BufRead> Lines<R> {
    /// Returns the next line, or a problem and the number of the line that has it.
    pub(super) fn next(&mut self) -> Option<Result<Line, (usize, Problem)>> {
        if let Some(line) = self.queue.pop_front() {
            return Some(Ok(line));
        }
        if self.failed {
            return None;
        }
        let mut bytes = Vec::new();
        let limit = MAX_RECORD_BYTES as u64 + 1;
        if let Err(error) = (&mut self.input).take(limit).read_until(b'\n', &mut bytes) {
            self.failed = true;
            return Some(Err((self.number + 1, Problem::Io(error.to_string()))));
        }
        if bytes.is_empty() {
            return None;
        }
        if self.number == 0
            && let Some(problem) = unreadable(&bytes)
        {
            self.failed = true;
            return Some(Err((1, problem)));
        }
        if bytes.len() > MAX_RECORD_BYTES && bytes.last() != Some(&b'\n') {
            self.number += 1;
            let skipped = self.skip_line();
            self.failed = skipped.is_err();
            let problem = skipped.err().unwrap_or(Problem::TooLong(MAX_RECORD_BYTES));
            return Some(Err((self.number, problem)));
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        for part in bytes.split(|&byte| byte == b'\r') {
            self.number += 1;
            let (text, latin1) = decode(part);
            let mut text = without_mark(&text).to_owned();
            // The signs of a quotation, `> `, are no part of what is quoted, which stays in its columns.
            let quoted = text.trim_start_matches(['>', ' ']).len();
            let signs = text.len() - quoted;
            if text[..signs].contains('>') {
                text.replace_range(..signs, &" ".repeat(signs));
            }
            self.queue.push_back(Line {
                number: self.number,
                text,
                latin1,
            });
        }
        self.queue.pop_front().map(Ok)
    }

    /// Reads up to the end of the line without keeping it.
    fn skip_line(&mut self) -> Result<(), Problem> {
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(Problem::Io(error.to_string())),
            };
            if buffer.is_empty() {
                return Ok(());
            }
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let n = end.map_or(buffer.len(), |at| at + 1);
            self.input.consume(n);
            if end.is_some() {
                return Ok(());
            }
        }
    }
}
