//! Every protocol's client as the arena uses it: lines in and out, for any game.

use crate::{
    history::History,
    player::{Choice, Failure},
};
use outflank_game::GameState;
use outflank_gomoku::{Board, Point};
use outflank_othello::{Game as OthelloGame, Move, Position};
use outflank_protocol::{
    Client, ClientError, ClientEvent, GomocupClient, GomocupEvent, TimeControl, TurnClock,
};
use std::time::Duration;

/// What a program has said.
#[derive(Clone, Debug, PartialEq)]
pub enum Said<M> {
    /// It has dealt with everything sent so far, and waits.
    Ready,
    /// Its move.
    Move(Choice<M>),
    /// It gives the game up.
    Resigned,
}

/// A dialogue with a program that plays a game, without input or output of its own.
///
/// Every line of [`Talk::next_line`] is sent until it returns `None`; then a line is read and fed.
pub trait Talk<G: GameState>: Send {
    /// Starts a game.
    ///
    /// # Errors
    ///
    /// [`Failure::Unsupported`] if the protocol cannot express the game or its time.
    fn new_game(&mut self, history: &History<G>, control: &TimeControl) -> Result<(), Failure>;

    /// Asks for a move.
    ///
    /// # Errors
    ///
    /// As [`Talk::new_game`].
    fn go(&mut self, history: &History<G>, clock: &TurnClock) -> Result<(), Failure>;

    /// Tells the program that its time for the move is up, where the protocol has a way to say so.
    fn hurry(&mut self) {}

    /// Asks the program to end.
    fn quit(&mut self);

    /// Returns the next line to send now, without its line end; `None` if the program has to speak first.
    fn next_line(&mut self) -> Option<String>;

    /// Takes a line that the program wrote; `history` is where the game stands.
    ///
    /// # Errors
    ///
    /// Returns why the program cannot go on.
    fn feed(&mut self, line: &str, history: &History<G>) -> Result<Option<Said<G::Move>>, Failure>;

    /// Takes a line that the program wrote while nothing was asked of it.
    ///
    /// # Errors
    ///
    /// As [`Talk::feed`].
    fn feed_idle(&mut self, line: &str) -> Result<(), Failure> {
        let _ = line;
        Ok(())
    }

    /// Returns what the program calls itself, once it has said so.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Returns the first line since the last request that was no part of an answer, if there was one.
    fn stray_line(&self) -> Option<&str> {
        None
    }

    /// Returns how long the program must have been quiet before it is spoken to; `None` if its answers cannot be
    /// confused.
    fn quiet(&self) -> Option<Duration> {
        None
    }

    /// Returns what ends a line.
    fn line_end(&self) -> &'static str {
        "\n"
    }
}

fn failure(error: &ClientError) -> Failure {
    if let ClientError::Time(_) = error {
        return Failure::Unsupported(format!(
            "{error}: leave out --move-time and --clock, and give the other side its limit in its own description, as in \
             \"time 0.1\""
        ));
    }
    if error.is_unsupported() {
        return Failure::Unsupported(error.to_string());
    }
    Failure::Dialogue {
        message: error.to_string(),
        last_words: String::new(),
    }
}

/// A client of one of Othello's protocols.
impl Talk<Position> for Box<dyn Client> {
    fn new_game(&mut self, history: &History<Position>, control: &TimeControl) -> Result<(), Failure> {
        (**self)
            .new_game(&OthelloGame::from(history), control)
            .map_err(|error| failure(&error))
    }

    fn go(&mut self, history: &History<Position>, clock: &TurnClock) -> Result<(), Failure> {
        (**self)
            .go(&OthelloGame::from(history), clock)
            .map_err(|error| failure(&error))
    }

    fn hurry(&mut self) {
        (**self).hurry();
    }

    fn quit(&mut self) {
        (**self).quit();
    }

    fn next_line(&mut self) -> Option<String> {
        (**self).next_line()
    }

    fn feed(&mut self, line: &str, history: &History<Position>) -> Result<Option<Said<Move>>, Failure> {
        let event = (**self)
            .feed(line, &OthelloGame::from(history))
            .map_err(|error| failure(&error))?;
        Ok(event.map(|event| match event {
            ClientEvent::Ready => Said::Ready,
            ClientEvent::Resigned => Said::Resigned,
            ClientEvent::Move(answer) => Said::Move(Choice {
                text: answer.text,
                mv: answer.mv,
                value: answer.value,
                claim: None,
                depth: answer.depth,
                nodes: answer.nodes,
                is_book: false,
            }),
        }))
    }

