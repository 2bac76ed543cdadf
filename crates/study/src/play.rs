//! A game between people and the engine, as every front-end plays it: whose turn it is, clocks, undo, hints, values.
//!
//! A [`GameSession`] neither reads a clock nor searches: whoever shows it says what time it is, asks for the [`Search`]
//! that is wanted ([`GameSession::wanted`]), and hands back what was found.
//! Searches run beside the game: what was found for a question that nobody asks any more is told by its position and
//! purpose, and dropped.
//! It plays any game that is [`Played`]: Othello as [`Session`], Gomoku as [`gomoku::Session`].

mod clock;
pub mod gomoku;
mod look;
mod othello;
mod played;
mod search;

pub use othello::{Hint, Judgment, PlayError, Session};
pub use played::{MoveOf, Played};
pub use search::{GameHint, Purpose, Search};

use clock::Clocks;
use look::Look;
use outflank_game::Player;
use outflank_othello::Color;
use outflank_search::{GameClock, Level};
use std::{error::Error, fmt::Display, time::Duration};

/// Who makes the moves of one color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// Whoever sits at the keyboard.
    Person,
    /// The engine.
    Engine,
}

/// How a game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Who plays black, and who plays white.
    pub seats: [Seat; 2],
    /// Strength of the engine.
    pub level: Level,
    /// Time for each of the engine's moves, instead of what the level needs.
    pub move_time: Option<Duration>,
    /// What both players have on their clocks at first, if there are clocks.
    pub clock: Option<GameClock>,
}

/// What the game waits for; of a game whose colors are of type `C`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn<C = Color> {
    /// A person of this color makes a move.
    Choose(C),
    /// This color, of whichever seat, has no move; somebody has to take note of it.
    Pass(C),
    /// The engine of this color thinks.
    Think(C),
    /// It is the turn of the engine of this color, but somebody is looking at an earlier position of the game: it moves
    /// when it is told to.
    Paused(C),
    /// The game has ended by its rules.
    Over,
    /// The clock of this color has run out.
    TimeOut(C),
}

/// Why something cannot be done now, in a game with colors of type `C` that refuses moves for reasons of type `R`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError<C: Display, R: Error + 'static> {
    /// The rules refuse the move.
    #[error(transparent)]
    Refused(R),
    /// There is no move but to pass.
    #[error("{0} has no move and must pass")]
    MustPass(C),
    /// A pass, although there are moves.
    #[error("{0} has a move and may not pass")]
    MayNotPass(C),
    /// It is not a person's turn.
    #[error("it is the engine's turn")]
    EnginesTurn,
    /// The game is over.
    #[error("the game is over; undo takes moves back")]
    Over,
    /// Nothing to take back.
    #[error("there is nothing to take back")]
    NothingToUndo,
    /// Nothing was taken back.
    #[error("there is nothing to play again")]
    NothingToRedo,
    /// The game is shorter.
    #[error("there is no move {wanted}: the game has {moves}")]
    NoSuchMove {
        /// The move that was asked for.
        wanted: usize,
        /// Moves of the game, with those that were taken back.
        moves: usize,
    },
    /// An earlier position is looked at, and it is the engine's turn there.
    #[error("the engine waits while you look at the game; let it move, or go to another move")]
    Paused,
}

/// Why something cannot be done now in a session of `G`.
pub type ErrorOf<G> = SessionError<<G as Played>::Color, <G as Played>::Refusal>;

/// A game in progress; see [`Session`] and [`gomoku::Session`] for examples.
#[derive(Clone, Debug)]
pub struct GameSession<G: Played> {
    options: Options,
    /// The game as it stands.
    game: G,
    /// Moves that were taken back, the next one last.
    future: Vec<MoveOf<G>>,
    clocks: Clocks,
    /// What is known of each position, for black; also of those that were taken back.
    values: Vec<Option<G::Known>>,
    /// What is known of the moves of each position.
    looks: Vec<Look<MoveOf<G>, G::Known>>,
    hint: Option<GameHint<G>>,
    /// Whether positions without a value are to be searched when there is nothing else to do.
    fill_values: bool,
    /// A move for a person, made by the engine.
    engine_moves_once: bool,
    /// Whether an earlier position of the game is looked at: the engine waits, and what follows is part of the game.
    paused: bool,
    /// Tags of the game that was loaded.
    tags: Vec<(String, String)>,
}

impl<G: Played> GameSession<G> {
    /// Returns a session that goes on with `game`, from its last position; clocks begin `now`.
    pub fn of_game(options: Options, game: G, now: Duration) -> Self {
        let moves = game.moves().len();
        Self {
            options,
            game,
            future: Vec::new(),
            clocks: Clocks::new(options.clock, moves, now),
            values: vec![None; moves + 1],
            looks: vec![Look::new(); moves + 1],
            hint: None,
            fill_values: false,
            engine_moves_once: false,
            paused: false,
            tags: Vec::new(),
        }
    }

    /// Starts a new game by the same rules.
    pub fn restart(&mut self, now: Duration) {
        self.begin(self.game.anew(), now);
    }

