//! `outflank train generate`, `label` and `samples`: positions and their values.

use super::files::{GamesArgs, dataset, evaluator};
use crate::options::{parse_range, threads};
use anyhow::bail;
use outflank_jobs::{Outcome, Shard};
use outflank_terminal::output::{self, Status, grouped};
use outflank_train::{
    generate::{Chunks, GenerateConfig, GenerateError, Recipe},
    label::{LabelConfig, Labeler},
    sample::{self, Split, read_all, read_exact},
    source::{TRAINING_YEARS, VALIDATION_YEARS, read_wthor, results, theoretical},
};
use std::{num::NonZeroUsize, ops::RangeInclusive, path::PathBuf, sync::Arc, time::Instant};

/// How positions are labeled.
#[derive(clap::Args, Debug)]
struct LabelOptions {
    /// Solve positions with at most this many empties to the end.
    #[arg(long, value_name = "EMPTIES", default_value_t = 12)]
    exact: usize,
    /// Search this many discs ahead elsewhere, full width.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: u32,
    /// Take the mean of that search and of one a disc deeper, so that what the evaluation gives to the side to move
    /// cancels.
    #[arg(long)]
    both_parities: bool,
    /// Weight file of the evaluation at the leaves (default: the weights inside the program).
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

impl LabelOptions {
    const fn config(&self) -> LabelConfig {
        LabelConfig {
            exact_empties: self.exact,
            depth: self.depth,
            both_parities: self.both_parities,
        }
    }
}

/// Generate labeled positions in chunks, from games and deviations from them, or from random-prefix self-play.
///
/// FOLDER/chunks.log tells which chunks are done: stop it at any time and go on with --resume.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank train generate out/self --chunks 100 --depth 4\n  \
    outflank train generate out/games --wthor ../shared/data/wthor --chunks 100 --unlabeled\n  \
    outflank train generate out/self --chunks 100 --depth 4 --resume\n  \
    outflank train generate out/part --chunks 100 --shard 2/2    the second half, on another machine")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct Args {
    /// Folder for the chunks; made if it is not there.
    folder: PathBuf,
    #[command(flatten)]
    games: GamesArgs,
    /// Numbers of empties of the positions, both ends included.
    #[arg(long, value_name = "FROM..TO", default_value = "7..54", value_parser = parse_range)]
    empties: RangeInclusive<usize>,
    /// Number of the first chunk.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// How many chunks.
    #[arg(long, default_value_t = 10)]
    chunks: u64,
    /// Positions in a chunk.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    per_chunk: usize,
    #[command(flatten)]
    label: LabelOptions,
    /// Take the ends of the best lines of searches from the games' positions.
    #[arg(long)]
    leaves: bool,
    /// Take positions that decided something in such searches.
    #[arg(long, conflicts_with = "leaves")]
    visited: bool,
    /// Leave the positions unlabeled (`train label` does it later).
    #[arg(long)]
    unlabeled: bool,
    /// Do only every n-th chunk: part i of n.
    #[arg(long, value_name = "i/n", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Go on with the log of an interrupted run.
    #[arg(long)]
    resume: bool,
    /// Number of threads.
    #[arg(long, default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// Seed of every random choice.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object a chunk.
    #[arg(long)]
    json: bool,
}

/// Runs `train generate`.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let records = args.games.read()?;
    let recipe = if args.games.is_empty() {
        Recipe::SelfPlay
    } else if args.leaves {
        Recipe::Leaves(&records)
    } else if args.visited {
        Recipe::Visited(&records)
    } else {
        Recipe::Games(&records)
    };
    let config = GenerateConfig {
        recipe,
        empties: args.empties.clone(),
        per_chunk: args.per_chunk,
        label: (!args.unlabeled).then(|| args.label.config()),
        seed: args.seed,
    };
    let evaluator = Arc::new(evaluator(args.label.weights.as_deref())?);
    let chunks = Chunks {
        folder: &args.folder,
        first: args.first,
        count: args.chunks,
        shard: args.shard,
        resume: args.resume,
        workers: NonZeroUsize::new(usize::from(args.threads)).unwrap_or(NonZeroUsize::MIN),
    };
    let start = Instant::now();
    let mut failed = None;
    let outcome = chunks.generate(
        &config,
        &evaluator,
        &move || start.elapsed().as_secs_f64(),
        &mut |chunk| {
            let text = if args.json {
                chunk.to_json().to_string()
            } else {
                chunk.to_string()
            };
            failed = output::line(&text).err().or(failed.take());
        },
    );
    match (failed, outcome) {
        (_, Err(error @ GenerateError::Create(_))) => {
            Err(anyhow::Error::new(error).context("use --resume to go on"))
        }
        (_, Err(error)) => Err(error.into()),
        (Some(error), _) => Err(error),
        (None, Ok(Outcome::Stopped)) => bail!("stopped; go on with --resume"),
        (None, Ok(Outcome::Complete)) => Ok(Status::Success),
    }
}

