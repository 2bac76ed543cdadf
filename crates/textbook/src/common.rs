//! What every textbook method needs: counting, limits, leaves and move ordering.

use super::{Counters, INFINITE, Order};
use outflank_game::{Evaluate, GameState};
use outflank_search::Control;

/// A method: the value of a state within a window.
pub(super) trait Algorithm<G: GameState, E: Evaluate<G>> {
    /// Returns the value of `game` for its player to move, and the expected line in `line`.
    ///
    /// Exact inside `alpha`..`beta`; a lower bound from `beta` up, an upper bound from `alpha` down (methods
    /// without pruning are always exact). Means nothing once `core.aborted` is set.
    fn value(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        alpha: i32,
        beta: i32,
        line: &mut Vec<G::Move>,
    ) -> i32;

    /// Returns the exact value of the root; `guess` helps methods that start from one.
    fn root(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        guess: i32,
        line: &mut Vec<G::Move>,
    ) -> i32 {
        let _ = guess;
        self.value(core, game, depth, -INFINITE, INFINITE, line)
    }
}

/// The evaluation, the counters and the limits of one search.
pub(super) struct Core<'a, G: GameState, E> {
    evaluate: &'a E,
    order: Order,
    control: &'a Control,
    /// What has been done so far.
    pub(super) counters: Counters,
    /// Set once a limit is reached; every method then returns at once.
    pub(super) aborted: bool,
    /// Set when a state was evaluated because no depth was left: more depth may then change the value.
    pub(super) at_horizon: bool,
    /// The move to try first at the next node entered, which is the root.
    pub(super) root_hint: Option<G::Move>,
}

impl<'a, G: GameState, E: Evaluate<G>> Core<'a, G, E> {
    /// Returns a core of a search that ends when `control` says so.
    pub(super) fn new(evaluate: &'a E, order: Order, control: &'a Control) -> Self {
        Self {
            evaluate,
            order,
            control,
            counters: Counters::default(),
            aborted: false,
            at_horizon: false,
            root_hint: None,
        }
    }

    /// Counts a node if there is one left; returns whether the search may go on.
    pub(super) fn enter(&mut self) -> bool {
        // A look at the clock costs as much as a node: one in 32 is enough for a millisecond.
        if self.counters.nodes.is_multiple_of(32) || self.counters.nodes >= self.control.max_nodes() {
            self.check();
        }
        self.counters.nodes += u64::from(!self.aborted);
        !self.aborted
    }

    /// Ends the search if a limit is reached or somebody stopped it.
    pub(super) fn check(&mut self) {
        self.aborted |= self.control.must_stop(self.counters.nodes);
    }

    /// Returns the value of a state that is not searched further: the game is over, or no depth is left.
    pub(super) fn leaf(&mut self, game: &G, depth: u32) -> Option<i32> {
        if let Some(outcome) = game.outcome() {
            return Some(clamped(self.evaluate.outcome_value(outcome)));
        }
        (depth == 0).then(|| {
            self.at_horizon = true;
            self.static_value(game)
        })
    }

    /// Returns the static value of a state that is not over.
    pub(super) fn static_value(&mut self, game: &G) -> i32 {
        self.counters.evaluations += 1;
        let value = clamped(self.evaluate.evaluate(game));
        // An evaluation that cannot judge stops the search, and is not asked again.
        self.aborted |= self.control.stop_token().is_stopped();
        value
    }

    /// Returns the moves in the order in which they are tried, `first` (if it is legal here) in front.
    pub(super) fn moves(&mut self, game: &mut G, first: Option<G::Move>) -> Vec<G::Move> {
        let first = self.root_hint.take().or(first);
        let mut moves = game.legal_moves();
        if self.order == Order::Evaluated && moves.len() > 1 {
            let mut judged: Vec<_> = moves
                .iter()
                .map(|&mv| {
                    let undo = game.play(mv);
                    let value = match game.outcome() {
                        Some(outcome) => clamped(self.evaluate.outcome_value(outcome)),
                        None => self.static_value(game),
                    };
                    game.undo(mv, undo);
                    (value, mv)
                })
                .collect();
            // The reply's value counts for the opponent: the lowest comes first; equal ones keep their order.
            judged.sort_by_key(|&(value, _)| value);
            moves = judged.into_iter().map(|(_, mv)| mv).collect();
        }
        if let Some(at) = first.and_then(|first| moves.iter().position(|&mv| mv == first)) {
            moves[..=at].rotate_right(1);
        }
        moves
    }
}

/// What a node is asked: its depth left, and the window that its value matters in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    /// Placed stones to look ahead.
    pub(super) depth: u32,
    /// What the player to move has for certain elsewhere.
    pub(super) alpha: i32,
    /// What the other player will not let pass.
    pub(super) beta: i32,
}

/// The loop over a node's moves: the same for alpha-beta with memory, PVS and Multi-ProbCut, which differ in how they ask
/// about a move.
///
/// `ask` is called in the state after each move, with the depth left there, the window as it then stands (of the player
/// who moved) and the number of moves tried before; it returns the value for that player. `best` is what is known
/// beforehand. Returns the best value, `None` if the search was aborted.
pub(super) fn best_of<G: GameState, E: Evaluate<G>>(
    core: &mut Core<'_, G, E>,
    game: &mut G,
    moves: &[G::Move],
    mut question: Question,
    mut best: i32,
    line: &mut Vec<G::Move>,
    mut ask: impl FnMut(&mut Core<'_, G, E>, &mut G, Question, usize, &mut Vec<G::Move>) -> i32,
) -> Option<i32> {
    let mut rest = Vec::new();
    question.alpha = question.alpha.max(best);
    for (i, &mv) in moves.iter().enumerate() {
        if question.alpha >= question.beta {
            break;
        }
        let below = Question {
            depth: depth_after(game, mv, question.depth),
            ..question
        };
        let undo = game.play(mv);
        let value = ask(core, game, below, i, &mut rest);
        game.undo(mv, undo);
        if core.aborted {
            return None;
        }
        if value > best {
            best = value;
            extend_line(line, mv, &rest);
        }
        question.alpha = question.alpha.max(best);
    }
    core.counters.cutoffs += u64::from(question.alpha >= question.beta);
    Some(best)
}

/// Returns the depth left after `mv`: a pass costs none.
pub(super) fn depth_after<G: GameState>(game: &G, mv: G::Move, depth: u32) -> u32 {
    if game.is_pass(mv) { depth } else { depth - 1 }
}

/// Makes `line` the move `mv` followed by `rest`.
pub(super) fn extend_line<M: Copy>(line: &mut Vec<M>, mv: M, rest: &[M]) {
    line.clear();
    line.push(mv);
    line.extend_from_slice(rest);
}

fn clamped(value: i32) -> i32 {
    value.clamp(1 - INFINITE, INFINITE - 1)
}
