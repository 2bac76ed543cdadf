//! The GTP dialogue from the engine's side, with the `GoGui` rules extension.
//!
//! Commands are carried out strictly one after the other, as GTP wants it.
//! Forced passes may be sent or left out, by `play` and by `genmove`; whatever comes, a color is only accepted out of
//! turn where the other one has to pass.
//! Black is the player who begins.

use super::{GtpGame, clock::GtpClock};
use crate::{
    Action, Dialogue, DialogueBook, DialogueOutcome, DialogueProgress, Options, Setting, Urgency,
    options::{OPTIONS, OptionSpec},
    text::quoted,
};
use outflank_game::{GameState, Player};
use outflank_search::Request;
use std::{fmt, marker::PhantomData, time::Duration};

/// Every command, as `list_commands` returns them.
const COMMANDS: [&str; 32] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "gogui-analyze_commands",
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
    "outflank-book_load",
    "outflank-book_moves",
    "outflank-book_value",
    "outflank-param",
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

/// Commands that only a game with a board has.
const BOARD_COMMANDS: [&str; 3] = ["boardsize", "gogui-rules_board", "gogui-rules_board_size"];

/// Commands that only a game with opening books has.
const BOOK_COMMANDS: [&str; 3] = ["outflank-book_load", "outflank-book_moves", "outflank-book_value"];

/// What `GoGui` offers in its menus: a kind, a name, and the command.
const MENU: [(&str, &str, &str); 4] = [
    ("string", "Book moves", "outflank-book_moves"),
    ("string", "Book value", "outflank-book_value"),
    ("none", "Load a book", "outflank-book_load %r"),
    ("string", "Moves so far", "outflank-transcript"),
];

/// Opens the file that `loadsgf` names, or says why it cannot be had.
type OpenFile = Box<dyn FnMut(&str) -> Result<Vec<u8>, String> + Send>;

/// The engine's side of GTP, for any engine of a game and its values.
pub struct GtpEngine<G: GtpGame, V> {
    /// How to search without a limit of time; its position is where games start.
    strength: Request<G>,
    timed: Request<G>,
    /// Where the game stands.
    position: G,
    /// The moves so far, each with the position before it.
    moves: Vec<(G, G::Move)>,
    /// Number of moves before each command that changed the game, for `undo`.
    history: Vec<usize>,
    clock: GtpClock,
    /// The answer that waits for the search.
    pending: Option<Pending>,
    open_file: Option<OpenFile>,
    book: DialogueBook,
    options: Options,
    value: PhantomData<fn(V)>,
}

/// An answer that waits for a search.
#[derive(Clone, Debug)]
struct Pending {
    /// The id of the command.
    id: String,
    player: Player,
    /// Whether the move is played.
    play: bool,
}

impl<G: GtpGame, V> fmt::Debug for GtpEngine<G, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GtpEngine")
            .field("position", &self.position)
            .field("clock", &self.clock)
            .field("pending", &self.pending)
            .finish_non_exhaustive()
    }
}

type Answer = Result<String, String>;

impl<G: GtpGame, V> GtpEngine<G, V> {
    /// Returns an engine that searches by `strength`, and within `timed` and the clock when the controller sets one.
    ///
    /// Games start in the position of `strength`.
    pub fn new(strength: Request<G>, timed: Request<G>) -> Self {
        Self {
            position: strength.position.clone(),
            strength,
            timed,
            moves: Vec::new(),
            history: Vec::new(),
            clock: GtpClock::default(),
            pending: None,
            open_file: None,
            book: DialogueBook::default(),
            options: Options::default(),
            value: PhantomData,
        }
    }

    /// Sets what is said of the options before anything is set.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Lets `loadsgf` read files through `open`, which gets the name as the controller wrote it; without this no file
    /// can be loaded.
    #[must_use]
    pub fn with_files(mut self, open: impl FnMut(&str) -> Result<Vec<u8>, String> + Send + 'static) -> Self {
        self.open_file = Some(Box::new(open));
        self
    }

    /// Answers questions about a book, and lets the controller load another.
    #[must_use]
    pub fn with_book(mut self, book: DialogueBook) -> Self {
        self.book = book;
        self
    }

