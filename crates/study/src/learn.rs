//! How a book grows: positions are chosen, evaluated round by round, and their facts added.
//!
//! A round is a list of positions that is fixed before it begins, so that it is a job of `outflank_jobs`: whatever is finished
//! is in a log beside the book, and a killed process goes on from there. When the round is done, its facts are added, the book
//! takes its place in one step, and the log goes. The content of the book depends on nothing but the book before, the
//! options and the engine: not on threads, speed, or how often the work was interrupted.

mod evaluate;
mod games;

pub use evaluate::{How, Judgment, evaluate};
pub use games::{Counted, GameCounts};

use crate::{
    batch::Judge,
    book::{OpenError, load, save},
};
use outflank_book::{
    Book, BookError, Fact, Growth, Place, Slot, Worked, Worth, distinct_moves, exchange::json, exits,
    reachable,
};
use outflank_eval::Evaluator;
use outflank_jobs::{
    Event, Fingerprint, Job, LogError, Outcome, Progress, ResultLog, RunError, Runner, Shard,
};
use outflank_othello::{Board, Color};
use outflank_othello_engine::{Engine, EngineConfig, EngineError};
use outflank_search::{Clock, StopToken};
use std::{
    collections::BTreeSet,
    fs, io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// What to learn.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Positions that the book leads to, the cheapest first, until it has `positions` of them; all with at most `every`
    /// discs come before.
    Expand {
        /// How far the book may grow.
        growth: Growth,
        /// Positions with at most so many discs are all added, whatever their moves lose.
        every: Option<u32>,
        /// The size of the book at which it ends.
        positions: usize,
    },
    /// These positions, where they are not in the book.
    Add(Vec<Board>),
    /// Positions of the book once more, those that matter most first.
    Verify {
        /// Which positions can be reached within these limits.
        growth: Growth,
        /// Only those without a value that is worth so much.
        below: Worth,
        /// Only those with at most so many empty squares.
        empties: u32,
        /// Only those that another engine or another version has evaluated.
        stale: bool,
        /// Most positions.
        limit: usize,
    },
}

impl Task {
    /// Returns the positions of the next round, keys in order of importance; none if there is nothing left to do.
    pub fn next(&self, book: &Worked, source: &str) -> Vec<Board> {
        match self {
            Self::Expand {
                growth,
                every,
                positions,
            } => {
                let room = positions.saturating_sub(book.book().len());
                let mut next = every.map_or_else(Vec::new, |every| missing(book, every));
                if next.is_empty() {
                    next = exits(book, ROOT, growth)
                        .into_iter()
                        .map(|exit| exit.next)
                        .collect();
                }
                let start = Board::start().canonical().0;
                if next.is_empty() && book.book().get(start).is_none() {
                    next.push(start);
                }
                next.truncate(room.min(round_size(book.book().len())));
                next
            }
            Self::Add(boards) => {
                let keys = boards.iter().filter_map(|&board| Some(Place::key(board)?.0));
                let mut seen = BTreeSet::new();
                let new = |key: &Board| {
                    let known = book
                        .book()
                        .get(*key)
                        .is_some_and(|entry| entry.facts().next().is_some());
                    !known && seen.insert(*key)
                };
                let mut new: Vec<Board> = keys.filter(new).collect();
                new.truncate(round_size(book.book().len()));
                new
            }
            Self::Verify {
                growth,
                below,
                empties,
                stale,
                limit,
            } => {
                let wanted = |key: &Board| {
                    let entry = book.book().get(*key);
                    key.empties().count() <= *empties
                        && entry.is_some_and(|entry| {
                            let mut facts = entry.facts().filter(|(slot, _)| *slot != Slot::Rest);
                            if *stale {
                                facts.any(|(_, fact)| book.book().source_name(fact.source) != source)
                            } else {
                                !facts.any(|(_, fact)| fact.worth >= *below)
                            }
                        })
                };
                let keys = reachable(book, ROOT, growth).into_iter().map(|(_, key)| key);
                keys.filter(wanted).take(*limit).collect()
            }
        }
    }
}

