//! The network: gradients by hand, steps by Adam \[KINGMA15\] on batches, with a rate that rises and falls once. The same
//! file on every run with one seed.
//!
//! A combination's embedding is the sum of one vector for each of its shapes and, if it is common, of a correction of its own.

use super::samples::{Sample, entropy, sigmoid};
use outflank_game::SplitMix64;
use outflank_gomoku::{Combo, N_COMBOS, Rule};
use outflank_gomoku_engine::{
    eval::N_THREATS,
    tuning::{HIDDEN, WIDTH},
};
use std::time::Instant;

const BATCH: usize = 2_048;
const RATE: f32 = 6e-3;
/// How often a combination must occur to have a correction.
const COMMON: u32 = 30;
/// What the sums of the points are multiplied with before the first layer, so that all weights are of one size.
const SUM_SCALE: f32 = 0.25;
const H1: usize = HIDDEN[0];
const H2: usize = HIDDEN[1];

/// Where each part lies in the vector of all parameters.
struct Layout;

impl Layout {
    const SHAPES: usize = 0;
    const COMBOS: usize = Self::SHAPES + 2 * 15 * WIDTH;
    const RULES: usize = Self::COMBOS + 2 * N_COMBOS * WIDTH;
    const FIRST: usize = Self::RULES + 4 * WIDTH;
    const THREATS: usize = Self::FIRST + H1 * WIDTH;
    const FIRST_RULES: usize = Self::THREATS + N_THREATS * H1;
    const SECOND: usize = Self::FIRST_RULES + 4 * H1;
    const SECOND_BIAS: usize = Self::SECOND + H2 * H1;
    const LAST: usize = Self::SECOND_BIAS + H2;
    const DIRECT: usize = Self::LAST + H2;
    const DIRECT_THREATS: usize = Self::DIRECT + WIDTH;
    const DIRECT_RULES: usize = Self::DIRECT_THREATS + N_THREATS;
    const END: usize = Self::DIRECT_RULES + 4;
}

type Vector = [f32; WIDTH];

/// Parameters, their gradients, and what Adam remembers of these.
struct Model {
    parameters: Vec<f32>,
    gradients: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    /// Of both sides, made of `parameters` before each batch, and their gradients.
    embeddings: Vec<Vector>,
    embedding_gradients: Vec<Vector>,
    is_common: Vec<bool>,
    shapes: Vec<[usize; 4]>,
    steps: i32,
}

/// What one sample comes to on the way to its value.
struct Pass {
    sums: Vector,
    first: [f32; H1],
    second: [f32; H2],
    logit: f32,
}

fn row<const N: usize>(parameters: &[f32], at: usize) -> &[f32; N] {
    parameters[at..].first_chunk().expect("a row")
}

fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn rule_index(rule: Rule) -> usize {
    Rule::ALL
        .iter()
        .position(|&other| other == rule)
        .expect("one of them")
}

impl Model {
    fn new(samples: &[Sample], seed: u64) -> Self {
        let mut counts = vec![0u32; 2 * N_COMBOS];
        for sample in samples.iter().filter(|sample| !sample.is_validation) {
            for at in &sample.near {
                counts[usize::from(at.own)] += 1;
                counts[N_COMBOS + usize::from(at.other)] += 1;
            }
        }
        let mut random = SplitMix64::new(seed);
        let mut parameters = vec![0.0f32; Layout::END];
        // Sums of four uniform numbers are near enough to normal ones.
        let mut fill = |from: usize, to: usize, deviation: f32| {
            for parameter in &mut parameters[from..to] {
                let sum: f32 = (0..4)
                    .map(|_| random.below(1 << 20) as f32 / (1 << 20) as f32 - 0.5)
                    .sum();
                *parameter = sum * deviation * 3f32.sqrt();
            }
        };
        fill(Layout::SHAPES, Layout::COMBOS, 0.05);
        fill(Layout::FIRST, Layout::THREATS, 0.3 / (WIDTH as f32).sqrt());
        fill(Layout::SECOND, Layout::SECOND_BIAS, 1.0 / (H1 as f32).sqrt());
        fill(Layout::LAST, Layout::DIRECT, 0.1);
        Self {
            parameters,
            gradients: vec![0.0; Layout::END],
            means: vec![0.0; Layout::END],
            squares: vec![0.0; Layout::END],
            embeddings: vec![[0.0; WIDTH]; 2 * N_COMBOS],
            embedding_gradients: vec![[0.0; WIDTH]; 2 * N_COMBOS],
            is_common: counts.iter().map(|&count| count >= COMMON).collect(),
            shapes: Combo::all()
                .map(|combo| combo.shapes().map(|shape| shape as usize))
                .collect(),
            steps: 0,
        }
    }

