//! `outflank train`: labeled positions, weights, and their errors.

mod evaluate;
mod files;
mod fit;
mod generate;
mod network;
mod policy;
mod probcut;
mod speed;
mod stages;

use anyhow::Context;
use files::weights;
use outflank_othello_engine::tuning::ProbCutTable;
use outflank_terminal::output::{self, Status};
use outflank_train::model::Model;
use std::{fs, path::PathBuf};

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
    Policy(policy::Args),
    Humans(policy::HumansArgs),
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
        Command::Policy(args) => policy::run(args),
        Command::Humans(args) => policy::humans(args),
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
    /// Weight file, with its own `--probcut` (default: the weights inside the program).
    #[arg(long, value_name = "FILE", requires = "probcut")]
    weights: Option<PathBuf>,
    /// The table that `train probcut` wrote for these weights (without `--weights`: that of the program's own).
    #[arg(long, value_name = "FILE")]
    probcut: Option<PathBuf>,
}

fn model(args: &ModelArgs) -> anyhow::Result<Status> {
    let weights = weights(args.weights.as_deref())?;
    let probcut = match &args.probcut {
        Some(path) => {
            let name = || path.display().to_string();
            fs::read_to_string(path)
                .with_context(name)?
                .parse()
                .map_err(|error| anyhow::anyhow!("{error}"))
                .with_context(name)?
        }
        None => ProbCutTable::embedded(),
    };
    output::file(&args.output, &Model::encode(&weights, &probcut))?;
    Ok(Status::Success)
}
