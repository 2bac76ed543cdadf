//! The chess engine communication protocol (xboard, `WinBoard`) for its variant "reversi", from the engine's side.
//!
//! Discs are dropped like pieces: `P@f5`; a pass is `@@@@`. The player who moves first (Othello's black) is called White.
//! After `new` the engine plays the second player, as the protocol wants it.

use crate::{
    Action, Dialogue, DialogueBook, Options, Setting, Urgency,
    options::OPTIONS,
    text::{self, command, quoted},
    time::parse_seconds,
};
use outflank_eval::Score;
use outflank_othello::{Color, Game, Move, Position};
use outflank_othello_engine::{Outcome, Progress, Request};
use outflank_records::fen::{self, Dialect};
use outflank_search::{GameClock, Limits, Verdict};
use std::time::Duration;

/// What the engine can do, as `protover` asks.
const FEATURES: &str = "feature done=0\n\
    feature setboard=1 playother=1 ping=1 draw=0 sigint=0 sigterm=0 analyze=1 variants=\"reversi\" colors=0 nps=0 \
    memory=1 smp=1 usermove=0 reuse=1 myname=\"Outflank\"\n";

/// The engine's side of the protocol.
#[derive(Clone, Debug)]
pub struct XboardEngine {
    strength: Request,
    game: Game,
    /// The color that the engine plays; `None` in force mode.
    plays: Option<Color>,
    /// Whether lines of thought are shown.
    post: bool,
    mode: Mode,
    clock: Clock,
    /// Whether the end of this game has been announced.
    announced: bool,
    /// Depth, nodes and time of the running search, for `.`.
    news: (u32, u64, Duration),
    options: Options,
    book: DialogueBook,
}

/// What the running search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Idle,
    Move,
    /// A move that nobody wants any more.
    Abandoned,
    Hint,
    /// Until `exit`; also when no search runs.
    Analysis,
}

/// What became of a command that may set something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Done,
    BadValue,
    /// It is another command.
    Unknown,
}

/// The time settings.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    /// Time left to the engine, once the interface has said it.
    left: Option<Duration>,
    increment: Duration,
    /// Moves per session; 0 for the whole game.
    moves: u32,
    /// Time for every move.
    per_move: Option<Duration>,
    depth: Option<u32>,
}

impl XboardEngine {
    /// Returns an engine that searches by `strength` until the interface sets a time or a depth.
    pub fn new(strength: Request) -> Self {
        Self {
            strength,
            game: Game::new(),
            plays: Some(Color::White),
            post: false,
            mode: Mode::Idle,
            clock: Clock::default(),
            announced: false,
            news: (0, 0, Duration::ZERO),
            options: Options::default(),
            book: DialogueBook::default(),
        }
    }

    /// Lets `bk` show what a book says.
    #[must_use]
    pub fn with_book(self, book: DialogueBook) -> Self {
        Self { book, ..self }
    }

    /// Sets what is said of the options before anything is set.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// The request for a move.
    fn request(&self) -> Request {
        let mut request = self.strength.clone();
        let clock = &self.clock;
        if clock.per_move.is_none() && clock.left.is_none() && clock.depth.is_none() {
            return request;
        }
        request.limits = Limits {
            depth: clock.depth,
            time: clock.per_move,
            ..Limits::default()
        };
        if let (None, Some(remaining)) = (clock.per_move, clock.left) {
            // A session of moves is shorter than the game: its share of the time is greater.
            if clock.moves > 0 {
                request.limits.time = Some(remaining / (clock.moves + 1));
            } else {
                request.limits.clock = Some(GameClock {
                    remaining,
                    increment: clock.increment,
                });
            }
        }
        request
    }

    fn search(&mut self, mode: Mode, request: &Request, out: &mut Vec<Action>) {
        self.mode = mode;
        self.news = (0, 0, Duration::ZERO);
        let position = *self.game.position();
        out.push(Action::Search(Box::new(request.at(position))));
    }

