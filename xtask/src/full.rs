//! `cargo xtask check --full`: what takes a night, and a page about it.
//!
//! A step that has passed at a commit is not run again for it, so that an interrupted run goes on where it was. What the
//! steps print goes to `target/full/STEP.log`, the page to `docs/full-check.md`.

use crate::{cargo::cargo, python};
use anyhow::{Context as _, Result, ensure};
use serde_json::{Map, Value, json};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// The page about the last run.
const PAGE: &str = "docs/full-check.md";
/// Minutes of endurance.
const MINUTES: &str = "60";

/// A step of the full check.
struct Step {
    name: &'static str,
    /// What it does, for the page.
    about: &'static str,
    /// Returns the command, after what it needs is there.
    command: fn(&Path) -> Result<Command>,
}

const STEPS: &[Step] = &[
    Step {
        name: "check",
        about: "the test command as continuous integration runs it",
        command: |_| {
            let mut command = cargo();
            command.args(["xtask", "check"]).env("CI", "true");
            Ok(command)
        },
    },
    Step {
        name: "levels",
        about: "kernels and node signature on each level of x86-64 that runs here",
        command: |_| Ok(cargo_with(&["xtask", "isa"])),
    },
    Step {
        name: "long",
        about: "the tests that are marked as long, among them all solved positions, soundness of Gomoku, kills, eight sessions for minutes",
        command: |_| {
            // The first starts as a process of others, the second writes seeds, the third needs a folder of its own, and the
            // fourth is that before it with more depth, half an hour.
            let skipped = [
                "child",
                "seeds_of_the_fuzz_targets",
                "a_gathered_corpus_obeys_the_laws",
                "textbook_alpha_beta_to_depth_8",
            ];
            let mut command = cargo_with(&["test", "--release", "--workspace", "--tests", "--"]);
            command.args(["--ignored", "--test-threads", "1"]);
            command.args(skipped.iter().flat_map(|name| ["--skip", name]));
            Ok(command)
        },
    },
    Step {
        name: "site",
        about: "the site of documentation, whose tutorials run, without a warning",
        command: |root| {
            let needed = root.join("python/docs/requirements.txt");
            let tools = installed(root, "site", &["-r".as_ref(), needed.as_os_str()])?;
            let mut command = Command::new(tools.join("sphinx-build"));
            command.args(["-W", "-E", "python/docs", "target/python/docs"]);
            Ok(command)
        },
    },
    Step {
        name: "ray",
        about: "Ray, with workers, nodes, driver and head killed",
        command: |root| {
            let tests = ["hypothesis", "matplotlib", "pytest", "pyarrow", "ray"].map(AsRef::as_ref);
            let tools = installed(root, "ray", &tests)?;
            let mut command = Command::new(tools.join("python"));
            // The folder of the sources would hide the package that is installed.
            command.args([
                "-P",
                "-m",
                "pytest",
                "-p",
                "no:cacheprovider",
                "-m",
                "ray",
                "python/tests",
            ]);
            Ok(command)
        },
    },
    Step {
        name: "endurance",
        about: "games over every protocol with interruptions, random lines, kills, and fuzz targets where they are built",
        command: |root| {
            let mut command = Command::new("python3");
            command.args([
                "docs/scripts/endurance.py",
                "target/release/outflank",
                "out/endurance",
            ]);
            command.args(["--minutes", MINUTES]);
            if let Some(targets) = std::env::var_os("OUTFLANK_FUZZ") {
                command.arg("--fuzz").arg(targets);
            }
            ensure!(
                cargo_with(&["build", "--release", "--package", "outflank-cli"])
                    .current_dir(root)
                    .status()?
                    .success(),
                "the program was not built"
            );
            Ok(command)
        },
    },
    Step {
        name: "release",
        about: "all parts of a release, each tried in an empty folder",
        command: |_| Ok(cargo_with(&["xtask", "release"])),
    },
];

fn cargo_with(arguments: &[&str]) -> Command {
    let mut command = cargo();
    command.args(arguments);
    command
}

