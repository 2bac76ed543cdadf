//! `outflank train probcut`: the statistics of Multi-ProbCut for a set of weights.

use super::files::evaluator;
use anyhow::Context;
use outflank_eval::HandMade;
use outflank_search::StopToken;
use outflank_terminal::output::{self, Status, complain};
use outflank_train::probcut::{ProbCutFit, ProbCutOptions, ProbCutSample, collect, fit};
use std::{fs, path::PathBuf, sync::Arc};

/// Measure how well shallow searches predict deep ones, and write the table that the selective search uses.
///
/// The positions come from games that the evaluator plays against itself with some random moves, so nothing else is
/// needed; the same seed gives the same table.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  \
    outflank train probcut crates/othello-engine/src/probcut/embedded.txt --positions 1000")]
pub(crate) struct Args {
    /// File to write.
    output: PathBuf,
    /// Weight file (default: the weights inside the program).
    #[arg(long, value_name = "FILE", conflicts_with = "hand_made")]
    weights: Option<PathBuf>,
    /// Fit the hand-made evaluator instead.
    #[arg(long)]
    hand_made: bool,
    /// Positions searched at every depth.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    positions: usize,
    /// Deepest search, full width.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(3..=16))]
    depth: u32,
    /// Positions solved besides.
    #[arg(long, value_name = "N", default_value_t = 600)]
    solved: usize,
    /// Most empties of those.
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = clap::value_parser!(u32).range(10..=24))]
    solved_empties: u32,
    /// Seed of the games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let options = ProbCutOptions {
        positions: args.positions,
        depth: args.depth,
        solved: args.solved,
        solved_empties: args.solved_empties,
        seed: args.seed,
    };
    let stop = StopToken::new();
    let total = args.positions + args.solved;
    let mut progress = |done: usize| {
        if done.is_multiple_of(100) {
            complain(&format!("{done} of {total} positions"));
        }
    };
    let samples: Vec<ProbCutSample> = if args.hand_made {
        collect(&Arc::new(HandMade), &options, &stop, &mut progress)?
    } else {
        let evaluator = Arc::new(evaluator(args.weights.as_deref())?);
        collect(&evaluator, &options, &stop, &mut progress)?
    };
    let ProbCutFit { table, report } = fit(&samples);
    fs::write(&args.output, table.to_string()).with_context(|| args.output.display().to_string())?;
    output::write_all(report.as_bytes())?;
    Ok(Status::Success)
}
