//! The steps of `cargo xtask check`, each one cargo command or a tidy run, timed and stopped at the first failure.
//!
//! The two instant steps come first, so that a slip shows within seconds.
//! The tests come last, so that the last lines of the output are cargo's own test results.
//! The `dev` and `test` profiles are the same on purpose (root Cargo.toml): this tool, the binaries that integration
//! tests start and all libraries are then compiled once.

use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use crate::cargo::{Selection, cargo};
use crate::{bench, python, tidy, wasm, web};

/// One step of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Formatting.
    Fmt,
    /// House rules.
    Tidy,
    /// Lints.
    Clippy,
    /// Documentation builds without warnings.
    Doc,
    /// The pure layers build for WebAssembly.
    Wasm,
    /// The page: types, lint, tests, the committed bundle, and in continuous integration the browser tests.
    Web,
    /// The program's node signature is the one that the history names.
    Bench,
    /// The Python package: types, stubs, tests.
    Python,
    /// Unit tests, integration tests and doctests.
    Test,
}

impl Step {
    /// All steps, in the order in which `check` runs them.
    pub(crate) const ALL: &'static [Self] = &[
        Self::Fmt,
        Self::Tidy,
        Self::Clippy,
        Self::Doc,
        Self::Wasm,
        Self::Bench,
        Self::Web,
        Self::Python,
        Self::Test,
    ];

    /// Returns the sub-command's name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Tidy => "tidy",
            Self::Clippy => "clippy",
            Self::Doc => "doc",
            Self::Wasm => "wasm",
            Self::Web => "web",
            Self::Python => "python",
            Self::Bench => "bench",
            Self::Test => "test",
        }
    }

    /// Returns the step of that name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|step| step.name() == name)
    }

    /// Returns the arguments of the cargo commands behind the step; none for those that this program does itself.
    ///
    /// The tests leave out what `cargo test` would do by the way: link the examples, which clippy has checked already.
    const fn cargo_commands(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Fmt => &[&["fmt", "--all", "--check"]],
            Self::Tidy | Self::Wasm | Self::Web | Self::Python | Self::Bench => &[],
            Self::Clippy => &[&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]],
            Self::Doc => &[&["doc", "--workspace", "--no-deps"]],
            Self::Test => &[
                &["test", "--workspace", "--tests"],
                &["test", "--workspace", "--doc"],
            ],
        }
    }
}

/// Runs all steps, but the parts that need more than the Rust toolchain only where continuous integration does.
pub(crate) fn run_all(root: &Path) -> Result<ExitCode> {
    if is_ci() {
        return run(root, Step::ALL);
    }
    eprintln!(
        "xtask: WebAssembly and the Python package are left out; `cargo xtask wasm` and `cargo xtask python` check them, and \
         CI=true adds them"
    );
    let steps: Vec<Step> = Step::ALL
        .iter()
        .copied()
        .filter(|&step| !matches!(step, Step::Wasm | Step::Python))
        .collect();
    run(root, &steps)
}

fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}

/// Continuous integration never takes the toolchain's own target.
fn wasm_source() -> wasm::Source {
    if is_ci() {
        wasm::Source::Packages
    } else {
        wasm::Source::Any
    }
}

/// Runs `steps` in order, prints the time of each, and stops at the first that fails.
pub(crate) fn run(root: &Path, steps: &[Step]) -> Result<ExitCode> {
    let selection = if steps.len() > 1 {
        Selection::Everything
    } else {
        Selection::Needed
    };
    let mut times = Vec::new();
    for &step in steps {
        eprintln!("xtask: {} ...", step.name());
        let start = Instant::now();
        let passed = run_step(root, step, selection)?;
        let time = start.elapsed();
        if !passed {
            eprintln!(
                "xtask: {} FAILED after {}; `cargo xtask {}` repeats this step alone",
                step.name(),
                seconds(time),
                step.name()
            );
            return Ok(ExitCode::from(1));
        }
        eprintln!("xtask: {} passed in {}", step.name(), seconds(time));
        times.push((step, time));
    }
    if times.len() > 1 {
        eprintln!("{}", summary(&times));
    }
    Ok(ExitCode::SUCCESS)
}

fn run_step(root: &Path, step: Step, selection: Selection) -> Result<bool> {
    match step {
        Step::Tidy => return Ok(tidy::run(root)? && (!is_ci() || fuzz_lock_is_current(root)?)),
        Step::Wasm => return wasm::run(root, wasm_source()),
        Step::Web => return web::check(root, is_ci(), selection),
        Step::Python => return python::run(root, selection),
        Step::Bench => return bench::run(root, selection),
        Step::Fmt | Step::Clippy | Step::Doc | Step::Test => {}
    }
    for &args in step.cargo_commands() {
        let mut command = cargo();
        command.current_dir(root).args(args);
        if step == Step::Doc {
            command.env("RUSTDOCFLAGS", "-D warnings -C target-cpu=native");
        }
        let status = command.status();
        let status = status.with_context(|| format!("cannot start `cargo {}`", args.join(" ")))?;
        if !status.success() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reports whether `fuzz/Cargo.lock` knows what the crates depend on now: else building the targets would change it.
///
/// Only cargo can tell, and may have to fetch what the workspace does without: so this is for continuous integration.
fn fuzz_lock_is_current(root: &Path) -> Result<bool> {
    let mut command = cargo();
    command
        .current_dir(root)
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(["--manifest-path", "fuzz/Cargo.toml"])
        .stdout(Stdio::null());
    let status = command.status().context("cannot start `cargo metadata`")?;
    if !status.success() {
        eprintln!(
            "xtask: fuzz/Cargo.lock is older than the crates; `cargo update --workspace --manifest-path fuzz/Cargo.toml` mends it"
        );
    }
    Ok(status.success())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn summary(times: &[(Step, Duration)]) -> String {
    let total: Duration = times.iter().map(|&(_, time)| time).sum();
    let parts: Vec<String> = times
        .iter()
        .map(|&(step, time)| format!("{} {}", step.name(), seconds(time)))
        .collect();
    format!(
        "xtask: all steps passed in {} ({})",
        seconds(total),
        parts.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_steps() {
        for &step in Step::ALL {
            assert_eq!(Step::from_name(step.name()), Some(step));
        }
        assert_eq!(Step::from_name("check"), None);
    }

    #[test]
    fn the_tests_come_last() {
        assert_eq!(Step::ALL.last(), Some(&Step::Test));
    }

    #[test]
    fn the_summary_adds_the_times_up() {
        let times = [
            (Step::Fmt, Duration::from_millis(500)),
            (Step::Test, Duration::from_mins(1)),
        ];
        assert_eq!(
            summary(&times),
            "xtask: all steps passed in 60.5 s (fmt 0.5 s, test 60.0 s)"
        );
    }
}