    /// Lets the engine move if it is its turn, or goes on with the analysis; announces the end of a game.
    fn continue_game(&mut self, out: &mut Vec<Action>) {
        if let Some(result) = self.game.result() {
            if self.mode == Mode::Analysis || std::mem::replace(&mut self.announced, true) {
                return;
            }
            let position = self.game.position();
            let (first, second) = (
                position.discs(Color::Black).count(),
                position.discs(Color::White).count(),
            );
            let (score, winner) = match result.winner {
                Some(Color::Black) => ("1-0", "White wins"),
                Some(Color::White) => ("0-1", "Black wins"),
                None => ("1/2-1/2", "Draw"),
            };
            write(out, format!("{score} {{{winner} {first}-{second}}}"));
            return;
        }
        if self.mode == Mode::Analysis {
            self.search(Mode::Analysis, &Request::default(), out);
            return;
        }
        if self.plays != Some(self.game.position().side()) {
            return;
        }
        if self.game.position().board().must_pass() {
            self.game.play(Move::Pass).expect("the pass is forced");
            write(out, "move @@@@");
            return;
        }
        self.search(Mode::Move, &self.request(), out);
    }

    /// Plays a move of the user.
    fn user_move(&mut self, mv: Move, line: &str, out: &mut Vec<Action>) {
        if self.game.position().is_game_over() {
            // Some interfaces still send a pass after the end.
            if mv != Move::Pass {
                write(out, format!("Illegal move (the game is over): {line}"));
            }
            return;
        }
        match text::play(&mut self.game, mv) {
            Ok(()) => self.continue_game(out),
            Err(error) => write(out, format!("Illegal move ({}): {line}", error.reason)),
        }
    }

    fn new_game(&mut self, out: &mut Vec<Action>) {
        self.game = Game::new();
        self.plays = Some(Color::White);
        self.announced = false;
        self.clock.depth = None;
        if self.mode != Mode::Analysis {
            self.mode = Mode::Idle;
        }
        out.push(Action::Forget);
    }

    /// `level MOVES BASE INCREMENT`: base in minutes or minutes:seconds, increment in seconds.
    fn level(&mut self, text: &str) -> Option<()> {
        let mut words = text.split_whitespace();
        let moves = words.next()?.parse().ok()?;
        let base = words.next()?;
        let base = if base.contains(':') {
            parse_seconds(base).ok()?
        } else {
            parse_seconds(base).ok()?.checked_mul(60)?
        };
        let increment = parse_seconds(words.next()?).ok()?;
        self.clock = Clock {
            left: Some(base),
            increment,
            moves,
            per_move: None,
            depth: self.clock.depth,
        };
        Some(())
    }

    fn undo(&mut self, plies: usize, out: &mut Vec<Action>) {
        self.announced = false;
        for _ in 0..plies {
            if self.game.undo().is_none() {
                write(out, "Error (nothing to take back): undo");
                return;
            }
        }
    }

