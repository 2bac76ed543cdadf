//! The engine's side of every dialogue: lines in, actions out, with searches that run meanwhile.
//!
//! A [`Session`] never blocks.
//! Whoever owns the pipes feeds it lines, and the news of the search that it asked for, as they come; it answers with
//! [`Action`]s.
//! A line that comes while a search runs is never lost. It is either answered at once, or makes the search end and is
//! answered then, or waits its turn: what is right depends on the protocol and the command ([`Urgency`]).
//!
//! The session keeps the time: a limit of time counts from the moment when the other side could expect the search to
//! begin, so that a program that was busy with starting up is not late with its first move.

use crate::Setting;
use outflank_game::GameState;
use outflank_othello::Position;
use outflank_search::{Clock, Outcome, Progress, Request};
use std::{
    collections::VecDeque,
    fmt::{self, Debug},
    sync::Arc,
    time::Duration,
};

/// What a session wants done, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action<G: GameState = Position> {
    /// Write this line (which may contain line ends) and flush.
    Write(String),
    /// Start this search; there is none running.
    Search(Box<Request<G>>),
    /// Ask the running search to end; its outcome is still wanted, soon.
    Stop,
    /// Forget what earlier searches have learned; there is none running.
    Forget,
    /// Tell the engine what somebody else's search thinks best; there is none running.
    Suggest(Box<Suggestion<G>>),
    /// Give the engine more or less of the machine; there is no search running. Say so with [`Session::complain`] if that
    /// fails. Never a [`Setting::Reserve`], which is the session's own.
    Configure(Setting),
    /// The dialogue is over: end the program.
    Quit,
}

/// The best line of a position, as the other side has found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion<G: GameState = Position> {
    /// The position.
    pub position: G,
    /// Its best move and what follows, passes included; legal throughout.
    pub line: Vec<G::Move>,
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

/// What engines answer in a dialogue.
pub type DialogueOutcome<D> = Outcome<<<D as Dialogue>::Game as GameState>::Move, <D as Dialogue>::Value>;
/// What engines report in a dialogue.
pub type DialogueProgress<D> = Progress<<<D as Dialogue>::Game as GameState>::Move, <D as Dialogue>::Value>;

/// One protocol, as a [`Session`] drives it: commands, and what searches have to say, one at a time.
///
/// Any engine of the same game and value can stand behind it.
pub trait Dialogue: Send {
    /// The game that is spoken of.
    type Game: GameState;
    /// What its engines say that a position is worth.
    type Value;

    /// Says what becomes of `line` while a search runs.
    fn urgency(&self, line: &str) -> Urgency;

    /// Carries out a command; no search runs, unless its urgency is [`Urgency::Now`].
    fn execute(&mut self, line: &str, out: &mut Vec<Action<Self::Game>>);

    /// Takes news of the running search.
    fn progress(&mut self, news: &DialogueProgress<Self>, out: &mut Vec<Action<Self::Game>>);

    /// Takes the outcome of the search, which may start the next one; `spent` is the time since the other side could
    /// expect the search to begin.
    fn finished(
        &mut self,
        outcome: &DialogueOutcome<Self>,
        spent: Duration,
        out: &mut Vec<Action<Self::Game>>,
    );

    /// Returns whether the running search is one that nobody waits for, such as pondering: it does not make the search
    /// after it late.
    fn is_background(&self) -> bool {
        false
    }

    /// Returns whether `line` asks for the end of the dialogue.
    fn is_quit(&self, line: &str) -> bool;

    /// Is told that `line` has come and ends the running search, before it is carried out.
    fn interrupting(&mut self, _line: &str) {}

    /// Returns whether the protocol wants that `line` takes back what still waits.
    fn drops_queue(&self, _line: &str) -> bool {
        false
    }

    /// Returns the line that tells the other side of a trouble that no command is answered with; `None` if the protocol
    /// has no such line.
    fn remark(&self, _text: &str) -> Option<String> {
        None
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
    clock: Arc<dyn Clock>,
    /// Kept back from every limit of time.
    reserve: Duration,
    /// What is to be set when the running search has ended.
    settings: Vec<Setting>,
    /// Lines that wait, and when they came.
    queue: VecDeque<(String, Duration)>,
    state: State,
    /// When the last search ended, or the session began.
    idle_since: Duration,
    /// When the other side could expect the running search to begin.
    expected: Duration,
    input_ended: bool,
    over: bool,
}

impl<D> Debug for Session<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("queue", &self.queue)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// Time kept back from every limit, unless the other side or the user says otherwise.
const RESERVE: Duration = Request::<Position>::RESERVE;

/// Least time that is left to a search whose start was late.
const LEAST_TIME: Duration = Duration::from_millis(1);

impl<D: Dialogue> Session<D> {
    /// Returns a session that has not heard anything yet; `clock` counts the time of searches.
    ///
    /// Make it as soon as the other side may speak, and the engine behind it afterwards: what making one costs is taken off
    /// the time of the first search.
    pub fn new(dialogue: D, clock: Arc<dyn Clock>) -> Self {
        let now = clock.now();
        Self {
            dialogue,
            clock,
            reserve: RESERVE,
            settings: Vec::new(),
            queue: VecDeque::new(),
            state: State::Idle,
            idle_since: now,
            expected: now,
            input_ended: false,
            over: false,
        }
    }

