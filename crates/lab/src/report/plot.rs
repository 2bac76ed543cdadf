//! Line and bar charts as SVG, drawn without any library: axes, ticks, series with labels, intervals.

use std::fmt::Write as _;

/// How an axis runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// By powers of ten; values must be positive.
    Log,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Points joined by a line.
    #[default]
    Line,
    /// Points with vertical intervals.
    Intervals,
}

/// A named series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Points: x, y, and the ends of an interval around y (equal to y where there is none).
    pub points: Vec<[f64; 4]>,
    /// How it is drawn.
    pub shape: Shape,
}

impl Series {
    /// Returns a line through points.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self {
            name: name.into(),
            points: points.into_iter().map(|(x, y)| [x, y, y, y]).collect(),
            shape: Shape::Line,
        }
    }
}

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Title above it.
    pub title: String,
    /// Label of the horizontal axis.
    pub x_label: String,
    /// Label of the vertical axis.
    pub y_label: String,
    /// Names of x = 0, 1, 2, … in place of numbers; empty for a numeric axis.
    pub categories: Vec<String>,
    /// Horizontal axis.
    pub x_scale: Scale,
    /// Vertical axis.
    pub y_scale: Scale,
    /// What is drawn.
    pub series: Vec<Series>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 210.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 100.0;
/// Colours that people with colour-blind eyes can tell apart (Okabe and Ito).
const COLORS: [&str; 8] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999",
];

/// One axis: maps values to 0..1.
struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Axis {
    fn new(scale: Scale, values: impl Iterator<Item = f64>) -> Self {
        let map = |value: f64| {
            if scale == Scale::Log {
                value.max(1e-9).log10()
            } else {
                value
            }
        };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()).map(map) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let room = ((high - low) * 0.05).max(if high - low < 1e-9 { 0.5 } else { 0.0 });
        Self {
            scale,
            low: low - room,
            high: high + room,
        }
    }

    fn at(&self, value: f64) -> f64 {
        let value = if self.scale == Scale::Log {
            value.max(1e-9).log10()
        } else {
            value
        };
        (value - self.low) / (self.high - self.low)
    }

    /// Returns round values within the axis, with their texts.
    fn ticks(&self) -> Vec<(f64, String)> {
        let span = self.high - self.low;
        if self.scale == Scale::Log && span > 1.0 {
            let step = (span / 6.0).ceil().max(1.0) as usize;
            let powers = (self.low.ceil() as i32..=self.high.floor() as i32).step_by(step);
            return powers
                .map(|power| (10_f64.powi(power), short(10_f64.powi(power))))
                .collect();
        }
        let (low, high) = match self.scale {
            Scale::Linear => (self.low, self.high),
            Scale::Log => (10_f64.powf(self.low), 10_f64.powf(self.high)),
        };
        let rough = ((high - low) / 5.0).max(f64::MIN_POSITIVE);
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|m| m * power)
            .into_iter()
            .find(|&step| step >= rough)
            .unwrap_or(rough);
        let first = (low / step).ceil() as i64;
        (first..first + 12)
            .map(|i| i as f64 * step)
            .take_while(|&value| value <= high + 1e-12)
            .map(|value| (value, short(value)))
            .collect()
    }
}

