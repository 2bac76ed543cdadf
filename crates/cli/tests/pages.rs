//! The console examples of the pages, run as they stand there.
//!
//! A block of ```` ```console ```` whose first line begins with `$` is a session: every such line is given to a shell, in a
//! folder of the page in which `data/` and `game.ggf` are there, and the lines below it are compared with what is printed,
//! standard error included. `[..]` stands for anything within a line, a line of `…` for any lines; where nothing stands
//! below a command, only its exit code counts. A block without `$` is a list of commands that take long, need files of the
//! reader or wait for a person ([`LISTS`] says which): of those, the options are compared with the help.
#![cfg(unix)]

use outflank_testkit::{empty_folder, repository};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Sessions that are not run, by a part of their first line, and why.
const NOT_RUN: [(&str, &str); 1] = [(
    "outflank review - --level 5 --tree mine.sgf",
    "typed at a terminal; played by tests/study.rs",
)];

/// Pages with lists of commands, and why these are not run.
const LISTS: [(&str, &str); 14] = [
    (
        "README.md",
        "builds the program, runs all tests, and waits for a person's moves",
    ),
    ("docs/book.md", "grow books and play matches for hours"),
    ("docs/comparison.md", "needs a program of the reader"),
    ("docs/games.md", "need WTHOR and other files from outside"),
    ("docs/lab-report.md", "experiments at length, minutes to hours"),
    (
        "docs/lab.md",
        "experiments, seconds to minutes each; run small by tests/lab.rs",
    ),
    ("docs/play.md", "wait for a person's moves; a test of a crate"),
    (
        "docs/start/engine-author.md",
        "build the program; need programs of the reader",
    ),
    (
        "docs/start/player.md",
        "build the program; serve; wait for a person's answers",
    ),
    (
        "docs/start/researcher.md",
        "build the program; experiments for minutes, data from outside",
    ),
    ("docs/start/student.md", "build the program; needs Python"),
    (
        "docs/study.md",
        "wait for a person's answers; need games from outside",
    ),
    ("docs/trust.md", "long tests; a position of the reader"),
    ("docs/web.md", "need Node and its packages"),
];

/// The game that lies in the folder of every page.
const GAME: &str = "(;GM[Othello]PB[A]PW[B]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- \
                    *]B[f5]W[d6]B[c3]W[d3]B[c4]W[f4]B[f6]W[f3]B[e6]W[e7]B[d7]W[c5]B[b6]W[b5]B[c6];)\n";

/// A page of the repository.
struct Page {
    name: String,
    text: String,
}

/// A block of console lines, and the line of the page on which it begins.
struct Block<'a> {
    page: &'a str,
    line: usize,
    lines: Vec<&'a str>,
}

fn add_pages(folder: &Path, prefix: &str, pages: &mut Vec<Page>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if path.is_dir() && prefix == "docs/" {
            add_pages(&path, &format!("docs/{name}/"), pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).expect("text");
            let name = format!("{prefix}{name}");
            pages.push(Page { name, text });
        }
    }
}

fn pages() -> Vec<Page> {
    let mut pages = vec![Page {
        name: "README.md".to_owned(),
        text: fs::read_to_string(repository("README.md")).expect("text"),
    }];
    add_pages(&repository("docs"), "docs/", &mut pages);
    pages
}

impl Page {
    fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut inside = false;
        for (number, line) in self.text.lines().enumerate() {
            if line == "```console" {
                inside = true;
                blocks.push(Block {
                    page: &self.name,
                    line: number + 2,
                    lines: Vec::new(),
                });
            } else if line == "```" {
                inside = false;
            } else if let (true, Some(block)) = (inside, blocks.last_mut()) {
                block.lines.push(line);
            }
        }
        blocks
    }
}

impl Block<'_> {
    fn is_session(&self) -> bool {
        self.lines.first().is_some_and(|line| line.starts_with("$ "))
    }

    fn reason_not_to_run(&self) -> Option<&'static str> {
        let first = self.lines.first()?;
        let found = NOT_RUN.iter().find(|(part, _)| first.contains(part));
        found.map(|&(_, reason)| reason)
    }

    /// Returns each command with the lines below it.
    fn commands(&self) -> Vec<(&str, Vec<&str>)> {
        let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
        for line in &self.lines {
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((command, Vec::new())),
                (None, Some((_, output))) => output.push(line),
                (None, None) => {}
            }
        }
        commands
    }
}

/// Returns whether a printed line is what the page says.
fn line_fits(expected: &str, found: &str) -> bool {
    match expected.split_once("[..]") {
        None => expected.trim_end() == found.trim_end(),
        Some((head, tail)) => found.strip_prefix(head).is_some_and(|rest| {
            let mut ends = (0..=rest.len()).filter(|&end| rest.is_char_boundary(end));
            ends.any(|end| line_fits(tail, &rest[end..]))
        }),
    }
}

/// Returns whether printed lines are what the page says.
fn lines_fit(expected: &[&str], found: &[&str]) -> bool {
    match (expected.first(), found.first()) {
        (None, None) => true,
        (Some(&"…"), _) => (0..=found.len()).any(|skipped| lines_fit(&expected[1..], &found[skipped..])),
        (Some(wanted), Some(line)) => line_fits(wanted, line) && lines_fit(&expected[1..], &found[1..]),
        _ => false,
    }
}

