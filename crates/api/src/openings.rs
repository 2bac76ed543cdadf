//! Random openings that are fair.

use crate::{
    error::Error,
    wire::{effort, hundredths},
};
use outflank_search::{Clock, Level, StopToken};
use outflank_study::{
    balanced::{Balanced, Wanted, draw},
    review::Judge,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Asks for random openings that neither side has the better of, by the engine's own values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningsRequest {
    /// Discs that are placed, at most 40.
    #[serde(default = "usual_moves")]
    pub moves: usize,
    /// Greatest value for either side, in discs.
    #[serde(default = "usual_window")]
    pub within: f64,
    /// Openings wanted, at most 100.
    #[serde(default = "usual_count")]
    pub count: usize,
    /// What they are drawn with: the same question has the same answer.
    #[serde(default)]
    pub seed: u64,
    /// Strength of the searches that value them, 1 to 20.
    #[serde(default = "usual_level")]
    pub level: u32,
}

const fn usual_moves() -> usize {
    8
}

const fn usual_window() -> f64 {
    2.0
}

const fn usual_count() -> usize {
    1
}

const fn usual_level() -> u32 {
    10
}

const MOST_MOVES: usize = 40;
/// Higher ones are for lists that take hours.
const MOST_LEVEL: usize = 20;
const MOST_OPENINGS: usize = 100;

/// A random opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpeningObject {
    /// The moves in one word.
    pub opening: String,
    /// Its value for black, in discs.
    pub value: f64,
    /// The discs that the search looked ahead.
    pub depth: u32,
    /// Its confidence in percent.
    pub confidence: u8,
}

impl From<&Balanced> for OpeningObject {
    fn from(found: &Balanced) -> Self {
        let (depth, confidence) = effort(found.game.position(), found.verdict);
        Self {
            opening: found.game.transcript(),
            value: hundredths(found.value),
            depth,
            confidence,
        }
    }
}

/// Draws openings.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn openings(
    request: &OpeningsRequest,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
    on_event: &mut dyn FnMut(OpeningObject),
) -> Result<(), Error> {
    let limited = |name: &'static str, value: usize, most: usize| {
        if (1..=most).contains(&value) {
            return Ok(value);
        }
        let reason = format!("{value} is not from 1 to {most}");
        Err(Error::Value { name, reason })
    };
    let level = limited("level", request.level as usize, MOST_LEVEL)?;
    let level = Level::new(level as u32).map_err(|error| Error::Value {
        name: "level",
        reason: error.to_string(),
    })?;
    let wanted = Wanted {
        moves: limited("moves", request.moves, MOST_MOVES)?,
        within: request.within,
        count: limited("count", request.count, MOST_OPENINGS)?,
        seed: request.seed,
        level,
    };
    let found = draw(&wanted, &Judge::default(), (clock, stop), &mut |found| {
        on_event(OpeningObject::from(&found));
    });
    found.map_err(|error| Error::Engine(error.to_string()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_search::ManualClock;

    #[test]
    fn as_many_as_are_wanted_are_drawn_and_senseless_wishes_refused() {
        let ask = |text: &str| {
            let request: OpeningsRequest = serde_json::from_str(text).expect("a request");
            let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
            let mut found = Vec::new();
            openings(&request, &clock, &StopToken::new(), &mut |one| found.push(one)).map(|()| found)
        };
        let found = ask(r#"{"count":3,"seed":5,"level":4}"#).expect("openings");
        assert_eq!(found.len(), 3);
        for one in &found {
            assert!(one.opening.len() == 16 && one.value.abs() <= 2.0, "{one:?}");
        }
        for text in [
            r#"{"count":0}"#,
            r#"{"moves":0}"#,
            r#"{"moves":41}"#,
            r#"{"count":101}"#,
            r#"{"level":21}"#,
        ] {
            assert!(ask(text).is_err(), "{text}");
        }
    }
}
