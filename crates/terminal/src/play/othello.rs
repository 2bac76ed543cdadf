//! Othello at the table: its session, in words.

use super::{files, kept::Loaded, sitting::Sitting};
use crate::text::{
    board,
    value::{known_text, line_text, value_text, worth_text},
};
use outflank_eval::Patterns;
use outflank_othello::{Bitboard, Color, Game, Move, Square};
use outflank_othello_engine::{Engine, Line, Strength, human};
use outflank_records::GameRecord;
use outflank_search::Level;
use outflank_study::{
    opening::Booked,
    play::{Hint, Played as _, Session, Turn},
    review::{Mark, plot},
};
use std::time::Duration;

/// The engine that plays.
pub(super) type Othello = Booked<Engine<Patterns>>;

impl Sitting for Game {
    type Engine = Othello;
    type Record = GameRecord;
    type Stones = [Bitboard; 2];

    const HELP: &'static str = HELP;

    fn place_of(&self, word: &str) -> Result<Square, String> {
        word.parse().map_err(|_| {
            format!(
                "{:?} is neither a square nor a command; help lists them",
                word.chars().take(40).collect::<String>()
            )
        })
    }

    fn stones(&self) -> [Bitboard; 2] {
        Self::COLORS.map(|color| self.position().discs(color))
    }

    fn pass(session: &mut Session, now: Duration) -> anyhow::Result<()> {
        Ok(session.pass(now)?)
    }

    fn level_text(level: Level) -> String {
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

    fn read(_session: &Session, what: &str, number: usize) -> anyhow::Result<Loaded<GameRecord>> {
        files::load(what, number)
    }

    fn load(session: &mut Session, record: GameRecord, now: Duration) -> anyhow::Result<()> {
        session.load(record, now);
        Ok(())
    }

    fn record(session: &Session) -> GameRecord {
        session.record()
    }

    fn all_is_known(session: &Session) -> bool {
        session.values_missing() == 0 && session.judgments().iter().all(Option::is_some)
    }

    fn status(session: &Session) -> String {
        status(session)
    }

    fn transcript(session: &Session) -> String {
        session.game().transcript()
    }

    fn board_text(session: &Session, color: bool) -> String {
        let game = session.game();
        let last = game.moves().iter().rev().find(|mv| mv.square().is_some());
        board::board(game.position(), last.copied(), color)
    }

    fn remarks(session: &Session) -> Vec<String> {
        let named = session
            .opening()
            .map(|opening| format!("opening: {}", opening.name));
        named.into_iter().collect()
    }

    fn mistakes(session: &Session) -> Vec<String> {
        mistakes(session)
    }

    fn engine_move(color: Color, played: &Line) -> String {
        let mv = played.moves.first().map_or_else(String::new, Move::to_string);
        format!(
            "{color} plays {mv}: {} for {color}, {}",
            value_text(played),
            worth_text(played.verdict)
        )
    }

    fn hint_lines(session: &Session) -> Vec<String> {
        let lines = session.hint().map(Hint::lines).unwrap_or_default();
        lines
            .iter()
            .map(|line| line_text(line, 75).trim_start().to_owned())
            .collect()
    }

    fn graph(session: &Session, width: usize, height: usize) -> String {
        graph(session, width, height)
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
