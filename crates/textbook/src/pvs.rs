//! Principal variation search: the first move gets the whole window, every other one is first asked only whether
//! it is better at all, with a null window, and searched again if it is.

use super::{
    Cuts, INFINITE, StateTable, TableOptions,
    common::{Algorithm, Core, Question, best_of},
    memory::{probe, store},
};
use outflank_game::{Evaluate, GameState};

/// Principal variation search, with a table or without, full-width or with Multi-ProbCut's cuts.
pub(super) struct Pvs<G: GameState> {
    table: Option<StateTable<G>>,
    pub(super) cuts: Option<Cuts>,
}

impl<G: GameState> Pvs<G> {
    pub(super) fn new(table: Option<TableOptions>, cuts: Option<Cuts>) -> Self {
        Self {
            table: table.map(StateTable::new),
            cuts,
        }
    }
}

impl<G: GameState, E: Evaluate<G>> Algorithm<G, E> for Pvs<G> {
    fn value(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        mut alpha: i32,
        mut beta: i32,
        line: &mut Vec<G::Move>,
    ) -> i32 {
        line.clear();
        if !core.enter() {
            return 0;
        }
        if let Some(value) = core.leaf(game, depth) {
            return value;
        }
        let probed = probe(self.table.as_ref(), core, game, depth, &mut alpha, &mut beta);
        if let Some(value) = probed.value {
            line.extend(probed.best);
            return value;
        }
        let window = (alpha, beta);
        let question = Question { depth, alpha, beta };
        if let Some(value) = self.cut(core, game, question) {
            core.counters.cutoffs += 1;
            return value;
        }
        let moves = core.moves(game, probed.best);
        let ask =
            |core: &mut Core<'_, G, E>, game: &mut G, below: Question, i: usize, rest: &mut Vec<G::Move>| {
                let Question { depth, alpha, beta } = below;
                if i == 0 {
                    return -self.value(core, game, depth, -beta, -alpha, rest);
                }
                let value = -self.value(core, game, depth, -alpha - 1, -alpha, rest);
                if alpha < value && value < beta && !core.aborted {
                    return -self.value(core, game, depth, -beta, -value, rest);
                }
                value
            };
        let Some(best) = best_of(core, game, &moves, question, -INFINITE, line, ask) else {
            return 0;
        };
        let found = (depth, best, line.first().copied());
        store(self.table.as_mut(), game, probed, found, window);
        best
    }
}
