//! Chunks of positions, labeled or not: the long job of training.
//!
//! A chunk is a file of a fixed number of positions that depends on nothing but the recipe, the seed and its number.
//! Each is written completely or not at all, and a log tells which are done, so a run can be stopped and resumed at
//! any time, and several machines can share the numbers.

use crate::{
    label::{LabelConfig, Labeler},
    sample::{self, Sample, SampleError},
    source::{self, Random, Record},
};
use outflank_eval::Evaluator;
use outflank_jobs::{
    Event, Fingerprint, Job, LogError, Outcome, Progress, ResultLog, RunError, Runner, Shard,
};
use rand::SeedableRng;
use serde_json::json;
use std::{
    collections::BTreeSet,
    fmt, fs, io,
    num::NonZeroUsize,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

/// Where the positions of a chunk come from.
#[derive(Clone, Copy, Debug)]
pub enum Recipe<'a> {
    /// Positions of these games and random deviations from them.
    Games(&'a [Record]),
    /// Random-prefix self-play.
    SelfPlay,
    /// Ends of the best lines of searches from positions of these games: where the values of searches come from.
    Leaves(&'a [Record]),
    /// Positions that decide something in such searches.
    Visited(&'a [Record]),
}

/// What to generate.
#[derive(Clone, Debug)]
pub struct GenerateConfig<'a> {
    /// Where the positions come from.
    pub recipe: Recipe<'a>,
    /// Numbers of empties of the positions.
    pub empties: RangeInclusive<usize>,
    /// Positions in a chunk.
    pub per_chunk: usize,
    /// How to label them; `None` leaves them unlabeled.
    pub label: Option<LabelConfig>,
    /// Seed; each chunk's random numbers come from it and the chunk's number.
    pub seed: u64,
}

/// Returns the positions of one chunk, unlabeled, no two of them images of one another.
pub fn positions<E: Evaluator + Clone + 'static>(
    config: &GenerateConfig<'_>,
    labeler: &mut Labeler<E>,
    chunk: u64,
) -> Vec<Sample> {
    let seed = config.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ chunk.wrapping_mul(0xD1B5_4A32_D192_ED03);
    let mut random = Random::seed_from_u64(seed);
    let mut seen = BTreeSet::new();
    let mut samples = Vec::with_capacity(config.per_chunk);
    let mut batch = Vec::new();
    let mut attempts = 0;
    while samples.len() < config.per_chunk && attempts < 100 * config.per_chunk as u64 {
        attempts += 1;
        match config.recipe {
            Recipe::Games(records) => {
                batch.extend(source::from_records(
                    records,
                    &config.empties,
                    labeler.evaluator(),
                    &mut random,
                ));
            }
            Recipe::Leaves(records) => {
                batch.extend(source::principal_leaf(
                    records,
                    &config.empties,
                    labeler,
                    &mut random,
                ));
            }
            Recipe::Visited(records) => {
                source::visited(records, &config.empties, labeler, &mut random, &mut batch);
            }
            Recipe::SelfPlay => {
                source::self_play(
                    labeler.evaluator(),
                    &config.empties,
                    seed.wrapping_add(attempts),
                    &mut batch,
                );
            }
        }
        for sample in batch.drain(..) {
            if samples.len() < config.per_chunk && seen.insert(sample.board.canonical().0) {
                samples.push(sample);
            }
        }
    }
    samples
}

/// Returns the file of a chunk.
pub fn chunk_path(folder: &Path, chunk: u64) -> PathBuf {
    folder.join(format!("chunk-{chunk:05}.samples"))
}

/// Returns the fingerprint of a run: logs of runs that would give other chunks do not fit.
pub fn fingerprint<E: Evaluator>(config: &GenerateConfig<'_>, evaluator: &E, first: u64) -> Fingerprint {
    // The first two words answered one question before there was a third recipe; other ones would end the logs of runs
    // that are still to be resumed.
    let (games, recipe) = match config.recipe {
        Recipe::Games(records) => (records.len(), "false"),
        Recipe::Leaves(records) => (records.len(), "true"),
        Recipe::Visited(records) => (records.len(), "visited"),
        Recipe::SelfPlay => (0, "false"),
    };
    Fingerprint::default()
        .with(b"generate 2")
        .with(format!("{:?} {} {:?}", config.empties, config.per_chunk, config.label).as_bytes())
        .with(format!("{} {games} {first} {recipe}", config.seed).as_bytes())
        .with(&evaluator.fingerprint().to_le_bytes())
}

/// A run: which chunks, where, and how many at a time.
#[derive(Clone, Debug)]
pub struct Chunks<'a> {
    /// Where the chunks and their log are; made if it is not there.
    pub folder: &'a Path,
    /// Number of the first chunk.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// Which part of them.
    pub shard: Shard,
    /// Whether to go on with the log of an interrupted run.
    pub resume: bool,
    /// Chunks at the same time.
    pub workers: NonZeroUsize,
}

