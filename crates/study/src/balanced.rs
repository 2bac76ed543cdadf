//! Random openings that are fair by the engine's own values, as in tournaments that draw the start by lot.

use crate::review::Judge;
use outflank_game::SplitMix64;
use outflank_othello::{Board, Color, Game, Move};
use outflank_othello_engine::{Engine, EngineConfig, EngineError, Request};
use outflank_search::{Clock, Level, StopToken, Verdict};
use std::{collections::BTreeSet, sync::Arc};

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Discs that are placed.
    pub moves: usize,
    /// Greatest value for either side, in discs.
    pub within: f64,
    /// Openings wanted.
    pub count: usize,
    /// What they are drawn with.
    pub seed: u64,
    /// Strength of the searches that value them.
    pub level: Level,
}

/// An opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Balanced {
    /// The moves.
    pub game: Game,
    /// Value of the last position for black, in discs.
    pub value: f64,
    /// What the value is worth.
    pub verdict: Verdict,
}

/// Memory of the table in bytes: searches of so few discs fill no more, and the table is emptied before each.
const TABLE_BYTES: usize = 4 << 20;

/// Draws in a row without a new opening after which no more are looked for.
const PATIENCE: usize = 20_000;

/// Draws openings of random moves, each legal move as likely as another, and hands those that are fair to `on_found`,
/// no two of which are images of one another; returns how many there were.
///
/// The same question has the same answer everywhere: searches start from an empty table.
///
/// # Errors
///
/// There is no engine.
pub fn draw(
    wanted: &Wanted,
    judge: &Judge,
    (clock, stop): (&Arc<dyn Clock>, &StopToken),
    on_found: &mut dyn FnMut(Balanced),
) -> Result<usize, EngineError> {
    let (evaluator, probcut) = (Arc::clone(&judge.evaluator), Arc::clone(&judge.probcut));
    let config = EngineConfig {
        table_bytes: TABLE_BYTES,
        ..EngineConfig::default()
    };
    let mut engine = Engine::judging_by(evaluator, probcut, config, Arc::clone(clock))?;
    let mut random = SplitMix64::new(wanted.seed);
    let mut seen: BTreeSet<Board> = BTreeSet::new();
    let (mut found, mut in_vain) = (0, 0);
    while found < wanted.count && in_vain < PATIENCE && !stop.is_stopped() {
        in_vain += 1;
        let Some(game) = random_game(wanted.moves, &mut random) else {
            continue;
        };
        let board = game.position().board();
        if game.position().is_game_over() || !seen.insert(board.canonical().0) {
            continue;
        }
        engine.clear();
        let request = Request::new(*game.position()).level(wanted.level);
        let outcome = engine.search(&request, stop, &mut |_| {});
        let line = outcome.best();
        let value = match game.position().side() {
            Color::Black => line.value.discs(),
            Color::White => 0.0 - line.value.discs(),
        };
        if value.abs() <= wanted.within && line.verdict != Verdict::Aborted {
            (found, in_vain) = (found + 1, 0);
            let verdict = line.verdict;
            on_found(Balanced { game, value, verdict });
        }
    }
    Ok(found)
}

/// Returns a game of so many discs placed at random; `None` if it ends before.
fn random_game(moves: usize, random: &mut SplitMix64) -> Option<Game> {
    let mut game = Game::new();
    let mut placed = 0;
    while placed < moves {
        let legal = game.position().legal_moves();
        let mv = *legal.get(random.below(legal.len()))?;
        game.play(mv).ok()?;
        placed += usize::from(mv != Move::Pass);
    }
    Some(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_search::ManualClock;

    #[test]
    fn openings_are_fair_distinct_and_the_same_every_time() {
        let wanted = Wanted {
            moves: 6,
            within: 2.0,
            count: 12,
            seed: 1,
            level: Level::new(4).expect("a level"),
        };
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
        let run = || {
            let mut found = Vec::new();
            let stop = StopToken::new();
            let n = draw(&wanted, &Judge::default(), (&clock, &stop), &mut |one| {
                found.push(one);
            });
            assert_eq!(n, Ok(found.len()));
            found
        };
        let found = run();
        assert_eq!(found.len(), 12);
        assert_eq!(run(), found);
        let boards: BTreeSet<Board> = found
            .iter()
            .map(|one| one.game.position().board().canonical().0)
            .collect();
        assert_eq!(boards.len(), found.len());
        for one in &found {
            let placed = one.game.moves().iter().filter(|mv| mv.square().is_some()).count();
            assert!(placed == 6 && one.value.abs() <= 2.0, "{one:?}");
        }
    }

    #[test]
    fn what_there_is_not_is_not_looked_for_for_ever() {
        let wanted = Wanted {
            moves: 1,
            within: 64.0,
            count: 5,
            seed: 1,
            level: Level::new(1).expect("a level"),
        };
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
        let found = draw(
            &wanted,
            &Judge::default(),
            (&clock, &StopToken::new()),
            &mut |_| {},
        );
        assert_eq!(found, Ok(1), "all first moves are images of one another");
    }
}
