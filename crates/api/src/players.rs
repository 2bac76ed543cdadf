//! Whether descriptions of players are understood, and may be played with from here.
//!
//! They are those of the arena and of the laboratory: the two crates do not know each other.

use crate::{access::Capabilities, error::Error, wire::GameName};
use outflank_arena::{
    Access, BookOptions, Choice, Failure, History, MatchGame, OpenBook, Player, Registry, Reply, Setup, Turn,
    WithBook, add_engines,
};
use outflank_book::SharedBook;
use outflank_gomoku::Board;
use outflank_lab::players as laboratory;
use outflank_othello::Position;
use outflank_study::{
    book::Shelf,
    opening::{Booked, OpeningBook, parse_discs},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{path::Path, sync::Arc};

/// Asks whether these descriptions name players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayersRequest {
    /// The game.
    #[serde(default)]
    pub game: GameName,
    /// Descriptions, such as `level 4` or `external: PROGRAM`.
    pub players: Vec<String>,
}

/// The descriptions, which are understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Understood {
    /// The descriptions.
    pub players: Vec<String>,
}

/// Returns what players may do outside of this program.
pub fn access(capabilities: &Capabilities<'_>) -> Access {
    Access {
        programs: capabilities.programs,
        files: capabilities.open.is_some(),
    }
}

/// Returns the players of Othello, those of the laboratory among them; its engines take books.
pub fn othello(access: Access) -> Registry<Position> {
    let mut registry = Registry::with_access(access);
    let open: OpenBook = Arc::new(open_book);
    add_engines(&mut registry, Some(&open));
    add_laboratory(&mut registry, laboratory::player);
    registry
}

/// Returns the players of Gomoku, those of the laboratory among them.
pub fn gomoku(access: Access) -> Registry<Board> {
    let mut registry = Registry::with_access(access);
    add_laboratory(&mut registry, laboratory::gomoku_player);
    registry
}

/// Opens the book of a description once; every player that is made gets a look into it of its own.
fn open_book(options: &BookOptions) -> Result<WithBook, String> {
    let discs = |option: &str, text: &Option<String>| {
        let discs = text.as_deref().map(parse_discs).transpose();
        discs.map_err(|error| format!("{option} {error}"))
    };
    let opening = OpeningBook::choosing(
        discs("--book-random", &options.random)?,
        discs("--book-human", &options.human)?,
    );
    let shelf = Shelf::open(Path::new(&options.file)).map_err(|error| error.to_string())?;
    Ok(Arc::new(move |engine| {
        let book = SharedBook::new(Some(Arc::new(shelf.clone())));
        // The match gives every game a seed.
        Ok(Box::new(Booked::new(engine, book, opening, 0)))
    }))
}

/// Makes a player of the laboratory from its name.
type Make<G> = fn(&str, u64) -> Result<Box<dyn laboratory::Player<G>>, laboratory::PlayerError>;

/// A player of the laboratory.
struct LabPlayer<G: MatchGame>(Box<dyn laboratory::Player<G>>);

impl<G: MatchGame> Player<G> for LabPlayer<G> {
    fn new_game(&mut self, _history: &History<G>, setup: &Setup<'_>) -> Result<(), Failure> {
        self.0.new_game(setup.seed);
        Ok(())
    }

    fn choose(&mut self, history: &History<G>, turn: &Turn<'_>) -> Result<Reply<G::Move>, Failure> {
        self.0.stopped_by(turn.stop);
        let chosen = self.0.choose(history.position());
        if turn.stop.is_stopped() {
            return Err(Failure::Stopped);
        }
        match chosen {
            Some(mv) => Ok(Reply::Move(Choice::of(mv))),
            None => Err(Failure::no_move()),
        }
    }
}

fn add_laboratory<G: MatchGame>(registry: &mut Registry<G>, make: Make<G>) {
    registry.add(
        "lab:",
        "lab: NAME: a player of the laboratory",
        move |arguments| {
            let name = arguments.to_owned();
            make(&name, 0).map_err(|error| error.to_string())?;
            Ok(Arc::new(move || match make(&name, 0) {
                Ok(player) => Ok(Box::new(LabPlayer(player))),
                Err(error) => Err(Failure::Internal(error.to_string())),
            }))
        },
    );
}

/// Checks the descriptions, without starting anything.
///
/// # Errors
///
/// Returns what is wrong with one, or that it names a program or a file that may not be reached from here.
pub fn players(request: &PlayersRequest, capabilities: &Capabilities<'_>) -> Result<Understood, Error> {
    let access = access(capabilities);
    for text in &request.players {
        let parsed = match request.game {
            GameName::Othello => othello(access).parse(text).map(drop),
            GameName::Gomoku => gomoku(access).parse(text).map(drop),
        };
        parsed.map_err(|error| Error::Player(error.to_string()))?;
    }
    Ok(Understood {
        players: request.players.clone(),
    })
}
