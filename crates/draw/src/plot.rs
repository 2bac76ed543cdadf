//! Charts: curves over a numeric axis, or one row per category.

use crate::{
    axis::{Axis, Scale, short},
    svg::{Anchor, Paint, Svg},
};

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Points, joined by a line unless the axis has categories.
    #[default]
    Line,
    /// Points with intervals.
    Intervals,
    /// Bars from zero; with categories and one series only.
    Bars,
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
    /// Whether its line is dashed.
    pub dashed: bool,
    /// Number of its color; left out, every series has the next one.
    pub color: Option<usize>,
}

impl Series {
    /// Returns a line through points.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self {
            name: name.into(),
            points: points.into_iter().map(|(x, y)| [x, y, y, y]).collect(),
            ..Self::default()
        }
    }
}

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Title above it.
    pub title: String,
    /// Label of the x axis; unused with categories.
    pub x_label: String,
    /// Label of the y axis.
    pub y_label: String,
    /// Names of x = 0, 1, 2, … in place of numbers: each is a row, and y runs to the right. Empty for a numeric axis.
    pub categories: Vec<String>,
    /// The x axis.
    pub x_scale: Scale,
    /// The y axis.
    pub y_scale: Scale,
    /// What is drawn.
    pub series: Vec<Series>,
}

const WIDTH: f64 = 760.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 52.0;
/// Height of the frame of curves.
const CURVES: f64 = 300.0;
/// Height of a category's row.
const ROW: f64 = 24.0;
/// Width of a letter of the text, on average.
const LETTER: f64 = 6.9;
/// Most different x values that are all written at the axis.
const MAX_VALUES: usize = 10;
/// The lines of the frame.
const EDGE: Paint<'_> = Paint::line("black", 1.0);
/// Colors that people with color-blind eyes can tell apart (Okabe and Ito).
const COLORS: [&str; 8] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999",
];

/// The rectangle between the axes.
struct Frame {
    left: f64,
    right: f64,
    bottom: f64,
}

impl Frame {
    fn x(&self, share: f64) -> f64 {
        self.left + share * (self.right - self.left)
    }

    fn y(&self, share: f64) -> f64 {
        self.bottom - share * (self.bottom - TOP)
    }
}

/// Color and dashes of a series.
#[derive(Clone, Copy)]
struct Style {
    color: &'static str,
    dashed: bool,
}

impl Style {
    fn line(self, width: f64) -> Paint<'static> {
        Paint::line(self.color, width).dashed(self.dashed)
    }
}

/// Returns the width of the longest of these texts.
fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> f64 {
    texts.map(|text| text.chars().count()).max().unwrap_or(0) as f64 * LETTER
}

impl Plot {
    /// Returns the chart as an SVG file.
    pub fn to_svg(&self) -> String {
        if self.categories.is_empty() {
            self.curves()
        } else {
            self.rows()
        }
    }

    /// Space for the legend, if there is more than one series.
    fn legend_width(&self) -> f64 {
        if self.series.len() < 2 {
            return 20.0;
        }
        widest(self.series.iter().map(|series| series.name.as_str())) + 50.0
    }

    /// Returns the style of each series. Series with the same points share one, since one would hide the other.
    fn styles(&self) -> Vec<Style> {
        let mut styles: Vec<Style> = Vec::new();
        let mut n_used = 0;
        for (i, series) in self.series.iter().enumerate() {
            let twin = self.series[..i]
                .iter()
                .position(|other| other.points == series.points && series.color.is_none());
            let style = twin.map_or_else(
                || {
                    let number = series.color.unwrap_or(n_used);
                    n_used += 1;
                    Style {
                        color: COLORS[number % COLORS.len()],
                        dashed: series.dashed || number >= COLORS.len(),
                    }
                },
                |twin| styles[twin],
            );
            styles.push(style);
        }
        styles
    }

    /// Draws the legend to the right of the frame, in the given order.
    fn legend(&self, svg: &mut Svg, frame: &Frame, styles: &[Style], order: &[usize]) {
        if self.series.len() < 2 {
            return;
        }
        for (place, &i) in order.iter().enumerate() {
            let (at, x) = (TOP + 10.0 + 18.0 * place as f64, frame.right + 12.0);
            svg.line([[x, at - 4.0], [x + 22.0, at - 4.0]], styles[i].line(3.0));
            svg.text([x + 28.0, at], Anchor::Start, &self.series[i].name);
        }
    }

