//! The engines that a front-end keeps between calls.

use crate::{
    access::Capabilities,
    analyze::table_bytes,
    call::{Call, Event, dispatch},
    error::Error,
    games::own::Collections,
};
use outflank_eval::Patterns;
use outflank_gomoku_engine as gomoku;
use outflank_othello_engine as othello;
use outflank_search::{Clock, Engine, StopToken};
use outflank_study::book::Shelf;
use std::{fmt, sync::Arc};

/// What one party that asks has at its disposal: an engine for each game, made when it is first needed, collections
/// of games, and a clock.
///
/// Engines that are kept know the next position already when a game goes on, and cost no time to begin with. The same
/// call may then need fewer positions than the first time; a value that is exact stays the same.
pub struct Engines {
    clock: Arc<dyn Clock>,
    /// Bytes of the table where a request names no number.
    table_bytes: Option<u64>,
    keep: bool,
    collections: Arc<Collections>,
    /// Threads of one search of Othello.
    threads: usize,
    /// What judges positions of Othello; `None` for the weights that belong to this version.
    patterns: Option<Arc<Patterns>>,
    othello: Option<(Made, othello::Engine<Patterns>)>,
    gomoku: Option<(Made, gomoku::Engine)>,
    book: Option<Shelf>,
}

/// What an engine was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Made {
    table_bytes: usize,
    seed: u64,
}

impl fmt::Debug for Engines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engines")
            .field("table_bytes", &self.table_bytes)
            .field("keep", &self.keep)
            .finish_non_exhaustive()
    }
}

impl Engines {
    /// Decodes the weights that all engines of Othello share, some 25 ms once in a process: for a front-end that can do
    /// so while nobody asks yet.
    pub fn prepare() {
        Patterns::shared();
    }

    /// Returns engines that begin every call, and every position of a call, with an empty memory: the same call gives
    /// the same answer.
    pub fn fresh(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            table_bytes: None,
            keep: false,
            collections: Arc::default(),
            threads: 1,
            patterns: None,
            othello: None,
            gomoku: None,
            book: None,
        }
    }

    /// Returns engines that remember what they have searched, with tables of `table_bytes` where a request asks for no
    /// other size.
    pub fn kept(clock: Arc<dyn Clock>, table_bytes: u64) -> Self {
        Self {
            table_bytes: Some(table_bytes),
            keep: true,
            ..Self::fresh(clock)
        }
    }

    /// Lets searches of Othello use this many threads; with more than one the nodes differ each time.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self {
            threads: threads.max(1),
            ..self
        }
    }

    /// Lets other weights judge positions of Othello, for whoever has trained some.
    #[must_use]
    pub fn with_patterns(self, patterns: Option<Arc<Patterns>>) -> Self {
        Self { patterns, ..self }
    }

    /// Adds an opening book of Othello, which requests may ask for; they name none, and open none.
    #[must_use]
    pub fn with_book(self, book: Option<Shelf>) -> Self {
        Self { book, ..self }
    }

    /// Returns the opening book, if there is one and a request `wants` it.
    pub(crate) fn book(&self, wants: bool) -> Option<Shelf> {
        self.book.clone().filter(|_| wants)
    }

    /// Returns the engines with these collections of games to ask, which others may ask as well.
    #[must_use]
    pub fn with_collections(mut self, collections: Arc<Collections>) -> Self {
        self.collections = collections;
        self
    }

    /// Returns the collections of games.
    pub const fn collections(&self) -> &Arc<Collections> {
        &self.collections
    }

    /// Returns the clock.
    pub const fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// Lets every engine forget what it has learned.
    pub fn forget(&mut self) {
        if let Some((_, engine)) = &mut self.othello {
            engine.clear();
        }
        if let Some((_, engine)) = &mut self.gomoku {
            engine.clear();
        }
    }

    /// Gives every engine up, with its memory: the next call makes a new one.
    pub fn forget_all(&mut self) {
        self.othello = None;
        self.gomoku = None;
    }

    /// Does what is asked, in the caller's thread, and tells `on_event` of progress and results.
    ///
    /// # Errors
    ///
    /// Returns why the request cannot be answered; one that names a file or a program is refused without the
    /// capability.
    pub fn run(
        &mut self,
        call: &Call,
        capabilities: &Capabilities<'_>,
        stop: &StopToken,
        on_event: &mut dyn FnMut(Event),
    ) -> Result<(), Error> {
        dispatch(call, capabilities, self, stop, on_event)
    }

    fn made(&self, bytes: Option<u64>, seed: u64) -> Result<Made, Error> {
        let table_bytes = table_bytes(bytes.or(self.table_bytes))?;
        Ok(Made { table_bytes, seed })
    }

    /// Returns an engine for Othello that is ready for a position; `seed` is for the levels that err as people do.
    pub(crate) fn othello(
        &mut self,
        bytes: Option<u64>,
        seed: Option<u64>,
    ) -> Result<&mut othello::Engine<Patterns>, Error> {
        let seed = seed.unwrap_or(othello::EngineConfig::default().seed);
        let (made, clock, threads) = (self.made(bytes, seed)?, Arc::clone(&self.clock), self.threads);
        let patterns = self.patterns.clone();
        ready(&mut self.othello, made, self.keep, || {
            let config = othello::EngineConfig {
                table_bytes: made.table_bytes,
                seed,
                threads,
                ..othello::EngineConfig::default()
            };
            let engine = match patterns {
                None => othello::Engine::with_clock(config, clock),
                Some(patterns) => {
                    let probcut = Arc::new(othello::tuning::ProbCutTable::embedded());
                    othello::Engine::judging_by(patterns, probcut, config, clock)
                }
            };
            engine.map_err(|error| Error::Engine(error.to_string()))
        })
    }

    /// Returns an engine for Gomoku that is ready for a position.
    pub(crate) fn gomoku(&mut self, bytes: Option<u64>) -> Result<&mut gomoku::Engine, Error> {
        let (made, clock) = (self.made(bytes, 0)?, Arc::clone(&self.clock));
        ready(&mut self.gomoku, made, self.keep, || {
            let config = gomoku::EngineConfig {
                table_bytes: made.table_bytes,
                ..gomoku::EngineConfig::default()
            };
            gomoku::Engine::with_clock(config, clock).map_err(|error| Error::Engine(error.to_string()))
        })
    }
}

/// Returns the engine in `slot` if it was made for this, forgetful unless it is to `keep` what it knows; else a new one.
fn ready<E: Engine>(
    slot: &mut Option<(Made, E)>,
    made: Made,
    keep: bool,
    make: impl FnOnce() -> Result<E, Error>,
) -> Result<&mut E, Error> {
    // Never two tables at a time.
    let fitting = slot.take().filter(|(old, _)| *old == made);
    let engine = if let Some((_, mut engine)) = fitting {
        if !keep {
            engine.clear();
        }
        engine
    } else {
        make()?
    };
    Ok(&mut slot.insert((made, engine)).1)
}
