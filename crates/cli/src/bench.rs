//! `outflank bench`: fixed work, so that changes can be told from noise.

use crate::{
    gomoku,
    options::{GameArgs, GameName},
};
use anyhow::Context;
use outflank_eval::Patterns;
use outflank_othello_engine::{Engine, EngineConfig, Request, SolverGoal};
use outflank_records::paste;
use outflank_search::{Control, StopToken};
use outflank_terminal::output::{self, Status, grouped};
use serde_json::json;
use std::time::Instant;

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
    pub(crate) threads: u16,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The midgame positions: openings of eight moves.
const OPENINGS: [&str; 4] = [
    "f5d6c4d3c2b3b4b5",
    "f5f6d3c5d6c7b5e3",
    "f5f4e3d2c3e6e1g5",
    "f5d6c3d3c4f4f6g5",
];
/// Depth of their searches, in placed discs.
const DEPTH: u32 = 12;

/// The endgame positions: the first part of the FFO test.
const ENDGAMES: &str = include_str!("../../../data/fforum-1-19.obf");

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    args.game.refuse(
        GameName::Gomoku,
        &[
            ("--rule", args.game.rule.is_some()),
            ("--size", args.game.size.is_some()),
        ],
    )?;
    if args.game.is_gomoku() {
        return gomoku::bench(args.threads, args.json);
    }
    args.game
        .refuse(GameName::Othello, &[("--threads", args.threads > 1)])?;
    let positions = paste(ENDGAMES).context("the built-in positions")?.items;
    let mut engine = new_engine()?;
    let start = Instant::now();
    let mut nodes = 0;
    for item in &positions {
        nodes += engine
            .solve(item.position().board(), SolverGoal::Exact, &Control::unlimited())
            .nodes;
    }
    let endgame = Part {
        name: "endgames",
        positions: positions.len(),
        nodes,
        seconds: start.elapsed().as_secs_f64(),
    };
    let parts = [midgame(&mut engine)?, endgame];
    let nodes: u64 = parts.iter().map(|part| part.nodes).sum();
    let seconds: f64 = parts.iter().map(|part| part.seconds).sum();
    if args.json {
        let mut bench = json!({
            "signature": nodes, "nodes": nodes, "seconds": seconds, "nps": (nodes as f64 / seconds).round(),
        });
        for part in &parts {
            bench[part.name] = json!({"nodes": part.nodes, "seconds": part.seconds});
        }
        output::line(&bench.to_string())?;
    } else {
        for part in &parts {
            output::line(&format!(
                "{} {}: {} nodes in {:.3} s, {:.2} million a second",
                part.positions,
                part.name,
                grouped(part.nodes),
                part.seconds,
                part.nodes as f64 / part.seconds / 1e6,
            ))?;
        }
        output::line(&format!("Bench: {nodes}"))?;
    }
    Ok(Status::Success)
}

/// What one part of the work took.
struct Part {
    name: &'static str,
    positions: usize,
    nodes: u64,
    seconds: f64,
}

/// Returns an engine of one thread.
fn new_engine() -> anyhow::Result<Engine<Patterns>> {
    let config = EngineConfig {
        table_bytes: 32 << 20,
        ..EngineConfig::default()
    };
    Ok(Engine::with(config)?)
}

/// Searches the openings, forgetting everything before each.
fn midgame(engine: &mut Engine<Patterns>) -> anyhow::Result<Part> {
    let start = Instant::now();
    let mut nodes = 0;
    for opening in OPENINGS {
        let positions = paste(opening).context("the built-in openings")?.items;
        for item in &positions {
            engine.clear();
            nodes += engine
                .search(
                    &Request::new(*item.position()).depth(DEPTH),
                    &StopToken::new(),
                    &mut |_| {},
                )
                .nodes;
        }
    }
    Ok(Part {
        name: "midgames",
        positions: OPENINGS.len(),
        nodes,
        seconds: start.elapsed().as_secs_f64(),
    })
}
