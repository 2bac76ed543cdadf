//! What every client can do, whatever the protocol.

use crate::{TimeControl, TurnClock};
use outflank_othello::{Game, Move};

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
    /// The program ended its search without a move.
    #[error("the program stopped thinking without a move")]
    NoMove,
    /// The protocol cannot express the start position.
    #[error("the protocol has no way to start from another position than the usual one")]
    StartPosition,
    /// The protocol cannot express how much time the program has.
    #[error(
        "GTP counts whole seconds and has no way to say {0}; give whole seconds, or start the program with a limit of its \
         own (an option of its command, such as \"outflank gtp --time 0.1\") and give it no other"
    )]
    Time(String),
}

impl ClientError {
    /// Returns whether the protocol cannot express the game: nobody's fault, and no reason to lose it.
    pub const fn is_unsupported(&self) -> bool {
        matches!(self, Self::StartPosition | Self::Time(_))
    }
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
    /// An error that [is unsupported](ClientError::is_unsupported) if the protocol cannot express where the game starts or
    /// what time there is.
    fn new_game(&mut self, game: &Game, control: &TimeControl) -> Result<(), ClientError>;

    /// Tells the program the moves it does not know yet, and asks it for a move.
    ///
    /// # Errors
    ///
    /// As [`Client::new_game`].
    fn go(&mut self, game: &Game, clock: &TurnClock) -> Result<(), ClientError>;

    /// Tells the program to answer the request for a move now, where the protocol has a way to say so.
    fn hurry(&mut self) {}

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
