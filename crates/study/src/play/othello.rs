//! A session of Othello: passes, openings, judged moves, records.

mod marks;

pub use marks::Judgment;

use super::{ErrorOf, GameHint, GameSession, Options, Played, Purpose, Seat, SessionError, Turn};
use crate::{
    names::{self, Opening},
    review::Value,
};
use outflank_eval::Score;
use outflank_game::Player;
use outflank_othello::{Color, Game, IllegalMove, Move, Position, Square};
use outflank_othello_engine::Line;
use outflank_records::{GameRecord, MoveNote};
use outflank_search::Verdict;
use std::time::Duration;

/// A game of Othello in progress.
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
pub type Session = GameSession<Game>;
/// The values of the best moves of a position.
pub type Hint = GameHint<Game>;
/// Why something cannot be done now.
pub type PlayError = ErrorOf<Game>;

impl Played for Game {
    type Position = Position;
    type Place = Square;
    type Color = Color;
    type Score = Score;
    type Known = Value;
    type Refusal = IllegalMove;

    const COLORS: [Color; 2] = [Color::Black, Color::White];
    const HINT_LEVEL: u32 = 10;
    const JUDGE_LEVEL: u32 = 8;

    fn value_level(level: u32) -> u32 {
        level.min(8)
    }

    fn position(&self) -> &Position {
        self.position()
    }

    fn moves(&self) -> &[Move] {
        self.moves()
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.play(mv).map_err(|error| error.reason)
    }

    fn undo(&mut self) -> Option<Move> {
        self.undo()
    }

    fn anew(&self) -> Self {
        Self::new()
    }

    fn is_over(&self) -> bool {
        self.position().is_game_over()
    }

    fn must_pass(&self) -> bool {
        self.position().board().must_pass()
    }

    fn n_choices(&self) -> usize {
        self.position().board().legal_moves().count() as usize
    }

    fn allow(&self, _place: Square) -> Result<(), IllegalMove> {
        Ok(())
    }

    fn known(line: &Line, side: Player) -> Value {
        let discs = line.value.discs();
        Value {
            // Adding zero turns −0 into 0.
            discs: match side {
                Player::First => discs,
                Player::Second => -discs,
            } + 0.0,
            verdict: line.verdict,
            origin: line.origin,
        }
    }

    fn verdict(known: &Value) -> Verdict {
        known.verdict
    }

    fn judgment_wanted(session: &Session) -> Option<(Purpose, Position)> {
        session.judgment_wanted()
    }

    fn note_judgment(session: &mut Session, at: usize, best: bool, position: &Position, value: Value) {
        session.note_look(at, best, position, value);
    }
}

impl Session {
    /// Returns a new game that begins `now`.
    pub fn new(options: Options, now: Duration) -> Self {
        Self::of_game(options, Game::new(), now)
    }

    /// Goes on with another game, from its last position; clocks begin anew.
    pub fn load(&mut self, record: GameRecord, now: Duration) {
        self.begin(record.game, now);
        self.tags = record.tags;
    }

    /// Returns the last named position of the game.
    pub fn opening(&self) -> Option<Opening> {
        names::of_game(&self.game)
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
            Turn::Choose(color) => Err(SessionError::MayNotPass(color)),
            Turn::Think(_) => Err(SessionError::EnginesTurn),
            Turn::Paused(_) => Err(SessionError::Paused),
            Turn::Over | Turn::TimeOut(_) => Err(SessionError::Over),
        }
    }

    /// Returns the game with what is known of it, for saving; of moves that were taken back, nothing, but of those that
    /// follow where somebody looks at an earlier position ([`GameSession::go_to`]), all.
    pub fn record(&self) -> GameRecord {
        let game = self.recorded();
        let mut record = GameRecord::new(game.clone());
        for (color, tag) in [(Color::Black, "PB"), (Color::White, "PW")] {
            let loaded = self.tags.iter().find(|(name, _)| name == tag);
            record.add_tag(
                tag,
                match (loaded, self.seat(color)) {
                    (Some((_, name)), _) => name.clone(),
                    (None, Seat::Person) => "You".to_owned(),
                    (None, Seat::Engine) => format!("Outflank {}", self.strength()),
                },
            );
        }
        let result = game.result().map(|result| f64::from(result.discs.get()));
        record.add_tag(
            "RE",
            match (result, self.out_of_time()) {
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
}

#[cfg(test)]
mod tests;
