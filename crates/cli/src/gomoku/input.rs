//! Positions from the command line, and the options that every command shares.

use crate::options::GameArgs;
use anyhow::Context;
use outflank_api::Source;
use outflank_gomoku::{Board, Rule};
use outflank_records::gomoku::Record;
use outflank_terminal::output::complain;
use std::{fs::File, io, path::Path};

/// Returns the position that the arguments name, with its moves.
pub(crate) fn board(input: &[String], game: GameArgs) -> anyhow::Result<Board> {
    let record = match input {
        [word] => read(word)?,
        words => parse(Source::Text(&words.join(" ")))?,
    };
    let rule = game.rule.or(record.rule).unwrap_or_default();
    Ok(record.board(rule, game.size.unwrap_or(SIZE))?)
}

/// Edge of the usual board in points.
const SIZE: u8 = 15;

/// Reads standard input for `-`, the file of this name, or the text itself.
fn read(word: &str) -> anyhow::Result<Record> {
    if word == "-" {
        parse(Source::Reader(Box::new(io::stdin().lock())))
    } else if Path::new(word).is_file() {
        let file = File::open(word).with_context(|| format!("cannot read {word}"))?;
        parse(Source::Reader(Box::new(file))).with_context(|| word.to_owned())
    } else {
        parse(Source::Text(word))
    }
}

/// Reads a record; what is doubtful about it goes to standard error.
fn parse(source: Source<'_>) -> anyhow::Result<Record> {
    let (record, warnings) = source.gomoku()?;
    for warning in warnings {
        complain(&format!("warning: {warning}"));
    }
    Ok(record)
}

/// Returns every position of a game that is not over and has stones, the position itself for a drawn board.
pub(crate) fn boards(word: &str, rule: Rule, size: u8) -> anyhow::Result<Vec<Board>> {
    let record = read(word)?;
    let mut board = record.start(rule, size)?;
    let mut boards = vec![board.clone()];
    for mv in record.moves {
        board.play(mv)?;
        boards.push(board.clone());
    }
    boards.retain(|board| board.end().is_none() && board.n_stones() > 0);
    Ok(boards)
}
