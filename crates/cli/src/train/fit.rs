//! `outflank train fit`: weights from labeled positions.

use super::files::{dataset, save, weights};
use crate::options::threads;
use anyhow::Context;
use outflank_terminal::output::{self, Status};
use outflank_train::{
    fit::{Epoch, FitConfig, fit},
    sample::read_all,
};
use serde_json::json;
use std::{fs, path::PathBuf, time::Instant};

/// Fit the weights of the evaluation to labeled positions by regularized least squares.
///
/// The same samples, settings and seed give the same file, whatever the number of threads.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  \
    outflank train fit out/theory.samples out/exact.samples out/self --output new.weights --report fit.json")]
pub(super) struct Args {
    /// Sample files, and folders of them; where a position occurs twice the first label counts.
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// Leave out the positions of these sample files, suites and folders of them, up to symmetry: those to validate with.
    #[arg(long, value_name = "SAMPLES")]
    exclude: Vec<PathBuf>,
    /// Weight file to write.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// File for the settings and the learning curve, in JSON.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Passes over the samples.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    epochs: u16,
    /// Step size of the first epoch.
    #[arg(long, default_value_t = 0.01)]
    rate: f32,
    /// Strength of the pull towards zero, in samples.
    #[arg(long, default_value_t = 5.0)]
    ridge: f32,
    /// Weight of a game result, where an exact label has 1.
    #[arg(long, default_value_t = 0.3)]
    result_weight: f32,
    /// Weight of a theoretical score of WTHOR, where an exact label has 1.
    #[arg(long, default_value_t = 1.0)]
    theoretical_weight: f32,
    /// Start from the weights of this file, and pull rare configurations towards them instead of zero.
    #[arg(long, value_name = "FILE")]
    init: Option<PathBuf>,
    /// Use only this share of the training samples (for the curve of error against size).
    #[arg(long, default_value_t = 1.0)]
    share: f64,
    /// Number of threads.
    #[arg(long, default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// Seed of the order of the samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs `train fit`.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let start = Instant::now();
    let mut data = dataset(read_all(&args.samples)?, &args.exclude)?;
    data.keep_share(args.share);
    data.training()?;
    let config = FitConfig {
        epochs: usize::from(args.epochs),
        rate: args.rate,
        ridge: args.ridge,
        result_weight: args.result_weight,
        theoretical_weight: args.theoretical_weight,
        threads: usize::from(args.threads),
        seed: args.seed,
    };
    output::line(&format!("{}  seconds", Epoch::HEADING))?;
    let initial = args.init.as_deref().map(|path| weights(Some(path))).transpose()?;
    let fitted = fit(&data.samples, &config, initial.as_ref(), |epoch| {
        let seconds = start.elapsed().as_secs_f64();
        let _closed_output = output::line(&format!("{epoch} {seconds:>8.1}"));
    });
    let bytes = save(&args.output, &fitted.weights, fitted.train)?;
    if let Some(path) = &args.report {
        let mut report = fitted.to_json(&config);
        report["samples"] = json!(args.samples);
        report["init"] = json!(args.init);
        report["bytes"] = json!(bytes);
        report["seconds"] = json!(start.elapsed().as_secs_f64().round());
        fs::write(path, format!("{report:#}\n")).with_context(|| path.display().to_string())?;
    }
    Ok(Status::Success)
}
