//! Exact answers from both searches: the selective one tells what to expect and what to try first, the solver proves.

use super::{Engine, plan};
use crate::{
    contract::Request,
    solver::{SolveResult, SolverGoal},
};
use outflank_eval::Evaluator;
use outflank_othello::{Board, Color, Position};
use outflank_search::{Control, Verdict};

/// Most empties for which the solver needs no search before it.
const SOLVER_ALONE: u32 = 15;

impl<E: Evaluator + 'static> Engine<E> {
    /// Solves `board` for the player to move; ends early if `control` says so.
    ///
    /// Everything is forgotten first, so that with one thread the same question costs the same nodes every time.
    /// From 16 empties on a selective search goes before the proof, as in [`Engine::search`]: it tells the window and
    /// the moves to try first, which saves most of the work where there are many empties.
    pub fn solve(&mut self, board: Board, goal: SolverGoal, control: &Control) -> SolveResult {
        self.clear();
        // Only the root itself is counted beside the positions behind its moves.
        let mut spent = u64::from(goal == SolverGoal::AllMoves);
        if control.nodes_left(0) < spent {
            return SolveResult::aborted(0);
        }
        let mut solve_one = |board, goal| {
            let result = self.solve_one(board, goal, &control.part(spent, None, None));
            spent += result.nodes;
            result
        };
        match goal {
            SolverGoal::AllMoves if board.legal_moves().count() > 0 => {
                SolveResult::of_all_moves(board, |child| solve_one(child, SolverGoal::Exact))
            }
            SolverGoal::AllMoves => self.solve_one(board, SolverGoal::Exact, control),
            _ => solve_one(board, goal),
        }
    }

    fn solve_one(&mut self, board: Board, goal: SolverGoal, control: &Control) -> SolveResult {
        let alone = !self.endgame.presearch
            || board.empties().count() <= SOLVER_ALONE
            || board.is_game_over()
            || (board.must_pass() && goal != SolverGoal::Exact);
        if alone {
            return self.solver.resume(board, goal, control);
        }
        // Which color moves is all the same.
        let request = Request::new(Position::new(board, Color::Black)).exact();
        let mut stages = plan::stages(&request, board.empties().count());
        if goal == SolverGoal::Exact {
            let outcome = self.search_stages(&request, &stages, None, control, &mut |_| {});
            let nodes = outcome.nodes;
            if !outcome.complete {
                return SolveResult::aborted(nodes);
            }
            let best = outcome.lines.into_iter().next();
            return best.map_or(SolveResult::aborted(nodes), |line| SolveResult {
                value: line.value.to_discs(),
                verdict: Verdict::Exact,
                pv: line.moves,
                moves: Vec::new(),
                nodes,
            });
        }
        stages.pop();
        let before = self.search_stages(&request, &stages, None, control, &mut |_| {});
        let rest = control.part(before.nodes, None, None);
        let mut result = self.solver.resume(board, goal, &rest);
        result.nodes += before.nodes;
        result
    }
}
