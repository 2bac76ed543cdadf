//! The GTP dialogue from the engine's side, with the GoGui rules extension.
//!
//! Commands are carried out strictly one after the other, as GTP wants it.
//! Forced passes may be sent or left out, by `play` and by `genmove`; whatever comes, a color is only accepted out of
//! turn where the other one has to pass.

use crate::{
    Action, Dialogue, TimeControl, Urgency,
    text::{self, quoted},
};
use outflank_othello::{Color, Discs, Game, Move, Square};
use outflank_othello_engine::{Outcome, Progress, Request};
use outflank_records::{
    sgf,
    text::{decode, without_mark},
};
use outflank_search::GameClock;
use std::{
    fmt::{self, Write as _},
    time::Duration,
};

/// Every command, as `list_commands` returns them.
const COMMANDS: [&str; 27] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "known_command",
    "komi",
    "list_commands",
    "list_games",
    "loadsgf",
    "name",
    "outflank-transcript",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_game",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// Opens the file that `loadsgf` names, or says why it cannot be had.
type OpenFile = Box<dyn FnMut(&str) -> Result<Vec<u8>, String> + Send>;

/// The engine's side of GTP.
pub struct GtpEngine {
    strength: Request,
    timed: Request,
    game: Game,
    /// Number of moves before each command that changed the game, for `undo`.
    history: Vec<usize>,
    control: TimeControl,
    /// Japanese overtime: this much for this many moves after the main time.
    overtime: Option<(Duration, u32)>,
    /// Time left of each color, and moves to make in it (0: all).
    left: [Option<(Duration, u32)>; 2],
    /// The answer that waits for the search: the id, and whether the move is played.
    pending: Option<(String, bool)>,
    open_file: Option<OpenFile>,
}

impl fmt::Debug for GtpEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GtpEngine")
            .field("game", &self.game)
            .field("control", &self.control)
            .field("pending", &self.pending)
            .finish_non_exhaustive()
    }
}

type Answer = Result<String, String>;

impl GtpEngine {
    /// Returns an engine that searches by `strength`, and within `timed` and the clock when the controller sets one.
    pub fn new(strength: Request, timed: Request) -> Self {
        Self {
            strength,
            timed,
            game: Game::new(),
            history: Vec::new(),
            control: TimeControl::Unlimited,
            overtime: None,
            left: [None; 2],
            pending: None,
            open_file: None,
        }
    }

    /// Lets `loadsgf` read files through `open`, which gets the name as the controller wrote it; without this no file
    /// can be loaded.
    #[must_use]
    pub fn with_files(mut self, open: impl FnMut(&str) -> Result<Vec<u8>, String> + Send + 'static) -> Self {
        self.open_file = Some(Box::new(open));
        self
    }

