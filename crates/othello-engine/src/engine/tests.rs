//! The engine under every kind of limit and fault.

use super::*;
use crate::solver::{SolveResult, SolverGoal};
use outflank_eval::HandMade;
use outflank_game::SplitMix64;
use outflank_othello::Square;
use outflank_search::{GameClock, Limits, ManualClock};
use std::sync::atomic::{AtomicU64, Ordering};

fn engine() -> Engine<HandMade> {
    let config = EngineConfig {
        table_bytes: 4 << 20,
        ..EngineConfig::default()
    };
    Engine::hand_made(config, Arc::new(ManualClock::default())).expect("4 MiB")
}

fn search(engine: &mut Engine<HandMade>, position: &Position, request: &Request) -> Outcome {
    engine.search(&request.at(*position), &StopToken::new(), &mut |_| {})
}

/// A clock that moves on each time it is read.
#[derive(Debug, Default)]
struct ReadingTakesTime(AtomicU64);

impl Clock for ReadingTakesTime {
    fn now(&self) -> Duration {
        Duration::from_micros(self.0.fetch_add(100, Ordering::Relaxed))
    }
}

fn play_random(random: &mut SplitMix64, empties: u32) -> Position {
    loop {
        let mut position = Position::start();
        while position.board().empties().count() > empties {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]).expect("legal");
        }
        if !position.is_game_over() {
            return position;
        }
    }
}

const EXACT: &str = "OXXOX---OXXOX--XOXOXXXXXOOXOXXXXOOXXOXXX--XXXOXX-OOOXXX-OOOOOOXO O";

#[test]
fn every_limit_gives_a_legal_move() {
    let mut engine = engine();
    let limits = [
        Limits {
            depth: Some(0),
            ..Limits::default()
        },
        Limits {
            depth: Some(1),
            ..Limits::default()
        },
        Limits {
            nodes: Some(0),
            ..Limits::default()
        },
        Limits {
            nodes: Some(1),
            ..Limits::default()
        },
        Limits {
            nodes: Some(5_000),
            ..Limits::default()
        },
        Limits {
            time: Some(Duration::ZERO),
            ..Limits::default()
        },
        Limits {
            depth: Some(u32::MAX),
            nodes: Some(3_000),
            time: Some(Duration::MAX),
            ..Limits::default()
        },
    ];
    let mut random = SplitMix64::new(1);
    for empties in [60, 45, 30, 20, 10, 4, 1] {
        let position = play_random(&mut random, empties);
        for limits in limits {
            let outcome = search(&mut engine, &position, &Request::default().limits(limits));
            let mv = outcome.best_move().expect("a move");
            assert!(position.board().is_legal(mv), "{mv} {position:?}");
            if let Some(nodes) = limits.nodes {
                assert!(outcome.nodes <= nodes, "{} of {nodes}", outcome.nodes);
            }
        }
    }
}

#[test]
fn time_limits_are_kept() {
    let clock = Arc::new(ReadingTakesTime::default());
    let config = EngineConfig {
        table_bytes: 1 << 20,
        ..EngineConfig::default()
    };
    let mut engine = Engine::hand_made(config, clock).expect("1 MiB");
    for empties in [60, 24, 14] {
        let position = play_random(&mut SplitMix64::new(2), empties);
        let outcome = search(
            &mut engine,
            &position,
            &Request::default().time(Duration::from_millis(100)),
        );
        assert!(outcome.elapsed <= Duration::from_millis(110), "{outcome:?}");
        assert!(position.board().is_legal(outcome.best_move().expect("a move")));
        let clock = GameClock {
            remaining: Duration::from_millis(300),
            increment: Duration::ZERO,
        };
        let request = Request::default().clock(clock);
        let outcome = search(&mut engine, &position, &request);
        assert!(outcome.elapsed <= Duration::from_millis(150), "{outcome:?}");
    }
}

#[test]
fn a_stopped_search_still_has_a_move() {
    let stop = StopToken::new();
    stop.stop();
    let mut engine = engine();
    for empties in [60, 20, 6] {
        let position = play_random(&mut SplitMix64::new(3), empties);
        for request in [
            Request::default(),
            Request {
                goal: Goal::Exact,
                lines: 3,
                ..Request::default()
            },
        ] {
            let outcome = engine.search(&request.at(position), &stop, &mut |_| {});
            assert!(position.board().is_legal(outcome.best_move().expect("a move")));
            assert!(empties == 6 || !outcome.complete);
        }
    }
}

