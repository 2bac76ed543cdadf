//! `outflank train fit`: weights from labeled positions.

use super::generate::leave_out;
use crate::output::{self, Status, grouped};
use anyhow::{Context, bail};
use outflank_train::{
    fit::{FitConfig, fit},
    sample::{Split, deduplicate, read_all},
};
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
    /// Leave out the positions of these sample files and folders, up to symmetry: those to validate with.
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
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    /// Seed of the order of the samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs `train fit`.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let start = Instant::now();
    let mut samples = read_all(&args.samples)?;
    deduplicate(&mut samples);
    leave_out(&mut samples, &args.exclude)?;
    let train = samples
        .iter()
        .filter(|sample| sample.split == Split::Train)
        .count();
    let mut left = (train as f64 * args.share.clamp(0.0, 1.0)) as usize;
    // Files hold their samples in a random order, except by source: take every n-th.
    let mut credit = 0.0;
    samples.retain(|sample| {
        if sample.split != Split::Train {
            return true;
        }
        credit += args.share;
        let take = credit >= 1.0 && left > 0;
        if take {
            credit -= 1.0;
            left -= 1;
        }
        take
    });
    if !samples.iter().any(|sample| sample.split == Split::Train) {
        bail!("no training samples in the files");
    }
    let config = FitConfig {
        epochs: usize::from(args.epochs),
        rate: args.rate,
        ridge: args.ridge,
        result_weight: args.result_weight,
        theoretical_weight: args.theoretical_weight,
        threads: usize::from(args.threads),
        seed: args.seed,
    };
    output::line("epoch  train MSE  validation MSE  validation MAE  seconds")?;
    let initial = args
        .init
        .as_deref()
        .map(|path| super::weights(Some(path)))
        .transpose()?;
    let fitted = fit(&samples, &config, initial.as_ref(), |epoch| {
        let seconds = start.elapsed().as_secs_f64();
        let _closed_output = output::line(&format!(
            "{:>5} {:>10.3} {:>15.3} {:>15.3} {seconds:>8.1}",
            epoch.number, epoch.train_mse, epoch.validation_mse, epoch.validation_mae
        ));
    });
    let file = fitted.weights.encode();
    fs::write(&args.output, &file).with_context(|| args.output.display().to_string())?;
    let (n, bytes) = (grouped(fitted.train as u64), grouped(file.len() as u64));
    output::line(&format!(
        "fitted to {n} positions; {bytes} bytes, checksum {:016x}, to {}",
        fitted.weights.checksum(),
        args.output.display()
    ))?;
    if let Some(path) = &args.report {
        let curve: Vec<_> = fitted
            .curve
            .iter()
            .map(|epoch| {
                serde_json::json!({"epoch": epoch.number, "train_mse": epoch.train_mse,
                    "validation_mse": epoch.validation_mse, "validation_mae": epoch.validation_mae})
            })
            .collect();
        let report = serde_json::json!({
            "samples": args.samples, "train": fitted.train, "validation": fitted.validation,
            "epochs": args.epochs, "rate": args.rate, "ridge": args.ridge, "result_weight": args.result_weight, "theoretical_weight": args.theoretical_weight, "init": args.init,
            "seed": args.seed, "checksum": format!("{:016x}", fitted.weights.checksum()),
            "bytes": file.len(), "seconds": start.elapsed().as_secs_f64().round(), "curve": curve,
        });
        fs::write(path, format!("{report:#}\n")).with_context(|| path.display().to_string())?;
    }
    Ok(Status::Success)
}
