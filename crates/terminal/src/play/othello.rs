//! Othello at the table: its session, in words.

use super::{
    files,
    kept::Loaded,
    sitting::{SearchOf, Sitting},
};
use crate::text::{
    board,
    value::{known_text, line_text, value_text, worth_text},
};
use outflank_eval::Patterns;
use outflank_othello::{Bitboard, Color, Move, Square};
use outflank_othello_engine::{Engine, Line, Outcome, Progress, Strength, human};
use outflank_records::GameRecord;
use outflank_search::Level;
use outflank_study::{
    opening::Booked,
    play::{Hint, Options, PlayError, Seat, Session, Turn},
    review::{Mark, plot},
};
use std::time::Duration;

/// The engine that plays.
pub(super) type Othello = Booked<Engine<Patterns>>;

impl Sitting for Session {
    type Engine = Othello;
    type Place = Square;
    type Move = Move;
    type Color = Color;
    type Record = GameRecord;
    type Stones = [Bitboard; 2];

    const COLORS: [Color; 2] = [Color::Black, Color::White];
    const HELP: &'static str = HELP;

    fn place_of(&self, word: &str) -> Result<Square, String> {
        word.parse().map_err(|_| {
            format!(
                "{:?} is neither a square nor a command; help lists them",
                word.chars().take(40).collect::<String>()
            )
        })
    }

    fn options(&self) -> &Options {
        self.options()
    }

    fn seat(&self, color: Color) -> Seat {
        self.seat(color)
    }

    fn turn(&self) -> Turn {
        self.turn()
    }

    fn progress(&self) -> [usize; 2] {
        [self.game().moves().len(), self.moves_ahead()]
    }

    fn stones(&self) -> [Bitboard; 2] {
        Self::COLORS.map(|color| self.game().position().discs(color))
    }

    fn time_left(&self, color: Color, now: Duration) -> Option<Duration> {
        self.time_left(color, now)
    }

    fn place(&mut self, square: Square, now: Duration) -> anyhow::Result<()> {
        Ok(self.place(square, now)?)
    }

    fn pass(&mut self, now: Duration) -> anyhow::Result<()> {
        Ok(self.pass(now)?)
    }

    fn ask_hint(&mut self, lines: usize) -> anyhow::Result<()> {
        match (self.ask_hint(lines), self.turn()) {
            (true, _) => Ok(()),
            (false, Turn::Pass(color) | Turn::Paused(color)) => Err(PlayError::MustPass(color).into()),
            (false, Turn::Think(_)) => Err(PlayError::EnginesTurn.into()),
            (false, _) => Err(PlayError::Over.into()),
        }
    }

    fn has_hint(&self) -> bool {
        self.hint().is_some()
    }

    fn drop_hint(&mut self) {
        self.drop_hint();
    }

    fn undo(&mut self, now: Duration) -> anyhow::Result<usize> {
        Ok(self.undo(now)?)
    }

    fn redo(&mut self, now: Duration) -> anyhow::Result<usize> {
        Ok(self.redo(now)?)
    }

    fn go_to(&mut self, moves: usize, now: Duration) -> anyhow::Result<()> {
        Ok(self.go_to(moves, now)?)
    }

    fn engine_moves(&mut self) -> anyhow::Result<()> {
        Ok(self.engine_moves()?)
    }

    fn set_level(&mut self, level: Level) -> String {
        self.set_level(level);
        if let (Some(number), Some(name)) = (level.as_human(), level.name()) {
            return format!(
                "level {level}, {name}: about {:.1} discs lost a move",
                human::promised_loss(number)
            );
        }
        let strength = Strength::of(level);
        format!(
            "level {}: {} discs ahead, without error from {} empty squares",
            level,
            strength.depth(),
            strength.exact_empties()
        )
    }

    fn set_move_time(&mut self, time: Option<Duration>) {
        self.set_move_time(time);
    }

    fn set_seats(&mut self, seats: [Seat; 2]) {
        self.set_seats(seats);
    }

    fn restart(&mut self, now: Duration) {
        self.restart(now);
    }

    fn read(&self, what: &str, number: usize) -> anyhow::Result<Loaded<GameRecord>> {
        files::load(what, number)
    }

    fn go_on_with(&mut self, record: GameRecord, now: Duration) -> anyhow::Result<()> {
        self.load(record, now);
        Ok(())
    }

    fn record(&self) -> GameRecord {
        self.record()
    }

    fn recorded_moves(&self) -> Vec<Move> {
        self.recorded_moves()
    }

    fn tick(&mut self, now: Duration) {
        self.tick(now);
    }