#[test]
fn a_finished_game_has_a_value_and_no_move() {
    let full: Position = format!("{} O", "X".repeat(64)).parse().expect("a board");
    let outcome = search(&mut engine(), &full, &Request::default());
    assert_eq!(outcome.best_move(), None);
    assert_eq!(
        (outcome.best().value, outcome.best().verdict),
        (Score::MIN, Verdict::Exact)
    );
}

#[test]
fn a_side_without_moves_passes_and_the_value_is_its_own() {
    let mut random = SplitMix64::new(4);
    let mut engine = engine();
    let mut seen = 0;
    while seen < 10 {
        let empties = 2 + random.below(14) as u32;
        let position = play_random(&mut random, empties);
        let mut passed = position;
        if !position.board().must_pass() {
            continue;
        }
        seen += 1;
        passed.play(Move::Pass).expect("it must pass");
        for request in [
            Request {
                goal: Goal::Exact,
                ..Request::default()
            },
            Request::default().depth(3),
        ] {
            engine.clear();
            let outcome = search(&mut engine, &position, &request);
            engine.clear();
            let after = search(&mut engine, &passed, &request);
            assert_eq!(outcome.best_move(), Some(Move::Pass));
            assert_eq!(outcome.best().value, -after.best().value);
            assert_eq!(outcome.best().verdict, after.best().verdict);
            assert_eq!(outcome.best().moves[1..], after.best().moves);
        }
    }
}

#[test]
fn exact_values_are_the_solvers_with_any_number_of_lines() {
    let position: Position = EXACT.parse().expect("a board");
    let mut engine = engine();
    let one = search(
        &mut engine,
        &position,
        &Request {
            goal: Goal::Exact,
            ..Request::default()
        },
    );
    assert_eq!(one.best().value, Score::saturating(46 * 128));
    assert_eq!(one.best().verdict, Verdict::Exact);
    assert_eq!(one.best_move(), Some(Move::Place(Square::B6)));
    let all = search(
        &mut engine,
        &position,
        &Request {
            goal: Goal::Exact,
            lines: 99,
            ..Request::default()
        },
    );
    let mut solver = Solver::new(HandMade, SolverOptions::default()).expect("memory");
    let expected = solver
        .solve(position.board(), SolverGoal::AllMoves, &Control::unlimited())
        .moves;
    assert_eq!(all.lines.len(), expected.len());
    for line in &all.lines {
        let value = expected
            .iter()
            .find(|entry| Move::Place(entry.square) == line.moves[0])
            .expect("a move");
        assert_eq!(line.value, Score::from_discs(value.value), "{:?}", line.moves);
        assert_eq!(line.verdict, Verdict::Exact);
    }
    let wld = search(
        &mut engine,
        &position,
        &Request {
            goal: Goal::WinLossDraw,
            ..Request::default()
        },
    );
    assert_eq!(wld.best().verdict, Verdict::WinLossDraw);
    assert!(wld.best().value > Score::ZERO);
}

#[test]
fn all_moves_within_a_window_are_valued_and_the_others_bounded() {
    let mut engine = engine();
    let mut random = SplitMix64::new(17);
    for number in 0..60 {
        let position = play_random(&mut random, 6 + number % 7);
        let passing = position.board().must_pass();
        // To the end with every selectivity that there is, and exactly.
        let request = Request::default().exact();
        engine.clear();
        let all = search(&mut engine, &position, &request.clone().lines(usize::MAX));
        for within in [0, 1, 300, 2_000, 20_000] {
            engine.clear();
            let some = search(&mut engine, &position, &request.clone().within(within));
            let floor = all.best().value.units() - within;
            let wanted = all.lines.iter().filter(|line| line.value.units() >= floor);
            let values = |line: &Line| (line.value, line.verdict);
            assert!(
                some.lines.iter().map(values).eq(wanted.map(values)),
                "{position} {within}"
            );
            let best_of_rest = all.lines.get(some.lines.len()).map(|line| line.value);
            match best_of_rest {
                Some(best) if !passing => {
                    assert!(
                        some.rest.is_some_and(|rest| rest >= best && rest.units() < floor),
                        "{position} {within}"
                    );
                }
                _ => assert_eq!(some.rest, None),
            }
        }
    }
}