    fn carry_out(&mut self, line: &str, out: &mut Vec<Action>) {
        let (command, rest) = command(line);
        match command.as_str() {
            "protover" => {
                // Memory and processors have commands of their own.
                let reserve = OPTIONS.iter().find(|option| option.name == "Move Overhead");
                let option = reserve.map_or_else(String::new, |option| {
                    let (name, min, max) = (option.name, option.min, option.max);
                    let value = (option.of)(&self.options);
                    format!("feature option=\"{name} -spin {value} {min} {max}\"\n")
                });
                write(out, format!("{FEATURES}{option}feature done=1"));
            }
            "memory" => Self::set_option("Hash", rest, line, out),
            "cores" => Self::set_option("Threads", rest, line, out),
            "option" => {
                let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                Self::set_option(name, value, line, out);
            }
            "new" => self.new_game(out),
            "ping" => write(out, format!("pong {rest}")),
            "quit" => out.push(Action::Quit),
            "force" | "result" => self.plays = None,
            "go" => {
                self.plays = Some(self.game.position().side());
                self.continue_game(out);
            }
            "playother" => self.plays = Some(!self.game.position().side()),
            "setboard" => match fen::parse_as(Dialect::Xboard, rest) {
                Ok(parsed) => {
                    self.game = Game::from_position(parsed.value);
                    self.announced = false;
                }
                Err(message) => write(out, format!("tellusererror Illegal position: {message}")),
            },
            "bk" => self.show_book(out),
            "undo" | "remove" => self.undo(if command == "undo" { 1 } else { 2 }, out),
            "analyze" => self.mode = Mode::Analysis,
            "exit" => self.mode = Mode::Idle,
            "hint" if !self.game.position().is_game_over() && self.mode != Mode::Analysis => {
                self.search(Mode::Hint, &self.request(), out);
            }
            "hint" => {}
            "." => {
                let (depth, nodes, time) = self.news;
                write(
                    out,
                    format!("stat01: {} {nodes} {depth} 0 0", time.as_millis() / 10),
                );
            }
            _ => match (self.set(&command, rest), parse_move(line)) {
                (Effect::Done, _) => {}
                (Effect::BadValue, _) => write(out, format!("Error (bad value): {}", quoted(line))),
                (Effect::Unknown, Some(mv)) => self.user_move(mv, line.trim(), out),
                (Effect::Unknown, None) => write(out, format!("Error (unknown command): {}", quoted(line))),
            },
        }
    }

    /// What the book has here, in lines that begin with a blank, and an empty one at the end.
    fn show_book(&self, out: &mut Vec<Action>) {
        let lines = self.book.lines(self.game.position());
        if lines.is_empty() {
            write(out, " not in the book");
        }
        for line in lines {
            let mv = line.moves.first().copied().map_or_else(String::new, move_text);
            write(out, format!(" {mv} {}", line.said()));
        }
        write(out, "");
    }

    fn set_option(name: &str, value: &str, line: &str, out: &mut Vec<Action>) {
        match Setting::parse(name, value) {
            Ok(setting) => out.push(Action::Configure(setting)),
            Err(error) => write(out, format!("Error ({error}): {line}")),
        }
    }

    /// The commands that only set something; says whether it is one.
    fn set(&mut self, command: &str, rest: &str) -> Effect {
        let done = match command {
            "level" => self.level(rest),
            "st" => parse_seconds(rest).ok().map(|time| {
                self.clock.per_move = Some(time);
                self.clock.left = None;
            }),
            "sd" => rest
                .parse::<u32>()
                .ok()
                .map(|depth| self.clock.depth = Some(depth.clamp(1, 60))),
            // Hundredths of a second; a clock below zero has fallen already.
            "time" => rest.parse::<i64>().ok().map(|time| {
                self.clock.left = Some(Duration::from_millis(time.clamp(0, 1 << 40) as u64 * 10));
            }),
            "otim" => rest.parse::<i64>().ok().map(|_| ()),
            "post" => {
                self.post = true;
                Some(())
            }
            "nopost" => {
                self.post = false;
                Some(())
            }
            "variant" => rest.eq_ignore_ascii_case("reversi").then_some(()),
            "xboard" | "random" | "hard" | "easy" | "computer" | "accepted" | "rejected" | "name"
            | "rating" | "ics" | "white" | "black" | "?" | "." | "" => Some(()),
            _ => return Effect::Unknown,
        };
        if done.is_some() {
            Effect::Done
        } else {
            Effect::BadValue
        }
    }

    /// A line of thought: depth, hundredths of a disc, hundredths of a second, nodes, moves.
    fn thought(&self, news: &Progress) -> String {
        let moves: Vec<String> = news.line.moves.iter().copied().map(move_text).collect();
        let selective = if news.stage.confidence < 100 {
            format!(" @{}%", news.stage.confidence)
        } else {
            String::new()
        };
        format!(
            "{} {} {} {}{selective} {}",
            news.stage.depth,
            (news.line.value.discs() * 100.0).round() as i64,
            news.elapsed.as_millis() / 10,
            news.nodes,
            moves.join(" ")
        )
    }
}

