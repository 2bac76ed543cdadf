//! Gomoku at the table: its session, in words and files.

use super::{
    kept::{Loaded, Saved},
    sitting::{SearchOf, Sitting},
};
use crate::{
    input::{gomoku_source, gomoku_with_warnings},
    text::gomoku::{line, points, value},
};
use anyhow::{Context as _, bail};
use outflank_api::show::BoardObject;
use outflank_gomoku::{Board, Color, MAX_SIZE, Point, PointSet, Rule};
use outflank_gomoku_engine::{Engine, Line, Outcome, Progress, Value, tuning::level_nodes};
use outflank_jobs::write_atomic;
use outflank_records::gomoku::{Record, psq, sgf};
use outflank_search::Level;
use outflank_study::{
    play::{
        Options, Seat,
        gomoku::{Hint, Known, PlayError, Session, Turn},
    },
    review::plot,
};
use std::{fmt::Write as _, path::Path, time::Duration};

/// What `help` says.
const HELP: &str = "\
h8            place a stone
hint [N|all]  value the best moves        undo, redo    take back, play again
goto N        to the Nth move, start, end
go            the engine makes this move  stop          it moves at once
level N       1 to 60, human-1 to -8      time SECONDS  for its moves, or off
color C       who you are: black, white, both, none
load GAME     a file, or any notation
save FILE     as .psq .sgf .json or .txt; save! overwrites
new           start again                 quit          leave
board, moves, graph                       show them";

/// A game of Gomoku as it is saved.
#[derive(Clone, Debug)]
pub(super) struct SavedGame {
    record: Record,
    /// Properties of SGF: who played, and who won.
    tags: Vec<(&'static str, String)>,
}

impl SavedGame {
    /// Returns what the file of this name would hold.
    fn text(&self, path: &str) -> anyhow::Result<String> {
        let record = &self.record;
        let size = record.size.unwrap_or(MAX_SIZE);
        let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
        Ok(match ending.unwrap_or_default().to_ascii_lowercase().as_str() {
            "psq" => psq::write(record, size)?,
            "sgf" => sgf::write_tagged(record, size, &self.tags) + "\n",
            "json" => {
                let board = record.board(record.rule.unwrap_or_default(), size)?;
                serde_json::to_string(&BoardObject::new(&board))? + "\n"
            }
            "txt" if record.stones.is_empty() && record.side.is_none() => points(&record.moves) + "\n",
            "txt" => bail!("stones that were set up do not fit a list of moves: write .sgf or .json"),
            _ => bail!("the name of the file has to say in which form: .psq, .sgf, .json or .txt"),
        })
    }
}

impl Saved for SavedGame {
    const ENDING: &'static str = "sgf";

    fn save(&self, path: &str) -> anyhow::Result<()> {
        let text = self.text(path).with_context(|| path.to_owned())?;
        Ok(write_atomic(path, text.as_bytes())?)
    }

    fn check_name(path: &str) -> anyhow::Result<()> {
        let empty = Self {
            record: Record::default(),
            tags: Vec::new(),
        };
        empty.text(path).map(drop).with_context(|| path.to_owned())
    }
}

impl Sitting for Session {
    type Engine = Engine;
    type Place = Point;
    type Move = Point;
    type Color = Color;
    type Record = SavedGame;
    type Stones = [PointSet; 2];

    const COLORS: [Color; 2] = Color::BOTH;
    const HELP: &'static str = HELP;

    fn place_of(&self, word: &str) -> Result<Point, String> {
        Point::parse_on(word, self.board().size())
            .map_err(|error| format!("{error}, or a command; help lists them"))
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
        [self.moves().len(), self.moves_ahead()]
    }

    fn stones(&self) -> [PointSet; 2] {
        Color::BOTH.map(|color| *self.board().stones(color))
    }

    fn time_left(&self, color: Color, now: Duration) -> Option<Duration> {
        self.time_left(color, now)
    }

    fn place(&mut self, point: Point, now: Duration) -> anyhow::Result<()> {
        Ok(self.place(point, now)?)
    }

    fn pass(&mut self, _now: Duration) -> anyhow::Result<()> {
        bail!("nobody passes in Gomoku")
    }

