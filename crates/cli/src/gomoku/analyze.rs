//! `outflank analyze --game gomoku`: the best moves of a position.

use super::input::{PositionArgs, history_text, line_json, points, side_text, value_text};
use crate::output::{self, Status};
use outflank_gomoku_engine::{Engine, EngineConfig, Line, Request};
use outflank_search::{Limits, StopToken};
use serde_json::json;
use std::time::{Duration, Instant};

/// Think about a Gomoku position and show the best moves with their lines.
///
/// Values are chances to win in percent for the side to move; `+M7` is a proven win with at most 7 more stones.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank analyze --game gomoku h8g7f6g8g9 --time 2\n  \
    outflank analyze --game gomoku --rule standard h8 --depth 8 --top 3 --json")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Greatest depth in stones.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Seconds; 5 if no other limit is given.
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Greatest number of positions.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Number of moves to show.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    top: u32,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=1 << 16))]
    hash: u64,
    /// Threads that search one position.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Returns `seconds` as a duration.
pub(super) fn duration(seconds: f64) -> anyhow::Result<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| anyhow::anyhow!("{seconds} is no time: give seconds, from 0 up"))
}

/// Runs the command.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let board = args.position.board()?;
    let unlimited = args.depth.is_none() && args.nodes.is_none();
    let time = args.time.or(unlimited.then_some(5.0)).map(duration).transpose()?;
    let limits = Limits {
        depth: args.depth,
        nodes: args.nodes,
        time,
        ..Limits::default()
    };
    let request = Request::new(board.clone())
        .limits(limits)
        .lines(args.top as usize);
    let mut engine = Engine::with(EngineConfig {
        table_bytes: (args.hash << 20) as usize,
        threads: usize::from(args.threads),
        ..EngineConfig::default()
    })?;
    let start = Instant::now();
    let mut failed = Ok(());
    let outcome = engine.search(&request, &StopToken::new(), &mut |news| {
        if !args.json && failed.is_ok() {
            failed = output::line(&format!(
                "depth {}, {} nodes, {:.2} s: {}",
                news.stage.depth,
                news.nodes,
                news.elapsed.as_secs_f64(),
                plain(&news.line)
            ));
        }
    });
    failed?;
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        let lines = if outcome.best_move().is_some() {
            outcome.lines.as_slice()
        } else {
            &[]
        };
        let mut object = lines.first().map_or_else(|| json!({}), line_json);
        object["history"] = json!(history_text(&board));
        object["side"] = json!(side_text(&board));
        object["nodes"] = json!(outcome.nodes);
        object["seconds"] = json!((seconds * 1000.0).round() / 1000.0);
        object["lines"] = lines.iter().map(line_json).collect();
        output::line(&object.to_string())?;
    } else if outcome.best_move().is_some() {
        let line = outcome.best();
        let proof = engine.proof().map_or(String::new(), |proof| {
            format!(", proof of {} moves verified", proof.n_moves())
        });
        output::line(&format!(
            "best: {}{proof}; {} nodes, {seconds:.2} s",
            plain(line),
            outcome.nodes
        ))?;
    } else {
        output::line("the game is over")?;
    }
    Ok(Status::Success)
}

/// Returns a line for the terminal.
fn plain(line: &Line) -> String {
    format!("{} {}", value_text(line.value), points(&line.moves).join(" "))
}
