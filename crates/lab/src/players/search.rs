//! Players that search with a textbook method.

use super::player::{Budget, Player};
use crate::evaluation::Evaluation;
use outflank_game::{Evaluate, GameState, SplitMix64};
use outflank_othello::{Move, Position};
use outflank_search::StopToken;
use outflank_textbook::{Method, Order, Settings, Ties, deepen, search_within};

/// A textbook method with an evaluation and a budget.
#[derive(Clone, Debug)]
pub(super) struct SearchPlayer {
    evaluation: Evaluation,
    budget: Budget,
    settings: Settings,
    random: SplitMix64,
    stop: StopToken,
}

impl SearchPlayer {
    pub(super) fn new(
        evaluation: Evaluation,
        budget: Budget,
        method: Method,
        order: Order,
        seed: u64,
    ) -> Self {
        let settings = Settings {
            method,
            order,
            ties: Ties::First,
        };
        Self {
            evaluation,
            budget,
            settings,
            random: SplitMix64::new(seed),
            stop: StopToken::new(),
        }
    }
}

impl Player for SearchPlayer {
    fn new_game(&mut self, seed: u64) {
        self.random = SplitMix64::new(seed);
    }

    fn stopped_by(&mut self, stop: &StopToken) {
        self.stop = stop.clone();
    }

    fn choose(&mut self, position: &Position) -> Option<Move> {
        best_move(
            self.settings,
            self.budget,
            position,
            &self.evaluation,
            &mut self.random,
            &self.stop,
        )
    }
}

/// Returns the move that a textbook method finds within `budget`; the only one without a search.
///
/// `random` chooses among equal moves where the budget is a depth.
pub(super) fn best_move<G: GameState, E: Evaluate<G>>(
    mut settings: Settings,
    budget: Budget,
    position: &G,
    evaluation: &E,
    random: &mut SplitMix64,
    stop: &StopToken,
) -> Option<G::Move> {
    let moves = position.legal_moves();
    if moves.len() < 2 {
        return moves.first().copied();
    }
    let control = budget.control(stop);
    let found = if let Budget::Depth(depth) = budget {
        // Document E's decider chooses among equal moves at random; under a clock that would cost depth.
        settings.ties = Ties::Random {
            seed: random.next_u64(),
        };
        search_within(&settings, position, evaluation, depth, &control)
    } else {
        deepen(&settings, position, evaluation, None, &control).report
    };
    found.best.or_else(|| moves.first().copied())
}
