//! Every move of games judged.

pub mod gomoku;

use self::gomoku::{GomokuMove, GomokuSummary};
use crate::{
    access::{Capabilities, Input},
    engines::Engines,
    error::Error,
    show::unusual_start,
    wire::{GameName, GomokuRules, Kind, Opening, hundredths},
};
use outflank_book::Look;
use outflank_othello::{Color, Move};
use outflank_records::GameRecord;
use outflank_search::{Level, StopToken};
use outflank_study::{
    gomoku_review,
    review::{self, Judge, ReviewOptions, ReviewedMove},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{num::NonZeroUsize, time::Duration};

const fn usual_level() -> u32 {
    12
}

/// Asks for every move of games to be judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    /// The game.
    #[serde(default)]
    pub game: GameName,
    /// Games; one of Gomoku.
    pub input: Input,
    /// Rule set and board of Gomoku.
    #[serde(default)]
    pub rules: GomokuRules,
    /// Strength of every search, 1 to 60; 12 if nothing is said.
    #[serde(default = "usual_level")]
    pub level: u32,
    /// Seconds for each game, in Gomoku for each position; as long as the level takes if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Whether to take the values of the opening book that the front-end has opened, where they are worth as much; Othello
    /// only.
    #[serde(default)]
    pub book: bool,
}

impl ReviewRequest {
    /// Returns what is asked where nothing but the input is said.
    pub fn of(input: Input) -> Self {
        Self {
            game: GameName::default(),
            input,
            rules: GomokuRules::default(),
            level: usual_level(),
            seconds: None,
            book: false,
        }
    }
}

/// A move, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MoveObject {
    /// Number of the game, from 1.
    pub game: usize,
    /// Number of the move, from 1, passes counted.
    pub number: usize,
    /// `X` or `O`, who made it.
    pub side: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value, in discs for who made it.
    pub value: f64,
    /// What the value is worth.
    pub kind: Kind,
    /// A best move.
    pub best: String,
    /// Its value.
    pub best_value: f64,
    /// What that is worth.
    pub best_kind: Kind,
    /// Discs lost against the best move.
    pub loss: f64,
    /// Whether both values are exact, and so the loss.
    pub exact: bool,
    /// Whether there was no choice.
    pub forced: bool,
    /// Empty, `?!` (from 2 discs), `?` (from 4) or `??` (from 8).
    pub mark: String,
}

impl MoveObject {
    /// Returns a judged move of game number `game`.
    pub fn new(game: usize, reviewed: &ReviewedMove) -> Self {
        Self {
            game,
            number: reviewed.number,
            side: reviewed.color.symbol().to_string(),
            mv: reviewed.mv.to_string(),
            value: hundredths(reviewed.value.discs),
            kind: Kind::of(reviewed.value.verdict, reviewed.value.origin),
            best: reviewed.best.to_string(),
            best_value: hundredths(reviewed.best_value.discs),
            best_kind: Kind::of(reviewed.best_value.verdict, reviewed.best_value.origin),
            loss: hundredths(reviewed.loss),
            exact: reviewed.exact,
            forced: reviewed.forced || reviewed.mv == Move::Pass,
            mark: reviewed.mark().symbol().to_owned(),
        }
    }
}

/// What a player has lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerObject {
    /// The name, if it is known.
    pub name: Option<String>,
    /// Moves with a choice.
    pub moves: usize,
    /// Discs lost.
    pub loss: f64,
    /// Discs lost with discs 1–20, 21–40 and 41–60.
    pub by_phase: [f64; 3],
    /// Moves marked `?!`, `?` and `??`.
    pub marks: [usize; 3],
}

/// A game, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameObject {
    /// Number of the game, from 1.
    pub game: usize,
    /// The moves in one word.
    pub transcript: String,
    /// The last named position.
    pub opening: Option<Opening>,
    /// The result for black, if the game is finished.
    pub discs: Option<i32>,
    /// Black.
    pub black: PlayerObject,
    /// White.
    pub white: PlayerObject,
    /// Black's value of every position, the start first.
    pub values: Vec<f64>,
    /// Positions entered.
    pub nodes: u64,
    /// Whether all searches came to their end.
    pub complete: bool,
    /// The position before the first move, where it is not the usual one: 64 characters and the side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Why the review ends before the record does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// What comes after the moves of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewSummary {
    /// The game.
    pub summary: GameObject,
}

