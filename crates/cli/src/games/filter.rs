//! The options that say which games count.

use clap::ValueEnum;
use outflank_api::games::{ColorName, GamesFilter};
use std::ops::RangeInclusive;

/// Which games count.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Which games")]
pub(super) struct FilterArgs {
    /// One of the players.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The color of that player.
    #[arg(long, value_enum, requires = "player")]
    color: Option<ColorArg>,
    /// The other player.
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,
    /// The event.
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// The source: the name of the file.
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// A year, or years: 1996, 2000.., ..1999, 1990..1999; games without a year are then left out.
    #[arg(long, value_name = "YEARS", value_parser = years)]
    years: Option<RangeInclusive<u16>>,
    /// win, draw, loss, or discs: 10.., -4..4, 64; for --player, or else for black.
    #[arg(long, value_name = "RESULT", value_parser = result, allow_hyphen_values = true)]
    result: Option<RangeInclusive<i32>>,
    /// The least number of discs on the board at the end.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=64))]
    min_discs: u8,
    /// Only games that were played to the end.
    #[arg(long)]
    finished: bool,
    /// Only games whose opening was drawn by lot, or only others.
    #[arg(long, value_enum)]
    xot: Option<YesNo>,
    /// Count games that are there twice as often as they are there.
    #[arg(long)]
    duplicates: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum ColorArg {
    /// Who moves first.
    Black,
    /// The other one.
    White,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum YesNo {
    /// Only these.
    Yes,
    /// Only others.
    No,
}

impl FilterArgs {
    pub(super) fn filter(&self) -> GamesFilter {
        GamesFilter {
            player: self.player.clone(),
            color: self.color.map(|color| match color {
                ColorArg::Black => ColorName::Black,
                ColorArg::White => ColorName::White,
            }),
            opponent: self.opponent.clone(),
            event: self.event.clone(),
            source: self.source.clone(),
            first_year: self.years.as_ref().map(|years| *years.start()),
            last_year: self.years.as_ref().map(|years| *years.end()),
            least_result: self.result.as_ref().map(|range| *range.start()),
            greatest_result: self.result.as_ref().map(|range| *range.end()),
            min_discs: self.min_discs,
            finished: self.finished,
            xot: self.xot.map(|xot| xot == YesNo::Yes),
            duplicates: self.duplicates,
        }
    }
}

/// Reads `A`, `A..`, `..B` or `A..B`, both ends included.
fn range<T>(text: &str, least: T, greatest: T) -> Option<RangeInclusive<T>>
where
    T: std::str::FromStr + PartialOrd + Copy,
{
    let end = |text: &str, open: T| {
        if text.is_empty() {
            Some(open)
        } else {
            text.parse().ok()
        }
    };
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (end(first, least)?, end(last, greatest)?),
        None => (text.parse().ok()?, text.parse().ok()?),
    };
    (least <= first && first <= last && last <= greatest).then_some(first..=last)
}

fn years(text: &str) -> Result<RangeInclusive<u16>, String> {
    range(text, 1, 9999).ok_or_else(|| "years are 1996, 2000.., ..1999 or 1990..1999".to_owned())
}

fn result(text: &str) -> Result<RangeInclusive<i32>, String> {
    match text {
        "win" => Ok(1..=64),
        "draw" => Ok(0..=0),
        "loss" => Ok(-64..=-1),
        _ => range(text, -64, 64).ok_or_else(|| {
            "a result is win, draw, loss, or discs from -64 to 64: 10.., -4..4, 64".to_owned()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_both_ends() {
        assert_eq!(years("1996"), Ok(1996..=1996));
        assert_eq!(years("2000.."), Ok(2000..=9999));
        assert_eq!(years("..1999"), Ok(1..=1999));
        assert!(years("1999..1990").is_err() && years("x").is_err() && years("").is_err());
        assert_eq!(result("win"), Ok(1..=64));
        assert_eq!(result("-4..4"), Ok(-4..=4));
        assert_eq!(result("..-10"), Ok(-64..=-10));
        assert!(result("65").is_err() && result("wins").is_err());
    }
}