    /// Makes the embeddings of the parameters.
    fn embed(&mut self) {
        for side in 0..2 {
            for (combo, shapes) in self.shapes.iter().enumerate() {
                let at = side * N_COMBOS + combo;
                let mut vector = [0.0; WIDTH];
                for shape in shapes {
                    let part: &Vector = row(&self.parameters, Layout::SHAPES + (side * 15 + shape) * WIDTH);
                    vector.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
                }
                if self.is_common[at] {
                    let part: &Vector = row(&self.parameters, Layout::COMBOS + at * WIDTH);
                    vector
                        .iter_mut()
                        .zip(part)
                        .for_each(|(sum, part)| *sum += part.clamp(-1.0, 1.0));
                }
                self.embeddings[at] = vector.map(|number| number.clamp(-2.0, 2.0));
            }
        }
    }

    fn forward(&self, sample: &Sample) -> Pass {
        let parameters = &self.parameters;
        let (rule, threat) = (rule_index(sample.rule), usize::from(sample.threat));
        let common: &Vector = row(parameters, Layout::RULES + rule * WIDTH);
        let mut sums = [0.0; WIDTH];
        for at in &sample.near {
            let own = &self.embeddings[usize::from(at.own)];
            let other = &self.embeddings[N_COMBOS + usize::from(at.other)];
            for i in 0..WIDTH {
                sums[i] += (own[i] + other[i] + common[i]).clamp(0.0, 1.0);
            }
        }
        let first = std::array::from_fn(|i| {
            let weights = row(parameters, Layout::FIRST + i * WIDTH);
            let sum = dot(weights, &sums) * SUM_SCALE
                + parameters[Layout::THREATS + threat * H1 + i]
                + parameters[Layout::FIRST_RULES + rule * H1 + i];
            sum.clamp(0.0, 1.0)
        });
        let second = std::array::from_fn(|i| {
            let weights = row(parameters, Layout::SECOND + i * H1);
            (dot(weights, &first) + parameters[Layout::SECOND_BIAS + i]).clamp(0.0, 1.0)
        });
        let logit = dot(row(parameters, Layout::LAST), &second)
            + dot(row(parameters, Layout::DIRECT), &sums)
            + parameters[Layout::DIRECT_THREATS + threat]
            + parameters[Layout::DIRECT_RULES + rule];
        Pass {
            sums,
            first,
            second,
            logit,
        }
    }

