//! A game between people and the engine, as every front-end plays it: whose turn it is, clocks, undo, hints, values.
//!
//! A [`Session`] neither reads a clock nor searches: whoever shows it says what time it is, asks for the [`Search`] that
//! is wanted ([`Session::wanted`]), and hands back what was found.
//! Searches run beside the game: what was found for a question that nobody asks any more is told by its position and
//! purpose, and dropped.
//! This is a game of Othello; [`gomoku`] has the same for the other game.

mod clock;
pub mod gomoku;
mod marks;
mod search;

pub use marks::Judgment;
pub use search::{Hint, Purpose, Search};

use crate::{
    names::{self, Opening},
    review::Value,
};
use clock::Clocks;
use outflank_othello::{Color, Game, IllegalMove, Move, Square};
use outflank_othello_engine::{Line, Outcome};
use outflank_records::{GameRecord, MoveNote};
use outflank_search::{GameClock, Level};
use std::time::Duration;

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

/// Why something cannot be done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The move is against the rules.
    #[error("{0}")]
    Illegal(IllegalMove),
    /// There is no move but to pass.
    #[error("{0} has no move and must pass")]
    MustPass(Color),
    /// A pass, although there are moves.
    #[error("{0} has a move and may not pass")]
    MayNotPass(Color),
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

/// A game in progress.
///
/// # Examples
///
/// ```
/// use outflank_search::Level;
/// use outflank_study::play::{Options, Purpose, Seat, Session, Turn};
/// use outflank_othello::{Color, Square};
/// use std::time::Duration;
///
/// let options = Options {
///     seats: [Seat::Person, Seat::Engine],
///     level: Level::new(4)?,
///     move_time: None,
///     clock: None,
/// };
/// let now = Duration::ZERO;
/// let mut session = Session::new(options, now);
/// session.place(Square::F5, now)?;
/// assert_eq!(session.turn(), Turn::Think(Color::White));
/// let search = session.wanted(now).expect("the engine has to move");
/// assert_eq!(search.purpose, Purpose::Move);
/// session.undo(now)?;
/// assert_eq!(session.turn(), Turn::Choose(Color::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    options: Options,
    /// The game as it stands.
    game: Game,
    /// Moves that were taken back, the next one last.
    future: Vec<Move>,
    clocks: Clocks<Color>,
    /// What is known of each position, for black; also of those that were taken back.
    values: Vec<Option<Value>>,
    /// What is known of the best move of each position, and of the move that was made there.
    looks: Vec<marks::Look>,
    hint: Option<Hint>,
    /// Whether positions without a value are to be searched when there is nothing else to do.
    fill_values: bool,
    /// A move for a person, made by the engine.
    engine_moves_once: bool,
    /// Whether an earlier position of the game is looked at: the engine waits, and what follows is part of the game.
    paused: bool,
    /// Tags of the game that was loaded.
    tags: Vec<(String, String)>,
}

impl Session {
    /// Returns a new game that begins `now`.
    pub fn new(options: Options, now: Duration) -> Self {
        Self {
            options,
            game: Game::new(),
            future: Vec::new(),
            clocks: Clocks::new(options.clock, 0, now),
            values: vec![None],
            looks: vec![marks::Look::default()],
            hint: None,
            fill_values: false,
            engine_moves_once: false,
            paused: false,
            tags: Vec::new(),
        }
    }

    /// Starts a new game.
    pub fn restart(&mut self, now: Duration) {
        *self = Self {
            fill_values: self.fill_values,
            ..Self::new(self.options, now)
        };
    }

    /// Goes on with another game, from its last position; clocks begin anew.
    pub fn load(&mut self, record: GameRecord, now: Duration) {
        self.restart(now);
        self.clocks = Clocks::new(self.options.clock, record.game.moves().len(), now);
        self.values = vec![None; record.game.moves().len() + 1];
        self.looks = vec![marks::Look::default(); self.values.len()];
        self.tags = record.tags;
        self.game = record.game;
    }

