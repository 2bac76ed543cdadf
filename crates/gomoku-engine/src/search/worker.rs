//! What one thread of the main search works on.

use crate::{budget::Budget, eval::Weights, table::Entry, threat::search::ThreatSearch};
use outflank_gomoku::{Board, Color, Point};
use outflank_search::Table;

/// Most stones from the root to a node.
pub(super) const MAX_PLY: usize = 200;

/// Everything one search works on.
pub(crate) struct Worker<'a> {
    pub(super) board: Board,
    pub(super) weights: &'a Weights,
    pub(super) table: &'a Table<Entry>,
    pub(super) threats: &'a mut ThreatSearch,
    pub(super) budget: Budget,
    pub(super) killers: Vec<[Option<Point>; 2]>,
    /// How often a point of a color cut off, by index of the point.
    pub(super) history: Box<[[i32; 512]; 2]>,
    /// Best line from each ply.
    pub(super) lines: Vec<Vec<Point>>,
    pub(super) root_depth: i32,
    /// Positions that one look for a win by fours may cost.
    pub(super) vcf_nodes: u64,
    /// Number of this search, for what it stores in the table.
    pub(super) search: u32,
}

impl<'a> Worker<'a> {
    /// Returns a thread's state before its first search; `vcf_nodes` is what one look for a win by fours may cost.
    pub(crate) fn new(
        board: Board,
        weights: &'a Weights,
        table: &'a Table<Entry>,
        threats: &'a mut ThreatSearch,
        budget: Budget,
        vcf_nodes: u64,
        search: u32,
    ) -> Self {
        Self {
            board,
            weights,
            table,
            threats,
            budget,
            killers: vec![[None; 2]; MAX_PLY],
            history: Box::new([[0; 512]; 2]),
            lines: vec![Vec::new(); MAX_PLY + 1],
            root_depth: 0,
            vcf_nodes,
            search,
        }
    }
}

/// Returns the key of a position in the table.
pub(super) fn table_key(board: &Board, side: Color) -> u64 {
    board.stones_key()
        ^ if side == Color::Black {
            0
        } else {
            0xE703_7ED1_A0B4_28DB
        }
}
