//! The game line by line, for pipes, scripts, screen readers and simple terminals.
//!
//! Commands are carried out in the order in which they come, each when what the one before it started has ended; only
//! `stop` and `quit` do not wait for the engine if nothing else does.
//! At the end of the input the engine may still finish its move, but not for long.

use super::{
    command::{self, Command},
    kept::Rescue,
    sitting::{Sitting, who_plays},
    table::{News, Said, Saving, Table},
};
use crate::{
    ending,
    input::listen,
    output::{self, Status, is_broken_pipe, is_dumb},
};
use outflank_study::play::{GameSession, Purpose, Seat, Turn};
use std::{
    cell::RefCell,
    collections::VecDeque,
    io::{self, IsTerminal as _},
    sync::{
        atomic::Ordering,
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::{Duration, Instant},
};

/// How long the engine may still think after the end of the input.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(100);
/// Columns and rows of the graph.
const GRAPH: (usize, usize) = (76, 13);

enum Event<G: Sitting> {
    Line(String),
    InputEnded,
    News(News<G>),
    /// Whoever sat here is gone, or somebody wants the program to end.
    Leave,
}

/// What a terminal puts before and after what is pasted, if it was asked to.
const PASTE: [&str; 2] = ["\x1b[200~", "\x1b[201~"];
/// Asks the terminal to mark what is pasted, and no more.
const MARK_PASTES: [&[u8]; 2] = [b"\x1b[?2004h", b"\x1b[?2004l"];

/// Runs a game until somebody leaves.
pub(super) fn run<G: Sitting>(
    session: GameSession<G>,
    engine: G::Engine,
    saving: &Saving<'_>,
) -> anyhow::Result<Status> {
    let (events, inbox) = channel::<Event<G>>();
    let from_engine = events.clone();
    let mut table = Table::new(session, engine, move |news| {
        // Nobody listens any more after the end.
        let _unheard = from_engine.send(Event::News(news));
    });
    saving.arrange(&mut table)?;
    let (kept, last) = (table.kept(), table.kept());
    let rescue = Rescue::new(table.kept());
    let waker = events.clone();
    let wake = move || {
        let _unheard = waker.send(Event::Leave);
    };
    let asked = ending::watch(wake, move || drop(last.save()))?;
    thread::spawn(move || listen(|line| events.send(line.map_or(Event::InputEnded, Event::Line)).is_ok()));
    let prompt = io::stdin().is_terminal() && io::stdout().is_terminal();
    let marks_pastes = prompt && !is_dumb();
    let mut plain = Plain {
        table,
        queue: VecDeque::new(),
        pasted: None,
        input_ended: None,
        shown: None,
        drawn: RefCell::new(None),
        waits_for: None,
        prompt,
        prompted: false,
    };
    if marks_pastes {
        output::write_all(MARK_PASTES[0])?;
    }
    let result = plain.talk(&inbox);
    drop(inbox);
    // The first to notice that the terminal is gone may be a line that nobody sees.
    let cut_short = asked.load(Ordering::Relaxed) || prompt && result.is_err() && ending::has_hung_up();
    if cut_short {
        kept.save()?;
    }
    let failed = result.as_ref().is_err_and(|error| !is_broken_pipe(error));
    if !failed {
        rescue.stand_down();
    }
    if let Some(saved) = plain.table.save_by_itself()? {
        // Whoever read our lines may be gone.
        let _unread = output::line(&saved);
    }
    if marks_pastes {
        let _gone = output::write_all(MARK_PASTES[1]);
    }
    plain.table.leave()?;
    match result {
        _ if cut_short => Ok(Status::CheckFailed),
        // Whoever read our lines is gone.
        Err(error) if is_broken_pipe(&error) => Ok(Status::Success),
        other => other.map(|()| Status::Success),
    }
}

struct Plain<G: Sitting> {
    table: Table<G>,
    queue: VecDeque<String>,
    /// What was pasted so far, while the end of it has not come.
    pasted: Option<String>,
    /// When the input ended.
    input_ended: Option<Instant>,
    /// What was shown last: moves made, and the turn.
    shown: Option<(usize, Turn<G::Color>)>,
    /// What lay on the board that was drawn last.
    drawn: RefCell<Option<G::Stones>>,
    /// What is shown when the engine has nothing to do any more.
    waits_for: Option<Said>,
    prompt: bool,
    prompted: bool,
}

impl<G: Sitting> Plain<G> {
    fn talk(&mut self, inbox: &Receiver<Event<G>>) -> anyhow::Result<()> {
        output::line(&who_plays(&self.table.session))?;
        loop {
            self.table.pump()?;
            self.announce()?;
            if self.work()? {
                return Ok(());
            }
            let event = match self.wait() {
                Some(time) => match inbox.recv_timeout(time) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => {
                        self.tick();
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                },
                None => match inbox.recv() {
                    Ok(event) => event,
                    Err(_) => return Ok(()),
                },
            };
            self.prompted = false;
            match event {
                Event::Leave => return Ok(()),
                Event::Line(line) if self.pasted.is_some() || line.contains(PASTE[0]) => self.paste(line),
                Event::Line(line) if self.is_urgent(&line) => match self.parse(&line) {
                    Ok(Some(Command::Quit)) => return Ok(()),
                    _ => self.table.hurry(),
                },
                Event::Line(line) => self.queue.push_back(line),
                Event::InputEnded => self.input_ended = Some(Instant::now()),
                Event::News(news) => {
                    if let Some(played) = self.table.news(news)? {
                        output::line(&played)?;
                    }
                }
            }
        }
    }

    /// Takes a line with marks of the terminal: what stands between them is one text, and no command.
    fn paste(&mut self, line: String) {
        let mut text = match self.pasted.take() {
            Some(before) => format!("{before}\n{line}"),
            None => line,
        };
        if text.contains(PASTE[0]) && !text.contains(PASTE[1]) {
            self.pasted = Some(text);
            return;
        }
        for mark in PASTE {
            text = text.replace(mark, "");
        }
        self.queue.push_back(text.trim_end().to_owned());
    }

    /// Whether a line does not wait for the engine: only on a terminal, where somebody has seen that it thinks.
    fn is_urgent(&self, line: &str) -> bool {
        self.prompt
            && self.queue.is_empty()
            && self.table.busy_with().is_some()
            && matches!(self.parse(line), Ok(Some(Command::Quit | Command::Stop)))
    }

    fn parse(&self, line: &str) -> Result<Option<Command<G::Place>>, String> {
        command::parse(line, |word| self.table.session.game().place_of(word))
    }

    /// Returns how long to wait for something to happen; `None` without an end.
    fn wait(&self) -> Option<Duration> {
        let clocks = self.table.session.options().clock.is_some();
        (clocks || self.input_ended.is_some()).then_some(TICK)
    }

    fn tick(&self) {
        // Nobody is left to wait for the engine, unless it plays itself.
        if self.table.session.has_person() && self.input_ended.is_some_and(|ended| ended.elapsed() > PATIENCE)
        {
            self.table.hurry();
        }
    }

    /// Shows what has changed on the board, and plays the engine's passes.
    fn announce(&mut self) -> anyhow::Result<()> {
        loop {
            let session = &self.table.session;
            let turn = session.turn();
            let now = (session.moves().len(), turn);
            if self.shown == Some(now) {
                return Ok(());
            }
            self.shown = Some(now);
            if !matches!(turn, Turn::Think(_)) {
                // A pass moves no disc: the board is drawn once.
                if *self.drawn.borrow() == Some(session.game().stones()) {
                    output::line(&G::status(session))?;
                } else {
                    self.board()?;
                }
            }
            match turn {
                Turn::Pass(color) if self.table.session.seat(color) == Seat::Engine => {
                    let time = self.table.now();
                    // The clock may have run out since the turn was looked at.
                    if G::pass(&mut self.table.session, time).is_ok() {
                        output::line(&format!("{color} has no move and passes"))?;
                        self.table.pump()?;
                    }
                }
                Turn::Pass(color) => {
                    output::line(&format!("{color} has no move: enter pass"))?;
                }
                Turn::Paused(_) => {
                    output::line(
                        "the engine waits: go lets it move here, redo and goto end go on in the game",
                    )?;
                    return Ok(());
                }
                _ => return Ok(()),
            }
        }
    }

    fn board(&self) -> anyhow::Result<()> {
        let session = &self.table.session;
        *self.drawn.borrow_mut() = Some(session.game().stones());
        output::line("")?;
        output::line(&G::board_text(session, output::use_color()))?;
        output::line(&G::status(session))?;
        for remark in G::remarks(session) {
            output::line(&remark)?;
        }
        let now = self.table.now();
        if let [Some(black), Some(white)] = G::COLORS.map(|color| session.time_left(color, now)) {
            output::line(&format!(
                "time left: black {}, white {}",
                clock_text(black),
                clock_text(white)
            ))?;
        }
        Ok(())
    }

    /// Carries out what waits, as far as the engine lets it; returns whether this is the end.
    fn work(&mut self) -> anyhow::Result<bool> {
        while self.table.is_idle() {
            if let Some(said) = self.waits_for.take() {
                self.report(&said)?;
            }
            let Some(line) = self.queue.pop_front() else {
                if self.prompt && !self.prompted {
                    output::write_all(b"> ")?;
                    self.prompted = true;
                }
                return Ok(self.input_ended.is_some());
            };
            if self.obey(&line)? {
                return Ok(true);
            }
            self.table.pump()?;
            self.announce()?;
        }
        Ok(false)
    }

    /// Carries out one line; returns whether it asks for the end.
    fn obey(&mut self, line: &str) -> anyhow::Result<bool> {
        // Several lines in one come from pasting: a game.
        let pasted = line.contains('\n');
        let parsed = if pasted {
            Ok(Some(Command::Load(line.to_owned(), 1)))
        } else {
            self.parse(line)
        };
        let command = match parsed {
            Ok(Some(command)) => command,
            // An empty line takes note of a pass.
            Ok(None) if line.trim().is_empty() && matches!(self.table.session.turn(), Turn::Pass(_)) => {
                Command::Pass
            }
            Ok(None) => return Ok(false),
            Err(message) => {
                output::line(&format!("? {message}"))?;
                return Ok(false);
            }
        };
        // What changes the position shows the board anew, even if it looks the same.
        let moves_about = matches!(
            command,
            Command::New | Command::Load(..) | Command::Undo | Command::Redo | Command::Goto(_)
        );
        let before = (pasted && self.table.is_unsaved()).then(|| G::transcript(&self.table.session));
        match self.table.obey(command) {
            Ok(Said::Quit) => return Ok(true),
            Ok(said @ Said::Hint) => self.waits_for = Some(said),
            Ok(said @ Said::Graph) => {
                self.table.session.fill_values(true);
                self.waits_for = Some(said);
            }
            Ok(said) => {
                if moves_about {
                    self.shown = None;
                    self.drawn.replace(None);
                }
                self.report(&said)?;
                if let Some(moves) = before {
                    output::line(&format!("the game before it: {moves}"))?;
                }
            }
            Err(error) => output::line(&format!("? {}", output::reasons(&error)))?,
        }
        Ok(false)
    }

    fn report(&mut self, said: &Said) -> anyhow::Result<()> {
        let session = &self.table.session;
        match said {
            Said::Nothing | Said::Quit => Ok(()),
            Said::Line(text) => output::line(text),
            Said::Help(text) => output::line(text),
            Said::Board => self.board(),
            Said::Moves => {
                output::line(&format!("moves: {}", G::transcript(session)))?;
                self.mistakes()
            }
            Said::Graph => {
                let text = G::graph(session, GRAPH.0, GRAPH.1);
                self.table.session.fill_values(false);
                output::write_all(text.as_bytes())?;
                self.mistakes()
            }
            Said::Hint => {
                let lines = G::hint_lines(session);
                lines
                    .iter()
                    .try_for_each(|line| output::line(&format!("hint {line}")))
            }
        }
    }
}

impl<G: Sitting> Plain<G> {
    /// Says which moves are known to have lost something.
    fn mistakes(&self) -> anyhow::Result<()> {
        let mistakes = G::mistakes(&self.table.session);
        mistakes.iter().try_for_each(|line| output::line(line))
    }
}

/// Returns a time on a clock: minutes, seconds, and tenths towards the end.
pub(super) fn clock_text(left: Duration) -> String {
    let tenths = left.as_millis() / 100;
    let (minutes, seconds) = (tenths / 600, tenths / 10 % 60);
    if tenths < 600 {
        format!("{minutes}:{seconds:02}.{}", tenths % 10)
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Says what the engine is doing.
pub(super) const fn doing(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Move => "thinking",
        Purpose::Hint { .. } => "searching for a hint",
        Purpose::Value { .. } => "valuing earlier positions",
        Purpose::Judge { .. } => "judging moves",
    }
}
