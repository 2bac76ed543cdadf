//! Exact results of positions near the end.

use outflank_eval::HandMade;
use outflank_othello::{Discs, Position};
use outflank_othello_engine::{Solver, SolverGoal, SolverOptions};
use outflank_search::{Control, Verdict};

/// Memory of the solver's table: plenty for the few empties of an adjudication.
const TABLE_BYTES: usize = 1 << 20;

/// Returns the margin of perfect play for the side to move; `None` if there is no memory to find it.
pub(crate) fn exact_margin(position: &Position) -> Option<Discs> {
    let options = SolverOptions {
        table_bytes: TABLE_BYTES,
        ..SolverOptions::default()
    };
    let mut solver = Solver::new(HandMade, options).ok()?;
    let result = solver.solve(position.board(), SolverGoal::Exact, &Control::unlimited());
    (result.verdict == Verdict::Exact).then_some(result.value)
}
