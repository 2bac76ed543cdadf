//! The weights of the shapes: logistic regression by stochastic gradient descent with a rate for each weight (Adagrad,
//! \[DUCHI11\]), first one weight a shape and side, then a correction for each combination.

use super::samples::{Sample, UNIT, entropy, sigmoid};
use outflank_game::SplitMix64;
use outflank_gomoku::{Combo, N_COMBOS, Shape};
use outflank_gomoku_engine::{eval::N_THREATS, tuning::Weights};
use std::collections::BTreeMap;

/// A sample as the fit needs it: how often combinations occur, and the threat index.
struct Counted {
    features: Vec<(u16, i16)>,
    threat: u16,
    target: f64,
    is_validation: bool,
}

impl Counted {
    fn new(sample: &Sample) -> Self {
        let mut counts: BTreeMap<u16, i16> = BTreeMap::new();
        for point in sample.near.iter().chain(&sample.far) {
            *counts.entry(point.own).or_default() += 1;
            *counts.entry(N_COMBOS as u16 + point.other).or_default() -= 1;
        }
        Self {
            features: counts.into_iter().collect(),
            threat: sample.threat,
            target: f64::from(sample.target),
            is_validation: sample.is_validation,
        }
    }
}

/// All weights in one vector, in logits.
struct Model {
    weights: Vec<f64>,
    prior: Vec<f64>,
    sums: Vec<f64>,
}

impl Model {
    fn logit(&self, sample: &Counted) -> f64 {
        let shapes: f64 = sample
            .features
            .iter()
            .map(|&(feature, count)| self.weights[usize::from(feature)] * f64::from(count))
            .sum();
        shapes + self.weights[2 * N_COMBOS + usize::from(sample.threat)]
    }

    fn learn(&mut self, sample: &Counted, rate: f64) {
        let error = sample.target - sigmoid(self.logit(sample));
        let mut step = |at: usize, gradient: f64| {
            self.sums[at] += gradient * gradient;
            self.weights[at] += rate * gradient / (self.sums[at] + 1.0).sqrt();
        };
        for &(feature, count) in &sample.features {
            step(usize::from(feature), error * f64::from(count));
        }
        step(2 * N_COMBOS + usize::from(sample.threat), error);
    }

    /// Fits one weight a shape and side instead of one a combination, and makes the result the start and the prior.
    fn tie(&mut self, samples: &[Counted]) {
        let all: Vec<(usize, [Shape; 4])> = (0..2)
            .flat_map(|side| Combo::all().map(move |combo| (side, combo.shapes())))
            .collect();
        let mut shapes = [[0.0f64; 15]; 2];
        let mut sums = [[1.0f64; 15]; 2];
        let mut threats = vec![0.0f64; N_THREATS];
        for epoch in 0..4 {
            for sample in samples.iter().filter(|sample| !sample.is_validation) {
                let mut counts = [[0.0f64; 15]; 2];
                for &(feature, count) in &sample.features {
                    let (side, list) = all[usize::from(feature)];
                    for shape in list {
                        counts[side][shape as usize] += f64::from(count);
                    }
                }
                let terms = counts.as_flattened().iter().zip(shapes.as_flattened());
                let logit =
                    threats[usize::from(sample.threat)] + terms.map(|(n, weight)| n * weight).sum::<f64>();
                let error = sample.target - sigmoid(logit);
                let rate = 0.05 / f64::from(1 + epoch);
                for side in 0..2 {
                    for shape in 1..15 {
                        let gradient = error * counts[side][shape];
                        sums[side][shape] += gradient * gradient;
                        shapes[side][shape] += rate * gradient / sums[side][shape].sqrt();
                    }
                }
                threats[usize::from(sample.threat)] += 0.01 * error;
            }
        }
        for (feature, (side, list)) in all.iter().enumerate() {
            self.weights[feature] = list.iter().map(|&shape| shapes[*side][shape as usize]).sum();
        }
        self.weights[2 * N_COMBOS..].copy_from_slice(&threats);
        self.prior.clone_from(&self.weights);
        for side in shapes {
            println!("{:?}", side.map(|weight| (weight * UNIT).round()));
        }
    }

    /// Returns the mean of the logarithmic loss above what of it is the labels' own uncertainty.
    fn loss(&self, samples: &[Counted], is_validation: bool) -> f64 {
        let (mut sum, mut n) = (0.0, 0.0);
        for sample in samples
            .iter()
            .filter(|sample| sample.is_validation == is_validation)
        {
            let p = sigmoid(self.logit(sample));
            sum += entropy(sample.target, p) - entropy(sample.target, sample.target);
            n += 1.0;
        }
        sum / n
    }
}

/// Fits weights to `samples` and returns them as the engine reads them.
pub(crate) fn fit(samples: &[Sample], n_epochs: usize, seed: u64) -> Vec<u8> {
    let samples: Vec<Counted> = samples.iter().map(Counted::new).collect();
    let n = 2 * N_COMBOS + N_THREATS;
    let mut model = Model {
        weights: vec![0.0; n],
        prior: Vec::new(),
        sums: vec![0.0; n],
    };
    model.tie(&samples);
    println!(
        "fifteen shapes a side: validation {:.4}",
        model.loss(&samples, true)
    );
    let mut order: Vec<usize> = (0..samples.len())
        .filter(|&i| !samples[i].is_validation)
        .collect();
    let mut random = SplitMix64::new(seed);
    for epoch in 0..n_epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let rate = 0.01 / (1.0 + epoch as f64 / 3.0);
        for &i in &order {
            model.learn(&samples[i], rate);
        }
        for (weight, prior) in model.weights.iter_mut().zip(&model.prior) {
            *weight += (prior - *weight) * 0.02;
        }
        println!(
            "epoch {epoch}: training {:.4}, validation {:.4}",
            model.loss(&samples, false),
            model.loss(&samples, true),
        );
    }
    let words: Vec<i32> = model
        .weights
        .iter()
        .map(|weight| (weight * UNIT).round() as i32)
        .collect();
    let weights = Weights {
        mover: words[..N_COMBOS].to_vec(),
        waiter: words[N_COMBOS..2 * N_COMBOS].to_vec(),
        threats: words[2 * N_COMBOS..].to_vec(),
        network: None,
    };
    weights.to_bytes()
}
