//! The arithmetic of a fit: samples laid out by interval, and an epoch over them.

use super::{FitConfig, Sample, Source, Split};
use outflank_eval::patterns::{
    PatternState, knot_share,
    layout::{FEATURES, PARAMETERS, full_number, mobility_parameter, packed_parameters},
};
use outflank_othello::Board;
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Mutex;

/// Samples of one block stay together when the order changes from epoch to epoch.
const BLOCK: usize = 2048;

/// A sample as the arithmetic needs it.
#[derive(Clone, Copy)]
struct Item {
    board: Board,
    /// Value in discs.
    target: f32,
    /// Weight among the samples.
    weight: f32,
}

/// The samples between two knots.
pub(super) struct Interval {
    items: Vec<Item>,
    /// Constants by number of empties, in discs; only those of this interval are used.
    bias: [f32; 65],
}

/// Samples laid out by interval, and the weights in discs.
pub(super) struct Prepared {
    pub(super) knots: Vec<Vec<f32>>,
    /// What the weights are pulled towards, in discs.
    anchors: Vec<Vec<f32>>,
    /// Pull towards zero at each touch, by knot and parameter, before the rate.
    shrink: Vec<Vec<f32>>,
    intervals: Vec<Interval>,
    /// Interval and share of the upper knot by number of empties.
    shares: [(usize, f32); 65],
    features: Vec<usize>,
    mobility: bool,
    packed: &'static [u32],
}

/// The parameters that a board touches: features first, then the mobility pair where it is used.
struct Touched {
    parameters: [u32; FEATURES + 1],
    n: usize,
}

impl Prepared {
    pub(super) fn new(
        samples: &[Sample],
        split: Split,
        knots: &[u8],
        features: &[usize],
        mobility: bool,
        config: &FitConfig,
    ) -> Self {
        let shares = std::array::from_fn(|empties| {
            let (interval, share) = knot_share(knots, 4 * (empties / 2).min(30) + 1);
            (interval, share as f32 / 1024.0)
        });
        let empty = || Interval {
            items: Vec::new(),
            bias: [0.0; 65],
        };
        let mut prepared = Self {
            knots: vec![vec![0.0; PARAMETERS]; knots.len()],
            anchors: vec![vec![0.0; PARAMETERS]; knots.len()],
            shrink: Vec::new(),
            intervals: (1..knots.len()).map(|_| empty()).collect(),
            shares,
            features: features.to_vec(),
            mobility,
            packed: packed_parameters(),
        };
        for sample in samples {
            if sample.split != split || sample.value == Sample::NO_VALUE {
                continue;
            }
            let interval = prepared.shares[sample.empties()].0;
            prepared.intervals[interval].items.push(Item {
                board: sample.board,
                target: f32::from(sample.value) / 128.0,
                weight: match sample.source {
                    Source::Result => config.result_weight,
                    Source::Theoretical => config.theoretical_weight,
                    _ => 1.0,
                },
            });
        }
        if split == Split::Train {
            prepared.set_shrink(config.ridge);
        }
        prepared
    }

    /// Counts how often each parameter is touched, and derives the pull towards zero.
    fn set_shrink(&mut self, ridge: f32) {
        let mut counts = vec![vec![0.0_f32; PARAMETERS]; self.knots.len()];
        for (number, interval) in self.intervals.iter().enumerate() {
            for item in &interval.items {
                let share = self.shares[item.board.empties().count() as usize].1;
                let touched = self.touched(item.board);
                for &parameter in &touched.parameters[..touched.n] {
                    counts[number][parameter as usize] += (1.0 - share) * item.weight;
                    counts[number + 1][parameter as usize] += share * item.weight;
                }
            }
        }
        for count in counts.iter_mut().flatten() {
            *count = ridge / (*count + 0.1);
        }
        self.shrink = counts;
    }

    /// Sets the weights to start from and to be pulled towards, in 1/128 disc.
    pub(super) fn start_from(&mut self, knots: &[Vec<i16>], bias: &[i16]) {
        let discs = |units: i16| f32::from(units) / 128.0;
        for ((weights, anchors), initial) in self.knots.iter_mut().zip(&mut self.anchors).zip(knots) {
            for ((weight, anchor), &units) in weights.iter_mut().zip(anchors).zip(initial) {
                *weight = discs(units);
                *anchor = discs(units);
            }
        }
        for interval in &mut self.intervals {
            for (constant, &units) in interval.bias.iter_mut().zip(bias) {
                *constant = discs(units);
            }
        }
    }

