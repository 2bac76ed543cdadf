//! Iterative deepening: depth 1, 2, 3, … until a limit, each depth trying the last one's best move first.
//!
//! What is interrupted is thrown away: the answer is that of the last depth that was finished, or the first legal
//! move if there is none.

use super::{Core, Counters, Report, Runner, Settings};
use outflank_game::{Evaluate, GameState};
use outflank_search::Control;

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

/// Searches deeper and deeper, to `depth` placed stones at most, until `control` says so or the tree is exhausted.
///
/// An evaluation that fails, because it is a program of its own perhaps, can end the search at once: it keeps a clone
/// of the control's stop token, stops it, and says afterwards why.
pub fn deepen<G: GameState, E: Evaluate<G>>(
    settings: &Settings,
    game: &G,
    evaluate: &E,
    depth: Option<u32>,
    control: &Control,
) -> Deepened<G::Move> {
    deepen_while(settings, game, evaluate, depth, control, &mut |_, _, _| true)
}

/// Gets the report of each depth, whether the tree is exhausted, and the nodes so far; says whether the next depth may
/// begin.
pub(super) type GoOn<'a, M> = &'a mut dyn FnMut(&Report<M>, bool, u64) -> bool;

/// As [`deepen`], as long as `go_on` says so.
pub(super) fn deepen_while<G: GameState, E: Evaluate<G>>(
    settings: &Settings,
    game: &G,
    evaluate: &E,
    depth: Option<u32>,
    control: &Control,
    go_on: GoOn<'_, G::Move>,
) -> Deepened<G::Move> {
    let first = game.legal_moves().first().copied();
    let mut core = Core::new(evaluate, settings.order, control);
    core.check();
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
    for depth in 1..=depth.unwrap_or(u32::MAX) {
        if runner.core.aborted {
            break;
        }
        runner.core.at_horizon = false;
        let found = runner.run(game, depth, report.value, report.best.filter(|_| depth > 1));
        if !found.complete {
            break;
        }
        report = found;
        exhausted = !runner.core.at_horizon;
        if !go_on(&report, exhausted, runner.core.counters.nodes) || exhausted {
            break;
        }
        runner.core.check();
    }
    Deepened {
        report,
        total: runner.core.counters,
        exhausted,
    }
}
