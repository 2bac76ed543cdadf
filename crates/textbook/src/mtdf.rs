//! MTD(f): the value is closed in from both sides by null-window searches, starting from a guess.
//!
//! ```text
//! low = -infinity, high = infinity
//! while low < high:
//!     ask: is the value at least beta?   (beta = guess, or guess + 1 if the guess is the lower bound already)
//!     the answer is a new guess, and the new low (if yes) or high (if no)
//! ```
//! The table makes it work: each question finds the answers of the earlier ones. Under iterative deepening the guess
//! is the value of the depth before.
//!
//! Source: [PLAAT96].

use super::{
    INFINITE, Reorder, TableOptions,
    common::{Algorithm, Core},
    memory::Memory,
};
use outflank_game::{Evaluate, GameState};

/// MTD(f) over [`Memory`].
pub(super) struct MtdF<G: GameState> {
    memory: Memory<G>,
}

impl<G: GameState> MtdF<G> {
    pub(super) fn new(table: TableOptions, reorder: Reorder) -> Self {
        Self {
            memory: Memory::new(Some(table), reorder),
        }
    }
}

impl<G: GameState, E: Evaluate<G>> Algorithm<G, E> for MtdF<G> {
    fn value(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        alpha: i32,
        beta: i32,
        line: &mut Vec<G::Move>,
    ) -> i32 {
        self.memory.value(core, game, depth, alpha, beta, line)
    }

    fn root(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        guess: i32,
        line: &mut Vec<G::Move>,
    ) -> i32 {
        let (mut low, mut high) = (-INFINITE, INFINITE);
        let mut value = guess;
        let mut seen = Vec::new();
        while low < high {
            let beta = if value == low { value + 1 } else { value };
            value = self.value(core, game, depth, beta - 1, beta, &mut seen);
            if core.aborted {
                return 0;
            }
            if value < beta {
                high = value;
                // A refuted question proves no move; its line is better than none.
                if line.is_empty() {
                    *line = std::mem::take(&mut seen);
                }
            } else {
                low = value;
                *line = std::mem::take(&mut seen);
            }
        }
        value
    }
}
