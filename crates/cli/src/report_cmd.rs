//! `outflank report`: what somebody needs who is told that a value is wrong.

use crate::{
    engine::system_clock,
    options::{LimitArgs, Resources, parse_confidence, parse_search_level},
};
use anyhow::ensure;
use outflank_api::{
    report::{ReportRequest, SearchSettings, report},
    wire::LimitsObject,
};
use outflank_search::Level;
use outflank_terminal::{
    ending,
    input::{self, Source},
    output::{self, Status},
    text,
};
use std::fs;

/// Write a report about a value that you think is wrong, for others to look into: the program, the position, what the
/// engine answers, and what slower methods say that share little with it.
///
/// Up to 22 empty squares the solver is asked for the exact value, up to 14 a textbook alpha-beta search without tables,
/// up to 8 plain minimax on an array, too; each for at most a minute. The report has nothing of you but the position and the
/// name of your processor.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank report 'XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X' --expected 4 > report.md\n  \
    outflank report f5d6c3d3c4 --depth 14 --expected 2.5 > report.md\n  \
    outflank report game.ggf --level 20 --threads 2 --json\n\
    Exit code 1 if proven values contradict each other: then the program is wrong.")]
pub(crate) struct Args {
    /// A position, or a game, whose last position is meant, in any notation; a file; `-` reads standard input.
    #[arg(required = true)]
    input: Vec<String>,
    /// The value that you think is right, in discs for the side to move.
    #[arg(long, value_name = "DISCS", allow_negative_numbers = true, value_parser = parse_expected)]
    expected: Option<f64>,
    #[command(flatten)]
    far: LimitArgs,
    /// Search at a level from 1 to 60.
    #[arg(long, value_name = "N", value_parser = parse_search_level)]
    level: Option<Level>,
    /// Confidence of midgame values in percent: 73, 87, 95, 98, 99, or 100 for a search of the full width.
    #[arg(long, value_name = "PERCENT", default_value_t = 73, value_parser = parse_confidence)]
    confidence: u8,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Reads a number of discs.
fn parse_expected(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(discs) if (-64.0..=64.0).contains(&discs) => Ok(discs),
        _ => Err("a number of discs from -64 to 64".to_owned()),
    }
}

/// Returns the name of the processor, where the system says it.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let mut games = Vec::new();
    let tally = input::for_each(&Source::from_args(&args.input)?, |item| {
        games.push(item.game());
        Ok(())
    })?;
    ensure!(
        games.len() < 2,
        "a report is about one position; there are {}",
        games.len()
    );
    let Some(game) = games.pop() else {
        return Ok(tally.status());
    };
    let request = ReportRequest {
        game: &game,
        expected: args.expected,
        settings: SearchSettings {
            limits: LimitsObject {
                depth: args.far.depth,
                nodes: args.far.nodes,
                seconds: args.far.time.map(|time| time.as_secs_f64()),
                level: args.level.map(Level::number),
                ..LimitsObject::default()
            },
            confidence: args.confidence,
            threads: usize::from(args.resources.threads),
            table_bytes: args.resources.table_bytes()?,
        },
    };
    let mut engine = args.resources.engine()?;
    let found = report(
        &request,
        &mut engine,
        &system_clock(),
        &ending::stop_on_interrupt()?,
    )?;
    if args.json {
        output::object(&found)?;
    } else {
        let board = text::position::describe(&game, &[], false);
        output::line(&text::report::markdown(&found, &board, processor().as_deref()))?;
    }
    Ok(if found.contradiction {
        Status::CheckFailed
    } else {
        tally.status()
    })
}
