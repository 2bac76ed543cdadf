//! `outflank analyze`: the best moves of a position, what they are worth, and what that is worth.

mod live;

use crate::{
    engine::{Resources, parse_clock, parse_seconds},
    input::{self, Source},
    output::{self, Status, grouped},
    values::{kind, number, opening_json, opening_of},
};
use live::Live;
use outflank_othello::{Move, Position};
use outflank_othello_engine::{Line, Outcome, Progress, Request};
use outflank_search::{GameClock, Goal, Level, Limits, StopToken, Verdict};
use outflank_study::names;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

/// Search positions for their best moves: exact where the end is in reach, an estimate with its depth and confidence
/// elsewhere.
///
/// Values are final disc differences expected for the side to move. The search ends at the first limit it reaches;
/// without any it lasts 5 seconds a position. Ctrl-C ends it early with what is known.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank analyze f5d6c3                                  5 seconds, the best move\n  \
    outflank analyze f5d6c3 --depth 14 --top 3               the three best moves, 14 discs ahead\n  \
    outflank analyze game.ggf --level 20 --json              the last position of each game\n  \
    outflank analyze 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X' --exact --top all")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one independent switch of the command line"
)]
pub(crate) struct Args {
    /// Positions, games (their last position) or files in any notation; `-` reads standard input.
    #[arg(required = true)]
    input: Vec<String>,
    /// Look N discs ahead; as many as there are empty squares solves the position.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Search each position for this long.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Enter at most N positions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search at a level from 1 to 60; see `outflank levels`.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    level: Option<u32>,
    /// Choose the time for one move from a game clock, in seconds: `300+2`.
    #[arg(long, value_name = "MAIN+INC", value_parser = parse_clock)]
    clock: Option<GameClock>,
    /// Search until the value is exact.
    #[arg(long)]
    exact: bool,
    /// Search until the winner is proven.
    #[arg(long, conflicts_with_all = ["exact", "depth", "level"])]
    wld: bool,
    /// Search without a limit, until everything is solved or Ctrl-C.
    #[arg(long, conflicts_with_all = ["depth", "time", "nodes", "level", "clock"])]
    forever: bool,
    /// How many of the best moves to value, or `all`.
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_top)]
    top: usize,
    /// Confidence of midgame values in percent: 73, 87, 95, 98, 99, or 100 for a search of the full width.
    #[arg(long, value_name = "PERCENT", default_value_t = 73, value_parser = clap::value_parser!(u8).range(1..=100))]
    confidence: u8,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object a position.
    #[arg(long)]
    json: bool,
}

/// Lasts if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

fn parse_top(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(lines @ 1..) => Ok(lines),
        _ if text == "all" => Ok(usize::MAX),
        _ => Err("a number from 1, or all".to_owned()),
    }
}

impl Args {
    fn request(&self) -> anyhow::Result<Request> {
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time,
            clock: self.clock,
            level: self.level.map(Level::new).transpose()?,
        };
        let unlimited = limits == Limits::default();
        if unlimited && !(self.exact || self.wld || self.forever) {
            limits.time = Some(DEFAULT_TIME);
        }
        let goal = match (self.exact, self.wld) {
            (true, _) => Goal::Exact,
            (_, true) => Goal::WinLossDraw,
            _ => Goal::Best,
        };
        Ok(Request::default()
            .limits(limits)
            .goal(goal)
            .lines(self.top)
            .confidence(self.confidence))
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let request = args.request()?;
    let mut engine = args.resources.engine()?;
    let stop = StopToken::new();
    let interrupt = stop.clone();
    // Only one handler can be set; the first one serves.
    drop(ctrlc::set_handler(move || interrupt.stop()));
    let mut live = Live::new(args.json);
    let tally = input::for_each(&Source::from_args(&args.input)?, |item| {
        let position = *item.position();
        let game = item.game();
        if stop.is_stopped() {
            return Ok(());
        }
        engine.clear();
        live.begin(&position, opening_of(&game).as_deref())?;
        let mut failure = None;
        let outcome = engine.search(&request.at(position), &stop, &mut |progress: &Progress| {
            if failure.is_none() {
                failure = live.progress(progress).err();
            }
        });
        if let Some(error) = failure {
            return Err(error);
        }
        if args.json {
            let mut object = describe(&position, &outcome);
            if let Some(opening) = names::of_game(&game) {
                object["opening"] = opening_json(opening);
            }
            output::line(&object.to_string())
        } else {
            live.end(&outcome)
        }
    })?;
    Ok(tally.status())
}

/// Returns the depth and confidence behind a value.
fn effort(position: &Position, verdict: Verdict) -> (u32, u8) {
    match verdict {
        Verdict::Estimate { depth, confidence } => (depth, confidence),
        Verdict::Aborted => (0, 0),
        _ => (position.board().empties().count(), 100),
    }
}

fn describe_line(position: &Position, line: &Line) -> Value {
    let (depth, confidence) = effort(position, line.verdict);
    json!({
        "move": line.moves.first().map(Move::to_string),
        "value": number(line),
        "kind": kind(line.verdict),
        "depth": depth,
        "confidence": confidence,
        "pv": line.moves.iter().map(Move::to_string).collect::<Vec<_>>(),
    })
}

fn describe(position: &Position, outcome: &Outcome) -> Value {
    let text = position.to_string();
    let (board, side) = text.split_once(' ').unwrap_or((&text, ""));
    let mut object = describe_line(position, outcome.best());
    object["board"] = json!(board);
    object["side"] = json!(side);
    object["nodes"] = json!(outcome.nodes);
    object["seconds"] = json!(outcome.elapsed.as_secs_f64());
    object["complete"] = json!(outcome.complete);
    object["lines"] = outcome
        .lines
        .iter()
        .map(|line| describe_line(position, line))
        .collect();
    object
}

/// Returns what a search took.
fn cost_text(nodes: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    format!(
        "{} positions, {seconds:.3} s, {:.2} million a second",
        grouped(nodes),
        nodes as f64 / seconds.max(1e-9) / 1e6
    )
}

/// Shared with [`live`].
type Lines = Vec<Arc<Line>>;
