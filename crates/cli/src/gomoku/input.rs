//! Positions from the command line, and the options that every command shares.

use crate::input::complain;
use anyhow::Context;
use outflank_gomoku::{Board, Color, Point, Rule, notation::moves_text};
use outflank_gomoku_engine::{Line, Value};
use outflank_records::gomoku::{self, Record, sgf};
use serde_json::json;
use std::{fs, io::Read, path::Path};

/// Where the stones are and what the rules are.
#[derive(clap::Args, Debug)]
pub(super) struct PositionArgs {
    /// Moves (h8i9j10, or 7,7 8,8 counted from 0), an SGF or psq file, a drawn board, or `-` for standard input.
    pub(super) moves: Vec<String>,
    /// Rule set: freestyle, standard, renju or caro; that of the record if it names one, else freestyle.
    #[arg(long)]
    pub(super) rule: Option<Rule>,
    /// Edge of the board in points.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u8).range(5..=20))]
    pub(super) size: u8,
}

impl PositionArgs {
    /// Returns the position with its moves.
    pub(super) fn board(&self) -> anyhow::Result<Board> {
        let record = match &self.moves[..] {
            [word] => read(word)?,
            words => parse(words.join(" ").as_bytes())?,
        };
        let rule = self.rule.or(record.rule).unwrap_or_default();
        Ok(record.board(rule, self.size)?)
    }
}

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

/// Returns the stones in playing order as moves; as SGF if they did not alternate, so that they can be read again.
pub(super) fn history_text(board: &Board) -> String {
    let history = board.history();
    let turns = [Color::Black, Color::White].into_iter().cycle();
    let alternates = history.iter().map(|stone| stone.1).eq(turns.take(history.len()));
    let next = if history.len().is_multiple_of(2) {
        Color::Black
    } else {
        Color::White
    };
    if alternates && board.side() == next {
        let points: Vec<Point> = history.into_iter().map(|(point, _)| point).collect();
        return moves_text(&points);
    }
    let record = Record {
        size: Some(board.size()),
        stones: history,
        side: Some(board.side()),
        ..Record::default()
    };
    sgf::write(&record, board.size())
}

/// Returns `X` or `O` for the side to move.
pub(super) fn side_text(board: &Board) -> &'static str {
    match board.side() {
        Color::Black => "X",
        Color::White => "O",
    }
}

/// Returns moves as JSON.
pub(super) fn points(moves: &[Point]) -> Vec<String> {
    moves.iter().map(Point::to_string).collect()
}

/// Returns a line of the engine as JSON: the value is the win probability in percent, or the stones to the end.
pub(super) fn line_json(line: &Line) -> serde_json::Value {
    let kind = match line.value {
        Value::Win(_) => "win",
        Value::Loss(_) => "loss",
        Value::Estimate(_) => "estimate",
    };
    let mut object = json!({
        "move": line.moves.first().map(Point::to_string),
        "value": (line.value.win_probability() * 10_000.0).round() / 100.0,
        "kind": kind,
        "depth": line.verdict.depth().unwrap_or(0),
        "pv": points(&line.moves),
    });
    if let Value::Win(stones) | Value::Loss(stones) = line.value {
        object["stones"] = json!(stones);
    }
    object
}

/// Returns a value for people: the chance to win in percent, or `+M7` for a win within 7 stones.
pub(super) fn value_text(value: Value) -> String {
    match value {
        Value::Estimate(_) => format!("{:.1} %", value.win_probability() * 100.0),
        proven => proven.to_string(),
    }
}
