//! The searches behind a review, spread over workers.

use super::{Review, ReviewedMove, Value};
use crate::names;
use outflank_eval::Patterns;
use outflank_othello::{Color, Game, Move, Position};
use outflank_othello_engine::{Engine, EngineConfig, EngineError, Outcome, Request, tuning::ProbCutTable};
use outflank_search::{Clock, Level, StopToken, Verdict};
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
    Engine(#[from] EngineError),
}

/// By what a review judges: an evaluation, and the statistics of its errors.
#[derive(Clone, Debug)]
pub struct Judge {
    /// The evaluation.
    pub evaluator: Arc<Patterns>,
    /// What was measured with it.
    pub probcut: Arc<ProbCutTable>,
}

impl Default for Judge {
    /// The evaluation inside the program.
    fn default() -> Self {
        Self {
            evaluator: Arc::new(Patterns::embedded()),
            probcut: Arc::new(ProbCutTable::embedded()),
        }
    }
}

/// Judges every move of `game` by the evaluation inside the program; `on_progress` hears of every position that is done,
/// of how many.
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
    review_by(&Judge::default(), game, options, clock, stop, on_progress)
}

/// Judges every move of `game`, as [`review`] does, by another evaluation.
///
/// # Errors
///
/// Returns why there is no engine.
pub fn review_by(
    judge_by: &Judge,
    game: &Game,
    options: &ReviewOptions,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Result<Review, ReviewError> {
    let positions = game.positions();
    // Half of a budget is kept for the second look.
    let halved = ReviewOptions {
        budget: options.budget.map(|budget| budget / 2),
        ..*options
    };
    let outcomes = search_all(judge_by, &positions, &halved, clock, stop, on_progress)?;
    let values: Vec<Value> = outcomes.iter().map(value_of).collect();
    let children: Vec<Option<Position>> = (0..game.moves().len())
        .map(|at| alternative(game.moves()[at], &positions, &outcomes, at))
        .collect();
    let wanted: Vec<Position> = children.iter().copied().flatten().collect();
    let mut looks = search_all(judge_by, &wanted, &halved, clock, stop, &mut |_, _| {})?.into_iter();
    let mut moves = Vec::with_capacity(game.moves().len());
    let (mut disc, mut nodes, mut complete) = (0, 0, true);
    for (at, (&mv, position)) in game.moves().iter().zip(&positions).enumerate() {
        disc += usize::from(mv != Move::Pass);
        let look = children[at].and_then(|_| looks.next());
        nodes += look.as_ref().map_or(0, |look| look.nodes);
        complete &= look.as_ref().is_none_or(|look| look.complete);
        let other = look.as_ref().map(|look| negated(value_of(look)));
        let best = outcomes[at].best_move().unwrap_or(mv);
        moves.push(judge(
            [at + 1, disc],
            [mv, best],
            position,
            [values[at], values[at + 1]],
            other,
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
        nodes: nodes + outcomes.iter().map(|outcome| outcome.nodes).sum::<u64>(),
        complete: complete && outcomes.iter().all(|outcome| outcome.complete),
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

/// Returns the position after the move that the engine prefers to the one that was made, if a look at it is needed to
/// say what was lost: not if both values are exact, and not if the two positions are images of each other.
///
/// Only searches from the same distance can be compared: a value estimated one disc earlier is higher or lower by nothing
/// but that.
fn alternative(mv: Move, positions: &[Position], outcomes: &[Outcome], at: usize) -> Option<Position> {
    let exact = |at: usize| outcomes[at].best().verdict == Verdict::Exact;
    let best = outcomes[at].best_move().filter(|&best| best != mv)?;
    if exact(at) && exact(at + 1) {
        return None;
    }
    let mut child = positions[at];
    child.play(best).ok()?;
    (child.board().canonical().0 != positions[at + 1].board().canonical().0).then_some(child)
}

/// Judges a move; `values` are those of its position and the next one, each for its own side, `other` is that of the
/// preferred move where it was looked at.
fn judge(
    [number, disc]: [usize; 2],
    [mv, best]: [Move; 2],
    position: &Position,
    values: [Value; 2],
    other: Option<Value>,
) -> ReviewedMove {
    let value = negated(values[1]);
    let forced = position.legal_moves().len() <= 1;
    let exact = values[0].verdict == Verdict::Exact && value.verdict == Verdict::Exact;
    let preferred = if exact { Some(values[0]) } else { other };
    let better = preferred.filter(|preferred| !forced && preferred.discs > value.discs);
    ReviewedMove {
        number,
        disc,
        color: position.side(),
        mv,
        best: if better.is_some() { best } else { mv },
        best_value: better.unwrap_or(value),
        value,
        loss: better.map_or(0.0, |better| better.discs - value.discs),
        exact,
        forced,
    }
}

/// Searches every position, the last ones (which are the easiest) first.
fn search_all(
    judge_by: &Judge,
    positions: &[Position],
    options: &ReviewOptions,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Result<Vec<Outcome>, ReviewError> {
    if positions.is_empty() {
        return Ok(Vec::new());
    }
    let workers = options.workers.get().min(positions.len());
    let mut request = Request::default().level(options.level);
    // Each worker has the whole time for its share of the positions.
    request.limits.time = options
        .budget
        .map(|budget| budget * workers as u32 / positions.len() as u32);
    let mut engines = Vec::new();
    for _ in 0..workers {
        let config = EngineConfig {
            table_bytes: TABLE_BYTES,
            ..EngineConfig::default()
        };
        engines.push(Engine::judging_by(
            Arc::clone(&judge_by.evaluator),
            Arc::clone(&judge_by.probcut),
            config,
            Arc::clone(clock),
        )?);
    }
    if let [engine] = &mut engines[..] {
        // In the caller's thread: a page has no other.
        let mut outcomes = Vec::with_capacity(positions.len());
        for position in positions.iter().rev() {
            engine.clear();
            outcomes.push(engine.search(&request.at(*position), stop, &mut |_| {}));
            on_progress(outcomes.len(), positions.len());
        }
        outcomes.reverse();
        return Ok(outcomes);
    }
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; positions.len()]);
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        for mut engine in engines {
            let (sender, next, outcomes, request) = (sender.clone(), &next, &outcomes, &request);
            scope.spawn(move || {
                while let Some(at) = positions
                    .len()
                    .checked_sub(1 + next.fetch_add(1, Ordering::Relaxed))
                {
                    engine.clear();
                    let outcome = engine.search(&request.at(positions[at]), stop, &mut |_| {});
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