#[test]
fn solving_without_the_solver_gives_the_same_value() {
    let position: Position = EXACT.parse().expect("a board");
    let config = EngineConfig {
        table_bytes: 4 << 20,
        techniques: MidgameTechniques::ALL.without(MidgameTechniques::SOLVER),
        ..EngineConfig::default()
    };
    let mut engine = Engine::hand_made(config, Arc::new(ManualClock::default())).expect("4 MiB");
    let outcome = search(
        &mut engine,
        &position,
        &Request {
            goal: Goal::Exact,
            ..Request::default()
        },
    );
    assert_eq!(
        (outcome.best().value, outcome.best().verdict),
        (Score::saturating(46 * 128), Verdict::Exact)
    );
    let by_nodes = Request {
        limits: Limits {
            nodes: Some(100_000_000),
            ..Limits::default()
        },
        ..Request::default()
    };
    let by_nodes = search(&mut self::engine(), &position, &by_nodes);
    assert_eq!(
        (by_nodes.best().value, by_nodes.best().verdict),
        (outcome.best().value, outcome.best().verdict)
    );
}

#[test]
fn selective_values_never_pass_for_exact() {
    // The same engine first searches selectively to the end, then exactly: the second must not read the first.
    let mut random = SplitMix64::new(5);
    let mut solver = Solver::new(HandMade, SolverOptions::default()).expect("memory");
    for _ in 0..6 {
        let position = play_random(&mut random, 14);
        if position.board().must_pass() {
            continue;
        }
        let config = EngineConfig {
            table_bytes: 4 << 20,
            techniques: MidgameTechniques::ALL.without(MidgameTechniques::SOLVER),
            ..EngineConfig::default()
        };
        let mut engine = Engine::hand_made(config, Arc::new(ManualClock::default())).expect("4 MiB");
        for depth in [6, 12] {
            search(&mut engine, &position, &Request::default().depth(depth));
        }
        let exact = search(
            &mut engine,
            &position,
            &Request {
                goal: Goal::Exact,
                ..Request::default()
            },
        );
        let expected = solver
            .solve(position.board(), SolverGoal::Exact, &Control::unlimited())
            .value;
        assert_eq!(exact.best().value, Score::from_discs(expected));
    }
}

#[test]
fn the_same_search_gives_the_same_outcome() {
    let position = play_random(&mut SplitMix64::new(6), 34);
    for request in [
        Request::default().depth(9),
        Request::default().limits(Limits {
            nodes: Some(54_321),
            ..Limits::default()
        }),
        Request {
            lines: 3,
            ..Request::default().depth(6)
        },
    ] {
        let first = search(&mut engine(), &position, &request);
        let second = search(&mut engine(), &position, &request);
        assert_eq!(first, second);
        if let Some(nodes) = request.limits.nodes {
            // The leaves behind the last node are entered together, or none of them.
            assert!((nodes - 40..=nodes).contains(&first.nodes), "{}", first.nodes);
        }
    }
}

#[test]
fn analysis_continues_from_what_it_knows() {
    let mut position = play_random(&mut SplitMix64::new(7), 40);
    let mut warm = engine();
    let outcome = search(&mut warm, &position, &Request::default().depth(10));
    position
        .play(outcome.best_move().expect("a move"))
        .expect("legal");
    let with_memory = search(&mut warm, &position, &Request::default().depth(9)).nodes;
    let without = search(&mut engine(), &position, &Request::default().depth(9)).nodes;
    assert!(with_memory < without / 2, "{with_memory} {without}");
}

#[test]
fn more_memory_than_there_is_is_refused() {
    let config = EngineConfig {
        table_bytes: usize::MAX,
        ..EngineConfig::default()
    };
    assert!(Engine::hand_made(config, Arc::new(ManualClock::default())).is_err());
}

#[test]
fn ten_thousand_searches_need_no_more_memory() {
    let mut engine = engine();
    let mut random = SplitMix64::new(8);
    let positions: Vec<_> = (0..50).map(|i| play_random(&mut random, 4 + i)).collect();
    let resident = || {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        text.split(' ')
            .nth(1)
            .and_then(|pages| pages.parse::<u64>().ok())
            .unwrap_or(0)
    };
    let mut run = |count: usize| {
        for i in 0..count {
            search(
                &mut engine,
                &positions[i % positions.len()],
                &Request::default().limits(Limits {
                    nodes: Some(100),
                    ..Limits::default()
                }),
            );
        }
    };
    run(1_000);
    let before = resident();
    run(10_000);
    let after = resident();
    // Other tests run at the same time: a leak of 1 kB a search would show as 2,500 pages.
    assert!(after < before + 30_000, "{before} pages before, {after} after");
}

