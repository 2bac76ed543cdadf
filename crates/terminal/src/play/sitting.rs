//! What the table, the lines and the screen need of a game, whichever it is.

use super::kept::{Loaded, Saved};
use outflank_search::{Engine, Level, OutcomeOf, ProgressOf};
use outflank_study::play::{Options, Search, Seat, Turn};
use std::{fmt, time::Duration};

/// A game in progress that somebody sits at: a session of `study` with words for what happens.
pub(super) trait Sitting: Sized + 'static {
    /// The engine that plays.
    type Engine: Engine + 'static;
    /// Where a disc or a stone is placed.
    type Place: Copy + PartialEq + fmt::Debug;
    /// A move, as it is compared with those of a file.
    type Move: Clone + PartialEq;
    /// A color.
    type Color: Copy + PartialEq + fmt::Debug + fmt::Display;
    /// The game as it is saved.
    type Record: Saved;
    /// What lies on the board.
    type Stones: PartialEq;

    /// Both colors, the one that moves first before the other.
    const COLORS: [Self::Color; 2];
    /// What `help` says.
    const HELP: &'static str;

    /// Reads what was typed as a place; the error says what it is not.
    fn place_of(&self, word: &str) -> Result<Self::Place, String>;

    /// Returns how the game is played.
    fn options(&self) -> &Options;
    /// Returns who plays this color.
    fn seat(&self, color: Self::Color) -> Seat;
    /// Returns what the game waits for.
    fn turn(&self) -> Turn<Self::Color>;
    /// Returns the number of moves up to the position on the board, and of those that were taken back.
    fn progress(&self) -> [usize; 2];
    /// Returns what lies on the board.
    fn stones(&self) -> Self::Stones;
    /// Returns what is left on the clock of this color, if there are clocks.
    fn time_left(&self, color: Self::Color, now: Duration) -> Option<Duration>;

    /// Places a person's disc or stone.
    fn place(&mut self, place: Self::Place, now: Duration) -> anyhow::Result<()>;
    /// Takes note that the player to move must pass.
    fn pass(&mut self, now: Duration) -> anyhow::Result<()>;
    /// Asks for the values of so many moves.
    fn ask_hint(&mut self, lines: usize) -> anyhow::Result<()>;
    /// Returns whether there is a hint for the position on the board.
    fn has_hint(&self) -> bool;
    /// Forgets the hint.
    fn drop_hint(&mut self);
    /// Takes moves back; returns how many.
    fn undo(&mut self, now: Duration) -> anyhow::Result<usize>;
    /// Plays moves again; returns how many.
    fn redo(&mut self, now: Duration) -> anyhow::Result<usize>;
    /// Goes to the position after so many moves.
    fn go_to(&mut self, moves: usize, now: Duration) -> anyhow::Result<()>;
    /// Lets the engine make the next move.
    fn engine_moves(&mut self) -> anyhow::Result<()>;
    /// Sets the strength of the engine; returns what that means.
    fn set_level(&mut self, level: Level) -> String;
    /// Sets the time for each of the engine's moves.
    fn set_move_time(&mut self, time: Option<Duration>);
    /// Seats the players anew.
    fn set_seats(&mut self, seats: [Seat; 2]);
    /// Starts a new game.
    fn restart(&mut self, now: Duration);

    /// Reads number `number`, from 1, of a file, or of notation that is given itself.
    fn read(&self, what: &str, number: usize) -> anyhow::Result<Loaded<Self::Record>>;
    /// Goes on with another game.
    fn go_on_with(&mut self, record: Self::Record, now: Duration) -> anyhow::Result<()>;
    /// Returns the game for saving.
    fn record(&self) -> Self::Record;
    /// Returns the moves that are saved.
    fn recorded_moves(&self) -> Vec<Self::Move>;

    /// Takes note of the time.
    fn tick(&mut self, now: Duration);
    /// Returns the search that is wanted.
    fn wanted(&self, now: Duration) -> Option<SearchOf<Self>>;
    /// Returns whether this search is still wanted.
    fn asks(&self, search: &SearchOf<Self>) -> bool;
    /// Takes news of a running search.
    fn news(&mut self, search: &SearchOf<Self>, news: &ProgressOf<Self::Engine>);
    /// Takes what a search has found; says what was played by it, if a move was.
    fn found(
        &mut self,
        search: &SearchOf<Self>,
        outcome: &OutcomeOf<Self::Engine>,
        now: Duration,
    ) -> Option<String>;
    /// Asks that positions without a value are searched when there is nothing else to do, or no more.
    fn fill_values(&mut self, fill: bool);
    /// Returns whether that is asked.
    fn fills_values(&self) -> bool;
    /// Returns whether everything is known that this would find.
    fn all_is_known(&self) -> bool;

    /// Says how strong the engine is.
    fn strength(&self) -> String;
    /// Says how the game stands: whose turn it is, or how it has ended.
    fn status(&self) -> String;
    /// Returns the moves up to the position on the board.
    fn transcript(&self) -> String;
    /// Draws the board line by line.
    fn board_text(&self, color: bool) -> String;
    /// Says what else there is to say about the position on the board.
    fn remarks(&self) -> Vec<String>;
    /// Says which moves are known to have lost something.
    fn mistakes(&self) -> Vec<String>;
    /// Returns the moves of the hint with their values.
    fn hint_lines(&self) -> Vec<String>;
    /// Returns the values of the game as a graph of text.
    fn graph(&self, width: usize, height: usize) -> String;

    /// Says who plays which color.
    fn who_plays(&self) -> String {
        let engine = self.strength();
        match Self::COLORS.map(|color| self.seat(color)) {
            [Seat::Person, Seat::Engine] => format!("you are black (X), the engine white (O), {engine}"),
            [Seat::Engine, Seat::Person] => format!("you are white (O), the engine black (X), {engine}"),
            [Seat::Person, Seat::Person] => "two people play".to_owned(),
            [Seat::Engine, Seat::Engine] => format!("the engine plays itself, {engine}"),
        }
    }

    /// Returns whether a person plays.
    fn has_person(&self) -> bool {
        self.options().seats.contains(&Seat::Person)
    }
}

/// A search that a game wants.
pub(super) type SearchOf<S> = Search<<<S as Sitting>::Engine as Engine>::Game>;
