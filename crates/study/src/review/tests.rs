//! The review of whole games against searches of each position.

use super::*;
use outflank_book::{Book, Fact, Kind, Look, Slot, UNITS, Worked};
use outflank_othello::Square;
use outflank_othello_engine::{Engine, Request};
use outflank_search::{Clock, Level, ManualClock, StopToken};
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

/// A book of three positions, f5 and d6 the best moves; everything in it is from searches of 6 discs.
fn book() -> Worked {
    let mut book = Book::new();
    let source = book.source("test").expect("room");
    let worth = outflank_book::Worth::new(Kind::Estimate, 6, 73);
    let mut add = |moves: &str, square: Square, discs: i32| {
        let board = game(moves).position().board();
        let fact = Fact::new(discs * UNITS, worth, source);
        book.add(board, Slot::Move(square), fact).expect("legal");
    };
    add("f5", Square::F6, -2);
    add("f5d6", Square::C3, 1);
    add("f5d6", Square::C4, -1);
    book.add_position(game("").position().board()).expect("a move");
    Worked::new(book)
}

fn reviewed_with(book: Option<&dyn Look>, moves: &str) -> Review {
    let options = ReviewOptions {
        level: Level::new(3).expect("a level"),
        workers: NonZeroUsize::MIN,
        budget: None,
    };
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
    let (judge, stop) = (Judge::default(), StopToken::new());
    let review = review_by(
        &judge,
        book,
        &game(moves),
        &options,
        &clock,
        &stop,
        &mut |_, _| {},
    );
    review.expect("an engine")
}

/// What a search of the position after `moves` at this level says, for black.
fn searched(moves: &str, level: u32) -> f64 {
    let position = *game(moves).position();
    let mut engine = Engine::new().expect("memory");
    let request = Request::new(position).level(Level::new(level).expect("a level"));
    let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
    let discs = outcome.best().value.discs();
    if position.side() == Color::Black {
        discs
    } else {
        -discs
    }
}

#[test]
fn there_is_no_jump_at_the_border_of_the_book() {
    let book = book();
    let moves = "f5d6c3d3c4f4f6";
    let review = reviewed_with(Some(&book), moves);
    // The best moves of the book: one value up to the position behind the last one, and nothing is lost.
    assert_eq!(review.values[..=3], [1.0; 4]);
    for reviewed in &review.moves[..3] {
        assert_eq!(
            (reviewed.loss, reviewed.value.origin),
            (0.0, Origin::Book),
            "{reviewed:?}"
        );
    }
    // Then searches: as far as the book's at first, at the level that was asked for behind it.
    assert_eq!(review.moves[3].value.origin, Origin::Search);
    for (at, level) in [(4, 6), (5, 3), (6, 3), (7, 3)] {
        let expected = searched(&moves[..2 * at], level);
        assert!(
            (review.values[at] - expected).abs() < 1e-9,
            "{at}: {expected} {:?}",
            review.values
        );
    }
    // Without the book, those behind it are the same.
    let plain = reviewed_with(None, moves);
    assert_eq!(plain.values[5..], review.values[5..]);
    assert!(plain.nodes < review.nodes, "the border is searched deeper");
    assert!(
        plain
            .moves
            .iter()
            .all(|reviewed| reviewed.value.origin == Origin::Search)
    );
}

#[test]
fn losses_in_the_book_are_those_of_the_book() {
    let book = book();
    let review = reviewed_with(Some(&book), "f5f6e6f4");
    let f6 = &review.moves[1];
    assert_eq!(
        (f6.loss, f6.best, f6.best_value.discs),
        (1.0, Move::Place(Square::D6), -1.0)
    );
    assert_eq!(review.values[..3], [1.0, 1.0, 2.0]);
    // A move that the book has not is searched as far as the book's.
    let review = reviewed_with(Some(&book), "f5d6c5f4");
    assert_eq!(review.values[..3], [1.0; 3]);
    assert!((review.values[3] - searched("f5d6c5", 6)).abs() < 1e-9);
    let c5 = &review.moves[2];
    assert!(
        (c5.loss - (1.0 - review.values[3]).max(0.0)).abs() < 1e-9,
        "{c5:?}"
    );
    // A book that is worth less than the searches is left alone.
    let options = ReviewOptions {
        level: Level::new(10).expect("a level"),
        workers: NonZeroUsize::MIN,
        budget: None,
    };
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
    let stop = StopToken::new();
    let review = review_by(
        &Judge::default(),
        Some(&book),
        &game("f5"),
        &options,
        &clock,
        &stop,
        &mut |_, _| {},
    );
    assert_eq!(review.expect("an engine").moves[0].value.origin, Origin::Search);
}
