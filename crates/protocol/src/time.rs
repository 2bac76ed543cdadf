//! Time as dialogues speak of it: the control of a game, and what is left at a turn.

use std::{str::FromStr, time::Duration};

/// How much time the players of a game have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeControl {
    /// As much as they like.
    #[default]
    Unlimited,
    /// The same for every move; what is left over is lost.
    PerMove(Duration),
    /// A clock for the whole game, to which every move adds something.
    Clock {
        /// Time at the start.
        main: Duration,
        /// Time added after each move.
        increment: Duration,
    },
}

/// What the clocks show when a player is to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnClock {
    /// The control of the game.
    pub control: TimeControl,
    /// Time left to black; `None` without a clock.
    pub black: Option<Duration>,
    /// Time left to white; `None` without a clock.
    pub white: Option<Duration>,
}

/// Longest time that is read, in seconds: a third of a year.
const MOST_SECONDS: f64 = 1e7;

/// Why a text is no time or no clock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTimeError {
    /// It is no number of seconds.
    #[error("{0:?}: expected seconds, such as 0.5 or 90, or minutes:seconds, such as 1:30")]
    Seconds(String),
    /// It is more than any game takes.
    #[error("{0:?}: a time is at most 10,000,000 seconds")]
    TooLong(String),
    /// It is no clock.
    #[error("{0:?}: expected a clock like 60, 60+0.5 or 5:00+2, in seconds or minutes:seconds")]
    Clock(String),
    /// There is no time on it at all.
    #[error("{0:?}: this clock has fallen before the game begins")]
    NoTime(String),
}

/// Reads seconds (`0.5`, `90`), minutes and seconds (`1:30`), or hours, minutes and seconds (`1:00:00`).
///
/// # Errors
///
/// Returns what is wrong with a text that is no time.
///
/// ```
/// use outflank_protocol::parse_seconds;
/// use std::time::Duration;
/// assert_eq!(parse_seconds("1:30.5"), Ok(Duration::from_millis(90_500)));
/// assert!(parse_seconds("-1").is_err() && parse_seconds("soon").is_err() && parse_seconds("1e9").is_err());
/// ```
pub fn parse_seconds(text: &str) -> Result<Duration, ParseTimeError> {
    let mut seconds = 0.0;
    let parts: Vec<&str> = text.split(':').collect();
    for part in &parts {
        match part.trim().parse::<f64>() {
            Ok(value) if value >= 0.0 && parts.len() <= 3 => seconds = seconds * 60.0 + value,
            _ => return Err(ParseTimeError::Seconds(text.to_owned())),
        }
    }
    if seconds > MOST_SECONDS {
        return Err(ParseTimeError::TooLong(text.to_owned()));
    }
    Ok(Duration::from_secs_f64(seconds))
}

impl FromStr for TimeControl {
    type Err = ParseTimeError;

    /// Reads `MAIN` or `MAIN+INCREMENT`, each in seconds or `minutes:seconds`.
    ///
    /// ```
    /// use outflank_protocol::TimeControl;
    /// use std::time::Duration;
    /// assert_eq!("1:30+0.5".parse(), Ok(TimeControl::Clock {
    ///     main: Duration::from_secs(90),
    ///     increment: Duration::from_millis(500),
    /// }));
    /// assert!("soon".parse::<TimeControl>().is_err());
    /// assert!("0".parse::<TimeControl>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
        let (Ok(main), Ok(increment)) = (parse_seconds(main), parse_seconds(increment)) else {
            return Err(ParseTimeError::Clock(text.to_owned()));
        };
        if main.is_zero() && increment.is_zero() {
            return Err(ParseTimeError::NoTime(text.to_owned()));
        }
        Ok(Self::Clock { main, increment })
    }
}
