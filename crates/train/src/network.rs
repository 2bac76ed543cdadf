//! Fits the network to what the sum of pattern weights leaves over.
//!
//! Each sample in turn takes one gradient step on its squared error, in floating point, with a rate of its own for
//! every number that shrinks with the gradients that number has seen. The result is rounded to the integers that
//! searches use. One thread and one seed: the same samples give the same network.
//!
//! What a network cannot tell apart it values alike, so that it overrates some kinds of positions and underrates
//! others. [`Fit::even`] names kinds whose mean error is to stay near zero: half of [`NetworkConfig::pull`] times the
//! square of that mean is added to what the fit makes small, so that it uses what little tells the kinds apart.

// Source: rates that shrink with the squared gradients seen, [DUCHI11].

#![expect(
    clippy::needless_range_loop,
    reason = "several arrays of one fixed length at a time, which become vector instructions"
)]

use crate::{
    sample::{Sample, Split},
    source::Random,
};
use outflank_eval::{
    Evaluator, Patterns, Weights,
    patterns::{
        PatternState,
        layout::{FEATURES, full_number},
        network::{
            COUNTS, HIDDEN, INPUTS, LIMIT, NetworkWeights, STAGES, StageWeights, WIDTH, corners, counts,
            rows, scale, stage,
        },
    },
};
use outflank_othello::Board;
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use std::{collections::BTreeMap, fmt};

/// Settings of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkConfig {
    /// Passes over the samples.
    pub epochs: usize,
    /// Step size of the first epoch; it falls in a straight line to a tenth in the last.
    pub rate: f32,
    /// Share of the patterns that are left out at random while a sample is learned from, so that no pattern relies on
    /// another.
    pub dropout: f32,
    /// How much the mean error of the kinds in [`Fit::even`] weighs: their labels move by this many times the mean
    /// error that the kind still has at their stage of the game, against it.
    pub pull: f32,
    /// Seed of the first numbers and of the order of the samples.
    pub seed: u64,
}

impl Default for NetworkConfig {
    fn default() -> Self {
        Self {
            epochs: 4,
            rate: 0.03,
            dropout: 0.1,
            pull: 3.0,
            seed: 1,
        }
    }
}

/// The state of a fit after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkEpoch {
    /// Number of the epoch, from 1.
    pub number: usize,
    /// Mean squared error of the training samples while they were used, in square discs.
    pub train_mse: f64,
    /// Mean absolute error of the validation samples with the rounded network, in discs; 0 without any.
    pub validation_mae: f64,
}

impl NetworkEpoch {
    /// What stands above the columns of `Display`.
    pub const HEADING: &str = "epoch  train MSE  validation MAE";
}

impl fmt::Display for NetworkEpoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            number,
            train_mse,
            validation_mae,
        } = self;
        write!(f, "{number:>5} {train_mse:>10.3} {validation_mae:>15.3}")
    }
}

/// What one unit of a count is worth to the fit, so that all inputs are about as large.
const COUNT_UNITS: [f32; COUNTS] = [0.1, 0.1, 0.1, 0.1, 0.25, 1.0 / 32.0];
/// Errors beyond this many discs pull no harder, so that a few wiped-out positions do not decide.
const CLIP: f32 = 24.0;
/// Discs that count as an error of 1 in a step.
const ERROR_UNIT: f32 = 8.0;
/// Squared gradients that every number starts with.
const FIRST_SQUARES: f32 = 1e-3;
/// What 1 is in a row and in a corner's sums.
const ROW_UNIT: f32 = (1 << scale::ROW) as f32;
/// What 1 is in the sums of the hidden layer.
const HIDDEN_UNIT: f32 = (1 << scale::HIDDEN) as f32;
/// What a disc is in the sums of the output.
const OUTPUT_UNIT: f32 = (1 << scale::OUTPUT) as f32;
/// What 1 is in a weight of the output, whose hidden units have lost some places.
const AFTER_SHIFT: f32 = (1 << (scale::OUTPUT - (scale::HIDDEN - scale::HIDDEN_SHIFT))) as f32;
/// Limits of a row's numbers, so that they can be rounded.
const ROW_LIMIT: f32 = 127.0 / ROW_UNIT;
/// Limit of a corner's sums.
const SUM_LIMIT: f32 = LIMIT as f32 / ROW_UNIT;

