//! Pieces of text that several protocols share.

use outflank_othello::{Game, GameError, Move};
use outflank_othello_engine::Line;
use outflank_search::Verdict;

/// Returns a number of discs with two decimals and a sign; zero is `+0.00`, never `-0.00`.
pub(crate) fn discs(value: f64) -> String {
    let text = format!("{value:+.2}");
    if text == "-0.00" { "+0.00".to_owned() } else { text }
}

/// Plays `mv`, after the pass that the rules imply if the player to move has none but it.
pub(crate) fn play(game: &mut Game, mv: Move) -> Result<(), GameError> {
    match mv {
        Move::Place(square) => game.place(square),
        Move::Pass => game.play(mv),
    }
}

/// What a value is worth, in the words of NBoard: `100%` exact, `100%W` only who wins, `NN%` searched to the end
/// but selectively, otherwise the depth.
pub(crate) fn worth(line: &Line, empties: u32) -> String {
    match line.verdict {
        Verdict::Exact => "100%".to_owned(),
        Verdict::WinLossDraw => "100%W".to_owned(),
        Verdict::Estimate { depth, confidence } if depth >= empties && confidence < 100 => {
            format!("{confidence}%")
        }
        Verdict::Estimate { depth, .. } => depth.to_string(),
        Verdict::AtLeast | Verdict::AtMost | Verdict::Aborted => "0".to_owned(),
    }
}

/// Splits off the first word.
pub(crate) fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

/// Splits off the command, the first word, in lower case: no protocol has two commands that differ by case alone.
pub(crate) fn command(line: &str) -> (String, &str) {
    let (command, rest) = word(line);
    (command.to_ascii_lowercase(), rest)
}

/// Shortens a text from the other side for an error message, and makes it one line.
pub(crate) fn quoted(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    format!("{short:?}")
}