/// Where every line begins.
const ROOT: (Board, Color) = (Board::start(), Color::Black);

/// Positions of a round, by the size of the book alone: of threads or speed its content would depend on the machine.
fn round_size(positions: usize) -> usize {
    (positions / 100).max(256)
}

/// Returns the positions with at most `discs` discs that the book does not have, those with fewer discs first.
fn missing(book: &Worked, discs: u32) -> Vec<Board> {
    let mut missing = Vec::new();
    let mut layer = BTreeSet::from([ROOT.0.canonical().0]);
    while !layer.is_empty() {
        missing.extend(
            layer
                .iter()
                .copied()
                .filter(|&key| book.book().get(key).is_none()),
        );
        let mut next = BTreeSet::new();
        for key in layer.into_iter().filter(|key| key.occupied().count() < discs) {
            for square in distinct_moves(key) {
                let after = key.play_unchecked(square, key.flips(square));
                if let Place::Node { key, .. } = Place::of(after) {
                    next.insert(key);
                }
            }
        }
        layer = next;
    }
    missing
}

/// What happens while a book learns.
#[derive(Clone, Copy, Debug)]
pub enum LearnEvent<'a> {
    /// A round begins.
    Round {
        /// Its number in the life of the book, from 1.
        round: u64,
        /// Positions of the round.
        positions: usize,
        /// Positions of the book.
        book: usize,
        /// The value of the start position in units.
        root: Option<i16>,
    },
    /// A position is done and in the log.
    Position {
        /// Where the round stands.
        progress: Progress,
        /// The facts, as a line of JSON.
        line: &'a str,
    },
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// Positions of the book before.
    pub before: usize,
    /// Positions of the book now.
    pub after: usize,
    /// Positions that were evaluated.
    pub evaluated: usize,
    /// Rounds that were finished.
    pub rounds: u64,
    /// Positions that were there before and have another best move now.
    pub changed: usize,
    /// The value of the start position before, in units.
    pub root_before: Option<i16>,
    /// The value of the start position now, in units.
    pub root_after: Option<i16>,
    /// Whether everything was done; if not, the log is there to go on with.
    pub complete: bool,
}

/// Why a book cannot learn.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The book cannot be read or saved.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// There is a log already.
    #[error("{}: an earlier run was interrupted; go on with it (--resume and the same options), or remove the file", .0.display())]
    Interrupted(PathBuf),
    /// The log cannot be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The work has failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// There is no engine to be had.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The facts do not fit the book.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The log holds something else than facts.
    #[error("{}: {reason}", path.display())]
    Line {
        /// The log.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The log cannot be removed.
    #[error("{}: {reason}", path.display())]
    Remove {
        /// The log.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// A packed book does not grow.
    #[error("{}: a packed book does not change; make a plain one of it first: outflank book merge NEW.ofb {}", .0.display(), .0.display())]
    Packed(PathBuf),
}

/// Lets the book of a file learn.
pub struct Learner<'a, E> {
    /// The file.
    pub path: &'a Path,
    /// What to judge by.
    pub judge: Judge<'a, E>,
    /// How to evaluate.
    pub how: How,
    /// Who says so, such as `Outflank 0.2.0, weights 0123456789abcdef`.
    pub source: &'a str,
    /// Positions that are evaluated at the same time, one thread each.
    pub threads: usize,
    /// Whether to go on with the log of an interrupted run.
    pub resume: bool,
    /// The time.
    pub clock: &'a Arc<dyn Clock>,
    /// Ends the work as soon as possible.
    pub stop: &'a StopToken,
}

impl<E> std::fmt::Debug for Learner<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learner")
            .field("path", &self.path)
            .field("how", &self.how)
            .finish_non_exhaustive()
    }
}

/// The setting that names the last round that was added, so that its log is known to be done with.
const ADDED: &str = "added";