    /// Goes on with another game, as whoever plays has been seated.
    fn begin(&mut self, game: G, now: Duration) {
        *self = Self {
            fill_values: self.fill_values,
            ..Self::of_game(self.options, game, now)
        };
    }

    /// Returns how the game is played.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the game up to the position on the board.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// Returns the moves up to the position on the board, passes included.
    pub fn moves(&self) -> &[MoveOf<G>] {
        self.game.moves()
    }

    /// Returns how many moves were taken back and can be played again.
    pub const fn moves_ahead(&self) -> usize {
        self.future.len()
    }

    /// Returns who plays `color`.
    pub fn seat(&self, color: G::Color) -> Seat {
        self.options.seats[color.into() as usize]
    }

    /// Returns whether a person plays.
    pub fn has_person(&self) -> bool {
        self.options.seats.contains(&Seat::Person)
    }

    /// Returns what the game waits for.
    pub fn turn(&self) -> Turn<G::Color> {
        if let Some(color) = self.out_of_time() {
            return Turn::TimeOut(color);
        }
        let side = self.game.side();
        let engine = self.seat(side) == Seat::Engine;
        if self.game.is_over() {
            Turn::Over
        } else if engine && self.paused && !self.engine_moves_once {
            Turn::Paused(side)
        } else if self.game.must_pass() {
            Turn::Pass(side)
        } else if engine || self.engine_moves_once {
            Turn::Think(side)
        } else {
            Turn::Choose(side)
        }
    }

    /// Returns whose clock has run out.
    fn out_of_time(&self) -> Option<G::Color> {
        self.clocks.out_of_time().map(|player| G::COLORS[player as usize])
    }

    /// Places a person's disc or stone; not where it would lose at once by the rules, unless there is no other place.
    ///
    /// # Errors
    ///
    /// Returns why not; the game is then unchanged.
    pub fn place(&mut self, place: G::Place, now: Duration) -> Result<(), ErrorOf<G>> {
        self.tick(now);
        match self.turn() {
            Turn::Choose(_) => {}
            Turn::Pass(color) => return Err(SessionError::MustPass(color)),
            Turn::Think(_) => return Err(SessionError::EnginesTurn),
            Turn::Paused(_) => return Err(SessionError::Paused),
            Turn::Over | Turn::TimeOut(_) => return Err(SessionError::Over),
        }
        self.game.allow(place).map_err(SessionError::Refused)?;
        self.play(place.into(), now)
    }

    /// Lets the engine make the next move for a person.
    ///
    /// # Errors
    ///
    /// Returns why not; the game is then unchanged.
    pub fn engine_moves(&mut self) -> Result<(), ErrorOf<G>> {
        match self.turn() {
            Turn::Paused(_) if self.game.must_pass() => {
                self.paused = false;
                Ok(())
            }
            Turn::Choose(_) | Turn::Think(_) | Turn::Paused(_) => {
                self.engine_moves_once = true;
                Ok(())
            }
            Turn::Pass(color) => Err(SessionError::MustPass(color)),
            Turn::Over | Turn::TimeOut(_) => Err(SessionError::Over),
        }
    }

    fn play(&mut self, mv: MoveOf<G>, now: Duration) -> Result<(), ErrorOf<G>> {
        let before = self.moves().len();
        let player = self.game.side().into();
        self.game.play(mv).map_err(SessionError::Refused)?;
        self.engine_moves_once = false;
        self.paused = false;
        // The same move as before keeps what was taken back; another one begins another game.
        if self.future.pop() != Some(mv) {
            self.future.clear();
            self.values.truncate(before + 1);
            self.looks.truncate(before + 1);
            self.looks[before].forget_move();
        }
        self.clocks.moved(before, player, now);
        self.values.resize((before + 2).max(self.values.len()), None);
        self.looks.resize(self.values.len(), Look::new());
        Ok(())
    }

    /// Takes the last move back.
    fn step_back(&mut self) -> bool {
        let undone = self.game.undo();
        self.future.extend(undone);
        undone.is_some()
    }

    /// Plays the next move again that was taken back.
    fn step_ahead(&mut self) -> bool {
        let Some(mv) = self.future.pop() else {
            return false;
        };
        self.game.play(mv).expect("it was legal when it was taken back");
        true
    }

    /// Takes moves back until a person has to choose: the engine's answer and one's own move. Returns how many.
    ///
    /// Where no person plays, it is one move.
    ///
    /// # Errors
    ///
    /// Returns [`SessionError::NothingToUndo`] if no person has chosen a move before; nothing is then changed.
    pub fn undo(&mut self, now: Duration) -> Result<usize, ErrorOf<G>> {
        let before = self.moves().len();
        while self.step_back() {
            if self.may_rest() {
                self.moved_in_history(now);
                return Ok(before - self.moves().len());
            }
        }
        while self.moves().len() < before && self.step_ahead() {}
        Err(SessionError::NothingToUndo)
    }

