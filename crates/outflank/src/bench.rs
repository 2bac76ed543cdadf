//! `outflank bench`: fixed work, so that changes can be told from noise.

use crate::output::{self, Status, grouped};
use anyhow::Context;
use outflank_eval::Patterns;
use outflank_othello_engine::{Goal, Solver, SolverOptions};
use outflank_records::paste;
use outflank_search::StopToken;
use serde_json::json;
use std::time::Instant;

/// Search fixed positions and print the node count, which is the same on every machine, and the speed, which is not.
///
/// One thread, fixed limits: the signature changes only when the search does.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  outflank bench\n  outflank bench --json")]
pub(crate) struct Args {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The endgame positions: the first part of the FFO test.
const ENDGAMES: &str = include_str!("../../../data/fforum-1-19.obf");

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let positions = paste(ENDGAMES).context("the built-in positions")?.items;
    let options = SolverOptions {
        table_bytes: 16 << 20,
        ..SolverOptions::default()
    };
    let mut solver = Solver::new(Patterns::embedded(), options)?;
    let start = Instant::now();
    let mut nodes = 0;
    for item in &positions {
        nodes += solver
            .solve(item.position().board(), Goal::Exact, &StopToken::new())
            .nodes;
    }
    let seconds = start.elapsed().as_secs_f64();
    let nps = nodes as f64 / seconds;
    if args.json {
        let bench = json!({"signature": nodes, "nodes": nodes, "seconds": seconds, "nps": nps.round()});
        output::line(&bench.to_string())?;
    } else {
        output::line(&format!("{} endgames in {seconds:.3} s", positions.len()))?;
        output::line(&format!(
            "{} nodes, {:.2} million a second",
            grouped(nodes),
            nps / 1e6
        ))?;
        output::line(&format!("Bench: {nodes}"))?;
    }
    Ok(Status::Success)
}
