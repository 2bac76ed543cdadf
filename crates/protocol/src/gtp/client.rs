//! The GTP dialogue from the side of a match runner.
//!
//! One command is sent at a time, without ids: some programs confuse them.
//! A game is set up by `clear_board` and its moves; what the program already knows is not sent again.
//! Forced passes are sent as `play COLOR pass`; a program that refuses a pass has counted it itself, so that a refusal
//! is not an error.
//! Whether a setting of time, the name or the version is understood does not matter either; all else must be.

use crate::{Answer, Client, ClientError, ClientEvent, TimeControl, TurnClock, client::Strays};
use outflank_othello::{Color, Game, Move, Position};
use std::collections::VecDeque;

/// Lines outside of any answer after which a program counts as talking nonsense.
const MAX_STRAY_LINES: u32 = 100;
/// Lines of one answer after which a program counts as talking nonsense.
const MAX_ANSWER_LINES: usize = 10_000;

/// The client side of GTP.
#[derive(Debug, Default)]
pub struct GtpClient {
    greeted: bool,
    queue: VecDeque<Command>,
    waiting: Option<Waiting>,
    /// What `list_commands` returned; `None` before, empty if the program does not say.
    commands: Vec<String>,
    name: Option<String>,
    /// The moves the program has been told or has made itself; `None` before the first game.
    known: Option<Vec<Move>>,
    control: TimeControl,
    strays: Strays,
    quitting: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Command {
    /// Sent if the program lists the command; a refusal does not matter.
    IfKnown(&'static str, String),
    /// Always sent; a refusal does not matter.
    Optional(String),
    /// Must be understood.
    Must(String),
    Name,
    ListCommands,
    Genmove(Color),
}

impl Command {
    fn text(&self) -> String {
        match self {
            Self::IfKnown(name, arguments) if arguments.is_empty() => (*name).to_owned(),
            Self::IfKnown(name, arguments) => format!("{name} {arguments}"),
            Self::Optional(text) | Self::Must(text) => text.clone(),
            Self::Name => "name".to_owned(),
            Self::ListCommands => "list_commands".to_owned(),
            Self::Genmove(color) => format!("genmove {}", letter(*color)),
        }
    }
}

#[derive(Debug)]
struct Waiting {
    command: Command,
    /// Whether the command succeeded, and the lines of the answer so far; `None` before its first line.
    answer: Option<(bool, Vec<String>)>,
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

impl GtpClient {
    /// Returns a client that has not said anything yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, command: Command) {
        self.queue.push_back(command);
    }

    /// Queues what brings the program to the end of `game`.
    fn synchronize(&mut self, game: &Game) -> Result<(), ClientError> {
        if *game.start() != Position::start() {
            return Err(ClientError::StartPosition);
        }
        let known = match self.known.take() {
            Some(known) if game.moves().starts_with(&known) => known.len(),
            _ => {
                self.push(Command::Must("clear_board".to_owned()));
                0
            }
        };
        let mut color = if known.is_multiple_of(2) {
            Color::Black
        } else {
            Color::White
        };
        for &mv in &game.moves()[known..] {
            let text = format!("play {} {mv}", letter(color));
            self.push(if mv == Move::Pass {
                Command::Optional(text)
            } else {
                Command::Must(text)
            });
            color = !color;
        }
        self.known = Some(game.moves().to_vec());
        Ok(())
    }

    fn answered(
        &mut self,
        command: &Command,
        ok: bool,
        lines: &[String],
        game: &Game,
    ) -> Result<Option<ClientEvent>, ClientError> {
        let text = lines.first().map_or("", |line| line.trim());
        match command {
            Command::Name if ok && !text.is_empty() => self.name = Some(text.to_owned()),
            Command::ListCommands if ok => {
                self.commands = lines.iter().map(|l| l.trim().to_owned()).collect();
                self.check_time()?;
            }
            Command::Must(_) | Command::Genmove(_) if !ok => {
                return Err(ClientError::Refused {
                    command: command.text(),
                    message: lines.join(" "),
                });
            }
            Command::Genmove(_) if text.eq_ignore_ascii_case("resign") => {
                return Ok(Some(ClientEvent::Resigned));
            }
            Command::Genmove(_) => {
                let answer = Answer::new(text);
                // The program has played the move on its own board. An illegal one cannot be taken back for sure:
                // the next request starts from an empty board.
                self.known = match (answer.mv, self.known.take()) {
                    (Some(mv), Some(mut known)) if game.position().board().is_legal(mv) => {
                        known.push(mv);
                        Some(known)
                    }
                    _ => None,
                };
                return Ok(Some(ClientEvent::Move(answer)));
            }
            _ => {}
        }
        self.drop_unknown();
        Ok((self.queue.is_empty() && !self.quitting).then_some(ClientEvent::Ready))
    }

    /// Refuses a time that the program would misunderstand; one that hears of no time has a limit of its own.
    fn check_time(&self) -> Result<(), ClientError> {
        let hears = self.commands.iter().any(|known| known == "time_settings");
        match time_settings(&self.control) {
            Err(error) if hears => Err(error),
            _ => Ok(()),
        }
    }

    /// Drops what the program does not know from the front of the queue.
    fn drop_unknown(&mut self) {
        while let Some(Command::IfKnown(name, _)) = self.queue.front()
            && !self.commands.iter().any(|known| known == name)
        {
            self.queue.pop_front();
        }
    }
}

/// The arguments of `time_settings`, which counts whole seconds.
///
/// # Errors
///
/// [`ClientError::Time`] for what whole seconds cannot say: a time for each move with a fraction of a second (the program
/// would use what it has not got), or a clock of less than a second. A fraction of a longer clock is left out.
fn time_settings(control: &TimeControl) -> Result<String, ClientError> {
    match control {
        // What GoGui sends for "no limit".
        TimeControl::Unlimited => Ok("0 1 0".to_owned()),
        TimeControl::PerMove(time) if time.subsec_nanos() == 0 && time.as_secs() > 0 => {
            Ok(format!("0 {} 1", time.as_secs()))
        }
        TimeControl::PerMove(time) => Err(ClientError::Time(format!("{} s a move", time.as_secs_f64()))),
        // GTP has no increment; the true clock comes with `time_left`.
        TimeControl::Clock { main, .. } if main.as_secs() > 0 => Ok(format!("{} 0 0", main.as_secs())),
        TimeControl::Clock { main, .. } => {
            Err(ClientError::Time(format!("{} s for a game", main.as_secs_f64())))
        }
    }
}

impl Client for GtpClient {
    fn new_game(&mut self, game: &Game, control: &TimeControl) -> Result<(), ClientError> {
        if !self.greeted {
            self.greeted = true;
            self.push(Command::Name);
            self.push(Command::ListCommands);
            self.push(Command::IfKnown("set_game", "Othello".to_owned()));
            self.push(Command::IfKnown("boardsize", "8".to_owned()));
        }
        self.control = *control;
        self.check_time()?;
        self.known = None;
        self.synchronize(game)?;
        if let Ok(settings) = time_settings(control) {
            self.push(Command::IfKnown("time_settings", settings));
        }
        Ok(())
    }

    fn go(&mut self, game: &Game, clock: &TurnClock) -> Result<(), ClientError> {
        self.strays.forget();
        self.synchronize(game)?;
        for (color, left) in [(Color::Black, clock.black), (Color::White, clock.white)] {
            if let Some(left) = left {
                self.push(Command::IfKnown(
                    "time_left",
                    format!("{} {} 0", letter(color), left.as_secs()),
                ));
            }
        }
        self.push(Command::Genmove(game.position().side()));
        Ok(())
    }

    fn quit(&mut self) {
        self.quitting = true;
        self.queue.clear();
        self.push(Command::Optional("quit".to_owned()));
    }

    fn next_line(&mut self) -> Option<String> {
        if self.waiting.is_some() && !self.quitting {
            return None;
        }
        self.drop_unknown();
        let command = self.queue.pop_front()?;
        let text = command.text();
        self.waiting = Some(Waiting {
            command,
            answer: None,
        });
        Some(text)
    }

    fn feed(&mut self, line: &str, game: &Game) -> Result<Option<ClientEvent>, ClientError> {
        let line: String = line
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        let Some(waiting) = &mut self.waiting else {
            if !line.trim().is_empty() {
                self.strays.note(&line, MAX_STRAY_LINES)?;
            }
            return Ok(None);
        };
        match &mut waiting.answer {
            None => {
                let ok = match line.chars().next() {
                    Some('=') => true,
                    Some('?') => false,
                    _ => {
                        if !line.trim().is_empty() {
                            self.strays.note(&line, MAX_STRAY_LINES)?;
                        }
                        return Ok(None);
                    }
                };
                // Some programs answer with an id though none was given; digits glued to the mark are an id.
                let rest = line[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim();
                let lines = if rest.is_empty() {
                    Vec::new()
                } else {
                    vec![rest.to_owned()]
                };
                waiting.answer = Some((ok, lines));
                Ok(None)
            }
            Some((_, lines)) if !line.trim().is_empty() => {
                if lines.len() >= MAX_ANSWER_LINES {
                    return Err(ClientError::Garbage(line));
                }
                lines.push(line);
                Ok(None)
            }
            Some((ok, lines)) => {
                let (command, ok, lines) = (waiting.command.clone(), *ok, std::mem::take(lines));
                self.waiting = None;
                let event = self.answered(&command, ok, &lines, game)?;
                Ok(event)
            }
        }
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn stray_line(&self) -> Option<&str> {
        self.strays.first()
    }
}

#[cfg(test)]
mod tests;
