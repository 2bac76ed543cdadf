//! How the cost of solving grows with the number of empties, as a fitted factor per empty, and as a plot.

use crate::batch::Answer;
use outflank_draw::{Plot, Scale, Series, Shape};
use std::collections::BTreeMap;

/// The mean cost of positions with the same number of empties.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Empty squares.
    pub empties: u32,
    /// Positions averaged.
    pub positions: usize,
    /// Geometric mean of the nodes.
    pub nodes: f64,
    /// Geometric mean of the times, in seconds.
    pub seconds: f64,
}

/// An exponential law: `at_zero * factor^empties`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// The cost at no empties, in the cost's unit.
    pub at_zero: f64,
    /// By how much one more empty multiplies the cost.
    pub factor: f64,
}

impl Law {
    /// Returns the law that fits the logarithms best by least squares; `None` for less than two places.
    fn fit(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let mean = |f: &dyn Fn((f64, f64)) -> f64| points.iter().copied().map(f).sum::<f64>() / count;
        let (x, y) = (mean(&|(x, _)| x), mean(&|(_, y)| y.ln()));
        let variance = mean(&|(a, _)| (a - x).powi(2));
        let slope = mean(&|(a, b)| (a - x) * (b.ln() - y)) / variance;
        (variance > 0.0 && slope.is_finite()).then(|| Self {
            at_zero: (y - slope * x).exp(),
            factor: slope.exp(),
        })
    }

    fn at(&self, empties: f64) -> f64 {
        self.at_zero * self.factor.powf(empties)
    }
}

/// The growth of nodes and of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// By empties, ascending.
    pub points: Vec<Point>,
    /// Nodes.
    pub nodes: Law,
    /// Seconds.
    pub seconds: Law,
}

impl Growth {
    /// Returns the growth in exact answers; `None` if they have less than two different numbers of empties.
    pub fn fit(answers: &[Answer]) -> Option<Self> {
        let mut groups: BTreeMap<u32, Vec<(f64, f64)>> = BTreeMap::new();
        for answer in answers.iter().filter(|answer| answer.kind == "exact") {
            let seconds = answer.seconds.unwrap_or(0.0).max(1e-6);
            let group = groups.entry(answer.empties).or_default();
            group.push(((answer.nodes.max(1) as f64).ln(), seconds.ln()));
        }
        let points: Vec<Point> = groups
            .into_iter()
            .map(|(empties, group)| {
                let count = group.len() as f64;
                Point {
                    empties,
                    positions: group.len(),
                    nodes: (group.iter().map(|pair| pair.0).sum::<f64>() / count).exp(),
                    seconds: (group.iter().map(|pair| pair.1).sum::<f64>() / count).exp(),
                }
            })
            .collect();
        let costs = |cost: fn(&Point) -> f64| -> Vec<(f64, f64)> {
            let pairs = points.iter().map(|point| (f64::from(point.empties), cost(point)));
            pairs.collect()
        };
        Some(Self {
            nodes: Law::fit(&costs(|point| point.nodes))?,
            seconds: Law::fit(&costs(|point| point.seconds))?,
            points,
        })
    }

    /// Draws the nodes and their law, on a logarithmic scale, as an SVG image.
    pub fn to_svg(&self) -> String {
        let measured = self.points.iter().map(|point| {
            let nodes = point.nodes;
            [f64::from(point.empties), nodes, nodes, nodes]
        });
        let ends = [self.points.first(), self.points.last()].into_iter().flatten();
        let law = ends.map(|point| {
            let empties = f64::from(point.empties);
            (empties, self.nodes.at(empties))
        });
        Plot {
            title: format!(
                "Nodes to solve a position: factor {:.2} per empty (time {:.2})",
                self.nodes.factor, self.seconds.factor
            ),
            x_label: "empty squares".to_owned(),
            y_label: "nodes".to_owned(),
            y_scale: Scale::Log,
            series: vec![
                Series {
                    name: "measured".to_owned(),
                    points: measured.collect(),
                    shape: Shape::Intervals,
                    ..Series::default()
                },
                Series {
                    dashed: true,
                    ..Series::line("law", law)
                },
            ],
            ..Plot::default()
        }
        .to_svg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(empties: u32, nodes: u64, seconds: f64) -> Answer {
        let line = format!(
            r#"{{"id":"","board":"","side":"X","empties":{empties},"value":0,"kind":"exact","best":[],"pv":[],"nodes":{nodes},"seconds":{seconds}}}"#
        );
        Answer::from_json(&line).expect("our format")
    }

    #[test]
    fn a_known_law_is_found() {
        let answers: Vec<Answer> = (14..20)
            .flat_map(|empties| [(empties, 1.0), (empties, 4.0)])
            .map(|(empties, scale)| {
                let nodes = scale * 100.0 * 2.5_f64.powi(empties as i32);
                answer(empties, nodes as u64, nodes / 1e6)
            })
            .collect();
        let growth = Growth::fit(&answers).expect("six numbers of empties");
        assert!((growth.nodes.factor - 2.5).abs() < 1e-3, "{growth:?}");
        assert!((growth.seconds.factor - 2.5).abs() < 1e-3, "{growth:?}");
        assert_eq!(growth.points.len(), 6);
        let svg = growth.to_svg();
        assert!(svg.contains("factor 2.50 per empty") && svg.ends_with("</svg>\n"));
        assert!(Growth::fit(&answers[..2]).is_none());
    }
}