    /// Carries out a command that needs no search.
    fn answer(&mut self, command: &str, arguments: &[&str]) -> Answer {
        let first = arguments.first().copied();
        match command {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("Outflank".to_owned()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "known_command" => {
                let known = first.is_some_and(|name| COMMANDS.contains(&&*name.to_ascii_lowercase()));
                Ok(known.to_string())
            }
            "boardsize" => match first {
                Some("8") => {
                    self.clear();
                    Ok(String::new())
                }
                Some(_) => Err("unacceptable size".to_owned()),
                None => Err("expected a board size".to_owned()),
            },
            "clear_board" => {
                self.clear();
                Ok(String::new())
            }
            // There is no komi in Othello, but programs send one to whoever lists the command.
            "komi" => match first.map(str::parse::<f64>) {
                Some(Ok(_)) => Ok(String::new()),
                _ => Err("expected a number".to_owned()),
            },
            "play" => self.play(arguments),
            "loadsgf" => self.load_sgf(arguments),
            "undo" => self.undo(),
            "showboard" => Ok(self.drawing()),
            "list_games" | "gogui-rules_game_id" => Ok("Othello".to_owned()),
            "set_game" if arguments.join(" ").eq_ignore_ascii_case("othello") => Ok(String::new()),
            "set_game" => Err("only Othello".to_owned()),
            "final_score" => self.final_score(),
            "time_settings" => self.time_settings(arguments),
            "time_left" => self.time_left(arguments),
            "gogui-rules_board" => Ok(self.rows()),
            "gogui-rules_board_size" => Ok("8".to_owned()),
            "gogui-rules_legal_moves" => Ok(self.legal_moves()),
            "gogui-rules_side_to_move" => Ok(self.game.position().side().to_string()),
            "gogui-rules_final_result" => Ok(self.final_result()),
            "outflank-transcript" => Ok(self.game.transcript()),
            _ => Err("unknown command".to_owned()),
        }
    }

    fn clear(&mut self) {
        self.game = Game::new();
        self.history.clear();
        self.left = [None; 2];
    }

    fn play(&mut self, arguments: &[&str]) -> Answer {
        let [color, vertex] = arguments else {
            return Err("expected a color and a vertex".to_owned());
        };
        let color = color_of(color)?;
        let mv: Move = vertex
            .parse()
            .map_err(|_| format!("invalid vertex {}", quoted(vertex)))?;
        let before = self.game.moves().len();
        self.turn_to(color)?;
        if let Err(error) = self.game.play(mv) {
            self.back_to(before);
            return Err(format!("illegal move: {}", error.reason));
        }
        self.history.push(before);
        Ok(String::new())
    }

    /// `loadsgf FILE [MOVE]`: the game of a file, up to but without the move of that number.
    fn load_sgf(&mut self, arguments: &[&str]) -> Answer {
        // A name may have blanks in it.
        let (name, before) = match arguments {
            [] => return Err("expected a file name".to_owned()),
            [name @ .., number] if !name.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                (name, number.parse::<usize>().ok())
            }
            name => (name, None),
        };
        let open = self
            .open_file
            .as_mut()
            .ok_or("cannot load file: this program may not open files")?;
        let bytes = open(&name.join(" ")).map_err(|error| format!("cannot load file: {error}"))?;
        let (text, _) = decode(&bytes);
        let record =
            sgf::parse(without_mark(&text).trim()).map_err(|error| format!("cannot load file: {error}"))?;
        let game = record.value.game;
        self.clear();
        self.game = Game::from_position(*game.start());
        let n_moves = before.map_or(usize::MAX, |number| number.max(1) - 1);
        for (index, &mv) in game.moves().iter().take(n_moves).enumerate() {
            self.game.play(mv).map_err(|error| error.to_string())?;
            self.history.push(index);
        }
        Ok(String::new())
    }

    /// Makes it `color`'s turn, by the pass that the rules imply if need be.
    fn turn_to(&mut self, color: Color) -> Result<(), String> {
        let position = self.game.position();
        if position.side() == color {
            return Ok(());
        }
        if position.is_game_over() {
            return Err("illegal move: the game is over".to_owned());
        }
        self.game
            .play(Move::Pass)
            .map_err(|_| format!("illegal move: it is {}'s turn", !color))
    }

    fn back_to(&mut self, moves: usize) {
        while self.game.moves().len() > moves {
            self.game.undo();
        }
    }

    fn undo(&mut self) -> Answer {
        let before = self.history.pop().ok_or("cannot undo")?;
        self.back_to(before);
        Ok(String::new())
    }

    fn final_score(&self) -> Answer {
        let result = self.game.result().ok_or("the game is not over")?;
        Ok(score(result.discs))
    }

    fn final_result(&self) -> String {
        match self.game.result() {
            None => String::new(),
            Some(result) => match result.winner {
                None => "The game is drawn.".to_owned(),
                Some(winner) => {
                    let name = if winner == Color::Black { "Black" } else { "White" };
                    format!("{name} wins with {} discs difference.", result.discs.get().abs())
                }
            },
        }
    }

    /// `A1 B9 … pass`: exactly `pass` for a player who must, nothing when the game is over.
    fn legal_moves(&self) -> String {
        let moves: Vec<String> = self
            .game
            .position()
            .moves()
            .iter()
            .map(|mv| mv.square().map_or_else(|| "pass".to_owned(), vertex))
            .collect();
        moves.join(" ")
    }

    /// The board from row 8 down to row 1: GTP's row 1 is at the bottom.
    fn rows(&self) -> String {
        let row = |row: usize| {
            (0..8)
                .filter_map(|column| Square::from_coordinates(column, row))
                .map(|square| match self.game.position().disc_at(square) {
                    None => ".".to_owned(),
                    Some(color) => color.symbol().to_string(),
                })
                .collect::<Vec<_>>()
                .join(" ")
        };
        (0..8).rev().map(row).collect::<Vec<_>>().join("\n")
    }

