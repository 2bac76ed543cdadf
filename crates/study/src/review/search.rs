//! The searches behind a review, spread over workers.

use super::{
    Review, ReviewedMove, Value,
    known::{Known, known, levels},
};
use crate::names;
use outflank_book::Look;
use outflank_eval::Patterns;
use outflank_othello::{Color, Game, Move, Position};
use outflank_othello_engine::{Engine, EngineConfig, EngineError, Outcome, Request, tuning::ProbCutTable};
use outflank_search::{Clock, Level, Origin, StopToken, Verdict};
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
            evaluator: Patterns::shared(),
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
    review_by(&Judge::default(), None, game, options, clock, stop, on_progress)
}

/// Judges every move of `game`, as [`review`] does, by another evaluation, and by a book where that says as much.
///
/// # Errors
///
/// Returns why there is no engine.
pub fn review_by(
    judge_by: &Judge,
    book: Option<&dyn Look>,
    game: &Game,
    options: &ReviewOptions,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Result<Review, ReviewError> {
    let positions = game.positions();
    let known = book.map_or_else(
        || vec![None; positions.len()],
        |book| known(book, game, &positions, options.level),
    );
    let levels = levels(&known, options.level);
    // Half of a budget is kept for the second look.
    let halved = ReviewOptions {
        budget: options.budget.map(|budget| budget / 2),
        ..*options
    };
    let wanted = positions.iter().zip(&levels);
    let wanted: Vec<(Position, Level)> = wanted.filter_map(|(at, level)| Some((*at, (*level)?))).collect();
    let mut found = search_all(judge_by, &wanted, &halved, clock, stop, on_progress)?.into_iter();
    let seen: Vec<Seen> = levels
        .iter()
        .zip(&known)
        .map(|(level, known)| Seen {
            known: *known,
            outcome: level.and_then(|_| found.next()),
        })
        .collect();
    let alternatives: Vec<Option<Alternative>> = (0..game.moves().len())
        .map(|at| {
            let child = alternative(game.moves()[at], &positions, &seen, at)?;
            let from_book = book.and_then(|book| Known::of(book, &child, options.level));
            Some(match from_book {
                Some(known) => Alternative::Known(known.value),
                // As far as the move that was made was looked at.
                None => Alternative::Wanted(child, levels[at + 1].unwrap_or(options.level)),
            })
        })
        .collect();
    let wanted = alternatives.iter().flatten().filter_map(|other| match other {
        Alternative::Wanted(child, level) => Some((*child, *level)),
        Alternative::Known(_) => None,
    });
    let wanted: Vec<(Position, Level)> = wanted.collect();
    let looks = search_all(judge_by, &wanted, &halved, clock, stop, &mut |_, _| {})?;
    let outcomes = || seen.iter().filter_map(|seen| seen.outcome.as_ref()).chain(&looks);
    let (nodes, complete) = (
        outcomes().map(|outcome| outcome.nodes).sum(),
        outcomes().all(|outcome| outcome.complete),
    );
    let mut looks = looks.iter();
    let mut moves = Vec::with_capacity(game.moves().len());
    let mut disc = 0;
    for (at, (&mv, position)) in game.moves().iter().zip(&positions).enumerate() {
        disc += usize::from(mv != Move::Pass);
        let other = alternatives[at].as_ref().and_then(|other| match other {
            Alternative::Known(value) => Some(*value),
            Alternative::Wanted(..) => looks.next().map(value_of),
        });
        moves.push(judge(
            [at + 1, disc],
            [mv, seen[at].best().unwrap_or(mv)],
            position,
            [&seen[at], &seen[at + 1]],
            other.map(negated),
        ));
    }
    let black = |(position, seen): (&Position, &Seen)| match position.side() {
        Color::Black => seen.value().discs,
        Color::White => -seen.value().discs,
    };
    Ok(Review {
        game: game.clone(),
        moves,
        opening: names::of_game(game),
        values: positions.iter().zip(&seen).map(black).collect(),
        nodes,
        complete,
    })
}

/// What is known about a position of the game: by the book, by a search, or by both.
struct Seen {
    known: Option<Known>,
    outcome: Option<Outcome>,
}

impl Seen {
    /// Returns its value, that of the book first.
    fn value(&self) -> Value {
        let searched = || self.outcome.as_ref().map(value_of);
        let known = self.known.map(|known| known.value);
        known.or_else(searched).unwrap_or(Value {
            discs: 0.0,
            verdict: Verdict::Aborted,
            origin: Origin::Search,
        })
    }

    /// Returns its best move.
    fn best(&self) -> Option<Move> {
        let known = self.known.and_then(|known| known.best);
        known.or_else(|| self.outcome.as_ref()?.best_move())
    }

    /// Returns whether the book has it, with a best move.
    fn is_in_book(&self) -> bool {
        self.known.is_some_and(|known| known.best.is_some())
    }

    fn is_exact(&self) -> bool {
        self.value().verdict == Verdict::Exact
    }
}

/// The position after a better move than the one that was made.
enum Alternative {
    /// Its value is known.
    Known(Value),
    /// It is to be searched.
    Wanted(Position, Level),
}

fn value_of(outcome: &Outcome) -> Value {
    Value {
        discs: outcome.best().value.discs(),
        verdict: outcome.best().verdict,
        origin: outcome.best().origin,
    }
}

/// The same value for the other side; adding zero turns −0 into 0.
pub(super) fn negated(value: Value) -> Value {
    Value {
        discs: -value.discs + 0.0,
        ..value
    }
}

/// Returns the position after the move that is preferred to the one that was made, if a look at it is needed to say what was
/// lost: not if both values are exact, not if the book has the position and so all its moves, and not if the two positions
/// are images of each other.
///
/// Only searches from the same distance can be compared: a value estimated one disc earlier is higher or lower by nothing
/// but that.
fn alternative(mv: Move, positions: &[Position], seen: &[Seen], at: usize) -> Option<Position> {
    let best = seen[at].best().filter(|&best| best != mv)?;
    if seen[at].is_in_book() || seen[at].is_exact() && seen[at + 1].is_exact() {
        return None;
    }
    let mut child = positions[at];
    child.play(best).ok()?;
    (child.board().canonical().0 != positions[at + 1].board().canonical().0).then_some(child)
}

/// Judges a move; `seen` are its position and the next one, `other` is the value of the preferred move where it was looked
/// at.
fn judge(
    [number, disc]: [usize; 2],
    [mv, best]: [Move; 2],
    position: &Position,
    seen: [&Seen; 2],
    other: Option<Value>,
) -> ReviewedMove {
    let value = negated(seen[1].value());
    let forced = position.legal_moves().len() <= 1;
    let exact = seen.iter().all(|seen| seen.is_exact());
    let preferred = if exact || seen[0].is_in_book() {
        Some(seen[0].value())
    } else {
        other
    };
    let better = preferred.filter(|preferred| !forced && best != mv && preferred.discs > value.discs);
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

/// Searches every position at its level, the last ones (which are the easiest) first.
fn search_all(
    judge_by: &Judge,
    positions: &[(Position, Level)],
    options: &ReviewOptions,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Result<Vec<Outcome>, ReviewError> {
    if positions.is_empty() {
        return Ok(Vec::new());
    }
    let workers = options.workers.get().min(positions.len());
    let mut request = Request::default();
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
        for &(position, level) in positions.iter().rev() {
            engine.clear();
            outcomes.push(engine.search(&request.at(position).level(level), stop, &mut |_| {}));
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
                    let (position, level) = positions[at];
                    let outcome = engine.search(&request.at(position).level(level), stop, &mut |_| {});
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
