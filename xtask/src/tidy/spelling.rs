//! One spelling: American, as in identifiers, so that a search for a word finds every place.

use super::file::{Problem, TextFile};

/// This file holds the words that it looks for.
const THIS_FILE: &str = "xtask/src/tidy/spelling.rs";

/// Beginnings or parts of words that only British spelling has, each with what to write instead.
const WORDS: &[(&str, &str)] = &[
    ("analyse", "analyze (the noun's plural: write another word)"),
    ("analysing", "analyzing"),
    ("artefact", "artifact"),
    ("behaviour", "behavior"),
    ("cancelled", "canceled"),
    ("cancelling", "canceling"),
    ("canonicalise", "canonicalize"),
    ("canonicalisa", "canonicaliza…"),
    ("capitalis", "capitaliz…"),
    ("catalogue", "catalog"),
    ("categoris", "categoriz…"),
    ("centre", "center"),
    ("centring", "centering"),
    ("characteris", "characteriz…"),
    ("colour", "color"),
    ("customis", "customiz…"),
    ("defence", "defense"),
    ("emphasis", "emphasiz… or emphasis"),
    ("endeavour", "endeavor"),
    ("favour", "favor"),
    ("finalis", "finaliz…"),
    ("generalis", "generaliz…"),
    ("grey", "gray"),
    ("honour", "honor"),
    ("initialis", "initializ…"),
    ("judgement", "judgment"),
    ("labelled", "labeled"),
    ("labelling", "labeling"),
    ("labour", "labor"),
    ("licence", "license"),
    ("linearis", "lineariz…"),
    ("localis", "localiz…"),
    ("marvellous", "marvelous"),
    ("maximis", "maximiz…"),
    ("memoris", "memoriz…"),
    ("minimis", "minimiz…"),
    ("modelled", "modeled"),
    ("modelling", "modeling"),
    ("neighbour", "neighbor"),
    ("normalis", "normaliz…"),
    ("offence", "offense"),
    ("optimis", "optimiz… (the belief: hopeful)"),
    ("organis", "organiz…"),
    ("parallelise", "parallelize"),
    ("parallelisa", "paralleliza…"),
    ("penalis", "penaliz…"),
    ("plough", "plow"),
    ("prioritis", "prioritiz…"),
    ("programme ", "program"),
    ("quantis", "quantiz…"),
    ("randomis", "randomiz…"),
    ("realis", "realiz…"),
    ("recognis", "recogniz…"),
    ("regularis", "regulariz…"),
    ("rumour", "rumor"),
    ("serialis", "serializ…"),
    ("signalled", "signaled"),
    ("signalling", "signaling"),
    ("specialis", "specializ…"),
    ("standardis", "standardiz…"),
    ("summaris", "summariz…"),
    ("synchronis", "synchroniz…"),
    ("sceptic", "skeptic"),
    ("totalled", "totaled"),
    ("travelled", "traveled"),
    ("travelling", "traveling"),
    ("unravelled", "unraveled"),
    ("utilis", "utiliz… or use"),
    ("vectoris", "vectoriz…"),
    ("visualis", "visualiz…"),
];

/// Words that hold one of the above and are right.
const RIGHT: &[&str] = &[
    "emphasis",
    "optimism",
    "optimistic",
    "pessimis",
    "realism",
    "realistic",
    "minimism",
];

/// Places that must have a British word, such as a command that people type or a message of a protocol: the file and the
/// word.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("crates/terminal/src/play/command.rs", "colour"),
    ("crates/cli/tests/mcp.rs", "cancelled"),
    ("crates/mcp/src/lib.rs", "cancelled"),
];

/// Reports every British spelling in a text.
pub(crate) fn check(file: &TextFile) -> Vec<Problem> {
    if file.path == THIS_FILE {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for (i, line) in file.text.lines().enumerate() {
        let lower = line.to_lowercase();
        for &(wrong, right) in WORDS {
            for (at, _) in lower.match_indices(wrong) {
                if !is_right(&lower, at) && !EXCEPTIONS.contains(&(&file.path, wrong)) {
                    let message = format!("{:?} is British spelling: write {right}", wrong.trim_end());
                    problems.push(Problem::new(&file.path, i + 1, message));
                }
            }
        }
    }
    problems
}

/// Reports whether one of the right words lies where a wrong one was found.
fn is_right(line: &str, at: usize) -> bool {
    RIGHT.iter().any(|right| line[at..].starts_with(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        let file = TextFile {
            path: "a.rs".to_owned(),
            text: text.to_owned(),
        };
        check(&file).iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn british_words_fail_in_identifiers_comments_and_text() {
        let text =
            "let neighbours = 1;\n// The Colour of a disc.\nfn minimise() {}\n# Labelled\n\"judgement\"\n";
        assert_eq!(lines(text), [1, 2, 3, 4, 5]);
        assert_eq!(lines("serialise, optimised\n"), [1, 1]);
    }

    #[test]
    fn american_words_and_look_alikes_pass() {
        assert_eq!(lines("neighbors color minimize labeled judgment\n"), [0_usize; 0]);
        assert_eq!(
            lines("too optimistic, with emphasis; otherwise precise\n"),
            [0_usize; 0]
        );
        assert_eq!(lines("programmed programmers\n"), [0_usize; 0]);
    }

    #[test]
    fn the_message_says_what_to_write() {
        let file = TextFile {
            path: "docs/a.md".to_owned(),
            text: "grey\n".to_owned(),
        };
        assert_eq!(
            check(&file)[0].to_string(),
            "docs/a.md:1: \"grey\" is British spelling: write gray"
        );
    }
}
