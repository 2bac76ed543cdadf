//! Rules for one Rust file: size, module documentation, `unsafe`, purity, printing, work markers.
//!
//! What a file may do depends on where it lies, so each rule sees a [`Source`]: the file, its lines split by the
//! [`lexer`], and its place in the layer table.
//! Functions longer than 150 lines are clippy's business (`too_many_lines` in clippy.toml).

use super::file::{Problem, TextFile};
use super::layers::{FRONT_END, HIGHEST_PURE, TEST_ONLY, crate_of, layer_of};
use super::lexer::{self, Line, words};

/// Longest file in lines, tests aside.
const MAX_FILE_LINES: usize = 700;

/// File or folder names that may contain `unsafe`: instruction-set kernels, and tables shared by threads.
const UNSAFE_PLACES: &[&str] = &["abi.rs", "kernels", "kernels.rs", "table.rs"];

/// Words for work left undone; put together so that this file does not contain them.
const WORK_MARKERS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME")];

/// One Rust file with what the rules need to know about it.
struct Source<'a> {
    file: &'a TextFile,
    lines: Vec<Line>,
    /// Layer of the crate; `None` outside `crates/`.
    layer: Option<u8>,
    /// Whether the file is a program or test of its own rather than part of a library or binary.
    is_test: bool,
}

impl<'a> Source<'a> {
    fn new(file: &'a TextFile) -> Self {
        let path = &file.path;
        let in_folder = |name: &str| path.split('/').rev().skip(1).any(|part| part == name);
        let is_test = ["tests", "benches", "examples"]
            .iter()
            .any(|name| in_folder(name))
            || path.ends_with("/tests.rs")
            || path.ends_with("/build.rs")
            || crate_of(path).is_some_and(|folder| TEST_ONLY.contains(&folder));
        let layer = crate_of(path).and_then(layer_of);
        Self {
            file,
            lines: lexer::split(&file.text),
            layer,
            is_test,
        }
    }

    /// Iterates over the code that ends up in a library or binary, with line numbers from 1.
    fn shipped(&self) -> impl Iterator<Item = (usize, &Line)> {
        let lines = self.lines.iter().enumerate().map(|(i, line)| (i + 1, line));
        lines.filter(|(_, line)| !self.is_test && !line.is_test)
    }

    fn problem(&self, line: usize, message: impl Into<String>) -> Problem {
        Problem::new(&self.file.path, line, message)
    }
}

/// Applies all rules for Rust files.
pub(crate) fn check(file: &TextFile) -> Vec<Problem> {
    let source = Source::new(file);
    let rules = [
        module_doc,
        size,
        unsafe_place,
        safety_comment,
        static_mut,
        printing,
        purity,
        work_markers,
    ];
    rules.iter().flat_map(|rule| rule(&source)).collect()
}

/// The first line says what the module is about.
fn module_doc(source: &Source<'_>) -> Vec<Problem> {
    // A fuzz target must open with `#![no_main]`.
    let first = source
        .file
        .text
        .lines()
        .find(|line| !line.starts_with("#![no_main]"))
        .unwrap_or_default();
    let says_something = first
        .strip_prefix("//!")
        .is_some_and(|text| !text.trim().is_empty());
    if says_something {
        return Vec::new();
    }
    vec![source.problem(1, "the first line must be `//!` and say what the module is for")]
}

/// A file has at most 700 lines, tests aside.
fn size(source: &Source<'_>) -> Vec<Problem> {
    let count = source.shipped().count();
    if count <= MAX_FILE_LINES {
        return Vec::new();
    }
    vec![source.problem(
        0,
        format!("{count} lines without tests, at most {MAX_FILE_LINES}: split the file"),
    )]
}

/// `unsafe` is confined to kernels and the table.
fn unsafe_place(source: &Source<'_>) -> Vec<Problem> {
    if source
        .file
        .path
        .split('/')
        .any(|part| UNSAFE_PLACES.contains(&part))
    {
        return Vec::new();
    }
    let found = source.shipped().filter(|(_, line)| line.has_word("unsafe"));
    found
        .map(|(i, _)| {
            source.problem(
                i,
                format!(
                    "`unsafe` may stand only in these places: {}",
                    UNSAFE_PLACES.join(", ")
                ),
            )
        })
        .collect()
}

/// Each `unsafe` block and impl explains why it is sound.
fn safety_comment(source: &Source<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (i, line) in source.lines.iter().enumerate() {
        let opens = words(&line.code).any(|(at, word)| {
            let rest = line.code[at + word.len()..].trim_start();
            word == "unsafe" && (rest.starts_with('{') || rest.starts_with("impl") || rest.is_empty())
        });
        if opens && !is_explained(&source.lines, i) {
            problems.push(source.problem(i + 1, "write `// SAFETY: …` above this `unsafe`"));
        }
    }
    problems
}