    /// Sets what is kept back from every limit of time, until the other side sets it.
    #[must_use]
    pub const fn with_reserve(mut self, reserve: Duration) -> Self {
        self.reserve = reserve;
        self
    }

    /// Returns whether a search is running that this session asked for.
    pub fn is_searching(&self) -> bool {
        self.state != State::Idle
    }

    /// Takes a line from the other side, without its line end.
    pub fn line(&mut self, line: &str) -> Vec<Action<D::Game>> {
        self.line_from(line, self.clock.now())
    }

    /// Takes a line that has come when the session's clock showed `arrived`.
    pub fn line_from(&mut self, line: &str, arrived: Duration) -> Vec<Action<D::Game>> {
        let mut out = Vec::new();
        if self.over {
            return out;
        }
        if self.is_searching() && self.dialogue.urgency(line) == Urgency::Now {
            self.dialogue.execute(line, &mut out);
            for action in &out {
                if let Action::Configure(setting) = action {
                    self.settings.push(*setting);
                }
            }
            out.retain(|action| !matches!(action, Action::Configure(_)));
            self.review(&mut out, 0, arrived);
            return out;
        }
        if self.dialogue.drops_queue(line) {
            self.queue.clear();
        }
        if self.state == State::Stopping && self.dialogue.urgency(line) == Urgency::Interrupt {
            self.dialogue.interrupting(line);
        }
        self.queue.push_back((line.to_owned(), arrived));
        self.work(&mut out);
        out
    }

    /// Takes news of the running search.
    pub fn progress(&mut self, news: &DialogueProgress<D>) -> Vec<Action<D::Game>> {
        let mut out = Vec::new();
        if self.is_searching() && !self.over {
            self.dialogue.progress(news, &mut out);
        }
        out
    }

    /// Takes the outcome of the search.
    pub fn finished(&mut self, outcome: &DialogueOutcome<D>) -> Vec<Action<D::Game>> {
        let mut out = Vec::new();
        if self.is_searching() && !self.over {
            self.state = State::Idle;
            let now = self.clock.now();
            if !self.dialogue.is_background() {
                self.idle_since = now;
            }
            let spent = now.saturating_sub(self.expected);
            out.extend(self.settings.drain(..).map(Action::Configure));
            self.dialogue.finished(outcome, spent, &mut out);
            self.review(&mut out, 0, now);
            self.work(&mut out);
        }
        out
    }

    /// Takes the end of the input: the search is ended, what was asked is answered, and the dialogue is over.
    ///
    /// If a command to quit has been read, nobody has died, and searches run to their own end.
    pub fn input_ended(&mut self) -> Vec<Action<D::Game>> {
        let mut out = Vec::new();
        self.input_ended = true;
        self.work(&mut out);
        out
    }

    /// Tells the other side of a trouble, where its protocol has a way to do so.
    pub fn complain(&self, text: &str) -> Vec<Action<D::Game>> {
        let line = if self.over {
            None
        } else {
            self.dialogue.remark(text)
        };
        line.map(Action::Write).into_iter().collect()
    }

    /// Carries out what can be carried out.
    fn work(&mut self, out: &mut Vec<Action<D::Game>>) {
        while !self.is_searching() && !self.over {
            let Some((line, arrived)) = self.queue.pop_front() else {
                if self.input_ended {
                    out.push(Action::Quit);
                    self.over = true;
                }
                return;
            };
            let before = out.len();
            self.dialogue.execute(&line, out);
            self.review(out, before, arrived);
        }
        if self.state != State::Searching || self.over {
            return;
        }
        let mut stop = self.input_ended && !self.queue.iter().any(|(line, _)| self.dialogue.is_quit(line));
        for (line, _) in &self.queue {
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

    /// Notes what the actions from `start` on mean for the state, and completes them: they were caused at `caused`.
    fn review(&mut self, actions: &mut Vec<Action<D::Game>>, start: usize, caused: Duration) {
        for action in &mut actions[start..] {
            match action {
                Action::Search(request) => {
                    self.state = State::Searching;
                    self.expected = caused.max(self.idle_since);
                    let late = self.clock.now().saturating_sub(self.expected);
                    request.reserve = self.reserve;
                    if let Some(time) = &mut request.limits.time {
                        *time = time.saturating_sub(late).max(LEAST_TIME.min(*time));
                    }
                    if let Some(clock) = &mut request.limits.clock {
                        clock.remaining = clock.remaining.saturating_sub(late);
                    }
                }
                Action::Configure(Setting::Reserve(reserve)) => self.reserve = *reserve,
                Action::Stop => self.state = State::Stopping,
                Action::Quit => self.over = true,
                Action::Write(_) | Action::Forget | Action::Suggest(_) | Action::Configure(_) => {}
            }
        }
        actions.retain(|action| !matches!(action, Action::Configure(Setting::Reserve(_))));
    }
}
