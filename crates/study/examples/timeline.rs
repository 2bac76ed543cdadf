//! When the threads of a solve wait for each other: counts, and a picture of one solve.
//!
//! `cargo run --release -p outflank-study --example timeline -- PICTURE.svg "POSITION" [THREADS]`
//!
//! The position is 64 squares and the side to move. It is solved without a search before the proof. Every thread is a row,
//! time goes from left to right, and what is light is waiting.

#![allow(clippy::print_stdout, reason = "a command-line tool")]

use outflank_draw::{Paint, Svg};
use outflank_eval::Patterns;
use outflank_othello::Position;
use outflank_othello_engine::{
    Solver, SolverGoal, SolverOptions,
    tuning::{Sharing, Wait},
};
use outflank_search::{Control, SystemClock};
use std::{fs, time::Duration};

/// Width of the picture and height of a row, in units of the sheet.
const SIZE: (f64, f64) = (1200.0, 28.0);
/// Height of the title above the rows.
const HEAD: f64 = 36.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let usage = "usage: timeline PICTURE.svg \"POSITION\" [THREADS]";
    let picture = args.next().ok_or(usage)?;
    let position: Position = args.next().ok_or(usage)?.parse()?;
    let threads = args.next().map_or(Ok(2), |threads| threads.parse())?;
    let options = SolverOptions {
        threads,
        ..SolverOptions::default()
    };
    let mut solver = Solver::new(Patterns::embedded(), options)?;
    solver.record(SystemClock::shared());
    let result = solver.solve(position.board(), SolverGoal::Exact, &Control::unlimited());
    let sharing = solver.recorded().ok_or("nothing was recorded")?;
    let seconds = sharing.elapsed.as_secs_f64();
    println!(
        "{} in {seconds:.3} s, {} nodes; {} nodes shared out, {} times taken part in",
        result.value, result.nodes, sharing.splits, sharing.joins
    );
    for thread in 0..threads {
        let waits: Vec<Duration> = sharing
            .waits
            .iter()
            .filter(|wait| wait.thread == thread)
            .map(|wait| wait.length)
            .collect();
        let waited = waits.iter().sum::<Duration>().as_secs_f64();
        let longest = waits.iter().max().copied().unwrap_or_default();
        println!(
            "thread {thread}: waited {} times, {:.1} % of the time, at most {:.1} ms",
            waits.len(),
            100.0 * waited / seconds,
            1e3 * longest.as_secs_f64()
        );
    }
    fs::write(&picture, draw(&sharing, threads))?;
    Ok(())
}

/// Draws a row for each thread.
fn draw(sharing: &Sharing, threads: usize) -> String {
    let (width, row) = SIZE;
    let seconds = sharing.elapsed.as_secs_f64();
    let scale = width / seconds.max(1e-9);
    let title = format!("0 to {seconds:.3} s; one row a thread, light where it waits");
    let mut svg = Svg::new(width, HEAD + row * threads as f64, &title);
    let mut bar = |thread: usize, from: f64, length: f64, color: &str| {
        let corner = [from, HEAD + row * thread as f64];
        svg.rectangle(corner, [length, row - 4.0], Paint::fill(color));
    };
    for thread in 0..threads {
        bar(thread, 0.0, width, "#2a6f4e");
    }
    for Wait {
        thread,
        begin,
        length,
    } in &sharing.waits
    {
        bar(
            *thread,
            begin.as_secs_f64() * scale,
            length.as_secs_f64() * scale,
            "#f0d9a0",
        );
    }
    svg.finish()
}
