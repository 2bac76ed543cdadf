//! A game of Gomoku between people and the engine, as every front-end plays it.
//!
//! As for Othello ([`super::Session`]), a [`Session`] neither reads a clock nor searches.

mod search;

use super::{Options, Seat, clock::Clocks};
use outflank_gomoku::{Board, Color, Foul, PlayError as Unplayable, Point, Rule, SetupError};
use outflank_gomoku_engine::{Line, Outcome, Value};
use outflank_records::gomoku::{ReadError, Record};
use outflank_search::{Level, Verdict};
use std::time::Duration;

/// What the game waits for.
pub type Turn = super::Turn<Color>;
/// A search that the game wants.
pub type Search = super::Search<Board>;
/// The values of the best moves of a position.
pub type Hint = super::Hint<Board, Point, Value>;

/// Why something cannot be done now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The move is against the rules.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    /// A person of black would lose at once.
    #[error("{point} is forbidden for black: {foul}; choose another point")]
    Forbidden {
        /// The point.
        point: Point,
        /// Why it is forbidden.
        foul: Foul,
    },
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

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its value for black.
    pub value: Value,
    /// What that is worth.
    pub verdict: Verdict,
}

impl Known {
    /// Returns black's chance to win, in percent.
    pub fn chance(&self) -> f64 {
        100.0 * self.value.win_probability()
    }
}

/// A game in progress.
///
/// # Examples
///
/// ```
/// use outflank_gomoku::{Color, Rule};
/// use outflank_search::Level;
/// use outflank_study::play::{Options, Purpose, Seat, gomoku::{Session, Turn}};
/// use std::time::Duration;
///
/// let options = Options {
///     seats: [Seat::Person, Seat::Engine],
///     level: Level::new(4)?,
///     move_time: None,
///     clock: None,
/// };
/// let now = Duration::ZERO;
/// let mut session = Session::new(options, Rule::Renju, 15, now)?;
/// session.place("h8".parse()?, now)?;
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
    /// The position before the first move.
    start: Board,
    /// The position.
    board: Board,
    /// The moves that led there.
    moves: Vec<Point>,
    /// Moves that were taken back, the next one last.
    future: Vec<Point>,
    clocks: Clocks<Color>,
    /// What is known of each position; also of those that were taken back.
    values: Vec<Option<Known>>,
    hint: Option<Hint>,
    /// Whether positions without a value are to be searched when there is nothing else to do.
    fill_values: bool,
    /// A move for a person, made by the engine.
    engine_moves_once: bool,
    /// Whether an earlier position of the game is looked at: the engine waits, and what follows is part of the game.
    paused: bool,
}

impl Session {
    /// Returns a new game on a board of `size`×`size` points that begins `now`.
    ///
    /// # Errors
    ///
    /// No board has this size.
    pub fn new(options: Options, rule: Rule, size: u8, now: Duration) -> Result<Self, SetupError> {
        Ok(Self::on(options, Board::new(rule, size)?, now))
    }

    fn on(options: Options, start: Board, now: Duration) -> Self {
        Self {
            options,
            board: start.clone(),
            start,
            moves: Vec::new(),
            future: Vec::new(),
            clocks: Clocks::new(options.clock, 0, now),
            values: vec![None],
            hint: None,
            fill_values: false,
            engine_moves_once: false,
            paused: false,
        }
    }

    /// Starts a new game on an empty board of the same size, by the same rules.
    ///
    /// # Panics
    ///
    /// Never: a board of this size is there.
    pub fn restart(&mut self, now: Duration) {
        let empty = Board::new(self.board.rule(), self.board.size()).expect("the size of a board");
        *self = Self {
            fill_values: self.fill_values,
            ..Self::on(self.options, empty, now)
        };
    }

    /// Goes on with another game, from its last position; clocks begin anew. Where it does not say rules or size, those of
    /// the game before it are kept.
    ///
    /// # Errors
    ///
    /// Returns what cannot be played; the game is then unchanged.
    pub fn load(&mut self, record: &Record, now: Duration) -> Result<(), ReadError> {
        let rule = record.rule.unwrap_or_else(|| self.board.rule());
        let board = record.board(rule, self.board.size())?;
        let start = record.start(rule, self.board.size())?;
        *self = Self {
            fill_values: self.fill_values,
            moves: record.moves.clone(),
            clocks: Clocks::new(self.options.clock, record.moves.len(), now),
            values: vec![None; record.moves.len() + 1],
            board,
            ..Self::on(self.options, start, now)
        };
        Ok(())
    }

    /// Returns how the game is played.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the position on the board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the moves up to the position on the board.
    pub fn moves(&self) -> &[Point] {
        &self.moves
    }

    /// Returns the moves of the whole game, with those that were taken back.
    pub fn all_moves(&self) -> Vec<Point> {
        self.moves
            .iter()
            .chain(self.future.iter().rev())
            .copied()
            .collect()
    }

