//! The solver in every mode against searches that are too simple to be wrong.

use outflank_eval::HandMade;
use outflank_game::{Evaluate, Outcome, SplitMix64};
use outflank_othello::{Bitboard, Board, Color, Discs, Position};
use outflank_othello_engine::{SolveResult, Solver, SolverGoal, SolverOptions, tuning::Techniques};
use outflank_search::{Clock, Control, StopToken, SystemClock, Verdict};
use outflank_textbook::{Method, Settings, search};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Plays at random from the start until so many squares are empty; `None` if the game ends before.
fn random_board(random: &mut SplitMix64, empties: u32) -> Option<Board> {
    let mut board = Board::start();
    while board.empties().count() > empties {
        let moves = board.legal_moves();
        if moves.is_empty() {
            if board.is_game_over() {
                return None;
            }
            board = board.passed();
            continue;
        }
        let square = moves.into_iter().nth(random.below(moves.count() as usize))?;
        board = board.play_unchecked(square, board.flips(square));
    }
    Some(board)
}

/// Returns the value and the number of positions of the whole tree.
fn minimax(board: Board, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if board.is_game_over() {
        return board.final_discs().get();
    }
    if board.must_pass() {
        return -minimax(board.passed(), nodes);
    }
    let values = board
        .legal_moves()
        .into_iter()
        .map(|square| -minimax(board.play(square.into()).expect("legal"), nodes));
    values.max().expect("there is a move")
}

fn solver(techniques: Techniques, table_bytes: usize, threads: usize) -> Solver<HandMade> {
    let options = SolverOptions {
        table_bytes,
        threads,
        techniques,
        ..SolverOptions::default()
    };
    Solver::new(HandMade, options).expect("a solver")
}

fn solve(solver: &mut Solver<HandMade>, board: Board, goal: SolverGoal) -> SolveResult {
    solver.solve(board, goal, &Control::unlimited())
}

/// Asks in every mode and compares with `value`; `moves` gives the value of a move.
fn check_modes(
    solver: &mut Solver<HandMade>,
    board: Board,
    value: i32,
    moves: impl Fn(Board) -> Option<i32>,
) {
    let exact = solve(solver, board, SolverGoal::Exact);
    assert_eq!(
        (exact.verdict, exact.value.get()),
        (Verdict::Exact, value),
        "{board:?}"
    );
    check_line(board, &exact, value);

    let wld = solve(solver, board, SolverGoal::WinLossDraw);
    assert_eq!(
        (wld.verdict, wld.value.get()),
        (Verdict::WinLossDraw, 2 * value.signum()),
        "{board:?}"
    );

    for (low, high) in [
        (-64, 64),
        (-3, 3),
        (value - 1, value),
        (value, value + 1),
        (value - 9, value + 8),
        (10, 12),
        (-30, -29),
    ] {
        let window = (Discs::saturating(low), Discs::saturating(high));
        let result = solve(solver, board, SolverGoal::Window(window.0, window.1));
        let bound = result.value.get();
        let right = match result.verdict {
            Verdict::Exact => bound == value,
            Verdict::AtLeast => value >= bound && bound >= high,
            Verdict::AtMost => value <= bound && bound <= low,
            Verdict::WinLossDraw | Verdict::Estimate { .. } | Verdict::Aborted => false,
        };
        let inside = low < value && value < high;
        assert!(right, "{board:?} {low} {high}: {result:?} instead of {value}");
        assert!(
            !inside || result.verdict == Verdict::Exact,
            "{board:?} {low} {high}: {result:?}"
        );
    }

    let all = solve(solver, board, SolverGoal::AllMoves);
    assert_eq!(
        (all.verdict, all.value.get()),
        (Verdict::Exact, value),
        "{board:?}"
    );
    assert_eq!(all.moves.len(), board.mobility() as usize);
    assert!(all.moves.is_sorted_by_key(|mv| -mv.value.get()));
    for mv in &all.moves {
        let child = board.play(mv.square.into()).expect("legal");
        if let Some(expected) = moves(child) {
            assert_eq!(-mv.value.get(), expected, "{board:?} {}", mv.square);
        }
    }
}

