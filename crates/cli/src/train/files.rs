//! What the steps of training read and write: weights, samples, games.

use anyhow::Context;
use outflank_eval::{Patterns, Weights};
use outflank_terminal::output::{self, grouped};
use outflank_train::{
    dataset::Dataset,
    model::Model,
    sample::Sample,
    source::{Record, TRAINING_YEARS, read_games, read_wthor},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Returns the weights in a file, or those inside the program.
pub(super) fn weights(path: Option<&Path>) -> anyhow::Result<Weights> {
    let Some(path) = path else {
        return Ok(Patterns::embedded_weights());
    };
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Model::weights(&bytes).with_context(|| path.display().to_string())
}

/// Returns the evaluator in a weight file, or the one inside the program.
pub(super) fn evaluator(path: Option<&Path>) -> anyhow::Result<Patterns> {
    Ok(Patterns::new(&weights(path)?))
}

/// Reads samples, leaves out those of `exclude`, and says how many these were.
pub(super) fn dataset(samples: Vec<Sample>, exclude: &[PathBuf]) -> anyhow::Result<Dataset> {
    let data = Dataset::new(samples, exclude)?;
    if data.excluded > 0 {
        let n = grouped(data.excluded as u64);
        output::line(&format!("{n} different positions left out"))?;
    }
    Ok(data)
}

/// Writes fitted weights and says so; returns the size of the file.
pub(super) fn save(path: &Path, weights: &Weights, train: usize) -> anyhow::Result<usize> {
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

/// The games to take positions from.
#[derive(clap::Args, Debug)]
pub(super) struct GamesArgs {
    /// WTHOR files or folders of them; years after 2009 are left out (they are for validation).
    #[arg(long, value_name = "PATH")]
    pub(super) wthor: Vec<PathBuf>,
    /// Other games: `.wtb` files of any year, or lists with a transcript in the last comma-separated field.
    #[arg(long, value_name = "FILE")]
    pub(super) games: Vec<PathBuf>,
}

impl GamesArgs {
    pub(super) fn read(&self) -> anyhow::Result<Vec<Record>> {
        let mut records = Vec::new();
        for path in &self.wthor {
            records.extend(read_wthor(path, TRAINING_YEARS, None)?);
        }
        for path in &self.games {
            records.extend(read_games(path)?);
        }
        Ok(records)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.wthor.is_empty() && self.games.is_empty()
    }
}
