//! The moves of a position: what they are called, what a book and an engine say of them, and how games with them ended.

use crate::{
    access::{Capabilities, Input},
    analyze::{DEFAULT_TIME, LineObject},
    book::{BookMove, BookPosition, show},
    engines::Engines,
    error::Error,
    games::{
        GameObject, GamesFilter,
        own::{Ask, CollectionName, Collections},
        unanswered,
    },
    wire::{LimitsObject, Opening, board_and_side, hundredths},
};
use outflank_games::{Store, Tally};
use outflank_othello::{Color, Game, Move, Position, Square, Symmetry};
use outflank_othello_engine as othello;
use outflank_search::{Limits, StopToken};
use outflank_study::{book::Shelf, names};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most games that are shown of a move.
const MOST_EXAMPLES: usize = 10;

/// Asks what there is to know of the moves of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchesRequest {
    /// One position, or a game, whose last position is meant.
    pub input: Input,
    /// Which games count.
    #[serde(default)]
    pub filter: GamesFilter,
    /// The collection whose games count; all of them if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<CollectionName>,
    /// Games to show for each move, of the players who have most games; at most 10.
    #[serde(default)]
    pub examples: usize,
    /// How far to search for values of all moves; no search if nothing is said, 5 seconds if nothing is said in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsObject>,
}

/// What there is to know of the moves of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Branches {
    /// The position, 64 characters; where there was a pass, the one after it.
    pub board: String,
    /// `X` or `O`, who moves.
    pub side: String,
    /// Whether the player to move in the position that was asked for has to pass.
    pub passed: bool,
    /// The last named position of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// What the book says of the position, if there is a book and it has it; its moves stand below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<BookPosition>,
    /// The games that go through it, if there are collections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<Results>,
    /// Games that end there, if there are collections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<u64>,
    /// Every legal move, in the order of the squares; none when the game is over.
    pub moves: Vec<Branch>,
}

/// A move. Where the position is symmetric, all images of a move say the same of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Branch {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Other squares that are the same move, as the position is symmetric.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<String>,
    /// What the position after it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// What the book says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<BookMove>,
    /// What the engine says of it, where it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<LineObject>,
    /// The games with it, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<Results>,
    /// Some of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<GameObject>,
}

/// How games ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Results {
    /// Games, also those whose result is not known.
    pub games: u64,
    /// Games that black won.
    pub black: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that white won.
    pub white: u64,
    /// Black's mean margin in discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discs: Option<f64>,
    /// Black's mean margin with perfect play in the endgame, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theoretical: Option<f64>,
    /// The first year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_year: Option<u16>,
    /// The last year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_year: Option<u16>,
}

impl Results {
    /// Returns how games ended that were counted for `side`.
    pub fn new(tally: &Tally, side: Color) -> Self {
        let (black, white, sign) = match side {
            Color::Black => (tally.wins, tally.losses, 1.0),
            Color::White => (tally.losses, tally.wins, -1.0),
        };
        Self {
            games: tally.games,
            black,
            draws: tally.draws,
            white,
            discs: tally.mean_discs().map(|discs| hundredths(sign * discs)),
            theoretical: tally.mean_theoretical().map(|discs| hundredths(sign * discs)),
            first_year: tally.years.map(|years| years.0),
            last_year: tally.years.map(|years| years.1),
        }
    }
}

/// What collections say of the moves of a position, one after the other.
struct Count<'a> {
    position: &'a Position,
    filter: &'a GamesFilter,
    n_examples: usize,
    total: Tally,
    ended: Tally,
    /// By square: all games of the move, and some of them.
    moves: BTreeMap<Square, (Tally, Vec<GameObject>)>,
    /// Why a collection has no such games, and whether one has answered.
    refused: Option<Error>,
    answered: bool,
}

