//! The main search: principal variation search over candidates, with wins by fours at every node.
//!
//! ```text
//! node: five -> win; a five of the other side -> only its point, at no cost in depth
//!       table; open four -> win; a win by fours -> win
//!       a win by fours of the other side if we passed -> only the points that parry it (a complete set)
//!       depth 0 -> evaluation
//!       null move, futility; candidates near the stones, ordered by shapes and history; reductions for quiet moves
//! ```
//!
//! A loss is reported only where the moves considered are complete: every answer to a proven threat. Where the
//! candidates are a choice, the worst value is [`EVAL_BOUND`] below zero. A win at a node needs its child's proven
//! loss, so that every reported win or loss is proven whatever the depth and the reductions.

mod engine;
mod moves;
mod node;
mod root;

pub use engine::{Engine, EngineSettings, Event, Line, Outcome, SearchLimits};

use crate::{Budget, ThreatSearch, eval::Weights, table::Entry};
use moves::MAX_CANDIDATES;
use outflank_gomoku::{Board, Color, Point};
use outflank_search::Table;

/// Most stones from the root to a node.
const MAX_PLY: usize = 200;

/// Everything one search works on.
struct Worker<'a> {
    board: Board,
    weights: &'a Weights,
    table: &'a Table<Entry>,
    threats: &'a mut ThreatSearch,
    budget: Budget,
    killers: Vec<[Option<Point>; 2]>,
    /// How often a point of a color cut off, by index of the point.
    history: Box<[[i32; 512]; 2]>,
    /// Best line from each ply.
    lines: Vec<Vec<Point>>,
    root_depth: i32,
    /// Positions that one look for a win by fours may cost.
    vcf_nodes: u64,
    deepest: usize,
}

/// Returns the key of a position in the table.
fn table_key(board: &Board, side: Color) -> u64 {
    board.stones_key()
        ^ if side == Color::Black {
            0
        } else {
            0xE703_7ED1_A0B4_28DB
        }
}
