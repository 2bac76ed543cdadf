//! Solving many endgames: spread over threads, limited in time, resumable.
//!
//! Several positions are spread over threads, one single-threaded solver each, which wastes nothing and gives the
//! same node counts whatever the number of threads; only when there are fewer positions than threads does one search
//! use all of them. [`solve_all`] hands the answers out in the order of the questions; [`solve_logged`] puts them
//! into a log of `outflank_jobs`, from which a killed run goes on.

mod answer;
mod deadline;

pub use answer::{Answer, Summary, csv_header};
use deadline::Watchdog;
use outflank_eval::Evaluator;
use outflank_jobs::{Event, Fingerprint, Outcome, ResultLog, RunError, Runner};
use outflank_othello::{Discs, Move, Position};
use outflank_othello_engine::{Goal, Solver, SolverError, SolverOptions};
use outflank_search::{Clock, StopToken};
use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{Mutex, PoisonError, mpsc::sync_channel},
    thread,
    time::Duration,
};

/// A position to solve, with what its source claims about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// A name that is repeated in the answer.
    pub id: String,
    /// The position.
    pub position: Position,
    /// The value that the source gives, in discs for the side to move.
    pub expected: Option<Discs>,
    /// The values that the source gives to moves.
    pub scores: Vec<(Move, Discs)>,
}

/// How a batch is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchOptions {
    /// What to find out about each position.
    pub goal: Goal,
    /// Threads in all; 0 counts as 1.
    pub threads: usize,
    /// Memory of the tables of all threads together, in bytes.
    pub table_bytes: usize,
    /// Time for a position; it is answered as aborted after that.
    pub time: Option<Duration>,
}

impl BatchOptions {
    /// Returns how many positions are solved at a time, and with how many threads each.
    fn spread(&self, questions: usize) -> (usize, usize) {
        let threads = self.threads.max(1);
        if questions >= threads {
            (threads, 1)
        } else {
            (1, threads)
        }
    }

    /// Returns a fingerprint of everything that changes the answers.
    pub fn fingerprint(&self, questions: &[Question]) -> Fingerprint {
        let mut print = Fingerprint::default()
            .with(format!("{:?} {:?}", self.goal, self.time).as_bytes())
            .with(&(questions.len() as u64).to_le_bytes());
        for question in questions {
            print = print
                .with(question.id.as_bytes())
                .with(question.position.to_string().as_bytes())
                .with(format!("{:?} {:?}", question.expected, question.scores).as_bytes());
        }
        print
    }
}

/// What all workers of a batch share.
struct Batch<'a, E> {
    evaluator: &'a E,
    questions: &'a [Question],
    options: BatchOptions,
    solver_options: SolverOptions,
    clock: &'a dyn Clock,
    watchdog: &'a Watchdog,
}

impl<E: Evaluator + Clone + 'static> Batch<'_, E> {
    fn worker(&self) -> Result<(Solver<E>, StopToken), SolverError> {
        let stop = self.watchdog.register();
        Ok((Solver::new(self.evaluator.clone(), self.solver_options)?, stop))
    }

    /// Answers one question; `None` if the whole batch was stopped meanwhile.
    fn answer(&self, (solver, stop): &mut (Solver<E>, StopToken), index: usize) -> Option<Answer> {
        let question = self.questions.get(index)?;
        let start = self.clock.now();
        self.watchdog
            .arm(stop, self.options.time.map(|time| start + time));
        let result = solver.solve(question.position.board(), self.options.goal, stop);
        self.watchdog.disarm(stop);
        let seconds = self.clock.now().saturating_sub(start).as_secs_f64();
        (!self.watchdog.is_quitting()).then(|| Answer::new(question, &result, seconds))
    }
}

