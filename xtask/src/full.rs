//! `cargo xtask check --full`: what takes hours, and a page about it.
//!
//! The page, `docs/full-check.md`, is also the memory: it says for each step at which commit it passed, and a step is not
//! run again while nothing that it looks at has changed since. So an interrupted run goes on where it was, also on another
//! machine. What the steps print goes to `target/full/STEP.log`.

use crate::cargo::{build_release, cargo};
use crate::python;
use anyhow::{Context as _, Result, bail, ensure};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// The page about the last runs.
const PAGE: &str = "docs/full-check.md";
/// Everything but reports, as git names it.
const ALL: &[&str] = &[
    "--",
    ".",
    ":!docs/full-check.md",
    ":!docs/endurance.md",
    ":!docs/endurance.json",
];
/// What the program is made of.
const PROGRAM: &[&str] = &["--", "Cargo.toml", "Cargo.lock", "crates", "data", "fuzz/seeds"];
/// That and the Python package.
const PYTHON: &[&str] = &["--", "Cargo.toml", "Cargo.lock", "crates", "data", "python"];
/// Minutes of endurance.
const MINUTES: &str = "30";

/// What a release is made of, and by.
const RELEASE: &[&str] = &[
    "--",
    "Cargo.toml",
    "Cargo.lock",
    "crates",
    "data",
    "python",
    "web",
    "xtask",
    "README.md",
    "deny.toml",
];

/// A step of the full check.
struct Step {
    name: &'static str,
    /// What it does, for the page.
    about: &'static str,
    /// What it looks at, as git names it: its result holds while that is the same.
    sources: &'static [&'static str],
    /// Returns the command, after what it needs is there.
    command: fn(&Path) -> Result<Command>,
}

const STEPS: &[Step] = &[
    Step {
        name: "check",
        about: "the test command as continuous integration runs it",
        sources: ALL,
        command: |_| {
            let mut command = cargo();
            command.args(["xtask", "check"]).env("CI", "true");
            Ok(command)
        },
    },
    Step {
        name: "levels",
        about: "kernels and node signature on each level of x86-64 that runs here",
        sources: PROGRAM,
        // The level of this processor is what the test command builds.
        command: |_| {
            Ok(cargo_with(&[
                "xtask",
                "isa",
                "x86-64",
                "x86-64-v2",
                "x86-64-v3",
                "x86-64-v4",
            ]))
        },
    },
    Step {
        name: "long",
        about: "the tests that are marked as long, among them all solved positions, soundness of Gomoku, kills, eight sessions for minutes",
        sources: PROGRAM,
        command: |_| {
            // The first starts as a process of others, the second writes seeds, the third needs a folder of its own, and the
            // fourth is that before it with more depth, half an hour.
            let skipped = [
                "child",
                "seeds_of_the_fuzz_targets",
                "a_gathered_corpus_obeys_the_laws",
                "textbook_alpha_beta_to_depth_8",
            ];
            let mut command = cargo_with(&["test", "--release", "--workspace", "--tests", "--no-fail-fast"]);
            command.args(["--", "--ignored", "--test-threads", "1"]);
            command.args(skipped.iter().flat_map(|name| ["--skip", name]));
            Ok(command)
        },
    },
    Step {
        name: "site",
        about: "the site of documentation, whose tutorials run, without a warning",
        sources: ALL,
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
        sources: PYTHON,
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
        sources: PROGRAM,
        command: |root| {
            let mut command = Command::new("python3");
            command
                .arg("docs/scripts/endurance.py")
                .arg(program(root)?)
                .arg("out/endurance");
            command.args(["--minutes", MINUTES]);
            command.args(["--counts", "docs/endurance.json", "--report", "docs/endurance.md"]);
            if let Some(targets) = std::env::var_os("OUTFLANK_FUZZ") {
                command.arg("--fuzz").arg(targets);
            }
            Ok(command)
        },
    },
    Step {
        name: "faults",
        about: "inputs that this program or others once got wrong",
        sources: ALL,
        command: |root| {
            let mut command = Command::new("docs/scripts/faults.sh");
            command.arg(program(root)?);
            Ok(command)
        },
    },
    Step {
        name: "release",
        about: "all parts of a release, each tried in an empty folder",
        sources: RELEASE,
        command: |_| Ok(cargo_with(&["xtask", "release"])),
    },
];

fn cargo_with(arguments: &[&str]) -> Command {
    let mut command = cargo();
    command.args(arguments);
    command
}

/// Builds the program for this processor and returns it.
fn program(root: &Path) -> Result<PathBuf> {
    Ok(build_release(root, "native", "outflank-cli")?.join("outflank"))
}

/// Returns the folder of the programs of an environment with the Python package and `others`.
fn installed(root: &Path, name: &str, others: &[&std::ffi::OsStr]) -> Result<PathBuf> {
    let package = root.join("python");
    let mut packages = vec![package.as_os_str()];
    packages.extend(others);
    python::environment(root, name, &packages)
}

/// How a step ended, by its name, in the words of the page.
type Results = BTreeMap<String, String>;

