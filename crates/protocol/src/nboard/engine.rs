//! The NBoard dialogue from the engine's side.
//!
//! A search gives way to every command that could change what is asked: the GUI sends `ping` when its user moves on, and
//! waits for the `pong`. A `go` that is cut short still answers with the best move so far, before the `pong`.

use crate::{
    Action, BookLine, Dialogue, DialogueBook, Setting, SettingError, Urgency,
    text::{self, command, discs, quoted, worth},
    time::parse_seconds,
};
use outflank_eval::Score;
use outflank_othello::{Color, Game, Move, Position};
use outflank_othello_engine::{Line, Outcome, Progress, Request};
use outflank_records::{GameRecord, ggf};
use outflank_search::{GameClock, Level, Origin, Verdict};
use std::{fmt, time::Duration};

/// Takes note of a game that is to be learned, or says why it cannot.
type Learn = Box<dyn FnMut(&Game) -> Result<(), String> + Send>;

/// The engine's side of NBoard.
pub struct NBoardEngine {
    strength: Request,
    game: Game,
    clock: Clocks,
    contempt: i32,
    pending: Pending,
    book: DialogueBook,
    learn: Option<Learn>,
}

impl fmt::Debug for NBoardEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NBoardEngine")
            .field("game", &self.game)
            .field("pending", &self.pending)
            .finish_non_exhaustive()
    }
}

/// Clocks of both colors, black first, as the GGF of the game says; `None` without.
#[derive(Clone, Copy, Debug, Default)]
struct Clocks {
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
}

/// What the running search is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pending {
    Nothing,
    Hint(usize),
    Go,
    /// Valuing the positions of the game from the last one back; the number of moves made.
    Analyze(usize),
    /// As before, but it has been interrupted.
    LastOfAnalysis(usize),
    /// Searching the positions of the game from the last one back, to remember them in the table.
    Learn(usize),
    /// As before, but it has been interrupted.
    LastOfLearning,
}

impl NBoardEngine {
    /// Returns an engine that searches by `strength` until `set depth` says otherwise.
    pub fn new(strength: Request) -> Self {
        Self {
            strength,
            game: Game::new(),
            clock: Clocks::default(),
            contempt: 0,
            pending: Pending::Nothing,
            book: DialogueBook::default(),
            learn: None,
        }
    }

    /// Lets hints begin with what a book says.
    #[must_use]
    pub fn with_book(self, book: DialogueBook) -> Self {
        Self { book, ..self }
    }

    /// Hands the games that NBoard wants learned to `learn`, too, which may say why it cannot keep one.
    #[must_use]
    pub fn with_learning(mut self, learn: impl FnMut(&Game) -> Result<(), String> + Send + 'static) -> Self {
        self.learn = Some(Box::new(learn));
        self
    }

    /// What a value is said to be, in discs for `side`: a proven draw is worth what the GUI's contempt says, in 1/100
    /// disc for black.
    ///
    /// Which move is best does not change: margins are even, so that no draw comes near a won or a lost game.
    fn stated(&self, line: &Line, side: Color) -> f64 {
        let drawn = matches!(line.verdict, Verdict::Exact | Verdict::WinLossDraw) && line.value.units() == 0;
        if drawn {
            self.contempt_of(side)
        } else {
            line.value.discs()
        }
    }

    /// What a proven draw is worth to `side`.
    fn contempt_of(&self, side: Color) -> f64 {
        match side {
            Color::Black => f64::from(self.contempt) / 100.0,
            Color::White => f64::from(-self.contempt) / 100.0,
        }
    }

