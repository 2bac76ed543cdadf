//! Making the Othello engine that every command uses, from the options that mean the same everywhere.

use crate::options::{ModelArg, Resources};
use anyhow::Context as _;
use outflank_book::{AnyBook, SharedBook};
use outflank_eval::Patterns;
use outflank_gomoku_engine as gomoku;
use outflank_othello_engine::{Engine, EngineConfig};
use outflank_search::{Clock, SystemClock};
use outflank_study::{
    book::Shelf,
    opening::{Booked, OpeningBook, parse_discs},
};
use outflank_terminal::output::complain;
use outflank_train::model::Model;
use std::{
    fs,
    hash::{BuildHasher as _, RandomState},
    path::PathBuf,
    sync::Arc,
};

/// The engine that commands use.
pub(crate) type Othello = Engine<Patterns>;

/// Which opening book is used.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct BookFileArgs {
    /// Othello: the opening book to use.
    #[arg(long, value_name = "FILE")]
    pub(crate) book: Option<PathBuf>,
    /// Use no opening book.
    #[arg(long, conflicts_with = "book")]
    pub(crate) no_book: bool,
}

impl BookFileArgs {
    /// Opens the book that was asked for, or else `usual`.
    pub(crate) fn open(&self, usual: Option<Shelf>) -> anyhow::Result<Option<Shelf>> {
        match &self.book {
            Some(path) => Ok(Some(Shelf::open(path)?)),
            None => Ok(usual.filter(|_| !self.no_book)),
        }
    }
}

/// Which opening book is used, and how a move is chosen from it.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct BookArgs {
    #[command(flatten)]
    pub(crate) file: BookFileArgs,
    /// Choose at random among the moves of the book that lose at most so many discs.
    #[arg(long, value_name = "DISCS", value_parser = parse_discs, conflicts_with = "no_book")]
    book_random: Option<i32>,
    /// Choose as often as people play, among the moves of the book that lose at most so many discs.
    #[arg(long, value_name = "DISCS", value_parser = parse_discs, conflicts_with_all = ["book_random", "no_book"])]
    book_human: Option<i32>,
}

impl BookArgs {
    /// Returns the book that was asked for, or else `usual`, for several to use.
    pub(crate) fn shared(&self, usual: Option<Shelf>) -> anyhow::Result<SharedBook> {
        let shelf = self.file.open(usual)?;
        Ok(SharedBook::new(shelf.map(|shelf| Arc::new(shelf) as AnyBook)))
    }

    /// Returns `engine` with a book; the seed decides what is drawn.
    pub(crate) fn with_book<E>(&self, engine: E, book: SharedBook, seed: Option<u64>) -> Booked<E> {
        let opening = OpeningBook::choosing(self.book_random, self.book_human);
        let seed = seed.unwrap_or_else(any_seed);
        Booked::new(engine, book, opening, seed)
    }
}

/// Returns another seed each time.
pub(crate) fn any_seed() -> u64 {
    RandomState::new().hash_one("a seed")
}

/// Returns a clock that starts at zero, to be shared.
pub(crate) fn system_clock() -> Arc<dyn Clock> {
    SystemClock::shared()
}

impl ModelArg {
    /// Returns the evaluation that was asked for.
    pub(crate) fn load(&self) -> anyhow::Result<Model> {
        let Some(path) = &self.path else {
            return Ok(Model::embedded());
        };
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let model = Model::decode(&bytes).with_context(|| path.display().to_string())?;
        if !model.paired {
            complain(&format!(
                "{}: weights alone; selective searches go by the statistics of the program's own (train model joins \
                 weights and theirs)",
                path.display()
            ));
        }
        Ok(model)
    }
}

impl Resources {
    /// Returns an engine with these resources.
    pub(crate) fn engine(&self) -> anyhow::Result<Othello> {
        self.engine_of(None)
    }

    /// Returns an engine with these resources, whose choices where it errs as people do come from `seed`: from one that
    /// nobody knows if there is none.
    pub(crate) fn engine_of(&self, seed: Option<u64>) -> anyhow::Result<Othello> {
        let config = EngineConfig {
            table_bytes: self.table_bytes()?,
            threads: usize::from(self.threads),
            seed: seed.unwrap_or_else(any_seed),
            ..EngineConfig::default()
        };
        let model = self.model.load()?;
        Ok(Engine::judging_by(
            model.evaluator,
            model.probcut,
            config,
            system_clock(),
        )?)
    }

    /// Returns an engine for Gomoku with these resources.
    pub(crate) fn gomoku_engine(&self) -> anyhow::Result<gomoku::Engine> {
        Ok(gomoku::Engine::with(gomoku::EngineConfig {
            table_bytes: self.table_bytes()?,
            threads: usize::from(self.threads),
            ..gomoku::EngineConfig::default()
        })?)
    }
}
