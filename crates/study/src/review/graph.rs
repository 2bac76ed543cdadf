//! The course of a game as a graph: for the terminal, and as SVG.

use super::{Mark, Review, ReviewedMove};
use outflank_draw::{Anchor, Paint, Svg};
use outflank_othello::Color;
use std::fmt::Display;

/// Draws black's value after each move with characters: a dot per position, a question mark
/// where a mistake or a blunder led; `width` columns at most and `height` rows.
pub fn text_graph(review: &Review, width: usize, height: usize) -> String {
    let values: Vec<Option<f64>> = review.values.iter().copied().map(Some).collect();
    let symbol = |at: usize| symbol(at.checked_sub(1).map(|mv| review.moves[mv].mark()));
    plot(&values, symbol, width, height)
}

/// Draws values in discs, each at its place if it is known, with characters; `symbol` says how one looks.
pub fn plot(values: &[Option<f64>], symbol: impl Fn(usize) -> char, width: usize, height: usize) -> String {
    let limit = graph_limit(values.iter().copied().flatten());
    let labels = [format!("+{limit:.0}"), "0".to_owned(), format!("−{limit:.0}")];
    plot_within(limit, &labels, values, symbol, (width, height))
}

/// Draws values from `limit` above zero to as much below it; `labels` name the highest, the middle and the lowest row.
pub(crate) fn plot_within(
    limit: f64,
    labels: &[String; 3],
    values: &[Option<f64>],
    symbol: impl Fn(usize) -> char,
    (width, height): (usize, usize),
) -> String {
    let height = height.max(3) | 1;
    let columns = values.len().min(width.saturating_sub(5)).max(1);
    let row_of = |value: f64| {
        let share = (limit - value.clamp(-limit, limit)) / (2.0 * limit);
        (share * (height - 1) as f64).round() as usize
    };
    let mut rows = vec![vec![' '; columns]; height];
    rows[height / 2].fill('·');
    let count = values.len();
    let places = (0..columns).map(|column| {
        // Several positions share a column on a narrow terminal: the last of them is shown.
        let at = ((column + 1) * count).div_ceil(columns).saturating_sub(1);
        (at, values.get(at).copied().flatten())
    });
    for (column, (at, value)) in places.enumerate() {
        if let Some(value) = value {
            rows[row_of(value)][column] = symbol(at);
        }
    }
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let label = match index {
            0 => &labels[0],
            _ if index == height / 2 => &labels[1],
            _ if index == height - 1 => &labels[2],
            _ => "",
        };
        let line: String = row.iter().collect();
        text.push_str(format!("{label:>4} {line}").trim_end());
        text.push('\n');
    }
    text
}

/// Returns the greatest value that a graph of these shows: a multiple of 8 discs, 64 at most.
pub fn graph_limit(values: impl IntoIterator<Item = f64>) -> f64 {
    let greatest = values
        .into_iter()
        .fold(0f64, |greatest, value| greatest.max(value.abs()));
    ((greatest / 8.0).ceil() * 8.0).clamp(8.0, 64.0)
}

/// Draws the graph as SVG: black's value, shapes (not only colors) for the marks, a title and labels.
pub fn svg(review: &Review, title: &str) -> String {
    let limit = graph_limit(review.values.iter().copied());
    let step = if limit > 32.0 {
        16.0
    } else if limit > 16.0 {
        8.0
    } else {
        4.0
    };
    let dot = |reviewed: &ReviewedMove| {
        let black = reviewed.color == Color::Black;
        Dot::new(
            reviewed.number,
            black,
            reviewed.mv,
            reviewed.mark(),
            reviewed.loss,
        )
    };
    Curve {
        title,
        values: &review.values,
        limit,
        step,
        label: &|value| {
            if value.abs() < 0.5 {
                "0".to_owned()
            } else {
                format!("{value:+.0}")
            }
        },
        dots: review.moves.iter().map(dot).collect(),
        legend: "value for black in discs, after each move; ○ ?! □ ? △ ??, filled with the color that moved",
    }
    .draw()
}