    fn set(&mut self, text: &str, out: &mut Vec<Action>) {
        let (what, value) = command(text);
        match what.as_str() {
            "depth" => match value.parse().map(Level::new) {
                Ok(Ok(level)) => {
                    self.strength = Request {
                        lines: self.strength.lines,
                        ..Request::default().level(level)
                    };
                    write(out, format!("set myname Outflank{}", level.number()));
                }
                // Depths beyond the levels are wishes for the strongest; anything else is no depth.
                _ => match (value.parse::<i64>(), Level::new(Level::MAX), Level::new(1)) {
                    (Ok(61..), Ok(level), _) | (Ok(..=0), _, Ok(level)) => {
                        self.strength = Request::default().level(level);
                        write(out, format!("set myname Outflank{}", level.number()));
                    }
                    _ => complain(out, "set depth: expected a number, got", value),
                },
            },
            "game" => match ggf::parse(value) {
                Ok(parsed) => {
                    self.clock = Clocks::of(&parsed.value);
                    self.game = parsed.value.game;
                }
                Err(error) => write(out, format!("status Error: set game: {error}")),
            },
            "contempt" => match value.parse() {
                Ok(contempt @ -100..=100) => self.contempt = contempt,
                Ok(_) => complain(out, "set contempt: expected -100 to 100, got", value),
                Err(_) => complain(out, "set contempt: expected a whole number, got", value),
            },
            // Ours, for people who write scripts; unknown commands are ignored, the protocol says.
            _ => match Setting::parse(&what, value) {
                Ok(setting) => out.push(Action::Configure(setting)),
                Err(SettingError::Unknown(_)) => {}
                Err(error) => write(out, format!("status Error: set {error}")),
            },
        }
    }

    /// Plays `mv/eval/time`, each part but the first optional.
    fn play(&mut self, text: &str, out: &mut Vec<Action>) {
        let mut parts = text.trim().split('/');
        let name = parts.next().unwrap_or_default().trim();
        let color = self.game.position().side();
        let Some(mv) = parse_move(name) else {
            complain(out, "move: expected a square or PA, got", name);
            return;
        };
        match text::play(&mut self.game, mv) {
            Ok(()) => {
                let time = parts.nth(1).and_then(|time| time.trim().parse().ok());
                self.clock.used(color, time.unwrap_or(0.0));
            }
            // A pass that the rules imply may have been counted already.
            Err(_) if mv == Move::Pass => {}
            Err(error) => write(out, format!("status Error: {error}")),
        }
    }

    fn search(&mut self, pending: Pending, request: &Request, out: &mut Vec<Action>) {
        let position = *self.game.position();
        self.pending = pending;
        write(out, "status Thinking".to_owned());
        out.push(Action::Search(Box::new(request.at(position))));
    }

    fn hint(&mut self, text: &str, out: &mut Vec<Action>) {
        let lines = text.trim().parse::<usize>().unwrap_or(1).clamp(1, 60);
        if self.game.position().is_game_over() {
            write(out, "status The game is over".to_owned());
            return;
        }
        let request = Request {
            lines,
            ..self.strength.clone()
        };
        let position = *self.game.position();
        for line in self.book.lines(&position) {
            self.show_book(&line, position.side(), out);
        }
        self.search(Pending::Hint(lines), &request, out);
    }

    /// Writes what the book says about a move.
    fn show_book(&self, line: &BookLine, side: Color, out: &mut Vec<Action>) {
        let value = if line.proved && line.discs == 0.0 {
            self.contempt_of(side)
        } else {
            line.discs
        };
        let depth = if line.proved {
            "100%".to_owned()
        } else {
            line.depth.to_string()
        };
        let moves = pv(&line.moves, side);
        write(
            out,
            format!("book {moves} {} {} {depth}", discs(value), line.games),
        );
    }

    fn go(&mut self, out: &mut Vec<Action>) {
        let position = *self.game.position();
        if position.is_game_over() {
            let value = f64::from(position.board().final_discs().get());
            write(out, format!("=== PA/{}/0.00", discs(value)));
            return;
        }
        let mut request = Request {
            lines: 1,
            ..self.strength.clone()
        };
        let side = position.side() as usize;
        if let Some(remaining) = self.clock.left[side] {
            request.limits.clock = Some(GameClock {
                remaining,
                increment: self.clock.increment[side],
            });
        }
        self.search(Pending::Go, &request, out);
    }

    /// Starts to search the position after `made` moves, so as to remember it.
    fn learn(&mut self, made: usize, out: &mut Vec<Action>) {
        let positions = self.game.positions();
        let Some(at) = (0..=made.min(positions.len() - 1))
            .rev()
            .find(|&at| !positions[at].is_game_over())
        else {
            write(out, "learned".to_owned());
            return;
        };
        self.pending = Pending::Learn(at);
        out.push(Action::Search(Box::new(self.strength.at(positions[at]).lines(1))));
    }

