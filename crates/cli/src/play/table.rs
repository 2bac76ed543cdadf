//! The game, the engine's thread and the clock together: commands in, what happened out.

use super::{
    command::{Command, HELP},
    files,
};
use crate::{
    engine::DefaultEvaluator,
    thinker::{News, Thinker},
    values::known_text,
};
use anyhow::bail;
use outflank_othello::{Color, Move};
use outflank_othello_engine::{Engine, Line, Strength};
use outflank_search::{Clock as _, SystemClock};
use outflank_study::play::{PlayError, Purpose, Search, Seat, Session, Turn};
use std::{path::Path, time::Duration};

/// The table at which a game is played.
pub(super) struct Table {
    /// The game.
    pub(super) session: Session,
    thinker: Thinker,
    running: Option<Running>,
    clock: SystemClock,
    /// The file that this game was saved to last; it may be overwritten.
    saved_to: Option<String>,
    /// Moves made when the game was saved or loaded last.
    saved_at: usize,
}

/// A search that the engine's thread is busy with.
struct Running {
    search: Search,
    /// When it began.
    began: Duration,
    /// Whether it was stopped because nobody wants its answer any more.
    abandoned: bool,
}

/// What a command has to say.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Nothing: the board shows it.
    Nothing,
    /// One line.
    Line(String),
    /// Several lines of help.
    Help(&'static str),
    /// The board is wanted.
    Board,
    /// The moves are wanted.
    Moves,
    /// A hint is wanted, and being searched.
    Hint,
    /// The graph is wanted.
    Graph,
    /// The end is wanted.
    Quit,
}

impl Table {
    /// Sits down at a game; the engine's thread calls `tell` with its news.
    pub(super) fn new(
        session: Session,
        engine: Engine<DefaultEvaluator>,
        tell: impl Fn(News) + Send + 'static,
    ) -> Self {
        Self {
            saved_at: session.game().moves().len(),
            session,
            thinker: Thinker::start(engine, tell),
            running: None,
            clock: SystemClock::new(),
            saved_to: None,
        }
    }

    /// Returns the time since the game began.
    pub(super) fn now(&self) -> Duration {
        self.clock.now()
    }

    /// Returns whether moves would be lost by leaving.
    pub(super) fn is_unsaved(&self) -> bool {
        self.session.game().moves().len() > self.saved_at && self.session.turn() != Turn::Over
    }

    /// Starts the search that the game wants; stops one that it does not want any more.
    pub(super) fn pump(&mut self) -> anyhow::Result<()> {
        let now = self.now();
        self.session.tick(now);
        if let Some(running) = &mut self.running {
            if !running.abandoned && !self.session.asks(&running.search) {
                running.abandoned = true;
                self.thinker.stop();
            }
            return Ok(());
        }
        if let Some(search) = self.session.wanted(now) {
            self.thinker.search(search.request.clone())?;
            self.running = Some(Running {
                search,
                began: now,
                abandoned: false,
            });
        }
        Ok(())
    }

    /// Returns what the engine is searching for, and since when.
    pub(super) fn busy_with(&self) -> Option<(Purpose, Duration)> {
        let running = self.running.as_ref().filter(|running| !running.abandoned)?;
        Some((running.search.purpose, running.began))
    }

    /// Returns whether nothing is being searched, nor wanted.
    pub(super) fn is_idle(&self) -> bool {
        self.running.is_none() && self.session.wanted(self.now()).is_none()
    }

    /// Takes news of the engine's thread. Returns the color and the move if the engine has moved.
    pub(super) fn news(&mut self, news: News) -> anyhow::Result<Option<(Color, Line)>> {
        match news {
            News::Failed => bail!("the search has failed; please report this with the moves that led to it"),
            News::Progress(progress) => {
                if let Some(running) = self.running.as_ref().filter(|running| !running.abandoned) {
                    self.session.news(&running.search, &progress);
                }
                Ok(None)
            }
            News::Finished(outcome) => {
                let Some(running) = self.running.take() else {
                    return Ok(None);
                };
                if running.abandoned {
                    return Ok(None);
                }
                let side = running.search.request.position.side();
                let now = self.now();
                let played = self.session.found(&running.search, &outcome, now);
                Ok(played.map(|evaluation| (side, evaluation)))
            }
        }
    }

    /// Ends the running search: the engine moves with what it has, a hint stays as it is.
    pub(super) fn hurry(&self) {
        self.thinker.stop();
    }

