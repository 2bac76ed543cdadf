//! `outflank train speed`: what an evaluation costs inside a search.

use super::weights;
use crate::output::{self, Status, grouped};
use outflank_eval::{Patterns, patterns::naive::Naive};
use outflank_othello::Board;
use outflank_train::{
    source::random_board,
    speed::{Nothing, Way, walk},
};
use serde_json::json;
use std::{path::PathBuf, time::Instant};

/// Measure the cost of an evaluation inside a search, beside a naive array and other ways to the same value.
///
/// Walks full-width trees from random positions at 20 to 44 empties; what the walk costs without an evaluation is
/// taken off.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  outflank train speed --repeat 5")]
pub(super) struct Args {
    /// Weight file (default: the weights inside the program).
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Interleaved repetitions, of which the smallest and the median are printed.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: u16,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Runs `train speed`.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let weights = weights(args.weights.as_deref())?;
    let (patterns, naive) = (Patterns::new(&weights), Naive::new(weights));
    let boards: Vec<Board> = (0..20)
        .map(|seed| random_board(seed, 20 + 24 * seed as usize / 19))
        .collect();
    let (recomputed, array, light) = (
        Way::Recomputed(&patterns),
        Way::Array(&naive),
        Way::Light(&patterns),
    );
    let sum = |walk: &dyn Fn(Board) -> (u64, i64)| {
        let start = Instant::now();
        let leaves: u64 = boards
            .iter()
            .map(|&board| std::hint::black_box(walk(board)).0)
            .sum();
        (start.elapsed().as_secs_f64() * 1e9 / leaves as f64, leaves)
    };
    let names = ["incremental", "recomputed", "light", "naive array"];
    let mut times = [const { Vec::new() }; 4];
    let mut leaves = 0;
    for _ in 0..args.repeat {
        let (nothing, n) = sum(&|board| walk(&Nothing, board, 4));
        leaves = n;
        times[0].push(sum(&|board| walk(&patterns, board, 4)).0 - nothing);
        times[1].push(sum(&|board| walk(&recomputed, board, 4)).0 - nothing);
        times[2].push(sum(&|board| walk(&light, board, 4)).0 - nothing);
        // The array is slow: a smaller tree.
        let (nothing, _) = sum(&|board| walk(&Nothing, board, 3));
        times[3].push(sum(&|board| walk(&array, board, 3)).0 - nothing);
    }
    if !args.json {
        output::line(&format!(
            "{} evaluations a repetition; nanoseconds each",
            grouped(leaves)
        ))?;
    }
    for (name, mut times) in names.into_iter().zip(times) {
        times.sort_by(f64::total_cmp);
        let (least, median) = (times[0], times[times.len() / 2]);
        if args.json {
            output::line(&json!({"way": name, "min_ns": (least * 10.0).round() / 10.0, "median_ns": (median * 10.0).round() / 10.0}).to_string())?;
        } else {
            output::line(&format!("{name:12} least {least:7.1}  median {median:7.1}"))?;
        }
    }
    Ok(Status::Success)
}
