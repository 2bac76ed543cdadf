//! The review of whole games against searches of each position.

use super::*;
use outflank_search::Level;
use outflank_search::{Clock, ManualClock, StopToken};
use std::{num::NonZeroUsize, sync::Arc};

fn game(moves: &str) -> Game {
    let mut game = Game::new();
    for at in (0..moves.len()).step_by(2) {
        game.place(moves[at..at + 2].parse().expect("a square"))
            .expect("legal");
    }
    game
}

/// The "Reversi Wars" list (report 5 of docs/play.md): 60 discs, 4 implied passes of black, 13–51.
const GAME: &str = "f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6f7g3e1c5c6h4g4d2h6f8h5h7h3h2c1d1a4a6a5f1a7d7c7b6g1b3e8d8g2b7b8a8c8g8g7h8a2a3h1a1b2c2b1";

fn reviewed(workers: usize) -> Review {
    let options = ReviewOptions {
        level: Level::new(3).expect("a level"),
        workers: NonZeroUsize::new(workers).expect("one at least"),
        budget: None,
    };
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
    let mut heard = Vec::new();
    let review = review(
        &game(GAME),
        &options,
        &clock,
        &StopToken::new(),
        &mut |done, of| heard.push((done, of)),
    )
    .expect("an engine");
    assert_eq!(heard.len(), 65);
    assert_eq!(heard.last(), Some(&(65, 65)));
    review
}

#[test]
fn a_game_is_judged_the_same_by_any_number_of_workers() {
    let review = reviewed(1);
    assert!(review.complete);
    assert_eq!((review.moves.len(), review.values.len()), (64, 65));
    assert_eq!(
        review
            .moves
            .iter()
            .filter(|reviewed| reviewed.mv == Move::Pass)
            .count(),
        4
    );
    // The last value is the result.
    assert!(
        (review.values[64] - f64::from(13 - 51)).abs() < 1e-9,
        "{}",
        review.values[64]
    );
    assert_eq!(reviewed(3), review);
    for reviewed in &review.moves {
        assert!(reviewed.loss >= 0.0);
        assert!(!reviewed.forced || reviewed.loss == 0.0);
        assert!(
            reviewed.value.discs <= reviewed.best_value.discs + 1e-9,
            "{reviewed:?}"
        );
    }
    // Where everything is exact, values change by nothing but losses.
    for (at, reviewed) in review
        .moves
        .iter()
        .enumerate()
        .filter(|(_, reviewed)| reviewed.exact)
    {
        let sign = if reviewed.color == Color::Black { -1.0 } else { 1.0 };
        let change = review.values[at + 1] - review.values[at];
        assert!((change - sign * reviewed.loss).abs() < 1e-9, "{reviewed:?}");
    }
    // The four first moves are one and the same: none can be a mistake.
    assert!(review.moves[0].loss == 0.0);
    let losses = [Color::Black, Color::White].map(|color| review.totals(color));
    assert!(
        losses[0].loss > losses[1].loss,
        "black has lost by 38: {losses:?}"
    );
    for totals in losses {
        assert!((totals.by_phase.iter().sum::<f64>() - totals.loss).abs() < 1e-9);
    }
}

#[test]
fn marks_follow_the_stated_thresholds() {
    for (loss, symbol) in [
        (0.0, ""),
        (1.99, ""),
        (2.0, "?!"),
        (4.0, "?"),
        (7.9, "?"),
        (8.0, "??"),
        (64.0, "??"),
    ] {
        assert_eq!(Mark::of(loss).symbol(), symbol, "{loss}");
    }
}

#[test]
fn graphs_fit_and_are_well_formed() {
    let review = reviewed(2);
    let text = text_graph(&review, 80, 11);
    assert_eq!(text.lines().count(), 11);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let svg = svg(&review, "A & B <1>");
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("<title>A &amp; B &lt;1&gt;</title>"));
    for tag in ["text", "title", "svg"] {
        assert_eq!(
            svg.matches(&format!("<{tag}")).count(),
            svg.matches(&format!("</{tag}>")).count(),
            "{tag}"
        );
    }
}
