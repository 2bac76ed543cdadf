//! Positions from the command line, and the options that every command shares.

use anyhow::Context;
use outflank_gomoku::{Board, Point, Rule, notation::read_game};
use outflank_gomoku_engine::{Line, Value};
use serde_json::json;
use std::{fs, io::Read, path::Path};

/// Where the stones are and what the rules are.
#[derive(clap::Args, Debug)]
pub(super) struct PositionArgs {
    /// Moves (h8i9j10, or 7,7 8,8 counted from 0), an SGF or psq file, a drawn board, or `-` for standard input.
    pub(super) moves: Vec<String>,
    /// Rule set: freestyle, standard, renju or caro.
    #[arg(long, default_value = "freestyle")]
    pub(super) rule: Rule,
    /// Edge of the board in points.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u8).range(5..=20))]
    pub(super) size: u8,
}

impl PositionArgs {
    /// Returns the position with its moves.
    pub(super) fn board(&self) -> anyhow::Result<Board> {
        let text = match &self.moves[..] {
            [word] => read_text(word)?,
            words => words.join(" "),
        };
        Ok(read_game(&text)?.board(self.rule, self.size)?)
    }
}

/// Returns standard input for `-`, the content of the file of this name, or the text itself.
fn read_text(word: &str) -> anyhow::Result<String> {
    if word == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        Ok(text)
    } else if Path::new(word).is_file() {
        fs::read_to_string(word).with_context(|| format!("cannot read {word}"))
    } else {
        Ok(word.to_owned())
    }
}

/// Returns every position of a game that is not over and has stones, the position itself for a drawn board.
pub(crate) fn boards(word: &str, rule: Rule, size: u8) -> anyhow::Result<Vec<Board>> {
    let record = read_game(&read_text(word)?)?;
    let last = record.board(rule, size)?;
    let mut boards = Vec::new();
    if record.moves.is_empty() {
        boards.push(last);
    } else {
        let mut board = Board::new(rule, last.size())?;
        for mv in record.moves {
            board.play(mv)?;
            boards.push(board.clone());
        }
    }
    boards.retain(|board| board.end().is_none() && board.n_stones() > 0);
    Ok(boards)
}

/// Returns the stones in playing order as moves, or `None` if they did not alternate.
pub(super) fn history_text(board: &Board) -> String {
    let points: Vec<Point> = board.history().into_iter().map(|(point, _)| point).collect();
    outflank_gomoku::notation::moves_text(&points)
}

/// Returns `X` or `O` for the side to move.
pub(super) fn side_text(board: &Board) -> &'static str {
    match board.side() {
        outflank_gomoku::Color::Black => "X",
        outflank_gomoku::Color::White => "O",
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
        "depth": line.depth,
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
