//! What every command shares: exit codes, writing to standard output, and when to use color.

pub use outflank_jobs::grouped;
use outflank_jobs::write_atomic;
use serde::Serialize;
use std::{
    io::{self, IsTerminal, Write},
    path::Path,
    process::ExitCode,
};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All right: exit code 0.
    Success,
    /// A check failed, or the work was cut short: exit code 1.
    CheckFailed,
    /// Bad usage or input: exit code 2.
    BadInput,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Success => 0,
            Status::CheckFailed => 1,
            Status::BadInput => 2,
        })
    }
}

/// Writes bytes to standard output.
pub fn write_all(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}

/// Writes one line to standard output at once, so that a reader sees it while the command goes on.
pub fn line(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Writes one object as a line of JSON at once.
pub fn object(object: &impl Serialize) -> anyhow::Result<()> {
    line(&serde_json::to_string(object)?)
}

/// Writes one line to standard error, if somebody is there to read it: a terminal that is gone is no reason to panic.
pub fn complain(text: &str) {
    let _unread = writeln!(io::stderr().lock(), "outflank: {text}");
}

/// Returns whether to color what goes to standard output: a terminal, and no `NO_COLOR`.
pub fn use_color() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Returns whether the terminal knows nothing but letters.
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
}

/// Returns what went wrong and why, each reason once: many errors name their cause themselves.
pub fn reasons(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !text.contains(&cause) {
            if !text.is_empty() {
                text.push_str(": ");
            }
            text.push_str(&cause);
        }
    }
    text
}

/// Returns whether this name stands for standard output.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes a whole file, which appears only when it is complete; `-` is standard output.
pub fn file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if is_stdout(path) {
        write_all(bytes)
    } else {
        Ok(write_atomic(path, bytes)?)
    }
}

/// Returns whether the error only says that nobody reads our output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::reasons;
    use anyhow::Context as _;

    #[test]
    fn each_reason_is_said_once() {
        let of = |path: &str| -> anyhow::Result<()> { Ok(outflank_jobs::write_atomic(path, b"x")?) };
        let error = of("/nonexist/x").context("--out").expect_err("no such folder");
        let text = reasons(&error);
        assert!(text.starts_with("--out: cannot "), "{text}");
        assert_eq!(text.matches("No such file").count(), 1, "{text}");
    }
}
