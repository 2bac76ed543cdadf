//! Exact answers from both searches: the selective one tells what to expect and what to try first, the solver proves.

use super::{Aim, Engine, Request, plan};
use crate::{Goal, Kind, SolveResult};
use outflank_eval::{Evaluator, Score};
use outflank_othello::{Board, Color, Discs, Position};
use outflank_search::StopToken;

/// Most empties for which the solver needs no search before it.
const SOLVER_ALONE: u32 = 15;

impl<E: Evaluator + 'static> Engine<E> {
    /// Solves `board` for the player to move; ends early if `stop` is stopped.
    ///
    /// Everything is forgotten first, so that with one thread the same question costs the same nodes every time.
    /// From 16 empties on a selective search goes before the proof, as in [`Engine::search`]: it tells the window and
    /// the moves to try first, which saves most of the work where there are many empties.
    pub fn solve(&mut self, board: Board, goal: Goal, stop: &StopToken) -> SolveResult {
        self.clear();
        match goal {
            Goal::AllMoves if board.legal_moves().count() > 0 => {
                SolveResult::of_all_moves(board, |child| self.solve_one(child, Goal::Exact, stop))
            }
            Goal::AllMoves => self.solve_one(board, Goal::Exact, stop),
            _ => self.solve_one(board, goal, stop),
        }
    }

    fn solve_one(&mut self, board: Board, goal: Goal, stop: &StopToken) -> SolveResult {
        let alone = !self.endgame.presearch
            || board.empties().count() <= SOLVER_ALONE
            || board.is_game_over()
            || (board.must_pass() && goal != Goal::Exact);
        if alone {
            return self.solver.resume(board, goal, stop);
        }
        let request = Request {
            aim: Aim::Exact,
            ..Request::default()
        };
        let mut stages = plan::stages(&request, board.empties().count());
        // Which color moves is all the same.
        let position = Position::new(board, Color::Black);
        if goal == Goal::Exact {
            let outcome = self.search_stages(&position, &request, &stages, stop, &mut |_| {});
            let nodes = outcome.nodes;
            if !outcome.complete {
                return SolveResult::aborted(nodes);
            }
            let best = outcome.lines.into_iter().next();
            return best.map_or(SolveResult::aborted(nodes), |line| SolveResult {
                value: Discs::saturating(line.value.units() / Score::PER_DISC),
                kind: Kind::Exact,
                pv: line.moves,
                moves: Vec::new(),
                nodes,
            });
        }
        stages.pop();
        let before = self.search_stages(&position, &request, &stages, stop, &mut |_| {});
        let mut result = self.solver.resume(board, goal, stop);
        result.nodes += before.nodes;
        result
    }
}
