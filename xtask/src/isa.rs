//! `cargo xtask isa`: every instruction-set kernel gives the same answers.
//!
//! Kernels are chosen when the program is compiled, so one build tests one choice only.
//! This builds the crates with kernels once per level of the x86-64 instruction set that this processor can run, runs
//! their tests, and compares the node signatures that `outflank bench` prints: they must be equal.
//! Each level has its own folder, which the release shares, so that nothing is built twice.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail};

use crate::bench;
use crate::cargo::{build_release, cargo_for};

/// The levels that are compared, lowest first; `native` adds what this processor has beyond its level.
const LEVELS: &[&str] = &["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", "native"];

/// The crates with kernels or with values that no processor may change, and the game layer whose laws they must keep.
const CRATES: &[&str] = &[
    "outflank-game",
    "outflank-othello",
    "outflank-eval",
    "outflank-othello-engine",
    "outflank-gomoku",
    "outflank-gomoku-engine",
];

/// Tests and compares the levels in `wanted`, or all that this processor can run if none is named.
pub(crate) fn run(root: &Path, wanted: &[String]) -> Result<ExitCode> {
    if let Some(unknown) = wanted.iter().find(|level| !LEVELS.contains(&level.as_str())) {
        bail!("unknown level {unknown:?}; the levels are {}", LEVELS.join(", "));
    }
    let is_wanted = |level: &str| wanted.is_empty() || wanted.iter().any(|name| name == level);
    let mut signatures = Vec::new();
    for &level in LEVELS.iter().filter(|level| is_wanted(level)) {
        if !can_run(level) {
            eprintln!("xtask: isa {level} skipped: this processor cannot run it");
            continue;
        }
        eprintln!("xtask: isa {level} ...");
        if !run_tests(root, level)? {
            eprintln!("xtask: isa {level} FAILED: a test fails that passes on other levels");
            return Ok(ExitCode::from(1));
        }
        let program = build_release(root, level, "outflank-cli")?.join("outflank");
        let signature =
            bench::signature(&mut Command::new(program)).with_context(|| format!("level {level}"))?;
        eprintln!("xtask: isa {level} passed, signature {signature}");
        signatures.push((level, signature));
    }
    let Some(difference) = first_difference(&signatures) else {
        eprintln!("xtask: isa: {} levels agree", signatures.len());
        return Ok(ExitCode::SUCCESS);
    };
    eprintln!("xtask: isa FAILED: {difference}");
    Ok(ExitCode::from(1))
}

/// Reports whether this processor has all instructions of a level.
#[cfg(target_arch = "x86_64")]
pub(crate) fn can_run(level: &str) -> bool {
    let has_v2 = is_x86_feature_detected!("sse4.2")
        && is_x86_feature_detected!("ssse3")
        && is_x86_feature_detected!("popcnt");
    let has_v3 = has_v2
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe");
    let has_v4 = has_v3
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match level {
        "x86-64-v2" => has_v2,
        "x86-64-v3" => has_v3,
        "x86-64-v4" => has_v4,
        _ => true,
    }
}

/// Reports whether this processor has all instructions of a level: on others than x86-64 only its own.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn can_run(level: &str) -> bool {
    level == "native"
}

fn run_tests(root: &Path, level: &str) -> Result<bool> {
    let mut command = cargo_for(root, level)?;
    command.args(["test", "--quiet", "--lib", "--tests"]);
    command.args(CRATES.iter().flat_map(|name| ["--package", name]));
    Ok(command.status().context("cannot start `cargo test`")?.success())
}

/// Says which two levels disagree, if any do.
fn first_difference(signatures: &[(&str, u64)]) -> Option<String> {
    let (first, rest) = signatures.split_first()?;
    let (level, signature) = rest.iter().find(|(_, signature)| *signature != first.1)?;
    Some(format!(
        "{} has signature {}, but {level} has {signature}",
        first.0, first.1
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        assert_eq!(first_difference(&[]), None);
        assert_eq!(first_difference(&[("a", 1), ("b", 1)]), None);
        let difference = first_difference(&[("a", 1), ("b", 1), ("c", 2)]);
        assert_eq!(difference.as_deref(), Some("a has signature 1, but c has 2"));
    }

    #[test]
    fn the_own_level_can_be_run() {
        assert!(can_run("native"));
    }
}
