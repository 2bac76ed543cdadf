//! What opening tables of Gomoku hold, as `outflank book --json` writes it.

use crate::analyze::history;
use outflank_gomoku::{Board, canonical::ShapeKey};
use outflank_gomoku_engine::{OpeningTable, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a table answers to a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replies {
    /// The position's moves.
    pub history: String,
    /// Whether the table has the position.
    pub known: bool,
    /// The replies, best first.
    pub replies: Vec<Reply>,
    /// The rule set.
    pub rule: String,
}

/// One reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The chance to win after it, in percent.
    pub value: f64,
}

impl Replies {
    /// Asks `table` about a position.
    pub fn new(board: &Board, table: &OpeningTable) -> Self {
        let replies = table.replies(board).into_iter().map(|(point, value)| Reply {
            mv: point.to_string(),
            value: (Value::Estimate(value).win_probability() * 1_000.0).round() / 10.0,
        });
        Self {
            history: history(board),
            known: table.knows(board),
            replies: replies.collect(),
            rule: board.rule().to_string(),
        }
    }
}

/// What a table holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// How many shapes of each rule set and size there are.
    pub counts: Vec<Count>,
    /// Lines of the table, those that were asked for.
    pub lines: Vec<String>,
    /// How many shapes there are.
    pub shapes: usize,
}

/// How many shapes there are of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// The rule set.
    pub rule: String,
    /// How many.
    pub shapes: usize,
    /// How many stones they have.
    pub stones: usize,
}

impl Contents {
    /// Counts what is in `table`, and lists the shapes with this many stones.
    pub fn new(table: &OpeningTable, stones: Option<usize>) -> Self {
        let mut counts: BTreeMap<(String, usize), usize> = BTreeMap::new();
        for key in table.shapes() {
            *counts
                .entry((key.rule().to_string(), key.n_stones()))
                .or_default() += 1;
        }
        let count = |((rule, stones), shapes)| Count { rule, shapes, stones };
        let text = table.write();
        let listed = text.lines().filter(|line| {
            let key = line.split_once(" > ").and_then(|(key, _)| key.parse().ok());
            key.is_some_and(|key: ShapeKey| Some(key.n_stones()) == stones)
        });
        Self {
            counts: counts.into_iter().map(count).collect(),
            lines: listed.map(str::to_owned).collect(),
            shapes: table.len(),
        }
    }
}
