//! `outflank train stages`: source document B's method, the measured baseline of `train fit`.

use outflank_terminal::output::{self, Status};
use outflank_train::{
    evaluate::evaluate,
    sample::{deduplicate, read_all},
    source::{VALIDATION_YEARS, read_wthor, theoretical},
    stages::{StageReport, StagesConfig, fit_stages},
};
use std::{path::PathBuf, time::Instant};

/// Fit weights stage by stage from the end, as source document B does, and print the errors of each stage.
///
/// The labels of the samples are not looked at: each stage is labeled by searches that end in the stage after it.
/// The weights are not kept; `train fit` is the better method.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  \
    outflank train generate out/b --unlabeled --empties 1..56 --chunks 4\n  \
    outflank train stages out/b --wthor ../shared/data/wthor")]
pub(super) struct Args {
    /// Sample files, and folders of them.
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// Measure the result at 24 empties on this folder's WTHOR files from 2010 on, too.
    #[arg(long, value_name = "PATH")]
    wthor: Option<PathBuf>,
    /// Passes over the samples of each stage.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    passes: u16,
    /// Rate of all stages but the last of the game.
    #[arg(long, default_value_t = 5e-5)]
    rate: f32,
    /// Seed of the order of the samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs `train stages`.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let mut samples = read_all(&args.samples)?;
    deduplicate(&mut samples);
    let config = StagesConfig {
        passes: usize::from(args.passes),
        rate: args.rate,
        seed: args.seed,
        ..StagesConfig::default()
    };
    let start = Instant::now();
    output::line(&format!("{}  seconds", StageReport::HEADING))?;
    let weights = fit_stages(&samples, &config, |stage| {
        let seconds = start.elapsed().as_secs_f64();
        let _closed_output = output::line(&format!("{stage} {seconds:>8.1}"));
    });
    if let Some(path) = &args.wthor {
        let records = read_wthor(path, VALIDATION_YEARS, None)?;
        output::line(evaluate(&weights, &theoretical(&records)).to_text().trim_end())?;
    }
    Ok(Status::Success)
}
