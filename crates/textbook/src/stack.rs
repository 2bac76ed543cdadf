//! Alpha-beta with an explicit stack of nodes in the place of recursion, as source document B writes it.
//!
//! Each frame holds a node's moves, how many are done, its window and its best value; finishing a frame hands its
//! value to the one below. It visits the nodes of recursive negamax in the same order.

use super::{
    INFINITE,
    common::{Algorithm, Core, depth_after, extend_line},
};
use outflank_game::{Evaluate, GameState};

/// Alpha-beta with an explicit stack.
pub(super) struct Stack;

/// A node that is being searched.
struct Frame<G: GameState> {
    /// The move that led here and what takes it back; `None` at the root.
    arrived: Option<(G::Move, G::Undo)>,
    moves: Vec<G::Move>,
    /// Moves handed out so far.
    n_tried: usize,
    depth: u32,
    alpha: i32,
    beta: i32,
    best: i32,
    line: Vec<G::Move>,
}

impl<G: GameState> Frame<G> {
    /// Takes the value and line of the state after the last move handed out.
    fn receive(&mut self, value: i32, rest: &[G::Move]) {
        if value > self.best {
            self.best = value;
            extend_line(&mut self.line, self.moves[self.n_tried - 1], rest);
        }
        self.alpha = self.alpha.max(self.best);
    }
}

impl<G: GameState, E: Evaluate<G>> Algorithm<G, E> for Stack {
    fn value(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        alpha: i32,
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
        let mut stack = vec![Frame::<G> {
            arrived: None,
            moves: core.moves(game, None),
            n_tried: 0,
            depth,
            alpha,
            beta,
            best: -INFINITE,
            line: Vec::new(),
        }];
        while let Some(frame) = stack.last_mut() {
            let cut = frame.n_tried > 0 && frame.alpha >= frame.beta;
            core.counters.cutoffs += u64::from(cut);
            if cut || frame.n_tried == frame.moves.len() || core.aborted {
                let done = stack.pop().expect("the loop looks at the last frame");
                if let Some((mv, undo)) = done.arrived {
                    game.undo(mv, undo);
                }
                let Some(parent) = stack.last_mut() else {
                    *line = done.line;
                    return done.best;
                };
                parent.receive(-done.best, &done.line);
                continue;
            }
            let mv = frame.moves[frame.n_tried];
            frame.n_tried += 1;
            let below = depth_after(game, mv, frame.depth);
            let undo = game.play(mv);
            if !core.enter() {
                game.undo(mv, undo);
            } else if let Some(value) = core.leaf(game, below) {
                game.undo(mv, undo);
                frame.receive(-value, &[]);
            } else {
                let (alpha, beta) = (-frame.beta, -frame.alpha);
                stack.push(Frame {
                    arrived: Some((mv, undo)),
                    moves: core.moves(game, None),
                    n_tried: 0,
                    depth: below,
                    alpha,
                    beta,
                    best: -INFINITE,
                    line: Vec::new(),
                });
            }
        }
        0
    }
}