    /// Adds the gradients of one sample.
    fn backward(&mut self, sample: &Sample, pass: &Pass) {
        let (rule, threat) = (rule_index(sample.rule), usize::from(sample.threat));
        let error = sigmoid(f64::from(pass.logit)) as f32 - sample.target;
        let parameters = &self.parameters;
        let gradients = &mut self.gradients;
        let is_inside = |number: f32| number > 0.0 && number < 1.0;
        gradients[Layout::DIRECT_THREATS + threat] += error;
        gradients[Layout::DIRECT_RULES + rule] += error;
        let mut to_first = [0.0; H1];
        for (i, &neuron) in pass.second.iter().enumerate() {
            gradients[Layout::LAST + i] += error * neuron;
            if is_inside(neuron) {
                let here = error * parameters[Layout::LAST + i];
                gradients[Layout::SECOND_BIAS + i] += here;
                for (j, &input) in pass.first.iter().enumerate() {
                    gradients[Layout::SECOND + i * H1 + j] += here * input;
                    to_first[j] += here * parameters[Layout::SECOND + i * H1 + j];
                }
            }
        }
        let mut to_sums = [0.0; WIDTH];
        for i in 0..WIDTH {
            gradients[Layout::DIRECT + i] += error * pass.sums[i];
            to_sums[i] = error * parameters[Layout::DIRECT + i];
        }
        for (i, &neuron) in pass.first.iter().enumerate() {
            if is_inside(neuron) {
                let here = to_first[i];
                gradients[Layout::THREATS + threat * H1 + i] += here;
                gradients[Layout::FIRST_RULES + rule * H1 + i] += here;
                for j in 0..WIDTH {
                    gradients[Layout::FIRST + i * WIDTH + j] += here * SUM_SCALE * pass.sums[j];
                    to_sums[j] += here * SUM_SCALE * parameters[Layout::FIRST + i * WIDTH + j];
                }
            }
        }
        let common: &Vector = row(parameters, Layout::RULES + rule * WIDTH);
        let mut of_rule = [0.0; WIDTH];
        for at in &sample.near {
            let (own, other) = (usize::from(at.own), N_COMBOS + usize::from(at.other));
            let mut here = [0.0; WIDTH];
            for i in 0..WIDTH {
                let sum = self.embeddings[own][i] + self.embeddings[other][i] + common[i];
                here[i] = if is_inside(sum) { to_sums[i] } else { 0.0 };
                of_rule[i] += here[i];
            }
            for embedding in [own, other] {
                let to = &mut self.embedding_gradients[embedding];
                to.iter_mut().zip(&here).for_each(|(sum, part)| *sum += part);
            }
        }
        for i in 0..WIDTH {
            gradients[Layout::RULES + rule * WIDTH + i] += of_rule[i];
        }
    }

    /// Hands the gradients of the embeddings on to the parameters that they are made of.
    fn unembed(&mut self) {
        for side in 0..2 {
            for (combo, shapes) in self.shapes.iter().enumerate() {
                let at = side * N_COMBOS + combo;
                let gradient = std::mem::replace(&mut self.embedding_gradients[at], [0.0; WIDTH]);
                for shape in shapes {
                    let to = Layout::SHAPES + (side * 15 + shape) * WIDTH;
                    let to = &mut self.gradients[to..to + WIDTH];
                    to.iter_mut().zip(&gradient).for_each(|(sum, part)| *sum += part);
                }
                if self.is_common[at] {
                    let to = Layout::COMBOS + at * WIDTH;
                    self.gradients[to..to + WIDTH].copy_from_slice(&gradient);
                }
            }
        }
    }

    /// Takes one step of Adam.
    fn step(&mut self, rate: f32) {
        self.steps += 1;
        let mean_share = 1.0 - 0.9f32.powi(self.steps);
        let square_share = 1.0 - 0.999f32.powi(self.steps);
        let parts = self.parameters.iter_mut().zip(&mut self.gradients);
        let memory = self.means.iter_mut().zip(&mut self.squares);
        for ((parameter, gradient), (mean, square)) in parts.zip(memory) {
            let g = *gradient / BATCH as f32;
            *mean += 0.1 * (g - *mean);
            *square += 0.001 * (g * g - *square);
            *parameter -= rate * (*mean / mean_share) / ((*square / square_share).sqrt() + 1e-8);
            *gradient = 0.0;
        }
    }

