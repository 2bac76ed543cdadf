//! The searches behind a review, spread over workers.

use super::{Review, ReviewedMove, Value};
use crate::names;
use outflank_othello::{Color, Game, Move, Position};
use outflank_othello_engine::{Engine, EngineConfig, Level, Outcome, Request, SolverError};
use outflank_search::{Clock, StopToken, Verdict};
use std::{
    num::NonZeroUsize,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc::channel,
    },
    thread,
    time::Duration,
};

/// Memory of each worker's tables in bytes.
const TABLE_BYTES: usize = 32 << 20;

/// How a game is reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewOptions {
    /// The level of every search.
    pub level: Level,
    /// Positions searched at the same time.
    pub workers: NonZeroUsize,
    /// Time for the whole game; `None` takes what the level needs.
    pub budget: Option<Duration>,
}

/// Why a game cannot be reviewed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// There is no engine to be had.
    #[error(transparent)]
    Engine(#[from] SolverError),
}

/// Judges every move of `game`; `on_progress` hears of every position that is done, of how many.
///
/// # Errors
///
/// Returns why there is no engine.
pub fn review(
    game: &Game,
    options: &ReviewOptions,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Result<Review, ReviewError> {
    let positions = game.positions();
    let outcomes = search_all(&positions, options, clock, stop, on_progress)?;
    let mut values: Vec<Value> = outcomes.iter().map(value_of).collect();
    // Backwards: a move that is better than what its position was thought to be worth raises that value, unless it is
    // proven.
    for at in (0..game.moves().len()).rev() {
        let reached = negated(values[at + 1]);
        if reached.discs > values[at].discs && values[at].verdict != Verdict::Exact {
            values[at] = reached;
        }
    }
    let mut moves = Vec::with_capacity(game.moves().len());
    let mut disc = 0;
    for (at, (&mv, position)) in game.moves().iter().zip(&positions).enumerate() {
        disc += usize::from(mv != Move::Pass);
        moves.push(judge(
            at,
            disc,
            mv,
            position,
            &outcomes[at],
            [values[at], values[at + 1]],
        ));
    }
    let black = |(position, value): (&Position, &Value)| match position.side() {
        Color::Black => value.discs,
        Color::White => -value.discs,
    };
    Ok(Review {
        game: game.clone(),
        moves,
        opening: names::of_game(game),
        values: positions.iter().zip(&values).map(black).collect(),
        nodes: outcomes.iter().map(|outcome| outcome.nodes).sum(),
        complete: outcomes.iter().all(|outcome| outcome.complete),
    })
}

fn value_of(outcome: &Outcome) -> Value {
    Value {
        discs: outcome.best().value.discs(),
        verdict: outcome.best().verdict,
    }
}

/// The same value for the other side; adding zero turns −0 into 0.
fn negated(value: Value) -> Value {
    Value {
        discs: -value.discs + 0.0,
        ..value
    }
}

fn judge(
    at: usize,
    disc: usize,
    mv: Move,
    position: &Position,
    outcome: &Outcome,
    values: [Value; 2],
) -> ReviewedMove {
    let (best_value, value) = (values[0], negated(values[1]));
    let forced = position.moves().len() <= 1;
    let exact = best_value.verdict == Verdict::Exact && value.verdict == Verdict::Exact;
    let best = outcome.best_move().unwrap_or(mv);
    // The engine's own first move is as good as can be said, whatever a deeper look at the next position says.
    let loss = if forced || (best == mv && !exact) {
        0.0
    } else {
        (best_value.discs - value.discs).max(0.0)
    };
    ReviewedMove {
        number: at + 1,
        disc,
        color: position.side(),
        mv,
        best: if loss > 0.0 { best } else { mv },
        best_value,
        value,
        loss,
        exact,
        forced,
    }
}

/// Searches every position, the last ones (which are the easiest) first.
fn search_all(
    positions: &[Position],
    options: &ReviewOptions,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Result<Vec<Outcome>, ReviewError> {
    let workers = options.workers.get().min(positions.len());
    let request = Request {
        limits: outflank_search::Limits {
            // Each worker has the whole time for its share of the positions.
            time: options
                .budget
                .map(|budget| budget * workers as u32 / positions.len() as u32),
            ..Default::default()
        },
        ..Request::level(options.level)
    };
    let mut engines = Vec::new();
    for _ in 0..workers {
        let config = EngineConfig {
            table_bytes: TABLE_BYTES,
            ..EngineConfig::default()
        };
        engines.push(Engine::embedded(config, Arc::clone(clock))?);
    }
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; positions.len()]);
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        for mut engine in engines {
            let (sender, next, outcomes) = (sender.clone(), &next, &outcomes);
            scope.spawn(move || {
                while let Some(at) = positions
                    .len()
                    .checked_sub(1 + next.fetch_add(1, Ordering::Relaxed))
                {
                    engine.clear();
                    let outcome = engine.search(&positions[at], &request, stop, &mut |_| {});
                    if let Ok(mut outcomes) = outcomes.lock() {
                        outcomes[at] = Some(outcome);
                    }
                    // Nobody listens only if the caller has panicked.
                    let _unheard = sender.send(());
                }
            });
        }
        drop(sender);
        for (done, ()) in receiver.iter().enumerate() {
            on_progress(done + 1, positions.len());
        }
    });
    let outcomes = outcomes
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(outcomes.into_iter().flatten().collect())
}
