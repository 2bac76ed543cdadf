//! Questions about a collection of games, whatever store it is in: what was played from a position, lists, totals,
//! ratings, duplicates and names.
//!
//! With the feature `database`, the module `import` works on the file that holds one.

mod events;
mod export;
#[cfg(all(feature = "database", not(target_arch = "wasm32")))]
pub mod import;
pub mod own;
#[cfg(not(target_arch = "wasm32"))]
mod ratings;
mod totals;

use crate::{
    error::Error,
    wire::{Opening, board_and_side, hundredths},
};
use outflank_games::{
    Entry, Filter, Flags, GameRef, Matcher, MoveStats, NameKind, Order, QueryError, Store, Tally,
    duplicates::{self, Candidate},
};
use outflank_othello::{Color, Discs, Position};
use outflank_records::GameRecord;
use outflank_study::names;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use events::{ImportEvent, ImportSummary};
pub use export::{WthorFiles, wthor};
#[cfg(not(target_arch = "wasm32"))]
pub use ratings::{RatedPlayer, RatingsRequest, ratings};
pub use totals::{NameObject, NamesOf, TotalsBy, TotalsObject, names_of, totals};

/// A color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ColorName {
    /// Who moves first.
    Black,
    /// The other one.
    White,
}

impl From<ColorName> for Color {
    fn from(name: ColorName) -> Self {
        match name {
            ColorName::Black => Self::Black,
            ColorName::White => Self::White,
        }
    }
}

/// Which games count; without anything all but duplicates.
///
/// A name is meant if each word of the text begins one of its words, whatever the accents and capitals; behind `=` the
/// whole name is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GamesFilter {
    /// One of the players.
    pub player: Option<String>,
    /// The color of that player.
    pub color: Option<ColorName>,
    /// The other player.
    pub opponent: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The source.
    pub source: Option<String>,
    /// The first year.
    pub first_year: Option<u16>,
    /// The last year.
    pub last_year: Option<u16>,
    /// The least margin in discs of the player, or of black without one.
    pub least_result: Option<i32>,
    /// The greatest margin.
    pub greatest_result: Option<i32>,
    /// The least number of discs on the board at the end.
    pub min_discs: u8,
    /// Only games that were played to the end.
    pub finished: bool,
    /// Only games with an opening by lot, or only others.
    pub xot: Option<bool>,
    /// Count games that stand elsewhere in the collection, too.
    pub duplicates: bool,
}

impl GamesFilter {
    fn filter(&self) -> Filter {
        let years = self.first_year.is_some() || self.last_year.is_some();
        let result = self.least_result.is_some() || self.greatest_result.is_some();
        Filter {
            player: self.player.clone(),
            color: self.color.map(Color::from),
            opponent: self.opponent.clone(),
            event: self.event.clone(),
            source: self.source.clone(),
            years: years.then(|| self.first_year.unwrap_or(0)..=self.last_year.unwrap_or(u16::MAX)),
            result: result.then(|| self.least_result.unwrap_or(-64)..=self.greatest_result.unwrap_or(64)),
            min_discs: self.min_discs,
            finished: self.finished,
            xot: self.xot,
            duplicates: self.duplicates,
        }
    }

    /// Makes the filter ready for a store.
    ///
    /// # Errors
    ///
    /// A name is that of nobody, or the store cannot be read.
    pub fn matcher<S: Store>(&self, store: &S) -> Result<Matcher, Error> {
        if self.color.is_some() && self.player.is_none() {
            return Err(Error::Value {
                name: "color",
                reason: "it is that of a player: name one".to_owned(),
            });
        }
        let matcher = Matcher::new(&self.filter(), store).map_err(failed)?;
        match matcher.unknown() {
            None => Ok(matcher),
            Some((kind, text)) => Err(Error::Value {
                name: match kind {
                    NameKind::Players => "player",
                    NameKind::Events => "event",
                    NameKind::Sources => "source",
                },
                reason: format!("{text:?} is the name of none; `games names` lists them"),
            }),
        }
    }
}

