//! The game, the engine's thread and the clock together: commands in, what happened out.

use super::{
    command::Command,
    kept::{Kept, Saved as _},
    sitting::{Sitting, who_plays},
};
use anyhow::bail;
use outflank_api::worker::{self, Worker};
use outflank_othello::Game;
use outflank_search::{Clock as _, SystemClock};
use outflank_study::play::{ErrorOf, GameSession, MoveOf, Purpose, Search, SessionError, Turn};
use std::{path::Path, time::Duration};

/// What the engine's thread tells.
pub(super) type News<G = Game> = worker::News<<G as Sitting>::Engine>;

/// The table at which a game is played.
pub(super) struct Table<G: Sitting = Game> {
    /// The game.
    pub(super) session: GameSession<G>,
    thinker: Worker<G::Engine>,
    running: Option<Running<G>>,
    clock: SystemClock,
    /// The file that this game was saved to last; it may be overwritten.
    saved_to: Option<String>,
    /// The moves when the game was saved or loaded last.
    saved: Vec<MoveOf<G>>,
    /// Whether the game is saved to that file by itself when it is left.
    keeps: bool,
    kept: Kept<G::Record>,
    /// The moves when that was looked at last.
    looked_at: Option<Vec<MoveOf<G>>>,
}

/// A search that the engine's thread is busy with.
struct Running<G: Sitting> {
    search: Search<G::Position>,
    /// When it began.
    began: Duration,
    /// Whether it was stopped because nobody wants its answer any more.
    abandoned: bool,
}

/// Where the game is to be saved when it is left, as the command line says.
#[derive(Clone, Copy, Debug)]
pub struct Saving<'a> {
    /// The file, if there is one.
    pub path: Option<&'a str>,
    /// What the game was loaded from.
    pub loaded: Option<&'a str>,
}

impl Saving<'_> {
    /// Sees to it at a table.
    pub(super) fn arrange<G: Sitting>(&self, table: &mut Table<G>) -> anyhow::Result<()> {
        match self.path {
            Some(path) => table.keep(path, self.loaded),
            None => Ok(()),
        }
    }
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

impl<G: Sitting> Table<G> {
    /// Sits down at a game; the engine's thread calls `tell` with its news.
    pub(super) fn new(
        session: GameSession<G>,
        engine: G::Engine,
        tell: impl Fn(News<G>) + Send + 'static,
    ) -> Self {
        Self {
            saved: session.recorded_moves(),
            session,
            thinker: Worker::start(engine, tell),
            running: None,
            clock: SystemClock::new(),
            saved_to: None,
            keeps: false,
            kept: Kept::default(),
            looked_at: None,
        }
    }

    /// Saves the game to this file when it is left, whoever leaves it.
    ///
    /// # Errors
    ///
    /// The file could not be written, or holds something else.
    pub(super) fn keep(&mut self, path: &str, loaded: Option<&str>) -> anyhow::Result<()> {
        if loaded != Some(path) && Path::new(path).exists() {
            bail!("--save {path} exists; name another file, or go on with it: --load {path} --save {path}");
        }
        G::Record::check_name(path)?;
        self.saved_to = Some(path.to_owned());
        self.keeps = true;
        Ok(())
    }

    /// Returns what would have to be saved if this were the end; it is kept up to date.
    pub(super) fn kept(&self) -> Kept<G::Record> {
        self.kept.clone()
    }

    /// Takes note of what would be lost by an end that comes from outside: a game for which a file was named.
    fn look_after(&mut self) {
        let moves = self.session.recorded_moves();
        if self.looked_at.as_ref() == Some(&moves) {
            return;
        }
        self.looked_at = Some(moves);
        if self.has_news() {
            self.kept.put(G::record(&self.session), self.saved_to.clone());
        } else {
            self.kept.clear();
        }
    }

    /// Saves the game if that is to happen by itself; returns what there is to say about it.
    ///
    /// # Errors
    ///
    /// Says why it cannot be saved.
    pub(super) fn save_by_itself(&mut self) -> anyhow::Result<Option<String>> {
        self.look_after();
        if !self.keeps {
            return Ok(None);
        }
        let path = self.kept.save()?;
        self.saved = self.session.recorded_moves();
        Ok(path.map(|path| format!("saved to {path}")))
    }

    /// Returns whether the game has moves that were not saved.
    fn has_news(&self) -> bool {
        !self.saved.starts_with(&self.session.recorded_moves())
    }

    /// Returns the time since the game began.
    pub(super) fn now(&self) -> Duration {
        self.clock.now()
    }

    /// Returns whether moves would be lost by leaving.
    pub(super) fn is_unsaved(&self) -> bool {
        !self.keeps && self.has_news() && self.session.turn() != Turn::Over
    }

