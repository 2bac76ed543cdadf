//! `outflank train network`: the network on top of the pattern weights.

use super::{generate::leave_out, weights};
use crate::output::{self, Status, grouped};
use anyhow::{Context, bail};
use outflank_train::{
    network::{NetworkConfig, fit},
    sample::{Split, deduplicate, read_all},
};
use std::{fs, path::PathBuf, time::Instant};

/// Fit the network to what the pattern weights leave over.
///
/// The same samples, settings and seed give the same file.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  \
    outflank train network out/exact out/theory.samples --weights linear.weights --output new.weights")]
pub(super) struct Args {
    /// Sample files, and folders of them; where a position occurs twice the first label counts.
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// Leave out the positions of these sample files and folders, up to symmetry: those to validate with.
    #[arg(long, value_name = "SAMPLES")]
    exclude: Vec<PathBuf>,
    /// Weight file whose pattern weights stay as they are (default: the weights inside the program).
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
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
    let mut samples = read_all(&args.samples)?;
    deduplicate(&mut samples);
    leave_out(&mut samples, &args.exclude)?;
    let train = samples
        .iter()
        .filter(|sample| sample.split == Split::Train)
        .count();
    if train == 0 {
        bail!("no training samples in the files");
    }
    let config = NetworkConfig {
        epochs: usize::from(args.epochs),
        rate: args.rate,
        dropout: args.dropout,
        seed: args.seed,
    };
    output::line("epoch  train MSE  validation MAE  seconds")?;
    let fitted = fit(&samples, &weights(args.weights.as_deref())?, &config, |epoch| {
        let seconds = start.elapsed().as_secs_f64();
        let _closed_output = output::line(&format!(
            "{:>5} {:>10.3} {:>15.3} {seconds:>8.1}",
            epoch.number, epoch.train_mse, epoch.validation_mae
        ));
    });
    let file = fitted.encode();
    fs::write(&args.output, &file).with_context(|| args.output.display().to_string())?;
    let (n, bytes) = (grouped(train as u64), grouped(file.len() as u64));
    output::line(&format!(
        "fitted to {n} positions; {bytes} bytes, checksum {:016x}, to {}",
        fitted.checksum(),
        args.output.display()
    ))?;
    Ok(Status::Success)
}
