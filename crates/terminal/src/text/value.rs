//! Values as people and programs read them: the number, what it is worth, and the moves behind it.

use outflank_eval::Score;
use outflank_othello::Game;
use outflank_othello_engine::Line;
use outflank_search::{Origin, Verdict};
use outflank_study::{names, review};

/// Returns the value as people read it.
pub fn value_text(line: &Line) -> String {
    match line.verdict {
        Verdict::Exact => match line.value.units() / Score::PER_DISC {
            0 => "0".to_owned(),
            discs => format!("{discs:+}"),
        },
        Verdict::WinLossDraw => {
            ["loss", "draw", "win"][(line.value.units().signum() + 1) as usize].to_owned()
        }
        Verdict::Aborted => "?".to_owned(),
        _ => line.value.to_string(),
    }
}

/// Returns the line that says what all moves without a line of their own are worth at most; `verdict` is what the best
/// line's value is worth.
pub fn rest_text(bound: Score, verdict: Verdict) -> String {
    let value = value_text(&Line::searched(Vec::new(), bound, verdict));
    format!("all others: at most {value}")
}

/// Returns what the value is worth as people read it.
pub(crate) fn worth_text(verdict: Verdict) -> String {
    match verdict {
        Verdict::Exact => "exact".to_owned(),
        Verdict::WinLossDraw => "proven".to_owned(),
        Verdict::AtLeast | Verdict::AtMost => "bound".to_owned(),
        Verdict::Estimate { depth, confidence } => format!("depth {depth} {confidence}%"),
        Verdict::Aborted => "stopped".to_owned(),
    }
}

/// Returns one line of text about a line of play.
pub fn line_text(line: &Line, width: usize) -> String {
    let worth = match line.origin {
        Origin::Search => worth_text(line.verdict),
        Origin::Book => format!("book, {}", worth_text(line.verdict)),
    };
    let mut text = format!("{:>7}  {worth:14}", value_text(line));
    for mv in &line.moves {
        if text.chars().count() + 5 > width {
            text.push_str(" …");
            break;
        }
        text.push(' ');
        text.push_str(&mv.to_string());
    }
    text
}

/// A number of discs with its sign and one decimal; never `-0`.
pub(crate) fn signed(value: f64) -> String {
    let text = format!("{value:+.1}");
    match text.as_str() {
        "-0.0" | "+0.0" => "0.0".to_owned(),
        _ => text,
    }
}

/// Returns a value of a review or a game with what it is worth: whole discs where it is exact.
pub(crate) fn known_text(value: review::Value) -> String {
    let number = match value.verdict {
        Verdict::Exact if value.discs != 0.0 => format!("{:+.0}", value.discs),
        Verdict::Exact => "0".to_owned(),
        _ => signed(value.discs),
    };
    format!("{number} ({})", worth_text(value.verdict))
}

/// Returns the name of a game's opening, and after how many moves it was reached if the game went on; `None` for a game
/// without a known opening.
pub fn opening_of(game: &Game) -> Option<String> {
    let opening = names::of_game(game)?;
    let name = opening.name.to_string();
    Some(if opening.moves == game.moves().len() {
        name
    } else {
        format!("{name}, after {} moves", opening.moves)
    })
}
