//! Options that several commands have: one definition and one range for each.

use anyhow::bail;
use clap::{
    ValueEnum,
    builder::{RangedI64ValueParser, RangedU64ValueParser},
    value_parser,
};
use outflank_gomoku::Rule;
use outflank_protocol::{Setting, TimeControl};
use outflank_search::{GameClock, Limits};
pub(crate) use outflank_terminal::input::{parse_level, parse_search_level, parse_seconds};
use std::{fs, ops::RangeInclusive, path::PathBuf, time::Duration};

/// The games that there are.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum GameName {
    /// Othello.
    #[default]
    Othello,
    /// Gomoku.
    Gomoku,
}

/// Which game is meant, and what Gomoku is played by.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct GameArgs {
    /// The game; Othello if nothing is said.
    #[arg(long, value_enum, value_name = "GAME")]
    pub(crate) game: Option<GameName>,
    /// Gomoku: freestyle, standard, renju or caro; that of the record if it names one, else freestyle.
    #[arg(long, value_name = "RULE")]
    pub(crate) rule: Option<Rule>,
    /// Gomoku: edge of the board in points, 5 to 20 [default: 15].
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(5..=20))]
    pub(crate) size: Option<u8>,
}

impl GameArgs {
    /// Takes the game that was named before the command; the one after it must not be another.
    pub(crate) fn settle(&mut self, before: Option<GameName>) -> anyhow::Result<()> {
        self.game = one_game(before, self.game)?;
        if !self.is_gomoku() && (self.rule.is_some() || self.size.is_some()) {
            bail!("--rule and --size belong to Gomoku: add --game gomoku");
        }
        Ok(())
    }

    /// Returns whether Gomoku is meant.
    pub(crate) fn is_gomoku(self) -> bool {
        self.game == Some(GameName::Gomoku)
    }

    /// Refuses options that the game does not have; each with whether it was given.
    pub(crate) fn refuse(self, game: GameName, options: &[(&str, bool)]) -> anyhow::Result<()> {
        match options.iter().find(|option| option.1) {
            Some((name, _)) if self.game.unwrap_or_default() == game => {
                bail!(
                    "{name} is not there for {}",
                    if self.is_gomoku() { "Gomoku" } else { "Othello" }
                )
            }
            _ => Ok(()),
        }
    }
}

/// Returns the game that was named before a command or after it.
pub(crate) fn one_game(
    before: Option<GameName>,
    after: Option<GameName>,
) -> anyhow::Result<Option<GameName>> {
    match (before, after) {
        (Some(before), Some(after)) if before != after => {
            bail!("--game was given twice, with different games")
        }
        (before, after) => Ok(after.or(before)),
    }
}

/// Reads how many threads work at the same time.
pub(crate) fn threads() -> RangedI64ValueParser<u16> {
    value_parser!(u16).range(1..=256)
}

/// Reads the size of an engine's table in megabytes.
pub(crate) fn table_megabytes() -> RangedU64ValueParser<u64> {
    value_parser!(u64).range(1..=1 << 20)
}

/// What an engine takes from the machine.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Resources {
    /// Threads that work at the same time; a search takes no more than there are processors.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads())]
    pub(crate) threads: u16,
    /// Table size in MB, of all threads together.
    #[arg(long, value_name = "MB", default_value_t = 128, value_parser = table_megabytes())]
    pub(crate) hash: u64,
    #[command(flatten)]
    pub(crate) model: ModelArg,
}

/// By what Othello is judged.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct ModelArg {
    /// Othello's evaluation: a file that `outflank train model` wrote, or one of weights alone [default: the one inside the
    /// program].
    #[arg(long = "model", value_name = "FILE", alias = "weights")]
    pub(crate) path: Option<PathBuf>,
}

impl Resources {
    /// Returns the size of the table in bytes.
    ///
    /// # Errors
    ///
    /// There is not so much memory.
    pub(crate) fn table_bytes(&self) -> anyhow::Result<usize> {
        if let Some(available) = available_megabytes().filter(|&available| self.hash > available) {
            bail!(
                "a table of {} MB does not fit the memory: {available} MB are free; ask for less (--hash)",
                self.hash
            );
        }
        Ok(usize::try_from(self.hash << 20)?)
    }
}

/// Returns how much memory is free, where the system says so.
fn available_megabytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes >> 10)
}

