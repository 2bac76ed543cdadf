//! `outflank solve`: exact scores of endgames.

use crate::{
    input::{self, Source},
    output::{self, Status, grouped},
};
use outflank_eval::Patterns;
use outflank_othello::{Discs, Move};
use outflank_othello_engine::{Goal, Kind, SolveResult, Solver, SolverOptions};
use outflank_records::{Content, Item, ScoredPosition};
use outflank_search::StopToken;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// Find the exact value of positions by perfect play to the end, and compare with the scores in the file.
///
/// Values are final disc differences for the side to move; the winner takes the empty squares.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank solve data/fforum-1-19.obf\n  \
    outflank solve 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X' --all-moves\n  \
    cat positions.txt | outflank solve - --json\n\
    Exit code 1 if a value differs from the one in the file.")]
pub(crate) struct Args {
    /// Positions, games (their last position) or files in any notation; `-` reads standard input.
    #[arg(required = true)]
    input: Vec<String>,
    /// The exact value of every legal move.
    #[arg(long, conflicts_with = "wld")]
    all_moves: bool,
    /// Only win, loss or draw: much faster.
    #[arg(long)]
    wld: bool,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    hash: u64,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Totals over all positions.
#[derive(Default)]
struct Summary {
    positions: u64,
    ok: u64,
    wrong: u64,
    nodes: u64,
    seconds: f64,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let goal = match (args.all_moves, args.wld) {
        (true, _) => Goal::AllMoves,
        (_, true) => Goal::WinLossDraw,
        _ => Goal::Exact,
    };
    let options = SolverOptions {
        table_bytes: (args.hash << 20) as usize,
        ..SolverOptions::default()
    };
    let mut solver = Solver::new(Patterns::embedded(), options)?;
    let mut summary = Summary::default();
    let tally = input::for_each(&Source::from_args(&args.input)?, |item| {
        let start = Instant::now();
        let result = solver.solve(item.position().board(), goal, &StopToken::new());
        let elapsed = start.elapsed();
        let expected = match &item.content {
            Content::Position(scored) => Expected::of(scored),
            Content::Game(_) => Expected::default(),
        };
        let ok = expected.agrees(&result);
        summary.positions += 1;
        summary.ok += u64::from(ok == Some(true));
        summary.wrong += u64::from(ok == Some(false));
        summary.nodes += result.nodes;
        summary.seconds += elapsed.as_secs_f64();
        if args.json {
            output::line(&describe(&item, &result, &expected, ok, elapsed).to_string())
        } else {
            output::line(&plain(&item, &result, &expected, ok, elapsed))
        }
    })?;
    if args.json {
        output::line(
            &json!({"summary": {
                "positions": summary.positions, "ok": summary.ok, "wrong": summary.wrong,
                "nodes": summary.nodes, "seconds": summary.seconds,
            }})
            .to_string(),
        )?;
    } else {
        output::line(&format!(
            "{} positions, {} of {} known values right, {} nodes, {:.3} s, {:.1} million nodes a second",
            summary.positions,
            summary.ok,
            summary.ok + summary.wrong,
            grouped(summary.nodes),
            summary.seconds,
            summary.nodes as f64 / summary.seconds / 1e6,
        ))?;
    }
    Ok(if summary.wrong > 0 {
        Status::CheckFailed
    } else {
        tally.status()
    })
}

/// What the input says about the values.
#[derive(Default)]
struct Expected {
    value: Option<Discs>,
    moves: Vec<(Move, Discs)>,
}

impl Expected {
    fn of(scored: &ScoredPosition) -> Self {
        Self {
            value: scored.expected(),
            moves: scored
                .scores
                .iter()
                .map(|score| (score.mv, score.discs))
                .collect(),
        }
    }

    /// Returns the value that the input gives a move.
    fn of_move(&self, mv: Move) -> Option<Discs> {
        self.moves
            .iter()
            .find(|(scored, _)| *scored == mv)
            .map(|&(_, discs)| discs)
    }

    /// Returns whether the result agrees with the input, `None` where the input says nothing.
    fn agrees(&self, result: &SolveResult) -> Option<bool> {
        let value = self.value?;
        let right = match result.kind {
            Kind::Exact => value == result.value,
            Kind::WinLossDraw => value.get().signum() == result.value.get().signum(),
            Kind::AtLeast => value >= result.value,
            Kind::AtMost => value <= result.value,
            Kind::Aborted => return None,
        };
        let best = result
            .pv
            .first()
            .and_then(|&mv| self.of_move(mv))
            .is_none_or(|discs| discs == value);
        let moves = result.moves.iter().all(|found| {
            self.of_move(Move::Place(found.square))
                .is_none_or(|expected| expected == found.value)
        });
        Some(right && (best || result.kind == Kind::WinLossDraw) && moves)
    }
}

const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Exact => "exact",
        Kind::WinLossDraw => "wld",
        Kind::AtLeast | Kind::AtMost => "bounds",
        Kind::Aborted => "aborted",
    }
}

fn name(item: &Item) -> String {
    match &item.content {
        Content::Position(scored) if !scored.comment.is_empty() => scored.comment.clone(),
        _ => format!("line {}", item.line),
    }
}

fn plain(
    item: &Item,
    result: &SolveResult,
    expected: &Expected,
    ok: Option<bool>,
    elapsed: Duration,
) -> String {
    let value = if result.kind == Kind::WinLossDraw {
        ["loss", "draw", "win"][(result.value.get().signum() + 1) as usize].to_owned()
    } else {
        result.value.to_string()
    };
    let best = result.pv.first().map_or("-".to_owned(), Move::to_string);
    let verdict = match (ok, expected.value) {
        (Some(true), _) => "  ok".to_owned(),
        (Some(false), Some(value)) => format!("  WRONG: the file says {value}"),
        _ => String::new(),
    };
    let moves: Vec<String> = result
        .moves
        .iter()
        .map(|found| format!("{} {}", found.square, found.value))
        .collect();
    let moves = moves.join(" ");
    format!(
        "{:<10} {:2} empties  {value:>4}  {best:4} {:>14} nodes {:9.3} s{verdict}{}{moves}",
        name(item),
        item.position().board().empties().count(),
        grouped(result.nodes),
        elapsed.as_secs_f64(),
        if moves.is_empty() { "" } else { "  " },
    )
}

fn describe(
    item: &Item,
    result: &SolveResult,
    expected: &Expected,
    ok: Option<bool>,
    elapsed: Duration,
) -> Value {
    let text = item.position().to_string();
    let (board, side) = text.split_once(' ').unwrap_or((&text, ""));
    let mut best: Vec<String> = result.pv.first().map(Move::to_string).into_iter().collect();
    if let Some(first) = result.moves.first() {
        let same = result.moves.iter().filter(|found| found.value == first.value);
        best = same.map(|found| found.square.to_string()).collect();
    }
    let mut object = json!({
        "id": name(item),
        "board": board,
        "side": side,
        "empties": item.position().board().empties().count(),
        "value": result.value.get(),
        "kind": kind_name(result.kind),
        "best": best,
        "pv": result.pv.iter().map(Move::to_string).collect::<Vec<_>>(),
        "nodes": result.nodes,
        "seconds": elapsed.as_secs_f64(),
    });
    if !result.moves.is_empty() {
        let values: Map<String, Value> = result
            .moves
            .iter()
            .map(|found| (found.square.to_string(), json!(found.value.get())))
            .collect();
        object["values"] = Value::Object(values);
    }
    if let (Some(value), Some(ok)) = (expected.value, ok) {
        object["expected"] = json!(value.get());
        object["ok"] = json!(ok);
    }
    object
}
