//! Gomoku at the table: its session, in words and files.

use super::{
    kept::{Loaded, Saved},
    sitting::Sitting,
};
use crate::{
    input::{gomoku_source, gomoku_with_warnings},
    text::gomoku::{line, points, value},
};
use anyhow::{Context as _, bail};
use outflank_api::show::BoardObject;
use outflank_gomoku::{Board, Color, MAX_SIZE, Point, PointSet, Rule};
use outflank_gomoku_engine::{Engine, Line, Value, tuning::level_nodes};
use outflank_jobs::write_atomic;
use outflank_records::gomoku::{Record, psq, sgf};
use outflank_search::Level;
use outflank_study::{
    play::gomoku::{Game, Hint, Known, Session, Turn},
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

impl Sitting for Game {
    type Engine = Engine;
    type Record = SavedGame;
    type Stones = [PointSet; 2];

    const HELP: &'static str = HELP;

    fn place_of(&self, word: &str) -> Result<Point, String> {
        Point::parse_on(word, self.board().size())
            .map_err(|error| format!("{error}, or a command; help lists them"))
    }

    fn stones(&self) -> [PointSet; 2] {
        Color::BOTH.map(|color| *self.board().stones(color))
    }

    fn pass(_session: &mut Session, _now: Duration) -> anyhow::Result<()> {
        bail!("nobody passes in Gomoku")
    }

    fn level_text(level: Level) -> String {
        match level.name() {
            Some(name) => format!("level {level}, {name}: errs as people do"),
            None => format!("level {level}: {} positions a move", level_nodes(level)),
        }
    }

    fn read(session: &Session, what: &str, number: usize) -> anyhow::Result<Loaded<SavedGame>> {
        if number > 1 {
            bail!("a game of Gomoku is alone in its file: there is no number {number}");
        }
        if what == "-" {
            bail!("standard input is where you play; name a file");
        }
        let (record, warnings) = gomoku_with_warnings(&gomoku_source(&[what.to_owned()]))?;
        record.board(
            record.rule.unwrap_or_else(|| session.board().rule()),
            session.board().size(),
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

    fn load(session: &mut Session, saved: SavedGame, now: Duration) -> anyhow::Result<()> {
        Ok(session.load(&saved.record, now)?)
    }

    fn record(session: &Session) -> SavedGame {
        SavedGame {
            record: session.record(),
            tags: session.tags(),
        }
    }

    fn all_is_known(session: &Session) -> bool {
        session.values_missing() == 0
    }

    fn status(session: &Session) -> String {
        let board = session.board();
        match (session.turn(), board.end()) {
            (Turn::TimeOut(color), _) => format!("{color} has run out of time: {} wins", !color),
            (_, Some(end)) => format!("the game is over, result: {}", end.name()),
            (_, None) => format!("{} to move, move {}", board.side(), session.moves().len() + 1),
        }
    }

    fn transcript(session: &Session) -> String {
        points(session.moves())
    }

    fn board_text(session: &Session, color: bool) -> String {
        let board = session.board();
        let mut text = drawn(board, session.moves().last().copied(), color);
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

    fn remarks(_session: &Session) -> Vec<String> {
        Vec::new()
    }

    fn mistakes(_session: &Session) -> Vec<String> {
        Vec::new()
    }

    fn engine_move(color: Color, played: &Line) -> String {
        let point = played.moves.first().map_or_else(String::new, Point::to_string);
        format!("{color} plays {point}: {} for {color}", value(played.value))
    }

    fn hint_lines(session: &Session) -> Vec<String> {
        let lines = session.hint().map(Hint::lines).unwrap_or_default();
        lines.iter().map(line).collect()
    }

    fn graph(session: &Session, width: usize, height: usize) -> String {
        let text = plot(&balance(session), |_| '•', width, height);
        match session.last_known() {
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
