//! Marks and jumps, with searches that say what the test wants.

use super::super::{Options, PlayError, Purpose, Seat, Session, Turn};
use crate::review::Mark;
use outflank_eval::Score;
use outflank_othello::{Color, Move, Position, Square};
use outflank_othello_engine::{Line, Outcome};
use outflank_records::{GameRecord, transcript};
use outflank_search::{Level, Verdict};
use std::time::Duration;

const T0: Duration = Duration::ZERO;

fn session(seats: [Seat; 2], moves: &str) -> Session {
    let mut session = Session::new(
        Options {
            seats,
            level: Level::new(4).expect("a level"),
            move_time: None,
            clock: None,
        },
        T0,
    );
    session.load(
        GameRecord::new(transcript::parse(moves).expect("moves").value),
        T0,
    );
    session
}

/// Answers every search with `value` of its position for black, and its last legal move.
fn feed(session: &mut Session, value: impl Fn(&Position) -> i32) -> Vec<Purpose> {
    let mut asked = Vec::new();
    while let Some(search) = session.wanted(T0) {
        asked.push(search.purpose);
        let sign = if search.request.position.side() == Color::Black {
            1
        } else {
            -1
        };
        let line = Line::searched(
            search
                .request
                .position
                .legal_moves()
                .last()
                .copied()
                .into_iter()
                .collect(),
            Score::saturating(sign * value(&search.request.position) * Score::PER_DISC),
            Verdict::Estimate {
                depth: 8,
                confidence: 73,
            },
        );
        let outcome = Outcome {
            lines: vec![line],
            rest: None,
            nodes: 1,
            elapsed: T0,
            complete: true,
        };
        session.found(&search, &outcome, T0);
        assert!(asked.len() < 1000, "it never ends: {asked:?}");
    }
    asked
}

#[test]
fn moves_are_judged_by_searches_from_the_same_distance() {
    let mut session = session([Seat::Person; 2], "f5d6c3");
    assert_eq!(session.judgments(), [None; 3]);
    session.fill_values(true);
    // Positions with a disc on c3 are worth 9 discs less for black than others.
    let asked = feed(&mut session, |position| {
        if position.disc_at(Square::C3).is_some() {
            -9
        } else {
            0
        }
    });
    let judged: Vec<_> = session
        .judgments()
        .into_iter()
        .map(|judged| judged.expect("judged"))
        .collect();
    // f5 is an image of the best move e6: nothing to search.
    assert_eq!((judged[0].loss, judged[0].mark()), (0.0, Mark::Good));
    // d6 instead of f6 changes nothing; c3 instead of c7 costs nine discs.
    assert_eq!(judged[1].mark(), Mark::Good);
    assert_eq!(
        (judged[2].loss, judged[2].mark(), judged[2].exact),
        (9.0, Mark::Blunder, false)
    );
    assert_ne!(judged[2].best, Move::from(Square::C3));
    assert_eq!(
        asked
            .iter()
            .filter(|purpose| matches!(purpose, Purpose::Value { .. }))
            .count(),
        4
    );
    assert!(asked.contains(&Purpose::Judge {
        moves: 2,
        best: false
    }));
    assert!(asked.contains(&Purpose::Judge { moves: 2, best: true }));
    assert!(!asked.contains(&Purpose::Judge { moves: 0, best: true }));
    // Looking at an earlier position forgets nothing; another move there does.
    session.go_to(1, T0).expect("a move");
    assert_eq!(session.judgments().len(), 3);
    session.place(Square::F4, T0).expect("legal");
    assert_eq!(session.judgments().len(), 2);
    feed(&mut session, |_| 0);
    assert!(session.judgments().iter().all(Option::is_some));
}

#[test]
fn one_may_go_to_any_move_and_the_engine_waits() {
    let mut session = session([Seat::Person, Seat::Engine], "f5d6c3d3c4f4");
    session.go_to(3, T0).expect("white's turn");
    assert_eq!(session.game().transcript(), "f5d6c3");
    assert_eq!(session.turn(), Turn::Paused(Color::White));
    assert_eq!(session.wanted(T0), None, "the engine waits");
    assert_eq!(session.place(Square::D3, T0), Err(PlayError::Paused));
    assert_eq!(session.pass(T0), Err(PlayError::Paused));
    assert!(session.ask_hint(1), "there may be advice");
    session.drop_hint();
    assert_eq!(
        session.record().game.transcript(),
        "f5d6c3d3c4f4",
        "what follows is part of the game"
    );
    session.go_to(0, T0).expect("the start");
    assert_eq!(
        (session.turn(), session.moves_ahead()),
        (Turn::Choose(Color::Black), 6)
    );
    assert_eq!(
        session.go_to(7, T0),
        Err(PlayError::NoSuchMove { wanted: 7, moves: 6 })
    );
    session.redo(T0).expect("two moves");
    assert_eq!(session.game().transcript(), "f5d6");
    session.go_to(5, T0).expect("there");
    session.engine_moves().expect("it is its turn");
    assert_eq!(session.turn(), Turn::Think(Color::White));
    session.go_to(6, T0).expect("the end");
    assert_eq!(
        (session.turn(), session.moves_ahead()),
        (Turn::Choose(Color::Black), 0)
    );
    // What was taken back is no part of the game.
    session.undo(T0).expect("a move");
    assert_eq!(session.record().game.transcript(), "f5d6c3d3");
}