type Row = [f32; WIDTH];

/// Numbers and the squared gradients that they have seen.
#[derive(Clone)]
struct Learned<T> {
    numbers: T,
    squares: T,
}

/// Takes one step for one number.
#[inline(always)]
fn step(number: &mut f32, squares: &mut f32, gradient: f32, rate: f32) {
    *squares += gradient * gradient;
    *number -= rate * gradient / squares.sqrt();
}

#[derive(Clone)]
struct Stage {
    start: Learned<Row>,
    hidden: Learned<Box<[[f32; HIDDEN]; INPUTS]>>,
    hidden_bias: Learned<[f32; HIDDEN]>,
    output: Learned<[f32; HIDDEN]>,
    direct: Learned<[f32; INPUTS]>,
    output_bias: Learned<f32>,
}

/// A position as the network sees it.
struct Seen {
    /// Row and corner of every pattern: near ones, then far ones.
    rows: [(u32, u8); 2 * FEATURES],
    n_rows: usize,
    counts: [f32; COUNTS],
    stage: usize,
}

/// What a forward pass leaves for the step back.
struct Pass {
    sums: [Row; 4],
    inputs: [f32; INPUTS],
    hidden: [f32; HIDDEN],
    output: f32,
}

struct Learner {
    row_numbers: &'static [[u32; 2]],
    corners: Vec<(Option<usize>, Option<usize>)>,
    rows: Learned<Vec<Row>>,
    stages: Vec<Stage>,
    /// Whether a stage has learned from any sample.
    taught: [bool; STAGES],
}

impl Learner {
    fn new(random: &mut Random) -> Self {
        let (row_numbers, n_rows) = rows();
        let mut near_zero = |width: f32| random.random_range(-0.5..0.5) * width;
        let numbers = (0..n_rows)
            .map(|_| std::array::from_fn(|_| near_zero(0.1)))
            .collect();
        let first = Stage {
            start: Learned {
                numbers: std::array::from_fn(|_| near_zero(0.2)),
                squares: [FIRST_SQUARES; WIDTH],
            },
            hidden: Learned {
                numbers: Box::new(std::array::from_fn(|_| std::array::from_fn(|_| near_zero(0.5)))),
                squares: Box::new([[FIRST_SQUARES; HIDDEN]; INPUTS]),
            },
            hidden_bias: Learned {
                numbers: std::array::from_fn(|_| near_zero(0.2)),
                squares: [FIRST_SQUARES; HIDDEN],
            },
            output: Learned {
                numbers: std::array::from_fn(|_| near_zero(0.5)),
                squares: [FIRST_SQUARES; HIDDEN],
            },
            direct: Learned {
                numbers: [0.0; INPUTS],
                squares: [FIRST_SQUARES; INPUTS],
            },
            output_bias: Learned {
                numbers: 0.0,
                squares: FIRST_SQUARES,
            },
        };
        Self {
            row_numbers,
            corners: (0..FEATURES).map(corners).collect(),
            rows: Learned {
                numbers,
                squares: vec![[FIRST_SQUARES; WIDTH]; n_rows],
            },
            stages: vec![first; STAGES],
            taught: [false; STAGES],
        }
    }

    /// Takes over the numbers of a network; the inverse of [`Learner::rounded`].
    fn start_from(&mut self, network: &NetworkWeights) {
        for (row, taken) in self.rows.numbers.iter_mut().zip(&network.rows) {
            *row = taken.map(|number| f32::from(number) / ROW_UNIT);
        }
        for (index, taken) in network.stages.iter().enumerate() {
            // A stage that adds nothing has not been taught: all its products are zero, so that it could not learn.
            if *taken != StageWeights::ZERO {
                self.stages[index].start_from(taken);
                self.taught[index] = true;
            }
        }
    }

