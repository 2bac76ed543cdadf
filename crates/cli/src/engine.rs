//! Making the Othello engine that every command uses, from the options that mean the same everywhere.

use crate::options::Resources;
use outflank_eval::Patterns;
use outflank_othello_engine::{Engine, EngineConfig};
use outflank_search::{Clock, SystemClock};
use std::sync::Arc;

/// The evaluator that commands use.
pub(crate) type DefaultEvaluator = Patterns;

/// Returns a clock that starts at zero, to be shared.
pub(crate) fn system_clock() -> Arc<dyn Clock> {
    SystemClock::shared()
}

impl Resources {
    /// Returns an engine with these resources and the default evaluator.
    pub(crate) fn engine(self) -> anyhow::Result<Engine<DefaultEvaluator>> {
        let config = EngineConfig {
            table_bytes: self.table_bytes()?,
            threads: usize::from(self.threads),
            ..EngineConfig::default()
        };
        Ok(Engine::with(config)?)
    }
}