    fn wanted(&self, now: Duration) -> Option<SearchOf<Self>> {
        self.wanted(now)
    }

    fn asks(&self, search: &SearchOf<Self>) -> bool {
        self.asks(search)
    }

    fn news(&mut self, search: &SearchOf<Self>, news: &Progress) {
        self.news(search, news);
    }

    fn found(&mut self, search: &SearchOf<Self>, outcome: &Outcome, now: Duration) -> Option<String> {
        let color = search.request.position.side();
        let played = self.found(search, outcome, now)?;
        Some(engine_move(color, &played))
    }

    fn fill_values(&mut self, fill: bool) {
        self.fill_values(fill);
    }

    fn fills_values(&self) -> bool {
        self.fills_values()
    }

    fn all_is_known(&self) -> bool {
        self.values_missing() == 0 && self.judgments().iter().all(Option::is_some)
    }

    fn strength(&self) -> String {
        format!("level {}", self.options().level)
    }

    fn status(&self) -> String {
        status(self)
    }

    fn transcript(&self) -> String {
        self.game().transcript()
    }

    fn board_text(&self, color: bool) -> String {
        let game = self.game();
        let last = game.moves().iter().rev().find(|mv| mv.square().is_some());
        board::board(game.position(), last.copied(), color)
    }

    fn remarks(&self) -> Vec<String> {
        let named = self.opening().map(|opening| format!("opening: {}", opening.name));
        named.into_iter().collect()
    }

    fn mistakes(&self) -> Vec<String> {
        mistakes(self)
    }

    fn hint_lines(&self) -> Vec<String> {
        let lines = self.hint().map(Hint::lines).unwrap_or_default();
        lines
            .iter()
            .map(|line| line_text(line, 75).trim_start().to_owned())
            .collect()
    }

    fn graph(&self, width: usize, height: usize) -> String {
        graph(self, width, height)
    }
}

/// What `help` says.
const HELP: &str = "\
f5            place a disc                pass          or an empty line
hint [N|all]  value the best moves        undo, redo    take back, play again
goto N        to the Nth move, start, end
go            the engine makes this move  stop          it moves at once
level N       1 to 60, human-1 to -8      time SECONDS  for its moves, or off
color C       who you are: black, white, both, none
load GAME [N] a file, or its Nth game, or any notation
save FILE     as .ggf .sgf .txt .obf or .wtb; save! overwrites
new           start again                 quit          leave
board, moves, graph                       show them";

/// Says what the engine has played, and why, for its color.
fn engine_move(color: Color, played: &Line) -> String {
    let mv = played.moves.first().map_or_else(String::new, Move::to_string);
    format!(
        "{color} plays {mv}: {} for {color}, {}",
        value_text(played),
        worth_text(played.verdict)
    )
}

/// Says how the game stands: whose turn it is, or how it has ended.
pub(super) fn status(session: &Session) -> String {
    let position = session.game().position();
    if let Turn::TimeOut(color) = session.turn() {
        return format!("{color} has run out of time: {} wins", !color);
    }
    board::status(position)
}

/// Returns black's values as a graph of text, mistakes as question marks, and says what the position is worth.
fn graph(session: &Session, width: usize, height: usize) -> String {
    let values: Vec<Option<f64>> = session
        .all_values()
        .iter()
        .map(|value| value.map(|value| value.discs))
        .collect();
    let judgments = session.judgments();
    let symbol = |at: usize| match at.checked_sub(1).and_then(|mv| judgments[mv]) {
        Some(judgment) if judgment.mark() >= Mark::Mistake => '?',
        _ => '•',
    };
    let last = session.values().last().copied().flatten();
    let text = plot(&values, symbol, width, height);
    match last {
        Some(value) => format!("{text}black's value now: {}\n", known_text(value)),
        None => text,
    }
}

/// Returns the moves that lost something, with what was better, as far as that is known.
pub(super) fn mistakes(session: &Session) -> Vec<String> {
    let game = session.whole();
    let judged = session.judgments().into_iter().zip(game.moves()).enumerate();
    judged
        .filter_map(|(at, (judgment, mv))| Some((at, mv, judgment?)))
        .filter(|(_, _, judgment)| judgment.mark() > Mark::Good)
        .map(|(at, mv, judgment)| {
            format!(
                "{}. {mv}{}: {} is {:.1} discs better{}",
                at + 1,
                judgment.mark().symbol(),
                judgment.best,
                judgment.loss,
                if judgment.exact { "" } else { " (estimate)" }
            )
        })
        .collect()
}
