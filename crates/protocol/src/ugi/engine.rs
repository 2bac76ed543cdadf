//! The UGI dialogue from the engine's side.

use crate::{
    Action, Dialogue, DialogueBook, Options, Setting, Urgency,
    options::OPTIONS,
    text::{self, command, quoted, word},
};
use outflank_eval::Score;
use outflank_othello::{Color, Game, Move, Position};
use outflank_othello_engine::{Outcome, Progress, Request};
use outflank_records::fen::{self, Dialect};
use outflank_search::{GameClock, Limits, Verdict};
use std::{fmt::Write as _, time::Duration};

/// The engine's side of UGI.
#[derive(Clone, Debug)]
pub struct UgiEngine {
    strength: Request,
    game: Game,
    /// Whether the running search answers only when it is stopped.
    infinite: bool,
    /// The answer of an infinite search that has ended before anyone stopped it.
    held: Option<String>,
    options: Options,
    book: DialogueBook,
    /// The file of the book, as `BookFile` shows it.
    book_file: String,
}

impl UgiEngine {
    /// Returns an engine that searches by `strength` when `go` sets no limit.
    pub fn new(strength: Request) -> Self {
        Self {
            strength,
            game: Game::new(),
            infinite: false,
            held: None,
            options: Options::default(),
            book: DialogueBook::default(),
            book_file: String::new(),
        }
    }

    /// Lets `BookFile` and `OwnBook` say which book is played from, and whether; `file` names the one that it has now.
    #[must_use]
    pub fn with_book(self, book: DialogueBook, file: impl Into<String>) -> Self {
        Self {
            book,
            book_file: file.into(),
            ..self
        }
    }

    /// Sets what is said of the options before anything is set.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    fn introduce(&self, out: &mut Vec<Action>) {
        let mut text = format!(
            "id name Outflank {}\nid author the Outflank founders\n",
            env!("CARGO_PKG_VERSION")
        );
        for option in &OPTIONS {
            let (name, min, max) = (option.name, option.min, option.max);
            let value = (option.of)(&self.options);
            writeln!(
                text,
                "option name {name} type spin default {value} min {min} max {max}"
            )
            .expect("a string takes every text");
        }
        let file = if self.book_file.is_empty() {
            "<empty>"
        } else {
            &self.book_file
        };
        writeln!(text, "option name BookFile type string default {file}").expect("a string takes every text");
        text.push_str("option name OwnBook type check default true\n");
        out.push(Action::Write(text + "ugiok"));
    }

    /// `setoption name NAME value VALUE`, both of which may have blanks in them.
    fn set_option(&mut self, text: &str, out: &mut Vec<Action>) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let at = |word: &str| words.iter().position(|other| other.eq_ignore_ascii_case(word));
        let (Some(0), Some(value)) = (at("name"), at("value")) else {
            info(out, "setoption: expected name NAME value VALUE");
            return;
        };
        let (name, value) = (words[1..value].join(" "), words[value + 1..].join(" "));
        match name.to_ascii_lowercase().as_str() {
            "bookfile" => {
                let file = if value == "<empty>" { "" } else { &value };
                match self.book.load(file) {
                    Ok(()) => file.clone_into(&mut self.book_file),
                    Err(error) => info(out, &format!("setoption: {error}")),
                }
                return;
            }
            "ownbook" => {
                match value.to_ascii_lowercase().parse() {
                    Ok(own) => self.book.play_from_it(own),
                    Err(_) => info(
                        out,
                        &format!(
                            "setoption: OwnBook: expected true or false, got {}",
                            quoted(&value)
                        ),
                    ),
                }
                return;
            }
            _ => {}
        }
        match Setting::parse(&name, &value) {
            Ok(setting) => out.push(Action::Configure(setting)),
            Err(error) => info(out, &format!("setoption: {error}")),
        }
    }

    fn go(&mut self, text: &str, out: &mut Vec<Action>) {
        let position = *self.game.position();
        match self.request(text, position.side()) {
            Err(message) => info(out, &message),
            Ok(_) if position.is_game_over() => {
                info(out, "the game is over");
                out.push(Action::Write(NO_MOVE.to_owned()));
            }
            Ok((request, infinite)) => {
                self.infinite = infinite;
                out.push(Action::Search(Box::new(request.at(position))));
            }
        }
    }

    fn request(&self, text: &str, side: Color) -> Result<(Request, bool), String> {
        let mut limits = Limits::default();
        let (mut times, mut increments) = ([None; 2], [Duration::ZERO; 2]);
        let mut infinite = false;
        let mut words = text.split_whitespace();
        while let Some(name) = words.next() {
            let name = name.to_ascii_lowercase();
            if name == "infinite" {
                infinite = true;
                continue;
            }
            let value = words.next().unwrap_or_default();
            let number: i64 = value.parse().map_err(|_| {
                format!(
                    "go {}: expected a whole number, got {}",
                    quoted(&name),
                    quoted(value)
                )
            })?;
            // A clock below zero has fallen already.
            let number = number.max(0) as u64;
            let time = Duration::from_millis(number);
            match name.as_str() {
                "p1time" => times[0] = Some(time),
                "p2time" => times[1] = Some(time),
                "p1inc" => increments[0] = time,
                "p2inc" => increments[1] = time,
                "movetime" => limits.time = Some(time),
                "depth" => limits.depth = Some(number.clamp(1, 60) as u32),
                "nodes" => limits.nodes = Some(number.max(1)),
                _ => return Err(format!("go: unknown limit {}", quoted(&name))),
            }
        }
        limits.clock = times[side as usize].map(|remaining| GameClock {
            remaining,
            increment: increments[side as usize],
        });
        let unlimited = limits == Limits::default();
        let request = match (infinite, unlimited) {
            (true, _) => Request::default(),
            (false, true) => self.strength.clone(),
            (false, false) => Request::default().limits(limits),
        };
        Ok((request, infinite))
    }

    fn query(&self, text: &str, out: &mut Vec<Action>) {
        let position = self.game.position();
        let response = match text.trim().to_ascii_lowercase().as_str() {
            "gameover" => position.is_game_over().to_string(),
            "p1turn" => (position.side() == Color::Black).to_string(),
            "result" => match self.game.result().map(|result| result.winner) {
                None => "none",
                Some(None) => "draw",
                Some(Some(Color::Black)) => "p1win",
                Some(Some(Color::White)) => "p2win",
            }
            .to_owned(),
            other => {
                info(out, &format!("unknown query {}", quoted(other)));
                return;
            }
        };
        out.push(Action::Write(format!("response {response}")));
    }

    /// Sends the answer of an infinite search that was waiting for its stop.
    fn release(&mut self, out: &mut Vec<Action>) {
        out.extend(self.held.take().map(Action::Write));
    }
}

