//! `outflank train network`: the network on top of the pattern weights.

use super::files::{dataset, save, weights};
use anyhow::Context;
use outflank_eval::patterns::network::NetworkWeights;
use outflank_terminal::output::{self, Status};
use outflank_train::{
    network::{NetworkConfig, NetworkEpoch, fit},
    sample::read_all,
};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

/// Fit the network to what the pattern weights leave over.
///
/// The same samples, settings and seed give the same file.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  \
    outflank train network out/exact out/theory.samples --weights linear.weights --output new.weights\n  \
    outflank train network out/more --init weights.bin --rate 0.01 --epochs 1 --output better.weights")]
pub(super) struct Args {
    /// Sample files, and folders of them; where a position occurs twice the first label counts.
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// Leave out the positions of these sample files, suites and folders of them, up to symmetry: those to validate with.
    #[arg(long, value_name = "SAMPLES")]
    exclude: Vec<PathBuf>,
    /// Weight file whose pattern weights stay as they are (default: the weights inside the program).
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Start from the network in this weight file instead of from nothing: new samples add to what it has learned.
    #[arg(long, value_name = "FILE")]
    init: Option<PathBuf>,
    /// Weight file to write.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Passes over the samples.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    epochs: u16,
    /// Step size of the first epoch.
    #[arg(long, default_value_t = 0.03)]
    rate: f32,
    /// Share of the patterns left out at random while learning.
    #[arg(long, default_value_t = 0.1)]
    dropout: f32,
    /// Seed of the first numbers and of the order of the samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs `train network`.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let start = Instant::now();
    let data = dataset(read_all(&args.samples)?, &args.exclude)?;
    let train = data.training()?;
    let config = NetworkConfig {
        epochs: usize::from(args.epochs),
        rate: args.rate,
        dropout: args.dropout,
        seed: args.seed,
    };
    output::line(&format!("{}  seconds", NetworkEpoch::HEADING))?;
    let base = weights(args.weights.as_deref())?;
    let initial = args.init.as_deref().map(network).transpose()?;
    let fitted = fit(&data.samples, &base, initial.as_ref(), &config, |epoch| {
        let seconds = start.elapsed().as_secs_f64();
        let _closed_output = output::line(&format!("{epoch} {seconds:>8.1}"));
    });
    save(&args.output, &fitted, train)?;
    Ok(Status::Success)
}

/// Returns the network in a weight file.
fn network(path: &Path) -> anyhow::Result<NetworkWeights> {
    let weights = weights(Some(path))?;
    let network = weights.network().cloned();
    network.with_context(|| format!("{} has no network to start from", path.display()))
}
