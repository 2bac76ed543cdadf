//! What the table, the lines and the screen need of a game, whichever it is.

use super::kept::{Loaded, Saved};
use outflank_search::{Engine, Level, Line};
use outflank_study::play::{GameSession, MoveOf, Played, Seat};
use std::time::Duration;

/// A game that somebody sits at: words for what happens in a session of it, and its files.
pub(super) trait Sitting: Played + 'static {
    /// The engine that plays.
    type Engine: Engine<Game = Self::Position, Value = Self::Score> + 'static;
    /// The game as it is saved.
    type Record: Saved;
    /// What lies on the board.
    type Stones: PartialEq;

    /// What `help` says.
    const HELP: &'static str;

    /// Reads what was typed as a place; the error says what it is not.
    fn place_of(&self, word: &str) -> Result<Self::Place, String>;
    /// Returns what lies on the board.
    fn stones(&self) -> Self::Stones;
    /// Takes note that the player to move must pass.
    fn pass(session: &mut GameSession<Self>, now: Duration) -> anyhow::Result<()>;
    /// Says what a level means.
    fn level_text(level: Level) -> String;

    /// Reads number `number`, from 1, of a file, or of notation that is given itself.
    fn read(session: &GameSession<Self>, what: &str, number: usize) -> anyhow::Result<Loaded<Self::Record>>;
    /// Goes on with another game.
    fn load(session: &mut GameSession<Self>, record: Self::Record, now: Duration) -> anyhow::Result<()>;
    /// Returns the game for saving.
    fn record(session: &GameSession<Self>) -> Self::Record;

    /// Returns whether everything is known that filling in values would find.
    fn all_is_known(session: &GameSession<Self>) -> bool;
    /// Says how the game stands: whose turn it is, or how it has ended.
    fn status(session: &GameSession<Self>) -> String;
    /// Returns the moves up to the position on the board.
    fn transcript(session: &GameSession<Self>) -> String;
    /// Draws the board line by line.
    fn board_text(session: &GameSession<Self>, color: bool) -> String;
    /// Says what else there is to say about the position on the board.
    fn remarks(session: &GameSession<Self>) -> Vec<String>;
    /// Says which moves are known to have lost something.
    fn mistakes(session: &GameSession<Self>) -> Vec<String>;
    /// Says what the engine of `color` has played, and what it thinks of it.
    fn engine_move(color: Self::Color, played: &Line<MoveOf<Self>, Self::Score>) -> String;
    /// Returns the moves of the hint with their values.
    fn hint_lines(session: &GameSession<Self>) -> Vec<String>;
    /// Returns the values of the game as a graph of text.
    fn graph(session: &GameSession<Self>, width: usize, height: usize) -> String;
}

/// Says who plays which color.
pub(super) fn who_plays<G: Played>(session: &GameSession<G>) -> String {
    let engine = session.strength();
    match G::COLORS.map(|color| session.seat(color)) {
        [Seat::Person, Seat::Engine] => format!("you are black (X), the engine white (O), {engine}"),
        [Seat::Engine, Seat::Person] => format!("you are white (O), the engine black (X), {engine}"),
        [Seat::Person, Seat::Person] => "two people play".to_owned(),
        [Seat::Engine, Seat::Engine] => format!("the engine plays itself, {engine}"),
    }
}