    /// Draws series over a numeric axis.
    fn curves(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x_axis = Axis::new(self.x_scale, points().map(|point| point[0]));
        let y_values = points().flat_map(|point| [point[1], point[2], point[3]]);
        let y_axis = Axis::new(self.y_scale, y_values);
        let frame = Frame {
            left: 76.0,
            right: WIDTH - self.legend_width(),
            bottom: TOP + CURVES,
        };
        let Frame { left, right, bottom } = frame;
        let mut svg = Svg::new(WIDTH, bottom + BOTTOM, &self.title);
        for (value, text) in y_axis.ticks() {
            let at = frame.y(y_axis.at(value));
            svg.line([[left, at], [right, at]], guide(value));
            svg.text([left - 6.0, at + 4.0], Anchor::End, &text);
        }
        let mut values: Vec<f64> = points().map(|point| point[0]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let ticks = if values.len() <= MAX_VALUES {
            values.into_iter().map(|value| (value, short(value))).collect()
        } else {
            x_axis.ticks()
        };
        for (value, text) in ticks {
            let at = frame.x(x_axis.at(value));
            svg.line([[at, bottom], [at, bottom + 4.0]], EDGE);
            svg.text([at, bottom + 18.0], Anchor::Middle, &text);
        }
        svg.line([[left, TOP], [left, bottom], [right, bottom]], EDGE);
        svg.text(
            [f64::midpoint(left, right), bottom + 40.0],
            Anchor::Middle,
            &self.x_label,
        );
        svg.upward_text([20.0, f64::midpoint(TOP, bottom)], &self.y_label);
        let styles = self.styles();
        let place = |point: &[f64; 4]| {
            let y = |value: f64| frame.y(y_axis.at(value));
            [
                frame.x(x_axis.at(point[0])),
                y(point[1]),
                y(point[2]),
                y(point[3]),
            ]
        };
        for (series, style) in self.series.iter().zip(&styles) {
            let placed: Vec<_> = series.points.iter().map(place).collect();
            if series.shape == Shape::Line && placed.len() > 1 {
                svg.line(placed.iter().map(|&[x, y, ..]| [x, y]), style.line(2.0));
            }
            for [x, y, low, high] in placed {
                mark(&mut svg, *style, [x, y], [[x, low], [x, high]]);
            }
        }
        // From the highest curve's end to the lowest, so that the legend reads like the picture.
        let end = |i: &usize| {
            self.series[*i]
                .points
                .last()
                .map_or(f64::NEG_INFINITY, |point| point[1])
        };
        let mut order: Vec<_> = (0..self.series.len()).collect();
        order.sort_by(|a, b| end(b).total_cmp(&end(a)));
        self.legend(&mut svg, &frame, &styles, &order);
        svg.finish()
    }

    /// Draws one row per category.
    fn rows(&self) -> String {
        let values = self.series.iter().flat_map(|series| &series.points);
        let has_bars = self.series.iter().any(|series| series.shape == Shape::Bars);
        let values = values.flat_map(|point| [point[1], point[2], point[3]]);
        let axis = Axis::new(self.y_scale, values.chain(has_bars.then_some(0.0)));
        let single = self.series.len() == 1;
        let frame = Frame {
            left: widest(self.categories.iter().map(String::as_str)) + 28.0,
            right: WIDTH - if single { 70.0 } else { self.legend_width() },
            bottom: TOP + ROW * self.categories.len() as f64,
        };
        let Frame { left, right, bottom } = frame;
        let mut svg = Svg::new(WIDTH, bottom + BOTTOM, &self.title);
        for (value, text) in axis.ticks() {
            let at = frame.x(axis.at(value));
            svg.line([[at, TOP], [at, bottom]], guide(value));
            svg.text([at, bottom + 18.0], Anchor::Middle, &text);
        }
        let row = |number: f64| TOP + ROW * (number + 0.5);
        for (i, name) in self.categories.iter().enumerate() {
            let at = row(i as f64);
            svg.line([[left, at], [right, at]], Paint::line("#eee", 1.0));
            svg.text([left - 8.0, at + 4.0], Anchor::End, name);
        }
        svg.line([[left, TOP], [left, bottom], [right, bottom]], EDGE);
        svg.text(
            [f64::midpoint(left, right), bottom + 40.0],
            Anchor::Middle,
            &self.y_label,
        );
        let styles = self.styles();
        let n = self.series.len() as f64;
        for (i, (series, style)) in self.series.iter().zip(&styles).enumerate() {
            // Several series lie beside each other within the row.
            let shift = (i as f64 - (n - 1.0) / 2.0) * (ROW - 8.0) / n;
            let x = |value: f64| frame.x(axis.at(value));
            for &[number, value, low, high] in &series.points {
                let at = row(number) + if single { 0.0 } else { shift };
                if series.shape == Shape::Bars {
                    let (from, to) = (x(0.0).min(x(value)), x(0.0).max(x(value)));
                    svg.rectangle([from, at - 7.0], [to - from, 14.0], Paint::fill(style.color));
                } else {
                    mark(&mut svg, *style, [x(value), at], [[x(low), at], [x(high), at]]);
                }
                if single {
                    let text = short(if value.abs() < 10.0 { value } else { value.round() });
                    svg.text([WIDTH - 16.0, at + 4.0], Anchor::End, &text);
                }
            }
        }
        let order: Vec<_> = (0..self.series.len()).collect();
        self.legend(&mut svg, &frame, &styles, &order);
        svg.finish()
    }
}

/// Returns the guide line at a value: zero stands out.
fn guide(value: f64) -> Paint<'static> {
    Paint::line(if value == 0.0 { "#999" } else { "#ddd" }, 1.0)
}

