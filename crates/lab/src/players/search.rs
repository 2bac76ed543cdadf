//! Players that search with a textbook method.

use super::{Budget, Player};
use crate::evaluation::Evaluation;
use outflank_game::SplitMix64;
use outflank_othello::{Move, Position};
use outflank_search::{Limits, SystemClock};
use outflank_textbook::{Method, Order, Settings, Ties, deepen, search};

/// A textbook method with an evaluation and a budget.
#[derive(Clone, Debug)]
pub(super) struct SearchPlayer {
    evaluation: Evaluation,
    budget: Budget,
    settings: Settings,
    random: SplitMix64,
}

impl SearchPlayer {
    pub(super) const fn new(
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
        }
    }
}

impl Player for SearchPlayer {
    fn new_game(&mut self, seed: u64) {
        self.random = SplitMix64::new(seed);
    }

    fn choose(&mut self, position: &Position) -> Option<Move> {
        let moves = position.moves();
        if moves.len() < 2 {
            return moves.first().copied();
        }
        match self.budget {
            Budget::Depth(depth) => {
                // Document E's decider chooses among equal moves at random; under a clock that would cost depth.
                let ties = Ties::Random {
                    seed: self.random.next_u64(),
                };
                let settings = Settings {
                    ties,
                    ..self.settings
                };
                search(&settings, position, &self.evaluation, depth).best
            }
            Budget::Nodes(nodes) => {
                let limits = Limits {
                    nodes: Some(nodes),
                    ..Limits::default()
                };
                deepen(&self.settings, position, &self.evaluation, limits, None, None)
                    .report
                    .best
            }
            Budget::Time(time) => {
                let limits = Limits {
                    time: Some(time),
                    ..Limits::default()
                };
                let clock = SystemClock::new();
                deepen(
                    &self.settings,
                    position,
                    &self.evaluation,
                    limits,
                    Some(&clock),
                    None,
                )
                .report
                .best
            }
        }
    }
}