    /// Looks at a position; `keep` says of every pattern whether it is used.
    fn see(&self, sample: &Sample, mut keep: impl FnMut() -> bool) -> Seen {
        let state = PatternState::of(sample.board);
        let mut seen = Seen {
            rows: [(0, 0); 2 * FEATURES],
            n_rows: 0,
            counts: [0.0; COUNTS],
            stage: stage(sample.empties() as u32),
        };
        for (feature, &(near, far)) in self.corners.iter().enumerate() {
            let Some(near) = near else { continue };
            if !keep() {
                continue;
            }
            let numbers = self.row_numbers[full_number(feature, state.indices()[feature])];
            for (number, corner) in numbers.into_iter().zip([Some(near), far]) {
                let Some(corner) = corner else { continue };
                seen.rows[seen.n_rows] = (number, corner as u8);
                seen.n_rows += 1;
            }
        }
        for ((count, value), unit) in seen.counts.iter_mut().zip(counts(sample.board)).zip(COUNT_UNITS) {
            *count = f32::from(value) * unit;
        }
        seen
    }

    fn forward(&self, seen: &Seen) -> Pass {
        let stage = &self.stages[seen.stage];
        let mut sums = [stage.start.numbers; 4];
        for &(row, corner) in &seen.rows[..seen.n_rows] {
            let row = &self.rows.numbers[row as usize];
            let sum = &mut sums[usize::from(corner)];
            for place in 0..WIDTH {
                sum[place] += row[place];
            }
        }
        let mut inputs = [0.0; INPUTS];
        for sum in &sums {
            for place in 0..WIDTH {
                inputs[place] += sum[place].clamp(0.0, SUM_LIMIT);
            }
        }
        inputs[WIDTH..].copy_from_slice(&seen.counts);
        let mut hidden = stage.hidden_bias.numbers;
        let mut output = stage.output_bias.numbers;
        for (input, &value) in inputs.iter().enumerate() {
            let weights = &stage.hidden.numbers[input];
            for unit in 0..HIDDEN {
                hidden[unit] += value * weights[unit];
            }
            output += value * stage.direct.numbers[input];
        }
        for unit in 0..HIDDEN {
            output += hidden[unit].max(0.0) * stage.output.numbers[unit];
        }
        Pass {
            sums,
            inputs,
            hidden,
            output,
        }
    }

    /// Learns from one position; returns the error before, in discs.
    fn learn(&mut self, seen: &Seen, target: f32, rate: f32) -> f32 {
        self.taught[seen.stage] = true;
        let pass = self.forward(seen);
        let error = pass.output - target;
        let slope = error.clamp(-CLIP, CLIP) / ERROR_UNIT;
        let inputs = self.stages[seen.stage].step(&pass, slope, rate);
        let mut sums = [[0.0; WIDTH]; 4];
        for (slopes, sum) in sums.iter_mut().zip(&pass.sums) {
            for place in 0..WIDTH {
                let inside = sum[place] > 0.0 && sum[place] < SUM_LIMIT;
                slopes[place] = if inside { inputs[place] } else { 0.0 };
            }
        }
        let start = &mut self.stages[seen.stage].start;
        for place in 0..WIDTH {
            let slope = sums.iter().map(|slopes| slopes[place]).sum();
            step(&mut start.numbers[place], &mut start.squares[place], slope, rate);
        }
        for &(row, corner) in &seen.rows[..seen.n_rows] {
            let numbers = &mut self.rows.numbers[row as usize];
            let squares = &mut self.rows.squares[row as usize];
            let slopes = &sums[usize::from(corner)];
            for place in 0..WIDTH {
                step(&mut numbers[place], &mut squares[place], slopes[place], rate);
                numbers[place] = numbers[place].clamp(-ROW_LIMIT, ROW_LIMIT);
            }
        }
        error
    }

    /// Returns the network in integers; it adds nothing in stages without samples.
    fn rounded(&self) -> NetworkWeights {
        let row = |row: &Row| row.map(|number| (number * ROW_UNIT).round() as i8);
        NetworkWeights {
            rows: self.rows.numbers.iter().map(row).collect(),
            stages: self
                .stages
                .iter()
                .zip(self.taught)
                .map(|(stage, taught)| {
                    if taught {
                        stage.rounded()
                    } else {
                        StageWeights::ZERO
                    }
                })
                .collect(),
        }
    }
}

