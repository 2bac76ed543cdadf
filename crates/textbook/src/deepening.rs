//! Iterative deepening: depth 1, 2, 3, … until a limit, each depth trying the last one's best move first.
//!
//! What is interrupted is thrown away: the answer is that of the last depth that was finished, or the first legal
//! move if there is none.

use super::{Core, Counters, Report, Runner, Settings};
use outflank_game::{Evaluate, Game};
use outflank_search::{Clock, Limits, StopToken};

/// What iterative deepening found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deepened<M> {
    /// The report of the deepest finished depth (its counters are that depth's alone).
    pub report: Report<M>,
    /// What the whole search cost, the interrupted depth included.
    pub total: Counters,
    /// Whether the game tree was searched to its end, so that more depth would change nothing.
    pub exhausted: bool,
}

/// Searches deeper and deeper until one of `limits` is reached, `stop` is set, or the tree is exhausted.
///
/// `clock` is needed for a time limit to act; without any limit the search ends when a depth never reaches its horizon.
pub fn deepen<G: Game, E: Evaluate<G>>(
    settings: &Settings,
    game: &G,
    evaluate: &E,
    limits: Limits,
    clock: Option<&dyn Clock>,
    stop: Option<&StopToken>,
) -> Deepened<G::Move> {
    let first = game.legal_moves().first().copied();
    let mut core = Core::new(evaluate, settings.order, limits, clock, stop);
    core.check_time();
    let mut runner = Runner::new(settings, core);
    let mut report = Report {
        value: 0,
        best: first,
        line: first.into_iter().collect(),
        depth: 0,
        complete: false,
        counters: Counters::default(),
    };
    let mut exhausted = false;
    let max_depth = limits.depth.unwrap_or(u32::MAX);
    for depth in 1..=max_depth {
        if runner.core.aborted {
            break;
        }
        runner.core.at_horizon = false;
        let found = runner.run(game, depth, report.value, report.best.filter(|_| depth > 1));
        if !found.complete {
            break;
        }
        report = found;
        if !runner.core.at_horizon {
            exhausted = true;
            break;
        }
        runner.core.check_time();
    }
    Deepened {
        report,
        total: runner.core.counters,
        exhausted,
    }
}
