//! The engine as a whole: positions from other engines' bug reports, limits, and what it claims.

use outflank_gomoku::{Board, Color, Point, Rule, Tables, notation::parse_moves};
use outflank_gomoku_engine::{Budget, Engine, EngineConfig, Outcome, Request, Value, verify};
use outflank_search::{Clock, Control, Limits, ManualClock, StopToken, Verdict};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

fn engine() -> Engine {
    let config = EngineConfig {
        table_bytes: 4 << 20,
        threat_bits: 14,
        ..EngineConfig::default()
    };
    Engine::with_clock(config, Arc::new(ManualClock::default())).expect("memory")
}

fn point(text: &str) -> Point {
    text.parse().expect("a point")
}

/// Plays moves written without spaces, `h8g7`.
fn played(rule: Rule, text: &str) -> Board {
    let mut board = Board::new(rule, 15).expect("size");
    for mv in parse_moves(text).expect("moves") {
        board.play(mv).expect("a legal move");
    }
    board
}

fn think(board: &Board, limits: Limits, top: usize) -> Outcome {
    let request = Request::new(board.clone()).limits(limits).lines(top);
    engine().search(&request, &StopToken::new(), &mut |_| {})
}

fn nodes(n: u64) -> Limits {
    Limits {
        nodes: Some(n),
        ..Limits::default()
    }
}

#[test]
fn five_comes_before_everything() {
    // Both have four in a row: the side to move makes five and does not block.
    let board = played(Rule::Freestyle, "e5e10f5f10g5g10h5h10");
    let outcome = think(&board, nodes(2_000), 1);
    assert!(
        ["d5", "i5"]
            .map(point)
            .contains(&outcome.best_move().expect("a move"))
    );
    assert_eq!(outcome.lines[0].value, Value::Win(1));
}

#[test]
fn a_single_four_is_blocked() {
    // Rapfi issue 18: White has one four, and the engine answered in a corner.
    let board = played(Rule::Freestyle, "h8h7i7g9h6g5g7i6g8f8f6e5f5j10i10i11k9h10j12l10");
    let mut board = board;
    let side = board.side();
    let outcome = think(&board, nodes(5_000), 1);
    let mv = outcome.best_move().expect("a move");
    let fives = board.points_of(!side, outflank_gomoku::Class::Five).len();
    board.play(mv).expect("a legal move");
    assert!(
        board.end().is_some()
            || fives == 0
            || board.points_of(!side, outflank_gomoku::Class::Five).len() < fives
    );
}

#[test]
fn an_open_four_is_taken_and_the_win_is_the_shortest() {
    let board = played(Rule::Freestyle, "h8h10i8i10j8a1");
    let outcome = think(&board, nodes(5_000), 1);
    assert!(
        matches!(outcome.lines[0].value, Value::Win(3..=5)),
        "{:?}",
        outcome.lines
    );
    assert!(
        ["g8", "k8"]
            .map(point)
            .contains(&outcome.best_move().expect("a move"))
    );
}

#[test]
fn a_legal_move_is_found_where_the_only_block_is_forbidden() {
    // gomoku-calculator issue 8.
    let mut board = played(Rule::Renju, "h8g6f6g5f7g4h7g3g2a1");
    let outcome = think(&board, nodes(20_000), 1);
    board
        .play(outcome.best_move().expect("a move"))
        .expect("a legal move");
}

#[test]
fn no_mate_is_longer_than_the_board() {
    // gomoku-calculator issue 2: "-M259".
    let board = played(
        Rule::Renju,
        "h8h9h6i10i6i9g9g8j11i7h7h5i11h10j8j9h11g11g6f6k8g10f10k10j10l11j6k6i8l8l9f5f7h3m10j7",
    );
    let outcome = think(&board, nodes(20_000), 5);
    for line in &outcome.lines {
        if let Value::Win(stones) | Value::Loss(stones) = line.value {
            assert!(stones as usize <= board.n_empty(), "{line:?}");
        }
    }
    assert!(outcome.lines.len() >= 2);
}

#[test]
fn nearly_full_boards_get_a_move_on_an_empty_point() {
    // Stripes of two columns: no five anywhere, one to three points left.
    for n_left in 1..=3 {
        let mut stones = Vec::new();
        for y in 0..6u8 {
            for x in 0..6u8 {
                if usize::from(y * 6 + x) + n_left < 36 {
                    let color = if (x / 2 + y) % 2 == 0 {
                        Color::Black
                    } else {
                        Color::White
                    };
                    stones.push((Point::new(x, y).expect("on board"), color));
                }
            }
        }
        let mut board =
            Board::from_stones(Tables::new(Rule::Freestyle), 6, &stones, Color::Black).expect("valid");
        assert_eq!(board.end(), None);
        let outcome = think(&board, nodes(2_000), 1);
        board
            .play(outcome.best_move().expect("a move"))
            .expect("an empty point");
    }
}

