//! What several results have in common.

use crate::error::Error;
use outflank_gomoku::Rule;
use outflank_othello::{Move, Position};
use outflank_search::{GameClock, Level, Limits, Origin, Verdict};
use outflank_study::names;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The games that there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GameName {
    /// Othello.
    #[default]
    Othello,
    /// Gomoku, under one of its rule sets.
    Gomoku,
}

/// What Gomoku is played by, where a request has a game of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GomokuRules {
    /// `freestyle`, `standard`, `renju` or `caro`; that of the record if it names one, else `freestyle`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Edge of the board in points, 5 to 20; 15 if nothing else is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u8>,
}

impl GomokuRules {
    /// Returns the rule set that was asked for.
    ///
    /// # Errors
    ///
    /// There is none of this name.
    pub fn rule(&self) -> Result<Option<Rule>, Error> {
        let parsed = self.rule.as_deref().map(str::parse::<Rule>).transpose();
        parsed.map_err(|error| Error::Value {
            name: "rule",
            reason: error.to_string(),
        })
    }

    /// Returns the edge of the board in points.
    pub fn size(&self) -> u8 {
        self.size.unwrap_or(15)
    }
}

/// How far a search may go; it ends at the first limit that it reaches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsObject {
    /// Moves to look ahead, 1 to 60.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions to enter, at least 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time in seconds, more than 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Strength, 1 to 60.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// Instead of a level, one of those that err as people do: 1 to 8 for human-1 to human-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub human: Option<u32>,
    /// A game clock, from which the time for one move is chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockObject>,
}

/// A game clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockObject {
    /// What is left in seconds, more than 0.
    pub seconds: f64,
    /// What is added after each move, in seconds.
    #[serde(default)]
    pub increment: f64,
}

/// Seconds beyond which nothing is a time.
const MOST_SECONDS: f64 = 1e7;

fn time(name: &'static str, seconds: f64, least: f64) -> Result<Duration, Error> {
    if seconds >= least && seconds <= MOST_SECONDS && (least > 0.0 || seconds >= 0.0) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(Error::Value {
            name,
            reason: format!("{seconds} is no time: more than 0 and at most 10 000 000 seconds"),
        })
    }
}

impl LimitsObject {
    /// Returns the limits.
    ///
    /// # Errors
    ///
    /// Returns which one is outside of its range.
    pub fn limits(&self) -> Result<Limits, Error> {
        if let Some(depth) = self.depth.filter(|depth| !(1..=60).contains(depth)) {
            return Err(Error::Value {
                name: "depth",
                reason: format!("{depth} is not from 1 to 60"),
            });
        }
        if self.nodes == Some(0) {
            return Err(Error::Value {
                name: "nodes",
                reason: "a search enters at least one position".to_owned(),
            });
        }
        let clock = match &self.clock {
            None => None,
            Some(clock) => Some(GameClock {
                remaining: time("clock", clock.seconds, 1e-9)?,
                increment: time("clock", clock.increment, 0.0)?,
            }),
        };
        let level = self
            .level
            .map(Level::new)
            .transpose()
            .map_err(|error| Error::Value {
                name: "level",
                reason: error.to_string(),
            })?;
        let human = self.human.map(|number| {
            Level::human(number).ok_or_else(|| Error::Value {
                name: "human",
                reason: format!("{number} is not from 1 to {}", Level::HUMANS),
            })
        });
        if level.is_some() && human.is_some() {
            return Err(Error::Value {
                name: "human",
                reason: "there is a level, too".to_owned(),
            });
        }
        Ok(Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self
                .seconds
                .map(|seconds| time("seconds", seconds, 1e-9))
                .transpose()?,
            clock,
            level: human.transpose()?.or(level),
        })
    }
}

/// What a value is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Proven: the result with perfect play by both sides.
    Exact,
    /// A proven win, loss or draw; the number of discs is not proven.
    Wld,
    /// Proven limits only.
    Bounds,
    /// A search to `depth` with the given `confidence` in percent.
    Estimate,
    /// From an opening book.
    Book,
    /// Stopped before there was a result.
    Aborted,
    /// Gomoku: a proven win.
    Win,
    /// Gomoku: a proven loss.
    Loss,
}

impl Kind {
    /// Returns what a value of Othello with this verdict and origin is worth.
    pub const fn of(verdict: Verdict, origin: Origin) -> Self {
        match (origin, verdict) {
            (Origin::Book, _) => Self::Book,
            (_, Verdict::Exact) => Self::Exact,
            (_, Verdict::WinLossDraw) => Self::Wld,
            (_, Verdict::AtLeast | Verdict::AtMost) => Self::Bounds,
            (_, Verdict::Estimate { .. }) => Self::Estimate,
            (_, Verdict::Aborted) => Self::Aborted,
        }
    }
}

/// A number: whole where it is exact, with at most two decimals elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Number {
    /// A whole number.
    Whole(i64),
    /// A number with at most two decimals.
    Decimal(f64),
}

impl Number {
    /// Returns the number with two decimals; never minus zero.
    pub fn hundredths(value: f64) -> Self {
        Self::Decimal(hundredths(value))
    }

    /// Returns the value in discs of a line of Othello, whole where it is proven.
    pub fn discs(line: &outflank_othello_engine::Line) -> Self {
        match line.verdict {
            Verdict::Estimate { .. } | Verdict::Aborted => Self::hundredths(line.value.discs()),
            Verdict::Exact | Verdict::WinLossDraw | Verdict::AtLeast | Verdict::AtMost => {
                Self::Whole(i64::from(line.value.units() / outflank_eval::Score::PER_DISC))
            }
        }
    }
}

/// Returns a number with two decimals; adding zero turns −0 into 0.
pub fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}

/// The name of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opening {
    /// The English name.
    pub english: Option<String>,
    /// The Japanese name.
    pub japanese: Option<String>,
    /// The Japanese name in Latin letters, if it is not written in them anyway.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub romanized: Option<String>,
    /// Moves after which it was reached.
    pub moves: usize,
}

impl From<names::Opening> for Opening {
    fn from(opening: names::Opening) -> Self {
        Self {
            english: opening.name.english.map(str::to_owned),
            japanese: opening.name.japanese.map(str::to_owned),
            romanized: opening.name.romanized.map(str::to_owned),
            moves: opening.moves,
        }
    }
}

/// Returns the 64 cells of a position, and `X` or `O` for the side to move.
pub(crate) fn board_and_side(position: &Position) -> (String, String) {
    let text = position.to_string();
    let (board, side) = text.split_once(' ').unwrap_or((&text, ""));
    (board.to_owned(), side.to_owned())
}

pub(crate) fn texts<M: ToString>(moves: &[M]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// Returns the depth and confidence behind a value.
pub(crate) fn effort(position: &Position, verdict: Verdict) -> (u32, u8) {
    match verdict {
        Verdict::Estimate { depth, confidence } => (depth, confidence),
        Verdict::Aborted => (0, 0),
        _ => (position.board().empties().count(), 100),
    }
}

/// Returns `X` or `O`.
pub(crate) fn mover(mv: Option<Move>) -> Option<String> {
    mv.map(|mv| mv.to_string())
}