    fn ask_hint(&mut self, lines: usize) -> anyhow::Result<()> {
        match (self.ask_hint(lines), self.turn()) {
            (true, _) => Ok(()),
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
        match level.name() {
            Some(name) => format!("level {level}, {name}: errs as people do"),
            None => format!("level {level}: {} positions a move", level_nodes(level)),
        }
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

    fn read(&self, what: &str, number: usize) -> anyhow::Result<Loaded<SavedGame>> {
        if number > 1 {
            bail!("a game of Gomoku is alone in its file: there is no number {number}");
        }
        if what == "-" {
            bail!("standard input is where you play; name a file");
        }
        let (record, warnings) = gomoku_with_warnings(&gomoku_source(&[what.to_owned()]))?;
        record.board(
            record.rule.unwrap_or_else(|| self.board().rule()),
            self.board().size(),
        )?;
        Ok(Loaded {
            format: "Gomoku".to_owned(),
            warnings,
            record: SavedGame {
                record,
                tags: Vec::new(),
            },
        })
    }

    fn go_on_with(&mut self, saved: SavedGame, now: Duration) -> anyhow::Result<()> {
        Ok(self.load(&saved.record, now)?)
    }

    fn record(&self) -> SavedGame {
        SavedGame {
            record: self.record(),
            tags: self.tags(),
        }
    }

    fn recorded_moves(&self) -> Vec<Point> {
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
        self.values_missing() == 0
    }

    fn strength(&self) -> String {
        self.strength()
    }

    fn status(&self) -> String {
        let board = self.board();
        match (self.turn(), board.end()) {
            (Turn::TimeOut(color), _) => format!("{color} has run out of time: {} wins", !color),
            (_, Some(end)) => format!("the game is over, result: {}", end.name()),
            (_, None) => format!("{} to move, move {}", board.side(), self.moves().len() + 1),
        }
    }

    fn transcript(&self) -> String {
        points(self.moves())
    }

    fn board_text(&self, color: bool) -> String {
        let board = self.board();
        let mut text = drawn(board, self.last_move(), color);
        let won = board.winning_stones();
        if !won.is_empty() {
            text = format!("{text}\nfive: {}", points(&won.iter().collect::<Vec<_>>()));
        }
        let forbidden = forbidden_now(board);
        if !forbidden.is_empty() {
            let list: Vec<Point> = forbidden.iter().collect();
            text = format!("{text}\nforbidden for black (!): {}", points(&list));
        }
        text
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    fn mistakes(&self) -> Vec<String> {
        Vec::new()
    }

    fn hint_lines(&self) -> Vec<String> {
        let lines = self.hint().map(Hint::lines).unwrap_or_default();
        lines.iter().map(line).collect()
    }

    fn graph(&self, width: usize, height: usize) -> String {
        let text = plot(&balance(self), |_| '•', width, height);
        match self.last_known() {
            Some((_, known)) => format!("{text}{}\n", chance_text(&known)),
            None => text,
        }
    }
}

/// Returns by how many percent black's chance to win is above an even one, for each position where it is known.
pub(super) fn balance(session: &Session) -> Vec<Option<f64>> {
    let values = session.all_values().iter();
    values
        .map(|known| known.map(|known| known.chance() - 50.0))
        .collect()
}

/// Says what black's chances are, or who wins.
pub(super) fn chance_text(known: &Known) -> String {
    match known.value {
        Value::Win(0) => "black has won".to_owned(),
        Value::Loss(0) => "white has won".to_owned(),
        Value::Win(stones) => format!("black wins (+M{stones})"),
        Value::Loss(stones) => format!("white wins (+M{stones})"),
        Value::Estimate(_) => format!("black's chance: {:.1} %", known.chance()),
    }
}

/// Returns the points that are forbidden to the side to move.
pub(super) fn forbidden_now(board: &Board) -> PointSet {
    if board.rule() == Rule::Renju && board.side() == Color::Black && board.end().is_none() {
        board.forbidden_points()
    } else {
        PointSet::EMPTY
    }
}

/// Says what the engine has played, and what it thinks of it, for its color.
fn engine_move(color: Color, played: &Line) -> String {
    let point = played.moves.first().map_or_else(String::new, Point::to_string);
    format!("{color} plays {point}: {} for {color}", value(played.value))
}

/// Draws the board with its coordinates: `X` black, `O` white, `!` forbidden, brackets around the last stone.
fn drawn(board: &Board, last: Option<Point>, color: bool) -> String {
    let forbidden = forbidden_now(board);
    let size = board.size();
    let letters: String = (0..size).flat_map(|x| [' ', char::from(b'a' + x)]).collect();
    let mut text = format!("  {letters}\n");
    for y in (0..size).rev() {
        write!(text, "{:>2}", y + 1).expect("a string takes every text");
        let mut bracket = false;
        for x in 0..size {
            let point = Point::new(x, y).unwrap_or_default();
            let is_last = last == Some(point);
            text.push(match (bracket, is_last) {
                (true, _) => ')',
                (_, true) => '(',
                _ => ' ',
            });
            bracket = is_last;
            let (symbol, style) = match board.get(point) {
                Some(Color::Black) => ('X', "\x1b[1;36m"),
                Some(Color::White) => ('O', "\x1b[1;33m"),
                None if forbidden.contains(point) => ('!', "\x1b[1;31m"),
                None => ('.', "\x1b[2m"),
            };
            if color {
                write!(text, "{style}{symbol}\x1b[0m").expect("a string takes every text");
            } else {
                text.push(symbol);
            }
        }
        text.push(if bracket { ')' } else { ' ' });
        writeln!(text, "{}", y + 1).expect("a string takes every text");
    }
    text + "  " + &letters
}