fn write(out: &mut Vec<Action>, line: impl Into<String>) {
    out.push(Action::Write(line.into()));
}

/// `P@f5`, `@@@@`.
fn move_text(mv: Move) -> String {
    mv.square()
        .map_or_else(|| "@@@@".to_owned(), |square| format!("P@{square}"))
}

/// `P@f5` or plain `f5`; a pass as `@@@@`, `pass`, or a move from a square to itself.
fn parse_move(text: &str) -> Option<Move> {
    let text = text.trim();
    let square = text
        .strip_prefix("P@")
        .or_else(|| text.strip_prefix("p@"))
        .unwrap_or(text);
    if let Ok(mv) = square.parse() {
        return Some(mv);
    }
    let (from, to) = (text.get(..2)?, text.get(2..)?);
    (from == to && from.parse::<outflank_othello::Square>().is_ok()).then_some(Move::Pass)
}

impl Dialogue for XboardEngine {
    type Game = Position;
    type Value = Score;

    fn urgency(&self, line: &str) -> Urgency {
        match command(line).0.as_str() {
            "?" | "force" | "new" | "quit" | "setboard" | "undo" | "remove" | "result" | "exit" | "go"
            | "playother" | "analyze" | "hint" => Urgency::Interrupt,
            // A time for the next move must not change the present one; a ping is answered after the move.
            "." | "bk" | "post" | "nopost" | "otim" | "accepted" | "rejected" | "easy" | "hard" => {
                Urgency::Now
            }
            // In analysis, moves and pings come while the search runs.
            _ if self.mode == Mode::Analysis => Urgency::Interrupt,
            _ => Urgency::Wait,
        }
    }

    fn interrupting(&mut self, line: &str) {
        // Everything but "move now" takes back the wish for a move.
        if command(line).0 != "?" && self.mode == Mode::Move {
            self.mode = Mode::Abandoned;
        }
    }

    fn execute(&mut self, line: &str, out: &mut Vec<Action>) {
        self.carry_out(line, out);
        // Analysis goes on after whatever has interrupted it.
        let resumes =
            self.mode == Mode::Analysis && self.urgency(line) != Urgency::Now && command(line).0 != "quit";
        if resumes && !out.iter().any(|action| matches!(action, Action::Search(_))) {
            self.continue_game(out);
        }
    }

    fn progress(&mut self, news: &Progress, out: &mut Vec<Action>) {
        if news.rank > 0 {
            return;
        }
        self.news = (news.stage.depth, news.nodes, news.elapsed);
        let shown = match self.mode {
            Mode::Move => self.post,
            Mode::Analysis => true,
            Mode::Idle | Mode::Hint | Mode::Abandoned => false,
        };
        if shown {
            write(out, self.thought(news));
        }
    }

    fn finished(&mut self, outcome: &Outcome, _spent: Duration, out: &mut Vec<Action>) {
        let mode = self.mode;
        if mode != Mode::Analysis {
            self.mode = Mode::Idle;
        }
        let Some(mv) = outcome.best_move() else {
            return;
        };
        match mode {
            Mode::Move => {
                if text::play(&mut self.game, mv).is_ok() {
                    write(out, format!("move {}", move_text(mv)));
                    self.continue_game(out);
                }
            }
            Mode::Hint if outcome.best().verdict != Verdict::Aborted => {
                write(out, format!("Hint: {}", move_text(mv)));
            }
            Mode::Hint | Mode::Idle | Mode::Abandoned | Mode::Analysis => {}
        }
    }

    fn remark(&self, text: &str) -> Option<String> {
        Some(format!("tellusererror {text}"))
    }

    fn is_quit(&self, line: &str) -> bool {
        command(line).0 == "quit"
    }
}