/// Returns a number in few characters: `0.25`, `12`, `3k`, `2M`.
fn short(value: f64) -> String {
    let trimmed = |value: f64| {
        let text = format!("{value:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match value.abs() {
        v if v >= 1e9 => format!("{}G", trimmed(value / 1e9)),
        v if v >= 1e6 => format!("{}M", trimmed(value / 1e6)),
        v if v >= 1e4 => format!("{}k", trimmed(value / 1e3)),
        v if !(1e-12..0.01).contains(&v) => trimmed(value),
        _ => format!("{value:.0e}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

impl Plot {
    /// Returns the chart as an SVG file.
    pub fn to_svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x_axis = if self.categories.is_empty() {
            Axis::new(self.x_scale, points().map(|point| point[0]))
        } else {
            Axis {
                scale: Scale::Linear,
                low: -0.5,
                high: self.categories.len() as f64 - 0.5,
            }
        };
        let y_axis = Axis::new(
            self.y_scale,
            points().flat_map(|point| [point[1], point[2], point[3]]),
        );
        let x = |value: f64| LEFT + x_axis.at(value) * (WIDTH - LEFT - RIGHT);
        let y = |value: f64| HEIGHT - BOTTOM - y_axis.at(value) * (HEIGHT - TOP - BOTTOM);
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{}</text>\n",
            escaped(&self.title)
        );
        // Writing to a string cannot fail; its results are dropped all through.
        for (value, text) in y_axis.ticks() {
            let at = y(value);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#ddd\"/><text x=\"{}\" \
                 y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                LEFT - 6.0,
                at + 4.0
            );
        }
        if self.categories.is_empty() {
            for (value, text) in x_axis.ticks() {
                let at = x(value);
                let _ = writeln!(
                    svg,
                    "<line x1=\"{at:.1}\" y1=\"{bottom}\" x2=\"{at:.1}\" y2=\"{}\" stroke=\"black\"/><text \
                     x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
                    bottom + 4.0,
                    bottom + 18.0
                );
            }
        }
        for (i, name) in self.categories.iter().enumerate() {
            let (at, below) = (x(i as f64), bottom + 14.0);
            let _ = writeln!(
                svg,
                "<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"end\" transform=\"rotate(-30 {at:.1} {below})\">{}</text>",
                escaped(name)
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>\n<text x=\"{:.1}\" y=\"{}\" \
             text-anchor=\"middle\">{}</text>\n<text x=\"18\" y=\"{:.1}\" text-anchor=\"middle\" \
             transform=\"rotate(-90 18 {:.1})\">{}</text>",
            f64::midpoint(LEFT, right),
            HEIGHT - 12.0,
            escaped(&self.x_label),
            f64::midpoint(TOP, bottom),
            f64::midpoint(TOP, bottom),
            escaped(&self.y_label)
        );
        for (i, series) in self.series.iter().enumerate() {
            let color = COLORS[i % COLORS.len()];
            draw_series(&mut svg, series, color, &x, &y);
            let at = TOP + 10.0 + 18.0 * i as f64;
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{:.1}\" width=\"12\" height=\"4\" fill=\"{color}\"/><text x=\"{}\" y=\"{at:.1}\" \
                 font-size=\"11\">{}</text>",
                right + 12.0,
                at - 6.0,
                right + 30.0,
                escaped(&series.name)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn draw_series(
    svg: &mut String,
    series: &Series,
    color: &str,
    x: &dyn Fn(f64) -> f64,
    y: &dyn Fn(f64) -> f64,
) {
    if series.shape == Shape::Line && series.points.len() > 1 {
        let path: Vec<_> = series
            .points
            .iter()
            .map(|point| format!("{:.1},{:.1}", x(point[0]), y(point[1])))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            path.join(" ")
        );
    }
    for &[at, value, low, high] in &series.points {
        let (cx, cy) = (x(at), y(value));
        if low < high {
            let (from, to) = (y(low), y(high));
            let _ = writeln!(
                svg,
                "<line x1=\"{cx:.1}\" y1=\"{from:.1}\" x2=\"{cx:.1}\" y2=\"{to:.1}\" stroke=\"{color}\"/>"
            );
        }
        let _ = writeln!(
            svg,
            "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3.5\" fill=\"{color}\"/>"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_hold_every_point_inside_the_frame() {
        for (x_scale, y_scale) in [(Scale::Linear, Scale::Log), (Scale::Log, Scale::Linear)] {
            let plot = Plot {
                title: "a < b & c".to_owned(),
                x_scale,
                y_scale,
                series: vec![
                    Series::line("one", [(1.0, 10.0), (2.0, 1e6), (300.0, 0.5)]),
                    Series {
                        name: "two".to_owned(),
                        points: vec![[5.0, 7.0, 6.0, 9.0]],
                        shape: Shape::Intervals,
                    },
                ],
                ..Plot::default()
            };
            let svg = plot.to_svg();
            assert_eq!(svg.matches("<circle").count(), 4);
            assert!(svg.contains("a &lt; b &amp; c") && !svg.contains("NaN") && !svg.contains("inf"));
            for part in svg.split("cx=\"").skip(1) {
                let at: f64 = part.split('"').next().unwrap().parse().unwrap();
                assert!((LEFT..=WIDTH - RIGHT).contains(&at));
            }
        }
    }

    #[test]
    fn empty_and_single_valued_charts_are_drawn() {
        assert!(Plot::default().to_svg().ends_with("</svg>\n"));
        let one = Plot {
            categories: vec!["only".to_owned()],
            series: vec![Series::line("s", [(0.0, 5.0)])],
            ..Plot::default()
        };
        assert!(one.to_svg().contains("only") && !one.to_svg().contains("NaN"));
        assert_eq!(
            [0.25, 12.0, 30_000.0, 2.5e6, 0.0].map(short),
            ["0.25", "12", "30k", "2.5M", "0"]
        );
    }
}