/// A store that cannot be read.
pub(crate) fn failed(error: impl std::error::Error) -> Error {
    Error::Input(error.to_string())
}

pub(crate) fn unanswered<E: std::error::Error + 'static>(error: QueryError<E>) -> Error {
    failed(error)
}

/// How games went for one side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fared {
    /// Games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points in percent of the games whose result is known, a draw as half of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Limits between which the score lies with a probability of 95 %, if these games are a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_range: Option<[f64; 2]>,
    /// Mean margin in discs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discs: Option<f64>,
    /// Mean margin with perfect play in the endgame, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theoretical: Option<f64>,
    /// The first year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_year: Option<u16>,
    /// The last year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_year: Option<u16>,
}

impl From<&Tally> for Fared {
    fn from(tally: &Tally) -> Self {
        let percent = |share: f64| hundredths(share * 100.0);
        Self {
            games: tally.games,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            score: tally.score().map(percent),
            score_range: tally
                .score_interval()
                .map(|range| [percent(range.low), percent(range.high)]),
            discs: tally.mean_discs().map(hundredths),
            theoretical: tally.mean_theoretical().map(hundredths),
            first_year: tally.years.map(|years| years.0),
            last_year: tally.years.map(|years| years.1),
        }
    }
}

/// A game of a collection; it can be read again wherever a game is taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
// Types of messages share one space of names, and a review has games, too.
#[schemars(rename = "ListedGame")]
pub struct GameObject {
    /// Its number in the collection.
    pub id: u32,
    /// Where it was read.
    pub source: String,
    /// Its number there, from 1.
    pub number: u32,
    /// The player of the black discs, empty if not known.
    pub black: String,
    /// The player of the white discs, empty if not known.
    pub white: String,
    /// Where it was played, empty if not known.
    pub event: String,
    /// When it was played: a day, a month or a year; empty if not known.
    pub date: String,
    /// Black's margin in discs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<i32>,
    /// `black`, `white` or `draw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// `board` if it was played to the end, `resigned` if it was given up or lost on time, else `adjudicated`.
    pub end: String,
    /// Black's margin with perfect play from `theoretical_empties` empty squares on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theoretical: Option<i32>,
    /// Empty squares from which the theoretical margin is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theoretical_empties: Option<u8>,
    /// Discs on the board at the end.
    pub n_discs: u8,
    /// Whether its opening was drawn by lot.
    #[serde(default, skip_serializing_if = "is_false")]
    pub xot: bool,
    /// Whether it stands elsewhere in the collection.
    #[serde(default, skip_serializing_if = "is_false")]
    pub duplicate: bool,
    /// The opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// The position before the first move, if it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves, without passes.
    pub moves: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks like that")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl GameObject {
    pub(crate) fn of<S: Store>(store: &S, game: GameRef) -> Result<Self, Error> {
        let damaged = || Error::Input("the collection is damaged: a game is missing".to_owned());
        let facts = store.facts(game).map_err(failed)?.copied().ok_or_else(damaged)?;
        let entry = store.entry(game).map_err(failed)?.ok_or_else(damaged)?;
        let source = store
            .names(NameKind::Sources)
            .map_err(failed)?
            .text(facts.source)
            .to_owned();
        Ok(Self::new(facts.id, source, &entry))
    }