    /// Returns how the game is played.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the game up to the position on the board.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Returns how many moves were taken back and can be played again.
    pub const fn moves_ahead(&self) -> usize {
        self.future.len()
    }

    /// Returns who plays `color`.
    pub const fn seat(&self, color: Color) -> Seat {
        self.options.seats[color as usize]
    }

    /// Returns whether a person plays.
    pub fn has_person(&self) -> bool {
        self.options.seats.contains(&Seat::Person)
    }

    /// Returns what the game waits for.
    pub fn turn(&self) -> Turn {
        if let Some(color) = self.clocks.out_of_time() {
            return Turn::TimeOut(color);
        }
        let position = self.game.position();
        let side = position.side();
        let engine = self.seat(side) == Seat::Engine;
        if position.is_game_over() {
            Turn::Over
        } else if engine && self.paused && !self.engine_moves_once {
            Turn::Paused(side)
        } else if position.board().must_pass() {
            Turn::Pass(side)
        } else if engine || self.engine_moves_once {
            Turn::Think(side)
        } else {
            Turn::Choose(side)
        }
    }

    /// Returns the last named position of the game.
    pub fn opening(&self) -> Option<Opening> {
        names::of_game(&self.game)
    }

    /// Places a person's disc.
    ///
    /// # Errors
    ///
    /// Returns why not; the game is then unchanged.
    pub fn place(&mut self, square: Square, now: Duration) -> Result<(), PlayError> {
        self.tick(now);
        match self.turn() {
            Turn::Choose(_) => {}
            Turn::Pass(color) => return Err(PlayError::MustPass(color)),
            Turn::Think(_) => return Err(PlayError::EnginesTurn),
            Turn::Paused(_) => return Err(PlayError::Paused),
            Turn::Over | Turn::TimeOut(_) => return Err(PlayError::Over),
        }
        self.play(square.into(), now)
    }

    /// Takes note that the player to move must pass, and plays the pass.
    ///
    /// # Errors
    ///
    /// Returns why not; the game is then unchanged.
    pub fn pass(&mut self, now: Duration) -> Result<(), PlayError> {
        self.tick(now);
        match self.turn() {
            Turn::Pass(_) => self.play(Move::Pass, now),
            Turn::Choose(color) => Err(PlayError::MayNotPass(color)),
            Turn::Think(_) => Err(PlayError::EnginesTurn),
            Turn::Paused(_) => Err(PlayError::Paused),
            Turn::Over | Turn::TimeOut(_) => Err(PlayError::Over),
        }
    }

    /// Lets the engine make the next move for a person.
    ///
    /// # Errors
    ///
    /// Returns why not; the game is then unchanged.
    pub fn engine_moves(&mut self) -> Result<(), PlayError> {
        match self.turn() {
            Turn::Paused(_) if self.game.position().board().must_pass() => {
                self.paused = false;
                Ok(())
            }
            Turn::Choose(_) | Turn::Think(_) | Turn::Paused(_) => {
                self.engine_moves_once = true;
                Ok(())
            }
            Turn::Pass(color) => Err(PlayError::MustPass(color)),
            Turn::Over | Turn::TimeOut(_) => Err(PlayError::Over),
        }
    }

    fn play(&mut self, mv: Move, now: Duration) -> Result<(), PlayError> {
        let before = self.game.moves().len();
        let side = self.game.position().side();
        self.game
            .play(mv)
            .map_err(|error| PlayError::Illegal(error.reason))?;
        self.engine_moves_once = false;
        self.paused = false;
        // The same move as before keeps what was taken back; another one begins another game.
        if self.future.pop() != Some(mv) {
            self.future.clear();
            self.values.truncate(before + 1);
            self.looks.truncate(before + 1);
            self.looks[before].forget_moves();
        }
        self.clocks.moved(before, side, now);
        self.values.resize((before + 2).max(self.values.len()), None);
        self.looks.resize(self.values.len(), marks::Look::default());
        Ok(())
    }