/// Runs the steps in `wanted`, or all whose result does not hold for these sources; writes the page after each.
pub(crate) fn run(root: &Path, wanted: &[String]) -> Result<ExitCode> {
    if let Some(unknown) = wanted
        .iter()
        .find(|name| STEPS.iter().all(|step| step.name != **name))
    {
        let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        bail!("unknown step {unknown:?}; the steps are {}", names.join(", "));
    }
    let folder = root.join("target/full");
    fs::create_dir_all(&folder).context("cannot make target/full")?;
    let changed = line_of(root, &[&["status", "--porcelain"], ALL].concat())?;
    ensure!(
        changed.is_empty(),
        "there are changes that no commit has: the page must name what was checked"
    );
    let commit = line_of(root, &["rev-parse", "--short=12", "HEAD"])?;
    let path = root.join(PAGE);
    // Read again each time: other steps may run beside this one.
    let results = || parse(&fs::read_to_string(&path).unwrap_or_default());
    let mut failed = false;
    for step in STEPS {
        let holds = || {
            let results = results();
            let result = results.get(step.name);
            result
                .and_then(|result| passed_at(result))
                .is_some_and(|then| is_same(root, then, step.sources))
        };
        let is_wanted = wanted.iter().any(|name| name == step.name);
        if !is_wanted && (!wanted.is_empty() || holds()) {
            continue;
        }
        let log = folder.join(format!("{}.log", step.name));
        eprintln!("xtask: {}: {} ... ({})", step.name, step.about, log.display());
        let began = Instant::now();
        let passed = logged(root, step, &log)?;
        let seconds = began.elapsed().as_secs();
        let outcome = if passed { "passed" } else { "**failed**" };
        eprintln!("xtask: {} {outcome} after {seconds} s", step.name);
        failed |= !passed;
        let day = line_of(root, &["log", "-1", "--format=%cs"])?;
        let (minutes, seconds) = (seconds / 60, seconds % 60);
        let mut results = results();
        results.insert(
            step.name.to_owned(),
            format!("{outcome} after {minutes} min {seconds} s at {commit} of {day}"),
        );
        fs::write(&path, page(&results)).context(PAGE)?;
    }
    Ok(ExitCode::from(u8::from(failed)))
}

/// Runs a step with all that it prints in `log`; reports whether it passed.
fn logged(root: &Path, step: &Step, log: &Path) -> Result<bool> {
    let mut command = (step.command)(root)?;
    let out = File::create(log).with_context(|| log.display().to_string())?;
    let status = command
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(out.try_clone()?)
        .stderr(out)
        .status()
        .with_context(|| format!("cannot start {command:?}"))?;
    Ok(status.success())
}

/// Returns the commit at which a step passed, if the page says that it did.
fn passed_at(result: &str) -> Option<&str> {
    let (_, place) = result
        .strip_prefix("passed")
        .and_then(|rest| rest.split_once(" at "))?;
    place.split(' ').next()
}

/// Reports whether nothing of `sources` has changed since `commit`.
fn is_same(root: &Path, commit: &str, sources: &[&str]) -> bool {
    let arguments = [&["diff", "--quiet", commit, "HEAD"], sources].concat();
    let status = Command::new("git")
        .current_dir(root)
        .args(arguments)
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
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

/// Returns the page about the last run of each step.
fn page(results: &Results) -> String {
    let mut lines = vec![
        "# The full check".to_owned(),
        String::new(),
        "`cargo xtask check --full` on two cores, and at which commit each step ended so.".to_owned(),
        String::new(),
        "| step | what | result |".to_owned(),
        "| --- | --- | --- |".to_owned(),
    ];
    lines.extend(STEPS.iter().map(|step| {
        let result = results.get(step.name).map_or("not run", String::as_str);
        format!("| {} | {} | {result} |", step.name, step.about)
    }));
    lines.join("\n") + "\n"
}

/// Returns what a page says.
fn parse(page: &str) -> Results {
    page.lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
            let (name, _, result) = (cells.next()?, cells.next()?, cells.next()?);
            Some((name.to_owned(), result.to_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_every_step_and_is_its_own_memory() {
        let check = "passed after 20 min 34 s at 0123456789ab of 2026-11-29";
        let levels = "**failed** after 1 min 3 s at 0123456789ab of 2026-11-29";
        let results = Results::from(
            [("check", check), ("levels", levels)].map(|(name, result)| (name.to_owned(), result.to_owned())),
        );
        let page = page(&results);
        assert_eq!(page.matches("| not run |").count(), STEPS.len() - 2);
        let read = parse(&page);
        assert_eq!(read["check"], check);
        assert_eq!(read["levels"], levels);
        assert_eq!(read["long"], "not run");
    }

    #[test]
    fn only_what_passed_names_a_commit() {
        assert_eq!(
            passed_at("passed after 0 min 1 s at abc of 2026-11-29"),
            Some("abc")
        );
        assert_eq!(passed_at("**failed** after 0 min 1 s at abc of 2026-11-29"), None);
        assert_eq!(passed_at("not run"), None);
    }
}
