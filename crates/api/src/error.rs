//! Why something that was asked for cannot be done.

use std::io;

/// Why a request cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It names a file, and the front-end does not open files.
    #[error("{0:?} is the name of a file, and no file may be opened here; send its contents as text")]
    PathRefused(String),
    /// A description names no player, or one that may not be reached from here.
    #[error("{0}")]
    Player(String),
    /// A file cannot be opened.
    #[error("{path}: {reason}")]
    Open {
        /// The file.
        path: String,
        /// What the system says.
        reason: io::Error,
    },
    /// A text or file has nothing that can be read in it.
    #[error("{0}")]
    Input(String),
    /// A number is outside of its range.
    #[error("{name}: {reason}")]
    Value {
        /// The field of the request.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// More is sent than may be kept.
    #[error("{0}")]
    TooMuch(String),
    /// There is no engine to be had.
    #[error("no engine: {0}")]
    Engine(String),
}
