//! Every move of a game of Gomoku judged.

use super::{ReviewEvent, ReviewProgress, ReviewRequest};
use crate::{
    analyze::{ForcedWin, history},
    engines::Engines,
    error::Error,
    wire::{Kind, hundredths},
};
use outflank_gomoku::{Color, End, Rule};
use outflank_gomoku_engine::Value;
use outflank_records::gomoku::Record;
use outflank_search::StopToken;
use outflank_study::gomoku_review::{self, Course, Review, ReviewOptions, ReviewedMove, chance, course};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A move of Gomoku, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GomokuMove {
    /// Number of the game, from 1.
    pub game: usize,
    /// Number of the move, from 1.
    pub number: usize,
    /// `X` or `O`, who made it.
    pub side: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The chance to win of who made it, in percent, if the best move is made.
    pub before: f64,
    /// What that is worth.
    pub before_kind: Kind,
    /// The same chance after the move that was made.
    pub after: f64,
    /// What that is worth.
    pub after_kind: Kind,
    /// A best move; the move itself if no better one is known.
    pub best: String,
    /// Percentage points lost.
    pub loss: f64,
    /// Whether there was nothing else to do: the move takes the one five that the other side threatens, or the last point.
    pub forced: bool,
    /// Empty, `?!` (from 10 points), `?` (from 20) or `??` (from 40).
    pub mark: String,
    /// Whether it is one of Renju's forbidden points, which has lost the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forbidden: bool,
    /// The proved win that who made the move had, where the move is not known to keep one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed: Option<ForcedWin>,
    /// The proved win that the other side has after it, where there is a move after which none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<ForcedWin>,
}

/// Returns what a value is worth.
const fn kind(value: Value) -> Kind {
    match value {
        Value::Win(_) => Kind::Win,
        Value::Loss(_) => Kind::Loss,
        Value::Estimate(_) => Kind::Estimate,
    }
}

impl GomokuMove {
    /// Returns a judged move of game number `game`.
    pub fn new(game: usize, reviewed: &ReviewedMove) -> Self {
        let win = |win: &gomoku_review::ForcedWin| ForcedWin::new(&win.proof);
        Self {
            game,
            number: reviewed.number,
            side: symbol(reviewed.color).to_owned(),
            mv: reviewed.mv.to_string(),
            before: hundredths(chance(reviewed.best_value)),
            before_kind: kind(reviewed.best_value),
            after: hundredths(chance(reviewed.value)),
            after_kind: kind(reviewed.value),
            best: reviewed.best.to_string(),
            loss: hundredths(reviewed.loss()),
            forced: reviewed.forced,
            mark: reviewed.mark().symbol().to_owned(),
            forbidden: reviewed.end == Some(End::Forbidden),
            missed: reviewed.missed.as_ref().map(win),
            allowed: reviewed.allowed.as_ref().map(win),
        }
    }
}

const fn symbol(color: Color) -> &'static str {
    match color {
        Color::Black => "X",
        Color::White => "O",
    }
}

/// What a player of Gomoku has lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GomokuPlayer {
    /// Moves with a choice.
    pub moves: usize,
    /// Percentage points lost by a move with a choice, on average.
    pub mean_loss: f64,
    /// How many of a hundred moves with a choice have no mark.
    pub accuracy: f64,
    /// Moves marked `?!`, `?` and `??`.
    pub marks: [usize; 3],
    /// Proved wins that were missed.
    pub missed: usize,
    /// Proved wins that the other side was allowed.
    pub allowed: usize,
}

/// A game of Gomoku, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GomokuGame {
    /// Number of the game, from 1.
    pub game: usize,
    /// The rule set.
    pub rule: String,
    /// Edge of the board in points.
    pub size: u8,
    /// The stones in the order in which they were placed, or an SGF record; up to the last move that was judged.
    pub history: String,
    /// `black`, `white` or `draw` if the last judged move has ended the game.
    pub result: Option<String>,
    /// Black.
    pub black: GomokuPlayer,
    /// White.
    pub white: GomokuPlayer,
    /// Black's chance to win in percent in every position, that before the first judged move first.
    pub chances: Vec<f64>,
    /// Positions entered.
    pub nodes: u64,
    /// Whether every move was judged.
    pub complete: bool,
    /// Why the review ends before the record does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// What comes after the moves of a game of Gomoku.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GomokuSummary {
    /// The game.
    pub summary: GomokuGame,
}

impl GomokuSummary {
    /// Returns what is said of game number `game`, of which nothing can be played after the place that `stopped` names.
    pub fn new(game: usize, found: &Review, stopped: Option<&str>) -> Self {
        let player = |color: Color| {
            let totals = found.totals(color);
            GomokuPlayer {
                moves: totals.moves,
                mean_loss: hundredths(totals.mean()),
                accuracy: hundredths(totals.accuracy()),
                marks: totals.marks,
                missed: totals.missed,
                allowed: totals.allowed,
            }
        };
        let mut board = found.start.clone();
        for reviewed in &found.moves {
            // They were played before.
            if board.play(reviewed.mv).is_err() {
                break;
            }
        }
        Self {
            summary: GomokuGame {
                game,
                rule: board.rule().to_string(),
                size: board.size(),
                history: history(&board),
                result: found.end().map(|end| end.name().to_owned()),
                black: player(Color::Black),
                white: player(Color::White),
                chances: found.chances.iter().copied().map(hundredths).collect(),
                nodes: found.nodes,
                complete: found.complete,
                stopped: stopped.map(str::to_owned),
            },
        }
    }
}

/// Returns the moves of a record that can be judged.
///
/// # Errors
///
/// There is none, or its stones make no position.
pub fn moves_of(record: &Record, rule: Option<Rule>, size: u8) -> Result<Course, Error> {
    let rule = rule.or(record.rule).unwrap_or_default();
    let course = course(record, rule, size).map_err(|error| Error::Input(error.to_string()))?;
    match (&course.stopped, course.moves.is_empty()) {
        (Some(reason), true) => Err(Error::Input(reason.to_string())),
        (None, true) => Err(Error::Input(
            "no moves: a review is of the moves of a game, such as h8i9".to_owned(),
        )),
        _ => Ok(course),
    }
}

/// Judges every move of the game that the request names.
pub(super) fn review(
    request: &ReviewRequest,
    record: &Record,
    options: &ReviewOptions,
    engines: &Engines,
    stop: &StopToken,
    on_event: &mut dyn FnMut(ReviewEvent),
) -> Result<(), Error> {
    let course = moves_of(record, request.rules.rule()?, request.rules.size())?;
    let found = gomoku_review::review(&course, options, engines.clock(), stop, &mut |done, of| {
        on_event(ReviewEvent::Progress(ReviewProgress {
            reviewing: [done, of],
        }));
    })
    .map_err(|error| Error::Engine(error.to_string()))?;
    for reviewed in &found.moves {
        on_event(ReviewEvent::GomokuMove(Box::new(GomokuMove::new(1, reviewed))));
    }
    let stopped = course.stopped.map(|reason| reason.to_string());
    let summary = GomokuSummary::new(1, &found, stopped.as_deref());
    on_event(ReviewEvent::GomokuSummary(Box::new(summary)));
    Ok(())
}