/// A chunk that is done; `Display` says so in a line.
#[derive(Clone, Debug)]
pub struct ChunkDone<'a> {
    /// Its number.
    pub chunk: u64,
    /// What is in it.
    pub result: &'a str,
    /// How far the run is.
    pub progress: Progress,
}

impl ChunkDone<'_> {
    /// Returns the same as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        json!({"chunk": self.chunk, "result": self.result, "done": self.progress.done,
            "total": self.progress.total, "seconds": (self.progress.elapsed * 1e3).round() / 1e3})
    }
}

impl fmt::Display for ChunkDone<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { done, total, .. } = self.progress;
        let left = self.progress.seconds_left().unwrap_or_default();
        let (chunk, result) = (self.chunk, self.result);
        write!(
            f,
            "chunk {chunk}: {result}; {done} of {total} chunks, about {left:.0} s left"
        )
    }
}

impl Chunks<'_> {
    /// Generates the chunks that the log in the folder does not hold yet; `clock` counts seconds.
    ///
    /// # Errors
    ///
    /// Returns the first file that cannot be written; the chunks before it are kept.
    pub fn generate<E: Evaluator + Clone + 'static>(
        &self,
        config: &GenerateConfig<'_>,
        evaluator: &E,
        clock: &dyn Fn() -> f64,
        on_chunk: &mut dyn FnMut(&ChunkDone<'_>),
    ) -> Result<Outcome, GenerateError> {
        fs::create_dir_all(self.folder).map_err(|error| GenerateError::Folder {
            path: self.folder.to_owned(),
            error,
        })?;
        let job = Job {
            title: format!("generate {} chunks from {}", self.count, self.first),
            fingerprint: fingerprint(config, evaluator, self.first),
            items: self.count as usize,
            shard: self.shard,
        };
        let path = self.folder.join("chunks.log");
        let mut log = if self.resume {
            ResultLog::resume(&path, job).map_err(GenerateError::Resume)?
        } else {
            ResultLog::create(&path, job).map_err(GenerateError::Create)?
        };
        let mut runner = Runner::new(clock);
        runner.workers = self.workers;
        let mut on_event = |event: &Event<'_>| {
            if let Event::ItemDone {
                item,
                result,
                progress,
            } = event
            {
                on_chunk(&ChunkDone {
                    chunk: self.first + *item as u64,
                    result,
                    progress: *progress,
                });
            }
        };
        generate(
            self.folder,
            self.first,
            config,
            evaluator,
            (&mut log, &runner),
            &mut on_event,
        )
    }
}