    /// Returns how many moves were taken back and can be played again.
    pub const fn moves_ahead(&self) -> usize {
        self.future.len()
    }

    /// Returns the last move, if there was one.
    pub fn last_move(&self) -> Option<Point> {
        self.moves.last().copied()
    }

    /// Returns who plays `color`.
    pub const fn seat(&self, color: Color) -> Seat {
        self.options.seats[color.idx()]
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
        let side = self.board.side();
        let engine = self.seat(side) == Seat::Engine;
        if self.board.end().is_some() {
            Turn::Over
        } else if engine && self.paused && !self.engine_moves_once {
            Turn::Paused(side)
        } else if engine || self.engine_moves_once {
            Turn::Think(side)
        } else {
            Turn::Choose(side)
        }
    }

    /// Places a person's stone; not on a point that is forbidden, unless no other is left.
    ///
    /// # Errors
    ///
    /// Returns why not; the game is then unchanged.
    pub fn place(&mut self, point: Point, now: Duration) -> Result<(), PlayError> {
        self.tick(now);
        match self.turn() {
            Turn::Choose(_) => {}
            Turn::Think(_) => return Err(PlayError::EnginesTurn),
            Turn::Paused(_) => return Err(PlayError::Paused),
            Turn::Over | Turn::TimeOut(_) | Turn::Pass(_) => return Err(PlayError::Over),
        }
        if self.board.side() == Color::Black
            && point.is_on(self.board.size())
            && let Some(foul) = self.board.foul(point)
            && self.board.forbidden_points() != self.board.empties()
        {
            return Err(PlayError::Forbidden { point, foul });
        }
        self.play(point, now)
    }

    /// Lets the engine make the next move for a person.
    ///
    /// # Errors
    ///
    /// Returns why not; the game is then unchanged.
    pub fn engine_moves(&mut self) -> Result<(), PlayError> {
        match self.turn() {
            Turn::Choose(_) | Turn::Think(_) | Turn::Paused(_) => {
                self.engine_moves_once = true;
                Ok(())
            }
            Turn::Over | Turn::TimeOut(_) | Turn::Pass(_) => Err(PlayError::Over),
        }
    }

    fn play(&mut self, point: Point, now: Duration) -> Result<(), PlayError> {
        let before = self.moves.len();
        let side = self.board.side();
        self.board.play(point)?;
        self.moves.push(point);
        self.engine_moves_once = false;
        self.paused = false;
        // The same move as before keeps what was taken back; another one begins another game.
        if self.future.pop() != Some(point) {
            self.future.clear();
            self.values.truncate(before + 1);
        }
        self.clocks.moved(before, side, now);
        self.values.resize((before + 2).max(self.values.len()), None);
        Ok(())
    }

    /// Takes the last move back.
    fn step_back(&mut self) -> bool {
        let Some(point) = self.moves.pop() else {
            return false;
        };
        self.board.undo_move();
        self.future.push(point);
        true
    }

    /// Plays the next move again that was taken back.
    fn step_ahead(&mut self) -> bool {
        let Some(point) = self.future.pop() else {
            return false;
        };
        self.board
            .play(point)
            .expect("it was legal when it was taken back");
        self.moves.push(point);
        true
    }

    /// Takes moves back until a person has to choose: the engine's answer and one's own move. Returns how many.
    ///
    /// Where no person plays, it is one move.
    ///
    /// # Errors
    ///
    /// Returns [`PlayError::NothingToUndo`] if no person has chosen a move before; nothing is then changed.
    pub fn undo(&mut self, now: Duration) -> Result<usize, PlayError> {
        let before = self.moves.len();
        while self.step_back() {
            if self.may_rest() {
                self.moved_in_history(now);
                return Ok(before - self.moves.len());
            }
        }
        while self.moves.len() < before && self.step_ahead() {}
        Err(PlayError::NothingToUndo)
    }

    /// Plays moves again that were taken back, until a person has to choose or there are no more. Returns how many.
    ///
    /// # Errors
    ///
    /// Returns [`PlayError::NothingToRedo`] if none was taken back.
    pub fn redo(&mut self, now: Duration) -> Result<usize, PlayError> {
        let before = self.moves.len();
        while self.step_ahead() && !self.may_rest() {}
        if self.moves.len() == before {
            return Err(PlayError::NothingToRedo);
        }
        self.moved_in_history(now);
        Ok(self.moves.len() - before)
    }

    /// Goes to the position after `moves` moves of the game, forwards or back; the engine then waits if it is its turn and
    /// moves follow.
    ///
    /// # Errors
    ///
    /// Returns [`PlayError::NoSuchMove`] if the game is shorter; nothing is then changed.
    pub fn go_to(&mut self, moves: usize, now: Duration) -> Result<(), PlayError> {
        let all = self.moves.len() + self.future.len();
        if moves > all {
            return Err(PlayError::NoSuchMove {
                wanted: moves,
                moves: all,
            });
        }
        while self.moves.len() > moves && self.step_back() {}
        while self.moves.len() < moves && self.step_ahead() {}
        self.moved_in_history(now);
        self.paused = !self.future.is_empty();
        Ok(())
    }