/// Draws a point and its interval, if it has one.
fn mark(svg: &mut Svg, style: Style, point: [f64; 2], interval: [[f64; 2]; 2]) {
    let [[x1, y1], [x2, y2]] = interval;
    if (x1, y1) != (x2, y2) {
        svg.line(interval, Paint::line(style.color, 2.0).faint(0.6));
    }
    svg.circle(point, 3.5, Paint::fill(style.color));
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
                        ..Series::default()
                    },
                ],
                ..Plot::default()
            };
            let svg = plot.to_svg();
            assert_eq!(svg.matches("<circle").count(), 4);
            assert!(svg.contains("a &lt; b &amp; c") && !svg.contains("NaN") && !svg.contains("inf"));
            for part in svg.split("cx=\"").skip(1) {
                let at: f64 = part.split('"').next().unwrap().parse().unwrap();
                assert!((76.0..=WIDTH - plot.legend_width()).contains(&at));
            }
        }
    }

    #[test]
    fn rows_hold_their_names_and_equal_series_share_a_color() {
        let plot = Plot {
            categories: vec!["a short name".to_owned(), "a very much longer name".to_owned()],
            series: vec![
                Series::line("one", [(0.0, -5.0), (1.0, 7.0)]),
                Series::line("two", [(0.0, -5.0), (1.0, 7.0)]),
                Series::line("three", [(0.0, 1.0)]),
            ],
            ..Plot::default()
        };
        let svg = plot.to_svg();
        let styles = plot.styles();
        assert_eq!(styles[0].color, styles[1].color);
        assert_ne!(styles[0].color, styles[2].color);
        assert_eq!(svg.matches("<circle").count(), 5);
        assert!(svg.contains("#999") && svg.contains("a very much longer name"));
        let end: f64 = 23.0 * LETTER;
        let name_at = svg
            .split("<text x=\"")
            .find(|part| part.contains("much longer"))
            .unwrap();
        let at: f64 = name_at.split('"').next().unwrap().parse().unwrap();
        assert!(at > end, "the name ends at {at} and needs {end}");
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

    #[test]
    fn bars_run_from_zero_to_their_value() {
        let plot = Plot {
            categories: vec!["up".to_owned(), "down".to_owned()],
            series: vec![Series {
                shape: Shape::Bars,
                ..Series::line("s", [(0.0, 6.0), (1.0, -3.0)])
            }],
            ..Plot::default()
        };
        let svg = plot.to_svg();
        let bars: Vec<[f64; 2]> = svg
            .lines()
            .filter(|line| line.starts_with("<rect x="))
            .map(|line| {
                let number = |name: &str| -> f64 {
                    let rest = line.split(&format!(" {name}=\"")).nth(1).unwrap();
                    rest.split('"').next().unwrap().parse().unwrap()
                };
                [number("x"), number("width")]
            })
            .collect();
        let [[zero, up], [left, down]] = bars[..] else {
            panic!("two bars: {bars:?}")
        };
        assert!((left + down - zero).abs() < 0.11, "{bars:?}");
        assert!((up - 2.0 * down).abs() < 0.31, "{bars:?}");
    }
}
