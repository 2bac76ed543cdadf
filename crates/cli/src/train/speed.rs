//! `outflank train speed`: what an evaluation costs inside a search.

use super::files::weights;
use outflank_terminal::output::{self, Status};
use outflank_train::speed::measure;
use std::path::PathBuf;

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
    let costs = measure(weights(args.weights.as_deref())?, args.repeat);
    if args.json {
        costs
            .ways
            .iter()
            .try_for_each(|way| output::line(&way.to_json().to_string()))?;
    } else {
        output::write_all(costs.to_string().as_bytes())?;
    }
    Ok(Status::Success)
}