    /// Takes moves back until a person has to choose: the engine's answer and one's own move. Returns how many.
    ///
    /// Where no person plays, it is one move.
    ///
    /// # Errors
    ///
    /// Returns [`PlayError::NothingToUndo`] if no person has chosen a move before; nothing is then changed.
    pub fn undo(&mut self, now: Duration) -> Result<usize, PlayError> {
        let mut game = self.game.clone();
        let mut undone = Vec::new();
        loop {
            let Some(mv) = game.undo() else {
                return Err(PlayError::NothingToUndo);
            };
            undone.push(mv);
            if self.may_rest(&game) {
                break;
            }
        }
        let count = undone.len();
        self.game = game;
        self.future.append(&mut undone);
        self.moved_in_history(now);
        Ok(count)
    }

    /// Plays moves again that were taken back, until a person has to choose or there are no more. Returns how many.
    ///
    /// # Errors
    ///
    /// Returns [`PlayError::NothingToRedo`] if none was taken back.
    pub fn redo(&mut self, now: Duration) -> Result<usize, PlayError> {
        let mut count = 0;
        while let Some(mv) = self.future.pop() {
            self.game.play(mv).expect("it was legal when it was taken back");
            count += 1;
            if self.may_rest(&self.game) {
                break;
            }
        }
        if count == 0 {
            return Err(PlayError::NothingToRedo);
        }
        self.moved_in_history(now);
        Ok(count)
    }

    /// Goes to the position after `moves` moves of the game, forwards or back; the engine then waits if it is its turn and
    /// moves follow.
    ///
    /// # Errors
    ///
    /// Returns [`PlayError::NoSuchMove`] if the game is shorter; nothing is then changed.
    pub fn go_to(&mut self, moves: usize, now: Duration) -> Result<(), PlayError> {
        let all = self.game.moves().len() + self.future.len();
        if moves > all {
            return Err(PlayError::NoSuchMove {
                wanted: moves,
                moves: all,
            });
        }
        while self.game.moves().len() > moves {
            self.future.extend(self.game.undo());
        }
        while self.game.moves().len() < moves
            && let Some(mv) = self.future.pop()
        {
            self.game.play(mv).expect("it was legal when it was taken back");
        }
        self.moved_in_history(now);
        self.paused = !self.future.is_empty();
        Ok(())
    }

    /// Returns the whole game, with the moves that were taken back.
    pub fn whole(&self) -> Game {
        let mut game = self.game.clone();
        for &mv in self.future.iter().rev() {
            game.play(mv).expect("it was legal when it was taken back");
        }
        game
    }

    /// Returns whether undo and redo stop at the end of `game`.
    fn may_rest(&self, game: &Game) -> bool {
        let position = game.position();
        !self.has_person()
            || (self.seat(position.side()) == Seat::Person && !position.board().legal_moves().is_empty())
    }

    fn moved_in_history(&mut self, now: Duration) {
        self.engine_moves_once = false;
        self.paused &= !self.future.is_empty();
        self.clocks.jump(self.game.moves().len(), now);
    }

    /// Seats the players anew.
    pub fn set_seats(&mut self, seats: [Seat; 2]) {
        self.options.seats = seats;
        self.engine_moves_once = false;
        self.paused = false;
    }

    /// Sets the strength of the engine, from the next search on.
    pub fn set_level(&mut self, level: Level) {
        self.options.level = level;
        self.hint = None;
    }

    /// Sets the time for each of the engine's moves.
    pub fn set_move_time(&mut self, time: Option<Duration>) {
        self.options.move_time = time;
        self.hint = None;
    }

    /// Takes note of the time: a clock may have run out.
    pub fn tick(&mut self, now: Duration) {
        let position = self.game.position();
        if !position.is_game_over() {
            self.clocks.tick(self.game.moves().len(), position.side(), now);
        }
    }

    /// Returns what is left on the clock of `color`, if there are clocks.
    pub fn time_left(&self, color: Color, now: Duration) -> Option<Duration> {
        let position = self.game.position();
        let running = (!position.is_game_over()).then_some(position.side());
        self.clocks.left(self.game.moves().len(), color, running, now)
    }

