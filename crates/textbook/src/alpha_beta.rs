//! Alpha-beta without memory, in its two classic forms: maximizer and minimizer, and negamax.
//!
//! Alpha is what the maximizer has for certain elsewhere, beta what the minimizer has; a node whose value leaves
//! the interval between them cannot matter, and its remaining moves are not looked at. Both forms are fail-soft:
//! the value returned is the best one seen, even outside the window. They visit the same nodes.

use super::{
    INFINITE,
    common::{Algorithm, Core, depth_after, extend_line},
};
use outflank_game::{Evaluate, GameState, Player};

/// Alpha-beta with a maximizer and a minimizer.
pub(super) struct MaxMin;

impl MaxMin {
    /// Returns the value for `maximizer`, whoever is to move; `window` is alpha and beta in the same sense.
    fn visit<G: GameState, E: Evaluate<G>>(
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        maximizer: Player,
        (mut alpha, mut beta): (i32, i32),
        line: &mut Vec<G::Move>,
    ) -> i32 {
        line.clear();
        if !core.enter() {
            return 0;
        }
        let maximizing = game.player() == maximizer;
        if let Some(value) = core.leaf(game, depth) {
            return if maximizing { value } else { -value };
        }
        let mut best = if maximizing { -INFINITE } else { INFINITE };
        let mut rest = Vec::new();
        for mv in core.moves(game, None) {
            let below = depth_after(game, mv, depth);
            let undo = game.play(mv);
            let value = Self::visit(core, game, below, maximizer, (alpha, beta), &mut rest);
            game.undo(mv, undo);
            if core.aborted {
                return 0;
            }
            if (maximizing && value > best) || (!maximizing && value < best) {
                best = value;
                extend_line(line, mv, &rest);
            }
            if maximizing {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                core.counters.cutoffs += 1;
                break;
            }
        }
        best
    }
}

impl<G: GameState, E: Evaluate<G>> Algorithm<G, E> for MaxMin {
    fn value(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        alpha: i32,
        beta: i32,
        line: &mut Vec<G::Move>,
    ) -> i32 {
        let maximizer = game.player();
        Self::visit(core, game, depth, maximizer, (alpha, beta), line)
    }
}

/// Alpha-beta in negamax form: what is good for one player is as bad for the other.
pub(super) struct Negamax;

impl<G: GameState, E: Evaluate<G>> Algorithm<G, E> for Negamax {
    fn value(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        mut alpha: i32,
        beta: i32,
        line: &mut Vec<G::Move>,
    ) -> i32 {
        line.clear();
        if !core.enter() {
            return 0;
        }
        if let Some(value) = core.leaf(game, depth) {
            return value;
        }
        let mut best = -INFINITE;
        let mut rest = Vec::new();
        for mv in core.moves(game, None) {
            let below = depth_after(game, mv, depth);
            let undo = game.play(mv);
            let value = -self.value(core, game, below, -beta, -alpha, &mut rest);
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
        best
    }
}