/// Returns the path of the log beside a book.
pub fn log_path(book: &Path) -> PathBuf {
    book.with_added_extension("log")
}

/// Refuses to change a book while a run of learning is unfinished.
///
/// # Errors
///
/// There is a log that was not added yet.
pub fn require_no_log(path: &Path, book: &Book) -> Result<(), LearnError> {
    let log = log_path(path);
    if !log.exists() || is_added(&log, book) {
        return Ok(());
    }
    Err(LearnError::Interrupted(log))
}

/// Returns whether the round of this log has been added to the book: the process ended before it could remove the log.
fn is_added(log: &Path, book: &Book) -> bool {
    let log = ResultLog::read(log).ok();
    log.is_some_and(|log| book.settings.get(ADDED) == Some(&log.job().fingerprint.to_string()))
}

/// Removes a log that is done with, if there is one.
fn remove_log(path: &Path) -> Result<(), LearnError> {
    match fs::remove_file(path) {
        Err(reason) if reason.kind() != io::ErrorKind::NotFound => Err(LearnError::Remove {
            path: path.to_owned(),
            reason,
        }),
        _ => Ok(()),
    }
}

impl<E: Evaluator + 'static> Learner<'_, E> {
    /// Does the task, round after round, until there is nothing left to do or it is stopped.
    ///
    /// # Errors
    ///
    /// Returns [`LearnError`]; what was finished before is kept.
    pub fn learn(
        &self,
        task: &Task,
        on_event: &mut dyn FnMut(&LearnEvent<'_>),
    ) -> Result<Learned, LearnError> {
        if self.path.extension().is_some_and(|extension| extension == "ofbz") {
            return Err(LearnError::Packed(self.path.to_owned()));
        }
        let mut book = Worked::new(load(self.path)?);
        let start = Board::start().canonical().0;
        let root = |book: &Worked| book.derived(start).and_then(|derived| derived.value);
        let mut learned = Learned {
            before: book.book().len(),
            root_before: root(&book),
            complete: true,
            ..Learned::default()
        };
        let mut resume = self.resume;
        loop {
            let positions = task.next(&book, self.source);
            if positions.is_empty() {
                // Whatever the log is about, it is not this task, or done.
                require_no_log(self.path, book.book())?;
                remove_log(&log_path(self.path))?;
                break;
            }
            on_event(&LearnEvent::Round {
                round: book.book().round + 1,
                positions: positions.len(),
                book: book.book().len(),
                root: root(&book),
            });
            let (after, evaluated) = self.round(&book, task, &positions, resume, on_event)?;
            learned.evaluated += evaluated;
            let Some(after) = after else {
                learned.complete = false;
                break;
            };
            learned.rounds += 1;
            learned.changed += changed(&book, &after, &positions);
            book = after;
            resume = false;
            if matches!(task, Task::Verify { .. }) {
                break;
            }
        }
        learned.after = book.book().len();
        learned.root_after = root(&book);
        Ok(learned)
    }

    /// Evaluates the positions of a round and adds their facts; returns the book if that was all, and how many were
    /// evaluated.
    fn round(
        &self,
        book: &Worked,
        task: &Task,
        positions: &[Board],
        resume: bool,
        on_event: &mut dyn FnMut(&LearnEvent<'_>),
    ) -> Result<(Option<Worked>, usize), LearnError> {
        let path = log_path(self.path);
        let mut log = self.open_log(&path, book.book(), task, positions, resume)?;
        let done = log.n_done();
        let seconds = || self.clock.now().as_secs_f64();
        let mut runner = Runner::new(&seconds);
        runner.workers = NonZeroUsize::new(self.threads).unwrap_or(NonZeroUsize::MIN);
        let is_stopped = || self.stop.is_stopped();
        runner.stop = &is_stopped;
        // An engine is made here, so that a lack of memory is an error before anything runs.
        drop(self.engine()?);
        let failure = Mutex::new(None);
        let new_worker = || {
            let engine = self.engine();
            engine
                .map_err(|error| {
                    self.stop.stop();
                    *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                })
                .ok()
        };
        let work = |engine: &mut Option<Engine<E>>, item: usize| {
            let key = *positions.get(item)?;
            let facts = evaluate(engine.as_mut()?, key, &self.how, self.stop)?;
            line(key, &facts, self.source)
        };
        let outcome = runner.run(&mut log, new_worker, work, &mut |event| {
            if let Event::ItemDone { result, progress, .. } = event {
                on_event(&LearnEvent::Position {
                    progress: *progress,
                    line: result,
                });
            }
        });
        if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error.into());
        }
        let outcome = outcome?;
        let evaluated = log.n_done() - done;
        if outcome == Outcome::Stopped {
            return Ok((None, evaluated));
        }
        let mut after = book.book().clone();
        for text in log.results()? {
            let mut report = outflank_book::exchange::Report::default();
            json::read_position(&text, &mut after, &mut report).map_err(|reason| LearnError::Line {
                path: path.clone(),
                reason,
            })?;
        }
        after.round += 1;
        let print = log.job().fingerprint.to_string();
        after.settings.insert(ADDED.to_owned(), print);
        let after = Worked::new(after);
        save(self.path, &after)?;
        drop(log);
        remove_log(&path)?;
        Ok((Some(after), evaluated))
    }