/// Label the positions of a file, and write them to another.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  outflank train label chunk.samples labeled.samples --exact 14 --depth 6")]
pub(super) struct LabelArgs {
    /// File of positions.
    input: PathBuf,
    /// File to write.
    output: PathBuf,
    #[command(flatten)]
    label: LabelOptions,
    /// Label at most this many positions and leave the rest out.
    #[arg(long)]
    limit: Option<usize>,
}

/// Runs `train label`.
pub(super) fn label(args: &LabelArgs) -> anyhow::Result<Status> {
    let mut samples = sample::read(&args.input)?;
    samples.truncate(args.limit.unwrap_or(usize::MAX));
    let evaluator = Arc::new(evaluator(args.label.weights.as_deref())?);
    let mut labeler = Labeler::new(evaluator, args.label.config());
    let start = Instant::now();
    for sample in &mut samples {
        labeler.label(sample);
    }
    sample::write(&args.output, &samples)?;
    let seconds = start.elapsed().as_secs_f64();
    let (n, nodes) = (grouped(samples.len() as u64), grouped(labeler.nodes()));
    output::line(&format!("{n} positions, {nodes} nodes, {seconds:.1} s"))?;
    Ok(Status::Success)
}

/// Collect samples that need no search into one file, or join sample files; print what is in it.
///
/// Positions that are images of one another are kept once, the first: name the better labels first. Without
/// `--output` only the statistics are printed.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank train samples --theoretical ../shared/data/wthor --output out/theory.samples\n  \
    outflank train samples --theoretical ../shared/data/wthor --validation --output out/theory-valid.samples\n  \
    outflank train samples --exact ../shared/data/exact/exact-1-14.bin --output out/exact.samples\n  \
    outflank train samples out/self                              what is in a folder")]
pub(super) struct SamplesArgs {
    /// Sample files, and folders of them.
    input: Vec<PathBuf>,
    /// Take the theoretical scores of WTHOR files at 24 empties (years up to 2009).
    #[arg(long, value_name = "PATH")]
    theoretical: Vec<PathBuf>,
    /// Take the years from 2010 on instead, as validation.
    #[arg(long)]
    validation: bool,
    /// Take records of 17 bytes: player, opponent, exact value in discs.
    #[arg(long, value_name = "FILE")]
    exact: Vec<PathBuf>,
    #[command(flatten)]
    games: GamesArgs,
    /// Numbers of empties of the positions labeled with the result of their game (`--wthor`, `--games`).
    #[arg(long, value_name = "FROM..TO", default_value = "7..54", value_parser = parse_range)]
    empties: RangeInclusive<usize>,
    /// Leave out the positions of these sample files, suites and folders of them, up to symmetry: those to validate with.
    #[arg(long, value_name = "SAMPLES")]
    exclude: Vec<PathBuf>,
    /// File to write.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs `train samples`.
pub(super) fn samples(args: &SamplesArgs) -> anyhow::Result<Status> {
    let mut samples = Vec::new();
    for path in &args.exact {
        samples.extend(read_exact(path)?);
    }
    for path in &args.theoretical {
        let (years, split) = if args.validation {
            (VALIDATION_YEARS, Some(Split::Validation))
        } else {
            (TRAINING_YEARS, None)
        };
        samples.extend(theoretical(&read_wthor(path, years, split)?));
    }
    samples.extend(read_all(&args.input)?);
    samples.extend(results(&args.games.read()?, &args.empties));
    let data = dataset(samples, &args.exclude)?;
    output::write_all(data.statistics().to_string().as_bytes())?;
    if let Some(path) = &args.output {
        sample::write(path, &data.samples)?;
    }
    Ok(Status::Success)
}
