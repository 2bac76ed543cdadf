//! The solver against independent answers: the test suites' and a file of 280,000 positions solved elsewhere.

#![allow(clippy::print_stderr, reason = "the figure is the point")]

use outflank_eval::HandMade;
use outflank_othello::{Bitboard, Board};
use outflank_othello_engine::{Solver, SolverGoal, SolverOptions};
use outflank_search::{Control, Verdict};
use outflank_testkit::data;

fn solver() -> Solver<HandMade> {
    Solver::new(HandMade, SolverOptions::default()).expect("64 MiB")
}

/// Checks every `step`-th record.
fn check_exact_file(step: usize) {
    let Some(bytes) = data("exact/exact-1-14.bin") else {
        return;
    };
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let mut solver = solver();
    let mut nodes = 0;
    for (index, record) in bytes.chunks_exact(17).enumerate().step_by(step) {
        let (player, opponent) = (word(&record[..8]), word(&record[8..16]));
        let board = Board::new(Bitboard::new(player), Bitboard::new(opponent)).expect("disjoint");
        let result = solver.solve(board, SolverGoal::Exact, &Control::unlimited());
        assert_eq!(
            (result.verdict, result.value.get()),
            (Verdict::Exact, i32::from(record[16] as i8)),
            "record {index}: {board:?}"
        );
        let mut end = board;
        for mv in &result.pv {
            end = end.play(*mv).expect("the line is legal");
        }
        let sign = if result.pv.len().is_multiple_of(2) { 1 } else { -1 };
        assert!(end.is_game_over(), "record {index}: the line ends early");
        assert_eq!(end.final_discs().get() * sign, result.value.get());
        nodes += result.nodes;
    }
    eprintln!("{nodes} nodes");
}

#[test]
fn a_sample_of_280_000_solved_positions() {
    check_exact_file(101);
}

#[test]
#[ignore = "takes minutes"]
fn all_of_280_000_solved_positions() {
    check_exact_file(1);
}
