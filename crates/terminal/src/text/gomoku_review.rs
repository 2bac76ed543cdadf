//! A review of a game of Gomoku in words.

use super::gomoku::forced_win;
use outflank_api::analyze::ForcedWin;
use outflank_gomoku::{Color, End};
use outflank_gomoku_engine::Value;
use outflank_study::gomoku_review::{
    BLUNDER, DUBIOUS, ForcedWin as Win, MISTAKE, Review, ReviewedMove, chance, text_graph,
};

/// Columns of a report.
const WIDTH: usize = 80;
/// Columns before what is said under a move.
const INDENT: usize = 6;

/// Returns a review in 80 columns: moves with what they missed and allowed, totals, graph.
///
/// Nothing of the game can be played after the place that `stopped` names.
pub fn report(title: &str, found: &Review, stopped: Option<&str>) -> String {
    let mut text = String::new();
    let mut add = |line: &str| {
        text.push_str(line.trim_end());
        text.push('\n');
    };
    let (rule, size) = (found.start.rule(), found.start.size());
    add(title);
    add(&format!("{rule}, {size}x{size}, {} moves", found.moves.len()));
    match found.end() {
        Some(end) => add(&format!("Result: {end}")),
        None => add("The game is not finished."),
    }
    if let Some(reason) = stopped {
        add("The record goes on with what is no legal move:");
        for line in wrapped(&format!("  {reason}")) {
            add(&line);
        }
    }
    if !found.complete {
        add("The review was stopped: the moves after these were not judged.");
    }
    add("");
    add("  #    move      before    after   best    loss");
    for reviewed in &found.moves {
        add(&row(reviewed));
        for note in notes(reviewed) {
            let indented = format!("{:INDENT$}{note}", "");
            for line in wrapped(&indented) {
                add(&line);
            }
        }
    }
    add("");
    add("player  moves  loss a move    ?!    ?   ??   missed  allowed  accuracy");
    for color in Color::BOTH {
        let totals = found.totals(color);
        let [dubious, mistakes, blunders] = totals.marks;
        add(&format!(
            "{:<6} {:>6}  {:>11.1}  {dubious:>4} {mistakes:>4} {blunders:>4}  {:>7}  {:>7}  {:>6.0} %",
            color.to_string(),
            totals.moves,
            totals.mean(),
            totals.missed,
            totals.allowed,
            totals.accuracy(),
        ));
    }
    add("Chances to win in percent, for who made the move; = proved.");
    add(&format!(
        "?! from {DUBIOUS} points lost, ? from {MISTAKE}, ?? from {BLUNDER}; accuracy: moves without a mark."
    ));
    add("");
    add("Black's chance after each move:");
    add(&text_graph(found, WIDTH, 15));
    text
}

/// Returns the line of a move.
fn row(reviewed: &ReviewedMove) -> String {
    let (mark, loss) = match (reviewed.forced, reviewed.loss()) {
        (true, _) => ("", "forced".to_owned()),
        (false, loss) if loss > 0.0 => (reviewed.mark().symbol(), format!("{loss:.1}")),
        _ => ("", String::new()),
    };
    let better = if reviewed.best == reviewed.mv {
        String::new()
    } else {
        reviewed.best.to_string()
    };
    format!(
        "{:>3} {} {:<4} {mark:<2}  {}  {}  {better:>5}  {loss:>6}",
        reviewed.number,
        match reviewed.color {
            Color::Black => 'X',
            Color::White => 'O',
        },
        reviewed.mv.to_string(),
        value(reviewed.best_value),
        value(reviewed.value),
    )
}

/// Returns a chance to win, and `=` behind one that is proved.
fn value(value: Value) -> String {
    let proved = if matches!(value, Value::Estimate(_)) {
        ' '
    } else {
        '='
    };
    format!("{:>6.1}{proved}", chance(value))
}

/// Returns what is said under a move.
fn notes(reviewed: &ReviewedMove) -> Vec<String> {
    let said = |win: &Win| forced_win(&ForcedWin::new(&win.proof));
    let mut notes = Vec::new();
    if reviewed.end == Some(End::Forbidden) {
        notes.push(format!("{} is forbidden for black, and loses", reviewed.mv));
    }
    if let Some(win) = &reviewed.missed {
        notes.push(format!("missed a win {}", said(win)));
    }
    if let Some(win) = &reviewed.allowed {
        let what = if win.stones() == 1 {
            "did not stop the five"
        } else {
            "allows a win"
        };
        notes.push(format!("{what} {}", said(win)));
    }
    notes
}

/// Returns a text in lines of at most 80 columns, the later ones indented two columns more than the first.
fn wrapped(text: &str) -> Vec<String> {
    let indent = text.len() - text.trim_start().len();
    let mut lines = Vec::new();
    let mut line = " ".repeat(indent);
    let mut is_empty = true;
    for word in text.split_whitespace() {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(line);
            line = " ".repeat(indent + 2);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn long_lines_are_wrapped_at_80_columns() {
        let text = format!("      {}", "abcd ".repeat(40));
        let lines = wrapped(&text);
        assert!(lines.len() > 2 && lines.iter().all(|line| line.chars().count() <= 80));
        assert!(lines[0].starts_with("      a") && lines[1].starts_with("        a"));
        assert_eq!(lines.join(" ").split_whitespace().count(), 40);
    }
}
