//! Searches the ordering weights that need the fewest nodes on fixed positions, one weight at a time.
//!
//! `cargo run --release -p outflank-othello-engine --example tune_ordering -- ROUNDS FILE:FROM-TO…`
//!
//! Each weight in turn is moved up and down by a step that shrinks when nothing helps; a change stays if the sum of
//! the logarithms of the node counts falls. One line per improvement; the last is the result.

#![allow(clippy::print_stdout, reason = "a command-line tool")]

use outflank_eval::Patterns;
use outflank_othello::Board;
use outflank_othello_engine::{Solver, SolverGoal, SolverOptions, tuning::OrderingWeights};
use outflank_search::Control;
use std::{fs, sync::Arc};

/// Reads `board side`, the board as 64 cells.
fn parse(line: &str) -> Option<Board> {
    let cells = line.get(..64)?;
    let set = |disc: u8| {
        let bits = cells.bytes().enumerate().filter(|&(_, cell)| cell == disc);
        outflank_othello::Bitboard::new(bits.fold(0, |bits, (index, _)| bits | 1 << index))
    };
    let (black, white) = (set(b'X'), set(b'O'));
    if line[64..].trim_start().starts_with('O') {
        Board::new(white, black)
    } else {
        Board::new(black, white)
    }
}

fn cost(evaluator: &Arc<Patterns>, boards: &[Board], weights: OrderingWeights) -> f64 {
    let options = SolverOptions {
        table_bytes: 16 << 20,
        weights,
        ..SolverOptions::default()
    };
    let mut solver = Solver::new(Arc::clone(evaluator), options).expect("16 MiB");
    let logs = boards.iter().map(|&board| {
        let result = solver.solve(board, SolverGoal::Exact, &Control::unlimited());
        (result.nodes as f64).ln()
    });
    logs.sum::<f64>() / boards.len() as f64
}

/// The weights that are tuned.
fn fields(weights: &mut OrderingWeights) -> [&mut i32; 13] {
    let (middle, upper, top) = (&mut weights.middle, &mut weights.upper, &mut weights.top);
    [
        &mut middle.corner,
        &mut middle.parity,
        &mut middle.square,
        &mut middle.mobility,
        &mut middle.evaluation,
        &mut upper.corner,
        &mut upper.parity,
        &mut upper.square,
        &mut upper.evaluation,
        &mut top.corner,
        &mut top.parity,
        &mut top.square,
        &mut top.evaluation,
    ]
}

fn main() {
    let mut args = std::env::args().skip(1);
    let rounds: u32 = args
        .next()
        .and_then(|n| n.parse().ok())
        .expect("a number of rounds");
    let mut boards = Vec::new();
    for arg in args {
        let (file, range) = arg.split_once(':').expect("FILE:FROM-TO");
        let (from, to) = range.split_once('-').expect("FROM-TO");
        let (from, to): (usize, usize) = (from.parse().expect("a line"), to.parse().expect("a line"));
        let text = fs::read_to_string(file).expect("the file can be read");
        boards.extend(text.lines().take(to).skip(from - 1).filter_map(parse));
    }
    let evaluator = Arc::new(Patterns::embedded());
    let mut best = OrderingWeights::TUNED;
    let mut least = cost(&evaluator, &boards, best);
    println!(
        "{} positions, {:.0} nodes (geometric mean)",
        boards.len(),
        least.exp()
    );
    let mut steps = fields(&mut best.clone()).map(|weight| (*weight / 3).max(3));
    for round in 0..rounds {
        for (index, step) in steps.iter_mut().enumerate() {
            let mut improved = false;
            for sign in [1, -1] {
                let mut trial = best;
                *fields(&mut trial)[index] += sign * *step;
                let nodes = cost(&evaluator, &boards, trial);
                if nodes < least {
                    println!("round {round}: {:.0} nodes: {trial:?}", nodes.exp());
                    (best, least, improved) = (trial, nodes, true);
                    break;
                }
            }
            if !improved {
                *step = (*step / 2).max(1);
            }
        }
    }
    println!("{:.0} nodes: {best:?}", least.exp());
}