    /// The board as Othello players draw it, row 1 at the top.
    fn drawing(&self) -> String {
        let position = self.game.position();
        let mut text = String::from("\n  A B C D E F G H\n");
        for row in 0..8 {
            write!(text, "{}", row + 1).expect("a string takes every text");
            for square in (0..8).filter_map(|column| Square::from_coordinates(column, row)) {
                text.push(' ');
                text.push(position.disc_at(square).map_or('.', Color::symbol));
            }
            text.push('\n');
        }
        let (black, white) = (
            position.discs(Color::Black).count(),
            position.discs(Color::White).count(),
        );
        let turn = if position.is_game_over() {
            "game over".to_owned()
        } else {
            format!("{} to move", position.side())
        };
        write!(text, "X {black}, O {white}, {turn}").expect("a string takes every text");
        text
    }

    /// `time_settings MAIN BYO_TIME BYO_STONES`, in the dialects that are in use: `0 1 0` and `0 0 0` set no limit; a
    /// byo-yomi for 0 stones is time added to every move (after a main time) or the time of a move (without one).
    fn time_settings(&mut self, arguments: &[&str]) -> Answer {
        let numbers: Option<Vec<f64>> = arguments.iter().map(|text| text.parse().ok()).collect();
        let Some([main, byo, stones]) = numbers.as_deref() else {
            return Err("expected three numbers".to_owned());
        };
        if [main, byo, stones]
            .iter()
            .any(|number| !(0.0..1e9).contains(*number))
        {
            return Err("expected numbers that are not negative".to_owned());
        }
        let [main, byo] = [*main, *byo].map(Duration::from_secs_f64);
        let stones = *stones as u32;
        self.left = [None; 2];
        self.overtime = None;
        self.control = match (main.is_zero(), byo.is_zero(), stones) {
            (true, true, _) => TimeControl::Unlimited,
            (true, false, 0) if byo <= Duration::from_secs(1) => TimeControl::Unlimited,
            (true, false, stones) => TimeControl::PerMove(byo / stones.max(1)),
            (false, _, 0) => TimeControl::Clock { main, increment: byo },
            (false, _, _) => {
                self.overtime = Some((byo, stones)).filter(|_| !byo.is_zero());
                TimeControl::Clock {
                    main,
                    increment: Duration::ZERO,
                }
            }
        };
        if let TimeControl::Clock { main, .. } = self.control {
            self.left = [Some((main, 0)); 2];
        }
        Ok(String::new())
    }

    fn time_left(&mut self, arguments: &[&str]) -> Answer {
        let [color, seconds, stones] = arguments else {
            return Err("expected a color, a time and a number of stones".to_owned());
        };
        let color = color_of(color)?;
        let (Ok(seconds), Ok(stones)) = (seconds.parse::<f64>(), stones.parse::<u32>()) else {
            return Err("expected numbers".to_owned());
        };
        if !seconds.is_finite() {
            return Err("expected a finite time".to_owned());
        }
        // A clock below zero has fallen already: what remains is to move at once.
        let left = Duration::from_secs_f64(seconds.clamp(0.0, 1e9));
        self.left[color as usize] = Some((left, stones));
        Ok(String::new())
    }

    /// The request for a move of `color`: by the clock if there is one, by the strength if not.
    fn request(&self, color: Color) -> Request {
        let mut request = self.timed.clone();
        let increment = match self.control {
            TimeControl::Unlimited => return self.strength.clone(),
            TimeControl::PerMove(time) => {
                request.limits.time = Some(time);
                return request;
            }
            TimeControl::Clock { increment, .. } => increment,
        };
        match self.left[color as usize] {
            // In overtime: the rest of the period, shared by its moves.
            Some((left, stones @ 1..)) => request.limits.time = Some(left / stones),
            Some((left, _)) => match self.overtime {
                Some((period, stones)) if left < period => request.limits.time = Some(period / stones.max(1)),
                _ => {
                    request.limits.clock = Some(GameClock {
                        remaining: left,
                        increment,
                    });
                }
            },
            None => {}
        }
        request
    }