/// A suggested line changes which moves are tried first, and no exact value, however bad the advice is.
#[test]
fn suggestions_change_the_order_and_no_value() {
    let mut random = SplitMix64::new(11);
    let mut changed = 0;
    for _ in 0..6 {
        let position = play_random(&mut random, 22);
        let request = Request::default().depth(9);
        let mut plain = engine();
        let before = search(&mut plain, &position, &request);
        for mv in position.legal_moves() {
            let mut advised = engine();
            // The rest of the line is not legal, and ends it.
            advised.suggest(&position, &[mv, Move::Pass, Move::Pass]);
            let after = search(&mut advised, &position, &request);
            assert!(after.complete && after.best_move().is_some());
            changed += usize::from(after.nodes != before.nodes);
        }
        let exact = Request {
            goal: Goal::Exact,
            ..Request::default()
        };
        let small = play_random(&mut random, 12);
        let value = search(&mut engine(), &small, &exact).best().value;
        for mv in small.legal_moves() {
            let mut advised = engine();
            advised.suggest(&small, &[mv]);
            assert_eq!(search(&mut advised, &small, &exact).best().value, value);
        }
    }
    assert!(changed > 0, "no advice was ever heard");
}

#[test]
fn solving_with_a_search_before_it_answers_as_the_solver_alone() {
    let mut random = SplitMix64::new(9);
    let mut engine = engine();
    let mut solver = Solver::new(HandMade, SolverOptions::default()).expect("memory");
    let stop = StopToken::new();
    let control = Control::stopped_by(&stop);
    let goals = [
        SolverGoal::Exact,
        SolverGoal::WinLossDraw,
        SolverGoal::Window(
            outflank_othello::Discs::saturating(-4),
            outflank_othello::Discs::saturating(10),
        ),
        SolverGoal::AllMoves,
    ];
    for round in 0..24 {
        let mut board = play_random(&mut random, 14 + round % 4).board();
        // A pass is rare: every fourth time the search for one goes on.
        while round % 4 == 3 && !board.must_pass() {
            board = play_random(&mut random, 16).board();
        }
        for goal in goals {
            let (found, expected) = (
                engine.solve(board, goal, &control),
                solver.solve(board, goal, &control),
            );
            assert_eq!(
                (found.value, found.verdict),
                (expected.value, expected.verdict),
                "{goal:?} {board:?}"
            );
            let values = |result: &SolveResult| {
                let mut values: Vec<_> = result.moves.iter().map(|mv| (mv.square, mv.value)).collect();
                values.sort_unstable();
                values
            };
            assert_eq!(values(&found), values(&expected));
            if goal == SolverGoal::Exact {
                let again = engine.solve(board, goal, &control);
                assert_eq!(found, again, "the same question costs the same");
            }
        }
    }
    stop.stop();
    let board = play_random(&mut random, 24).board();
    for goal in goals {
        assert_eq!(engine.solve(board, goal, &control).verdict, Verdict::Aborted);
    }
}

/// With one thread no search of any kind enters more positions than it may, and each answers all the same.
#[test]
fn a_limit_of_nodes_is_never_exceeded() {
    let mut random = SplitMix64::new(12);
    let mut engine = engine();
    let mut solver = Solver::new(HandMade, SolverOptions::default()).expect("memory");
    let limits: [u64; 21] = [
        0, 1, 2, 3, 5, 8, 13, 29, 64, 100, 256, 480, 511, 533, 700, 1_000, 1_013, 2_000, 5_000, 10_000,
        20_000,
    ];
    let mut solved = 0;
    for empties in (8..=55).chain(8..16) {
        let position = play_random(&mut random, empties);
        let board = position.board();
        for (index, &limit) in limits.iter().enumerate() {
            // A table that knows something already must not change that, nor what is asked.
            if index % 3 == 0 {
                engine.clear();
            }
            let request = Request::new(position).nodes(limit);
            for request in [
                request.clone(),
                request.clone().exact(),
                request.clone().goal(Goal::WinLossDraw),
                request.clone().lines(3),
                request.confidence(100),
            ] {
                let outcome = search(&mut engine, &position, &request);
                assert!(outcome.nodes <= limit, "{} of {limit}: {position}", outcome.nodes);
                let mv = outcome.best_move().expect("a move");
                assert!(board.is_legal(mv), "{mv} {position}");
            }
            if board.must_pass() {
                continue;
            }
            for goal in [SolverGoal::Exact, SolverGoal::WinLossDraw, SolverGoal::AllMoves] {
                let control = Control::of_nodes(limit);
                for result in [
                    engine.solve(board, goal, &control),
                    solver.solve(board, goal, &control),
                ] {
                    assert!(
                        result.nodes <= limit,
                        "{} of {limit}: {goal:?} {position}",
                        result.nodes
                    );
                    solved += u32::from(result.verdict != Verdict::Aborted);
                }
            }
        }
    }
    assert!(solved > 300, "too few were solved within the limits: {solved}");
}