/// Solves `questions`, and hands the answers to `on_answer` in their order.
///
/// Ends early, with what is finished in order, when `stop` is stopped.
///
/// # Errors
///
/// Returns [`SolverError`] if there is no memory for the tables, or no thread to be had.
pub fn solve_all<E: Evaluator + Clone + 'static>(
    evaluator: &E,
    questions: &[Question],
    options: BatchOptions,
    clock: &dyn Clock,
    stop: &StopToken,
    on_answer: &mut dyn FnMut(usize, Answer),
) -> Result<(), SolverError> {
    let spread = options.spread(questions.len());
    let workers = spread.0;
    let is_stopped = || stop.is_stopped();
    with_batch(
        evaluator,
        questions,
        options,
        spread,
        (clock, &is_stopped),
        |batch| {
            let mut first = Vec::new();
            for _ in 0..workers {
                first.push(batch.worker()?);
            }
            let queue = Mutex::new(0..questions.len());
            let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            thread::scope(|scope| {
                let (sender, receiver) = sync_channel(2 * workers);
                for mut worker in first {
                    let (sender, next) = (sender.clone(), &next);
                    scope.spawn(move || {
                        while let Some(index) = next() {
                            let Some(answer) = batch.answer(&mut worker, index) else {
                                return;
                            };
                            if sender.send((index, answer)).is_err() {
                                return;
                            }
                        }
                    });
                }
                drop(sender);
                let mut waiting = BTreeMap::new();
                let mut due = 0;
                for (index, answer) in receiver {
                    waiting.insert(index, answer);
                    while let Some(answer) = waiting.remove(&due) {
                        on_answer(due, answer);
                        due += 1;
                    }
                }
            });
            Ok(())
        },
    )
}

/// Solves what `log` does not hold yet, one JSON line an item; see [`Answer`].
///
/// `log` should be made with [`BatchOptions::fingerprint`]. `runner` brings the stop token, the clock of the progress,
/// and how often the log is forced to disk; the number of workers is decided here.
///
/// # Errors
///
/// Returns [`BatchError`] if there is no memory for the tables or the log cannot be written.
pub fn solve_logged<E: Evaluator + Clone + 'static>(
    evaluator: &E,
    questions: &[Question],
    options: BatchOptions,
    clock: &dyn Clock,
    (log, mut runner): (&mut ResultLog, Runner<'_>),
    on_event: &mut dyn FnMut(&Event<'_>),
) -> Result<Outcome, BatchError> {
    let spread = options.spread(log.pending().count());
    runner.workers = NonZeroUsize::new(spread.0).unwrap_or(NonZeroUsize::MIN);
    let job_stop = runner.stop.clone();
    let is_stopped = || job_stop.is_stopped();
    // One solver is made here, so that a lack of memory is an error before anything runs.
    let mut reason = None;
    let outcome = with_batch(
        evaluator,
        questions,
        options,
        spread,
        (clock, &is_stopped),
        |batch| {
            drop(batch.worker()?);
            let failed = Mutex::new(None);
            let outcome = runner.run(
                log,
                || {
                    batch
                        .worker()
                        .map_err(|error| {
                            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                            job_stop.stop();
                        })
                        .ok()
                },
                |worker, index| Some(batch.answer(worker.as_mut()?, index)?.to_json()),
                on_event,
            );
            reason = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
            Ok(outcome)
        },
    )?;
    match reason {
        Some(error) => Err(error.into()),
        None => Ok(outcome?),
    }
}

/// Why a logged batch ended early.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// No solver.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The log, or a panic in the work.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Runs `work` with everything that the workers share, and the watchdog beside it.
fn with_batch<E: Evaluator + Clone + 'static, T>(
    evaluator: &E,
    questions: &[Question],
    options: BatchOptions,
    (workers, threads): (usize, usize),
    (clock, is_stopped): (&dyn Clock, &(dyn Fn() -> bool + Sync)),
    work: impl FnOnce(&Batch<'_, E>) -> Result<T, SolverError>,
) -> Result<T, SolverError> {
    let watchdog = Watchdog::default();
    let batch = Batch {
        evaluator,
        questions,
        options,
        solver_options: SolverOptions {
            table_bytes: options.table_bytes / workers,
            threads,
            ..SolverOptions::default()
        },
        clock,
        watchdog: &watchdog,
    };
    thread::scope(|scope| {
        scope.spawn(|| watchdog.watch(clock, is_stopped));
        let result = work(&batch);
        watchdog.finish();
        result
    })
}
