//! Exact results of positions near the end.

use outflank_game::{Evaluate, Outcome};
use outflank_othello::{Discs, Position};
use outflank_search::textbook::{Method, Settings, search};

/// Never asked for a value before the end of a game.
struct EndOnly;

impl Evaluate<Position> for EndOnly {
    fn evaluate(&self, _position: &Position) -> i32 {
        0
    }

    fn outcome_value(&self, outcome: Outcome) -> i32 {
        outcome.margin
    }
}

/// Returns the margin of perfect play for the side to move.
///
/// A plain search to the end: meant for a dozen empties.
pub(crate) fn exact_margin(position: &Position) -> Discs {
    let empties = position.board().empties().count();
    let report = search(&Settings::new(Method::Pvs(None)), position, &EndOnly, empties);
    Discs::saturating(report.value)
}
