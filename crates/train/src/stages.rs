//! The method of source document B, kept as the measured baseline: stage by stage from the end of the game.
//!
//! One set of pattern weights for every four discs. The last stage learns exact values; each earlier one starts from
//! the weights of the stage after it and learns the values of searches that end in that stage. Squared error,
//! stochastic gradient descent at a fixed rate: 1e-3 for the last stage, 5e-5 for the others, as the document has it.
//! No pull towards zero, no mobility, no sharing between stages.

use crate::{
    evaluate::Errors,
    label::{LabelConfig, Labeler},
    sample::{Sample, Split},
};
use outflank_eval::{
    Evaluator, Score,
    patterns::{
        PatternState,
        layout::{FEATURES, PACKED, full_number, packed_parameters},
    },
};
use outflank_jobs::grouped;
use outflank_othello::{Bitboard, Board, Square};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::{fmt, ops::RangeInclusive};

/// Discs in a stage.
pub const STAGE: usize = 4;
/// Number of stages: 1–4 empties, 5–8, …, 57–60.
pub const STAGES: usize = 15;

/// Settings of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StagesConfig {
    /// Passes over the samples of each stage.
    pub passes: usize,
    /// Rate of the last stage of the game.
    pub last_rate: f32,
    /// Rate of the other stages.
    pub rate: f32,
    /// Seed of the order of the samples.
    pub seed: u64,
}

impl Default for StagesConfig {
    /// The document's rates, ten passes.
    fn default() -> Self {
        Self {
            passes: 10,
            last_rate: 1e-3,
            rate: 5e-5,
            seed: 1,
        }
    }
}

/// The weights of all stages, in discs.
#[derive(Clone, Debug)]
pub struct StageWeights {
    stages: Vec<Vec<f32>>,
    packed: &'static [u32],
}

/// What one stage learned.
#[derive(Clone, Debug)]
pub struct StageReport {
    /// Its numbers of empties.
    pub empties: RangeInclusive<usize>,
    /// Training samples.
    pub train: usize,
    /// Errors on the validation samples against the stage's own labels.
    pub errors: Errors,
}

impl StageReport {
    /// What stands above the columns of `Display`.
    pub const HEADING: &str = "  empties  training  validation     MAE   MSE/2";
}

impl fmt::Display for StageReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let empties = format!("{}-{}", self.empties.start(), self.empties.end());
        let (train, count) = (grouped(self.train as u64), self.errors.count);
        let (mae, half) = (self.errors.mae(), self.errors.mse() / 2.0);
        write!(f, "{empties:>9} {train:>9} {count:>11} {mae:>7.3} {half:>7.2}")
    }
}

/// Returns the stage of a number of empties.
const fn stage_of(empties: usize) -> usize {
    let stage = empties.saturating_sub(1) / STAGE;
    if stage < STAGES { stage } else { STAGES - 1 }
}

impl StageWeights {
    fn zero() -> Self {
        Self {
            stages: vec![vec![0.0; PACKED]; STAGES],
            packed: packed_parameters(),
        }
    }

    fn parameters(&self, state: &PatternState) -> [usize; FEATURES] {
        std::array::from_fn(|feature| self.packed[full_number(feature, state.indices()[feature])] as usize)
    }

    fn discs(&self, board: Board, state: &PatternState) -> f32 {
        let weights = &self.stages[stage_of(board.empties().count() as usize)];
        self.parameters(state)
            .iter()
            .map(|&parameter| weights[parameter])
            .sum()
    }
}

impl Evaluator for StageWeights {
    type State = PatternState;

    fn state(&self, board: Board) -> PatternState {
        PatternState::of(board)
    }

    fn after_move(
        &self,
        state: &PatternState,
        _board: Board,
        square: Square,
        flips: Bitboard,
    ) -> PatternState {
        state.after_move(square, flips)
    }

    fn after_pass(&self, state: &PatternState) -> PatternState {
        state.passed()
    }

    fn evaluate(&self, board: Board, state: &PatternState) -> Score {
        Score::estimate((self.discs(board, state) * 128.0).round() as i32)
    }

    fn ordering_score(&self, board: Board) -> Score {
        self.evaluate(board, &self.state(board))
    }

    fn fingerprint(&self) -> u64 {
        0x5374_6167_6573
    }
}

/// Fits all stages to the positions of `samples`, whose labels are not looked at; `report` hears of each stage.
pub fn fit_stages(
    samples: &[Sample],
    config: &StagesConfig,
    mut report: impl FnMut(StageReport),
) -> StageWeights {
    let mut weights = StageWeights::zero();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(config.seed);
    for stage in 0..STAGES {
        let mut items: Vec<Sample> = samples
            .iter()
            .filter(|sample| sample.empties() > 0 && stage_of(sample.empties()) == stage)
            .copied()
            .collect();
        let (later, earlier) = weights.stages.split_at_mut(stage);
        let later = later.last().cloned();
        if items.is_empty() {
            if let Some(later) = later {
                earlier[0] = later;
            }
            continue;
        }
        // A search of four discs ends in the stage after this one, or at the end of the game.
        let label = LabelConfig {
            exact_empties: STAGE,
            depth: STAGE as u32,
            ..LabelConfig::default()
        };
        let mut labeler = Labeler::new(weights.clone(), label);
        for sample in &mut items {
            labeler.label(sample);
        }
        if let Some(later) = later {
            weights.stages[stage] = later;
        }
        let mut train: Vec<Sample> = items
            .iter()
            .filter(|sample| sample.split == Split::Train)
            .copied()
            .collect();
        let rate = if stage == 0 { config.last_rate } else { config.rate };
        for _ in 0..config.passes {
            train.shuffle(&mut random);
            for sample in &train {
                let state = PatternState::of(sample.board);
                let error = f32::from(sample.value) / 128.0 - weights.discs(sample.board, &state);
                for parameter in weights.parameters(&state) {
                    weights.stages[stage][parameter] += 2.0 * rate * error;
                }
            }
        }
        let mut errors = Errors::default();
        for sample in items.iter().filter(|sample| sample.split == Split::Validation) {
            let estimate = weights.discs(sample.board, &PatternState::of(sample.board));
            errors.add(f64::from(estimate) - f64::from(sample.value) / 128.0);
        }
        report(StageReport {
            empties: STAGE * stage + 1..=STAGE * stage + STAGE,
            train: train.len(),
            errors,
        });
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{GenerateConfig, Recipe, positions};
    use outflank_eval::HandMade;

    #[test]
    fn the_stages_learn_from_the_end_backwards() {
        let config = GenerateConfig {
            recipe: Recipe::SelfPlay,
            empties: 1..=12,
            per_chunk: 3_000,
            label: None,
            seed: 2,
        };
        let mut labeler = Labeler::new(HandMade, LabelConfig::default());
        let samples = positions(&config, &mut labeler, 0);
        let mut reports = Vec::new();
        let weights = fit_stages(&samples, &StagesConfig::default(), |report| reports.push(report));
        let empties: Vec<usize> = reports.iter().map(|report| *report.empties.end()).collect();
        assert_eq!(empties, [4, 8, 12]);
        // Better than saying that every position is even.
        let (mut fitted, mut zero) = (0.0, 0.0);
        for sample in samples.iter().filter(|sample| sample.empties() <= 4) {
            let exact = labeler.solve(sample.board).discs();
            let error = f64::from(weights.discs(sample.board, &PatternState::of(sample.board))) - exact;
            fitted += error * error;
            zero += exact * exact;
        }
        assert!(fitted < 0.7 * zero, "{fitted} against {zero}");
    }
}