/// Returns the folder of the programs of an environment with the Python package and `others`.
fn installed(root: &Path, name: &str, others: &[&std::ffi::OsStr]) -> Result<PathBuf> {
    let package = root.join("python");
    let mut packages = vec![package.as_os_str()];
    packages.extend(others);
    python::environment(root, name, &packages)
}

/// Runs all steps that have not passed at this commit; writes the page after each.
pub(crate) fn run(root: &Path) -> Result<ExitCode> {
    let folder = root.join("target/full");
    fs::create_dir_all(&folder).context("cannot make target/full")?;
    let commit = line_of(root, &["rev-parse", "HEAD"])?;
    ensure!(
        line_of(
            root,
            &["status", "--porcelain", "--", ".", ":!docs/full-check.md"]
        )?
        .is_empty(),
        "there are changes that no commit has: the page must name what was checked"
    );
    let state = folder.join(format!("{commit}.json"));
    let mut passed: Map<String, Value> = match fs::read(&state) {
        Ok(bytes) => serde_json::from_slice(&bytes).with_context(|| state.display().to_string())?,
        Err(_) => Map::new(),
    };
    let mut failed = None;
    for step in STEPS {
        if passed.contains_key(step.name) {
            continue;
        }
        let log = folder.join(format!("{}.log", step.name));
        eprintln!("xtask: {}: {} ... ({})", step.name, step.about, log.display());
        let began = Instant::now();
        let mut command = (step.command)(root)?;
        let out = File::create(&log).with_context(|| log.display().to_string())?;
        let status = command
            .current_dir(root)
            .stdin(Stdio::null())
            .stdout(out.try_clone()?)
            .stderr(out)
            .status()
            .with_context(|| format!("cannot start {command:?}"))?;
        let seconds = began.elapsed().as_secs();
        eprintln!(
            "xtask: {} {} after {seconds} s",
            step.name,
            if status.success() { "passed" } else { "FAILED" }
        );
        if status.success() {
            passed.insert(step.name.to_owned(), json!(seconds));
            fs::write(&state, serde_json::to_vec_pretty(&passed)?)
                .with_context(|| state.display().to_string())?;
        } else {
            failed = Some(step.name);
            break;
        }
    }
    let date = line_of(root, &["log", "-1", "--format=%cs"])?;
    fs::write(root.join(PAGE), page(&commit, &date, &passed, failed)).context(PAGE)?;
    Ok(ExitCode::from(u8::from(failed.is_some())))
}

fn line_of(root: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("git")
        .current_dir(root)
        .args(arguments)
        .output()
        .context("cannot start git")?;
    ensure!(output.status.success(), "git {} failed", arguments.join(" "));
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Returns the page about a run.
fn page(commit: &str, date: &str, passed: &Map<String, Value>, failed: Option<&str>) -> String {
    let mut lines = vec![
        "# The full check".to_owned(),
        String::new(),
        format!(
            "`cargo xtask check --full` at commit {} of {date}; a step that has passed is not run again for the same commit.",
            &commit[..commit.len().min(12)]
        ),
        String::new(),
        "| step | what | result |".to_owned(),
        "| --- | --- | --- |".to_owned(),
    ];
    lines.extend(STEPS.iter().map(|step| {
        let result = match passed.get(step.name).and_then(Value::as_u64) {
            Some(seconds) => format!("passed in {} min {} s", seconds / 60, seconds % 60),
            None if failed == Some(step.name) => "**failed**".to_owned(),
            None => "not run".to_owned(),
        };
        format!("| {} | {} | {result} |", step.name, step.about)
    }));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_every_step() {
        let passed = Map::from_iter([("check".to_owned(), json!(1234))]);
        let page = page("0123456789abcdef", "2026-11-29", &passed, Some("levels"));
        assert!(page.contains("commit 0123456789ab of 2026-11-29"), "{page}");
        assert!(page.contains("| passed in 20 min 34 s |"), "{page}");
        assert_eq!(page.matches("**failed**").count(), 1);
        assert_eq!(page.matches("| not run |").count(), STEPS.len() - 2);
    }
}