    /// Brings the samples of each interval into a random order.
    pub(super) fn shuffle(&mut self, random: &mut Xoshiro256PlusPlus) {
        for interval in &mut self.intervals {
            interval.items.shuffle(random);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.intervals.iter().map(|interval| interval.items.len()).sum()
    }

    /// Returns the constant of each number of empties, in discs.
    pub(super) fn bias(&self) -> Vec<f32> {
        let of = |empties: usize| self.intervals[self.shares[empties].0].bias[empties];
        (0..65).map(of).collect()
    }

    #[inline]
    fn touched(&self, board: Board) -> Touched {
        let state = PatternState::of(board);
        let mut touched = Touched {
            parameters: [0; FEATURES + 1],
            n: self.features.len(),
        };
        for (parameter, &feature) in touched.parameters.iter_mut().zip(&self.features) {
            *parameter = self.packed[full_number(feature, state.indices()[feature])];
        }
        if self.mobility {
            touched.parameters[touched.n] =
                mobility_parameter(board.mobility(), board.passed().mobility()) as u32;
            touched.n += 1;
        }
        touched
    }

    /// Uses every sample once; returns the mean squared error on the way, in square discs.
    pub(super) fn epoch(&mut self, rate: f32, number: u64, config: &FitConfig) -> f64 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(config.seed ^ number << 32);
        let rounds = 8;
        let orders: Vec<Vec<usize>> = self
            .intervals
            .iter()
            .map(|interval| {
                let mut order: Vec<usize> = (0..interval.items.len().div_ceil(BLOCK)).collect();
                order.shuffle(&mut random);
                order
            })
            .collect();
        let mut knots = std::mem::take(&mut self.knots);
        let mut intervals = std::mem::take(&mut self.intervals);
        let (mut squares, mut total) = (0.0, 0.0);
        for round in 0..rounds {
            for group in 0..2 {
                let sums = self.group_step(
                    &mut knots,
                    &mut intervals,
                    &orders,
                    (group, round, rounds),
                    rate,
                    config.threads,
                );
                for (square, weight) in sums {
                    squares += square;
                    total += weight;
                }
            }
        }
        self.knots = knots;
        self.intervals = intervals;
        squares / f64::max(total, 1.0)
    }

    /// Fits every second interval, from `group` on, to a part of its blocks; returns the sums of each in order.
    fn group_step(
        &self,
        knots: &mut [Vec<f32>],
        intervals: &mut [Interval],
        orders: &[Vec<usize>],
        (group, round, rounds): (usize, usize, usize),
        rate: f32,
        threads: usize,
    ) -> Vec<(f64, f64)> {
        let pairs = knots[group..].chunks_exact_mut(2);
        let tasks: Vec<_> = pairs
            .zip(intervals.iter_mut().enumerate().skip(group).step_by(2))
            .map(|(pair, (number, interval))| (pair, number, interval))
            .collect();
        let results = Mutex::new(vec![(0.0, 0.0); tasks.len()]);
        let queue = Mutex::new(tasks.into_iter().enumerate());
        let work = || {
            loop {
                let next = queue.lock().expect("no worker panics").next();
                let Some((place, (pair, number, interval))) = next else {
                    return;
                };
                let order = &orders[number];
                let part = order.len() * round / rounds..order.len() * (round + 1) / rounds;
                let sums = self.interval_step(pair, number, interval, &order[part], rate);
                results.lock().expect("no worker panics")[place] = sums;
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        results.into_inner().expect("no worker panics")
    }

    /// Fits one interval to some of its blocks; returns the weighted sum of squared errors and of weights.
    fn interval_step(
        &self,
        pair: &mut [Vec<f32>],
        number: usize,
        interval: &mut Interval,
        blocks: &[usize],
        rate: f32,
    ) -> (f64, f64) {
        let (lower, upper) = pair.split_at_mut(1);
        let (lower, upper) = (&mut lower[0], &mut upper[0]);
        let (mut squares, mut total) = (0.0, 0.0);
        for &block in blocks {
            let range = block * BLOCK..((block + 1) * BLOCK).min(interval.items.len());
            for item in &interval.items[range] {
                let empties = item.board.empties().count() as usize;
                let share = self.shares[empties].1;
                let touched = self.touched(item.board);
                let mut value = interval.bias[empties];
                for &parameter in &touched.parameters[..touched.n] {
                    let parameter = parameter as usize;
                    value += (1.0 - share) * lower[parameter] + share * upper[parameter];
                }
                let error = item.target - value;
                squares += f64::from(error * error * item.weight);
                total += f64::from(item.weight);
                let step = rate * item.weight;
                interval.bias[empties] += step * error;
                let (lower_shrink, upper_shrink) = (&self.shrink[number], &self.shrink[number + 1]);
                let (lower_anchor, upper_anchor) = (&self.anchors[number], &self.anchors[number + 1]);
                for &parameter in &touched.parameters[..touched.n] {
                    let parameter = parameter as usize;
                    let weight = &mut lower[parameter];
                    *weight += step
                        * (1.0 - share)
                        * (error - lower_shrink[parameter].min(40.0) * (*weight - lower_anchor[parameter]));
                    let weight = &mut upper[parameter];
                    *weight += step
                        * share
                        * (error - upper_shrink[parameter].min(40.0) * (*weight - upper_anchor[parameter]));
                }
            }
        }
        (squares, total)
    }

    /// Returns the mean squared and the mean absolute error of these samples under the weights of `fitted`.
    pub(super) fn errors(&self, fitted: &Self) -> (f64, f64) {
        let (mut squares, mut absolute, mut n) = (0.0, 0.0, 0.0);
        for (number, interval) in self.intervals.iter().enumerate() {
            for item in &interval.items {
                let empties = item.board.empties().count() as usize;
                let share = self.shares[empties].1;
                let touched = self.touched(item.board);
                let mut value = fitted.intervals[number].bias[empties];
                for &parameter in &touched.parameters[..touched.n] {
                    let parameter = parameter as usize;
                    value += (1.0 - share) * fitted.knots[number][parameter]
                        + share * fitted.knots[number + 1][parameter];
                }
                let error = f64::from(item.target - value);
                squares += error * error;
                absolute += error.abs();
                n += 1.0;
            }
        }
        (squares / f64::max(n, 1.0), absolute / f64::max(n, 1.0))
    }
}