/// Makes the folder in which the commands of a page run.
fn folder_of(page: &str) -> PathBuf {
    let folder = empty_folder(
        env!("CARGO_TARGET_TMPDIR"),
        &format!("page {}", page.replace('/', " ")),
    );
    fs::create_dir(folder.join("bin")).expect("a folder");
    symlink(env!("CARGO_BIN_EXE_outflank"), folder.join("bin/outflank")).expect("a link");
    symlink(repository("data"), folder.join("data")).expect("a link");
    fs::write(folder.join("game.ggf"), GAME).expect("written");
    folder
}

/// Runs a command; returns its exit code, and what it printed.
fn run(folder: &Path, command: &str) -> (Option<i32>, String) {
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", folder.join("bin").display()))
        .env("HOME", folder)
        .env_remove("XDG_DATA_HOME")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

#[test]
fn sessions_print_what_the_pages_say() {
    let mut reasons = 0;
    let mut wrong = Vec::new();
    for page in pages() {
        let blocks = page.blocks();
        let sessions: Vec<_> = blocks.iter().filter(|block| block.is_session()).collect();
        if sessions.is_empty() {
            continue;
        }
        let folder = folder_of(&page.name);
        for block in sessions {
            if block.reason_not_to_run().is_some() {
                reasons += 1;
                continue;
            }
            for (command, expected) in block.commands() {
                let (code, text) = run(&folder, command);
                let found: Vec<&str> = text.lines().collect();
                let fits = expected.is_empty() || lines_fit(&expected, &found);
                if code != Some(0) || !fits {
                    wrong.push(format!(
                        "{}:{}: $ {command}\nexit code {code:?}, printed:\n{text}",
                        block.page, block.line
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        reasons,
        NOT_RUN.len(),
        "NOT_RUN names a session that is not there"
    );
}

#[test]
fn lists_that_are_not_run_have_a_reason() {
    let pages = pages();
    let with_lists = pages
        .iter()
        .filter(|page| page.blocks().iter().any(|block| !block.is_session()));
    let found: Vec<&str> = with_lists.map(|page| page.name.as_str()).collect();
    let named: BTreeMap<&str, &str> = LISTS.into_iter().collect();
    let mut sorted = found.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, named.into_keys().collect::<Vec<_>>());
}

/// Returns the words of a command up to a pipe or a remark, quoted ones left out.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (String::new(), None);
    for c in command.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.push('_');
            }
            None if c == '|' || c == '#' => break,
            None if c.is_whitespace() => {
                words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
            }
            None => word.push(c),
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// Returns whether a help is that of this command.
fn is_used(help: &str, command: &str) -> bool {
    let mut lines = help.lines();
    lines.any(|line| line.starts_with("Usage:") && line.contains(command))
}

#[test]
fn listed_commands_have_the_options_that_the_pages_name() {
    let mut helps: BTreeMap<Vec<String>, Option<String>> = BTreeMap::new();
    let mut help = |path: &[String]| {
        let made = helps.entry(path.to_vec()).or_insert_with(|| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
            let ran = outflank_testkit::run(command.args(path).arg("--help"), b"");
            (ran.code == 0).then_some(ran.out)
        });
        made.clone()
    };
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for page in pages() {
        for block in page.blocks() {
            for line in &block.lines {
                let Some(command) = line.trim_start_matches("$ ").strip_prefix("outflank ") else {
                    continue;
                };
                seen += 1;
                let words = words(command);
                // The longest beginning that is a command: `book expand`, but `show f5d6`.
                let path = (1..=2.min(words.len()))
                    .rev()
                    .map(|length| &words[..length])
                    .find(|path| {
                        let is_named = path
                            .iter()
                            .all(|word| word.chars().all(|c| c.is_ascii_lowercase()));
                        is_named && help(path).is_some_and(|text| is_used(&text, &path.join(" ")))
                    });
                let Some(text) = path.and_then(&mut help) else {
                    wrong.push(format!("{}: no such command: {line}", block.page));
                    continue;
                };
                for option in words.iter().filter(|word| word.starts_with("--")) {
                    let name = option.split('=').next().unwrap_or(option);
                    let is_there = text
                        .split(|c: char| c.is_whitespace() || "[],<>=".contains(c))
                        .any(|word| word == name);
                    if !is_there {
                        wrong.push(format!("{}: no option {name}: {line}", block.page));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 50, "only {seen} commands were found");
}

#[test]
fn signs_for_anything_stand_for_anything_and_for_no_more() {
    assert!(line_fits("a [..] b", "a 12 s b"));
    assert!(line_fits("a [..]", "a 12"));
    assert!(line_fits("[..] b", "x b b"));
    assert!(!line_fits("a [..] b", "a 12 s"));
    assert!(!line_fits("a", "ab"));
    assert!(!line_fits("a [..] b", "a 12 b c"));
    assert!(lines_fit(&["a", "…", "d"], &["a", "b", "c", "d"]));
    assert!(lines_fit(&["…", "d", "…"], &["d"]));
    assert!(!lines_fit(&["a", "…", "d"], &["a", "b"]));
    assert!(!lines_fit(&["a"], &["a", "b"]));
}
