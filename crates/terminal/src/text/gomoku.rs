//! Gomoku in words.

use outflank_gomoku::Point;
use outflank_gomoku_engine::Value;

/// Returns moves as text.
pub fn points(moves: &[Point]) -> Vec<String> {
    moves.iter().map(Point::to_string).collect()
}

/// Returns a value for people: the chance to win in percent, or `+M7` for a win within 7 stones.
pub fn value_text(value: Value) -> String {
    match value {
        Value::Estimate(_) => format!("{:.1} %", value.win_probability() * 100.0),
        proven => proven.to_string(),
    }
}
