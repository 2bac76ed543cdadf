//! One stage of a search from the root, by the midgame search or by the exact solver.

use crate::{
    midgame::MidgameSearch,
    solver::{SolveResult, Solver, SolverGoal},
};
use outflank_eval::{Evaluator, Score};
use outflank_othello::{Board, Discs, Move, Square};
use outflank_search::{Control, RootAnswer, RootRequest, RootSearch, Verdict};
use std::sync::Arc;

/// Value in 1/128 disc beyond which the loser keeps next to nothing.
const NEARLY_ALL: i32 = 58 * Score::PER_DISC;

/// The two searches, for one root.
pub(super) struct Root<'a, E: Evaluator + 'static> {
    pub(super) midgame: &'a mut MidgameSearch<E>,
    pub(super) solver: &'a mut Solver<Arc<E>>,
    pub(super) board: Board,
    /// Moves that whoever asks does not want to hear of.
    pub(super) excluded: &'a [Move],
    /// Whether exact stages may go to the solver.
    pub(super) may_solve: bool,
    /// Whether only the winner matters.
    pub(super) win_loss_draw: bool,
    /// Positions entered by the solver.
    pub(super) nodes: u64,
}

impl<E: Evaluator + 'static> RootSearch for Root<'_, E> {
    type Move = Move;

    fn search_root(&mut self, request: &RootRequest<'_, Move>, control: &Control) -> RootAnswer<Move> {
        let excluded = [request.excluded, self.excluded].concat();
        let request = &RootRequest {
            excluded: &excluded,
            ..*request
        };
        let to_end = request.stage.to_end && self.may_solve;
        // Whether a side is nearly wiped out is asked of the solver at once: the evaluation cannot tell, and the answer
        // costs little.
        let extreme = request.alpha >= NEARLY_ALL || request.beta <= -NEARLY_ALL;
        if to_end && (request.stage.confidence == 100 || extreme) {
            self.solve(request, control)
        } else {
            self.midgame.search_root(request, control)
        }
    }

    fn nodes(&self) -> u64 {
        self.midgame.nodes() + self.nodes
    }
}

impl<E: Evaluator + 'static> Root<'_, E> {
    /// Asks the solver about every move that is not excluded.
    fn solve(&mut self, request: &RootRequest<'_, Move>, control: &Control) -> RootAnswer<Move> {
        let (alpha, beta) = if self.win_loss_draw {
            (Discs::saturating(-2), Discs::saturating(2))
        } else {
            (whole(request.alpha), whole_up(request.beta))
        };
        if request.excluded.is_empty() {
            let goal = if self.win_loss_draw {
                SolverGoal::WinLossDraw
            } else if (alpha, beta) == (Discs::MIN, Discs::MAX) {
                SolverGoal::Exact
            } else {
                SolverGoal::Window(alpha, beta)
            };
            let result = self.solver.resume(self.board, goal, &self.rest_of(control));
            return self.answer(result);
        }
        self.solve_rest(request, (alpha, beta), control)
    }

    /// Returns the control of what comes next.
    fn rest_of(&self, control: &Control) -> Control {
        control.part(self.nodes(), None, None)
    }

    fn answer(&mut self, result: SolveResult) -> RootAnswer<Move> {
        self.nodes += result.nodes;
        let complete = result.verdict != Verdict::Aborted;
        let mut moves = result.pv;
        if complete && moves.is_empty() {
            // Only an upper bound is known: any move is as good as another.
            moves.extend(
                self.midgame
                    .root_moves()
                    .first()
                    .map(|&square| Move::Place(square)),
            );
        }
        RootAnswer {
            moves: if complete { moves } else { Vec::new() },
            value: Score::from_discs(result.value).units(),
            complete,
        }
    }

    /// Solves the moves that are left after the best ones, each for whether it beats those before it.
    fn solve_rest(
        &mut self,
        request: &RootRequest<'_, Move>,
        (alpha, beta): (Discs, Discs),
        control: &Control,
    ) -> RootAnswer<Move> {
        let squares: Vec<Square> = self
            .midgame
            .root_moves()
            .iter()
            .copied()
            .filter(|&square| !request.excluded.contains(&Move::Place(square)))
            .collect();
        let mut best: Option<(Discs, Vec<Move>)> = None;
        for square in squares {
            let child = self.board.play_unchecked(square, self.board.flips(square));
            let floor = best.as_ref().map_or(alpha, |(value, _)| (*value).max(alpha));
            if floor >= beta {
                break;
            }
            let goal = SolverGoal::Window(-beta, -floor);
            let result = self.solver.resume(child, goal, &self.rest_of(control));
            self.nodes += result.nodes;
            if result.verdict == Verdict::Aborted {
                return RootAnswer {
                    moves: best.as_ref().map(|(_, line)| line.clone()).unwrap_or_default(),
                    value: best.map_or(0, |(value, _)| Score::from_discs(value).units()),
                    complete: false,
                };
            }
            let value = -result.value;
            if best.as_ref().is_none_or(|(old, _)| value > *old) {
                let mut line = vec![Move::Place(square)];
                line.extend(result.pv);
                best = Some((value, line));
            }
        }
        let (value, moves) = best.unwrap_or((alpha, Vec::new()));
        let units = Score::from_discs(value).units();
        RootAnswer {
            moves,
            value: if self.win_loss_draw {
                units.signum() * 2 * Score::PER_DISC
            } else {
                units
            },
            complete: true,
        }
    }
}

/// Returns the greatest whole number of discs that is at most this many units.
fn whole(units: i32) -> Discs {
    Discs::saturating(units.div_euclid(Score::PER_DISC))
}

/// Returns the least whole number of discs that is at least this many units.
fn whole_up(units: i32) -> Discs {
    Discs::saturating(-(-units).div_euclid(Score::PER_DISC))
}
