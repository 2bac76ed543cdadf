//! Pages and comments describe the program: words about how the work went belong into docs/experiments.md.

use super::file::{Problem, TextFile};

/// This file holds the words that it looks for.
const THIS_FILE: &str = "xtask/src/tidy/phrases.rs";

/// Pages that are about the past: what changed, and what led nowhere.
const HISTORIES: &[&str] = &["CHANGELOG.md", "docs/experiments.md"];

/// Words that say what was done, is to be done, or stands in papers that a reader does not have.
const PHRASES: &[&str] = &[
    "still owed",
    "later issue",
    "next issue",
    "dossier",
    "user-needs",
    "what was not done",
    "not taken",
    "to try next",
    "next to go",
    "at this session",
    "this session of",
    "for the time being",
];

/// Reports every such word in a comment or on a page.
pub(crate) fn check(file: &TextFile) -> Vec<Problem> {
    if file.path == THIS_FILE || HISTORIES.contains(&file.path.as_str()) {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for (i, line) in file.text.lines().enumerate() {
        let lower = line.to_lowercase();
        for phrase in PHRASES.iter().filter(|phrase| contains(&lower, phrase)) {
            let message = format!(
                "{phrase:?}: say what the program is; what led nowhere stands in docs/experiments.md"
            );
            problems.push(Problem::new(&file.path, i + 1, message));
        }
    }
    problems
}

/// Reports whether the words stand in a line, and not as a part of longer ones.
fn contains(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + phrase.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let file = TextFile {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        check(&file).iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn words_about_the_work_fail() {
        let text = "// This follows our dossier.\nA quiet run is still owed.\n## Round 5, not taken\n";
        assert_eq!(lines("crates/a/src/lib.rs", text), [1, 2, 3]);
        assert_eq!(lines("docs/a.md", "That comes with a later issue.\n"), [1]);
    }

    #[test]
    fn histories_and_longer_words_pass() {
        assert_eq!(lines("docs/experiments.md", "Round 5, not taken\n"), [0_usize; 0]);
        assert_eq!(
            lines("docs/a.md", "It is not takenable; later issues; allowed\n"),
            [0_usize; 0]
        );
    }
}
