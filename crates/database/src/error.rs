//! Why a database of games cannot be used.

use outflank_games::{IndexError, MovesError};
use std::{io, path::PathBuf};

/// Why a database of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such file.
    #[error("{}: there is no such database; `games import` makes one", .0.display())]
    Missing(PathBuf),
    /// The file cannot be looked at.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// Another kind of file.
    #[error("{}: not a database; it is left as it is", .0.display())]
    NotADatabase(PathBuf),
    /// A database of another program.
    #[error("{}: a database of another program (application number {id:#010x}); it is left as it is", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it says of itself.
        id: i32,
    },
    /// A database of a later version of this program.
    #[error("{}: made by a newer Outflank (version {found} of the format; this one knows {known}): update Outflank", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i32,
        /// The latest that is known here.
        known: i32,
    },
    /// Somebody else is writing.
    #[error("another program is writing to the database; try again when it has ended")]
    Busy,
    /// What is in the file cannot be.
    #[error("the database is damaged: {0}; make a new one by importing the sources again")]
    Damaged(String),
    /// More sources or games than numbers.
    #[error("the database is full")]
    Full,
    /// SQLite cannot do it.
    #[error("{0}")]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => Self::Busy,
            Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
                Self::Damaged(error.to_string())
            }
            _ => match error {
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..) => Self::Damaged(error.to_string()),
                _ => Self::Sqlite(error),
            },
        }
    }
}

impl From<MovesError> for Error {
    fn from(error: MovesError) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl From<IndexError> for Error {
    fn from(error: IndexError) -> Self {
        Self::Damaged(error.to_string())
    }
}
