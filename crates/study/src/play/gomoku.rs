//! A session of Gomoku: rule sets, forbidden points, records.

use super::{ErrorOf, GameHint, GameSession, Options, Played, Purpose, Seat};
use outflank_game::Player;
use outflank_gomoku::{Board, Color, Foul, PlayError as Unplayable, Point, Rule, SetupError};
use outflank_gomoku_engine::{Line, Value};
use outflank_records::gomoku::{ReadError, Record};
use outflank_search::Verdict;
use std::time::Duration;

/// What the game waits for.
pub type Turn = super::Turn<Color>;
/// A search that the game wants.
pub type Search = super::Search<Board>;
/// The values of the best moves of a position.
pub type Hint = GameHint<Game>;
/// Why something cannot be done now.
pub type PlayError = ErrorOf<Game>;

/// Why a stone is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
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

/// A game of Gomoku with its moves.
#[derive(Clone, Debug)]
pub struct Game {
    /// The position before the first move.
    start: Board,
    /// The position after the last move.
    board: Board,
    moves: Vec<Point>,
}

impl Game {
    /// Returns the game that begins at `start`, without moves.
    pub fn new(start: Board) -> Self {
        Self {
            board: start.clone(),
            start,
            moves: Vec::new(),
        }
    }

    /// Returns the position before the first move.
    pub const fn start(&self) -> &Board {
        &self.start
    }

    /// Returns the position after the last move.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the moves.
    pub fn moves(&self) -> &[Point] {
        &self.moves
    }
}

/// A game of Gomoku in progress.
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
pub type Session = GameSession<Game>;

impl Played for Game {
    type Position = Board;
    type Place = Point;
    type Color = Color;
    type Score = Value;
    type Known = Known;
    type Refusal = Refusal;

    const COLORS: [Color; 2] = Color::BOTH;
    const HINT_LEVEL: u32 = 16;
    const JUDGE_LEVEL: u32 = 10;

    fn value_level(_level: u32) -> u32 {
        10
    }

    fn position(&self) -> &Board {
        &self.board
    }

    fn moves(&self) -> &[Point] {
        &self.moves
    }

    fn play(&mut self, point: Point) -> Result<(), Refusal> {
        self.board.play(point)?;
        self.moves.push(point);
        Ok(())
    }

    fn undo(&mut self) -> Option<Point> {
        let point = self.moves.pop()?;
        self.board.undo_move();
        Some(point)
    }

    fn anew(&self) -> Self {
        Self::new(Board::new(self.board.rule(), self.board.size()).expect("the size of a board"))
    }

    fn is_over(&self) -> bool {
        self.board.end().is_some()
    }

    fn must_pass(&self) -> bool {
        false
    }

    fn n_choices(&self) -> usize {
        self.board.n_empty()
    }

    fn allow(&self, point: Point) -> Result<(), Refusal> {
        if self.board.side() == Color::Black
            && point.is_on(self.board.size())
            && let Some(foul) = self.board.foul(point)
            && self.board.forbidden_points() != self.board.empties()
        {
            return Err(Refusal::Forbidden { point, foul });
        }
        Ok(())
    }

    fn known(line: &Line, side: Player) -> Known {
        Known {
            value: for_black(line.value, side),
            verdict: line.verdict,
        }
    }

    fn verdict(known: &Known) -> Verdict {
        known.verdict
    }

    fn judgment_wanted(_session: &Session) -> Option<(Purpose, Board)> {
        None
    }

    fn note_judgment(_session: &mut Session, _at: usize, _best: bool, _board: &Board, _known: Known) {}
}

impl Session {
    /// Returns a new game on a board of `size`×`size` points that begins `now`.
    ///
    /// # Errors
    ///
    /// No board has this size.
    pub fn new(options: Options, rule: Rule, size: u8, now: Duration) -> Result<Self, SetupError> {
        Ok(Self::of_game(options, Game::new(Board::new(rule, size)?), now))
    }

    /// Goes on with another game, from its last position; clocks begin anew. Where it does not say rules or size, those of
    /// the game before it are kept.
    ///
    /// # Errors
    ///
    /// Returns what cannot be played; the game is then unchanged.
    pub fn load(&mut self, record: &Record, now: Duration) -> Result<(), ReadError> {
        let rule = record.rule.unwrap_or_else(|| self.board().rule());
        let size = self.board().size();
        let game = Game {
            start: record.start(rule, size)?,
            board: record.board(rule, size)?,
            moves: record.moves.clone(),
        };
        self.begin(game, now);
        Ok(())
    }

    /// Returns the position on the board.
    pub const fn board(&self) -> &Board {
        self.game.board()
    }

    /// Returns the last thing that is known of the game up to the position on the board, and after how many moves.
    pub fn last_known(&self) -> Option<(usize, Known)> {
        let so_far = self.values().iter().enumerate();
        so_far.rev().find_map(|(at, known)| Some((at, (*known)?)))
    }

    /// Returns the game for saving, without moves that were taken back, but with those that follow where somebody looks at
    /// an earlier position ([`GameSession::go_to`]).
    pub fn record(&self) -> Record {
        let game = &self.game;
        let set_up = |color| game.start.stones(color).iter().map(move |point| (point, color));
        Record {
            size: Some(game.board.size()),
            rule: Some(game.board.rule()),
            stones: Color::BOTH.into_iter().flat_map(set_up).collect(),
            side: (game.start.side() == Color::White || game.start.n_stones() > 0)
                .then_some(game.start.side()),
            moves: self.recorded_moves(),
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
        let result = match (self.turn(), self.board().end().map(outflank_gomoku::End::winner)) {
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
}

/// Returns the value for black of what it is for `side`.
const fn for_black(value: Value, side: Player) -> Value {
    match (side, value) {
        (Player::First, value) => value,
        (Player::Second, Value::Win(stones)) => Value::Loss(stones),
        (Player::Second, Value::Loss(stones)) => Value::Win(stones),
        (Player::Second, Value::Estimate(score)) => Value::Estimate(-score),
    }
}

#[cfg(test)]
mod tests;
