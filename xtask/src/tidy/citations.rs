//! References: every `[KEY]` that a text cites is listed in REFERENCES.md.
//!
//! A key is a name in capitals and a two-digit year, such as a name followed by 97, and perhaps a letter where one
//! author has two works of a year; or, for a work without a year, two names with a hyphen between them.
//! An entry of REFERENCES.md starts its line with the key in bold.

use std::collections::BTreeMap;

use super::file::{Problem, TextFile, has_extension};
use super::lexer;

/// The list of references.
const REFERENCES: &str = "REFERENCES.md";

/// Returns the keys that REFERENCES.md defines with the line of each; reports keys that are defined twice.
pub(crate) fn defined_keys(text: &str, problems: &mut Vec<Problem>) -> BTreeMap<String, usize> {
    let mut keys = BTreeMap::new();
    for (i, line) in text.lines().enumerate() {
        let Some(entry) = line.trim_start_matches(['-', '*', ' ']).strip_prefix('[') else {
            continue;
        };
        let is_entry = line.trim_start().starts_with("- **[") || line.starts_with("**[");
        let Some((key, _)) = entry.split_once(']') else {
            continue;
        };
        if is_entry && is_key(key) && keys.insert(key.to_owned(), i + 1).is_some() {
            problems.push(Problem::new(
                REFERENCES,
                i + 1,
                format!("[{key}] is listed twice"),
            ));
        }
    }
    keys
}

/// Reports the citations in `file` that have no entry in REFERENCES.md.
///
/// In Rust files only comments are looked at, in others all text.
pub(crate) fn check(file: &TextFile, keys: &BTreeMap<String, usize>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut look = |line: usize, text: &str| {
        for key in citations(text) {
            if !keys.contains_key(key) {
                let message = format!("[{key}] is cited, but {REFERENCES} has no such entry");
                problems.push(Problem::new(&file.path, line, message));
            }
        }
    };
    if has_extension(&file.path, "rs") {
        for (i, line) in lexer::split(&file.text).iter().enumerate() {
            look(i + 1, line.comment.as_deref().unwrap_or_default());
        }
    } else if has_extension(&file.path, "md") {
        for (i, line) in file.text.lines().enumerate() {
            look(i + 1, line);
        }
    }
    problems
}

/// Iterates over the keys cited in `text`.
fn citations(text: &str) -> impl Iterator<Item = &str> {
    text.split('[')
        .skip(1)
        .filter_map(|part| part.split_once(']'))
        // In public documentation the brackets are escaped, or they would make a link.
        .map(|(key, _)| key.strip_suffix('\\').unwrap_or(key))
        .filter(|key| is_key(key))
}

/// Reports whether `text` has the form of a key: a name and a year, or two names.
fn is_key(text: &str) -> bool {
    let is_name = |name: &str| name.len() >= 3 && name.bytes().all(|b| b.is_ascii_uppercase());
    if let Some((author, work)) = text.split_once('-') {
        return is_name(author) && is_name(work);
    }
    let text = text
        .strip_suffix(|c: char| c.is_ascii_lowercase())
        .unwrap_or(text);
    let year = text
        .len()
        .checked_sub(2)
        .and_then(|split| text.split_at_checked(split));
    year.is_some_and(|(name, year)| is_name(name) && year.bytes().all(|b| b.is_ascii_digit()))
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

    #[test]
    fn keys_have_a_form() {
        assert!(is_key("BURO97") && is_key("KNUTH75b") && is_key("INTEL-SDM"));
        for other in [
            "N", "A1", "64", "BURO", "Buro97", "AVX512", "N64", "é1", "BURO97bb", "UTF-8", "A-B",
        ] {
            assert!(!is_key(other), "{other}");
        }
    }

    #[test]
    fn entries_are_found_and_doubles_reported() {
        let mut problems = Vec::new();
        let text = "# References\n\n- **[BURO97]** M. Buro.\n  See [OTHER99].\n- **[BURO97]** Again.\n";
        let keys = defined_keys(text, &mut problems);
        assert_eq!(keys.keys().collect::<Vec<_>>(), ["BURO97"]);
        assert_eq!(
            problems,
            [Problem::new("REFERENCES.md", 5, "[BURO97] is listed twice")]
        );
    }

    #[test]
    fn unknown_citations_fail() {
        let keys = BTreeMap::from([("BURO97".to_owned(), 1)]);
        let text = "//! Source: [BURO97] and [LOST01].\nlet s = \"[ABCD12]\";\n";
        let found = check(&file("crates/eval/src/a.rs", text), &keys);
        assert_eq!(found.len(), 1);
        assert!(found[0].message.contains("[LOST01]") && found[0].line == 1);
        assert_eq!(
            check(&file("a.rs", "/// As in \\[LOST01\\] §2.\n"), &keys).len(),
            1
        );
        assert_eq!(check(&file("docs/a.md", "as in [LOST01]\n"), &keys).len(), 1);
    }
}
