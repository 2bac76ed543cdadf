//! Making the Othello engine that every command uses, from the options that mean the same everywhere.

use crate::options::{ModelArg, Resources};
use anyhow::Context as _;
use outflank_eval::Patterns;
use outflank_gomoku_engine as gomoku;
use outflank_othello_engine::{Engine, EngineConfig};
use outflank_search::{Clock, SystemClock};
use outflank_terminal::output::complain;
use outflank_train::model::Model;
use std::{
    fs,
    hash::{BuildHasher as _, RandomState},
    sync::Arc,
};

/// The engine that commands use.
pub(crate) type Othello = Engine<Patterns>;

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
            seed: seed.unwrap_or_else(|| RandomState::new().hash_one("a seed")),
            ..EngineConfig::default()
        };
        let model = self.model.load()?;
        Ok(Engine::judging_by(
            Arc::new(Patterns::new(&model.weights)),
            Arc::new(model.probcut),
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
