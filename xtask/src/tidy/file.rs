//! What every rule gets and gives: a text file, and what is wrong with it.

use std::fmt;
use std::path::Path;

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    /// Path from the workspace's root, with forward slashes.
    pub(crate) path: String,
    /// Line, counted from 1; 0 if the problem concerns the whole file.
    pub(crate) line: usize,
    /// What is wrong and what to do about it.
    pub(crate) message: String,
}

impl Problem {
    /// Builds a problem at `line` (from 1, or 0 for the whole file) of `path`.
    pub(crate) fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// A text file of the project.
#[derive(Clone, Debug)]
pub(crate) struct TextFile {
    /// Path from the workspace's root, with forward slashes.
    pub(crate) path: String,
    /// Contents.
    pub(crate) text: String,
}

/// Reports whether `path` ends in `.` and `ending`.
pub(crate) fn has_extension(path: &str, ending: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == ending)
}