/// How far a search may go; it ends at the first limit that it reaches.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct LimitArgs {
    /// Look N moves ahead; in Othello as many as there are empty squares solve the position.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=60))]
    pub(crate) depth: Option<u32>,
    /// Search for this long: seconds, or minutes:seconds.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) time: Option<Duration>,
    /// Enter at most N positions.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
}

impl LimitArgs {
    /// Returns the limits.
    pub(crate) fn limits(self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time,
            ..Limits::default()
        }
    }
}

/// Reads a game clock, `MAIN+INC`, each in seconds or `minutes:seconds`, with some time on it.
pub(crate) fn parse_clock(text: &str) -> Result<GameClock, String> {
    match text.parse::<TimeControl>().map_err(|error| error.to_string())? {
        TimeControl::Clock { main, .. } if main.is_zero() => {
            Err("this clock has fallen before the game begins: it starts with more than 0 seconds".to_owned())
        }
        TimeControl::Clock { main, increment } => Ok(GameClock {
            remaining: main,
            increment,
        }),
        TimeControl::PerMove(_) | TimeControl::Unlimited => Err(format!("{text:?} is no clock")),
    }
}

/// Reads how many of the best moves are wanted.
pub(crate) fn parse_top(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(lines @ 1..) => Ok(lines),
        _ if text == "all" => Ok(usize::MAX),
        _ => Err("a number from 1, or all".to_owned()),
    }
}

/// Reads how much worse than the best a move may be, in discs; returns it in the engine's unit.
pub(crate) fn parse_within(text: &str) -> Result<i32, String> {
    let discs = text.parse().map_err(|_| "not a number of discs".to_owned())?;
    outflank_api::analyze::within_units(discs)
}

/// Reads the confidence of midgame values: one that there is, for no other is what a search would have.
pub(crate) fn parse_confidence(text: &str) -> Result<u8, String> {
    let levels = outflank_othello_engine::tuning::Selectivity::LEVELS.map(|level| level.confidence);
    let number: u8 = text.parse().map_err(|_| "not a number of percent".to_owned())?;
    if number == 100 || levels.contains(&number) {
        return Ok(number);
    }
    let known: Vec<String> = levels
        .iter()
        .filter(|&&level| level != 100)
        .map(u8::to_string)
        .collect();
    Err(format!(
        "searches have a confidence of {} or 100 percent",
        known.join(", ")
    ))
}

/// Reads the time that is kept back, as the dialogues read it.
pub(crate) fn parse_overhead(text: &str) -> Result<Duration, String> {
    match Setting::parse("Move Overhead", text) {
        Ok(Setting::Reserve(reserve)) => Ok(reserve),
        Ok(_) => Err("no time".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Parses `8..54`: both ends included.
pub(crate) fn parse_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (from, to) = text
        .split_once("..")
        .ok_or_else(|| format!("{text:?}: expected two numbers such as 8..54"))?;
    let number = |text: &str| {
        text.parse::<usize>()
            .map_err(|_| format!("{text:?} is not a number"))
    };
    let range = number(from)?..=number(to.trim_start_matches('='))?;
    if range.is_empty() || *range.end() > 60 {
        return Err(format!(
            "{text:?}: expected a range within 0..60, the smaller number first"
        ));
    }
    Ok(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_clock_is_read_everywhere_and_has_time_on_it() {
        let clock = |main, increment| {
            Ok(GameClock {
                remaining: Duration::from_millis(main),
                increment: Duration::from_millis(increment),
            })
        };
        for (text, expected) in [
            ("300+2", clock(300_000, 2000)),
            ("5:00+2", clock(300_000, 2000)),
            ("0.5", clock(500, 0)),
            ("1:00:00+0:30", clock(3_600_000, 30_000)),
        ] {
            assert_eq!(parse_clock(text), expected, "{text}");
        }
        for text in [
            "0", "0+2", "0:00+5", "-1", "5+-1", "x", "", "5:", "nan", "inf", "1e99",
        ] {
            assert!(parse_clock(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_confidences_that_there_are_can_be_asked_for() {
        for text in ["73", "87", "95", "98", "99", "100"] {
            assert_eq!(
                parse_confidence(text).map(|number| number.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in ["0", "1", "50", "72", "74", "96", "101", "256", "-5", "x", "73.0"] {
            assert!(parse_confidence(text).is_err(), "{text}");
        }
        assert_eq!(
            parse_confidence("50"),
            Err("searches have a confidence of 73, 87, 95, 98, 99 or 100 percent".to_owned())
        );
    }
}
