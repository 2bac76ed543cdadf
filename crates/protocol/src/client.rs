//! What every client can do, whatever the protocol.

use crate::{TimeControl, TurnClock};
use outflank_othello::{Game, Move};
use std::collections::VecDeque;

/// A program's answer to the request for a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The move as the program wrote it.
    pub text: String,
    /// The move if the text is one, legal or not; `None` for anything else.
    pub mv: Option<Move>,
    /// The program's value of the position in discs for itself, if it said so.
    pub value: Option<f64>,
    /// The depth of its search, if it said so.
    pub depth: Option<u32>,
    /// The positions it entered, if it said so.
    pub nodes: Option<u64>,
}

impl Answer {
    /// Returns an answer that is a move and nothing else.
    pub fn of(mv: Move) -> Self {
        Self {
            mv: Some(mv),
            ..Self::new(&mv.to_string())
        }
    }

    /// Returns what a program wrote as its move, without anything else.
    pub(crate) fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            mv: text.parse().ok(),
            value: None,
            depth: None,
            nodes: None,
        }
    }
}

/// What the program has said.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientEvent {
    /// It has dealt with everything sent so far, and waits.
    Ready,
    /// It has answered the request for a move.
    Move(Answer),
    /// It gives the game up.
    Resigned,
}

/// Why the dialogue cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The program refused a command that it must know or a legal move.
    #[error("the program refused {command:?}: {message}")]
    Refused {
        /// The command.
        command: String,
        /// What it said.
        message: String,
    },
    /// The program says things that are no answer.
    #[error("the program wrote something that is no answer: {0:?}")]
    Garbage(String),
    /// The protocol cannot express the start position.
    #[error("the protocol has no way to start from another position than the usual one")]
    StartPosition,
}

/// The client side of a protocol: says what to send, is told what came back.
///
/// Rules of use: send every line of [`Client::next_line`] until it returns `None`, then read a line and
/// [`Client::feed`] it; after [`Client::new_game`] the program is ready when [`ClientEvent::Ready`] comes, after
/// [`Client::go`] the answer is [`ClientEvent::Move`] or [`ClientEvent::Resigned`].
pub trait Client: Send {
    /// Starts a game that stands at `game`; the first call also greets the program.
    ///
    /// # Errors
    ///
    /// [`ClientError::StartPosition`] if the protocol cannot express where the game starts.
    fn new_game(&mut self, game: &Game, control: &TimeControl) -> Result<(), ClientError>;

    /// Tells the program the moves it does not know yet, and asks it for a move.
    ///
    /// # Errors
    ///
    /// As [`Client::new_game`].
    fn go(&mut self, game: &Game, clock: &TurnClock) -> Result<(), ClientError>;

    /// Asks the program to end.
    fn quit(&mut self);

    /// Returns the next line to send now, without its line end; `None` if the program has to speak first.
    fn next_line(&mut self) -> Option<String>;

    /// Takes a line that the program wrote, without its line end; `game` is where the game stands.
    ///
    /// # Errors
    ///
    /// Returns why the program cannot go on; it should be ended then.
    fn feed(&mut self, line: &str, game: &Game) -> Result<Option<ClientEvent>, ClientError>;

    /// Returns what the program calls itself, once it has said so.
    fn name(&self) -> Option<&str>;

    /// Returns the first line since the last request that was no part of an answer, if there was one.
    fn stray_line(&self) -> Option<&str>;
}

/// Lines of a program that were no part of an answer, since the last request.
#[derive(Debug, Default)]
pub(crate) struct Strays {
    first: Option<String>,
    count: u32,
}

impl Strays {
    /// Returns the first of them.
    pub(crate) fn first(&self) -> Option<&str> {
        self.first.as_deref()
    }

    /// Begins anew.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Takes note of one.
    ///
    /// # Errors
    ///
    /// After more than `most` of them, a program counts as talking nonsense.
    pub(crate) fn note(&mut self, line: &str, most: u32) -> Result<(), ClientError> {
        self.count += 1;
        let first = self.first.get_or_insert_with(|| line.to_owned());
        if self.count > most {
            return Err(ClientError::Garbage(first.clone()));
        }
        Ok(())
    }
}

/// What the clients of NBoard and UGI keep: lines that may be sent at once, since nothing is answered line by line.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    queue: VecDeque<String>,
    /// What the program calls itself.
    pub(crate) name: Option<String>,
    strays: Strays,
}

impl Stream {
    /// Lines between question and answer after which a program counts as talking nonsense.
    pub(crate) const MOST_STRAYS: u32 = 10_000;

    /// Queues a line.
    pub(crate) fn send(&mut self, line: impl Into<String>) {
        self.queue.push_back(line.into());
    }

    /// Asks for the end, and for nothing else.
    pub(crate) fn quit(&mut self) {
        self.queue.clear();
        self.send("quit");
    }

    /// Returns the next line to send.
    pub(crate) fn next_line(&mut self) -> Option<String> {
        self.queue.pop_front()
    }

    /// Begins a new request.
    pub(crate) fn forget_strays(&mut self) {
        self.strays.forget();
    }

    /// Takes note of a line that is nothing in the protocol.
    pub(crate) fn stray(&mut self, line: &str) -> Result<(), ClientError> {
        self.strays.note(line, Self::MOST_STRAYS)
    }

    /// Returns the first line since the last request that was nothing in the protocol.
    pub(crate) fn first_stray(&self) -> Option<&str> {
        self.strays.first()
    }
}
