//! Results as records state them: in discs, as counts, or only who won; for the score, by resignation or on time.

use crate::{GameRecord, Warning, text::excerpt};
use outflank_othello::{Color, Game};

/// A result that a record states, from black's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stated {
    /// Black's margin in discs, if it is stated.
    pub margin: Option<f64>,
    /// Who won, `None` for a tie.
    pub winner: Option<Color>,
    /// Whether the game did not end on the board: given up, lost on time, agreed.
    pub early: bool,
}

impl Stated {
    fn of_margin(margin: f64, early: bool) -> Self {
        let winner = if margin > 0.0 {
            Some(Color::Black)
        } else {
            (margin < 0.0).then_some(Color::White)
        };
        Self {
            margin: Some(margin),
            winner,
            early,
        }
    }

    const fn won_by(winner: Option<Color>, early: bool) -> Self {
        Self {
            margin: None,
            winner,
            early,
        }
    }

    /// Reads a result in the form of any format: `+4.00`, `-64.00:l` (GGF: resigned, time, agreed, left), `B+4`, `W+R`
    /// (SGF), `37-27`, `1-0`, `1/2-1/2` (PGN).
    ///
    /// Returns `None` if the text is none of them or says that the result is not known (`?`, `*`).
    ///
    /// ```
    /// use outflank_othello::Color;
    /// use outflank_records::Stated;
    /// let margin = |text| Stated::parse(text).and_then(|stated| stated.margin);
    /// assert_eq!((margin("-64.00:l"), margin("B+4"), margin("36-28")), (Some(-64.0), Some(4.0), Some(8.0)));
    /// assert_eq!(Stated::parse("W+R").and_then(|stated| stated.winner), Some(Color::White));
    /// assert_eq!(Stated::parse("?"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(stated) = of_letters(text) {
            return Some(stated);
        }
        let (number, reason) = text.split_once(':').unwrap_or((text, ""));
        let known = |reason: &str| matches!(reason.trim(), "r" | "t" | "s" | "l");
        if let Some(margin) = finite(number) {
            return (reason.is_empty() || known(reason)).then(|| Self::of_margin(margin, !reason.is_empty()));
        }
        let (first, second) = text.split_once('-')?;
        match (first.trim(), second.trim()) {
            ("1/2" | "½", "1/2" | "½") => Some(Self::won_by(None, false)),
            ("1", "0") => Some(Self::won_by(Some(Color::Black), false)),
            ("0", "1") => Some(Self::won_by(Some(Color::White), false)),
            (first, second) => {
                let (first, second): (u8, u8) = (first.parse().ok()?, second.parse().ok()?);
                Some(Self::of_margin(f64::from(first) - f64::from(second), false))
            }
        }
    }

    /// Returns the margin in whole discs by which a game counts that ended with this result: with the empty squares
    /// for the winner where the record counts without them.
    ///
    /// `None` if no margin is stated, or one beyond ±64.
    pub fn discs(&self, game: &Game) -> Option<i32> {
        let margin = self.margin.filter(|margin| margin.abs() <= 64.0)?.round() as i32;
        match game.result() {
            Some(result) if result.raw_difference == margin => Some(result.discs.get()),
            _ => Some(margin),
        }
    }
}

/// Reads the results of SGF.
fn of_letters(text: &str) -> Option<Stated> {
    let lower = text.to_ascii_lowercase();
    if lower == "draw" {
        return Some(Stated::of_margin(0.0, false));
    }
    let (winner, rest) = if let Some(rest) = lower.strip_prefix("b+") {
        (Color::Black, rest)
    } else {
        (Color::White, lower.strip_prefix("w+")?)
    };
    let sign = if winner == Color::Black { 1.0 } else { -1.0 };
    match rest {
        "" => Some(Stated::won_by(Some(winner), false)),
        "r" | "resign" | "t" | "time" | "f" | "forfeit" => Some(Stated::won_by(Some(winner), true)),
        number if number.starts_with(|c: char| c.is_ascii_digit()) => {
            finite(number).map(|margin| Stated::of_margin(sign * margin, false))
        }
        _ => None,
    }
}

fn finite(text: &str) -> Option<f64> {
    let text = text.trim();
    let starts = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'));
    text.parse().ok().filter(|x: &f64| starts && x.is_finite())
}

/// Compares the stated result of a record with the end of its game, and with what results can be.
pub(crate) fn check(record: &GameRecord) -> Vec<Warning> {
    let text = record.tag("RE").unwrap_or_default().trim();
    if matches!(text, "" | "?" | "*") {
        return Vec::new();
    }
    let Some(stated) = Stated::parse(text) else {
        return vec![Warning::OddResult(excerpt(text, 20))];
    };
    // Bids for komi shift the result, it is not known by how much.
    let is_shifted = ["KB", "KW"].iter().any(|key| record.tag(key).is_some());
    if !is_shifted && stated.margin.is_some_and(|margin| margin.abs() > 64.0) {
        return vec![Warning::OddResult(excerpt(text, 20))];
    }
    let Some(result) = record.game.result().filter(|_| !is_shifted && !stated.early) else {
        return Vec::new();
    };
    let differs = Warning::ResultDiffers {
        stated: excerpt(text, 20),
        replayed: result.discs.to_string(),
    };
    match stated.margin {
        None if stated.winner == result.winner => Vec::new(),
        None => vec![differs],
        Some(margin) => {
            let is = |discs: i32| (margin - f64::from(discs)).abs() < 0.5;
            if is(result.discs.get()) {
                Vec::new()
            } else if is(result.raw_difference) {
                vec![Warning::RawResult {
                    stated: excerpt(text, 20),
                    discs: result.discs.get(),
                }]
            } else {
                vec![differs]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_every_format_are_read() {
        let read =
            |text: &str| Stated::parse(text).map(|stated| (stated.margin, stated.winner, stated.early));
        let (black, white) = (Some(Color::Black), Some(Color::White));
        for (text, expected) in [
            ("+4.00", Some((Some(4.0), black, false))),
            ("-64.00:l", Some((Some(-64.0), white, true))),
            ("+12:r", Some((Some(12.0), black, true))),
            ("-2.00:t", Some((Some(-2.0), white, true))),
            ("0", Some((Some(0.0), None, false))),
            ("B+4", Some((Some(4.0), black, false))),
            ("W+59", Some((Some(-59.0), white, false))),
            ("W+R", Some((None, white, true))),
            ("B+Time", Some((None, black, true))),
            ("Draw", Some((Some(0.0), None, false))),
            ("37-27", Some((Some(10.0), black, false))),
            ("0-64", Some((Some(-64.0), white, false))),
            ("1-0", Some((None, black, false))),
            ("1/2-1/2", Some((None, None, false))),
            ("?", None),
            ("*", None),
            ("+4:x", None),
            ("inf", None),
            ("W+nan", None),
            ("300-2", None),
            ("", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
