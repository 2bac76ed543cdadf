//! Players without an engine: random, greedy, and a textbook search over the hand-made evaluator.

use super::registry::{Registry, no_arguments};
use crate::{
    history::History,
    player::{Choice, Failure, Player, Reply, Setup, Turn},
};
use outflank_eval::{Evaluator, HandMade, Score};
use outflank_game::{Evaluate, GameState, Outcome, SplitMix64};
use outflank_othello::{Discs, Move, Position};
use outflank_textbook::{Method, Order, Settings, Ties, search};
use std::sync::Arc;

/// Plays any legal move, each with the same probability.
#[derive(Clone, Debug)]
pub struct RandomMover(SplitMix64);

/// Flips as many discs as it can; among equals any, each with the same probability.
#[derive(Clone, Debug)]
pub struct Greedy(SplitMix64);

/// Alpha-beta to a fixed depth over the hand-made evaluator; among equal moves the first.
#[derive(Clone, Debug)]
pub struct PlainSearch {
    depth: u32,
}

impl RandomMover {
    /// Returns a player whose moves the seed of each game decides.
    pub const fn new() -> Self {
        Self(SplitMix64::new(0))
    }
}

impl Default for RandomMover {
    fn default() -> Self {
        Self::new()
    }
}

impl Greedy {
    /// Returns a player whose choice among equals the seed of each game decides.
    pub const fn new() -> Self {
        Self(SplitMix64::new(0))
    }
}

impl Default for Greedy {
    fn default() -> Self {
        Self::new()
    }
}

impl PlainSearch {
    /// Returns a player that looks `depth` discs ahead (at least one).
    pub const fn new(depth: u32) -> Self {
        Self {
            depth: if depth == 0 { 1 } else { depth },
        }
    }
}

/// The hand-made evaluator as the textbook searches want it, in units of 1/128 disc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandMadeUnits;

impl Evaluate<Position> for HandMadeUnits {
    fn evaluate(&self, position: &Position) -> i32 {
        HandMade.evaluate(position.board(), &()).units()
    }

    fn outcome_value(&self, outcome: Outcome) -> i32 {
        Score::from_discs(Discs::saturating(outcome.margin)).units()
    }
}

/// Searches `depth` discs ahead; returns the best move and its value in discs.
pub(crate) fn plain_search(position: &Position, depth: u32) -> (Option<Move>, f64, u64) {
    let settings = Settings {
        method: Method::Pvs(None),
        order: Order::Evaluated,
        ties: Ties::First,
    };
    let report = search(&settings, position, &HandMadeUnits, depth);
    (
        report.best,
        Score::saturating(report.value).discs(),
        report.counters.nodes,
    )
}

/// Returns the value in discs of a position for the side to move, from a plain search with the hand-made evaluator.
pub(crate) fn simple_value(position: &Position, depth: u32) -> f64 {
    plain_search(position, depth).1
}

impl<G: GameState> Player<G> for RandomMover {
    fn new_game(&mut self, _history: &History<G>, setup: &Setup<'_>) -> Result<(), Failure> {
        self.0 = SplitMix64::new(setup.seed);
        Ok(())
    }

    fn choose(&mut self, history: &History<G>, _turn: &Turn<'_>) -> Result<Reply<G::Move>, Failure> {
        let moves = history.position().legal_moves();
        let mv = moves
            .get(self.0.below(moves.len()))
            .ok_or_else(Failure::no_move)?;
        Ok(Reply::Move(Choice::of(*mv)))
    }
}

impl Player<Position> for Greedy {
    fn new_game(&mut self, _history: &History<Position>, setup: &Setup<'_>) -> Result<(), Failure> {
        self.0 = SplitMix64::new(setup.seed);
        Ok(())
    }

    fn choose(&mut self, history: &History<Position>, _turn: &Turn<'_>) -> Result<Reply<Move>, Failure> {
        let board = history.position().board();
        let flips = |mv: &Move| mv.square().map_or(0, |square| board.flips(square).count());
        let mut moves = history.position().legal_moves();
        let most = moves.iter().map(flips).max().ok_or_else(Failure::no_move)?;
        moves.retain(|mv| flips(mv) == most);
        Ok(Reply::Move(Choice::of(moves[self.0.below(moves.len())])))
    }
}

impl Player<Position> for PlainSearch {
    fn new_game(&mut self, _history: &History<Position>, _setup: &Setup<'_>) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(&mut self, history: &History<Position>, _turn: &Turn<'_>) -> Result<Reply<Move>, Failure> {
        let (mv, value, nodes) = plain_search(history.position(), self.depth);
        Ok(Reply::Move(Choice {
            value: Some(value),
            depth: Some(self.depth),
            nodes: Some(nodes),
            ..Choice::of(mv.ok_or_else(Failure::no_move)?)
        }))
    }
}

/// Adds the player of every game.
pub(crate) fn add_random<G: GameState + 'static>(registry: &mut Registry<G>) {
    registry.add("random", "random: any legal move", |arguments| {
        no_arguments(arguments)?;
        Ok(Arc::new(|| Ok(Box::new(RandomMover::new()))))
    });
}
