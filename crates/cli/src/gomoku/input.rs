//! Positions from the command line, and the options that every command shares.

use crate::options::GameArgs;
use anyhow::Context;
use outflank_gomoku::{Board, Rule};
use outflank_records::gomoku::{self, Record};
use outflank_terminal::output::complain;
use std::{fs, io::Read, path::Path};

/// Returns the position that the arguments name, with its moves.
pub(crate) fn board(input: &[String], game: GameArgs) -> anyhow::Result<Board> {
    let record = match input {
        [word] => read(word)?,
        words => parse(words.join(" ").as_bytes())?,
    };
    let rule = game.rule.or(record.rule).unwrap_or_default();
    Ok(record.board(rule, game.size.unwrap_or(SIZE))?)
}

/// Edge of the usual board in points.
const SIZE: u8 = 15;

/// Reads standard input for `-`, the file of this name, or the text itself.
fn read(word: &str) -> anyhow::Result<Record> {
    if word == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        parse(&bytes)
    } else if Path::new(word).is_file() {
        let bytes = fs::read(word).with_context(|| format!("cannot read {word}"))?;
        parse(&bytes).with_context(|| word.to_owned())
    } else {
        parse(word.as_bytes())
    }
}

/// Reads a record; what is doubtful about it goes to standard error.
fn parse(bytes: &[u8]) -> anyhow::Result<Record> {
    let parsed = gomoku::read_bytes(bytes)?;
    for warning in &parsed.warnings {
        complain(&format!("warning: {warning}"));
    }
    Ok(parsed.value)
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
