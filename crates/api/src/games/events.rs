//! What an import says.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an import says on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum ImportEvent {
    /// A game cannot be read.
    Bad {
        /// The source.
        source: String,
        /// Its number there, from 1; 0 if it is about the whole source.
        number: u32,
        /// The line, where there are lines.
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        /// Number of the move that is not legal, from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        ply: Option<usize>,
        /// What is wrong.
        reason: String,
    },
    /// So many games of a source were read.
    Progress {
        /// Number of the source, from 1.
        source: usize,
        /// Sources in all.
        of: usize,
        /// Games of all sources.
        games: u64,
    },
    /// A source is done.
    Source {
        /// Its name.
        source: String,
        /// `new`, `replaced`, `unchanged`, or `names` where it holds no games but names of players or tournaments.
        change: String,
        /// Games of it.
        games: u64,
        /// Games of it that cannot be read.
        bad: u64,
        /// Positions in it, which are no games.
        positions: u64,
    },
    /// All sources were read, and the index is made.
    Indexing,
    /// The end.
    Done(ImportSummary),
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportSummary {
    /// Sources that were not there.
    pub new: u64,
    /// Sources that had other contents.
    pub replaced: u64,
    /// Sources that were there already.
    pub unchanged: u64,
    /// Games that were added.
    pub games: u64,
    /// Games that cannot be read.
    pub bad: u64,
    /// Games of former contents, which are gone.
    pub removed: u64,
    /// Games in the whole collection.
    pub total: u64,
    /// Games in the whole collection that stand there twice and count once.
    pub duplicates: u64,
    /// Whether it was cut short: sources are missing, those that are there are whole.
    pub stopped: bool,
}
