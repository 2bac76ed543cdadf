//! Plain minimax, with and without a cache of computed states: the baseline of every comparison.
//!
//! ```text
//! value(state, depth):
//!     leaf                -> its value for the maximizer
//!     maximizer to move   -> the greatest value of the states one move on
//!     minimizer to move   -> the least
//! ```

use super::{
    Bound, Entry, INFINITE, StateTable, TableOptions,
    common::{Algorithm, Core, depth_after, extend_line},
};
use outflank_game::{Evaluate, GameState, Player};

/// Minimax; the cache maps a state and a depth to a value and its best move.
pub(super) struct Minimax<G: GameState> {
    cache: Option<StateTable<G>>,
}

impl<G: GameState> Minimax<G> {
    pub(super) fn new(cache: Option<TableOptions>) -> Self {
        Self {
            cache: cache.map(StateTable::new),
        }
    }

    /// Returns the value for `maximizer`, whoever is to move.
    fn visit<E: Evaluate<G>>(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        maximizer: Player,
        line: &mut Vec<G::Move>,
    ) -> i32 {
        line.clear();
        if !core.enter() {
            return 0;
        }
        let maximizing = game.player() == maximizer;
        // Leaves and cached states are worth something to the player to move.
        let for_maximizer = |value: i32| if maximizing { value } else { -value };
        if let Some(value) = core.leaf(game, depth) {
            return for_maximizer(value);
        }
        let place = self.cache.as_ref().map(|cache| cache.place(game));
        if let (Some(cache), Some(place)) = (&self.cache, &place) {
            core.counters.probes += 1;
            if let Some(entry) = cache.probe(game, place) {
                core.counters.hits += 1;
                if entry.depth == depth {
                    line.extend(entry.best);
                    return for_maximizer(entry.value);
                }
            }
        }
        let mut best = if maximizing { -INFINITE } else { INFINITE };
        let mut rest = Vec::new();
        for mv in core.moves(game, None) {
            let below = depth_after(game, mv, depth);
            let undo = game.play(mv);
            let value = self.visit(core, game, below, maximizer, &mut rest);
            game.undo(mv, undo);
            if core.aborted {
                return 0;
            }
            if (maximizing && value > best) || (!maximizing && value < best) {
                best = value;
                extend_line(line, mv, &rest);
            }
        }
        if let (Some(cache), Some(place)) = (&mut self.cache, place) {
            let entry = Entry {
                depth,
                value: for_maximizer(best),
                bound: Bound::Exact,
                best: line.first().copied(),
            };
            cache.store(game, place, entry);
        }
        best
    }
}

impl<G: GameState, E: Evaluate<G>> Algorithm<G, E> for Minimax<G> {
    fn value(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        _alpha: i32,
        _beta: i32,
        line: &mut Vec<G::Move>,
    ) -> i32 {
        let maximizer = game.player();
        self.visit(core, game, depth, maximizer, line)
    }
}
