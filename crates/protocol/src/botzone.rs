//! Botzone's reversi, from the engine's side: JSON or simple interaction, each with or without keeping running.
//!
//! A turn is a request; the answer is one line (and, to be kept running, a marker). `x` is the column and `y` the row,
//! from 0; the game is the same if they are swapped, as long as it is done everywhere. `-1 -1` is a pass, and as the very
//! first request it says that the bot has the first move.

use crate::{Action, Dialogue, Urgency, text::quoted};
use outflank_eval::Score;
use outflank_othello::{Color, Game, Move, Position, Square};
use outflank_othello_engine::{Outcome, Progress, Request};
use serde_json::{Value, json};
use std::time::Duration;

/// What a bot prints to live on until the next turn.
const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// The engine's side of Botzone.
#[derive(Clone, Debug)]
pub struct BotzoneEngine {
    strength: Request,
    keep_running: bool,
    style: Option<Style>,
    game: Game,
    /// The bot's color, once the first request has been read.
    color: Option<Color>,
    /// Numbers of a simple request that are still to come, and those that are there.
    missing: usize,
    pairs: Vec<(i64, i64)>,
}

/// The form of the first request, which is the form of the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Json,
    Simple,
}

/// Lines of a simple request beyond which it is nonsense: no game has as many.
const MAX_TURNS: i64 = 200;

impl BotzoneEngine {
    /// Returns an engine that searches by `strength`, and asks to be kept running or ends after its answer.
    pub fn new(strength: Request, keep_running: bool) -> Self {
        Self {
            strength,
            keep_running,
            style: None,
            game: Game::new(),
            color: None,
            missing: 0,
            pairs: Vec::new(),
        }
    }

    /// Reads a JSON line: the whole history, or only the new request.
    fn json(&mut self, line: &str) -> Result<(), String> {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
        let pair = |value: &Value| -> Result<(i64, i64), String> {
            // Simple numbers in quotes are seen as well.
            let number = |name: &str| match &value[name] {
                Value::String(text) => text.trim().parse().ok(),
                other => other.as_i64(),
            };
            number("x")
                .zip(number("y"))
                .ok_or_else(|| format!("expected x and y, got {}", quoted(&value.to_string())))
        };
        if value.get("requests").is_none() {
            return self.request(pair(value.get("request").unwrap_or(&value))?);
        }
        let list = |name: &str| -> Result<Vec<(i64, i64)>, String> {
            match &value[name] {
                Value::Array(items) => items.iter().map(pair).collect(),
                Value::Null => Ok(Vec::new()),
                _ => Err(format!("{name}: expected a list")),
            }
        };
        let (requests, responses) = (list("requests")?, list("responses")?);
        if requests.len() != responses.len() + 1 {
            return Err(format!(
                "{} requests do not fit {} responses",
                requests.len(),
                responses.len()
            ));
        }
        self.restart();
        for (turn, request) in requests.iter().enumerate() {
            self.request(*request)?;
            if let Some(response) = responses.get(turn) {
                self.own(*response)?;
            }
        }
        Ok(())
    }

    /// Reads a line of a simple request; `Ok(true)` when the request is complete.
    fn simple(&mut self, line: &str) -> Result<bool, String> {
        let numbers: Option<Vec<i64>> = line.split_whitespace().map(|text| text.parse().ok()).collect();
        let numbers = numbers.ok_or_else(|| format!("expected numbers, got {}", quoted(line)))?;
        match numbers[..] {
            [turns] if self.missing == 0 && (1..=MAX_TURNS).contains(&turns) => {
                self.pairs.clear();
                self.missing = 2 * turns as usize - 1;
                Ok(false)
            }
            [x, y] if self.missing == 0 && self.color.is_some() => {
                self.request((x, y))?;
                Ok(true)
            }
            [x, y] if self.missing > 0 => {
                self.pairs.push((x, y));
                self.missing -= 1;
                if self.missing > 0 {
                    return Ok(false);
                }
                self.restart();
                for (index, pair) in std::mem::take(&mut self.pairs).into_iter().enumerate() {
                    if index.is_multiple_of(2) {
                        self.request(pair)?;
                    } else {
                        self.own(pair)?;
                    }
                }
                Ok(true)
            }
            _ => Err(format!("did not expect {}", quoted(line))),
        }
    }