impl ReviewSummary {
    /// Returns what is said of game number `game`, of which nothing can be read after the place that `stopped` names.
    pub fn new(game: usize, record: &GameRecord, found: &review::Review, stopped: Option<&str>) -> Self {
        let player = |color: Color, tag: &str| {
            let totals = found.totals(color);
            PlayerObject {
                name: record.tag(tag).map(str::to_owned),
                moves: totals.moves,
                loss: hundredths(totals.loss),
                by_phase: totals.by_phase.map(hundredths),
                marks: totals.marks,
            }
        };
        Self {
            summary: GameObject {
                game,
                transcript: found.game.transcript(),
                opening: found.opening.map(Into::into),
                discs: found.game.result().map(|result| result.discs.get()),
                black: player(Color::Black, "PB"),
                white: player(Color::White, "PW"),
                values: found.values.iter().copied().map(hundredths).collect(),
                nodes: found.nodes,
                complete: found.complete,
                start: unusual_start(&found.game),
                stopped: stopped.map(str::to_owned),
            },
        }
    }
}

/// How far a review is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewProgress {
    /// Positions that are done, of how many.
    pub reviewing: [usize; 2],
}

/// What a review says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ReviewEvent {
    /// How far it is.
    Progress(ReviewProgress),
    /// A move.
    Move(Box<MoveObject>),
    /// A game.
    Summary(Box<ReviewSummary>),
    /// A move of Gomoku.
    GomokuMove(Box<GomokuMove>),
    /// A game of Gomoku.
    GomokuSummary(Box<GomokuSummary>),
}

/// Judges every move of every game of the input, of a damaged game those before the damage.
///
/// [`ReviewRequest::level`] and [`ReviewRequest::seconds`] both limit a search of Gomoku.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn review(
    request: &ReviewRequest,
    capabilities: &Capabilities<'_>,
    engines: &Engines,
    stop: &StopToken,
    on_event: &mut dyn FnMut(ReviewEvent),
) -> Result<(), Error> {
    let level = Level::new(request.level).map_err(|error| Error::Value {
        name: "level",
        reason: error.to_string(),
    })?;
    let budget = match request.seconds {
        Some(seconds) if !(seconds > 0.0 && seconds <= 1e7) => {
            return Err(Error::Value {
                name: "seconds",
                reason: format!("{seconds} is no time: more than 0 and at most 10 000 000 seconds"),
            });
        }
        seconds => seconds.map(Duration::from_secs_f64),
    };
    if request.game == GameName::Gomoku {
        let (record, _) = request.input.open(capabilities)?.gomoku()?;
        let options = gomoku_review::ReviewOptions {
            level: Some(level),
            time: budget,
            workers: NonZeroUsize::MIN,
        };
        return gomoku::review(request, &record, &options, engines, stop, on_event);
    }
    let options = ReviewOptions {
        level,
        workers: NonZeroUsize::MIN,
        budget,
    };
    let (book, judge) = (engines.book(request.book), Judge::default());
    let book = book.as_ref().map(|shelf| shelf as &dyn Look);
    let mut game = 0;
    request.input.open(capabilities)?.try_each_othello(&mut |item| {
        if stop.is_stopped() {
            return Ok(());
        }
        let (record, stopped) = match item {
            Ok(item) => (record(item), None),
            Err(bad) => {
                let reason = bad.to_string();
                match bad.legal {
                    Some(legal) => (*legal, Some(reason)),
                    None => return Err(Error::Input(reason)),
                }
            }
        };
        game += 1;
        let found = review::review_by(
            &judge,
            book,
            &record.game,
            &options,
            engines.clock(),
            stop,
            &mut |done, of| {
                on_event(ReviewEvent::Progress(ReviewProgress {
                    reviewing: [done, of],
                }));
            },
        )
        .map_err(|error| Error::Engine(error.to_string()))?;
        for reviewed in &found.moves {
            on_event(ReviewEvent::Move(Box::new(MoveObject::new(game, reviewed))));
        }
        let summary = ReviewSummary::new(game, &record, &found, stopped.as_deref());
        on_event(ReviewEvent::Summary(Box::new(summary)));
        Ok(())
    })
}

/// Returns a record as a game; one of no moves for a position.
pub fn record(item: outflank_records::Item) -> GameRecord {
    match item.content {
        outflank_records::Content::Game(record) => record,
        outflank_records::Content::Position(scored) => {
            GameRecord::new(outflank_othello::Game::from_position(scored.position))
        }
    }
}
