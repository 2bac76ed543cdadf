//! Many searches and many games, spread over threads: one single-threaded engine each, so that nothing depends on how many
//! there are.

use super::Judge;
use outflank_eval::Evaluator;
use outflank_game::SplitMix64;
use outflank_othello::{Game, Move, Position};
use outflank_othello_engine::{Engine, EngineConfig, EngineError, Outcome, Request};
use outflank_search::{Clock, StopToken};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError, mpsc::sync_channel},
    thread,
};

/// Does `work` for every number below `n`, each worker in a thread of its own, and hands the results to `on_result` in
/// their order; ends early, with what is finished in order, when a piece of work has none.
pub(crate) fn in_order<W: Send, T: Send>(
    workers: &mut [W],
    n: usize,
    work: &(impl Fn(&mut W, usize) -> Option<T> + Sync),
    on_result: &mut dyn FnMut(usize, T),
) {
    if let [worker] = &mut *workers {
        // In the caller's thread: a page has no other.
        for index in 0..n {
            let Some(result) = work(worker, index) else {
                return;
            };
            on_result(index, result);
        }
        return;
    }
    let queue = Mutex::new(0..n);
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(2 * workers.len());
        for worker in workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(index) = next() {
                    let Some(result) = work(worker, index) else {
                        return;
                    };
                    if sender.send((index, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (index, result) in receiver {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&due) {
                on_result(due, result);
                due += 1;
            }
        }
    });
}

/// How searches and games are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// Threads in all; 0 counts as 1.
    pub threads: usize,
    /// Memory of the tables of each thread, in bytes: values may depend on it, and so it is not shared out.
    pub table_bytes: usize,
}

impl Spread {
    /// Returns an engine for each thread, but no more than `n`.
    fn engines<E: Evaluator + 'static>(
        self,
        (evaluator, probcut): Judge<'_, E>,
        n: usize,
        clock: &Arc<dyn Clock>,
    ) -> Result<Vec<Engine<E>>, EngineError> {
        let config = EngineConfig {
            table_bytes: self.table_bytes,
            threads: 1,
            ..EngineConfig::default()
        };
        let engine = || {
            Engine::judging_by(
                Arc::clone(evaluator),
                Arc::clone(probcut),
                config,
                Arc::clone(clock),
            )
        };
        (0..self.threads.clamp(1, n.max(1))).map(|_| engine()).collect()
    }
}

/// Searches `positions`, each with an empty memory, as far as `request` says, and hands the outcomes to `on_outcome` in
/// their order.
///
/// Ends early, with what is finished in order, when `stop` is stopped.
///
/// # Errors
///
/// Returns [`EngineError`] if there is no memory for the tables, or no thread to be had.
pub fn search_all<E: Evaluator + 'static>(
    judge: Judge<'_, E>,
    positions: &[Position],
    request: &Request,
    spread: Spread,
    (clock, stop): (&Arc<dyn Clock>, &StopToken),
    on_outcome: &mut dyn FnMut(usize, Outcome),
) -> Result<(), EngineError> {
    let mut engines = spread.engines(judge, positions.len(), clock)?;
    let work = |engine: &mut Engine<E>, index: usize| {
        engine.clear();
        let outcome = engine.search(&request.at(positions[index]), stop, &mut |_| {});
        (!stop.is_stopped()).then_some(outcome)
    };
    in_order(&mut engines, positions.len(), &work, on_outcome);
    Ok(())
}

/// Games of the engine against itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlay {
    /// How many.
    pub games: usize,
    /// Where chance begins: a game depends on this and on its number alone.
    pub seed: u64,
    /// Moves that are drawn at the start of each game; passes count.
    pub random_plies: usize,
    /// How far each move is searched; the position does not matter.
    pub request: Request,
}

/// Plays games from the start position, and hands them to `on_game` in their order.
///
/// Ends early, with what is finished in order, when `stop` is stopped.
///
/// # Errors
///
/// As [`search_all`].
pub fn play_all<E: Evaluator + 'static>(
    judge: Judge<'_, E>,
    recipe: &SelfPlay,
    spread: Spread,
    (clock, stop): (&Arc<dyn Clock>, &StopToken),
    on_game: &mut dyn FnMut(usize, Game),
) -> Result<(), EngineError> {
    let mut engines = spread.engines(judge, recipe.games, clock)?;
    let work = |engine: &mut Engine<E>, index: usize| {
        let seed =
            SplitMix64::new(recipe.seed.wrapping_add(SplitMix64::new(index as u64).next_u64())).next_u64();
        let mut random = SplitMix64::new(seed);
        let mut game = Game::new();
        let play = |game: &mut Game, mv: Move| game.play(mv).expect("the engine and the rules agree");
        for _ in 0..recipe.random_plies {
            let moves = game.position().legal_moves();
            let Some(&mv) = moves.get(random.below(moves.len())) else {
                break;
            };
            play(&mut game, mv);
        }
        engine.clear();
        engine.reseed(seed);
        loop {
            let outcome = engine.search(&recipe.request.at(*game.position()), stop, &mut |_| {});
            if stop.is_stopped() {
                return None;
            }
            let Some(mv) = outcome.best_move() else {
                return Some(game);
            };
            play(&mut game, mv);
        }
    };
    in_order(&mut engines, recipe.games, &work, on_game);
    Ok(())
}