    fn new(id: u32, source: String, entry: &Entry) -> Self {
        let game = entry.moves.to_game().ok();
        let end = match (entry.flags.has(Flags::FINISHED), entry.flags.has(Flags::EARLY)) {
            (true, _) => "board",
            (false, true) => "resigned",
            (false, false) => "adjudicated",
        };
        let winner = entry
            .flags
            .winner()
            .map(|winner| winner.map_or("draw".to_owned(), |color| color.to_string()));
        Self {
            id,
            source,
            number: entry.number,
            black: entry.black.clone(),
            white: entry.white.clone(),
            event: entry.event.clone(),
            date: entry.date.to_string(),
            margin: entry.result.map(Discs::get),
            winner,
            end: end.to_owned(),
            theoretical: entry.theoretical.map(|(discs, _)| discs.get()),
            theoretical_empties: entry.theoretical.map(|(_, empties)| empties),
            n_discs: entry.discs,
            xot: entry.flags.has(Flags::XOT),
            duplicate: entry.flags.has(Flags::DUPLICATE),
            opening: game.as_ref().and_then(names::of_game).map(Into::into),
            start: entry
                .moves
                .start
                .is_some()
                .then(|| entry.moves.start().to_string()),
            moves: entry.moves.text(),
        }
    }
}

/// Asks what was played from a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExploreRequest {
    /// The position in any notation, or the moves that lead to it; the start if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Which games count.
    #[serde(default)]
    pub filter: GamesFilter,
    /// Games to show for each move, of the players who have most games.
    #[serde(default)]
    pub examples: usize,
}

/// What was played from a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Explored {
    /// The position, 64 characters; where there was a pass, the one after it.
    pub board: String,
    /// `X` or `O`, who moves.
    pub side: String,
    /// Whether the player to move in the position that was asked for has to pass.
    pub passed: bool,
    /// The name of the position or of the last one before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// All games, for the player to move.
    pub total: Fared,
    /// Games that end there.
    pub ended: u64,
    /// The moves, most played first.
    pub moves: Vec<ExploredMove>,
}

/// A move and how it fared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExploredMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Other squares that are the same move, as the position is symmetric.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<String>,
    /// Part of the games that go on, in percent.
    pub share: f64,
    /// How it fared, for the player who moves.
    #[serde(flatten)]
    pub fared: Fared,
    /// Games with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<GameObject>,
}

/// Returns the last position of a text in any notation, and its opening; the start without a text.
fn position_of(text: Option<&str>) -> Result<(Position, Option<Opening>), Error> {
    let Some(text) = text else {
        return Ok((Position::start(), None));
    };
    let items = crate::Source::Text(text).othello()?;
    let [item] = &items[..] else {
        return Err(Error::Value {
            name: "position",
            reason: format!("one is wanted, and there are {}", items.len()),
        });
    };
    Ok((*item.position(), names::of_game(&item.game()).map(Into::into)))
}

/// Finds what was played from a position.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn explore<S: Store>(request: &ExploreRequest, store: &S) -> Result<Explored, Error> {
    let (position, opening) = position_of(request.position.as_deref())?;
    let matcher = request.filter.matcher(store)?;
    let found = outflank_games::explore(store, &position, &matcher, request.examples).map_err(unanswered)?;
    let (board, side) = board_and_side(&found.position);
    let going_on = found.total.games - found.ended.games;
    let of_move = |mv: &MoveStats| -> Result<ExploredMove, Error> {
        let examples = mv.examples.iter().map(|&game| GameObject::of(store, game));
        Ok(ExploredMove {
            mv: mv.square.to_string(),
            same: mv.same.iter().map(ToString::to_string).collect(),
            share: hundredths(100.0 * mv.total.games as f64 / going_on.max(1) as f64),
            fared: Fared::from(&mv.total),
            examples: examples.collect::<Result<_, _>>()?,
        })
    };
    Ok(Explored {
        board,
        side,
        passed: found.passed,
        opening,
        total: Fared::from(&found.total),
        ended: found.ended.games,
        moves: found.moves.iter().map(of_move).collect::<Result<_, _>>()?,
    })
}

/// An order of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OrderName {
    /// Latest games first.
    #[default]
    Latest,
    /// Earliest games first.
    Earliest,
    /// Greatest margins first.
    Margin,
    /// By the number in the collection.
    Number,
}

