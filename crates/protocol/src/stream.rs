//! The client of a protocol that does not answer line by line, so that lines can be sent as they come: NBoard and UGI.

use crate::{Answer, Client, ClientError, ClientEvent, TimeControl, TurnClock, client::Strays, text::word};
use outflank_othello::Game;
use std::collections::VecDeque;

/// What a line of the program is in the protocol.
pub(crate) enum Heard {
    /// Nothing: it belongs to no answer.
    Stray,
    /// Something that tells nothing now.
    Known,
    /// The name of the program.
    Name(String),
    /// The program waits.
    Ready,
    /// Its answer to the request for a move.
    Move(Answer),
    /// It will not answer that request.
    NoMove,
}

/// What is particular to one such protocol: what is sent when, and what the lines mean.
pub(crate) trait StreamProtocol: Send {
    /// Sends what starts a game that stands at `game`.
    fn begin(&mut self, game: &Game, lines: &mut Outbox);

    /// Sends the moves that the program does not know yet, and the request for a move.
    fn ask(&mut self, game: &Game, clock: &TurnClock, lines: &mut Outbox);

    /// Sends what ends the program's search.
    fn hurry(&mut self, lines: &mut Outbox);

    /// Takes a line; `first` is its first word. May send more.
    fn hear(&mut self, first: &str, rest: &str, lines: &mut Outbox) -> Heard;
}

/// Lines to be sent.
#[derive(Debug, Default)]
pub(crate) struct Outbox(VecDeque<String>);

impl Outbox {
    /// Adds a line.
    pub(crate) fn send(&mut self, line: impl Into<String>) {
        self.0.push_back(line.into());
    }
}

/// The client side of such a protocol.
#[derive(Debug, Default)]
pub struct StreamClient<P> {
    pub(crate) protocol: P,
    lines: Outbox,
    name: Option<String>,
    strays: Strays,
    /// A move has been asked for and has not come.
    waiting: bool,
}

/// Lines between question and answer after which a program counts as talking nonsense.
pub(crate) const MOST_STRAYS: u32 = 10_000;

impl<P> StreamClient<P> {
    /// Returns a client that has not said anything yet.
    pub(crate) fn speaking(protocol: P) -> Self {
        Self {
            protocol,
            lines: Outbox::default(),
            name: None,
            strays: Strays::default(),
            waiting: false,
        }
    }
}

impl<P: StreamProtocol> Client for StreamClient<P> {
    fn new_game(&mut self, game: &Game, _control: &TimeControl) -> Result<(), ClientError> {
        self.waiting = false;
        self.protocol.begin(game, &mut self.lines);
        Ok(())
    }

    fn go(&mut self, game: &Game, clock: &TurnClock) -> Result<(), ClientError> {
        self.strays.forget();
        self.waiting = true;
        self.protocol.ask(game, clock, &mut self.lines);
        Ok(())
    }

    fn hurry(&mut self) {
        if self.waiting {
            self.protocol.hurry(&mut self.lines);
        }
    }

    fn quit(&mut self) {
        self.lines = Outbox::default();
        self.lines.send("quit");
    }

    fn next_line(&mut self) -> Option<String> {
        self.lines.0.pop_front()
    }

    fn feed(&mut self, line: &str, _game: &Game) -> Result<Option<ClientEvent>, ClientError> {
        let line = line.trim();
        let (first, rest) = word(line);
        if first.is_empty() {
            return Ok(None);
        }
        match self.protocol.hear(first, rest, &mut self.lines) {
            Heard::Stray => self.strays.note(line, MOST_STRAYS)?,
            Heard::Name(name) => self.name = Some(name),
            Heard::Ready if !self.waiting => return Ok(Some(ClientEvent::Ready)),
            Heard::Move(answer) if self.waiting => {
                self.waiting = false;
                return Ok(Some(ClientEvent::Move(answer)));
            }
            Heard::NoMove if self.waiting => {
                self.waiting = false;
                return Err(ClientError::NoMove);
            }
            Heard::Known | Heard::Ready | Heard::Move(_) | Heard::NoMove => {}
        }
        Ok(None)
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn stray_line(&self) -> Option<&str> {
        self.strays.first()
    }
}