/// The answer to `go` where there is nothing to play: what readers of UCI and its relatives know as "no move". A pass
/// would be a move.
const NO_MOVE: &str = "bestmove (none)";

/// Reads `startpos moves f5 d6 …` or `fen … moves …`.
fn parse_game(text: &str) -> Result<Game, String> {
    let at = text.to_ascii_lowercase().find("moves");
    let (head, moves) = at.map_or((text, ""), |at| (&text[..at], &text[at + "moves".len()..]));
    let (kind, fen) = command(head);
    let mut game = match kind.as_str() {
        "startpos" => Game::new(),
        "fen" => Game::from_position(parse_position(fen)?),
        _ => return Err(format!("expected startpos or fen, got {}", quoted(word(head).0))),
    };
    for name in moves.split_whitespace() {
        let mv: Move = name.parse().map_err(|_| format!("{} is no move", quoted(name)))?;
        text::play(&mut game, mv).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

/// A FEN, or 64 squares and a side.
fn parse_position(text: &str) -> Result<Position, String> {
    if text.contains('/') {
        fen::parse_as(Dialect::Ugi, text)
            .map(|parsed| parsed.value)
            .map_err(|error| error.to_string())
    } else {
        text.parse().map_err(|error| format!("{error}"))
    }
}

fn info(out: &mut Vec<Action>, message: &str) {
    out.push(Action::Write(format!("info string {message}")));
}

/// Hundredths of a disc.
fn centidiscs(discs: f64) -> i64 {
    (discs * 100.0).round() as i64
}

impl Dialogue for UgiEngine {
    type Game = Position;
    type Value = Score;

    fn urgency(&self, line: &str) -> Urgency {
        match command(line).0.as_str() {
            "stop" | "quit" | "position" | "go" | "uginewgame" | "setoption" => Urgency::Interrupt,
            _ => Urgency::Now,
        }
    }

    fn execute(&mut self, line: &str, out: &mut Vec<Action>) {
        let (command, rest) = command(line);
        if self.urgency(line) == Urgency::Interrupt {
            self.release(out);
        }
        match command.as_str() {
            "ugi" => self.introduce(out),
            "isready" => out.push(Action::Write("readyok".to_owned())),
            "uginewgame" => {
                self.game = Game::new();
                out.push(Action::Forget);
            }
            "position" => match parse_game(rest) {
                Ok(game) => self.game = game,
                // The old position stays.
                Err(message) => info(out, &format!("position: {message}")),
            },
            "go" => self.go(rest, out),
            "query" => self.query(rest, out),
            "quit" => out.push(Action::Quit),
            "setoption" => self.set_option(rest, out),
            "stop" | "" => {}
            _ => info(out, &format!("unknown command {}", quoted(word(line).0))),
        }
    }

    fn progress(&mut self, news: &Progress, out: &mut Vec<Action>) {
        if news.rank > 0 {
            return;
        }
        let pv: Vec<String> = news.line.moves.iter().map(ToString::to_string).collect();
        out.push(Action::Write(format!(
            "info depth {} score cp {} nodes {} time {} pv {}",
            news.stage.depth,
            centidiscs(news.line.value.discs()),
            news.nodes,
            news.elapsed.as_millis(),
            pv.join(" ")
        )));
    }

    fn finished(&mut self, outcome: &Outcome, _spent: Duration, out: &mut Vec<Action>) {
        let best = outcome.best();
        let depth = match best.verdict {
            Verdict::Estimate { depth, .. } => Some(depth),
            Verdict::Aborted => None,
            _ => Some(self.game.position().board().empties().count()),
        };
        if let Some(depth) = depth {
            out.push(Action::Write(format!(
                "info depth {depth} score cp {} nodes {} time {}",
                centidiscs(best.value.discs()),
                outcome.nodes,
                outcome.elapsed.as_millis()
            )));
        }
        let answer = outcome.best_move().map(|mv| format!("bestmove {mv}"));
        self.held = Some(answer.unwrap_or_else(|| NO_MOVE.to_owned()));
        if !std::mem::take(&mut self.infinite) {
            self.release(out);
        }
    }

    fn remark(&self, text: &str) -> Option<String> {
        Some(format!("info string {text}"))
    }

    fn is_quit(&self, line: &str) -> bool {
        command(line).0 == "quit"
    }
}
