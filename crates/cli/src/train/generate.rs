//! `outflank train generate`, `label` and `samples`: positions and their values.

use super::{GamesArgs, evaluator, parse_range};
use crate::output::{self, Status, grouped};
use anyhow::{Context, bail};
use outflank_jobs::{Event, Job, Outcome, ResultLog, Runner, Shard};
use outflank_othello::{Bitboard, Board};
use outflank_train::{
    generate::{GenerateConfig, Recipe, fingerprint, generate},
    label::{LabelConfig, Labeler},
    sample::{self, Sample, Source, Split, deduplicate, exclude, read_all},
    source::{TRAINING_YEARS, read_wthor, results, theoretical},
};
use serde_json::json;
use std::{
    fs,
    num::{NonZeroU16, NonZeroUsize},
    ops::RangeInclusive,
    path::PathBuf,
    sync::Arc,
    time::Instant,
};

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
    #[arg(long, default_value = "1")]
    threads: NonZeroU16,
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
    fs::create_dir_all(&args.folder).with_context(|| args.folder.display().to_string())?;
    let evaluator = Arc::new(evaluator(args.label.weights.as_deref())?);
    let job = Job {
        title: format!("generate {} chunks from {}", args.chunks, args.first),
        fingerprint: fingerprint(&config, &evaluator, args.first),
        items: args.chunks as usize,
        shard: args.shard,
    };
    let path = args.folder.join("chunks.log");
    let mut log = if args.resume {
        ResultLog::resume(&path, job)?
    } else {
        ResultLog::create(&path, job).context("use --resume to go on")?
    };
    let start = Instant::now();
    let seconds = move || start.elapsed().as_secs_f64();
    let mut runner = Runner::new(&seconds);
    runner.workers = NonZeroUsize::from(args.threads);
    let mut failed = None;
    let mut on_event = |event: &Event<'_>| {
        let Event::ItemDone {
            item,
            result,
            progress,
        } = event
        else {
            return;
        };
        let chunk = args.first + *item as u64;
        let text = if args.json {
            json!({"chunk": chunk, "result": result, "done": progress.done, "total": progress.total,
                "seconds": (progress.elapsed * 1e3).round() / 1e3})
            .to_string()
        } else {
            let left = progress.seconds_left().unwrap_or_default();
            format!(
                "chunk {chunk}: {result}; {} of {} chunks, about {left:.0} s left",
                progress.done, progress.total
            )
        };
        failed = output::line(&text).err().or(failed.take());
    };
    let outcome = generate(
        &args.folder,
        args.first,
        &config,
        &evaluator,
        (&mut log, &runner),
        &mut on_event,
    )?;
    match (failed, outcome) {
        (Some(error), _) => Err(error),
        (None, Outcome::Stopped) => bail!("stopped; go on with --resume"),
        (None, Outcome::Complete) => Ok(Status::Success),
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
    /// Leave out the positions of these sample files and folders, up to symmetry: those to validate with.
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
            (*TRAINING_YEARS.end() + 1..=u16::MAX, Some(Split::Validation))
        } else {
            (TRAINING_YEARS, None)
        };
        samples.extend(theoretical(&read_wthor(path, years, split)?));
    }
    samples.extend(read_all(&args.input)?);
    samples.extend(results(&args.games.read()?, &args.empties));
    let all = samples.len();
    deduplicate(&mut samples);
    leave_out(&mut samples, &args.exclude)?;
    statistics(&samples, all)?;
    if let Some(path) = &args.output {
        sample::write(path, &samples)?;
    }
    Ok(Status::Success)
}

/// Takes the positions of these files out of `samples`, and says how many there were.
pub(super) fn leave_out(samples: &mut Vec<Sample>, files: &[PathBuf]) -> anyhow::Result<()> {
    let excluded = exclude(samples, &read_all(files)?);
    if excluded > 0 {
        output::line(&format!(
            "{} different positions left out",
            grouped(excluded as u64)
        ))?;
    }
    Ok(())
}

fn read_exact(path: &PathBuf) -> anyhow::Result<Vec<Sample>> {
    let content = fs::read(path)?;
    let (records, rest) = content.as_chunks::<17>();
    if !rest.is_empty() {
        bail!(
            "{}: {} bytes are not a whole number of records of 17 bytes",
            path.display(),
            content.len()
        );
    }
    let mut samples = Vec::with_capacity(records.len());
    for (number, record) in records.iter().enumerate() {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| record[at + byte]));
        let (board, discs) = (
            Board::new(Bitboard::new(word(0)), Bitboard::new(word(8))),
            i16::from(record[16].cast_signed()),
        );
        let (Some(board), -64..=64) = (board, discs) else {
            bail!(
                "{}: record {number} is no position with a value of -64 to 64 discs",
                path.display()
            );
        };
        let split = Split::of_hash(word(0) ^ word(8).rotate_left(17));
        samples.push(Sample {
            board,
            value: 128 * discs,
            source: Source::Exact,
            split,
        });
    }
    Ok(samples)
}

fn statistics(samples: &[Sample], all: usize) -> anyhow::Result<()> {
    output::line(&format!(
        "{} positions, {} of them different up to symmetry",
        grouped(all as u64),
        grouped(samples.len() as u64)
    ))?;
    let count = |wanted: &dyn Fn(&Sample) -> bool| {
        grouped(samples.iter().filter(|sample| wanted(sample)).count() as u64)
    };
    for source in Source::ALL {
        output::line(&format!(
            "{source:>12?} {:>12}",
            count(&|sample| sample.source == source)
        ))?;
    }
    for split in Split::ALL {
        output::line(&format!(
            "{split:>12?} {:>12}",
            count(&|sample| sample.split == split)
        ))?;
    }
    output::line("  empties    positions   mean value   by value: ..-32 ..-16 ..-8 ..0 ..8 ..16 ..32 ..64")?;
    for stage in 0..16 {
        let of_stage: Vec<f64> = samples
            .iter()
            .filter(|sample| {
                sample.empties().saturating_sub(1) / 4 == stage && sample.value != Sample::NO_VALUE
            })
            .map(|sample| f64::from(sample.value) / 128.0)
            .collect();
        if of_stage.is_empty() {
            continue;
        }
        let mut histogram = [0; 8];
        for value in &of_stage {
            let ends = [-32.0, -16.0, -8.0, 0.0, 8.0, 16.0, 32.0];
            histogram[ends.iter().take_while(|end| value > *end).count()] += 1;
        }
        let mean = of_stage.iter().sum::<f64>() / of_stage.len() as f64;
        let empties = format!("{}-{}", 4 * stage + 1, 4 * stage + 4);
        let n = grouped(of_stage.len() as u64);
        output::line(&format!(
            "{empties:>9} {n:>12} {mean:>+12.2}   {}",
            histogram.map(|n: u32| n.to_string()).join(" ")
        ))?;
    }
    Ok(())
}