/// The line of an exact result ends the game with the value.
fn check_line(board: Board, result: &SolveResult, value: i32) {
    let mut end = board;
    for mv in &result.pv {
        end = end.play(*mv).expect("the line is legal");
    }
    let sign = if result.pv.len().is_multiple_of(2) { 1 } else { -1 };
    assert!(
        end.is_game_over(),
        "{board:?}: the line {:?} ends early",
        result.pv
    );
    assert_eq!(
        end.final_discs().get() * sign,
        value,
        "{board:?}: {:?}",
        result.pv
    );
}

fn against_minimax(seed: u64, positions: usize, empties: impl Fn(usize) -> u32) {
    let mut random = SplitMix64::new(seed);
    let mut solver = solver(Techniques::ALL, 1 << 20, 1);
    let mut done = 0;
    while done < positions {
        let Some(board) = random_board(&mut random, empties(done)) else {
            done += 1;
            continue;
        };
        done += 1;
        let value = minimax(board, &mut 0);
        check_modes(&mut solver, board, value, |child| Some(minimax(child, &mut 0)));
    }
}

#[test]
fn up_to_seven_empties_against_minimax() {
    against_minimax(1, 1600, |index| (index % 8) as u32);
}

#[test]
#[ignore = "takes minutes"]
fn twenty_thousand_up_to_eight_empties_against_minimax() {
    against_minimax(2, 20_000, |index| (index % 9) as u32);
}

#[test]
#[ignore = "takes minutes"]
fn five_hundred_of_ten_empties_against_minimax() {
    against_minimax(3, 500, |_| 10);
}

/// Final margins with the empties for the winner.
struct Margin;

impl Evaluate<Position> for Margin {
    fn evaluate(&self, _: &Position) -> i32 {
        0
    }

    fn outcome_value(&self, outcome: Outcome) -> i32 {
        outcome.margin
    }
}

fn textbook_value(board: Board) -> i32 {
    let position = Position::new(board, Color::Black);
    search(&Settings::new(Method::Negamax), &position, &Margin, 60).value
}

fn against_textbook(seed: u64, positions: usize, empties: impl Fn(usize) -> u32) {
    let mut random = SplitMix64::new(seed);
    let mut solver = solver(Techniques::ALL, 1 << 20, 1);
    for index in 0..positions {
        if let Some(board) = random_board(&mut random, empties(index)) {
            check_modes(&mut solver, board, textbook_value(board), |_| None);
        }
    }
}

#[test]
fn eleven_empties_against_the_textbook() {
    against_textbook(4, 6, |_| 11);
}

#[test]
#[ignore = "takes minutes"]
fn eleven_to_fourteen_empties_against_the_textbook() {
    against_textbook(5, 120, |index| {
        if index < 60 {
            11
        } else if index < 100 {
            12
        } else {
            13 + index as u32 % 2
        }
    });
}

/// All modes agree between one and two threads, a tiny and a large table.
fn across_configurations(seed: u64, positions: usize, empties: impl Fn(usize) -> u32) {
    let mut random = SplitMix64::new(seed);
    let mut reference = solver(Techniques::ALL, 16 << 20, 1);
    let mut solvers = [
        solver(Techniques::ALL, 64 << 10, 1),
        solver(Techniques::ALL, 64 << 10, 2),
        solver(Techniques::ALL, 16 << 20, 2),
    ];
    for index in 0..positions {
        let Some(board) = random_board(&mut random, empties(index)) else {
            continue;
        };
        let all = solve(&mut reference, board, SolverGoal::AllMoves);
        let value_of = |child: Board| {
            let mv = all
                .moves
                .iter()
                .find(|mv| board.play(mv.square.into()) == Ok(child));
            mv.map(|mv| -mv.value.get())
        };
        check_modes(&mut reference, board, all.value.get(), value_of);
        for solver in &mut solvers {
            check_modes(solver, board, all.value.get(), value_of);
        }
    }
}

#[test]
fn threads_and_table_sizes_agree() {
    across_configurations(6, 12, |index| 12 + index as u32 % 5);
}

#[test]
#[ignore = "takes minutes"]
fn threads_and_table_sizes_agree_up_to_eighteen_empties() {
    across_configurations(7, 140, |index| 5 + index as u32 % 14);
}

