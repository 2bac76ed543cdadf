//! `outflank mcp`: the engines as tools of the Model Context Protocol.

use crate::options::table_megabytes;
use outflank_api::messages::MostOf;
use outflank_mcp::{Settings, serve};
use outflank_search::SystemClock;
use outflank_terminal::{ending, output::Status};

/// Lend the engines to a program that speaks the Model Context Protocol, over standard input and output.
///
/// Its tools are analyze, solve, review, convert and opening, for both games where that makes sense. They take text and
/// answer with the objects of --json; they open no files and start no programs. One search runs at a time. The input's end or
/// Ctrl-C ends the program.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank mcp\n  \
    outflank mcp --hash 256 --limit-seconds 20\n\n\
    In the settings of a program that starts such servers:\n  \
    {\"mcpServers\": {\"outflank\": {\"command\": \"outflank\", \"args\": [\"mcp\"]}}}")]
pub(crate) struct Args {
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = table_megabytes())]
    hash: u64,
    /// Most seconds of a search.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    limit_seconds: f64,
    /// Highest level.
    #[arg(long, value_name = "LEVEL", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=60))]
    limit_level: u32,
    /// Most positions of a call.
    #[arg(long, value_name = "N", default_value_t = 200)]
    limit_positions: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let stop = ending::stop_on_request()?;
    let settings = Settings {
        limits: MostOf {
            seconds: Some(args.limit_seconds),
            level: Some(args.limit_level),
            positions: Some(args.limit_positions),
        },
        table_bytes: args.hash << 20,
        clock: SystemClock::shared(),
    };
    serve(settings, &stop)?;
    Ok(Status::Success)
}
