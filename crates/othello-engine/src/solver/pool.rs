//! What the threads of a solver share.

use super::Techniques;
use crate::table::ExactEntry;
use outflank_search::Table;

/// Read by all threads; only the table changes.
pub(super) struct Shared<E> {
    pub(super) evaluator: E,
    pub(super) table: Table<ExactEntry>,
    pub(super) techniques: Techniques,
}
