//! Why there is no engine.

use outflank_search::TableError;

/// Why there is no engine, or no solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// No memory for the table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The system gives no more threads.
    #[error("cannot start {wanted} threads ({reason}); ask for fewer (--threads)")]
    Threads {
        /// Threads asked for.
        wanted: usize,
        /// What the system says.
        reason: String,
    },
}