#[test]
fn equal_limits_give_equal_searches() {
    let board = played(Rule::Freestyle, "h8g7f6g8g9");
    let limits = Limits {
        depth: Some(5),
        nodes: Some(20_000),
        ..Limits::default()
    };
    let (first, second) = (think(&board, limits, 1), think(&board, limits, 1));
    assert_eq!(first, second);
    assert!(first.nodes > 100);
}

#[test]
fn the_best_moves_are_different_and_sorted() {
    let board = played(Rule::Standard, "h8i9j8");
    let outcome = think(
        &board,
        Limits {
            depth: Some(3),
            ..Limits::default()
        },
        4,
    );
    let moves: std::collections::BTreeSet<_> = outcome.lines.iter().map(|line| line.moves[0]).collect();
    assert_eq!((outcome.lines.len(), moves.len()), (4, 4));
    let values: Vec<f64> = outcome
        .lines
        .iter()
        .map(|line| line.value.win_probability())
        .collect();
    assert!(
        values.windows(2).all(|pair| pair[0] >= pair[1] - 1e-9),
        "{values:?}"
    );
}

#[test]
fn a_stopped_search_still_returns_a_move() {
    let board = played(Rule::Freestyle, "h8g7f6g8g9");
    let stop = StopToken::new();
    let mut n_events = 0;
    let outcome = engine().search(&Request::new(board), &stop, &mut |_| {
        n_events += 1;
        if n_events == 3 {
            stop.stop();
        }
    });
    assert!(outcome.best_move().is_some() && outcome.nodes < 1_000_000);
}

#[test]
fn several_threads_keep_to_the_limits() {
    let board = played(Rule::Freestyle, "h8g7f6g8g9");
    let mut engine = engine();
    engine.set_threads(3);
    let request = Request::new(board.clone()).nodes(60_000);
    let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
    assert!(outcome.best().verdict.depth() >= Some(4), "{outcome:?}");
    // The leader looks at the sum every 512 of its own positions, the others every 64 of theirs.
    assert!((59_000..61_000).contains(&outcome.nodes), "{}", outcome.nodes);

    let stop = StopToken::new();
    let outcome = std::thread::scope(|scope| {
        let stopping = stop.clone();
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            stopping.stop();
        });
        engine.search(&Request::new(board.clone()), &stop, &mut |_| {})
    });
    assert!(outcome.best_move().is_some());
    engine.set_threads(1);
    engine.clear();
    let alone = engine.search(&request, &StopToken::new(), &mut |_| {});
    assert_eq!(alone, think(&board, nodes(60_000), 1));
}

#[test]
fn what_a_search_has_learned_stays_until_it_is_forgotten() {
    let board = played(Rule::Freestyle, "h8i9g6j5e10k11");
    let mut engine = engine();
    let search = |engine: &mut Engine| {
        engine.search(
            &Request::new(board.clone()).depth(10),
            &StopToken::new(),
            &mut |_| {},
        )
    };
    let first = search(&mut engine);
    let second = search(&mut engine);
    assert!(
        2 * second.nodes < first.nodes,
        "{} of {}",
        second.nodes,
        first.nodes
    );
    assert_eq!(second.best().verdict.depth(), first.best().verdict.depth());
    engine.clear();
    assert_eq!(search(&mut engine).nodes, first.nodes);
}

#[test]
fn games_end_as_claimed() {
    games_of(1, 300);
}

#[test]
fn games_of_several_threads_end_as_claimed() {
    games_of(3, 4_000);
}