    /// Starts the search that the game wants; stops one that it does not want any more.
    pub(super) fn pump(&mut self) -> anyhow::Result<()> {
        let now = self.now();
        self.session.tick(now);
        self.look_after();
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

    /// Takes news of the engine's thread. Says what the engine has played, if it has moved.
    pub(super) fn news(&mut self, news: News<G>) -> anyhow::Result<Option<String>> {
        match news {
            worker::News::Failed => {
                bail!("the search has failed; please report this with the moves that led to it")
            }
            worker::News::Progress(progress) => {
                if let Some(running) = self.running.as_ref().filter(|running| !running.abandoned) {
                    self.session.news(&running.search, &progress);
                }
                Ok(None)
            }
            worker::News::Finished(outcome) => {
                let Some(running) = self.running.take() else {
                    return Ok(None);
                };
                if running.abandoned {
                    return Ok(None);
                }
                let now = self.now();
                let color = self.session.game().side();
                let played = self.session.found(&running.search, &outcome, now);
                Ok(played.map(|line| G::engine_move(color, &line)))
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
    pub(super) fn obey(&mut self, command: Command<G::Place>) -> anyhow::Result<Said> {
        let now = self.now();
        match command {
            Command::Place(square) => self.session.place(square, now)?,
            Command::Pass => G::pass(&mut self.session, now)?,
            Command::Hint(lines) => {
                if !self.session.ask_hint(lines) {
                    return Err(self.no_hint().into());
                }
                return Ok(Said::Hint);
            }
            Command::Undo => return Ok(Said::Line(taken("taken back", self.session.undo(now)?))),
            Command::Redo => return Ok(Said::Line(taken("played again", self.session.redo(now)?))),
            Command::Goto(moves) => {
                let last = self.session.moves().len() + self.session.moves_ahead();
                self.session
                    .go_to(if moves == usize::MAX { last } else { moves }, now)?;
                let at = self.session.moves().len();
                return Ok(Said::Line(format!("move {at} of {last}")));
            }
            Command::Go => self.session.engine_moves()?,
            Command::Stop => match self.busy_with() {
                Some(_) => self.hurry(),
                None => return Ok(Said::Line("the engine is not thinking".to_owned())),
            },
            Command::Level(level) => {
                self.session.set_level(level);
                return Ok(Said::Line(G::level_text(level)));
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
                let saved = self.save_by_itself()?;
                self.session.restart(now);
                self.begin();
                return Ok(Said::Line(and_saved("a new game".to_owned(), saved)));
            }
            Command::Load(what, number) => return self.load(&what, number),
            Command::Save { path, overwrite } => return self.save(path, overwrite),
            Command::Board => return Ok(Said::Board),
            Command::Moves => return Ok(Said::Moves),
            Command::Graph => return Ok(Said::Graph),
            Command::Help => return Ok(Said::Help(G::HELP)),
            Command::Quit => return Ok(Said::Quit),
        }
        Ok(Said::Nothing)
    }

    /// Returns why there is no hint here.
    fn no_hint(&self) -> ErrorOf<G> {
        match self.session.turn() {
            Turn::Pass(color) | Turn::Paused(color) => SessionError::MustPass(color),
            Turn::Think(_) => SessionError::EnginesTurn,
            Turn::Choose(_) | Turn::Over | Turn::TimeOut(_) => SessionError::Over,
        }
    }

    fn load(&mut self, what: &str, number: usize) -> anyhow::Result<Said> {
        let loaded = G::read(&self.session, what, number)?;
        let saved = self.save_by_itself()?;
        let now = self.now();
        G::load(&mut self.session, loaded.record, now)?;
        self.begin();
        let mut text = format!("loaded {}: {} moves", loaded.format, self.saved.len());
        for warning in loaded.warnings {
            text.push_str("; warning: ");
            text.push_str(&warning);
        }
        Ok(Said::Line(and_saved(text, saved)))
    }

    /// Begins with another game, which nobody has saved.
    fn begin(&mut self) {
        self.saved = self.session.recorded_moves();
        self.saved_to = None;
        self.keeps = false;
        self.looked_at = None;
    }

    fn save(&mut self, path: String, overwrite: bool) -> anyhow::Result<Said> {
        let record = G::record(&self.session);
        if !overwrite && !self.may_write(&path) {
            bail!("{path} exists; save! overwrites it");
        }
        record.save(&path)?;
        self.saved = self.session.recorded_moves();
        let text = format!("saved to {path}");
        self.saved_to = Some(path);
        self.looked_at = None;
        Ok(Said::Line(text))
    }

    /// Returns the name of the file that the game was saved to, or one that it might be saved to.
    pub(super) fn file_name(&self) -> String {
        self.saved_to
            .clone()
            .unwrap_or_else(|| format!("game.{}", G::Record::ENDING))
    }

    /// Returns whether saving to `path` destroys nothing but an earlier state of this game.
    pub(super) fn may_write(&self, path: &str) -> bool {
        self.saved_to.as_deref() == Some(path) || !Path::new(path).exists()
    }

    /// Leaves the table, and says if the engine has failed.
    pub(super) fn leave(self) -> anyhow::Result<()> {
        Ok(self.thinker.end()?)
    }
}

fn and_saved(text: String, saved: Option<String>) -> String {
    match saved {
        Some(saved) => format!("{text}; the game before it: {saved}"),
        None => text,
    }
}

fn taken(what: &str, moves: usize) -> String {
    let plural = if moves == 1 { "" } else { "s" };
    format!("{moves} move{plural} {what}")
}
