//! Chunks of positions, labelled or not: the long job of training.
//!
//! A chunk is a file of a fixed number of positions that depends on nothing but the recipe, the seed and its number.
//! A run writes the chunks that are missing, each completely or not at all, so it can be stopped and resumed at any
//! time, and several machines can share the numbers.

use crate::{
    label::{LabelConfig, Labeller},
    sample::{self, Sample, SampleError},
    source::{self, Random, Record},
};
use outflank_eval::Evaluator;
use rand::SeedableRng;
use std::{
    collections::BTreeSet,
    ops::{Range, RangeInclusive},
    path::{Path, PathBuf},
};

/// Where the positions of a chunk come from.
#[derive(Clone, Copy, Debug)]
pub enum Recipe<'a> {
    /// Positions of these games and random deviations from them.
    Games(&'a [Record]),
    /// Random-prefix self-play.
    SelfPlay,
}

/// What to generate.
#[derive(Clone, Debug)]
pub struct GenerateConfig<'a> {
    /// Where the positions come from.
    pub recipe: Recipe<'a>,
    /// Numbers of empties of the positions.
    pub empties: RangeInclusive<usize>,
    /// Positions in a chunk.
    pub per_chunk: usize,
    /// How to label them; `None` leaves them unlabelled.
    pub label: Option<LabelConfig>,
    /// Seed; each chunk's random numbers come from it and the chunk's number.
    pub seed: u64,
}

/// Returns the positions of one chunk, unlabelled, no two of them images of one another.
pub fn positions<E: Evaluator>(config: &GenerateConfig<'_>, evaluator: &E, chunk: u64) -> Vec<Sample> {
    let seed = config.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ chunk.wrapping_mul(0xD1B5_4A32_D192_ED03);
    let mut random = Random::seed_from_u64(seed);
    let mut seen = BTreeSet::new();
    let mut samples = Vec::with_capacity(config.per_chunk);
    let mut batch = Vec::new();
    let mut attempts = 0;
    while samples.len() < config.per_chunk && attempts < 100 * config.per_chunk as u64 {
        attempts += 1;
        match config.recipe {
            Recipe::Games(records) => {
                batch.extend(source::from_records(records, &config.empties, &mut random));
            }
            Recipe::SelfPlay => {
                source::self_play(
                    evaluator,
                    &config.empties,
                    seed.wrapping_add(attempts),
                    &mut batch,
                );
            }
        }
        for sample in batch.drain(..) {
            if samples.len() < config.per_chunk && seen.insert(sample.board.canonical().0) {
                samples.push(sample);
            }
        }
    }
    samples
}

/// Returns the file of a chunk.
pub fn chunk_path(folder: &Path, chunk: u64) -> PathBuf {
    folder.join(format!("chunk-{chunk:05}.samples"))
}

/// Writes the missing ones of `chunks` into `folder`, calling `report` after each with its number and size.
///
/// `report` returns whether to go on.
///
/// # Errors
///
/// Returns the first file that cannot be written.
pub fn generate<E: Evaluator>(
    folder: &Path,
    chunks: Range<u64>,
    config: &GenerateConfig<'_>,
    labeller: &mut Labeller<E>,
    mut report: impl FnMut(u64, &[Sample]) -> bool,
) -> Result<(), SampleError> {
    for chunk in chunks {
        let path = chunk_path(folder, chunk);
        if path.exists() {
            continue;
        }
        let mut samples = positions(config, labeller.evaluator(), chunk);
        if config.label.is_some() {
            for sample in &mut samples {
                labeller.label(sample);
            }
        }
        sample::write(&path, &samples)?;
        if !report(chunk, &samples) {
            return Ok(());
        }
    }
    Ok(())
}
