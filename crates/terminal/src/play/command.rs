//! The words of a game at the terminal: what is typed, as a command.

use crate::input::{parse_level, parse_seconds};
use outflank_records::text::fold;
use outflank_search::Level;
use outflank_study::play::Seat;
use std::time::Duration;

/// Which colors people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seats {
    /// You are black.
    Black,
    /// You are white.
    White,
    /// Two people play.
    Both,
    /// The engine plays itself.
    None,
}

impl Seats {
    /// All of them, in the order in which a key steps through them.
    pub const ALL: [Self; 4] = [Self::Black, Self::White, Self::Both, Self::None];

    /// Returns the word for these seats.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
            Self::Both => "both",
            Self::None => "none",
        }
    }

    /// Returns the seats of this name, in whatever case.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|seats| seats.name().eq_ignore_ascii_case(name))
    }

    /// Returns who plays black and who plays white.
    pub const fn seats(self) -> [Seat; 2] {
        match self {
            Self::Black => [Seat::Person, Seat::Engine],
            Self::White => [Seat::Engine, Seat::Person],
            Self::Both => [Seat::Person, Seat::Person],
            Self::None => [Seat::Engine, Seat::Engine],
        }
    }

    /// Returns the next one after these seats.
    pub(super) fn after(seats: [Seat; 2]) -> Self {
        let at = Self::ALL.iter().position(|choice| choice.seats() == seats);
        Self::ALL[at.map_or(0, |at| (at + 1) % Self::ALL.len())]
    }
}

/// What somebody at the table wants, in a game with places of type `P`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command<P> {
    /// Place a disc or a stone.
    Place(P),
    /// Pass, or take note of the other side's pass.
    Pass,
    /// Value this many of the best moves.
    Hint(usize),
    Undo,
    Redo,
    /// Go to the position after this many moves; beyond the last one, to the end.
    Goto(usize),
    /// Let the engine make this move.
    Go,
    /// The engine shall move at once.
    Stop,
    Level(Level),
    /// Time for the engine's moves; `None` goes back to the level.
    Time(Option<Duration>),
    Color(Seats),
    New,
    /// Load number so much of a file, or notation.
    Load(String, usize),
    Save {
        path: String,
        overwrite: bool,
    },
    Board,
    Moves,
    Graph,
    Help,
    Quit,
}

/// Moves that a hint shows if nothing else is said.
pub(super) const HINT_LINES: usize = 3;

