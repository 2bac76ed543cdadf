//! What the levels do, and what they cost.

use crate::{engines::Engines, error::Error};
use outflank_gomoku_engine::tuning::{Manner, level_nodes};
use outflank_othello_engine::{Strength, human};
use outflank_search::{Level, StopToken};
use outflank_study::levels::{Costs, measure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const fn usual_positions() -> u64 {
    10_000_000
}

/// Asks what levels cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LevelsRequest {
    /// Positions to enter for the midgame, and again for the end.
    #[serde(default = "usual_positions")]
    pub positions: u64,
}

/// What a level does and costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LevelObject {
    /// The level, 1 to 60.
    pub level: u32,
    /// Discs that it looks ahead before the end is in reach.
    pub depth: u32,
    /// Most empty squares from which it plays without error.
    pub exact_empties: u32,
    /// Most empty squares from which it searches to the end with selective cuts.
    pub selective_empties: u32,
    /// Confidence of its midgame values in percent.
    pub confidence: u8,
    /// Whether both costs were measured, and not extrapolated.
    pub measured: bool,
    /// Positions entered for a move of the midgame.
    pub midgame_nodes: f64,
    /// Positions entered to solve a position with `exact_empties`.
    pub solve_nodes: f64,
    /// Seconds for a move of the midgame, at the measured speed.
    pub midgame_seconds: f64,
    /// Seconds to solve a position with `exact_empties`, at the measured speed.
    pub solve_seconds: f64,
}

/// A level that errs as people do in Othello.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HumanObject {
    /// The level: 1 to 8 for human-1 to human-8.
    pub human: u32,
    /// What people would call somebody who plays like that.
    pub name: String,
    /// Mean loss of a move in discs, judged by searches of 10 discs.
    pub loss: f64,
}

/// What a level does in Gomoku: one that searches has positions, one that errs as people do has what it overlooks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GomokuLevelObject {
    /// The level, 1 to 60, of a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// The level, 1 to 8 for human-1 to human-8, that errs as people do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub human: Option<u32>,
    /// What people would call somebody who plays like that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Positions that a search may enter for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Percent of the other side's fours that are overlooked, in a row near the last stone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_fours: Option<f64>,
    /// The same of its threes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_threes: Option<f64>,
    /// How many fours ahead a win by fours is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fours: Option<u32>,
}

impl GomokuLevelObject {
    /// Returns all levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        let percent = |share: f64| (1000.0 * share).round() / 10.0;
        Level::humans().chain(Level::all()).map(move |level| {
            let human = level.as_human();
            let manner = human.map(Manner::of);
            Self {
                level: human.is_none().then_some(level.number()),
                human,
                name: level.name().map(str::to_owned),
                nodes: human.is_none().then(|| level_nodes(level)),
                missed_fours: manner.map(|manner| percent(manner.missed_fours)),
                missed_threes: manner.map(|manner| percent(manner.missed_threes)),
                fours: manner.map(|manner| manner.fours),
            }
        })
    }
}

/// A level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum LevelsEvent {
    /// One that errs as people do.
    Human(HumanObject),
    /// One that searches.
    Search(LevelObject),
}

impl HumanObject {
    /// Returns all of them, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        Level::humans().filter_map(|level| {
            let human = level.as_human()?;
            Some(Self {
                human,
                name: level.name()?.to_owned(),
                loss: human::promised_loss(human),
            })
        })
    }
}

impl LevelObject {
    /// Returns what `level` does and costs; `None` if nothing was measured.
    pub fn new(level: Level, costs: &Costs) -> Option<Self> {
        let strength = Strength::of(level);
        Some(Self {
            level: level.number(),
            depth: strength.depth(),
            exact_empties: strength.exact_empties(),
            selective_empties: strength.selective_empties(),
            confidence: strength.selectivity().confidence,
            measured: costs.is_measured(level) == [true; 2],
            midgame_nodes: costs.midgame.nodes(level.number())?.round(),
            solve_nodes: costs.solving.nodes(strength.exact_empties())?.round(),
            midgame_seconds: rounded(costs.midgame_seconds(level)?),
            solve_seconds: rounded(costs.solve_seconds(level)?),
        })
    }
}

/// Returns seconds with three significant digits.
fn rounded(seconds: f64) -> f64 {
    format!("{seconds:.2e}").parse().unwrap_or(seconds)
}

/// Says what every level costs on this machine.
///
/// # Errors
///
/// Returns why there is no engine.
pub fn levels(
    request: &LevelsRequest,
    engines: &mut Engines,
    stop: &StopToken,
    on_event: &mut dyn FnMut(LevelsEvent),
) -> Result<(), Error> {
    HumanObject::all()
        .map(LevelsEvent::Human)
        .for_each(&mut *on_event);
    let clock = Arc::clone(engines.clock());
    let engine = engines.othello(None, None)?;
    let costs = measure(engine, request.positions, &*clock, stop);
    Level::all()
        .filter_map(|level| LevelObject::new(level, &costs))
        .map(LevelsEvent::Search)
        .for_each(on_event);
    Ok(())
}
