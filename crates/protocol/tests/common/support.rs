//! A session with a search that always says the same.

use outflank_eval::Score;
use outflank_othello::{Move, Position};
use outflank_othello_engine::{Line, Outcome, Progress, Request};
use outflank_protocol::{Action, Dialogue, Session};
use outflank_search::{Clock as _, Goal, Level, ManualClock, Stage, Verdict};
use std::{fmt::Write as _, sync::Arc, time::Duration};

/// A session, the search it is waiting for, and what it has said.
pub(crate) struct Talk<D> {
    session: Session<D>,
    /// The session's clock: it stands still until [`Talk::wait`].
    clock: ManualClock,
    pub(crate) running: Option<Request>,
    pub(crate) stopped: bool,
    pub(crate) over: bool,
    text: String,
}

impl<D: Dialogue<Game = Position, Value = Score>> Talk<D> {
    pub(crate) fn new(dialogue: D) -> Self {
        let clock = ManualClock::default();
        Self {
            session: Session::new(dialogue, Arc::new(clock.clone())),
            clock,
            running: None,
            stopped: false,
            over: false,
            text: String::new(),
        }
    }

    fn perform(&mut self, actions: Vec<Action>) {
        for action in actions {
            assert!(!self.over, "{action:?} after the end");
            match action {
                Action::Write(lines) => {
                    for line in lines.split('\n') {
                        writeln!(self.text, "> {line}").expect("a string");
                    }
                }
                Action::Search(task) => {
                    assert!(self.running.is_none(), "two searches at a time");
                    assert!(!task.position.is_game_over(), "a search in a finished game");
                    self.running = Some((*task).clone());
                    self.stopped = false;
                    let request = &task;
                    let mut wish = format!(
                        "depth {:?}",
                        request.limits.depth.or(request.limits.level.map(Level::number))
                    );
                    if let Some(time) = request.limits.time {
                        write!(wish, ", time {time:?}").expect("a string");
                    }
                    if let Some(nodes) = request.limits.nodes {
                        write!(wish, ", nodes {nodes}").expect("a string");
                    }
                    if let Some(clock) = request.limits.clock {
                        write!(wish, ", clock {:?}+{:?}", clock.remaining, clock.increment)
                            .expect("a string");
                    }
                    if request.reserve != Request::RESERVE {
                        write!(wish, ", reserve {:?}", request.reserve).expect("a string");
                    }
                    if request.goal != Goal::Best {
                        write!(wish, ", {:?}", request.goal).expect("a string");
                    }
                    writeln!(
                        self.text,
                        "* search {} {wish}, {} line(s), {}%",
                        task.position, request.lines, request.confidence
                    )
                    .expect("a string");
                }
                Action::Stop => {
                    assert!(self.running.is_some(), "a stop without a search");
                    self.stopped = true;
                    self.text.push_str("* stop\n");
                }
                Action::Forget => {
                    assert!(self.running.is_none(), "forgetting while a search runs");
                    self.text.push_str("* forget\n");
                }
                Action::Suggest(suggestion) => {
                    assert!(self.running.is_none(), "a suggestion while a search runs");
                    let mut position = suggestion.position;
                    write!(self.text, "* suggest {position}:").expect("a string");
                    for mv in suggestion.line {
                        position.play(mv).expect("a legal line");
                        write!(self.text, " {mv}").expect("a string");
                    }
                    self.text.push('\n');
                }
                Action::Configure(setting) => {
                    writeln!(self.text, "* configure {setting:?}").expect("a string");
                }
                Action::Quit => {
                    self.over = true;
                    self.text.push_str("* quit\n");
                }
            }
        }
    }

    pub(crate) fn line(&mut self, line: &str) {
        let actions = self.session.line(line);
        self.perform(actions);
    }

    /// Feeds a line that has come `ago`.
    pub(crate) fn late_line(&mut self, line: &str, ago: Duration) {
        let arrived = self.clock.now().saturating_sub(ago);
        let actions = self.session.line_from(line, arrived);
        self.perform(actions);
    }

    /// Lets time pass.
    pub(crate) fn wait(&mut self, time: Duration) {
        self.clock.advance(time);
    }

    /// Reports a trouble that no command is answered with.
    pub(crate) fn complain(&mut self, text: &str) {
        let actions = self.session.complain(text);
        self.perform(actions);
    }

    pub(crate) fn eof(&mut self) {
        let actions = self.session.input_ended();
        self.perform(actions);
    }

    /// Reports from the running search, if there is one.
    pub(crate) fn news(&mut self) {
        let Some(task) = &self.running else { return };
        let outcome = outcome(task);
        let actions = self.session.progress(&Progress {
            rank: 0,
            line: outcome.lines[0].clone(),
            stage: Stage {
                depth: 5,
                confidence: 73,
                to_end: false,
            },
            nodes: 50,
            elapsed: Duration::from_millis(5),
        });
        self.perform(actions);
    }

    /// Ends the running search; `false` if there is none.
    pub(crate) fn finish(&mut self) -> bool {
        let Some(task) = self.running.take() else {
            return false;
        };
        let actions = self.session.finished(&outcome(&task));
        self.perform(actions);
        true
    }

    /// Returns what was said since the last call.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

/// The first legal moves, worth +1.25 discs and half a disc less each; two plies long.
pub(crate) fn outcome(task: &Request) -> Outcome {
    let position: &Position = &task.position;
    let empties = position.board().empties().count();
    let depth = task.limits.depth.unwrap_or(6).min(empties);
    let lines = position
        .legal_moves()
        .into_iter()
        .take(task.lines.max(1))
        .enumerate()
        .map(|(rank, mv)| {
            let mut next = *position;
            next.play(mv).expect("a legal move");
            let second: Option<Move> = next.legal_moves().first().copied();
            let verdict = match task.goal {
                Goal::Exact => Verdict::Exact,
                Goal::WinLossDraw => Verdict::WinLossDraw,
                Goal::Best if depth >= empties => Verdict::Exact,
                Goal::Best => Verdict::Estimate {
                    depth,
                    confidence: 73,
                },
            };
            let moves = std::iter::once(mv).chain(second).collect();
            Line::searched(moves, Score::saturating(160 - 64 * rank as i32), verdict)
        })
        .collect();
    Outcome {
        lines,
        rest: None,
        nodes: 100,
        elapsed: Duration::from_millis(10),
        complete: true,
    }
}