impl Ask for Count<'_> {
    fn ask<S: Store>(&mut self, store: &S) -> Result<(), Error> {
        let matcher = match self.filter.matcher(store) {
            Ok(matcher) => matcher,
            // A player of one collection is nobody in another.
            Err(error @ Error::Value { .. }) => {
                self.refused = Some(error);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let found =
            outflank_games::explore(store, self.position, &matcher, self.n_examples).map_err(unanswered)?;
        self.answered = true;
        self.total += found.total;
        self.ended += found.ended;
        for mv in &found.moves {
            let examples = mv.examples.iter().map(|&game| GameObject::of(store, game));
            let examples = examples.collect::<Result<Vec<_>, _>>()?;
            for &square in std::iter::once(&mv.square).chain(&mv.same) {
                let (tally, games) = self.moves.entry(square).or_default();
                *tally += mv.total;
                games.extend(examples.iter().cloned());
                games.truncate(self.n_examples);
            }
        }
        Ok(())
    }
}

impl<'a> Count<'a> {
    /// Counts the games of collections; `None` if there is no collection.
    fn of(
        request: &'a BranchesRequest,
        position: &'a Position,
        collections: &Collections,
    ) -> Result<Option<Self>, Error> {
        let mut count = Self {
            position,
            filter: &request.filter,
            n_examples: request.examples.min(MOST_EXAMPLES),
            total: Tally::default(),
            ended: Tally::default(),
            moves: BTreeMap::new(),
            refused: None,
            answered: false,
        };
        let is_there = collections.each(request.collection, &mut count)?;
        match count.refused.take() {
            Some(error) if !count.answered => Err(error),
            _ => Ok(is_there.then_some(count)),
        }
    }
}

/// Returns the game that is meant.
fn game_of(request: &BranchesRequest, capabilities: &Capabilities<'_>) -> Result<Game, Error> {
    let items = request.input.open(capabilities)?.othello()?;
    match &items[..] {
        [item] => Ok(item.game()),
        _ => Err(Error::Value {
            name: "input",
            reason: format!("one position is wanted, and there are {}", items.len()),
        }),
    }
}

/// Returns the value of every move of `position`, as far as a search goes.
fn values(
    position: &Position,
    limits: &LimitsObject,
    engines: &mut Engines,
    stop: &StopToken,
) -> Result<Vec<othello::Line>, Error> {
    let mut limits = limits.limits()?;
    if limits == Limits::default() {
        limits.time = Some(DEFAULT_TIME);
    }
    let lines = position.board().legal_moves().count() as usize;
    let asked = othello::Request::new(*position)
        .limits(limits)
        .lines(lines.max(1));
    Ok(engines
        .othello(None, None)?
        .search(&asked, stop, &mut |_| {})
        .lines)
}

/// Finds what there is to know of the moves of a position.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn branches(
    request: &BranchesRequest,
    capabilities: &Capabilities<'_>,
    engines: &mut Engines,
    stop: &StopToken,
) -> Result<Branches, Error> {
    let mut game = game_of(request, capabilities)?;
    let opening = names::of_game(&game).map(Into::into);
    let passed = game.position().board().must_pass();
    if passed {
        let pass = game.play(Move::Pass);
        pass.map_err(|error| Error::Input(error.to_string()))?;
    }
    let position = *game.position();
    let count = Count::of(request, &position, engines.collections())?;
    let lines = match &request.limits {
        Some(limits) => values(&position, limits, engines, stop)?,
        None => Vec::new(),
    };
    let shelf = engines.book(true).or_else(Shelf::starter);
    let shown = shelf.map(|book| show(&book, &game)).transpose()?;
    let mut shown = shown.filter(|shown| shown.known);
    let booked = match &mut shown {
        Some(shown) => {
            shown.opening = None;
            std::mem::take(&mut shown.moves)
        }
        None => Vec::new(),
    };
    let side = position.side();
    let of_move = |square: Square| {
        let same = images(&position, square);
        let is_same = |name: &str| {
            let mut all = std::iter::once(&square).chain(&same);
            all.any(|square| square.to_string() == name)
        };
        let mut after = position;
        let name = after
            .play(square.into())
            .ok()
            .and_then(|()| names::of_position(&after));
        let moves = game.moves().len() + 1;
        let counted = count.as_ref().and_then(|count| count.moves.get(&square));
        Branch {
            mv: square.to_string(),
            same: same.iter().map(ToString::to_string).collect(),
            opening: name.map(|name| names::Opening { name, moves }.into()),
            book: booked.iter().find(|mv| is_same(&mv.mv)).map(|mv| BookMove {
                mv: square.to_string(),
                ..mv.clone()
            }),
            engine: lines
                .iter()
                .find(|line| line.best() == Some(square.into()))
                .map(|line| LineObject::othello(&position, line)),
            games: counted.map(|(tally, _)| Results::new(tally, side)),
            examples: counted.map(|(_, games)| games.clone()).unwrap_or_default(),
        }
    };
    let moves = position.board().legal_moves().into_iter().map(of_move).collect();
    let (board, mover) = board_and_side(&position);
    Ok(Branches {
        board,
        side: mover,
        passed,
        opening,
        book: shown,
        games: count.as_ref().map(|count| Results::new(&count.total, side)),
        ended: count.as_ref().map(|count| count.ended.games),
        moves,
    })
}

/// Returns the other squares that are the same move, as the position is symmetric.
fn images(position: &Position, square: Square) -> Vec<Square> {
    let board = position.board();
    let own = Symmetry::ALL
        .into_iter()
        .filter(|&symmetry| board.transformed(symmetry) == board);
    let mut squares: Vec<Square> = own.map(|symmetry| symmetry.square(square)).collect();
    squares.retain(|&image| image != square);
    squares.sort_unstable();
    squares.dedup();
    squares
}