/// Two engines play; every claim of a win must come true, and every move must be legal.
fn games_of(threads: usize, n_nodes: u64) {
    for rule in Rule::ALL {
        let mut engine = engine();
        engine.set_threads(threads);
        let mut board = played(rule, "h8i9g6j5e10k11");
        let mut claimed = None;
        while board.end().is_none() {
            let side = board.side();
            let request = Request::new(board.clone()).nodes(n_nodes);
            let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
            if threads == 1 {
                assert!(outcome.nodes <= n_nodes, "{} of {n_nodes}", outcome.nodes);
            }
            match outcome.lines[0].value {
                Value::Win(_) => assert_eq!(*claimed.get_or_insert(side), side, "{rule}\n{board}"),
                Value::Loss(_) => assert_eq!(*claimed.get_or_insert(!side), !side, "{rule}\n{board}"),
                Value::Estimate(_) => {}
            }
            if let Some(proof) = engine.proof() {
                assert_eq!(verify(&board, side, proof, &mut Budget::unlimited()), Ok(()));
            }
            board
                .play(outcome.best_move().expect("a move"))
                .expect("a legal move");
        }
        if let Some(claimed) = claimed {
            assert_eq!(
                board.end().and_then(outflank_gomoku::End::winner),
                Some(claimed),
                "{rule}\n{board}"
            );
        }
    }
}

#[test]
fn a_limit_of_nodes_is_never_exceeded() {
    for (rule, moves) in [
        (Rule::Freestyle, "h8g7f6g8g9"),
        (Rule::Renju, "h8i9j10i8i7g9"),
        (Rule::Caro, "h8h9j9j8f8i7"),
        (Rule::Standard, "h8h10i8i10j8a1"),
    ] {
        let board = played(rule, moves);
        let mut engine = engine();
        for limit in [0, 1, 2, 3, 17, 150, 511, 513, 2_000, 20_000] {
            engine.clear();
            let request = Request::new(board.clone()).nodes(limit);
            let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
            assert!(outcome.nodes <= limit, "{rule}: {} of {limit}", outcome.nodes);
            let mut after = board.clone();
            after.play(outcome.best_move().expect("a move")).expect("legal");
        }
    }
}

#[test]
fn a_finished_game_has_a_value_and_no_move() {
    let board = played(Rule::Freestyle, "h8h10i8i10j8j10k8k10l8");
    let outcome = think(&board, nodes(1_000), 1);
    assert_eq!((outcome.best_move(), outcome.nodes), (None, 0));
    assert_eq!(
        (outcome.best().value, outcome.best().verdict),
        (Value::Loss(0), Verdict::Exact)
    );
}

#[test]
fn excluded_points_are_not_played() {
    let board = played(Rule::Freestyle, "e5e10f5f10g5g10h5h10");
    let request = Request::new(board)
        .nodes(2_000)
        .excluding([point("d5"), point("i5")]);
    let outcome = engine().search(&request, &StopToken::new(), &mut |_| {});
    assert!(
        !["d5", "i5"]
            .map(point)
            .contains(&outcome.best_move().expect("a move"))
    );
}

/// Counts how often it is read, and stops a search at one of the readings.
struct Watch {
    readings: AtomicU64,
    stops_at: u64,
    stop: StopToken,
}

impl Clock for Watch {
    fn now(&self) -> Duration {
        if self.readings.fetch_add(1, Ordering::Relaxed) == self.stops_at {
            self.stop.stop();
        }
        Duration::ZERO
    }
}

/// The main search and the searches for wins by threats look up at least once in 1,024 positions.
#[test]
fn every_kind_of_search_looks_up_and_can_be_stopped() {
    for (moves, lines) in [("h8g7f6g8g9", 1), ("h8i9j8", 4), ("h8i9g6j5e10k11", 1)] {
        let request = Request::new(played(Rule::Freestyle, moves))
            .nodes(40_000)
            .lines(lines)
            .time(Duration::from_mins(1));
        let run = |stops_at| {
            let watch = Arc::new(Watch {
                readings: AtomicU64::new(0),
                stops_at,
                stop: StopToken::new(),
            });
            let config = EngineConfig {
                table_bytes: 4 << 20,
                threat_bits: 14,
                ..EngineConfig::default()
            };
            let clock: Arc<dyn Clock> = watch.clone();
            let mut engine = Engine::with_clock(config, clock).expect("memory");
            let outcome = engine.search(&request, &watch.stop, &mut |_| {});
            (outcome, watch.readings.load(Ordering::Relaxed))
        };
        let (whole, readings) = run(u64::MAX);
        assert!(
            readings * Control::POLL >= whole.nodes,
            "{readings} in {} nodes",
            whole.nodes
        );
        for part in [20, 3, 2] {
            let (stopped, _) = run(readings / part);
            assert!(stopped.best_move().is_some() && !stopped.complete);
            assert!(
                stopped.nodes < whole.nodes,
                "{moves}: {} of {}",
                stopped.nodes,
                whole.nodes
            );
        }
    }
}
