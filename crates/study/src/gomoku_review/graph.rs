//! The course of a game of Gomoku as a graph: black's chance to win, for the terminal and as SVG.

use super::{Review, ReviewedMove};
use crate::review::graph::{Curve, Dot, plot_within, symbol};
use outflank_gomoku::Color;

/// The chance in percent that is the middle of a graph.
const EVEN: f64 = 50.0;

/// Returns what a graph shows: how far black's chance is from even.
fn values(review: &Review) -> Vec<f64> {
    review.chances.iter().map(|chance| chance - EVEN).collect()
}

/// Draws black's chance after each move with characters: a dot per position, a question mark where a mistake or a blunder
/// led; `width` columns at most and `height` rows.
pub fn text_graph(review: &Review, width: usize, height: usize) -> String {
    let symbol = |at: usize| symbol(at.checked_sub(1).map(|mv| review.moves[mv].mark()));
    let values: Vec<Option<f64>> = values(review).into_iter().map(Some).collect();
    let labels = ["100", "50", "0"].map(str::to_owned);
    plot_within(EVEN, &labels, &values, symbol, (width, height))
}

/// Draws the graph as SVG: black's chance in percent, shapes (not only colors) for the marks, a title and labels.
pub fn svg(review: &Review, title: &str) -> String {
    let dot = |reviewed: &ReviewedMove| {
        let black = reviewed.color == Color::Black;
        Dot::new(
            reviewed.number,
            black,
            reviewed.mv,
            reviewed.mark(),
            reviewed.loss(),
        )
    };
    Curve {
        title,
        values: &values(review),
        limit: EVEN,
        step: EVEN / 2.0,
        label: &|value| format!("{:.0}", value + EVEN),
        dots: review.moves.iter().map(dot).collect(),
        legend: "black's chance to win in percent, after each move; ○ ?! □ ? △ ??, filled with the color that moved",
    }
    .draw()
}