/// A thread that waits for others does not ask again and again for work that is decided already, however long they take
/// to notice it; with more threads than processors they take long.
#[test]
fn no_thread_takes_part_twice_in_one_node() {
    let threads = 8;
    let mut random = SplitMix64::new(8);
    let mut solver = solver(Techniques::ALL, 16 << 20, threads);
    for board in (0..6).filter_map(|_| random_board(&mut random, 18)) {
        solver.record(SystemClock::shared());
        solve(&mut solver, board, SolverGoal::Exact);
        let sharing = solver.recorded().expect("a recording");
        assert!(
            sharing.joins <= sharing.splits * (threads as u64 - 1),
            "{sharing:?}"
        );
        let helpers = sharing
            .waits
            .iter()
            .map(|wait| wait.thread)
            .filter(|&thread| thread != 0);
        assert!(helpers.max().is_some_and(|last| last < threads), "{sharing:?}");
        for wait in &sharing.waits {
            assert!(wait.begin + wait.length <= sharing.elapsed, "{wait:?}");
        }
    }
    assert_eq!(solver.recorded(), None);
}

#[test]
fn without_pruning_and_tables_the_nodes_are_the_tree() {
    let everything_off = Techniques {
        pruning: false,
        ..Techniques::ALL
    };
    let mut random = SplitMix64::new(8);
    let mut solver = solver(everything_off, 64, 1);
    for index in 0..300 {
        let Some(board) = random_board(&mut random, index % 9) else {
            continue;
        };
        let mut nodes = 0;
        let value = minimax(board, &mut nodes);
        let result = solve(&mut solver, board, SolverGoal::Exact);
        assert_eq!((result.value.get(), result.nodes), (value, nodes), "{board:?}");
    }
}

#[test]
fn each_technique_can_be_missing() {
    let all = Techniques::ALL;
    let variants = [
        Techniques { parity: false, ..all },
        Techniques {
            mobility: false,
            ..all
        },
        Techniques {
            evaluation: false,
            ..all
        },
        Techniques {
            stability: false,
            ..all
        },
        Techniques {
            enhanced_cutoffs: false,
            ..all
        },
        Techniques {
            private_table: false,
            ..all
        },
        Techniques {
            shared_table: false,
            ..all
        },
    ];
    let mut random = SplitMix64::new(9);
    let boards: Vec<Board> = (0..4)
        .filter_map(|index| random_board(&mut random, 11 + index))
        .collect();
    let mut reference = solver(all, 1 << 20, 1);
    for techniques in variants {
        let mut variant = solver(techniques, 1 << 20, 1);
        for &board in &boards {
            let expected = solve(&mut reference, board, SolverGoal::Exact).value;
            assert_eq!(
                solve(&mut variant, board, SolverGoal::Exact).value,
                expected,
                "{techniques:?} {board:?}"
            );
        }
    }
}

#[test]
fn the_same_question_costs_the_same_nodes() {
    let mut random = SplitMix64::new(10);
    let mut solver = solver(Techniques::ALL, 1 << 20, 1);
    let boards: Vec<Board> = (0..6).filter_map(|_| random_board(&mut random, 14)).collect();
    let ask = |solver: &mut Solver<HandMade>| -> Vec<SolveResult> {
        boards
            .iter()
            .map(|&board| solve(solver, board, SolverGoal::Exact))
            .collect()
    };
    let first = ask(&mut solver);
    assert_eq!(ask(&mut solver), first);
}

#[test]
fn special_positions() {
    let mut solver = solver(Techniques::ALL, 1 << 20, 1);
    let mut check = |player: u64, opponent: u64, value: i32, pv_len: usize| {
        let board = Board::new(Bitboard::new(player), Bitboard::new(opponent)).expect("disjoint");
        for goal in [SolverGoal::Exact, SolverGoal::AllMoves] {
            let result = solve(&mut solver, board, goal);
            assert_eq!(
                (result.verdict, result.value.get()),
                (Verdict::Exact, value),
                "{board:?}"
            );
            assert_eq!(result.pv.len(), pv_len, "{board:?}");
        }
        let wld = solve(&mut solver, board, SolverGoal::WinLossDraw);
        assert_eq!(wld.value.get(), 2 * value.signum());
    };
    check(!0, 0, 64, 0); // full
    check(0, !0, -64, 0);
    check(0xFFFF_FFFF, !0xFFFF_FFFF, 0, 0);
    check(0, 0, 0, 0); // nothing at all
    check(1, 0, 64, 0); // wiped out with 63 empties
    check(0b001, 0b010, 64, 1); // a wipe-out by the only move
    check(0b010, 0b001, -64, 2); // a pass, then a wipe-out
    check(!1 & !2, 0, 64, 0); // two empties, no opponent
}

