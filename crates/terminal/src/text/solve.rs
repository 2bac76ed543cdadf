//! Solved positions in words.

use crate::output::grouped;
use outflank_study::batch::{Answer, Summary};

/// Returns the line of a solved position.
pub fn answer(answer: &Answer) -> String {
    let value = match answer.value {
        None => "?".to_owned(),
        Some(value) if answer.kind == "wld" => {
            ["loss", "draw", "win"][(value.signum() + 1) as usize].to_owned()
        }
        Some(0) => "0".to_owned(),
        Some(value) => format!("{value:+}"),
    };
    let best = answer.pv.first().map_or("-", String::as_str);
    let verdict = match (answer.ok, answer.expected) {
        (Some(true), _) => "  ok".to_owned(),
        (Some(false), Some(0)) => "  WRONG: the file says 0".to_owned(),
        (Some(false), Some(value)) => format!("  WRONG: the file says {value:+}"),
        _ if answer.kind == "aborted" => "  not finished in time".to_owned(),
        _ => String::new(),
    };
    let mut moves: Vec<(&String, i32)> = answer
        .values
        .iter()
        .map(|(square, &value)| (square, value))
        .collect();
    moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
    let moves: Vec<String> = moves
        .iter()
        .map(|(square, value)| format!("{square} {value:+}"))
        .collect();
    let moves = moves.join(" ");
    format!(
        "{:<10} {:2} empties  {value:>4}  {best:4} {:>14} nodes {:9.3} s{verdict}{}{moves}",
        answer.id,
        answer.empties,
        grouped(answer.nodes),
        answer.seconds.unwrap_or(0.0),
        if moves.is_empty() { "" } else { "  " },
    )
}

/// Returns the line after the last position.
pub fn summary(summary: &Summary) -> String {
    let aborted = match summary.aborted {
        0 => String::new(),
        n => format!("{n} not finished, "),
    };
    format!(
        "{} positions, {aborted}{} of {} known values right, {} nodes, {:.3} s, {:.1} million nodes a second",
        summary.positions,
        summary.ok,
        summary.ok + summary.wrong,
        grouped(summary.nodes),
        summary.seconds,
        summary.nodes as f64 / summary.seconds.max(1e-9) / 1e6,
    )
}