    fn genmove(&mut self, id: &str, play: bool, arguments: &[&str], out: &mut Vec<Action>) {
        let prepared = match arguments {
            [color] => color_of(color).and_then(|color| self.prepare(color, play)),
            _ => Err("expected a color".to_owned()),
        };
        match prepared {
            // Nothing to think about: a forced pass, or no move at all.
            Ok(None) => reply(id, &Ok("pass".to_owned()), out),
            Ok(Some(task)) => {
                self.pending = Some((id.to_owned(), play));
                out.push(Action::Search(Box::new(task)));
            }
            Err(message) => reply(id, &Err(message), out),
        }
    }

    /// Returns the search for a move of `color`; `None` if the answer is a pass (which is then played, if `play`).
    fn prepare(&mut self, color: Color, play: bool) -> Result<Option<Request>, String> {
        let mut position = *self.game.position();
        if position.is_game_over() {
            return Ok(None);
        }
        if position.side() != color {
            position
                .play(Move::Pass)
                .map_err(|_| format!("it is {}'s turn", !color))?;
        } else if position.board().must_pass() {
            if play {
                self.history.push(self.game.moves().len());
                self.game.play(Move::Pass).map_err(|error| error.to_string())?;
            }
            return Ok(None);
        }
        Ok(Some(self.request(color).at(position)))
    }
}

fn color_of(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err(format!("invalid color {}", quoted(text))),
    }
}

fn vertex(square: Square) -> String {
    square.to_string().to_uppercase()
}

/// `B+12`, `W+4`, `0`: the winner takes the empties.
fn score(discs: Discs) -> String {
    match discs.get() {
        0 => "0".to_owned(),
        margin @ 1.. => format!("B+{margin}"),
        margin => format!("W+{}", -margin),
    }
}

fn reply(id: &str, answer: &Answer, out: &mut Vec<Action>) {
    let (mark, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let space = if text.is_empty() || text.starts_with('\n') {
        ""
    } else {
        " "
    };
    // The empty line ends the answer.
    out.push(Action::Write(format!("{mark}{id}{space}{text}\n")));
}

/// Removes comments and control characters; returns the id (perhaps empty) and the words.
fn split(line: &str) -> (String, Vec<String>) {
    let clean: String = line
        .split('#')
        .next()
        .unwrap_or_default()
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .collect();
    let mut words = clean.split_whitespace().map(str::to_owned).peekable();
    let is_id = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let id = words.next_if(is_id).unwrap_or_default();
    let mut words: Vec<String> = words.collect();
    // GTP's commands are in lower case; nothing is gained by refusing them in capitals.
    if let Some(command) = words.first_mut() {
        command.make_ascii_lowercase();
    }
    (id, words)
}

impl Dialogue for GtpEngine {
    fn urgency(&self, _line: &str) -> Urgency {
        Urgency::Wait
    }

    fn execute(&mut self, line: &str, out: &mut Vec<Action>) {
        let (id, words) = split(line);
        let Some((command, arguments)) = words.split_first() else {
            // A blank line, or nothing but a comment, is no command. A lone number is one without a name.
            if !id.is_empty() {
                reply(&id, &Err("unknown command".to_owned()), out);
            }
            return;
        };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        match command.as_str() {
            "genmove" => self.genmove(&id, true, &arguments, out),
            "reg_genmove" => self.genmove(&id, false, &arguments, out),
            "quit" => {
                reply(&id, &Ok(String::new()), out);
                out.push(Action::Quit);
            }
            command => {
                let answer = self.answer(command, &arguments);
                if matches!(command, "clear_board" | "boardsize" | "loadsgf") && answer.is_ok() {
                    out.push(Action::Forget);
                }
                reply(&id, &answer, out);
            }
        }
    }

    fn progress(&mut self, _news: &Progress, _out: &mut Vec<Action>) {}

    fn finished(&mut self, outcome: &Outcome, out: &mut Vec<Action>) {
        let Some((id, play)) = self.pending.take() else {
            return;
        };
        let Some(mv) = outcome.best_move() else {
            reply(&id, &Ok("pass".to_owned()), out);
            return;
        };
        if play {
            let before = self.game.moves().len();
            // The search was for the position after an implied pass, if there was one.
            if let Err(error) = text::play(&mut self.game, mv) {
                reply(&id, &Err(format!("internal error: {error}")), out);
                return;
            }
            self.history.push(before);
        }
        let text = mv.square().map_or_else(|| "pass".to_owned(), vertex);
        reply(&id, &Ok(text), out);
    }

    fn is_quit(&self, line: &str) -> bool {
        split(line).1.first().is_some_and(|command| command == "quit")
    }
}