/// A small limit near the end gives an estimate that looks ahead, not the first guess before a proof that is cut off.
#[test]
fn few_nodes_near_the_end_look_ahead() {
    let mut random = SplitMix64::new(14);
    let mut engine = engine();
    let mut n_exact = 0;
    for round in 0..75 {
        let empties = 10 + round % 15;
        let position = play_random(&mut random, empties);
        engine.clear();
        let outcome = search(&mut engine, &position, &Request::new(position).nodes(10_000));
        match outcome.best().verdict {
            Verdict::Exact => n_exact += 1,
            Verdict::Estimate { depth, .. } => assert!(depth >= 5, "{depth}: {position}"),
            other => panic!("{other:?}: {position}"),
        }
    }
    assert!(n_exact > 5, "{n_exact} solved");
}

/// What fits the limit is found, down to the last node: the limit that a search needs is enough for it.
#[test]
fn a_limit_that_is_enough_changes_nothing() {
    let mut random = SplitMix64::new(13);
    let mut solver = Solver::new(HandMade, SolverOptions::default()).expect("memory");
    for round in 0..60 {
        let board = play_random(&mut random, 5 + round % 12).board();
        let free = solver.solve(board, SolverGoal::Exact, &Control::unlimited());
        // The last few hundred nodes before the limit are searched without the fast counting of the last moves.
        let limited = solver.solve(board, SolverGoal::Exact, &Control::of_nodes(free.nodes + 1_000));
        assert_eq!(free, limited);
        let tight = solver.solve(board, SolverGoal::Exact, &Control::of_nodes(2 * free.nodes));
        assert_eq!((tight.value, tight.verdict), (free.value, Verdict::Exact));
        let short = solver.solve(board, SolverGoal::Exact, &Control::of_nodes(free.nodes / 3));
        assert_eq!(short.verdict, Verdict::Aborted, "{board:?}");
    }
}

/// Counts how often it is read, and stops a search at one of the readings.
#[derive(Debug)]
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

/// Every kind of search looks up at least once in 1,024 nodes, and ends soon after somebody has stopped it.
#[test]
fn every_kind_of_search_looks_up_and_can_be_stopped() {
    let config = EngineConfig {
        table_bytes: 4 << 20,
        ..EngineConfig::default()
    };
    // A request with a limit of time reads the clock whenever it asks whether it must stop.
    let request = |empties: u32| {
        Request::new(play_random(&mut SplitMix64::new(u64::from(empties)), empties))
            .time(Duration::from_mins(1))
    };
    for request in [
        request(44).depth(11),
        request(44).depth(9).confidence(100),
        request(40).depth(8).lines(4),
        request(30).nodes(60_000),
        request(18).exact(),
        request(17).exact().lines(3),
        request(19).goal(Goal::WinLossDraw),
        request(14).exact(),
    ] {
        let run = |stops_at| {
            let watch = Arc::new(Watch {
                readings: AtomicU64::new(0),
                stops_at,
                stop: StopToken::new(),
            });
            let clock: Arc<dyn Clock> = watch.clone();
            let mut engine = Engine::hand_made(config, clock).expect("4 MiB");
            let outcome = engine.search(&request, &watch.stop, &mut |_| {});
            (outcome, watch.readings.load(Ordering::Relaxed))
        };
        let (whole, readings) = run(u64::MAX);
        assert!(whole.complete || request.limits.nodes.is_some(), "{request:?}");
        assert!(
            readings * Control::POLL >= whole.nodes,
            "{readings} readings in {} nodes",
            whole.nodes
        );
        for part in [3, 2] {
            let (stopped, _) = run(readings / part);
            assert!(!stopped.complete && stopped.nodes < whole.nodes, "{request:?}");
            let mv = stopped.best_move().expect("a move");
            assert!(request.position.board().is_legal(mv));
            assert!(
                stopped
                    .lines
                    .iter()
                    .all(|line| line.verdict != Verdict::Exact || request.lines > 1)
            );
        }
    }
}
