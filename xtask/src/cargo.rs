//! How the chores start cargo, and what they ask the compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

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
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(status.success().then(|| folder.join("debug")))
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
