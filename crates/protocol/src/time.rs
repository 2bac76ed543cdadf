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

/// Why a text is no clock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?}: expected a clock like 60, 60+0.5 or 5:00+2, in seconds or minutes:seconds")]
pub struct ParseClockError(String);

/// Reads seconds (`0.5`, `90`), minutes and seconds (`1:30`), or hours, minutes and seconds (`1:00:00`).
pub(crate) fn parse_seconds(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    let mut parts = 0;
    for part in text.split(':') {
        let value: f64 = part.trim().parse().ok()?;
        if !(0.0..1e9).contains(&value) {
            return None;
        }
        seconds = seconds * 60.0 + value;
        parts += 1;
    }
    (parts <= 3 && seconds < 1e9).then(|| Duration::from_secs_f64(seconds))
}

impl FromStr for TimeControl {
    type Err = ParseClockError;

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
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (parse_seconds(main), parse_seconds(increment)) {
            (Some(main), Some(increment)) => Ok(Self::Clock { main, increment }),
            _ => Err(ParseClockError(text.to_owned())),
        }
    }
}
