//! The engine's answer in a game.

use crate::{
    access::{Capabilities, Input},
    analyze::{LineObject, gomoku_board, within_units},
    engines::Engines,
    error::Error,
    wire::{GameName, GomokuRules, LimitsObject, texts},
};
use outflank_book::{AnyBook, SharedBook};
use outflank_game::SplitMix64;
use outflank_othello_engine as othello;
use outflank_search::{Engine as _, Level, Limits, StopToken};
use outflank_study::{
    close,
    opening::{Booked, OpeningBook},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Asks for a move in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    /// The game.
    #[serde(default)]
    pub game: GameName,
    /// The game so far.
    pub input: Input,
    /// Rule set and board of Gomoku.
    #[serde(default)]
    pub rules: GomokuRules,
    /// How strong, or how long; level 6 if nothing is said.
    #[serde(default)]
    pub limits: LimitsObject,
    /// What human-1 to human-8 draw their choice from; the same seed in the same position makes the same choice.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seed: u64,
    /// How to use the opening book that the front-end has opened, if it has one; Othello only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<BookUse>,
    /// Whether to give some of it away when ahead, so that the game stays close; Othello only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub close: bool,
    /// Memory for the table in bytes; 64 MiB if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_bytes: Option<u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// How to choose a move from an opening book.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BookUse {
    /// Draw among the moves that lose at most so many discs, instead of the best one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random: Option<f64>,
    /// Draw as often as people play among the moves that lose at most so many discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub human: Option<f64>,
}

impl BookUse {
    fn opening(&self) -> Result<OpeningBook, Error> {
        let units = |name: &'static str, discs: Option<f64>| {
            discs
                .map(|discs| within_units(discs).map_err(|reason| Error::Value { name, reason }))
                .transpose()
        };
        if self.random.is_some() && self.human.is_some() {
            return Err(Error::Value {
                name: "human",
                reason: "there is random, too".to_owned(),
            });
        }
        Ok(OpeningBook::choosing(
            units("random", self.random)?,
            units("human", self.human)?,
        ))
    }
}

/// A move, and what it leads to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Played {
    /// The move and its value; no move if the game was over.
    #[serde(flatten)]
    pub line: LineObject,
    /// All moves, with this one.
    pub moves: Vec<String>,
    /// Whether the game is over now.
    pub over: bool,
    /// Whether the other side has no move but to pass.
    pub must_pass: bool,
}

/// Level if nothing else is said.
const DEFAULT_LEVEL: u32 = 6;

/// Returns a move of an engine that keeps the game close.
fn close_line(lines: &[othello::Line], seed: u64) -> Option<&othello::Line> {
    let values: Vec<f64> = lines.iter().map(|line| line.value.discs()).collect();
    let place = close::choose(&values, &mut SplitMix64::new(seed))?;
    lines.get(place)
}

/// Makes a move in the game of the input, of which there is one.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn play(
    request: &PlayRequest,
    capabilities: &Capabilities<'_>,
    engines: &mut Engines,
    stop: &StopToken,
) -> Result<Played, Error> {
    let mut limits = request.limits.limits()?;
    if limits == Limits::default() {
        limits.level = Level::new(DEFAULT_LEVEL).ok();
    }
    let source = request.input.open(capabilities)?;
    match request.game {
        GameName::Othello => {
            let [item] = &source.othello()?[..] else {
                return Err(Error::Input("a move is made in one game".to_owned()));
            };
            let mut game = item.game();
            let position = *game.position();
            let asked = othello::Request::new(position).limits(limits);
            let opening = request.book.as_ref().map(BookUse::opening).transpose()?;
            let book = engines.book(opening.is_some());
            let engine = engines.othello(request.table_bytes, Some(request.seed))?;
            let book = SharedBook::new(book.map(|shelf| Arc::new(shelf) as AnyBook));
            // Another position of a game is another draw.
            let seed = request.seed ^ game.moves().len() as u64;
            let mut engine = Booked::new(engine, book, opening.unwrap_or_default(), seed);
            let legal = position.board().legal_moves().count() as usize;
            let asked = if request.close {
                asked.lines(legal.max(1))
            } else {
                asked
            };
            let outcome = engine.search(&asked, stop, &mut |_| {});
            let line = if request.close {
                close_line(&outcome.lines, seed).unwrap_or_else(|| outcome.best())
            } else {
                outcome.best()
            };
            if let Some(mv) = line.best() {
                game.play(mv).map_err(|error| Error::Input(error.to_string()))?;
            }
            Ok(Played {
                line: LineObject::othello(&position, line),
                moves: texts(game.moves()),
                over: game.position().is_game_over(),
                must_pass: game.position().board().must_pass(),
            })
        }
        GameName::Gomoku if request.close => Err(Error::Value {
            name: "close",
            reason: "only games of Othello are kept close".to_owned(),
        }),
        GameName::Gomoku => {
            let mut board = gomoku_board(&source.gomoku()?.0, &request.rules)?;
            let engine = engines.gomoku(request.table_bytes)?;
            // Another position of a game is another draw.
            engine.reseed(request.seed ^ board.n_stones() as u64);
            let asked = outflank_gomoku_engine::Request::new(board.clone()).limits(limits);
            let outcome = engine.search(&asked, stop, &mut |_| {});
            if let Some(point) = outcome.best_move() {
                board
                    .play(point)
                    .map_err(|error| Error::Input(error.to_string()))?;
            }
            let points: Vec<_> = board.history().into_iter().map(|(point, _)| point).collect();
            Ok(Played {
                line: LineObject::gomoku(outcome.best()),
                moves: texts(&points),
                over: board.end().is_some(),
                must_pass: false,
            })
        }
    }
}
