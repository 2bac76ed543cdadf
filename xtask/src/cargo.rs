//! How the chores start cargo, and what they ask the compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// Returns a command for the cargo that started this program, so that a `+toolchain` choice is kept.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// What a step compiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// What the step needs: it runs alone.
    Needed,
    /// All packages with their tests: so each crate has the same features in all steps, and is compiled once for all of them.
    Everything,
}

/// Builds with the `dev` profile what `needed` names, or everything; returns the folder of the results, `None` if that failed.
pub(crate) fn build(root: &Path, selection: Selection, needed: &[&str]) -> Result<Option<PathBuf>> {
    let arguments = match selection {
        Selection::Needed => needed,
        Selection::Everything => &["--workspace", "--lib", "--bins", "--tests"],
    };
    let mut command = cargo();
    command.current_dir(root).arg("build").args(arguments);
    let status = command.status().context("cannot start `cargo build`")?;
    Ok(status.success().then(|| target_folder(root).join("debug")))
}

/// Returns the folder of what is built.
fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// Returns the folder of what is built for a level of the x86-64 instruction set; `native` is what every other step builds.
fn level_folder(root: &Path, level: &str) -> PathBuf {
    match level {
        "native" => target_folder(root),
        _ => root.join("target/levels").join(level),
    }
}

/// Returns the platform to name to cargo, if this processor cannot run a level: what cargo itself runs, build scripts and
/// macros, is then not built for the level.
fn named_platform(level: &str) -> Result<Option<String>> {
    if crate::isa::can_run(level) {
        return Ok(None);
    }
    host_platform().map(Some)
}

/// Returns a command for cargo whose results are for a level, in a folder of that level's own.
///
/// Paths of this machine are not in the results. The variable replaces the flags in `.cargo/config.toml`.
pub(crate) fn cargo_for(root: &Path, level: &str) -> Result<Command> {
    let mut command = cargo();
    command.current_dir(root);
    if level != "native" {
        command
            .env("CARGO_TARGET_DIR", level_folder(root, level))
            .env("CARGO_ENCODED_RUSTFLAGS", level_flags(root, level)?);
    }
    Ok(command)
}

/// Returns what the compiler is told for a level, in the form of `CARGO_ENCODED_RUSTFLAGS`.
pub(crate) fn level_flags(root: &Path, level: &str) -> Result<String> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
        .context("no folder of cargo")?;
    let mut flags = vec!["-C".to_owned(), format!("target-cpu={level}")];
    for (from, to) in [(root, "outflank"), (home.as_path(), "cargo")] {
        flags.push(format!("--remap-path-prefix={}={to}", from.display()));
    }
    Ok(flags.join("\x1f"))
}

/// Builds a package for a level as a release has it, small; returns the folder of the results.
pub(crate) fn build_release(root: &Path, level: &str, package: &str) -> Result<PathBuf> {
    let mut command = cargo_for(root, level)?;
    command.args(["build", "--locked", "--release", "--package", package]);
    if level != "native" {
        command
            .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
            .env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    }
    let mut folder = level_folder(root, level);
    if let Some(platform) = named_platform(level)? {
        command.args(["--target", &platform]);
        folder.push(platform);
    }
    let status = command.status().context("cannot start `cargo build`")?;
    ensure!(status.success(), "{command:?} failed");
    Ok(folder.join("release"))
}

/// Returns a command for the compiler that cargo uses.
pub(crate) fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Returns the name of the platform that the compiler runs on.
pub(crate) fn host_platform() -> Result<String> {
    let output = rustc().arg("-vV").output().context("cannot start `rustc -vV`")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("`rustc -vV` names no host")
}