    fn knows(command: &str) -> bool {
        COMMANDS.contains(&command)
            && (G::SIZE.is_some() || !BOARD_COMMANDS.contains(&command))
            && (G::HAS_BOOKS || !BOOK_COMMANDS.contains(&command))
    }

    /// `outflank-book_moves`: a line for each move that the book has, the best first.
    fn book_moves(&self) -> String {
        let lines = self.position.book_lines(&self.book);
        let lines: Vec<String> = lines
            .into_iter()
            .map(|(mv, said)| format!("{} {said}", self.position.write_move(mv)))
            .collect();
        lines.join("\n")
    }

    /// `outflank-book_value`: what the position is worth to the player to move.
    fn book_value(&self) -> Answer {
        let mut lines = self.position.book_lines(&self.book).into_iter();
        lines
            .next()
            .map(|(_, said)| said)
            .ok_or_else(|| "not in the book".to_owned())
    }

    fn menu() -> String {
        let lines = MENU.iter().filter(|(_, _, command)| {
            let name = command.split(' ').next().unwrap_or_default();
            Self::knows(name)
        });
        let lines: Vec<String> = lines
            .map(|(kind, name, command)| format!("{kind}/{name}/{command}"))
            .collect();
        lines.join("\n")
    }

    /// Carries out a command that needs no search.
    fn answer(&mut self, command: &str, arguments: &[&str]) -> Answer {
        if !Self::knows(command) {
            return Err("unknown command".to_owned());
        }
        let first = arguments.first().copied();
        match command {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("Outflank".to_owned()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "list_commands" => {
                let known = COMMANDS.into_iter().filter(|command| Self::knows(command));
                Ok(known.collect::<Vec<_>>().join("\n"))
            }
            "known_command" => {
                let known = first.is_some_and(|name| Self::knows(&name.to_ascii_lowercase()));
                Ok(known.to_string())
            }
            "boardsize" => match first {
                Some(size) if size.parse().ok() == G::SIZE => {
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
            // Games without one get a komi too: programs send it to whoever lists the command.
            "komi" => match first.map(str::parse::<f64>) {
                Some(Ok(_)) => Ok(String::new()),
                _ => Err("expected a number".to_owned()),
            },
            "play" => self.play(arguments),
            "loadsgf" => self.load_sgf(arguments),
            "undo" => self.undo(),
            "showboard" => Ok(self.position.drawing()),
            "list_games" | "gogui-rules_game_id" => Ok(G::NAME.to_owned()),
            "set_game" if arguments.join(" ").eq_ignore_ascii_case(G::NAME) => Ok(String::new()),
            "set_game" => Err(format!("only {}", G::NAME)),
            "final_score" => self.final_score(),
            "time_settings" => self.clock.settings(arguments).map(|()| String::new()),
            "time_left" => match arguments {
                [color, seconds, stones] => {
                    let player = player_of(color)?;
                    let set = self.clock.set_left(player as usize, seconds, stones);
                    set.map(|()| String::new())
                }
                _ => Err("expected a color, a time and a number of stones".to_owned()),
            },
            "gogui-rules_board" => Ok(self.position.rows().unwrap_or_default()),
            "gogui-rules_board_size" => Ok(G::SIZE.unwrap_or_default().to_string()),
            "gogui-rules_legal_moves" => Ok(self.legal_moves()),
            "gogui-rules_side_to_move" => Ok(color(self.position.player()).to_ascii_lowercase()),
            "gogui-rules_final_result" => Ok(self.final_result()),
            "outflank-transcript" => Ok(self.transcript()),
            "outflank-book_moves" => Ok(self.book_moves()),
            "outflank-book_value" => self.book_value(),
            "outflank-book_load" => self.book.load(&arguments.join(" ")).map(|()| String::new()),
            "gogui-analyze_commands" => Ok(Self::menu()),
            _ => Err("unknown command".to_owned()),
        }
    }

    fn clear(&mut self) {
        self.start_from(self.strength.position.clone());
        self.clock.restart();
    }

    fn start_from(&mut self, position: G) {
        self.position = position;
        self.moves.clear();
        self.history.clear();
    }

    /// Plays a move that is legal.
    fn push(&mut self, mv: G::Move) {
        self.moves.push((self.position.clone(), mv));
        self.position.play(mv);
    }

    fn play(&mut self, arguments: &[&str]) -> Answer {
        let [color, vertex] = arguments else {
            return Err("expected a color and a vertex".to_owned());
        };
        let player = player_of(color)?;
        let mv = self
            .position
            .read_move(vertex)
            .ok_or_else(|| format!("invalid vertex {}", quoted(vertex)))?;
        let before = self.moves.len();
        self.turn_to(player)?;
        if !self.position.is_legal(mv) {
            let reason = self.position.why_illegal(mv);
            self.back_to(before);
            return Err(format!("illegal move: {reason}"));
        }
        self.push(mv);
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
        let read = open(&name.join(" ")).and_then(|bytes| G::read_sgf(&bytes));
        let (start, moves) = read.map_err(|error| format!("cannot load file: {error}"))?;
        self.start_from(start);
        self.clock.restart();
        let n_moves = before.map_or(usize::MAX, |number| number.max(1) - 1);
        for (index, &mv) in moves.iter().take(n_moves).enumerate() {
            self.push(mv);
            self.history.push(index);
        }
        Ok(String::new())
    }

    /// Makes it `player`'s turn, by the pass that the rules imply if need be.
    fn turn_to(&mut self, player: Player) -> Result<(), String> {
        if self.position.player() == player {
            return Ok(());
        }
        if self.position.outcome().is_some() {
            return Err("illegal move: the game is over".to_owned());
        }
        let pass = forced_pass(&self.position).ok_or_else(|| {
            format!(
                "illegal move: it is {}'s turn",
                color(!player).to_ascii_lowercase()
            )
        })?;
        self.push(pass);
        Ok(())
    }

    fn back_to(&mut self, moves: usize) {
        while self.moves.len() > moves
            && let Some((position, _)) = self.moves.pop()
        {
            self.position = position;
        }
    }

    fn undo(&mut self) -> Answer {
        let before = self.history.pop().ok_or("cannot undo")?;
        self.back_to(before);
        Ok(String::new())
    }

    /// The first player's margin, if the game is over.
    fn margin(&self) -> Option<i32> {
        let outcome = self.position.outcome()?;
        Some(match self.position.player() {
            Player::First => outcome.margin,
            Player::Second => -outcome.margin,
        })
    }

    /// `B+12`, `W+4`, `0`.
    fn final_score(&self) -> Answer {
        Ok(match self.margin().ok_or("the game is not over")? {
            0 => "0".to_owned(),
            margin @ 1.. => format!("B+{margin}"),
            margin => format!("W+{}", margin.unsigned_abs()),
        })
    }

    fn final_result(&self) -> String {
        let Some(margin) = self.margin() else {
            return String::new();
        };
        let winner = match margin {
            0 => return "The game is drawn.".to_owned(),
            1.. => Player::First,
            _ => Player::Second,
        };
        let by = G::UNIT.map(|unit| format!(" with {} {unit} difference", margin.unsigned_abs()));
        format!("{} wins{}.", color(winner), by.unwrap_or_default())
    }

    /// `A1 B9 … pass`: exactly `pass` for a player who must, nothing when the game is over.
    fn legal_moves(&self) -> String {
        let moves = self.position.legal_moves();
        let names: Vec<String> = moves.into_iter().map(|mv| self.position.write_move(mv)).collect();
        names.join(" ")
    }

    /// The moves without passes, in one word where they have two letters each.
    fn transcript(&self) -> String {
        let names: Vec<String> = self
            .moves
            .iter()
            .filter(|(before, mv)| !before.is_pass(*mv))
            .map(|(_, mv)| mv.to_string())
            .collect();
        let pairs = names.iter().all(|name| name.len() == 2);
        names.join(if pairs { "" } else { " " })
    }

    /// `outflank-param` lists what can be set, as `GoGui` shows it; `outflank-param NAME VALUE` sets it.
    fn parameter(&mut self, arguments: &[&str], out: &mut Vec<Action<G>>) -> Answer {
        match arguments {
            [] => {
                let line = |option: &OptionSpec| {
                    format!(
                        "[string] {} {}",
                        option.name.replace(' ', "_"),
                        (option.of)(&self.options)
                    )
                };
                Ok(OPTIONS.iter().map(line).collect::<Vec<_>>().join("\n"))
            }
            [_] => Err("expected a name and a value".to_owned()),
            [name @ .., value] => {
                let setting = Setting::parse(&name.join(" "), value).map_err(|error| error.to_string())?;
                self.options.set(setting);
                out.push(Action::Configure(setting));
                Ok(String::new())
            }
        }
    }

    fn genmove(&mut self, id: &str, play: bool, arguments: &[&str], out: &mut Vec<Action<G>>) {
        let prepared = match arguments {
            [color] => player_of(color).and_then(|player| Ok((player, self.prepare(player, play)?))),
            _ => Err("expected a color".to_owned()),
        };
        match prepared {
            // Nothing to think about: a forced pass, or no move at all.
            Ok((_, None)) => reply(id, &Ok("pass".to_owned()), out),
            Ok((player, Some(request))) => {
                let id = id.to_owned();
                self.pending = Some(Pending { id, player, play });
                out.push(Action::Search(Box::new(request)));
            }
            Err(message) => reply(id, &Err(message), out),
        }
    }

    /// Returns the search for a move of `player`; `None` if the answer is a pass (which is then played, if `play`).
    fn prepare(&mut self, player: Player, play: bool) -> Result<Option<Request<G>>, String> {
        let mut position = self.position.clone();
        if position.outcome().is_some() {
            return Ok(None);
        }
        match (forced_pass(&position), position.player() == player) {
            (Some(pass), true) => {
                if play {
                    self.history.push(self.moves.len());
                    self.push(pass);
                }
                return Ok(None);
            }
            (Some(pass), false) => {
                position.play(pass);
            }
            (None, true) => {}
            (None, false) => {
                return Err(format!("it is {}'s turn", color(!player).to_ascii_lowercase()));
            }
        }
        let mut request = if self.clock.is_limited() {
            self.timed.at(position)
        } else {
            self.strength.at(position)
        };
        self.clock.limit(player as usize, &mut request.limits);
        Ok(Some(request))
    }
}

/// Returns the pass if there is no other move.
fn forced_pass<G: GameState>(position: &G) -> Option<G::Move> {
    match position.legal_moves()[..] {
        [mv] if position.is_pass(mv) => Some(mv),
        _ => None,
    }
}

fn player_of(text: &str) -> Result<Player, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Player::First),
        "w" | "white" => Ok(Player::Second),
        _ => Err(format!("invalid color {}", quoted(text))),
    }
}