    /// Carries out a command.
    ///
    /// # Errors
    ///
    /// Says why not; the game is then unchanged.
    pub(super) fn obey(&mut self, command: Command) -> anyhow::Result<Said> {
        let now = self.now();
        match command {
            Command::Place(square) => self.session.place(square, now)?,
            Command::Pass => self.session.pass(now)?,
            Command::Hint(lines) => {
                return match (self.session.ask_hint(lines), self.session.turn()) {
                    (true, _) => Ok(Said::Hint),
                    (false, Turn::Pass(color)) => Err(PlayError::MustPass(color).into()),
                    (false, Turn::Think(_)) => Err(PlayError::EnginesTurn.into()),
                    (false, _) => Err(PlayError::Over.into()),
                };
            }
            Command::Undo => return Ok(Said::Line(taken("taken back", self.session.undo(now)?))),
            Command::Redo => return Ok(Said::Line(taken("played again", self.session.redo(now)?))),
            Command::Go => self.session.engine_moves()?,
            Command::Stop => match self.busy_with() {
                Some(_) => self.hurry(),
                None => return Ok(Said::Line("the engine is not thinking".to_owned())),
            },
            Command::Level(level) => {
                self.session.set_level(level);
                let strength = Strength::of(level);
                return Ok(Said::Line(format!(
                    "level {}: {} discs ahead, without error from {} empty squares",
                    level.number(),
                    strength.depth(),
                    strength.exact_empties()
                )));
            }
            Command::Time(time) => {
                self.session.set_move_time(time);
                return Ok(Said::Line(time.map_or_else(
                    || "the level decides how long the engine thinks".to_owned(),
                    |time| format!("the engine thinks {} s a move", time.as_secs_f64()),
                )));
            }
            Command::Color(seats) => {
                self.session.set_seats(seats.seats());
                return Ok(Said::Line(who_plays(&self.session)));
            }
            Command::New => {
                self.session.restart(now);
                self.saved_at = 0;
                self.saved_to = None;
                return Ok(Said::Line("a new game".to_owned()));
            }
            Command::Load(what, number) => return self.load(&what, number),
            Command::Save { path, overwrite } => return self.save(path, overwrite),
            Command::Board => return Ok(Said::Board),
            Command::Moves => return Ok(Said::Moves),
            Command::Graph => return Ok(Said::Graph),
            Command::Help => return Ok(Said::Help(HELP)),
            Command::Quit => return Ok(Said::Quit),
        }
        Ok(Said::Nothing)
    }

    fn load(&mut self, what: &str, number: usize) -> anyhow::Result<Said> {
        let loaded = files::load_nth(what, number)?;
        let now = self.now();
        self.session.load(loaded.record, now);
        self.saved_at = self.session.game().moves().len();
        self.saved_to = None;
        let mut text = format!("loaded {}: {} moves", loaded.format, self.saved_at);
        for warning in loaded.warnings {
            text.push_str("; warning: ");
            text.push_str(&warning);
        }
        Ok(Said::Line(text))
    }

    fn save(&mut self, path: String, overwrite: bool) -> anyhow::Result<Said> {
        let record = self.session.record();
        if !overwrite && !self.may_write(&path) {
            bail!("{path} exists; save! overwrites it");
        }
        files::save(&record, &path)?;
        self.saved_at = record.game.moves().len();
        let text = format!("saved to {path}");
        self.saved_to = Some(path);
        Ok(Said::Line(text))
    }

    /// Returns the name of the file that the game was saved to, or one that it might be saved to.
    pub(super) fn file_name(&self) -> String {
        self.saved_to.clone().unwrap_or_else(|| "game.ggf".to_owned())
    }

    /// Returns whether saving to `path` destroys nothing but an earlier state of this game.
    pub(super) fn may_write(&self, path: &str) -> bool {
        self.saved_to.as_deref() == Some(path) || !Path::new(path).exists()
    }

    /// Leaves the table, and says if the engine has failed.
    pub(super) fn leave(self) -> anyhow::Result<()> {
        self.thinker.end()
    }
}

fn taken(what: &str, moves: usize) -> String {
    let plural = if moves == 1 { "" } else { "s" };
    format!("{moves} move{plural} {what}")
}

/// Says who plays which color.
pub(super) fn who_plays(session: &Session) -> String {
    let level = session.options().level.number();
    match [Color::Black, Color::White].map(|color| session.seat(color)) {
        [Seat::Person, Seat::Engine] => format!("you are black (X), the engine white (O), level {level}"),
        [Seat::Engine, Seat::Person] => format!("you are white (O), the engine black (X), level {level}"),
        [Seat::Person, Seat::Person] => "two people play".to_owned(),
        [Seat::Engine, Seat::Engine] => format!("the engine plays itself, level {level}"),
    }
}

/// Says what the engine has played, and why, for its color.
pub(super) fn engine_move(color: Color, played: &Line) -> String {
    let mv = played.moves.first().map_or_else(String::new, Move::to_string);
    format!(
        "{color} plays {mv}: {} for {color}, {}",
        crate::values::value_text(played),
        crate::values::worth_text(played.verdict)
    )
}

/// Says how the game stands: whose turn it is, or how it has ended.
pub(super) fn status(session: &Session) -> String {
    let position = session.game().position();
    if let Turn::TimeOut(color) = session.turn() {
        return format!("{color} has run out of time: {} wins", !color);
    }
    crate::render::status(position)
}

/// Returns black's values as a graph of text, and says how many positions have one.
pub(super) fn graph(session: &Session, width: usize, height: usize) -> String {
    let values: Vec<Option<f64>> = session
        .values()
        .iter()
        .map(|value| value.map(|value| value.discs))
        .collect();
    let last = session.values().last().copied().flatten();
    let text = outflank_study::review::plot(&values, |_| '•', width, height);
    match last {
        Some(value) => format!("{text}black's value now: {}\n", known_text(value)),
        None => text,
    }
}
