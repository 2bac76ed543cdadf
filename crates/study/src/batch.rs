//! Solving many endgames: spread over threads, limited in time, resumable.
//!
//! Several positions are spread over threads, one single-threaded engine each, which wastes nothing and gives the
//! same node counts whatever the number of threads; only when there are fewer positions than threads does one search
//! use all of them. [`solve_all`] hands the answers out in the order of the questions; [`solve_logged`] puts them
//! into a log of `outflank_jobs`, from which a killed run goes on, and [`solve_to_file`] from there into one file.
//! [`search_all`] and [`play_all`] are searches and games of the same kind.

mod answer;
mod file;
mod spread;

pub use answer::{Answer, Summary, csv_header};
pub use file::{Sheet, SheetError, Target, solve_to_file};
use outflank_eval::Evaluator;
use outflank_jobs::{Event, Fingerprint, Outcome, ResultLog, RunError, Runner};
use outflank_othello::{Discs, Move, Position};
use outflank_othello_engine::{Engine, EngineConfig, EngineError, SolverGoal, tuning::ProbCutTable};
use outflank_search::{Clock, Control, StopToken};
pub(crate) use spread::in_order;
pub use spread::{SelfPlay, Spread, play_all, search_all};
use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
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
    pub goal: SolverGoal,
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

/// An evaluator with the ProbCut statistics that belong to it.
pub type Judge<'a, E> = (&'a Arc<E>, &'a Arc<ProbCutTable>);

/// What all workers of a batch share.
struct Batch<'a, E> {
    judge: Judge<'a, E>,
    questions: &'a [Question],
    options: BatchOptions,
    config: EngineConfig,
    clock: &'a Arc<dyn Clock>,
    /// Ends the whole batch.
    stop: StopToken,
}

impl<'a, E: Evaluator + 'static> Batch<'a, E> {
    /// `pending` is the number of questions without an answer.
    fn new(
        judge: Judge<'a, E>,
        questions: &'a [Question],
        options: BatchOptions,
        pending: usize,
        (clock, stop): (&'a Arc<dyn Clock>, StopToken),
    ) -> Self {
        let (workers, threads) = options.spread(pending);
        let config = EngineConfig {
            table_bytes: options.table_bytes / workers,
            threads,
            ..EngineConfig::default()
        };
        Self {
            judge,
            questions,
            options,
            config,
            clock,
            stop,
        }
    }

    fn engine(&self) -> Result<Engine<E>, EngineError> {
        let (evaluator, probcut) = self.judge;
        Engine::judging_by(
            Arc::clone(evaluator),
            Arc::clone(probcut),
            self.config,
            Arc::clone(self.clock),
        )
    }

    /// Answers one question; `None` if the whole batch was stopped meanwhile.
    fn answer(&self, engine: &mut Engine<E>, index: usize) -> Option<Answer> {
        let question = self.questions.get(index)?;
        let control = Control::new(self.stop.clone(), Arc::clone(self.clock), self.options.time, None);
        let result = engine.solve(question.position.board(), self.options.goal, &control);
        let seconds = control.elapsed().as_secs_f64();
        (!self.stop.is_stopped()).then(|| Answer::new(question, &result, seconds))
    }
}

/// Solves `questions`, and hands the answers to `on_answer` in their order.
///
/// Ends early, with what is finished in order, when `stop` is stopped.
///
/// # Errors
///
/// Returns [`EngineError`] if there is no memory for the tables, or no thread to be had.
pub fn solve_all<E: Evaluator + 'static>(
    judge: Judge<'_, E>,
    questions: &[Question],
    options: BatchOptions,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
    on_answer: &mut dyn FnMut(usize, Answer),
) -> Result<(), EngineError> {
    let workers = options.spread(questions.len()).0;
    let batch = Batch::new(judge, questions, options, questions.len(), (clock, stop.clone()));
    let mut engines = Vec::new();
    for _ in 0..workers {
        engines.push(batch.engine()?);
    }
    let work = |engine: &mut Engine<E>, index| batch.answer(engine, index);
    in_order(&mut engines, questions.len(), &work, on_answer);
    Ok(())
}

/// Solves what `log` does not hold yet, one JSON line an item; see [`Answer`].
///
/// `log` should be made with [`BatchOptions::fingerprint`]. `runner` brings the clock of the progress and how often the
/// log is forced to disk; the number of workers and what stops them (`stop`) is decided here.
///
/// # Errors
///
/// Returns [`BatchError`] if there is no memory for the tables or the log cannot be written.
pub fn solve_logged<E: Evaluator + 'static>(
    judge: Judge<'_, E>,
    questions: &[Question],
    options: BatchOptions,
    (clock, stop): (&Arc<dyn Clock>, &StopToken),
    (log, mut runner): (&mut ResultLog, Runner<'_>),
    on_event: &mut dyn FnMut(&Event<'_>),
) -> Result<Outcome, BatchError> {
    let pending = log.pending().count();
    runner.workers = NonZeroUsize::new(options.spread(pending).0).unwrap_or(NonZeroUsize::MIN);
    let is_stopped = || stop.is_stopped();
    runner.stop = &is_stopped;
    let batch = Batch::new(judge, questions, options, pending, (clock, stop.clone()));
    // An engine is made here, so that a lack of memory is an error before anything runs.
    drop(batch.engine()?);
    let failure = Mutex::new(None);
    let new_worker = || {
        let engine = batch.engine();
        engine
            .map_err(|error| {
                stop.stop();
                *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            })
            .ok()
    };
    let work = |engine: &mut Option<Engine<E>>, index| Some(batch.answer(engine.as_mut()?, index)?.to_json());
    let outcome = runner.run(log, new_worker, work, on_event);
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error.into()),
        None => Ok(outcome?),
    }
}

/// Why a logged batch ended early.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// No solver.
    #[error(transparent)]
    Solver(#[from] EngineError),
    /// The log, or a panic in the work.
    #[error(transparent)]
    Run(#[from] RunError),
}
