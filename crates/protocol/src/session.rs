//! The engine's side of every dialogue: lines in, actions out, with searches that run meanwhile.
//!
//! A [`Session`] never blocks and never reads a clock.
//! Whoever owns the pipes feeds it lines, and the news of the search that it asked for, as they come; it answers with
//! [`Action`]s.
//! A line that comes while a search runs is never lost. It is either answered at once, or makes the search end and is
//! answered then, or waits its turn: what is right depends on the protocol and the command ([`Urgency`]).

use outflank_othello::{Move, Position};
use outflank_othello_engine::{Outcome, Progress, Request};
use std::{collections::VecDeque, fmt};

/// What a session wants done, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Write this line (which may contain line ends) and flush.
    Write(String),
    /// Start this search; there is none running.
    Search(Box<Request>),
    /// Ask the running search to end; its outcome is still wanted, soon.
    Stop,
    /// Forget what earlier searches have learned; there is none running.
    Forget,
    /// Tell the engine what somebody else's search thinks best; there is none running.
    Suggest(Box<Suggestion>),
    /// The dialogue is over: end the program.
    Quit,
}

/// The best line of a position, as the other side has found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The position.
    pub position: Position,
    /// Its best move and what follows, passes included; legal throughout.
    pub line: Vec<Move>,
}

/// What becomes of a command that arrives while a search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// It is carried out at once, next to the search. Such a command must not start a search.
    Now,
    /// It ends the search and is carried out after it.
    Interrupt,
    /// It waits for the end of the search.
    Wait,
}

/// One protocol, as a [`Session`] drives it: commands, and what searches have to say, one at a time.
pub trait Dialogue: Send {
    /// Says what becomes of `line` while a search runs.
    fn urgency(&self, line: &str) -> Urgency;

    /// Carries out a command; no search runs, unless its urgency is [`Urgency::Now`].
    fn execute(&mut self, line: &str, out: &mut Vec<Action>);

    /// Takes news of the running search.
    fn progress(&mut self, news: &Progress, out: &mut Vec<Action>);

    /// Takes the outcome of the search, which may start the next one.
    fn finished(&mut self, outcome: &Outcome, out: &mut Vec<Action>);

    /// Returns whether `line` asks for the end of the dialogue.
    fn is_quit(&self, line: &str) -> bool;

    /// Is told that `line` has come and ends the running search, before it is carried out.
    fn interrupting(&mut self, _line: &str) {}

    /// Returns whether the protocol wants that `line` takes back what still waits.
    fn drops_queue(&self, _line: &str) -> bool {
        false
    }
}

/// Whether a search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    Searching,
    /// It runs, and has been asked to end.
    Stopping,
}

/// The engine's side of a dialogue.
pub struct Session<D> {
    dialogue: D,
    queue: VecDeque<String>,
    state: State,
    input_ended: bool,
    over: bool,
}

impl<D> fmt::Debug for Session<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("queue", &self.queue)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl<D: Dialogue> Session<D> {
    /// Returns a session that has not heard anything yet.
    pub const fn new(dialogue: D) -> Self {
        Self {
            dialogue,
            queue: VecDeque::new(),
            state: State::Idle,
            input_ended: false,
            over: false,
        }
    }

    /// Returns whether a search is running that this session asked for.
    pub fn is_searching(&self) -> bool {
        self.state != State::Idle
    }

    /// Takes a line from the other side, without its line end.
    pub fn line(&mut self, line: &str) -> Vec<Action> {
        let mut out = Vec::new();
        if self.over {
            return out;
        }
        if self.is_searching() && self.dialogue.urgency(line) == Urgency::Now {
            self.dialogue.execute(line, &mut out);
            self.watch(&out);
            return out;
        }
        if self.dialogue.drops_queue(line) {
            self.queue.clear();
        }
        if self.state == State::Stopping && self.dialogue.urgency(line) == Urgency::Interrupt {
            self.dialogue.interrupting(line);
        }
        self.queue.push_back(line.to_owned());
        self.work(&mut out);
        out
    }

    /// Takes news of the running search.
    pub fn progress(&mut self, news: &Progress) -> Vec<Action> {
        let mut out = Vec::new();
        if self.is_searching() && !self.over {
            self.dialogue.progress(news, &mut out);
        }
        out
    }

    /// Takes the outcome of the search.
    pub fn finished(&mut self, outcome: &Outcome) -> Vec<Action> {
        let mut out = Vec::new();
        if self.is_searching() && !self.over {
            self.state = State::Idle;
            self.dialogue.finished(outcome, &mut out);
            self.watch(&out);
            self.work(&mut out);
        }
        out
    }

    /// Takes the end of the input: the search is ended, what was asked is answered, and the dialogue is over.
    ///
    /// If a command to quit has been read, nobody has died, and searches run to their own end.
    pub fn input_ended(&mut self) -> Vec<Action> {
        let mut out = Vec::new();
        self.input_ended = true;
        self.work(&mut out);
        out
    }

    /// Carries out what can be carried out.
    fn work(&mut self, out: &mut Vec<Action>) {
        while !self.is_searching() && !self.over {
            let Some(line) = self.queue.pop_front() else {
                if self.input_ended {
                    out.push(Action::Quit);
                    self.over = true;
                }
                return;
            };
            let before = out.len();
            self.dialogue.execute(&line, out);
            self.watch(&out[before..]);
        }
        if self.state != State::Searching || self.over {
            return;
        }
        let mut stop = self.input_ended && !self.queue.iter().any(|line| self.dialogue.is_quit(line));
        for line in &self.queue {
            if self.dialogue.urgency(line) == Urgency::Interrupt {
                self.dialogue.interrupting(line);
                stop = true;
            }
        }
        if stop {
            self.state = State::Stopping;
            out.push(Action::Stop);
        }
    }

    /// Notes what new actions mean for the state.
    fn watch(&mut self, actions: &[Action]) {
        for action in actions {
            match action {
                Action::Search(_) => self.state = State::Searching,
                Action::Stop => self.state = State::Stopping,
                Action::Quit => self.over = true,
                Action::Write(_) | Action::Forget | Action::Suggest(_) => {}
            }
        }
    }
}
