//! `outflank bench`: fixed work, so that changes can be told from noise.

use crate::{
    engine::system_clock,
    options::{GameArgs, GameName},
};
use outflank_api::bench;
use outflank_terminal::{
    output::{self, Status},
    text,
};
use serde::Serialize;

/// Search fixed positions and print the node count, which is the same on every machine, and the speed, which is not.
///
/// One thread, fixed limits: the signature changes only when the search does.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  outflank bench\n  outflank bench --json")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Threads that search one position; Gomoku only, and with more than one the node count varies.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    args.game.refuse(
        GameName::Gomoku,
        &[
            ("--rule", args.game.rule.is_some()),
            ("--size", args.game.size.is_some()),
        ],
    )?;
    let clock = system_clock();
    if args.game.is_gomoku() {
        let bench = bench::gomoku(usize::from(args.threads), &clock)?;
        return show(args, &bench, &text::bench::gomoku(&bench));
    }
    args.game
        .refuse(GameName::Othello, &[("--threads", args.threads > 1)])?;
    let bench = bench::othello(&clock)?;
    show(args, &bench, &text::bench::othello(&bench))
}

fn show(args: &Args, bench: &impl Serialize, text: &str) -> anyhow::Result<Status> {
    if args.json {
        output::object(bench)?;
    } else {
        output::line(text)?;
    }
    Ok(Status::Success)
}