    /// Starts to value the position after `made` moves.
    fn analyze(&mut self, mut made: usize, out: &mut Vec<Action>) {
        let positions = self.game.positions();
        // Nothing is to be searched at the end of a finished game.
        if made == self.game.moves().len() && self.game.position().is_game_over() {
            let value = f64::from(self.game.position().board().final_discs().get());
            write(out, format!("analysis {made} {}", discs(value)));
            if made == 0 {
                return;
            }
            made -= 1;
        }
        let Some(&position) = positions.get(made) else {
            return;
        };
        let request = Request {
            lines: 1,
            ..self.strength.clone()
        };
        self.pending = Pending::Analyze(made);
        out.push(Action::Search(Box::new(request.at(position))));
    }
}

impl Clocks {
    /// Reads `TI`, or `TB` and `TW`, and takes off the times of the moves.
    fn of(record: &GameRecord) -> Self {
        let mut clocks = Self::default();
        for (color, tag) in [(Color::Black, "TB"), (Color::White, "TW")] {
            let Some((main, increment)) = record.tag(tag).or_else(|| record.tag("TI")).and_then(parse_clock)
            else {
                continue;
            };
            clocks.left[color as usize] = Some(main);
            clocks.increment[color as usize] = increment;
        }
        let mut color = record.game.start().side();
        for index in 0..record.game.moves().len() {
            let seconds = record
                .notes
                .get(index)
                .and_then(outflank_records::MoveNote::seconds);
            clocks.used(color, seconds.unwrap_or(0.0));
            color = !color;
        }
        clocks
    }

    /// Takes the time of a move off a clock; a flag that has fallen leaves zero.
    fn used(&mut self, color: Color, seconds: f64) {
        if let Some(left) = &mut self.left[color as usize] {
            let used = Duration::from_secs_f64(seconds.clamp(0.0, 1e9));
            *left = left.saturating_sub(used) + self.increment[color as usize];
        }
    }
}

/// Reads `main/increment/grace`; a clock without main time is none.
fn parse_clock(text: &str) -> Option<(Duration, Duration)> {
    let mut parts = text.split('/').map(|part| {
        // A move count may stand behind a comma.
        let time = part.split(',').next().unwrap_or_default().trim();
        if time.is_empty() {
            Some(Duration::ZERO)
        } else {
            parse_seconds(time).ok()
        }
    });
    let main = parts.next()??;
    let increment = parts.next().flatten().unwrap_or_default();
    (!main.is_zero()).then_some((main, increment))
}

/// A move as NBoard writes it: a pass may be any prefix of `PASS` or `--`.
pub(super) fn parse_move(text: &str) -> Option<Move> {
    let upper = text.to_ascii_uppercase();
    if !upper.is_empty() && ("PASS".starts_with(&upper) || "--".starts_with(&upper)) {
        return Some(Move::Pass);
    }
    upper.parse().ok()
}

fn write(out: &mut Vec<Action>, line: String) {
    out.push(Action::Write(line));
}

fn complain(out: &mut Vec<Action>, what: &str, text: &str) {
    write(out, format!("status Error: {what} {}", quoted(text)));
}

/// `F5d6C3`: no spaces, black and white told apart by case as in the protocol's examples.
fn pv(line: &[Move], mut color: Color) -> String {
    let mut text = String::new();
    for mv in line {
        let name = mv
            .square()
            .map_or_else(|| "pa".to_owned(), |square| square.to_string());
        text.push_str(&if color == Color::Black {
            name.to_uppercase()
        } else {
            name
        });
        color = !color;
    }
    // The GUI reads the first two letters as the move, and knows a pass in capitals only.
    if line.first() == Some(&Move::Pass) {
        text.replace_range(..2, "PA");
    }
    text
}

impl NBoardEngine {
    fn show(&self, line: &Line, out: &mut Vec<Action>) {
        // What the book says was said before the search.
        if line.moves.is_empty() || line.verdict == Verdict::Aborted || line.origin == Origin::Book {
            return;
        }
        let position = self.game.position();
        let depth = worth(line, position.board().empties().count());
        let moves = pv(&line.moves, position.side());
        write(
            out,
            format!(
                "search {moves} {} 0 {depth}",
                discs(self.stated(line, position.side()))
            ),
        );
    }

