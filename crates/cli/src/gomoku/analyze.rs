//! `outflank analyze --game gomoku`: the best moves of a position.

use super::input::{PositionArgs, history_text, line_json, points, side_text, value_text};
use crate::{
    live::Live,
    options::{LimitArgs, Resources, parse_top},
    output::{self, Status, grouped},
};
use outflank_gomoku::Point;
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
    #[command(flatten)]
    limits: LimitArgs,
    /// How many of the best moves to value, or `all`.
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_top)]
    top: usize,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Print every finished iteration, and then the result.
    #[arg(long, conflicts_with = "json")]
    verbose: bool,
}

/// Lasts if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Runs the command.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let board = args.position.board()?;
    let mut limits = args.limits.limits();
    if limits == Limits::default() {
        limits.time = Some(DEFAULT_TIME);
    }
    let request = Request::new(board.clone()).limits(limits).lines(args.top);
    let mut engine = Engine::with(EngineConfig {
        table_bytes: args.resources.table_bytes()?,
        threads: usize::from(args.resources.threads),
        ..EngineConfig::default()
    })?;
    let stop = StopToken::new();
    let interrupt = stop.clone();
    // Only one handler can be set; the first one serves.
    drop(ctrlc::set_handler(move || interrupt.stop()));
    let mut live = Live::new(args.json, args.verbose);
    let start = Instant::now();
    let mut failed = Ok(());
    let outcome = engine.search(&request, &stop, &mut |news| {
        if failed.is_ok() {
            let cost = format!(
                "depth {}, {} nodes, {:.2} s",
                news.stage.depth,
                grouped(news.nodes),
                news.elapsed.as_secs_f64()
            );
            let name = news
                .line
                .best()
                .as_ref()
                .map_or_else(String::new, Point::to_string);
            failed = live.stage(news.rank, &name, plain(&news.line), &cost);
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
    } else if outcome.best_move().is_none() {
        output::line("the game is over")?;
    } else {
        let proof = engine.proof().map_or(String::new(), |proof| {
            format!("proof of {} moves verified, ", proof.n_moves())
        });
        let cost = format!("{proof}{} nodes, {seconds:.2} s", grouped(outcome.nodes));
        live.end(outcome.lines.iter().map(plain).collect(), &cost)?;
    }
    Ok(if stop.is_stopped() {
        Status::CheckFailed
    } else {
        Status::Success
    })
}

/// Returns a line for the terminal.
fn plain(line: &Line) -> String {
    format!("{} {}", value_text(line.value), points(&line.moves).join(" "))
}
