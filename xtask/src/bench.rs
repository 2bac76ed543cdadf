//! The node signature: what `outflank bench` prints, and what the history says it was.
//!
//! Every commit that changes the search names the new signature in its last line, `Bench: N`.
//! If the newest such line differs from the program, a commit changed the search without saying so.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::cargo::{Selection, build};

/// What the history says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum History {
    /// The newest signature and the commit that names it.
    Signature { signature: u64, commit: String },
    /// It cannot say, and why.
    Silent(String),
}

/// Compares the program with the history; reports whether they agree.
///
/// Without the history (an archive, a shallow clone) a note says so.
pub(crate) fn run(root: &Path, selection: Selection) -> Result<bool> {
    let (expected, commit) = match history(root) {
        History::Signature { signature, commit } => (signature, commit),
        History::Silent(why) => {
            eprintln!("xtask: NOT COMPARED: {why}");
            return Ok(true);
        }
    };
    let Some(folder) = build(root, selection, &["--package", "outflank-cli"])? else {
        return Ok(false);
    };
    let found = signature(&mut Command::new(folder.join("outflank")))?;
    if found == expected {
        eprintln!("xtask: the node signature is {found}, as commit {commit} says");
        return Ok(true);
    }
    eprintln!(
        "xtask: the node signature is {found}, but the newest `Bench:` line ({commit}) says {expected}: end the message of the \
         commit that changed the search with `Bench: {found}`"
    );
    Ok(false)
}

/// Runs the benchmark with a command for the program and returns its signature.
pub(crate) fn signature(program: &mut Command) -> Result<u64> {
    let output = program
        .args(["bench", "--json"])
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start the benchmark")?;
    if !output.status.success() {
        bail!("the benchmark failed");
    }
    parse_signature(&String::from_utf8_lossy(&output.stdout))
}

/// Reads the signature from the last line of the benchmark's output.
fn parse_signature(output: &str) -> Result<u64> {
    let line = output.lines().last().context("the benchmark printed nothing")?;
    let value: Value = serde_json::from_str(line).with_context(|| format!("no JSON: {line}"))?;
    value["signature"]
        .as_u64()
        .with_context(|| format!("no signature in {line}"))
}

/// Asks git for the newest commit that names a signature.
fn history(root: &Path) -> History {
    let git = |args: &[&str]| {
        let output = Command::new("git")
            .current_dir(root)
            .args(args)
            .stderr(Stdio::null())
            .output()
            .ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let Some(log) = git(&[
        "log",
        "--extended-regexp",
        "--grep=^Bench: [0-9]+$",
        "-n1",
        "--format=%h%n%B",
    ]) else {
        return History::Silent("there is no git history here".to_owned());
    };
    if let Some(found) = newest(&log) {
        return found;
    }
    let shallow = git(&["rev-parse", "--is-shallow-repository"]).is_some_and(|text| text.trim() == "true");
    History::Silent(if shallow {
        "the clone is shallow and its commits name no signature".to_owned()
    } else {
        "no commit names a signature".to_owned()
    })
}

/// Reads a commit's short name and message.
fn newest(log: &str) -> Option<History> {
    let mut lines = log.lines();
    let commit = lines.next()?.to_owned();
    // A bare number: signatures of other benchmarks carry a remark in parentheses.
    let signature = lines
        .filter_map(|line| line.strip_prefix("Bench: ")?.parse().ok())
        .next_back()?;
    Some(History::Signature { signature, commit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_read_from_the_last_line() {
        let output = "{\"other\":1}\n{\"signature\":42,\"nodes\":42}\n";
        assert_eq!(parse_signature(output).expect("there is one"), 42);
        for bad in ["", "text", "{}", "{\"signature\":-1}"] {
            assert!(parse_signature(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_message_names_the_signature_in_its_last_line() {
        let log = "abc1234\nSearch better\n\nBench: 1 was the old one.\n\nBench: 1931331\n";
        let expected = History::Signature {
            signature: 1_931_331,
            commit: "abc1234".to_owned(),
        };
        assert_eq!(newest(log), Some(expected));
        assert_eq!(
            newest("abc1234\nSearch Gomoku\n\nBench: 143326 (bench --game gomoku)\n"),
            None
        );
        assert_eq!(newest(""), None);
    }

    #[test]
    fn a_folder_without_history_is_named() {
        let folder = std::env::temp_dir().join(format!("outflank-xtask-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files is writable");
        assert!(matches!(history(&folder), History::Silent(why) if why.contains("no git history")));
        let _removed = std::fs::remove_dir(&folder);
    }
}
