//! How the cost of solving grows with the empties: a fitted factor per empty, and a plot.
//!
//! `cargo run --release -p outflank-study --example growth -- PLOT.svg ANSWERS.jsonl…`
//!
//! The answers are what `outflank solve --json` prints. Nodes and seconds are averaged geometrically by empties, and
//! a line is fitted to their logarithms by least squares, each number of empties counting once.

#![allow(clippy::print_stdout, reason = "a command-line tool")]

use outflank_study::{batch::Answer, growth::Growth};
use std::fs;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let plot = args.next().ok_or("usage: growth PLOT.svg ANSWERS.jsonl…")?;
    let mut answers = Vec::new();
    for path in args {
        let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        answers.extend(text.lines().filter_map(|line| Answer::from_json(line).ok()));
    }
    let growth = Growth::fit(&answers).ok_or("no two numbers of empties with exact answers")?;
    for point in &growth.points {
        println!(
            "{:2} empties  {:3} positions  {:14.0} nodes  {:10.6} s",
            point.empties, point.positions, point.nodes, point.seconds
        );
    }
    println!(
        "factor per empty: nodes {:.3}, seconds {:.3}",
        growth.nodes.factor, growth.seconds.factor
    );
    fs::write(&plot, growth.to_svg())?;
    Ok(())
}