/// A clock that stands still, counts how often it is read, and stops a token at a certain reading.
struct CountingClock {
    readings: AtomicU64,
    stop_at: u64,
    stop: StopToken,
}

impl CountingClock {
    /// Returns a clock that stops `stop` at its reading number `stop_at`.
    fn new(stop: &StopToken, stop_at: u64) -> Arc<Self> {
        Arc::new(Self {
            readings: AtomicU64::new(0),
            stop_at,
            stop: stop.clone(),
        })
    }

    /// Returns a control that reads this clock whenever a search asks it.
    fn control(self: &Arc<Self>) -> Control {
        Control::new(
            self.stop.clone(),
            self.clone(),
            Some(Duration::from_secs(1)),
            None,
        )
    }

    fn readings(&self) -> u64 {
        self.readings.load(Ordering::SeqCst)
    }
}

impl Clock for CountingClock {
    fn now(&self) -> Duration {
        if self.readings.fetch_add(1, Ordering::SeqCst) + 1 == self.stop_at {
            self.stop.stop();
        }
        Duration::ZERO
    }
}

/// Stops searches that would take long, at many moments; returns the worst latency.
///
/// However busy the machine is, no thread asks its control again after it has heard of the stop.
fn stops(threads: usize, count: u32) -> Duration {
    let mut random = SplitMix64::new(11);
    let mut solver = solver(Techniques::ALL, 16 << 20, threads);
    let mut worst = Duration::ZERO;
    for _ in 0..count {
        let Some(board) = random_board(&mut random, 30) else {
            continue;
        };
        let stop = StopToken::new();
        let clock = CountingClock::new(&stop, u64::MAX);
        let wait = Duration::from_micros(random.below(20_000) as u64);
        let result = std::thread::scope(|scope| {
            let asked = scope.spawn(|| {
                std::thread::sleep(wait);
                stop.stop();
                (Instant::now(), clock.readings())
            });
            let result = solver.solve(board, SolverGoal::Exact, &clock.control());
            let ended = Instant::now();
            let (stopped, readings) = asked.join().expect("no panic");
            worst = worst.max(ended.saturating_duration_since(stopped));
            // A thread may have looked at the token just before, and read the clock just after.
            let late = clock.readings().saturating_sub(readings);
            assert!(late <= threads as u64, "{late} readings after the stop");
            result
        });
        assert!(matches!(result.verdict, Verdict::Aborted | Verdict::Exact));
        let small = loop {
            if let Some(board) = random_board(&mut random, 9) {
                break board;
            }
        };
        assert_eq!(
            solve(&mut solver, small, SolverGoal::Exact).value.get(),
            textbook_value(small),
            "unusable after a stop"
        );
    }
    worst
}

#[test]
fn a_stopped_solver_stays_usable() {
    stops(1, 8);
    stops(2, 8);
}

/// However busy the machine is: a search reads its control at least every 1,024 positions, and enters no more than
/// that after it has been stopped.
#[test]
fn a_stop_is_heard_within_1024_positions() {
    let mut random = SplitMix64::new(12);
    let board = loop {
        if let Some(board) = random_board(&mut random, 28) {
            break board;
        }
    };
    for (threads, stop_at) in [(1, 2), (1, 3), (1, 50), (1, 400), (2, 50), (2, 400)] {
        let mut solver = solver(Techniques::ALL, 1 << 20, threads);
        let clock = CountingClock::new(&StopToken::new(), stop_at);
        let result = solver.solve(board, SolverGoal::Exact, &clock.control());
        assert_eq!(
            result.verdict,
            Verdict::Aborted,
            "{threads} threads, reading {stop_at}"
        );
        let most = (stop_at + threads as u64) * Control::POLL;
        assert!(
            result.nodes <= most,
            "{threads} threads stopped at reading {stop_at}: {} positions, at most {most}",
            result.nodes
        );
        let late = clock.readings() - stop_at;
        assert!(late < threads as u64, "{late} readings after the stop");
    }
}

#[test]
#[ignore = "takes half a minute; prints the worst latency"]
#[allow(clippy::print_stderr, reason = "the figure is the point")]
fn a_thousand_stops() {
    for threads in [1, 2] {
        let worst = stops(threads, 500);
        eprintln!("{threads} threads, 500 stops: worst latency {worst:?}");
    }
}
