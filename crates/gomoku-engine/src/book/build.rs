//! Which positions an opening table is made of.
//!
//! ```text
//! one stone:  the center
//! two:        the center and any stone near it
//! more:       for each position two stones smaller: the best reply known to it, then any stone near the others
//! ```
//!
//! So a player who follows the table meets its positions whatever the other side does nearby, with either color.
//! The replies themselves come from whoever asks ([`lacking`] names the positions without any): a build that was
//! stopped goes on where the table ends, and finds the same positions as one that ran through.

use super::OpeningTable;
use outflank_game::SplitMix64;
use outflank_gomoku::{
    Board, Color, Point, Rule, SetupError, Tables,
    canonical::{ShapeKey, shape_of},
};
use std::collections::BTreeMap;

/// What positions a table shall hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// The rule set.
    pub rule: Rule,
    /// Edge of the board in points; only edges nearer than [`outflank_gomoku::canonical::EDGE`] matter.
    pub size: u8,
    /// Stones of the largest positions.
    pub stones: u32,
    /// How far from other stones the other side's stones may lie, in points along either axis.
    pub reach: u32,
    /// Most positions with the same number of stones; which ones are left out is decided by `seed`.
    pub most: usize,
    /// Decides which positions are left out.
    pub seed: u64,
}

/// Returns the positions that `table` still lacks among those with the fewest stones; none if it is complete.
///
/// Ask again when they have replies: the larger positions depend on them.
///
/// # Errors
///
/// [`SetupError::Size`] for a board that does not exist.
pub fn lacking(table: &OpeningTable, options: &BuildOptions) -> Result<Vec<Board>, SetupError> {
    let tables = Tables::new(options.rule);
    let mut center = Board::with_tables(tables, options.size)?;
    let middle = Point::new(options.size / 2, options.size / 2).unwrap_or_default();
    if center.play(middle).is_err() || options.stones == 0 {
        return Ok(Vec::new());
    }
    // The positions one and two stones smaller than those looked at.
    let (mut smaller, mut level) = (Vec::new(), vec![center]);
    for stones in 1..=options.stones {
        let lacks: Vec<Board> = level
            .iter()
            .filter(|board| !table.knows(board))
            .cloned()
            .collect();
        if !lacks.is_empty() {
            return Ok(lacks);
        }
        let next = if stones == 1 {
            around(&level, options)
        } else {
            let replied: Vec<Board> = smaller
                .iter()
                .filter_map(|board: &Board| {
                    let (reply, _) = table.replies(board).first().copied()?;
                    let mut board = board.clone();
                    board.play(reply).ok()?;
                    Some(board)
                })
                .collect();
            around(&replied, options)
        };
        smaller = std::mem::replace(&mut level, sample(next, options, stones + 1));
    }
    Ok(Vec::new())
}

/// Returns every position that one more stone near the others makes, each shape once, in the order of their keys.
fn around(boards: &[Board], options: &BuildOptions) -> BTreeMap<ShapeKey, Board> {
    let mut found = BTreeMap::new();
    for board in boards.iter().filter(|board| board.end().is_none()) {
        let stones = board.stones(Color::Black).union(board.stones(Color::White));
        let near = stones.spread(options.reach).intersection(&board.empties());
        for point in near {
            let mut next = board.clone();
            if next.play(point).is_ok()
                && next.end().is_none()
                && let Some((key, _)) = shape_of(&next)
            {
                found.entry(key).or_insert(next);
            }
        }
    }
    found
}

/// Leaves at most `options.most` positions.
fn sample(found: BTreeMap<ShapeKey, Board>, options: &BuildOptions, stones: u32) -> Vec<Board> {
    let mut boards: Vec<Board> = found.into_values().collect();
    let mut random = SplitMix64::new(options.seed.wrapping_add(u64::from(stones)));
    while boards.len() > options.most.max(1) {
        boards.swap_remove(random.below(boards.len()));
    }
    boards
}
