//! Players without an engine: random, greedy, and a textbook search over the hand-made evaluator.

use super::{Failure, Player, Reply, answer};
use outflank_eval::{Evaluator, HandMade, Score};
use outflank_game::{Evaluate, Outcome, SplitMix64};
use outflank_othello::{Discs, Game, Move, Position};
use outflank_protocol::{TimeControl, TurnClock};
use outflank_textbook::{Method, Order, Settings, Ties, search};
use std::time::Duration;

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

fn no_move() -> Failure {
    Failure::Internal("asked for a move in a finished game".to_owned())
}

impl Player for RandomMover {
    fn new_game(&mut self, _game: &Game, _control: &TimeControl, seed: u64) -> Result<(), Failure> {
        self.0 = SplitMix64::new(seed);
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        _clock: &TurnClock,
        _patience: Option<Duration>,
    ) -> Result<Reply, Failure> {
        let moves = game.position().moves();
        let mv = moves.get(self.0.below(moves.len())).ok_or_else(no_move)?;
        Ok(Reply::Move(answer(*mv, None, None, None)))
    }
}

impl Player for Greedy {
    fn new_game(&mut self, _game: &Game, _control: &TimeControl, seed: u64) -> Result<(), Failure> {
        self.0 = SplitMix64::new(seed);
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        _clock: &TurnClock,
        _patience: Option<Duration>,
    ) -> Result<Reply, Failure> {
        let board = game.position().board();
        let flips = |mv: &Move| mv.square().map_or(0, |square| board.flips(square).count());
        let mut moves = game.position().moves();
        let most = moves.iter().map(flips).max().ok_or_else(no_move)?;
        moves.retain(|mv| flips(mv) == most);
        let mv = moves[self.0.below(moves.len())];
        Ok(Reply::Move(answer(mv, None, None, None)))
    }
}

impl Player for PlainSearch {
    fn new_game(&mut self, _game: &Game, _control: &TimeControl, _seed: u64) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        _clock: &TurnClock,
        _patience: Option<Duration>,
    ) -> Result<Reply, Failure> {
        let (mv, value, nodes) = plain_search(game.position(), self.depth);
        let mv = mv.ok_or_else(no_move)?;
        Ok(Reply::Move(answer(
            mv,
            Some(value),
            Some(self.depth),
            Some(nodes),
        )))
    }
}
