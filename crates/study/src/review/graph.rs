//! The course of a game as a graph: for the terminal, and as SVG.

use super::{Mark, Review, ReviewedMove};
use outflank_draw::{Anchor, Paint, Svg};
use outflank_othello::Color;

/// Draws black's value after each move with characters: a dot per position, a question mark
/// where a mistake or a blunder led; `width` columns at most and `height` rows.
pub fn text_graph(review: &Review, width: usize, height: usize) -> String {
    let values: Vec<Option<f64>> = review.values.iter().copied().map(Some).collect();
    let symbol = |at: usize| match at.checked_sub(1).map(|mv| review.moves[mv].mark()) {
        Some(Mark::Blunder | Mark::Mistake) => '?',
        _ => '•',
    };
    plot(&values, symbol, width, height)
}

/// Draws values in discs, each at its place if it is known, with characters; `symbol` says how one looks.
pub fn plot(values: &[Option<f64>], symbol: impl Fn(usize) -> char, width: usize, height: usize) -> String {
    let height = height.max(3) | 1;
    let columns = values.len().min(width.saturating_sub(5)).max(1);
    let limit = graph_limit(values.iter().copied().flatten());
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
            0 => format!("+{limit:.0}"),
            _ if index == height / 2 => "0".to_owned(),
            _ if index == height - 1 => format!("−{limit:.0}"),
            _ => String::new(),
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
    const WIDTH: f64 = 720.0;
    const HEIGHT: f64 = 320.0;
    let (left, right, top, bottom) = (48.0, 12.0, 36.0, 36.0);
    let limit = graph_limit(review.values.iter().copied());
    let steps = (review.values.len().max(2) - 1) as f64;
    let x = |at: usize| left + (WIDTH - left - right) * at as f64 / steps;
    let y = |value: f64| top + (HEIGHT - top - bottom) * (limit - value.clamp(-limit, limit)) / (2.0 * limit);
    let mut svg = Svg::new(WIDTH, HEIGHT, title);
    let step = if limit > 32.0 {
        16.0
    } else if limit > 16.0 {
        8.0
    } else {
        4.0
    };
    // Multiples of the step, so that zero is one of them.
    let mut value = -(limit / step).floor() * step;
    while value <= limit {
        let (paint, text) = if value.abs() < 0.5 {
            (Paint::line("#404040", 1.5), "0".to_owned())
        } else {
            (Paint::line("#d0d0d0", 1.0), format!("{value:+.0}"))
        };
        svg.line([[left, y(value)], [WIDTH - right, y(value)]], paint);
        svg.text([left - 6.0, y(value) + 4.0], Anchor::End, &text);
        value += step;
    }
    for at in (0..review.values.len()).step_by(10) {
        svg.text([x(at), HEIGHT - bottom + 18.0], Anchor::Middle, &at.to_string());
    }
    let points = review.values.iter().enumerate();
    svg.line(
        points.map(|(at, &value)| [x(at), y(value)]),
        Paint::line("#0060a0", 2.0),
    );
    for (at, reviewed) in review.moves.iter().enumerate() {
        mark(&mut svg, reviewed, [x(at + 1), y(review.values[at + 1])]);
    }
    svg.text(
        [WIDTH - right, HEIGHT - 4.0],
        Anchor::End,
        "value for black in discs, after each move; ○ ?! □ ? △ ??, filled with the color that moved",
    );
    svg.finish()
}

/// Draws the mark of a move that lost something, with a tip that says which and how much.
fn mark(svg: &mut Svg, reviewed: &ReviewedMove, [x, y]: [f64; 2]) {
    let who = Paint::fill(if reviewed.color == Color::Black {
        "black"
    } else {
        "white"
    });
    let symbol = reviewed.mark().symbol();
    let tip = format!(
        "{}. {}{symbol} −{:.1}",
        reviewed.number, reviewed.mv, reviewed.loss
    );
    match reviewed.mark() {
        Mark::Good => {}
        Mark::Dubious => svg.with_tip(&tip, |svg| svg.circle([x, y], 3.5, who.edged("#c07000", 1.0))),
        Mark::Mistake => svg.with_tip(&tip, |svg| {
            svg.rectangle([x - 4.0, y - 4.0], [8.0, 8.0], who.edged("#c00000", 1.0));
        }),
        Mark::Blunder => svg.with_tip(&tip, |svg| {
            let corners = [[x, y - 7.0], [x + 6.0, y + 4.0], [x - 6.0, y + 4.0]];
            svg.polygon(corners, who.edged("#c00000", 2.0));
        }),
    }
}
