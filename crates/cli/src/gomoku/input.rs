//! Positions of Gomoku from the command line.

use crate::options::GameArgs;
use outflank_gomoku::{Board, Rule};
use outflank_records::gomoku::Record;
use outflank_terminal::input::gomoku_record;

/// Returns the game that the arguments name, by the rules and on a board of the size that it says, or else the options.
pub(crate) fn record(input: &[String], game: GameArgs) -> anyhow::Result<Record> {
    let mut record = gomoku_record(input)?;
    record.rule = game.rule.or(record.rule);
    record.size = record.size.or(game.size);
    Ok(record)
}

/// Returns the position that the arguments name, with its moves.
pub(crate) fn board(input: &[String], game: GameArgs) -> anyhow::Result<Board> {
    let record = record(input, game)?;
    Ok(record.board(record.rule.unwrap_or_default(), SIZE)?)
}

/// Edge of the usual board in points.
pub(crate) const SIZE: u8 = 15;

/// Returns every position of a game that is not over and has stones, the position itself for a drawn board.
pub(crate) fn boards(word: &str, rule: Rule, size: u8) -> anyhow::Result<Vec<Board>> {
    let record = gomoku_record(&[word.to_owned()])?;
    let mut board = record.start(rule, size)?;
    let mut boards = vec![board.clone()];
    for mv in record.moves {
        board.play(mv)?;
        boards.push(board.clone());
    }
    boards.retain(|board| board.end().is_none() && board.n_stones() > 0);
    Ok(boards)
}