/// The mark of a move that lost something.
pub(crate) struct Dot {
    /// Number of the position after the move.
    pub(crate) at: usize,
    /// Whether black made it.
    pub(crate) black: bool,
    /// The mark.
    pub(crate) mark: Mark,
    /// Which move it was and what it lost.
    pub(crate) tip: String,
}

impl Dot {
    /// Returns the dot of move number `at`.
    pub(crate) fn new(at: usize, black: bool, mv: impl Display, mark: Mark, loss: f64) -> Self {
        Self {
            at,
            black,
            mark,
            tip: format!("{at}. {mv}{} −{loss:.1}", mark.symbol()),
        }
    }
}

/// Returns the character of a position in a graph, by the mark of the move that led to it.
pub(crate) const fn symbol(mark: Option<Mark>) -> char {
    match mark {
        Some(Mark::Blunder | Mark::Mistake) => '?',
        _ => '•',
    }
}

/// The course of a game, to be drawn.
pub(crate) struct Curve<'a> {
    /// What the picture is called.
    pub(crate) title: &'a str,
    /// The values, the start first; zero is the middle of the picture.
    pub(crate) values: &'a [f64],
    /// The greatest value that is shown.
    pub(crate) limit: f64,
    /// Between two lines of the grid.
    pub(crate) step: f64,
    /// Names a line of the grid.
    pub(crate) label: &'a dyn Fn(f64) -> String,
    /// The moves, those without a mark among them.
    pub(crate) dots: Vec<Dot>,
    /// Says what is shown.
    pub(crate) legend: &'a str,
}

impl Curve<'_> {
    /// Draws it as SVG.
    pub(crate) fn draw(&self) -> String {
        const WIDTH: f64 = 720.0;
        const HEIGHT: f64 = 320.0;
        let (left, right, top, bottom) = (48.0, 12.0, 36.0, 36.0);
        let Self {
            values, limit, step, ..
        } = *self;
        let steps = (values.len().max(2) - 1) as f64;
        let x = |at: usize| left + (WIDTH - left - right) * at as f64 / steps;
        let y =
            |value: f64| top + (HEIGHT - top - bottom) * (limit - value.clamp(-limit, limit)) / (2.0 * limit);
        let mut svg = Svg::new(WIDTH, HEIGHT, self.title);
        // Multiples of the step, so that zero is one of them.
        let mut value = -(limit / step).floor() * step;
        while value <= limit {
            let paint = if value.abs() < 0.5 {
                Paint::line("#404040", 1.5)
            } else {
                Paint::line("#d0d0d0", 1.0)
            };
            svg.line([[left, y(value)], [WIDTH - right, y(value)]], paint);
            svg.text([left - 6.0, y(value) + 4.0], Anchor::End, &(self.label)(value));
            value += step;
        }
        for at in (0..values.len()).step_by(10) {
            svg.text([x(at), HEIGHT - bottom + 18.0], Anchor::Middle, &at.to_string());
        }
        let points = values.iter().enumerate();
        svg.line(
            points.map(|(at, &value)| [x(at), y(value)]),
            Paint::line("#0060a0", 2.0),
        );
        for dot in &self.dots {
            if let Some(&value) = values.get(dot.at) {
                dot.draw(&mut svg, [x(dot.at), y(value)]);
            }
        }
        svg.text([WIDTH - right, HEIGHT - 4.0], Anchor::End, self.legend);
        svg.finish()
    }
}

impl Dot {
    /// Draws the mark with a tip.
    fn draw(&self, svg: &mut Svg, [x, y]: [f64; 2]) {
        let who = Paint::fill(if self.black { "black" } else { "white" });
        match self.mark {
            Mark::Good => {}
            Mark::Dubious => svg.with_tip(&self.tip, |svg| {
                svg.circle([x, y], 3.5, who.edged("#c07000", 1.0));
            }),
            Mark::Mistake => svg.with_tip(&self.tip, |svg| {
                svg.rectangle([x - 4.0, y - 4.0], [8.0, 8.0], who.edged("#c00000", 1.0));
            }),
            Mark::Blunder => svg.with_tip(&self.tip, |svg| {
                let corners = [[x, y - 7.0], [x + 6.0, y + 4.0], [x - 6.0, y + 4.0]];
                svg.polygon(corners, who.edged("#c00000", 2.0));
            }),
        }
    }
}