/// Asks for games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRequest {
    /// Only games that go through this position, in any notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Which games count.
    #[serde(default)]
    pub filter: GamesFilter,
    /// The order.
    #[serde(default)]
    pub order: OrderName,
    /// Games to leave out at the beginning.
    #[serde(default)]
    pub skip: usize,
    /// The most games to return; all if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// Hands the games of a list to `take`, as long as that wants more, and returns how many there are in all.
///
/// # Errors
///
/// Returns why the request cannot be answered, or what `take` returns.
pub fn list<S: Store>(
    request: &ListRequest,
    store: &S,
    take: &mut dyn FnMut(GameObject) -> Result<(), Error>,
) -> Result<usize, Error> {
    let listed = listed(request, store)?;
    for &game in &listed.games {
        take(GameObject::of(store, game)?)?;
    }
    Ok(listed.total)
}

/// As [`list`], with the records of the games, which can be written in any format.
///
/// # Errors
///
/// Returns why the request cannot be answered, or what `take` returns.
pub fn records<S: Store>(
    request: &ListRequest,
    store: &S,
    take: &mut dyn FnMut(GameRecord, Option<(Discs, u8)>) -> Result<(), Error>,
) -> Result<usize, Error> {
    let listed = listed(request, store)?;
    for &game in &listed.games {
        let entry = store.entry(game).map_err(failed)?;
        let record = entry
            .as_ref()
            .and_then(|entry| Some((entry.to_record()?, entry.theoretical)));
        let (record, theoretical) = record
            .ok_or_else(|| Error::Input("the collection is damaged: a game has no moves".to_owned()))?;
        take(record, theoretical)?;
    }
    Ok(listed.total)
}

fn listed<S: Store>(request: &ListRequest, store: &S) -> Result<outflank_games::Listed, Error> {
    let position = match &request.position {
        Some(text) => Some(position_of(Some(text))?.0),
        None => None,
    };
    let matcher = request.filter.matcher(store)?;
    let order = match request.order {
        OrderName::Latest => Order::Latest,
        OrderName::Earliest => Order::Earliest,
        OrderName::Margin => Order::Margin,
        OrderName::Number => Order::Number,
    };
    let limit = request.limit.unwrap_or(usize::MAX);
    outflank_games::list(store, position.as_ref(), &matcher, order, request.skip, limit).map_err(unanswered)
}

/// Games whose moves are the same, seen from one side or another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Alike {
    /// The games, in the order of source and number; those that are duplicates say so.
    pub games: Vec<GameObject>,
}

/// Finds games whose moves are the same.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn alike<S: Store>(filter: &GamesFilter, store: &S) -> Result<Vec<Alike>, Error> {
    let filter = GamesFilter {
        duplicates: true,
        ..filter.clone()
    };
    let request = ListRequest {
        filter,
        order: OrderName::Number,
        ..ListRequest::default()
    };
    let (players, sources) = (
        store.names(NameKind::Players).map_err(failed)?,
        store.names(NameKind::Sources).map_err(failed)?,
    );
    let games = listed(&request, store)?.games;
    let mut read = Vec::with_capacity(games.len());
    for &game in &games {
        let facts = store.facts(game).map_err(failed)?.copied().unwrap_or_default();
        let moves = store.moves(game).map_err(failed)?;
        read.push((moves, facts, store.number(game).map_err(failed)?));
    }
    let candidates: Vec<Candidate<'_>> = read
        .iter()
        .map(|(moves, facts, number)| Candidate {
            moves,
            facts,
            players: [players.person(facts.black), players.person(facts.white)],
            source: sources.text(facts.source),
            number: *number,
        })
        .collect();
    let of_group = |group: Vec<usize>| {
        let games = group.into_iter().map(|at| GameObject::of(store, games[at]));
        Ok(Alike {
            games: games.collect::<Result<_, Error>>()?,
        })
    };
    duplicates::groups(&candidates)
        .into_iter()
        .map(of_group)
        .collect()
}
