//! One home for each concept: a second type for a word of the contract is refused.
//!
//! A search is asked and answered in one vocabulary, that of the crate `search`; adapters translate at the edges only.
//! A word that two types share is a word that has to be translated between them.

use std::collections::BTreeSet;

use super::file::{Problem, TextFile};
use super::layers::crate_of;
use super::lexer::{self, words};

/// The crate that defines the words.
const HOME: &str = "search";

/// Words of the contract, and what each is about.
const CONCEPTS: &[(&str, &str)] = &[
    ("Verdict", "what a value is worth"),
    ("Goal", "what a search is to find"),
    ("Limits", "when a search ends"),
    ("Level", "a playing level"),
    ("Request", "what a search is asked"),
    ("Line", "moves with a value"),
    ("StopToken", "the way to stop a search"),
    ("Control", "the way every search ends early"),
    ("Clock", "where time comes from"),
    ("SystemClock", "the machine's clock"),
    ("GameClock", "the time of a game"),
];

/// Other names for the same, each with the word to use.
const SYNONYMS: &[(&str, &str)] = &[
    ("Aim", "Goal"),
    ("SearchLimits", "Limits"),
    ("hash_bytes", "table_bytes"),
    ("hash_size", "table_bytes"),
    ("hash_mb", "table_bytes"),
    ("table_mb", "table_bytes"),
];

/// Second homes that are still there: the file and the word.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// Files that write pictures; everybody else describes what they show.
const DRAWING: &str = "crates/draw/";

/// Reports every second home.
pub(crate) fn check(files: &[TextFile]) -> Vec<Problem> {
    check_with(files, EXCEPTIONS)
}

fn check_with(files: &[TextFile], exceptions: &[(&str, &str)]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut used = BTreeSet::new();
    for file in files.iter().filter(|file| file.path.starts_with("crates/")) {
        let mut found = second_homes(file);
        found.retain(|(name, _)| {
            let exception = (file.path.as_str(), name.as_str());
            let is_known = exceptions.contains(&exception);
            if is_known {
                used.insert((file.path.clone(), name.clone()));
            }
            !is_known
        });
        problems.extend(found.into_iter().map(|(_, problem)| problem));
        problems.extend(drawings(file));
    }
    for &(path, name) in exceptions {
        if !used.contains(&(path.to_owned(), name.to_owned())) {
            let message = format!("{path} has no {name} any more: take it off the exceptions");
            problems.push(Problem::new("xtask/src/tidy/vocabulary.rs", 0, message));
        }
    }
    problems
}

/// Finds types with a name of the contract outside its home, and other names for the same thing.
fn second_homes(file: &TextFile) -> Vec<(String, Problem)> {
    let mut found = Vec::new();
    for (i, line) in lexer::split(&file.text).iter().enumerate() {
        let list: Vec<&str> = words(&line.code).map(|(_, word)| word).collect();
        let defined = defined_type(&list);
        let concept = CONCEPTS.iter().find(|&&(name, _)| defined == Some(name));
        if let Some((name, what)) = concept.filter(|_| crate_of(&file.path) != Some(HOME)) {
            let message =
                format!("{name} ({what}) has its home in crates/{HOME}: use that type, or another word");
            found.push(((*name).to_owned(), Problem::new(&file.path, i + 1, message)));
        }
        for (wrong, right) in SYNONYMS {
            // Types where they are defined, names of values wherever they stand.
            let is_value = wrong.starts_with(char::is_lowercase);
            if defined == Some(wrong) || is_value && list.contains(wrong) {
                let message = format!("{wrong} is called {right} everywhere else");
                found.push(((*wrong).to_owned(), Problem::new(&file.path, i + 1, message)));
            }
        }
    }
    found
}

/// Returns the name of the type that a line defines for others to use.
fn defined_type<'a>(list: &[&'a str]) -> Option<&'a str> {
    let rest = match list {
        ["pub", "super" | "in", ..] => return None,
        ["pub", "crate", rest @ ..] | ["pub", rest @ ..] => rest,
        _ => return None,
    };
    match rest {
        ["struct" | "enum" | "trait" | "union", name, ..] => Some(name),
        _ => None,
    }
}

/// Finds pictures written by hand.
fn drawings(file: &TextFile) -> Vec<Problem> {
    if file.path.starts_with(DRAWING) || file.path.contains("/tests") {
        return Vec::new();
    }
    let lines = file.text.lines().enumerate().zip(lexer::split(&file.text));
    let found = lines.filter(|((_, text), line)| text.contains("<svg xmlns") && !line.is_test);
    found
        .map(|((i, _), _)| {
            Problem::new(
                &file.path,
                i + 1,
                "pictures are written by crates/draw: use its `Svg` or `Plot`",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    fn messages(path: &str, text: &str) -> Vec<String> {
        let found = check_with(&[file(path, text)], &[]);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_second_home_fails() {
        for text in [
            "pub enum Verdict {\n",
            "pub(crate) struct StopToken(bool);\n",
            "pub trait Clock: Send {\n",
        ] {
            assert_eq!(messages("crates/arena/src/a.rs", text).len(), 1, "{text}");
            assert!(messages("crates/search/src/a.rs", text).is_empty(), "{text}");
        }
        let found = messages("crates/eval/src/a.rs", "\npub struct Limits {\n");
        assert_eq!(
            found,
            [
                "crates/eval/src/a.rs:2: Limits (when a search ends) has its home in crates/search: use that type, or \
                 another word"
            ]
        );
    }

    #[test]
    fn synonyms_fail_at_home_too() {
        assert_eq!(messages("crates/search/src/a.rs", "pub enum Aim {}\n").len(), 1);
        assert_eq!(
            messages("crates/cli/src/a.rs", "let x = options.hash_bytes;\n").len(),
            1
        );
    }

    #[test]
    fn aliases_local_types_and_texts_pass() {
        let text = "pub type Line = outflank_search::Line<Move>;\nstruct Limits {}\npub(super) struct Line;\n\
                    // pub enum Goal {}\nlet x = \"hash_bytes\";\npub struct Lines;\nuse search::Verdict;\n";
        assert_eq!(messages("crates/protocol/src/a.rs", text), [""; 0]);
    }

    #[test]
    fn exceptions_that_nothing_needs_fail() {
        let files = [file("crates/eval/src/a.rs", "pub enum Goal {}\n")];
        assert_eq!(check_with(&files, &[("crates/eval/src/a.rs", "Goal")]), []);
        let found = check_with(
            &files,
            &[("crates/eval/src/a.rs", "Goal"), ("crates/eval/src/b.rs", "Goal")],
        );
        assert!(found[0].message.contains("take it off"), "{found:?}");
    }

    #[test]
    fn pictures_by_hand_fail() {
        let text = "let a = \"<svg xmlns=…\";\n";
        assert_eq!(messages("crates/lab/src/a.rs", text).len(), 1);
        assert_eq!(messages("crates/draw/src/svg.rs", text).len(), 0);
    }
}
