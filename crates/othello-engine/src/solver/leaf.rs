//! The solver's lower tiers as the leaf of another search: exact null-window questions about few empties.

use super::{
    split::{Pool, Shared},
    worker::{MIDDLE, Worker},
};
use crate::{ordering::OrderingWeights, table::ExactEntry, techniques::Techniques};
use outflank_eval::Evaluator;
use outflank_othello::Board;
use outflank_search::{Control, Table};
use std::sync::Arc;

/// One thread's exact solver for boards of at most [`LeafSolver::MAX_EMPTIES`] empties.
pub(crate) struct LeafSolver<E>(Worker<E>);

impl<E: Evaluator> LeafSolver<E> {
    /// Most empties.
    pub(crate) const MAX_EMPTIES: u32 = MIDDLE;

    /// Returns a solver with nothing in its private table, whose proofs go into `table`, too.
    pub(crate) fn new(evaluator: E, table: Arc<Table<ExactEntry>>) -> Self {
        Self(Worker::new(Arc::new(Shared {
            evaluator,
            table,
            techniques: Techniques::ALL,
            guide: None,
            weights: OrderingWeights::TUNED,
            pool: Pool::default(),
        })))
    }

    /// Forgets everything, so that the next questions cost what they cost a new solver.
    pub(crate) fn clear(&mut self) {
        self.0.cache.clear();
        self.0.shared.table.new_generation();
    }

    /// Sets what stops a question.
    pub(crate) fn stop_with(&mut self, control: Control) {
        self.0.begin(Arc::new(control));
    }

    /// Returns a bound in discs that says whether the value of `board` is above `alpha`, and the positions entered;
    /// `None` if it was stopped.
    ///
    /// `nodes` is how many positions the control has to count already; it is not asked before there are `next_poll`.
    pub(crate) fn null_window(
        &mut self,
        board: Board,
        alpha: i32,
        nodes: u64,
        next_poll: u64,
    ) -> (Option<i32>, u64) {
        self.0.begin_at(nodes, next_poll);
        // Values are even, so that "above an odd number" means "above the even number below it".
        let alpha = alpha.div_euclid(2) * 2;
        let value = self
            .0
            .null_window::<true>(board.player().bits(), board.opponent().bits(), alpha, true);
        ((!self.0.stopped).then_some(value), self.0.nodes - nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_eval::HandMade;
    use outflank_othello::Position;
    use outflank_search::StopToken;

    /// FFO 1, 14 empties, worth +18.
    fn ffo_1() -> Board {
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
            .parse::<Position>()
            .expect("a position")
            .board()
    }

    #[test]
    fn what_one_solver_has_proven_another_need_not_prove_again() {
        let mut board = ffo_1();
        for _ in 0..2 {
            let square = board.legal_moves().into_iter().next().expect("a move");
            board = board.play_unchecked(square, board.flips(square));
        }
        assert_eq!(board.empties().count(), 12);
        for alpha in [-30, 0, 30] {
            let table = Arc::new(Table::new(1 << 16).expect("64 KiB"));
            let ask = |table: &Arc<Table<ExactEntry>>| {
                let mut leaf = LeafSolver::new(HandMade, Arc::clone(table));
                leaf.stop_with(Control::unlimited());
                let (value, nodes) = leaf.null_window(board, alpha, 0, 0);
                (value.expect("nobody stops it") > alpha, nodes)
            };
            let (first, again) = (ask(&table), ask(&table));
            assert_eq!((again.0, again.1), (first.0, 1), "{first:?}");
            assert!(first.1 > 20, "{first:?}");
        }
    }

    #[test]
    fn a_stopped_question_has_no_answer() {
        let board = ffo_1();
        let mut leaf = LeafSolver::new(HandMade, Arc::new(Table::new(64).expect("64 bytes")));
        let stop = StopToken::new();
        leaf.stop_with(Control::stopped_by(&stop));
        stop.stop();
        assert_eq!(leaf.null_window(board, 16, 0, 0), (None, 0));
        leaf.stop_with(Control::unlimited());
        assert!(
            leaf.null_window(board, 16, 0, 0)
                .0
                .is_some_and(|value| value > 16)
        );
        assert!(
            leaf.null_window(board, 18, 0, 0)
                .0
                .is_some_and(|value| value <= 18)
        );
    }
}
