//! Weights by regularized least squares, streaming over the samples.
//!
//! Each sample pulls the weights of its configurations towards its error, at the two knots between which its number of
//! empties lies, in proportion to their shares. Every touch also shrinks a weight by `ridge` divided by the number of
//! samples that touch it: over an epoch this adds up to the gradient of `ridge · weight²`, so that rare
//! configurations stay near zero and frequent ones are free.
//!
//! Samples between the same two knots form an interval. Intervals 0, 2, 4, … share no weights, nor do 1, 3, 5, …:
//! the two groups take turns, the intervals within a group are fitted in parallel, and the result is the same for any
//! number of threads.
//!
//! The method of source document B (stage by stage from the end, fixed rates) is [`crate::stages`].

mod engine;

use crate::sample::{Sample, Source, Split};
use engine::Prepared;
use outflank_eval::patterns::{
    KNOTS, Weights,
    layout::{FEATURES, PACKED},
};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;
use std::fmt;

/// Settings of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FitConfig {
    /// Passes over the samples.
    pub epochs: usize,
    /// Step size of the first epoch; it falls in a straight line to a twentieth in the last.
    pub rate: f32,
    /// Strength of the pull towards zero: a configuration seen this many times keeps about half of its weight.
    pub ridge: f32,
    /// Weight of a game result among the labels, where an exact label has 1.
    pub result_weight: f32,
    /// Weight of WTHOR's theoretical scores among the labels, where an exact label has 1.
    pub theoretical_weight: f32,
    /// Threads; the result does not depend on it.
    pub threads: usize,
    /// Seed of the order of the samples.
    pub seed: u64,
}

impl Default for FitConfig {
    fn default() -> Self {
        Self {
            epochs: 20,
            rate: 0.01,
            ridge: 5.0,
            result_weight: 0.3,
            theoretical_weight: 1.0,
            threads: 1,
            seed: 1,
        }
    }
}

/// The state of a fit after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Number of the epoch, from 1.
    pub number: usize,
    /// Mean squared error of the training samples while they were used, in square discs.
    pub train_mse: f64,
    /// Mean squared error of the validation samples, in square discs; 0 without any.
    pub validation_mse: f64,
    /// Mean absolute error of the validation samples, in discs.
    pub validation_mae: f64,
}

impl Epoch {
    /// What stands above the columns of `Display`.
    pub const HEADING: &str = "epoch  train MSE  validation MSE  validation MAE";
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            number,
            train_mse,
            validation_mse,
            validation_mae,
        } = self;
        write!(
            f,
            "{number:>5} {train_mse:>10.3} {validation_mse:>15.3} {validation_mae:>15.3}"
        )
    }
}

/// What a fit learned and how.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights.
    pub weights: Weights,
    /// The learning curve.
    pub curve: Vec<Epoch>,
    /// Training samples used.
    pub train: usize,
    /// Validation samples used.
    pub validation: usize,
}

impl Fitted {
    /// Returns the settings and the learning curve.
    pub fn to_json(&self, config: &FitConfig) -> serde_json::Value {
        let curve = self.curve.iter().map(|epoch| {
            json!({"epoch": epoch.number, "train_mse": epoch.train_mse, "validation_mse": epoch.validation_mse,
                "validation_mae": epoch.validation_mae})
        });
        json!({
            "train": self.train, "validation": self.validation, "epochs": config.epochs, "rate": config.rate,
            "ridge": config.ridge, "result_weight": config.result_weight,
            "theoretical_weight": config.theoretical_weight, "seed": config.seed,
            "checksum": format!("{:016x}", self.weights.checksum()), "curve": curve.collect::<Vec<_>>(),
        })
    }
}

/// Fits the full evaluation and the light one.
///
/// Samples of the split `Train` are fitted to, those of `Validation` are only measured; `report` hears of every epoch.
/// With `initial` weights the fit starts from them, and rare configurations are pulled towards them instead of zero.
pub fn fit(
    samples: &[Sample],
    config: &FitConfig,
    initial: Option<&Weights>,
    mut report: impl FnMut(Epoch),
) -> Fitted {
    let features: Vec<usize> = (0..FEATURES).collect();
    let mut full = Prepared::new(samples, Split::Train, &KNOTS, &features, true, config);
    if let Some(initial) = initial {
        full.start_from(initial.knots(), initial.bias());
    }
    full.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(config.seed));
    let validation = Prepared::new(samples, Split::Validation, &KNOTS, &features, true, config);
    let mut curve = Vec::with_capacity(config.epochs);
    for number in 1..=config.epochs {
        let rate = rate_of(config, number);
        let train_mse = full.epoch(rate, number as u64, config);
        let (validation_mse, validation_mae) = validation.errors(&full);
        let epoch = Epoch {
            number,
            train_mse,
            validation_mse,
            validation_mae,
        };
        report(epoch);
        curve.push(epoch);
    }
    let mut weights = Weights::zero();
    for (knot, values) in weights.knots_mut().iter_mut().zip(&full.knots) {
        for (weight, value) in knot.iter_mut().zip(values) {
            *weight = quantize(*value);
        }
    }
    for (bias, value) in weights.bias_mut().iter_mut().zip(full.bias()) {
        *bias = quantize(value);
    }
    let (train, validation) = (full.len(), validation.len());
    drop(full);
    fit_light(samples, config, initial, &mut weights);
    Fitted {
        weights,
        curve,
        train,
        validation,
    }
}

/// Numbers of empties whose samples the light evaluation is fitted to: where the solver sorts moves with it.
const LIGHT_EMPTIES: std::ops::RangeInclusive<usize> = 5..=19;

fn fit_light(samples: &[Sample], config: &FitConfig, initial: Option<&Weights>, weights: &mut Weights) {
    let late: Vec<Sample> = samples
        .iter()
        .filter(|sample| LIGHT_EMPTIES.contains(&sample.empties()))
        .copied()
        .collect();
    // Two knots beyond the range, of which only the first is used: one set for all empties.
    let mut light = Prepared::new(
        &late,
        Split::Train,
        &[64, 65],
        &outflank_eval::patterns::LIGHT_FEATURES,
        false,
        config,
    );
    if let Some(initial) = initial {
        light.start_from(&[initial.light().to_vec()], initial.light_bias());
    }
    light.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(config.seed));
    for number in 1..=config.epochs {
        light.epoch(rate_of(config, number) * 2.0, number as u64, config);
    }
    for (weight, value) in weights.light_mut().iter_mut().zip(&light.knots[0][..PACKED]) {
        *weight = quantize(*value);
    }
    for (bias, value) in weights.light_bias_mut().iter_mut().zip(light.bias()) {
        *bias = quantize(value);
    }
}

fn rate_of(config: &FitConfig, number: usize) -> f32 {
    let progress = (number - 1) as f32 / (config.epochs.max(2) - 1) as f32;
    config.rate * (1.0 - 0.95 * progress)
}

/// Rounds discs to units of 1/128 disc.
fn quantize(discs: f32) -> i16 {
    (discs * 128.0).round().clamp(-30000.0, 30000.0) as i16
}

#[cfg(test)]
mod tests;
