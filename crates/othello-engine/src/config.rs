//! What an engine is made with.

use crate::{
    ordering::OrderingWeights,
    techniques::{MidgameTechniques, Techniques},
};

/// What an [`Engine`](crate::Engine) is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// Memory for the tables, in bytes, shared between midgame and endgame.
    pub table_bytes: usize,
    /// Threads that search one position; at least 1. Of those beyond the processors that this program may use none is
    /// started: they would only take turns with the others, and search what nobody needs meanwhile.
    pub threads: usize,
    /// What the midgame search uses.
    pub techniques: MidgameTechniques,
    /// What the exact solver uses.
    pub endgame: Techniques,
    /// How the exact solver orders moves.
    pub ordering: OrderingWeights,
    /// What the levels that err as people do draw their choices from: the same seed, the same choices.
    pub seed: u64,
}

impl Default for EngineConfig {
    /// One thread, 128 MiB, everything on, seed 0.
    fn default() -> Self {
        Self {
            table_bytes: 128 << 20,
            threads: 1,
            techniques: MidgameTechniques::ALL,
            endgame: Techniques::ALL,
            ordering: OrderingWeights::TUNED,
            seed: 0,
        }
    }
}