    /// Returns the mean loss over samples held out, and what of it is the labels' own uncertainty.
    fn validate(&self, samples: &[Sample]) -> (f64, f64) {
        let (mut loss, mut least, mut n) = (0.0, 0.0, 0.0);
        for sample in samples.iter().filter(|sample| sample.is_validation) {
            let target = f64::from(sample.target);
            loss += entropy(target, sigmoid(f64::from(self.forward(sample).logit)));
            least += entropy(target, target);
            n += 1.0;
        }
        (loss / n, least / n)
    }

    /// Returns the weights as the engine reads them.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = b"gomonet1".to_vec();
        let words = |bytes: &mut Vec<u8>, from: usize, to: usize, scale: f32| {
            for parameter in &self.parameters[from..to] {
                let word = (parameter * scale).round().clamp(-32_000.0, 32_000.0) as i16;
                bytes.extend(word.to_le_bytes());
            }
        };
        for side in 0..2 {
            let shapes = Layout::SHAPES + side * 15 * WIDTH;
            words(&mut bytes, shapes, shapes + 15 * WIDTH, 127.0);
            let is_common = &self.is_common[side * N_COMBOS..(side + 1) * N_COMBOS];
            for eight in is_common.chunks(8) {
                bytes.push(
                    eight
                        .iter()
                        .rev()
                        .fold(0, |bits, &is_common| bits << 1 | u8::from(is_common)),
                );
            }
            for combo in (0..N_COMBOS).filter(|&combo| is_common[combo]) {
                let correction: &Vector = row(
                    &self.parameters,
                    Layout::COMBOS + (side * N_COMBOS + combo) * WIDTH,
                );
                bytes.extend(
                    correction.map(|number| (number * 127.0).round().clamp(-127.0, 127.0) as i8 as u8),
                );
            }
        }
        let value = 500.0 / 127.0 * 1_024.0;
        words(&mut bytes, Layout::RULES, Layout::FIRST, 127.0);
        words(&mut bytes, Layout::FIRST, Layout::THREATS, 4_096.0 * SUM_SCALE);
        words(&mut bytes, Layout::THREATS, Layout::SECOND, 127.0 * 64.0);
        words(&mut bytes, Layout::SECOND, Layout::SECOND_BIAS, 4_096.0);
        words(&mut bytes, Layout::SECOND_BIAS, Layout::LAST, 127.0 * 64.0);
        words(&mut bytes, Layout::LAST, Layout::DIRECT_THREATS, value);
        words(&mut bytes, Layout::DIRECT_THREATS, Layout::END, 500.0);
        bytes
    }
}

/// Fits a network to `samples` and returns it as the engine reads it.
pub(crate) fn fit(samples: &[Sample], n_epochs: usize, seed: u64) -> Vec<u8> {
    let mut order: Vec<u32> = (0..samples.len() as u32)
        .filter(|&i| !samples[i as usize].is_validation)
        .collect();
    let mut model = Model::new(samples, seed);
    let n_common = model.is_common.iter().filter(|&&is_common| is_common).count();
    println!("{n_common} common combinations");
    let mut random = SplitMix64::new(seed);
    let start = Instant::now();
    let n_steps = n_epochs * (order.len() / BATCH);
    for epoch in 0..n_epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        for batch in order.chunks_exact(BATCH) {
            model.embed();
            for &i in batch {
                let sample = &samples[i as usize];
                let pass = model.forward(sample);
                model.backward(sample, &pass);
            }
            model.unembed();
            let done = model.steps as f32 / n_steps as f32;
            let share = if done < 0.1 {
                done / 0.1
            } else {
                0.5 + 0.5 * ((done - 0.1) / 0.9 * std::f32::consts::PI).cos()
            };
            model.step(RATE * share.max(1e-3));
        }
        model.embed();
        let (loss, least) = model.validate(samples);
        println!(
            "epoch {epoch}: validation {loss:.5}, above the labels' own {:.5}; {:.0} s",
            loss - least,
            start.elapsed().as_secs_f64()
        );
    }
    model.to_bytes()
}
