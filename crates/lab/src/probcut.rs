//! Fitting the cuts of Multi-ProbCut: what searches of one depth say about those of another.
//!
//! Sample positions are searched to every depth; for each pair of depths the deep value is foretold from the shallow one
//! by least squares, and the spread of the errors is what the cuts go by. Depths beyond the sample take the figures of
//! the deepest pair of the same parity, with the same distance: there the two values lie closer together, so that the
//! cut is the more careful for it.

use crate::{
    evaluation::{Evaluation, WIN_E},
    sample::random_positions,
};
use outflank_othello::Position;
use outflank_search::Control;
use outflank_textbook::{Cut, Cuts, Method, Order, Settings, TableOptions, Ties, search};

/// How cuts are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// Sample positions.
    pub positions: usize,
    /// Greatest depth searched.
    pub depth: u32,
    /// Hundredths of a spread by which a foretold value must lie outside the window.
    pub width: i32,
    /// Seed of the positions.
    pub seed: u64,
}

impl Default for Fit {
    /// Under a second: what players use.
    fn default() -> Self {
        Self {
            positions: 40,
            depth: 6,
            width: 150,
            seed: 1,
        }
    }
}

/// One pair of depths and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The deep search.
    pub depth: u32,
    /// The shallow one.
    pub shallow: u32,
    /// Deep value per unit of the shallow one.
    pub slope: f64,
    /// Deep value where the shallow one is 0.
    pub offset: f64,
    /// Standard deviation of what is left, in the evaluation's unit.
    pub spread: f64,
}

/// Depths whose values are compared: as many plies apart as keeps the parity and saves most of the work.
const PAIRS: [(u32, u32); 6] = [(3, 1), (4, 2), (5, 1), (6, 2), (7, 3), (8, 4)];
/// Distance of the depths where no pair was fitted.
const DISTANCE: u32 = 4;

/// Searches the sample to every depth and fits every pair within reach.
pub fn fit(evaluation: &Evaluation, options: &Fit) -> Vec<Pair> {
    let settings = Settings {
        method: Method::MtdF(TableOptions::default(), outflank_textbook::Reorder::Off),
        order: Order::Evaluated,
        ties: Ties::First,
    };
    let values = |position: &Position| -> Vec<f64> {
        let value = |depth| f64::from(search(&settings, position, evaluation, depth).value);
        (1..=options.depth).map(value).collect()
    };
    let samples: Vec<Vec<f64>> = random_positions(options.positions, 12..44, options.seed)
        .iter()
        .map(values)
        // A game that may end within the search is worth a win, which no shallower search foretells.
        .filter(|values| values.iter().all(|value| value.abs() < f64::from(WIN_E) * 0.9))
        .collect();
    let within = PAIRS.iter().filter(|&&(depth, _)| depth <= options.depth);
    within
        .map(|&(depth, shallow)| {
            let points = samples.iter().map(|values| {
                let at = |depth: u32| values[depth as usize - 1];
                (at(shallow), at(depth))
            });
            regression(depth, shallow, &points.collect::<Vec<_>>())
        })
        .collect()
}

/// Fits a line through points (shallow, deep) by least squares.
fn regression(depth: u32, shallow: u32, points: &[(f64, f64)]) -> Pair {
    let n = points.len().max(1) as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(&|point| point.0), mean(&|point| point.1));
    let variance = mean(&|point| (point.0 - x).powi(2));
    let slope = if variance > 0.0 {
        mean(&|point| (point.0 - x) * (point.1 - y)) / variance
    } else {
        0.0
    };
    let offset = y - slope * x;
    let rest = mean(&|point| (point.1 - slope * point.0 - offset).powi(2));
    // Two parameters were fitted to the same points.
    let spread = (rest * n / (n - 2.0).max(1.0)).sqrt();
    Pair {
        depth,
        shallow,
        slope,
        offset,
        spread,
    }
}