    fn restart(&mut self) {
        self.game = Game::new();
        self.color = None;
    }

    /// Plays what the opponent did.
    fn request(&mut self, pair: (i64, i64)) -> Result<(), String> {
        let Some(color) = self.color else {
            let first = pair == (-1, -1);
            self.color = Some(if first { Color::Black } else { Color::White });
            return if first {
                Ok(())
            } else {
                self.play(Color::Black, pair)
            };
        };
        self.play(!color, pair)
    }

    /// Plays what the bot did.
    fn own(&mut self, pair: (i64, i64)) -> Result<(), String> {
        match self.color {
            Some(color) => self.play(color, pair),
            None => Err("a response before the first request".to_owned()),
        }
    }

    fn play(&mut self, color: Color, (x, y): (i64, i64)) -> Result<(), String> {
        if (x, y) == (-1, -1) {
            // The rules may have implied the pass already.
            if self.game.position().side() == color && !self.game.position().is_game_over() {
                self.game.play(Move::Pass).map_err(|error| error.to_string())?;
            }
            return Ok(());
        }
        let square = usize::try_from(x)
            .ok()
            .zip(usize::try_from(y).ok())
            .and_then(|(column, row)| Square::from_coordinates(column, row))
            .ok_or_else(|| format!("x {x}, y {y} is off the board"))?;
        if self.game.position().side() != color && !self.game.position().board().must_pass() {
            return Err(format!("{square}: it is not {color}'s turn"));
        }
        self.game.place(square).map_err(|error| error.to_string())
    }

    /// Asks for a search, or answers at once if there is nothing to choose.
    fn turn(&mut self, out: &mut Vec<Action>) {
        let position = *self.game.position();
        let mine = self.color == Some(position.side());
        if position.is_game_over() || !mine || position.board().must_pass() {
            if mine && position.board().must_pass() {
                self.game.play(Move::Pass).expect("the pass is forced");
            }
            self.respond(None, "", out);
            return;
        }
        let request = self.strength.clone();
        out.push(Action::Search(Box::new(request.at(position))));
    }

    fn respond(&self, square: Option<Square>, debug: &str, out: &mut Vec<Action>) {
        let (x, y) = square.map_or((-1, -1), |square| (square.column() as i64, square.row() as i64));
        let mut text = match self.style {
            Some(Style::Simple) => format!("{x} {y}"),
            _ => json!({"response": {"x": x, "y": y}, "debug": debug}).to_string(),
        };
        if self.keep_running {
            text.push('\n');
            text.push_str(KEEP_RUNNING);
        }
        out.push(Action::Write(text));
        if !self.keep_running {
            out.push(Action::Quit);
        }
    }
}

impl Dialogue for BotzoneEngine {
    type Game = Position;
    type Value = Score;

    fn urgency(&self, _line: &str) -> Urgency {
        Urgency::Wait
    }

    fn execute(&mut self, line: &str, out: &mut Vec<Action>) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        let style = *self.style.get_or_insert(if line.starts_with('{') {
            Style::Json
        } else {
            Style::Simple
        });
        let complete = match style {
            Style::Json => self.json(line).map(|()| true),
            Style::Simple => self.simple(line),
        };
        match complete {
            Ok(true) => self.turn(out),
            Ok(false) => {}
            // Something must be answered; the debug text shows what went wrong.
            Err(message) => {
                self.missing = 0;
                self.respond(None, &message, out);
            }
        }
    }

    fn progress(&mut self, _news: &Progress, _out: &mut Vec<Action>) {}

    fn finished(&mut self, outcome: &Outcome, _spent: Duration, out: &mut Vec<Action>) {
        let square = outcome.best_move().and_then(Move::square);
        if let Some(square) = square {
            // Searched from this very position, so that it is legal.
            let _known = self.game.place(square);
        }
        let debug = format!("value {}, nodes {}", outcome.best().value, outcome.nodes);
        self.respond(square, &debug, out);
    }

    fn is_quit(&self, _line: &str) -> bool {
        false
    }
}