    fn name(&self) -> Option<&str> {
        (**self).name()
    }

    fn stray_line(&self) -> Option<&str> {
        (**self).stray_line()
    }
}

/// The manager's side of the Gomocup protocol.
#[derive(Debug, Default)]
pub struct GomocupTalk {
    client: GomocupClient,
    /// The board's edge and rule set, for messages.
    rules: String,
    chatter: Option<String>,
    waiting: bool,
}

impl GomocupTalk {
    /// Silence after which a program is spoken to: some lose what comes in the moment they write a move.
    const QUIET: Duration = Duration::from_millis(25);

    /// Returns a manager that has not said anything yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns why a program that wrote `ERROR` or `UNKNOWN` cannot play, if it is for the kind of game.
    fn unsupported(&self, line: &str) -> Option<Failure> {
        let lower = line.to_ascii_lowercase();
        let about_rule = lower.contains("rule");
        let about_size = lower.contains("size") || lower.contains("start");
        if !lower.starts_with("error") || !(about_rule || about_size) {
            return None;
        }
        let what = if about_rule { "rule" } else { "board" };
        Some(Failure::Unsupported(format!(
            "the program does not know this {what} ({}): {line:?}; choose another --rule or --size",
            self.rules
        )))
    }

    fn refused(&self, line: &str) -> Failure {
        self.unsupported(line).unwrap_or_else(|| Failure::Dialogue {
            message: format!("the program refused to play: {line:?}"),
            last_words: String::new(),
        })
    }
}

impl Talk<Board> for GomocupTalk {
    fn new_game(&mut self, history: &History<Board>, control: &TimeControl) -> Result<(), Failure> {
        let board = history.position();
        self.rules = format!("{}, {}x{} points", board.rule(), board.size(), board.size());
        let (turn, total) = match *control {
            TimeControl::PerMove(time) => (time, None),
            // The increment is not part of the protocol: the true clock comes with every turn.
            TimeControl::Clock { main, .. } => (main, Some(main)),
            TimeControl::Unlimited => {
                return Err(Failure::Unsupported(
                    "a Gomocup program needs a limit: give the match --move-time or --clock, or the player its own \
                     (gomocup: --time SECONDS COMMAND)"
                        .to_owned(),
                ));
            }
        };
        self.chatter = None;
        self.client.new_game(board, turn, total);
        Ok(())
    }

    fn go(&mut self, history: &History<Board>, clock: &TurnClock) -> Result<(), Failure> {
        let board = history.position();
        let left = match board.side() {
            outflank_gomoku::Color::Black => clock.black,
            outflank_gomoku::Color::White => clock.white,
        };
        self.chatter = None;
        self.waiting = true;
        self.client.go(board, left);
        Ok(())
    }

    fn quit(&mut self) {
        self.client.quit();
    }

    fn next_line(&mut self) -> Option<String> {
        self.client.next_line()
    }

    fn feed(&mut self, line: &str, _history: &History<Board>) -> Result<Option<Said<Point>>, Failure> {
        match self.client.feed(line) {
            GomocupEvent::Ready => Ok(Some(Said::Ready)),
            GomocupEvent::Move(point) if self.waiting => {
                self.waiting = false;
                Ok(Some(Said::Move(Choice::of(point))))
            }
            GomocupEvent::Move(_) => Ok(None),
            GomocupEvent::Refused(line) => {
                // `UNKNOWN` answers a command that need not be known.
                if line.to_ascii_uppercase().starts_with("UNKNOWN") {
                    self.chatter.get_or_insert(line);
                    return Ok(None);
                }
                Err(self.refused(&line))
            }
            GomocupEvent::Chatter(line) => {
                let upper = line.to_ascii_uppercase();
                let expected = ["MESSAGE", "DEBUG", "OK", ""];
                if !expected.contains(&upper.split_whitespace().next().unwrap_or_default()) {
                    self.chatter.get_or_insert(line);
                }
                Ok(None)
            }
        }
    }

    fn feed_idle(&mut self, line: &str) -> Result<(), Failure> {
        match self.unsupported(line.trim()) {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    fn stray_line(&self) -> Option<&str> {
        self.chatter.as_deref()
    }

    fn quiet(&self) -> Option<Duration> {
        Some(Self::QUIET)
    }

    fn line_end(&self) -> &'static str {
        "\r\n"
    }
}