    fn open_log(
        &self,
        path: &Path,
        book: &Book,
        task: &Task,
        positions: &[Board],
        resume: bool,
    ) -> Result<ResultLog, LearnError> {
        let mut print = Fingerprint::default()
            .with(book.digest().to_string().as_bytes())
            .with(&book.round.to_le_bytes())
            .with(self.source.as_bytes())
            .with(format!("{task:?}").as_bytes());
        print = self.how.mix(print);
        for key in positions {
            print = print
                .with(&key.player().bits().to_le_bytes())
                .with(&key.opponent().bits().to_le_bytes());
        }
        let job = Job {
            title: format!("round {} of {}", book.round + 1, self.path.display()),
            fingerprint: print,
            items: positions.len(),
            shard: Shard::WHOLE,
        };
        if path.exists() {
            if is_added(path, book) {
                remove_log(path)?;
            } else if !resume {
                return Err(LearnError::Interrupted(path.to_owned()));
            }
        }
        Ok(if resume {
            ResultLog::resume(path, job)?
        } else {
            ResultLog::create(path, job)?
        })
    }

    fn engine(&self) -> Result<Engine<E>, EngineError> {
        let (evaluator, probcut) = self.judge;
        let config = EngineConfig {
            table_bytes: (self.how.megabytes as usize) << 20,
            threads: 1,
            ..EngineConfig::default()
        };
        Engine::judging_by(
            Arc::clone(evaluator),
            Arc::clone(probcut),
            config,
            Arc::clone(self.clock),
        )
    }
}

/// Returns the facts about a position as a line of JSON.
fn line(key: Board, facts: &[Judgment], source: &str) -> Option<String> {
    let mut book = Book::new();
    let source = book.source(source).ok()?;
    book.add_position(key).ok()?;
    for &(slot, units, worth) in facts {
        book.add(key, slot, Fact::new(units, worth, source)).ok()?;
    }
    let entry = book.get(key)?;
    Some(json::write_position(&book, key, entry))
}

/// Returns how many of `positions` have another best move than before.
fn changed(before: &Worked, after: &Worked, positions: &[Board]) -> usize {
    let best = |book: &Worked, key: Board| {
        let moves = book.moves(key);
        let best = moves.iter().max_by_key(|mv| (mv.derived.value, mv.square));
        best.filter(|mv| mv.derived.value.is_some()).map(|mv| mv.square)
    };
    let differs = |key: &&Board| {
        let old = best(before, **key);
        old.is_some() && old != best(after, **key)
    };
    positions.iter().filter(differs).count()
}

#[cfg(test)]
mod tests;
