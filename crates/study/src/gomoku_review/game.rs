//! The moves of a record that can be judged.

use outflank_gomoku::{Board, Point, Rule};
use outflank_records::gomoku::{ReadError, Record};

/// A game as far as it can be played.
#[derive(Clone, Debug)]
pub struct Course {
    /// The position before the first move.
    pub start: Board,
    /// The moves, all legal.
    pub moves: Vec<Point>,
    /// Why the next move of the record cannot be played, where there is one.
    pub stopped: Option<ReadError>,
}

impl Course {
    /// Returns every position of the game, one more than there are moves.
    pub(super) fn positions(&self) -> Vec<Board> {
        let mut positions = vec![self.start.clone()];
        let mut board = self.start.clone();
        for &mv in &self.moves {
            if board.play(mv).is_err() {
                break;
            }
            positions.push(board.clone());
        }
        positions
    }
}

/// Returns the game that a record tells, under `rule` and on a board of its own size, or `size` if it names none: up to the
/// first move that cannot be played.
///
/// # Errors
///
/// [`ReadError`] for stones that make no position.
pub fn course(record: &Record, rule: Rule, size: u8) -> Result<Course, ReadError> {
    let start = record.start(rule, size)?;
    let stopped = record.board(rule, size).err();
    let legal = stopped.as_ref().and_then(|error| error.nth);
    let n_moves = legal.map_or(record.moves.len(), |nth| nth - 1);
    Ok(Course {
        start,
        moves: record.moves[..n_moves].to_vec(),
        stopped,
    })
}