/// Returns the cuts that these pairs allow.
pub fn cuts(pairs: &[Pair], width: i32) -> Cuts {
    let mut cuts = Cuts {
        width,
        ..Cuts::default()
    };
    for (depth, cut) in (Cuts::FIRST_DEPTH..).zip(&mut cuts.by_depth) {
        let exact = pairs.iter().find(|pair| pair.depth == depth);
        let same_parity = |pair: &&Pair| pair.depth % 2 == depth % 2 && pair.depth - pair.shallow == DISTANCE;
        let Some(pair) = exact.or_else(|| pairs.iter().rev().find(same_parity)) else {
            continue;
        };
        *cut = Cut {
            shallow: exact.map_or_else(|| depth - DISTANCE, |pair| pair.shallow),
            slope: (pair.slope * 1000.0).round() as i32,
            offset: pair.offset.round() as i32,
            spread: pair.spread.ceil() as i32,
        };
    }
    cuts
}

/// Returns the method with cuts fitted to the evaluation, where it is Multi-ProbCut and has none yet.
pub fn fitted(method: Method, evaluation: &Evaluation) -> Method {
    match method {
        Method::ProbCut(table, none) if none == Cuts::default() => {
            let options = Fit::default();
            Method::ProbCut(table, cuts(&fit(evaluation, &options), options.width))
        }
        other => other,
    }
}

/// What Multi-ProbCut costs and saves at one width.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effect {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Searches that gave the value of the full-width search.
    pub same_value: usize,
    /// Searches whose move is one of the full-width search's best.
    pub same_move: usize,
    /// Mean distance from the full-width value, in the evaluation's unit.
    pub error: f64,
}

/// Searches `positions` with the method and compares with what a full-width search found.
pub fn effect(
    method: Method,
    evaluation: &Evaluation,
    positions: &[Position],
    truth: &[outflank_textbook::Report<outflank_othello::Move>],
    depth: u32,
) -> Effect {
    let settings = Settings {
        method,
        order: Order::Evaluated,
        ties: Ties::First,
    };
    let mut effect = Effect::default();
    for (position, truth) in positions.iter().zip(truth) {
        let deepened = outflank_textbook::deepen(
            &settings,
            position,
            evaluation,
            Some(depth),
            &Control::unlimited(),
        );
        let found = deepened.report;
        effect.nodes += deepened.total.nodes;
        effect.same_value += usize::from(found.value == truth.value);
        effect.same_move += usize::from(found.best == truth.best);
        effect.error += f64::from((found.value - truth.value).abs()) / positions.len().max(1) as f64;
    }
    effect
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_again() {
        let points: Vec<_> = (-20..20)
            .map(|x| {
                (
                    f64::from(x),
                    2.0 * f64::from(x) - 3.0 + if x % 2 == 0 { 1.0 } else { -1.0 },
                )
            })
            .collect();
        let pair = regression(4, 2, &points);
        assert!(
            (pair.slope - 2.0).abs() < 0.01 && (pair.offset + 3.0).abs() < 0.1,
            "{pair:?}"
        );
        assert!((pair.spread - 1.0).abs() < 0.05, "{pair:?}");
        assert!(regression(4, 2, &[]).slope.abs() < 1e-9);
    }

    #[test]
    fn fitted_cuts_reach_beyond_the_sample() {
        let evaluation = Evaluation::by_name("phase").unwrap();
        let options = Fit {
            positions: 12,
            ..Fit::default()
        };
        let pairs = fit(&evaluation, &options);
        assert_eq!(
            pairs.iter().map(|pair| pair.depth).collect::<Vec<_>>(),
            [3, 4, 5, 6]
        );
        let cuts = cuts(&pairs, 150);
        let shallow = |depth| cuts.at(depth).map(|cut| cut.shallow);
        assert_eq!(shallow(3), Some(1));
        assert_eq!(shallow(6), Some(2));
        assert_eq!(shallow(10), Some(6));
        // Values of neighboring depths go together.
        assert!(
            pairs.iter().all(|pair| pair.slope > 0.3 && pair.slope < 2.0),
            "{pairs:?}"
        );
    }
}