    /// Returns what is known of each position from the start to the one on the board, for black.
    pub fn values(&self) -> &[Option<Value>] {
        &self.values[..=self.game.moves().len()]
    }

    /// Returns what is known of each position of the whole game, with those that were taken back, for black.
    pub fn all_values(&self) -> &[Option<Value>] {
        &self.values
    }

    /// Returns how many positions of the whole game have no value yet.
    pub fn values_missing(&self) -> usize {
        self.values.iter().filter(|value| value.is_none()).count()
    }

    /// Asks that positions without a value are searched when there is nothing else to do, and moves judged, or no more.
    pub const fn fill_values(&mut self, fill: bool) {
        self.fill_values = fill;
    }

    /// Returns whether positions without a value are searched when there is nothing else to do.
    pub const fn fills_values(&self) -> bool {
        self.fill_values
    }

    /// Returns the game with what is known of it, for saving; of moves that were taken back, nothing, but of those that
    /// follow where somebody looks at an earlier position ([`Session::go_to`]), all.
    pub fn record(&self) -> GameRecord {
        let game = if self.paused {
            self.whole()
        } else {
            self.game.clone()
        };
        let mut record = GameRecord::new(game.clone());
        for (color, tag) in [(Color::Black, "PB"), (Color::White, "PW")] {
            let loaded = self.tags.iter().find(|(name, _)| name == tag);
            record.add_tag(
                tag,
                match (loaded, self.seat(color)) {
                    (Some((_, name)), _) => name.clone(),
                    (None, Seat::Person) => "You".to_owned(),
                    (None, Seat::Engine) => format!("Outflank level {}", self.options.level),
                },
            );
        }
        let result = game.result().map(|result| f64::from(result.discs.get()));
        record.add_tag(
            "RE",
            match (result, self.clocks.out_of_time()) {
                (Some(discs), _) => format!("{discs:+.2}"),
                (None, Some(Color::Black)) => "-64.00:t".to_owned(),
                (None, Some(Color::White)) => "+64.00:t".to_owned(),
                (None, None) => "?".to_owned(),
            },
        );
        let made_here = ["PB", "PW", "RE"];
        let others = self
            .tags
            .iter()
            .filter(|(tag, _)| !made_here.contains(&tag.as_str()));
        record.tags.extend(others.cloned());
        let mut color = game.start().side();
        for at in 0..game.moves().len() {
            // What a move is worth is the value of the position after it, for who made it.
            let eval = self.values[at + 1].map(|value| {
                if color == Color::Black {
                    value.discs
                } else {
                    -value.discs
                }
            });
            record.notes.push(MoveNote {
                eval: eval.map_or_else(String::new, |eval| format!("{:.2}", eval + 0.0)),
                time: self
                    .clocks
                    .spent(at)
                    .map_or_else(String::new, |time| format!("{:.1}", time.as_secs_f64())),
            });
            color = !color;
        }
        record
    }

    /// Returns the moves of the game that [`Session::record`] gives.
    pub fn recorded_moves(&self) -> Vec<Move> {
        let follow = self.future.iter().rev().filter(|_| self.paused);
        self.game.moves().iter().chain(follow).copied().collect()
    }

    /// Takes what a search has found. Returns the move that was played by it, if one was.
    ///
    /// Nothing happens if the question is not asked any more.
    pub fn found(&mut self, search: &Search, outcome: &Outcome, now: Duration) -> Option<Line> {
        let still_asked = self.asks(search);
        self.note_value(search, outcome.best());
        if !still_asked {
            return None;
        }
        match search.purpose {
            Purpose::Value { .. } | Purpose::Judge { .. } => None,
            Purpose::Hint { .. } => {
                if let Some(hint) = &mut self.hint {
                    hint.finish(outcome);
                }
                None
            }
            Purpose::Move => {
                self.tick(now);
                let mv = outcome.best_move()?;
                if !matches!(self.turn(), Turn::Think(_)) {
                    return None;
                }
                self.play(mv, now).ok()?;
                Some(outcome.best().clone())
            }
        }
    }
}

#[cfg(test)]
mod tests;
