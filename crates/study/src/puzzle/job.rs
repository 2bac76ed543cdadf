//! Making a file of puzzles as a long job: killed at any moment, it goes on where it was.

use super::{Criteria, Maker, ParsePuzzleError, Puzzle, Selection, read, write};
use crate::review::Judge;
use outflank_game::SplitMix64;
use outflank_jobs::{
    Event, FileError, Fingerprint, Job, LogError, ResultLog, RunError, Runner, Shard, write_atomic,
};
use outflank_othello::Game;
use outflank_othello_engine::EngineError;
use outflank_search::{Clock, StopToken};
use std::{cell::RefCell, collections::BTreeMap, fs, io, num::NonZeroUsize, path::Path, sync::Arc};

/// A game to look for puzzles in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The game.
    pub game: Game,
    /// Where it is from.
    pub source: String,
}

/// What is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The games, in any order; they are shuffled.
    pub games: &'a [Origin],
    /// Puzzles wanted.
    pub count: usize,
    /// What is asked of them.
    pub criteria: Criteria,
    /// What the games are shuffled with.
    pub seed: u64,
    /// Games that are looked at at the same time.
    pub workers: NonZeroUsize,
}

/// Why there is no file of puzzles.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// There is a log already, and it was not asked for.
    #[error("{0}: an earlier run was interrupted; go on with it, or remove the file")]
    Interrupted(String),
    /// It was stopped; the log is there to go on with.
    #[error("stopped")]
    Stopped,
    /// There is no engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The log cannot be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The work failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The log holds something else than puzzles.
    #[error("the log is damaged: {0}")]
    Puzzle(#[from] ParsePuzzleError),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The log cannot be removed.
    #[error("{0}")]
    Remove(io::Error),
}

/// What stands between the puzzles of one game in the log.
const BETWEEN: char = '\u{1f}';

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MakeProgress {
    /// Puzzles that are kept so far.
    pub kept: usize,
    /// Games that were looked at.
    pub games: usize,
}

/// Looks for puzzles in games, one game after the other, until there are as many as are wanted, and writes them to
/// `path`; what was found is in `path` with `.log` behind its name until then.
///
/// The same games, criteria and seed give the same file, whatever the number of workers and interruptions.
///
/// # Errors
///
/// Returns why there is no file; the log is there to go on with.
pub fn make_to_file(
    wanted: &Wanted<'_>,
    judge: &Judge,
    (path, resume): (&Path, bool),
    (clock, stop): (&Arc<dyn Clock>, &StopToken),
    on_progress: &mut dyn FnMut(MakeProgress),
) -> Result<Vec<Puzzle>, MakeError> {
    let log_path = path.with_added_extension("log");
    let order = shuffled(wanted.games.len(), wanted.seed);
    let job = Job {
        title: format!("{} puzzles from {} games", wanted.count, wanted.games.len()),
        fingerprint: fingerprint(wanted),
        items: order.len(),
        shard: Shard::WHOLE,
    };
    let mut log = if resume && log_path.exists() {
        ResultLog::resume(&log_path, job)?
    } else if log_path.exists() {
        return Err(MakeError::Interrupted(log_path.display().to_string()));
    } else {
        ResultLog::create(&log_path, job)?
    };
    // Puzzles are selected in the order of the games, whatever order they are found in.
    let waiting = RefCell::new(Ordered::new(wanted.count));
    for item in 0..order.len() {
        let Some(result) = log.result(item)? else { continue };
        waiting.borrow_mut().take(item, &result)?;
    }
    let enough = StopToken::new();
    let mut failure = None;
    if !waiting.borrow().selection.is_full() {
        // An engine is made here, so that a lack of memory is an error before anything runs.
        drop(Maker::new(judge, clock, stop)?);
        let seconds = || clock.now().as_secs_f64();
        let is_stopped = || stop.is_stopped() || enough.is_stopped();
        let runner = Runner {
            workers: wanted.workers,
            stop: &is_stopped,
            ..Runner::new(&seconds)
        };
        let work = |maker: &mut Option<Maker>, item: usize| {
            let origin = wanted.games.get(*order.get(item)?)?;
            let found = maker
                .as_mut()?
                .from_game(&origin.game, &origin.source, &wanted.criteria);
            let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
            // A game that was given up on its way is done anew.
            (!stop.is_stopped()).then(|| lines.join(&BETWEEN.to_string()))
        };
        runner.run(
            &mut log,
            || Maker::new(judge, clock, stop).ok(),
            work,
            &mut |event| {
                if let Event::ItemDone {
                    item,
                    result,
                    progress,
                } = event
                {
                    let mut waiting = waiting.borrow_mut();
                    if let Err(error) = waiting.take(*item, result) {
                        failure.get_or_insert(error);
                        enough.stop();
                    }
                    if waiting.selection.is_full() {
                        enough.stop();
                    }
                    on_progress(MakeProgress {
                        kept: waiting.selection.kept().len(),
                        games: progress.done,
                    });
                }
            },
        )?;
    }
    if let Some(error) = failure {
        return Err(error.into());
    }
    let selection = waiting.into_inner().selection;
    if !selection.is_full() && !log.is_complete() {
        return Err(MakeError::Stopped);
    }
    write_atomic(path, write(selection.kept()).as_bytes())?;
    drop(log);
    fs::remove_file(&log_path).map_err(MakeError::Remove)?;
    Ok(selection.kept().to_vec())
}

/// Results that are used in the order of their items.
struct Ordered {
    selection: Selection,
    waiting: BTreeMap<usize, Vec<Puzzle>>,
    due: usize,
}

impl Ordered {
    const fn new(count: usize) -> Self {
        Self {
            selection: Selection::new(count),
            waiting: BTreeMap::new(),
            due: 0,
        }
    }

    fn take(&mut self, item: usize, result: &str) -> Result<(), ParsePuzzleError> {
        self.waiting.insert(item, read(&result.replace(BETWEEN, "\n"))?);
        while let Some(puzzles) = self.waiting.remove(&self.due) {
            self.due += 1;
            for puzzle in puzzles {
                self.selection.add(puzzle);
            }
        }
        Ok(())
    }
}

/// Returns the numbers below `n` in a random order.
fn shuffled(n: usize, seed: u64) -> Vec<usize> {
    let mut random = SplitMix64::new(seed);
    let mut order: Vec<usize> = (0..n).collect();
    for at in (1..n).rev() {
        order.swap(at, random.below(at + 1));
    }
    order
}

/// Returns a digest of everything that decides which puzzles are made.
fn fingerprint(wanted: &Wanted<'_>) -> Fingerprint {
    let Wanted {
        games,
        count,
        criteria,
        seed,
        workers: _,
    } = wanted;
    let mut print = Fingerprint::default().with(format!("puzzles {count} {seed} {criteria:?}").as_bytes());
    for Origin { game, source } in *games {
        print = print
            .with(game.start().to_string().as_bytes())
            .with(game.transcript().as_bytes())
            .with(source.as_bytes());
    }
    print
}