    /// Plays moves again that were taken back, until a person has to choose or there are no more. Returns how many.
    ///
    /// # Errors
    ///
    /// Returns [`SessionError::NothingToRedo`] if none was taken back.
    pub fn redo(&mut self, now: Duration) -> Result<usize, ErrorOf<G>> {
        let before = self.moves().len();
        while self.step_ahead() && !self.may_rest() {}
        let count = self.moves().len() - before;
        if count == 0 {
            return Err(SessionError::NothingToRedo);
        }
        self.moved_in_history(now);
        Ok(count)
    }

    /// Goes to the position after `moves` moves of the game, forwards or back; the engine then waits if it is its turn and
    /// moves follow.
    ///
    /// # Errors
    ///
    /// Returns [`SessionError::NoSuchMove`] if the game is shorter; nothing is then changed.
    pub fn go_to(&mut self, moves: usize, now: Duration) -> Result<(), ErrorOf<G>> {
        let all = self.moves().len() + self.future.len();
        if moves > all {
            return Err(SessionError::NoSuchMove {
                wanted: moves,
                moves: all,
            });
        }
        while self.moves().len() > moves && self.step_back() {}
        while self.moves().len() < moves && self.step_ahead() {}
        self.moved_in_history(now);
        self.paused = !self.future.is_empty();
        Ok(())
    }

    /// Returns the whole game, with the moves that were taken back.
    pub fn whole(&self) -> G {
        let mut game = self.game.clone();
        for &mv in self.future.iter().rev() {
            game.play(mv).expect("it was legal when it was taken back");
        }
        game
    }

    /// Returns the position after so many moves of the whole game.
    fn position_after(&self, moves: usize) -> Option<G::Position> {
        let mut game = self.whole();
        while game.moves().len() > moves {
            game.undo();
        }
        (game.moves().len() == moves).then(|| game.position().clone())
    }

    /// Returns whether undo and redo stop here.
    fn may_rest(&self) -> bool {
        !self.has_person()
            || (self.seat(self.game.side()) == Seat::Person && !self.game.must_pass() && !self.game.is_over())
    }

    fn moved_in_history(&mut self, now: Duration) {
        self.engine_moves_once = false;
        self.paused &= !self.future.is_empty();
        self.clocks.jump(self.moves().len(), now);
    }

    /// Seats the players anew.
    pub fn set_seats(&mut self, seats: [Seat; 2]) {
        self.options.seats = seats;
        self.engine_moves_once = false;
        self.paused = false;
    }

    /// Sets the strength of the engine, from the next search on, in place of a time for its moves.
    pub fn set_level(&mut self, level: Level) {
        self.options.level = level;
        self.options.move_time = None;
        self.hint = None;
    }

    /// Sets the time for each of the engine's moves.
    pub fn set_move_time(&mut self, time: Option<Duration>) {
        self.options.move_time = time;
        self.hint = None;
    }

    /// Returns how strong the engine plays, in words: a level, or a time for each move.
    pub fn strength(&self) -> String {
        match (self.options.move_time, self.options.level.name()) {
            (_, Some(name)) => format!("{} ({name})", self.options.level),
            (Some(time), None) => format!("{} s a move", time.as_secs_f64()),
            (None, None) => format!("level {}", self.options.level),
        }
    }

    /// Takes note of the time: a clock may have run out.
    pub fn tick(&mut self, now: Duration) {
        if let Some(player) = self.running() {
            self.clocks.tick(self.moves().len(), player, now);
        }
    }

    /// Returns whose clock runs.
    fn running(&self) -> Option<Player> {
        (!self.game.is_over()).then(|| self.game.side().into())
    }

    /// Returns what is left on the clock of `color`, if there are clocks.
    pub fn time_left(&self, color: G::Color, now: Duration) -> Option<Duration> {
        let moves = self.moves().len();
        self.clocks.left(moves, color.into(), self.running(), now)
    }

    /// Returns what is known of each position from the start to the one on the board, for black.
    pub fn values(&self) -> &[Option<G::Known>] {
        &self.values[..=self.moves().len()]
    }

    /// Returns what is known of each position of the whole game, with those that were taken back, for black.
    pub fn all_values(&self) -> &[Option<G::Known>] {
        &self.values
    }

    /// Returns how many positions of the whole game have no value yet.
    pub fn values_missing(&self) -> usize {
        self.values.iter().filter(|value| value.is_none()).count()
    }

    /// Asks that positions without a value are searched when there is nothing else to do, and moves judged where they are,
    /// or no more.
    pub const fn fill_values(&mut self, fill: bool) {
        self.fill_values = fill;
    }

    /// Returns whether positions without a value are searched when there is nothing else to do.
    pub const fn fills_values(&self) -> bool {
        self.fill_values
    }

    /// Returns the moves of the game that is saved: those that were taken back only where somebody looks at an earlier
    /// position ([`GameSession::go_to`]).
    pub fn recorded_moves(&self) -> Vec<MoveOf<G>> {
        let follow = self.future.iter().rev().filter(|_| self.paused);
        self.moves().iter().chain(follow).copied().collect()
    }

    /// Returns the game that is saved; see [`GameSession::recorded_moves`].
    fn recorded(&self) -> G {
        if self.paused {
            self.whole()
        } else {
            self.game.clone()
        }
    }
}
