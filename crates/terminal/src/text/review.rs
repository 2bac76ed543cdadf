//! A review in words.

use super::value::signed;
use outflank_othello::Color;
use outflank_records::GameRecord;
use outflank_search::{Origin, Verdict};
use outflank_study::review::{self, BLUNDER, DUBIOUS, MISTAKE, PHASES, Review, Value};

/// Returns how game number `number` is called: by its players, if they are known.
pub fn title(record: &GameRecord, number: usize) -> String {
    match (record.tag("PB"), record.tag("PW")) {
        (Some(black), Some(white)) => format!("{black} – {white}"),
        _ => format!("Game {number}"),
    }
}

/// Returns a review in 80 columns: opening, moves, totals, graph.
///
/// Nothing of the game can be read after the place that `stopped` names.
pub fn report(title: &str, record: &GameRecord, found: &Review, stopped: Option<&str>) -> String {
    let mut text = String::new();
    let mut add = |line: String| {
        text.push_str(line.trim_end());
        text.push('\n');
    };
    add(title.to_owned());
    if let Some(opening) = &found.opening {
        add(format!(
            "Opening: {}, after {} moves",
            opening.name, opening.moves
        ));
    }
    if let Some(reason) = stopped {
        let n_moves = found.game.moves().len();
        add(format!(
            "Reviewed up to move {n_moves}; what follows is no legal move: {reason}"
        ));
    }
    match found.game.result() {
        Some(result) => add(format!("Result: {} for black", result.discs)),
        None => add("The game is not finished.".to_owned()),
    }
    if let Some(stated) = record.tag("RE").filter(|_| found.game.result().is_none()) {
        add(format!("Stated result: {stated}"));
    }
    if !found.complete {
        add("Searches were cut short: the values are less deep than the level asks for.".to_owned());
    }
    add(String::new());
    add("  #    move        value   best  value    loss".to_owned());
    for reviewed in &found.moves {
        let (mark, loss) = if reviewed.forced {
            ("", "forced".to_owned())
        } else if reviewed.loss > 0.0 {
            let loss = format!("{:.1}{}", reviewed.loss, if reviewed.exact { "" } else { " ~" });
            (reviewed.mark().symbol(), loss)
        } else {
            ("", String::new())
        };
        let better = if reviewed.best == reviewed.mv {
            (String::new(), String::new())
        } else {
            (reviewed.best.to_string(), signed(reviewed.best_value.discs))
        };
        add(format!(
            "{:>3} {} {:<4} {mark:<2}  {:>7}{} {:>6} {:>6}  {loss:>8}",
            reviewed.number,
            reviewed.color.symbol(),
            reviewed.mv.to_string(),
            signed(reviewed.value.discs),
            match reviewed.value {
                Value {
                    verdict: Verdict::Exact,
                    ..
                } => "=",
                Value {
                    origin: Origin::Book, ..
                } => "b",
                _ => " ",
            },
            better.0,
            better.1,
        ));
    }
    add(String::new());
    add(format!(
        "player   loss  a move   {}    ?!    ?   ??",
        PHASES.map(|phase| format!("{phase:>8}")).join(" ")
    ));
    for color in [Color::Black, Color::White] {
        let totals = found.totals(color);
        let [dubious, mistakes, blunders] = totals.marks;
        add(format!(
            "{:<6} {:>6.1}  {:>6.2}   {}  {dubious:>4} {mistakes:>4} {blunders:>4}",
            color.to_string(),
            totals.loss,
            totals.loss / totals.moves.max(1) as f64,
            totals.by_phase.map(|loss| format!("{loss:>8.1}")).join(" "),
        ));
    }
    let has_book = found
        .moves
        .iter()
        .any(|reviewed| reviewed.value.origin == Origin::Book);
    let book = if has_book { ", b from the book" } else { "" };
    add(format!(
        "= exact, ~ estimate{book}; ?! from {DUBIOUS} discs, ? from {MISTAKE}, ?? from {BLUNDER}"
    ));
    add(String::new());
    add("Black's value after each move:".to_owned());
    add(review::text_graph(found, 80, 15));
    text
}
