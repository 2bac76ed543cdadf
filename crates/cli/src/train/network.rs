//! `outflank train network`: the network on top of the pattern weights.

use super::files::{dataset, save, weights};
use anyhow::Context;
use outflank_eval::patterns::network::NetworkWeights;
use outflank_terminal::output::{self, Status};
use outflank_train::{
    network::{Fit, NetworkConfig, NetworkEpoch, fit},
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
    /// Samples of one kind of position, to learn from as well, whose mean error is to stay near zero; repeat for each kind.
    #[arg(long, value_name = "SAMPLES")]
    even: Vec<PathBuf>,
    /// How much the mean errors of `--even` weigh: labels move by this many times the mean error that is left, against it.
    #[arg(long, default_value_t = 3.0)]
    pull: f32,
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
    let base = weights(args.weights.as_deref())?;
    let initial = args.init.as_deref().map(network).transpose()?;
    let mut samples = Vec::new();
    let mut even = Vec::new();
    for kind in &args.even {
        let of_kind = read_all(std::slice::from_ref(kind))?;
        even.push(of_kind.iter().map(|sample| sample.board).collect());
        samples.extend(of_kind);
    }
    samples.extend(read_all(&args.samples)?);
    let data = dataset(samples, &args.exclude)?;
    let train = data.training()?;
    let config = NetworkConfig {
        epochs: usize::from(args.epochs),
        rate: args.rate,
        dropout: args.dropout,
        pull: args.pull,
        seed: args.seed,
    };
    output::line(&format!("{}  seconds", NetworkEpoch::HEADING))?;
    let from = Fit {
        weights: &base,
        initial: initial.as_ref(),
        even: &even,
    };
    let fitted = fit(&data.samples, from, &config, |epoch| {
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