impl Stage {
    /// Learns from one pass; returns the slopes of its inputs.
    fn step(&mut self, pass: &Pass, slope: f32, rate: f32) -> [f32; INPUTS] {
        let mut hidden = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            let active = pass.hidden[unit].max(0.0);
            if active > 0.0 {
                hidden[unit] = slope * self.output.numbers[unit];
            }
            step(
                &mut self.output.numbers[unit],
                &mut self.output.squares[unit],
                slope * active,
                rate,
            );
            step(
                &mut self.hidden_bias.numbers[unit],
                &mut self.hidden_bias.squares[unit],
                hidden[unit],
                rate,
            );
        }
        step(
            &mut self.output_bias.numbers,
            &mut self.output_bias.squares,
            slope,
            rate,
        );
        let mut inputs = [0.0; INPUTS];
        for (input, &value) in pass.inputs.iter().enumerate() {
            let weights = &mut self.hidden.numbers[input];
            let squares = &mut self.hidden.squares[input];
            let mut sum = slope * self.direct.numbers[input];
            for unit in 0..HIDDEN {
                sum += hidden[unit] * weights[unit];
            }
            for unit in 0..HIDDEN {
                step(&mut weights[unit], &mut squares[unit], hidden[unit] * value, rate);
            }
            step(
                &mut self.direct.numbers[input],
                &mut self.direct.squares[input],
                slope * value,
                rate,
            );
            inputs[input] = sum;
        }
        inputs
    }

    fn rounded(&self) -> StageWeights {
        let short = |number: f32| number.round().clamp(-32_767.0, 32_767.0) as i16;
        let long = |number: f32| number.round().clamp(-1e9, 1e9) as i32;
        let hidden = std::array::from_fn(|input| {
            self.hidden.numbers[input].map(|weight| short(weight * unit(input) * HIDDEN_UNIT))
        });
        StageWeights {
            start: self.start.numbers.map(|number| short(number * ROW_UNIT)),
            hidden,
            hidden_bias: self.hidden_bias.numbers.map(|number| long(number * HIDDEN_UNIT)),
            output: self.output.numbers.map(|number| short(number * AFTER_SHIFT)),
            direct: std::array::from_fn(|input| long(self.direct.numbers[input] * unit(input) * OUTPUT_UNIT)),
            output_bias: long(self.output_bias.numbers * OUTPUT_UNIT),
        }
    }

    /// The inverse of [`Stage::rounded`].
    fn start_from(&mut self, taken: &StageWeights) {
        self.start.numbers = taken.start.map(|number| f32::from(number) / ROW_UNIT);
        for (input, weights) in taken.hidden.iter().enumerate() {
            self.hidden.numbers[input] =
                weights.map(|weight| f32::from(weight) / (unit(input) * HIDDEN_UNIT));
            self.direct.numbers[input] = taken.direct[input] as f32 / (unit(input) * OUTPUT_UNIT);
        }
        self.hidden_bias.numbers = taken.hidden_bias.map(|number| number as f32 / HIDDEN_UNIT);
        self.output.numbers = taken.output.map(|number| f32::from(number) / AFTER_SHIFT);
        self.output_bias.numbers = taken.output_bias as f32 / OUTPUT_UNIT;
    }
}

/// Returns what one unit of an input's integer is worth.
fn unit(input: usize) -> f32 {
    match input.checked_sub(WIDTH) {
        None => 1.0 / ROW_UNIT,
        Some(count) => COUNT_UNITS[count],
    }
}

/// What a network is fitted on top of, what it starts from, and what it is to be even about.
#[derive(Clone, Copy, Debug)]
pub struct Fit<'a> {
    /// Weights whose pattern weights stay as they are; a network among them is taken out.
    pub weights: &'a Weights,
    /// Where the fit starts; from numbers near zero without.
    pub initial: Option<&'a NetworkWeights>,
    /// Kinds of positions, each with any of its images, whose mean error is to stay near zero.
    pub even: &'a [Vec<Board>],
}

/// The mean errors of the kinds of positions that are to have none.
struct MeanErrors {
    pull: f32,
    /// By kind and stage, in discs; over about the last [`REMEMBERED`] samples.
    means: Vec<[f32; STAGES]>,
    /// The kind of the positions that are of one.
    kinds: BTreeMap<Board, usize>,
}

/// Samples of a kind and stage that its mean error looks back on.
const REMEMBERED: f32 = 4096.0;