    fn nodestats(nodes: u64, elapsed: Duration, out: &mut Vec<Action>) {
        write(out, format!("nodestats {nodes} {:.2}", elapsed.as_secs_f64()));
    }
}

impl Dialogue for NBoardEngine {
    type Game = Position;
    type Value = Score;

    fn urgency(&self, line: &str) -> Urgency {
        // All the commands of the protocol change what is asked; an unknown line should not cost a search.
        match command(line).0.as_str() {
            "nboard" | "set" | "move" | "hint" | "go" | "ping" | "learn" | "analyze" | "quit" => {
                Urgency::Interrupt
            }
            name if parse_move(name.split('/').next().unwrap_or_default()).is_some() => Urgency::Interrupt,
            _ => Urgency::Now,
        }
    }

    fn execute(&mut self, line: &str, out: &mut Vec<Action>) {
        let (command, rest) = command(line);
        match command.as_str() {
            "nboard" => {
                write(out, "set myname Outflank".to_owned());
                out.push(Action::Forget);
            }
            "set" => self.set(rest, out),
            "move" => self.play(rest, out),
            "hint" => self.hint(rest, out),
            "go" => self.go(out),
            "ping" => write(out, format!("pong {}", rest.trim())),
            // From the end back, so that each position finds what is known of those after it.
            "learn" => {
                if let Some(Err(error)) = self.learn.as_mut().map(|learn| learn(&self.game)) {
                    write(out, format!("status Error: learn: {error}"));
                }
                self.learn(self.game.moves().len(), out);
            }
            "analyze" => self.analyze(self.game.moves().len(), out),
            "quit" => out.push(Action::Quit),
            // Version 1 sent bare moves.
            name if parse_move(name.split('/').next().unwrap_or_default()).is_some() => self.play(line, out),
            _ => {}
        }
    }

    fn interrupting(&mut self, _line: &str) {
        // What is being valued is still reported, but an analysis does not go on to the next position.
        match self.pending {
            Pending::Analyze(made) => self.pending = Pending::LastOfAnalysis(made),
            Pending::Learn(_) => self.pending = Pending::LastOfLearning,
            _ => {}
        }
    }

    fn progress(&mut self, news: &Progress, out: &mut Vec<Action>) {
        if matches!(self.pending, Pending::Hint(lines) if news.rank < lines) {
            self.show(&news.line, out);
            Self::nodestats(news.nodes, news.elapsed, out);
        }
    }

    fn finished(&mut self, outcome: &Outcome, _spent: Duration, out: &mut Vec<Action>) {
        match std::mem::replace(&mut self.pending, Pending::Nothing) {
            Pending::Nothing => {}
            Pending::Hint(lines) => {
                for line in outcome.lines.iter().take(lines) {
                    self.show(line, out);
                }
                Self::nodestats(outcome.nodes, outcome.elapsed, out);
                write(out, "status".to_owned());
            }
            Pending::Go => {
                Self::nodestats(outcome.nodes, outcome.elapsed, out);
                let mv = outcome.best_move().and_then(Move::square);
                let name = mv.map_or_else(|| "PA".to_owned(), |square| square.to_string().to_uppercase());
                let value = discs(self.stated(outcome.best(), self.game.position().side()));
                let time = outcome.elapsed.as_secs_f64();
                write(out, format!("=== {name}/{value}/{time:.2}"));
                write(out, "status".to_owned());
            }
            Pending::LastOfLearning => write(out, "learned".to_owned()),
            Pending::Learn(made) => match made.checked_sub(1) {
                Some(made) => self.learn(made, out),
                None => write(out, "learned".to_owned()),
            },
            pending @ (Pending::Analyze(made) | Pending::LastOfAnalysis(made)) => {
                if !outcome.complete && outcome.best().verdict == Verdict::Aborted {
                    return;
                }
                let side = self
                    .game
                    .positions()
                    .get(made)
                    .map_or(Color::Black, Position::side);
                let value = discs(self.stated(outcome.best(), side));
                write(out, format!("analysis {made} {value}"));
                if made > 0 && pending == Pending::Analyze(made) {
                    self.analyze(made - 1, out);
                }
            }
        }
    }

    fn remark(&self, text: &str) -> Option<String> {
        Some(format!("status Error: {text}"))
    }

    fn is_quit(&self, line: &str) -> bool {
        command(line).0 == "quit"
    }
}
