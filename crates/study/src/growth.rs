//! How the cost of solving grows with the number of empties, as a fitted factor per empty, and as a plot.

use crate::batch::Answer;
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
        const WIDTH: f64 = 640.0;
        const HEIGHT: f64 = 400.0;
        const MARGIN: f64 = 56.0;
        let first = self.points.first().map_or(0.0, |point| f64::from(point.empties));
        let last = self.points.last().map_or(1.0, |point| f64::from(point.empties));
        let costs = || self.points.iter().map(|point| point.nodes.log10());
        let low = costs().fold(f64::INFINITY, f64::min).floor();
        let high = costs().fold(f64::NEG_INFINITY, f64::max).ceil().max(low + 1.0);
        let x = |empties: f64| MARGIN + (empties - first) / (last - first).max(1.0) * (WIDTH - 2.0 * MARGIN);
        let y = |nodes: f64| HEIGHT - MARGIN - (nodes.log10() - low) / (high - low) * (HEIGHT - 2.0 * MARGIN);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        let mut line = |text: String| {
            svg.push_str(&text);
            svg.push('\n');
        };
        for power in low as i32..=high as i32 {
            let at = y(10_f64.powi(power));
            line(format!(
                "<path d=\"M{MARGIN} {at:.1}H{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">10^{power}</text>",
                WIDTH - MARGIN,
                MARGIN - 6.0,
                at + 4.0
            ));
        }
        for point in &self.points {
            let (at, cost) = (x(f64::from(point.empties)), y(point.nodes));
            line(format!(
                "<circle cx=\"{at:.1}\" cy=\"{cost:.1}\" r=\"4\" fill=\"#1565c0\"/><text x=\"{at:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{}</text>",
                HEIGHT - MARGIN + 18.0,
                point.empties
            ));
        }
        line(format!(
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#c62828\" fill=\"none\"/>",
            x(first),
            y(self.nodes.at(first)),
            x(last),
            y(self.nodes.at(last))
        ));
        line(format!(
            "<text x=\"{}\" y=\"24\" text-anchor=\"middle\">Nodes to solve a position: factor {:.2} per empty \
             (time {:.2})</text>",
            WIDTH / 2.0,
            self.nodes.factor,
            self.seconds.factor
        ));
        line(format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">empty squares</text>",
            WIDTH / 2.0,
            HEIGHT - 14.0
        ));
        svg.push_str("</svg>\n");
        svg
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