/// Does the chunks that `log` does not hold yet: item 0 is chunk `first`.
///
/// Each result is the number of positions of the chunk and the nodes of their searches.
///
/// # Errors
///
/// Returns the first file that cannot be written; the chunks before it are kept.
pub fn generate<E: Evaluator + Clone + 'static>(
    folder: &Path,
    first: u64,
    config: &GenerateConfig<'_>,
    evaluator: &E,
    (log, runner): (&mut ResultLog, &Runner<'_>),
    on_event: &mut dyn FnMut(&Event<'_>),
) -> Result<Outcome, GenerateError> {
    let failure = Mutex::new(None);
    let failed = AtomicBool::new(false);
    let stop = || (runner.stop)() || failed.load(Ordering::Relaxed);
    let runner = Runner {
        stop: &stop,
        ..runner.clone()
    };
    let label = config.label.unwrap_or_default();
    let outcome = runner.run(
        log,
        || Labeler::new(evaluator.clone(), label),
        |labeler, item| {
            let chunk = first + item as u64;
            let before = labeler.nodes();
            let mut samples = positions(config, labeler, chunk);
            if config.label.is_some() {
                for sample in &mut samples {
                    labeler.label(sample);
                }
            }
            match sample::write(&chunk_path(folder, chunk), &samples) {
                Ok(()) => Some(format!(
                    "{} positions, {} nodes",
                    samples.len(),
                    labeler.nodes() - before
                )),
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    *failure.lock().expect("no worker panics while it holds the lock") = Some(error);
                    None
                }
            }
        },
        on_event,
    )?;
    match failure
        .into_inner()
        .expect("no worker panics while it holds the lock")
    {
        Some(error) => Err(error.into()),
        None => Ok(outcome),
    }
}

/// Why generating stopped; the log can be resumed.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The folder cannot be made.
    #[error("{}: {error}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The log of a new run cannot be begun; there may be one already.
    #[error(transparent)]
    Create(LogError),
    /// The log of an interrupted run cannot be gone on with.
    #[error(transparent)]
    Resume(LogError),
    /// A chunk cannot be written.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The log of the job.
    #[error(transparent)]
    Run(#[from] RunError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_eval::HandMade;

    #[test]
    fn an_interrupted_run_ends_with_the_same_chunks() {
        let config = GenerateConfig {
            recipe: Recipe::SelfPlay,
            empties: 8..=50,
            per_chunk: 60,
            label: Some(LabelConfig {
                exact_empties: 8,
                depth: 1,
                ..LabelConfig::default()
            }),
            seed: 3,
        };
        let job = Job {
            title: "generate".to_owned(),
            fingerprint: fingerprint(&config, &HandMade, 0),
            items: 4,
            shard: Shard::WHOLE,
        };
        let run = |folder: &Path, stop_after: usize| {
            let mut log = ResultLog::resume(folder.join("log"), job.clone()).expect("a log");
            let clock = || 0.0;
            let enough = AtomicBool::new(false);
            let is_enough = || enough.load(Ordering::Relaxed);
            let mut runner = Runner::new(&clock);
            runner.stop = &is_enough;
            let mut done = 0;
            let mut on_event = |event: &Event<'_>| {
                if let Event::ItemDone { .. } = event {
                    done += 1;
                    if done == stop_after {
                        enough.store(true, Ordering::Relaxed);
                    }
                }
            };
            generate(folder, 0, &config, &HandMade, (&mut log, &runner), &mut on_event).expect("no failure")
        };
        let (whole, parts) = (
            tempfile::tempdir().expect("a folder"),
            tempfile::tempdir().expect("a folder"),
        );
        assert_eq!(run(whole.path(), 9), Outcome::Complete);
        assert_eq!(run(parts.path(), 2), Outcome::Stopped);
        assert_eq!(run(parts.path(), 9), Outcome::Complete);
        for chunk in 0..4 {
            let samples = |folder: &Path| sample::read(&chunk_path(folder, chunk)).expect("a chunk");
            assert_eq!(samples(whole.path()), samples(parts.path()));
            assert_eq!(samples(whole.path()).len(), 60);
        }
    }
}