impl MeanErrors {
    fn new(even: &[Vec<Board>], pull: f32) -> Self {
        Self {
            pull,
            means: vec![[0.0; STAGES]; even.len()],
            kinds: (0..)
                .zip(even)
                .flat_map(|(kind, boards)| boards.iter().map(move |board| (board.canonical().0, kind)))
                .collect(),
        }
    }

    fn kind(&self, board: Board) -> Option<usize> {
        if self.kinds.is_empty() {
            return None;
        }
        self.kinds.get(&board.canonical().0).copied()
    }

    /// Learns from a sample of a kind; returns the error before, in discs.
    fn learn(
        &mut self,
        learner: &mut Learner,
        seen: &Seen,
        target: f32,
        rate: f32,
        kind: Option<usize>,
    ) -> f32 {
        let Some(kind) = kind else {
            return learner.learn(seen, target, rate);
        };
        let mean = &mut self.means[kind][seen.stage];
        let offset = self.pull * *mean;
        let error = learner.learn(seen, target - offset, rate) - offset;
        *mean += (error - *mean) / REMEMBERED;
        error
    }
}

/// Fits a network to the difference between the labels of the `Train` samples and the sum of pattern weights, and
/// returns the weights with it; `report` hears of every epoch.
///
/// Samples of the split `Validation` are only measured. With an initial network the fit starts from its numbers
/// instead of from some near zero, after a pass that only sees how large the gradients are: the rates that shrink with
/// them would begin too large for numbers that have learned already.
pub fn fit(
    samples: &[Sample],
    from: Fit<'_>,
    config: &NetworkConfig,
    mut report: impl FnMut(NetworkEpoch),
) -> Weights {
    let mut weights = from.weights.clone();
    weights.set_network(None);
    let linear = Patterns::new(&weights);
    let mut means = MeanErrors::new(from.even, config.pull);
    let mut random = Random::seed_from_u64(config.seed);
    let of = |split: Split| -> Vec<(Sample, f32, Option<usize>)> {
        let chosen = samples
            .iter()
            .filter(|sample| sample.split == split && sample.value != Sample::NO_VALUE);
        let target =
            |sample: &Sample| f32::from(sample.value) / 128.0 - linear.value(sample.board).discs() as f32;
        chosen
            .map(|sample| (*sample, target(sample), means.kind(sample.board)))
            .collect()
    };
    let (mut train, validation) = (of(Split::Train), of(Split::Validation));
    let mut learner = Learner::new(&mut random);
    if let Some(initial) = from.initial {
        learner.start_from(initial);
        for (sample, target, kind) in &train {
            let seen = learner.see(sample, || true);
            means.learn(&mut learner, &seen, *target, 0.0, *kind);
        }
    }
    for number in 1..=config.epochs {
        train.shuffle(&mut random);
        let progress = (number - 1) as f32 / (config.epochs.max(2) - 1) as f32;
        let rate = config.rate * (1.0 - 0.9 * progress);
        let mut squares = 0.0;
        for (sample, target, kind) in &train {
            let seen = learner.see(sample, || {
                config.dropout <= 0.0 || random.random_range(0.0..1.0) >= config.dropout
            });
            squares += f64::from(means.learn(&mut learner, &seen, *target, rate, *kind)).powi(2);
        }
        weights.set_network(Some(learner.rounded()));
        report(NetworkEpoch {
            number,
            train_mse: squares / train.len().max(1) as f64,
            validation_mae: mean_error(
                &Patterns::new(&weights),
                validation.iter().map(|(sample, ..)| sample),
            ),
        });
    }
    weights
}

/// Returns the mean absolute error, in discs; 0 of none.
fn mean_error<'a>(patterns: &Patterns, samples: impl IntoIterator<Item = &'a Sample>) -> f64 {
    let (sum, n) = samples.into_iter().fold((0.0, 0_u32), |(sum, n), sample| {
        let value = patterns.evaluate(sample.board, &patterns.state(sample.board));
        (
            sum + (value.discs() - f64::from(sample.value) / 128.0).abs(),
            n + 1,
        )
    });
    sum / f64::from(n.max(1))
}

#[cfg(test)]
mod tests;
