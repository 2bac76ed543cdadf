//! How the chores start cargo, and what they ask the compiler.

use std::process::Command;

use anyhow::{Context as _, Result};

/// Returns a command for the cargo that started this program, so that a `+toolchain` choice is kept.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
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