/// Reads a command; `None` for an empty line or a comment. `place` reads what is no other word.
///
/// # Errors
///
/// Says what was expected.
pub(super) fn parse<P>(
    text: &str,
    place: impl Fn(&str) -> Result<P, String>,
) -> Result<Option<Command<P>>, String> {
    let text = text.trim().trim_start_matches('\u{feff}');
    // A name of a file keeps its letters; what an input method for Japanese gives is a square all the same.
    let (first, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    let text = first.chars().map(fold).collect::<String>() + rest;
    let text = text.as_str();
    let (word, rest) = text
        .split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim()));
    let lower = word.to_lowercase();
    let no_more = |command: Command<P>| match rest {
        "" => Ok(Some(command)),
        _ => Err(format!("{lower:?} takes nothing after it, but there is {rest:?}")),
    };
    let need = |what: &str| match rest {
        "" => Err(format!("{lower} needs {what}")),
        _ => Ok(rest),
    };
    match lower.as_str() {
        "" => Ok(None),
        _ if text.starts_with('#') => Ok(None),
        "pass" | "pa" | "--" => no_more(Command::Pass),
        "hint" | "h" => match rest {
            "" => Ok(Some(Command::Hint(HINT_LINES))),
            "all" => Ok(Some(Command::Hint(usize::MAX))),
            number => match number.chars().map(fold).collect::<String>().parse() {
                Ok(lines @ 1..) => Ok(Some(Command::Hint(lines))),
                _ => Err(format!("hint takes a number of moves or \"all\", not {number:?}")),
            },
        },
        "undo" | "u" => no_more(Command::Undo),
        "redo" | "r" => no_more(Command::Redo),
        "goto" => match need("the number of a move, start or end")? {
            "start" => Ok(Some(Command::Goto(0))),
            "end" => Ok(Some(Command::Goto(usize::MAX))),
            number => match number.chars().map(fold).collect::<String>().parse() {
                Ok(moves) => Ok(Some(Command::Goto(moves))),
                Err(_) => Err(format!(
                    "goto takes the number of a move, start or end, not {number:?}"
                )),
            },
        },
        "go" => no_more(Command::Go),
        "stop" => no_more(Command::Stop),
        "level" => {
            let number = need("a number from 1 to 60, or human-1 to human-8")?;
            parse_level(number).map(|level| Some(Command::Level(level)))
        }
        "time" => match need("seconds, or \"off\"")? {
            "off" => Ok(Some(Command::Time(None))),
            seconds => parse_seconds(seconds).map(|time| Some(Command::Time(Some(time)))),
        },
        "color" | "colour" => {
            let name = need("black, white, both or none")?;
            match Seats::of(name) {
                Some(seats) => Ok(Some(Command::Color(seats))),
                None => Err(format!("color takes black, white, both or none, not {name:?}")),
            }
        }
        "new" => no_more(Command::New),
        "load" | "open" => {
            let what = need("a file or notation")?;
            Ok(Some(
                match what.rsplit_once(' ').map(|(head, tail)| (head, tail.parse())) {
                    Some((head, Ok(number @ 1..))) => Command::Load(head.trim().to_owned(), number),
                    _ => Command::Load(what.to_owned(), 1),
                },
            ))
        }
        "save" | "save!" => Ok(Some(Command::Save {
            path: need("the name of a file")?.to_owned(),
            overwrite: lower == "save!",
        })),
        "board" | "show" => no_more(Command::Board),
        "moves" => no_more(Command::Moves),
        "graph" => no_more(Command::Graph),
        "help" | "?" => no_more(Command::Help),
        "quit" | "exit" | "q" => no_more(Command::Quit),
        _ => no_more(Command::Place(place(word)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_othello::Square;

    fn parse(text: &str) -> Result<Option<Command<Square>>, String> {
        super::parse(text, |word| {
            word.parse().map_err(|_| format!("{word:?} is no square"))
        })
    }

    #[test]
    fn what_is_typed_is_understood() {
        let load = |what: &str, number| Command::Load(what.to_owned(), number);
        for (text, command) in [
            ("f5", Command::Place(Square::F5)),
            ("  F5 ", Command::Place(Square::F5)),
            ("Ｆ５", Command::Place(Square::F5)),
            ("ｆ５ ", Command::Place(Square::F5)),
            ("ｈｉｎｔ ２", Command::Hint(2)),
            ("\u{feff}f5", Command::Place(Square::F5)),
            ("goto 10", Command::Goto(10)),
            ("goto １０", Command::Goto(10)),
            ("goto start", Command::Goto(0)),
            ("goto end", Command::Goto(usize::MAX)),
            ("PASS", Command::Pass),
            ("hint", Command::Hint(3)),
            ("hint all", Command::Hint(usize::MAX)),
            ("h 5", Command::Hint(5)),
            ("u", Command::Undo),
            ("redo", Command::Redo),
            ("level club", Command::Level(Level::human(5).expect("a level"))),
            ("level 12", Command::Level(Level::new(12).expect("a level"))),
            ("time 1.5", Command::Time(Some(Duration::from_millis(1500)))),
            ("time off", Command::Time(None)),
            ("color White", Command::Color(Seats::White)),
            ("color both", Command::Color(Seats::Both)),
            ("load games.ggf 12", load("games.ggf", 12)),
            ("load my games.ggf", load("my games.ggf", 1)),
            ("load 1. f5 d6 2. c3", load("1. f5 d6 2. c3", 1)),
            (
                "save! a b.ggf",
                Command::Save {
                    path: "a b.ggf".to_owned(),
                    overwrite: true,
                },
            ),
            ("?", Command::Help),
            ("q", Command::Quit),
        ] {
            assert_eq!(parse(text), Ok(Some(command)), "{text}");
        }
        for text in ["", "   ", "# nothing", "\t"] {
            assert_eq!(parse(text), Ok(None), "{text:?}");
        }
        for text in [
            "f9",
            "level",
            "level 61",
            "level x",
            "time 0",
            "color red",
            "hint 0",
            "hint x",
            "undo 3",
            "goto",
            "goto -1",
            "goto x",
            "save",
            "load",
            "f5 d6",
            "f5d6",
            "é",
            "\u{0}",
            "ｆ５ｆ５",
        ] {
            let error = parse(text).expect_err(text);
            assert!(!error.is_empty() && error.len() < 120, "{error}");
        }
    }
}