    /// Returns whether undo and redo stop here.
    fn may_rest(&self) -> bool {
        !self.has_person() || self.seat(self.board.side()) == Seat::Person
    }

    fn moved_in_history(&mut self, now: Duration) {
        self.engine_moves_once = false;
        self.paused &= !self.future.is_empty();
        self.clocks.jump(self.moves.len(), now);
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

    /// Takes note of the time: a clock may have run out.
    pub fn tick(&mut self, now: Duration) {
        if self.board.end().is_none() {
            self.clocks.tick(self.moves.len(), self.board.side(), now);
        }
    }

    /// Returns what is left on the clock of `color`, if there are clocks.
    pub fn time_left(&self, color: Color, now: Duration) -> Option<Duration> {
        let running = self.board.end().is_none().then_some(self.board.side());
        self.clocks.left(self.moves.len(), color, running, now)
    }

    /// Returns what is known of each position of the whole game, with those that were taken back.
    pub fn all_values(&self) -> &[Option<Known>] {
        &self.values
    }

    /// Returns the last thing that is known of the game up to the position on the board, and after how many moves.
    pub fn last_known(&self) -> Option<(usize, Known)> {
        let so_far = self.values[..=self.moves.len()].iter().enumerate();
        so_far.rev().find_map(|(at, known)| Some((at, (*known)?)))
    }

    /// Returns how many positions of the whole game have no value yet.
    pub fn values_missing(&self) -> usize {
        self.values.iter().filter(|value| value.is_none()).count()
    }

    /// Asks that positions without a value are searched when there is nothing else to do, or no more.
    pub const fn fill_values(&mut self, fill: bool) {
        self.fill_values = fill;
    }

    /// Returns whether positions without a value are searched when there is nothing else to do.
    pub const fn fills_values(&self) -> bool {
        self.fill_values
    }

    /// Returns the game for saving, without moves that were taken back, but with those that follow where somebody looks at
    /// an earlier position ([`Session::go_to`]).
    pub fn record(&self) -> Record {
        let set_up = |color| self.start.stones(color).iter().map(move |point| (point, color));
        Record {
            size: Some(self.board.size()),
            rule: Some(self.board.rule()),
            stones: Color::BOTH.into_iter().flat_map(set_up).collect(),
            side: (self.start.side() == Color::White || self.start.n_stones() > 0)
                .then_some(self.start.side()),
            moves: self.recorded_moves(),
        }
    }

    /// Returns the moves of the game that [`Session::record`] gives.
    pub fn recorded_moves(&self) -> Vec<Point> {
        if self.paused {
            self.all_moves()
        } else {
            self.moves.clone()
        }
    }

    /// Returns what is said of the game beside its moves when it is saved, as properties of SGF: who played (`PB`, `PW`)
    /// and, once that is known, who won (`RE`).
    pub fn tags(&self) -> Vec<(&'static str, String)> {
        let name = |color| match self.seat(color) {
            Seat::Person => "You".to_owned(),
            Seat::Engine => format!("Outflank {}", self.strength()),
        };
        let mut tags = vec![("PB", name(Color::Black)), ("PW", name(Color::White))];
        let result = match (self.turn(), self.board.end().map(outflank_gomoku::End::winner)) {
            (Turn::TimeOut(Color::Black), _) => Some("W+T"),
            (Turn::TimeOut(Color::White), _) => Some("B+T"),
            (_, Some(Some(Color::Black))) => Some("B+"),
            (_, Some(Some(Color::White))) => Some("W+"),
            (_, Some(None)) => Some("Draw"),
            (_, None) => None,
        };
        tags.extend(result.map(|result| ("RE", result.to_owned())));
        tags
    }

    /// Returns how strong the engine plays, in words: a level, or a time for each move.
    pub fn strength(&self) -> String {
        match (self.options.move_time, self.options.level.name()) {
            (_, Some(name)) => format!("{} ({name})", self.options.level),
            (Some(time), None) => format!("{} s a move", time.as_secs_f64()),
            (None, None) => format!("level {}", self.options.level),
        }
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
            super::Purpose::Value { .. } | super::Purpose::Judge { .. } => None,
            super::Purpose::Hint { .. } => {
                if let Some(hint) = &mut self.hint {
                    hint.finish(outcome);
                }
                None
            }
            super::Purpose::Move => {
                self.tick(now);
                let point = outcome.best_move()?;
                if !matches!(self.turn(), Turn::Think(_)) {
                    return None;
                }
                self.play(point, now).ok()?;
                Some(outcome.best().clone())
            }
        }
    }
}

#[cfg(test)]
mod tests;