/// Reports whether the statement that line `at` belongs to has a SAFETY comment on or above it.
fn is_explained(lines: &[Line], at: usize) -> bool {
    let has_comment = |line: &Line| {
        line.comment
            .as_deref()
            .is_some_and(|text| text.trim_start().starts_with("SAFETY:"))
    };
    if has_comment(&lines[at]) {
        return true;
    }
    for line in lines[..at].iter().rev() {
        let code = line.code.trim();
        let is_blank = code.is_empty() && line.comment.is_none();
        if is_blank || code.ends_with([';', '{', '}']) {
            return false;
        }
        if has_comment(line) {
            return true;
        }
    }
    false
}

/// No mutable global state.
fn static_mut(source: &Source<'_>) -> Vec<Problem> {
    let found = source.lines.iter().enumerate().filter(|(_, line)| {
        // The lifetime of `&'static mut T` is another thing.
        let is_item = |at: usize| !line.code[..at].ends_with('\'');
        let list: Vec<(usize, &str)> = words(&line.code).collect();
        list.windows(2)
            .any(|pair| pair[0].1 == "static" && pair[1].1 == "mut" && is_item(pair[0].0))
    });
    found
        .map(|(i, _)| source.problem(i + 1, "no `static mut`: let the engine own its tables"))
        .collect()
}

/// Only front-ends print and read arguments.
fn printing(source: &Source<'_>) -> Vec<Problem> {
    if source.layer.is_none_or(|layer| layer >= FRONT_END) {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for (i, line) in source.shipped() {
        for (at, word) in words(&line.code) {
            let rest = &line.code[at + word.len()..];
            let prints = matches!(word, "print" | "println" | "eprint" | "eprintln") && rest.starts_with('!');
            // A method of that name prepares the streams of another process.
            let is_method = line.code[..at].ends_with('.');
            let has_stream =
                matches!(word, "stdout" | "stderr" | "stdin") && rest.starts_with('(') && !is_method;
            let reads_args = word == "env" && (rest.starts_with("::args") || rest.starts_with("::var"));
            if prints || has_stream || reads_args {
                let advice = "only layer 6 prints and reads arguments, variables or standard input";
                problems.push(source.problem(i, format!("`{word}`: {advice}; report through events")));
            }
        }
    }
    problems
}

/// Layers 0 to 3 open no files or sockets, start no programs and read no clock.
///
/// The `jobs` crate is about files and may open them; it takes its time from a clock that the caller brings.
/// The one system clock stands beside its trait in `search`, compiled out where there is none.
fn purity(source: &Source<'_>) -> Vec<Problem> {
    if source.layer.is_none_or(|layer| layer > HIGHEST_PURE) {
        return Vec::new();
    }
    let may_open_files = crate_of(&source.file.path) == Some("jobs");
    let is_the_clock = source.file.path == "crates/search/src/clock.rs";
    let mut problems = Vec::new();
    for (i, line) in source.shipped() {
        for (at, word) in words(&line.code) {
            let follows_std = line.code[..at].ends_with("std::") || line.code[..at].ends_with("std::{");
            let leads_on = line.code[at + word.len()..].starts_with("::");
            let forbidden = match word {
                "fs" => !may_open_files && (follows_std || leads_on),
                "File" | "OpenOptions" => !may_open_files && leads_on,
                "net" | "process" => follows_std,
                "Instant" => !is_the_clock,
                "TcpStream" | "TcpListener" | "UdpSocket" | "SystemTime" => true,
                _ => false,
            };
            if forbidden {
                let advice =
                    "layers 0 to 3 use no files, sockets, processes or clocks; let the caller bring them";
                problems.push(source.problem(i, format!("`{word}`: {advice}")));
            }
        }
    }
    problems
}

/// A marker of unfinished work names its issue.
fn work_markers(source: &Source<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (i, line) in source.lines.iter().enumerate() {
        let comment = line.comment.as_deref().unwrap_or_default();
        let names_issue = comment
            .split('#')
            .skip(1)
            .any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let marker = words(comment).find(|(_, word)| WORK_MARKERS.contains(word));
        if let Some((_, word)) = marker.filter(|_| !names_issue) {
            problems.push(source.problem(i + 1, format!("{word} without the number of its issue (#123)")));
        }
    }
    problems
}

#[cfg(test)]
mod tests;
