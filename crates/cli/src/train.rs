//! `outflank train`: labeled positions, weights, and their errors.

mod evaluate;
mod fit;
mod generate;
mod network;
mod probcut;
mod speed;
mod stages;

use crate::output::{self, Status, grouped};
use anyhow::Context;
use outflank_eval::{Patterns, Weights};
use outflank_train::{
    dataset::Dataset,
    model::Model,
    sample::Sample,
    source::{Record, TRAINING_YEARS, read_games, read_wthor},
};
use std::{
    fs,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

/// Train the Othello evaluation: generate positions, fit weights, measure errors.
///
/// `docs/training.md` has the commands that made the weights inside this program.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Generate(generate::Args),
    Label(generate::LabelArgs),
    Samples(generate::SamplesArgs),
    Tables(TablesArgs),
    Fit(fit::Args),
    Model(ModelArgs),
    Network(network::Args),
    Evaluate(evaluate::Args),
    Probcut(probcut::Args),
    Speed(speed::Args),
    Stages(stages::Args),
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    match &args.command {
        Command::Generate(args) => generate::run(args),
        Command::Label(args) => generate::label(args),
        Command::Samples(args) => generate::samples(args),
        Command::Tables(args) => tables(args),
        Command::Fit(args) => fit::run(args),
        Command::Model(args) => model(args),
        Command::Network(args) => network::run(args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Probcut(args) => probcut::run(args),
        Command::Speed(args) => speed::run(args),
        Command::Stages(args) => stages::run(args),
    }
}

/// Write the evaluation as plain tables, for the labeling program in `tools/gpu`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  outflank train tables out/tables.bin --weights new.weights")]
struct TablesArgs {
    /// File to write.
    output: PathBuf,
    /// Weight file (default: the weights inside the program).
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

fn tables(args: &TablesArgs) -> anyhow::Result<Status> {
    let tables = outflank_train::tables::tables(&weights(args.weights.as_deref())?);
    fs::write(&args.output, tables).with_context(|| args.output.display().to_string())?;
    Ok(Status::Success)
}

/// Join weights and the ProbCut table that was measured with them in one file, which every command takes as --model.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  \
    outflank train probcut new.probcut --weights new.weights\n  \
    outflank train model new.model --weights new.weights --probcut new.probcut\n  \
    outflank analyze f5d6c3 --model new.model")]
struct ModelArgs {
    /// File to write; `-` is standard output.
    output: PathBuf,
    /// Weight file (default: the weights inside the program).
    #[arg(long, value_name = "FILE", requires = "probcut")]
    weights: Option<PathBuf>,
    /// The table that `train probcut` wrote for these weights (default: that of the program's own).
    #[arg(long, value_name = "FILE")]
    probcut: Option<PathBuf>,
}

fn model(args: &ModelArgs) -> anyhow::Result<Status> {
    let mut model = Model::embedded();
    model.weights = weights(args.weights.as_deref())?;
    if let Some(path) = &args.probcut {
        let name = || path.display().to_string();
        model.probcut = fs::read_to_string(path)
            .with_context(name)?
            .parse()
            .map_err(|error| anyhow::anyhow!("{error}"))
            .with_context(name)?;
    }
    output::file(&args.output, &model.encode())?;
    Ok(Status::Success)
}

/// Returns the weights in a file, or those inside the program.
fn weights(path: Option<&Path>) -> anyhow::Result<Weights> {
    let Some(path) = path else {
        return Ok(Patterns::embedded_weights());
    };
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let model = Model::decode(&bytes).with_context(|| path.display().to_string())?;
    Ok(model.weights)
}

/// Returns the evaluator in a weight file, or the one inside the program.
pub(crate) fn evaluator(path: Option<&Path>) -> anyhow::Result<Patterns> {
    Ok(Patterns::new(&weights(path)?))
}

/// Reads samples, leaves out those of `exclude`, and says how many these were.
fn dataset(samples: Vec<Sample>, exclude: &[PathBuf]) -> anyhow::Result<Dataset> {
    let data = Dataset::new(samples, exclude)?;
    if data.excluded > 0 {
        let n = grouped(data.excluded as u64);
        output::line(&format!("{n} different positions left out"))?;
    }
    Ok(data)
}

/// Writes fitted weights and says so; returns the size of the file.
fn save(path: &Path, weights: &Weights, train: usize) -> anyhow::Result<usize> {
    let file = weights.encode();
    fs::write(path, &file).with_context(|| path.display().to_string())?;
    let (n, bytes) = (grouped(train as u64), grouped(file.len() as u64));
    output::line(&format!(
        "fitted to {n} positions; {bytes} bytes, checksum {:016x}, to {}",
        weights.checksum(),
        path.display()
    ))?;
    Ok(file.len())
}

/// Parses `8..54`: both ends included.
fn parse_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (from, to) = text
        .split_once("..")
        .ok_or_else(|| format!("{text:?}: expected two numbers such as 8..54"))?;
    let number = |text: &str| {
        text.parse::<usize>()
            .map_err(|_| format!("{text:?} is not a number"))
    };
    let range = number(from)?..=number(to.trim_start_matches('='))?;
    if range.is_empty() || *range.end() > 60 {
        return Err(format!(
            "{text:?}: expected a range within 0..60, the smaller number first"
        ));
    }
    Ok(range)
}

/// The games to take positions from.
#[derive(clap::Args, Debug)]
struct GamesArgs {
    /// WTHOR files or folders of them; years after 2009 are left out (they are for validation).
    #[arg(long, value_name = "PATH")]
    wthor: Vec<PathBuf>,
    /// Other games: `.wtb` files of any year, or lists with a transcript in the last comma-separated field.
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
}

impl GamesArgs {
    fn read(&self) -> anyhow::Result<Vec<Record>> {
        let mut records = Vec::new();
        for path in &self.wthor {
            records.extend(read_wthor(path, TRAINING_YEARS, None)?);
        }
        for path in &self.games {
            records.extend(read_games(path)?);
        }
        Ok(records)
    }

    fn is_empty(&self) -> bool {
        self.wthor.is_empty() && self.games.is_empty()
    }
}
