//! Principal variation search: the first move gets the whole window, every other one is first asked only whether
//! it is better at all, with a null window, and searched again if it is.

use super::{
    INFINITE, StateTable, TableOptions,
    common::{Algorithm, Core, depth_after, extend_line},
    memory::{probe, store},
};
use outflank_game::{Evaluate, Game};

/// Principal variation search, with a table or without.
pub(super) struct Pvs<G: Game> {
    table: Option<StateTable<G>>,
}

impl<G: Game> Pvs<G> {
    pub(super) fn new(table: Option<TableOptions>) -> Self {
        Self {
            table: table.map(StateTable::new),
        }
    }
}

impl<G: Game, E: Evaluate<G>> Algorithm<G, E> for Pvs<G> {
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
        let mut best = -INFINITE;
        let mut rest = Vec::new();
        for (i, mv) in core.moves(game, probed.best).into_iter().enumerate() {
            let below = depth_after(game, mv, depth);
            let undo = game.play(mv);
            let mut value;
            if i == 0 {
                value = -self.value(core, game, below, -beta, -alpha, &mut rest);
            } else {
                value = -self.value(core, game, below, -alpha - 1, -alpha, &mut rest);
                if alpha < value && value < beta && !core.aborted {
                    value = -self.value(core, game, below, -beta, -value, &mut rest);
                }
            }
            game.undo(mv, undo);
            if core.aborted {
                return 0;
            }
            if value > best {
                best = value;
                extend_line(line, mv, &rest);
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                core.counters.cutoffs += 1;
                break;
            }
        }
        let found = (depth, best, line.first().copied());
        store(self.table.as_mut(), game, probed, found, window);
        best
    }
}
