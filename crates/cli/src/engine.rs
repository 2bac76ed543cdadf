//! Making the Othello engine that every command uses, from the options that mean the same everywhere.

use anyhow::bail;
use outflank_eval::Patterns;
use outflank_othello_engine::{Engine, EngineConfig};
use outflank_protocol::TimeControl;
use outflank_search::{Clock, GameClock, Level, SystemClock};
use std::{fs, sync::Arc, time::Duration};

/// The evaluator that commands use.
pub(crate) type DefaultEvaluator = Patterns;

/// Returns a clock that starts at zero, to be shared.
pub(crate) fn system_clock() -> Arc<dyn Clock> {
    SystemClock::shared()
}

/// What an engine takes from the machine.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Resources {
    /// Threads that search one position.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 128, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(crate) hash: u64,
}

impl Resources {
    /// Returns an engine with these resources and the default evaluator.
    pub(crate) fn engine(self) -> anyhow::Result<Engine<DefaultEvaluator>> {
        if let Some(available) = available_megabytes().filter(|&available| self.hash > available) {
            bail!(
                "a table of {} MB does not fit the memory: {available} MB are free; ask for less (--hash)",
                self.hash
            );
        }
        let config = EngineConfig {
            table_bytes: (self.hash << 20) as usize,
            threads: usize::from(self.threads),
            ..EngineConfig::default()
        };
        Ok(Engine::embedded(config, system_clock())?)
    }
}

/// Returns how much memory is free, where the system says so.
fn available_megabytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes >> 10)
}

/// Reads a time in seconds or `minutes:seconds`, more than zero.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let time = outflank_protocol::parse_seconds(text).map_err(|error| error.to_string())?;
    if time.is_zero() {
        return Err("a time is more than 0 seconds".to_owned());
    }
    Ok(time)
}

/// Reads a level.
pub(crate) fn parse_level(text: &str) -> Result<Level, String> {
    let number = text.parse().map_err(|_| "not a number".to_owned())?;
    Level::new(number).map_err(|error| error.to_string())
}

/// Reads a game clock, `MAIN+INC`, each in seconds or `minutes:seconds`.
pub(crate) fn parse_clock(text: &str) -> Result<GameClock, String> {
    match text.parse::<TimeControl>().map_err(|error| error.to_string())? {
        TimeControl::Clock { main, increment } => Ok(GameClock {
            remaining: main,
            increment,
        }),
        TimeControl::PerMove(_) | TimeControl::Unlimited => Err(format!("{text:?} is no clock")),
    }
}
