//! Games without any code of their own, asked through the contract.

use super::*;
use crate::{Method, TableOptions};
use outflank_game::{ToyGame, toy::ToyValue};
use outflank_othello::Position;
use outflank_search::ManualClock;
use std::time::Duration;

/// Discs of the player to move less those of the other.
struct Discs;

impl Evaluate<Position> for Discs {
    fn evaluate(&self, position: &Position) -> i32 {
        let board = position.board();
        board.player().count() as i32 - board.opponent().count() as i32
    }
}

fn toy() -> ToyGame {
    ToyGame::new("((3 5) (2 (9 1)) (4 6))".parse().expect("a tree"))
}

fn engine<G: GameState, E: Evaluate<G>>(method: Method, evaluate: E) -> SearchEngine<G, E> {
    SearchEngine::new(Settings::new(method), evaluate, Arc::new(ManualClock::default()))
}

fn ask<E: Engine>(engine: &mut E, request: &Request<E::Game>) -> outflank_search::OutcomeOf<E> {
    engine.search(request, &StopToken::new(), &mut |_| {})
}

#[test]
fn the_toy_game_is_searched_through_the_contract() {
    for method in [
        Method::Minimax,
        Method::AlphaBeta,
        Method::Pvs(Some(TableOptions::default())),
    ] {
        let mut engine = engine(method, ToyValue);
        let outcome = ask(&mut engine, &Request::new(toy()));
        assert!(outcome.complete);
        assert_eq!((outcome.best().value, outcome.best_move()), (4, Some(2)));
        assert_eq!(outcome.best().verdict, Verdict::Exact);
        let all = ask(&mut engine, &Request::new(toy()).lines(usize::MAX));
        let values: Vec<_> = all.lines.iter().map(|line| (line.moves[0], line.value)).collect();
        assert_eq!(values, [(2, 4), (0, 3), (1, 2)]);
        assert!(all.lines.iter().all(|line| line.verdict == Verdict::Exact));
        let without = ask(&mut engine, &Request::new(toy()).excluding([2]));
        assert_eq!((without.best().value, without.best_move()), (3, Some(0)));
        let shallow = ask(&mut engine, &Request::new(toy()).depth(1));
        assert!(shallow.complete);
        assert_eq!(
            shallow.best().verdict,
            Verdict::Estimate {
                depth: 1,
                confidence: 100
            }
        );
    }
    let over = ask(
        &mut engine(Method::AlphaBeta, ToyValue),
        &Request::new(ToyGame::new("7".parse().expect("a tree"))),
    );
    assert_eq!(
        (over.best_move(), over.best().value, over.best().verdict),
        (None, 7, Verdict::Exact)
    );
}

/// Any engine can play a game to its end, whatever the game.
#[test]
fn the_toy_game_is_played_to_its_end() {
    let mut players = [
        engine(Method::AlphaBeta, ToyValue),
        engine(Method::Minimax, ToyValue),
    ];
    let mut game = toy();
    for ply in 0.. {
        let Some(mv) = ask(&mut players[ply % 2], &Request::new(game.clone())).best_move() else {
            break;
        };
        game.play(mv);
    }
    assert_eq!(game.outcome().map(|outcome| outcome.margin), Some(4));
}

#[test]
fn every_limit_is_kept_and_leaves_a_move() {
    let position = Position::start();
    let mut engine = engine(Method::Negamax, Discs);
    for limit in [0, 1, 2, 5, 6, 100, 3_000] {
        for lines in [1, 3] {
            let request = Request::new(position).nodes(limit).lines(lines);
            let outcome = ask(&mut engine, &request);
            assert!(
                outcome.nodes <= limit && !outcome.complete,
                "{} of {limit}",
                outcome.nodes
            );
            assert!(position.is_legal(outcome.best_move().expect("a move")));
        }
    }
    let stop = StopToken::new();
    let mut seen = 0;
    let outcome = engine.search(&Request::new(position), &stop, &mut |news| {
        seen = news.stage.depth;
        if seen == 3 {
            stop.stop();
        }
    });
    assert_eq!((seen, outcome.complete), (3, false));
    assert_eq!(
        outcome.best().verdict,
        Verdict::Estimate {
            depth: 3,
            confidence: 100
        }
    );
}

#[test]
fn the_time_is_kept_with_its_reserve() {
    /// Takes a millisecond for each judgment.
    struct Slow(ManualClock);
    impl Evaluate<Position> for Slow {
        fn evaluate(&self, position: &Position) -> i32 {
            self.0.advance(Duration::from_millis(1));
            Discs.evaluate(position)
        }
    }
    let clock = ManualClock::default();
    let mut engine = SearchEngine::new(
        Settings::new(Method::Negamax),
        Slow(clock.clone()),
        Arc::new(clock),
    );
    for reserve in [0, 50, 200] {
        let request = Request::new(Position::start())
            .time(Duration::from_secs(1))
            .reserve(Duration::from_millis(reserve));
        let outcome = ask(&mut engine, &request);
        let spent = outcome.elapsed.as_millis() as u64;
        // The clock is looked at every 32 nodes.
        assert!(
            (950 - reserve..=1_032 - reserve).contains(&spent),
            "{spent} ms, reserve {reserve}"
        );
    }
}