const fn color(player: Player) -> &'static str {
    match player {
        Player::First => "Black",
        Player::Second => "White",
    }
}

fn reply<G: GameState>(id: &str, answer: &Answer, out: &mut Vec<Action<G>>) {
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

impl<G: GtpGame, V> Dialogue for GtpEngine<G, V> {
    type Game = G;
    type Value = V;

    fn urgency(&self, _line: &str) -> Urgency {
        Urgency::Wait
    }

    fn execute(&mut self, line: &str, out: &mut Vec<Action<G>>) {
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
            "outflank-param" => {
                let answer = self.parameter(&arguments, out);
                reply(&id, &answer, out);
            }
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

    fn progress(&mut self, _news: &DialogueProgress<Self>, _out: &mut Vec<Action<G>>) {}

    fn finished(&mut self, outcome: &DialogueOutcome<Self>, spent: Duration, out: &mut Vec<Action<G>>) {
        let Some(Pending { id, player, play }) = self.pending.take() else {
            return;
        };
        let Some(mv) = outcome.best_move() else {
            reply(&id, &Ok("pass".to_owned()), out);
            return;
        };
        let name = self.position.write_move(mv);
        if play {
            self.clock.moved(player as usize, spent);
            let before = self.moves.len();
            // The search was for the position after an implied pass, if there was one.
            if self.turn_to(player).is_err() || !self.position.is_legal(mv) {
                self.back_to(before);
                reply(&id, &Err(format!("internal error: {name} is not legal")), out);
                return;
            }
            self.push(mv);
            self.history.push(before);
        }
        reply(&id, &Ok(name), out);
    }

    fn is_quit(&self, line: &str) -> bool {
        split(line).1.first().is_some_and(|command| command == "quit")
    }
}
