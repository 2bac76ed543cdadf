//! `outflank solve --game gomoku`: forced wins, proved.

use super::input::{PositionArgs, history_text, points, side_text};
use crate::{
    engine::system_clock,
    options::parse_seconds,
    output::{self, Status},
};
use outflank_gomoku::{Board, Color};
use outflank_gomoku_engine::{Answer, Budget, Proof, ThreatSearch, ThreatSettings, verify};
use outflank_search::{Control, StopToken};
use serde_json::json;
use std::time::{Duration, Instant};

/// Find a forced win for the side to move, by fours alone (VCF) or by fours and threats (VCT), and prove it.
///
/// Every win that is shown has been replayed against every answer on the board by an independent referee.
/// `none` means that no win exists by the moves considered, `unknown` that the limits ended the search.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank solve --game gomoku --rule renju h8i9h10i10j8j9i7k9h9h11k8i8\n  \
    outflank solve --game gomoku h8h9i8i9j8 --tree\n  \
    outflank solve --game gomoku --vcf h8i8 --json")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches of the command line"
)]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Only wins by fours.
    #[arg(long)]
    vcf: bool,
    /// Most threats (fours are free) in a line, instead of any number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Search for this long: seconds, or minutes:seconds.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    time: Duration,
    /// Enter at most N positions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Print the whole winning tree.
    #[arg(long)]
    tree: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Switch the cache off, to measure what it does.
    #[arg(long)]
    no_cache: bool,
    /// Switch iterative deepening off: search the full depth at once.
    #[arg(long)]
    no_deepening: bool,
    /// Let fours cost depth like threats.
    #[arg(long)]
    no_extension: bool,
}

/// What was found, by which method.
struct Found {
    kind: &'static str,
    depth: u32,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let board = args.position.board()?;
    if let Some(end) = board.end() {
        anyhow::bail!("the game is over: {}", end.name());
    }
    let settings = ThreatSettings {
        cache: !args.no_cache,
        deepening: !args.no_deepening,
        free_fours: !args.no_extension,
        cache_bits: 20,
        ..ThreatSettings::default()
    };
    let mut search = ThreatSearch::new(settings);
    let new_budget = || {
        Budget::new(Control::new(
            StopToken::new(),
            system_clock(),
            Some(args.time),
            args.nodes,
        ))
    };
    let mut budget = new_budget();
    let start = Instant::now();
    let mut own = board.clone();
    let side = board.side();
    let found = find(args, &mut search, &mut own, side, &mut budget);
    let seconds = start.elapsed().as_secs_f64();
    let nodes = budget.nodes();
    // The proof may take as long again: without it nothing is shown.
    let mut proving = new_budget();
    let proof = match &found {
        Found {
            kind: "none" | "unknown",
            ..
        } => None,
        Found { depth, .. } => search.prove(&mut own, side, *depth, 1_000_000, &mut proving),
    };
    let verified = proof
        .as_ref()
        .is_some_and(|proof| verify(&board, side, proof, &mut proving).is_ok());
    let kind = if found.kind.starts_with("vc") && !verified {
        "unknown"
    } else {
        found.kind
    };
    let line = proof
        .as_ref()
        .filter(|_| verified)
        .map(Proof::main_line)
        .unwrap_or_default();
    let depth = proof.as_ref().filter(|_| verified).map_or(0, Proof::longest);
    if args.json {
        let object = json!({
            "history": history_text(&board), "side": side_text(&board), "kind": kind, "depth": depth,
            "line": points(&line), "verified": verified, "nodes": nodes, "seconds": seconds,
            "proof_moves": proof.as_ref().map_or(0, Proof::n_moves),
        });
        output::line(&object.to_string())?;
    } else if verified {
        output::line(&format!(
            "{kind}: {side} wins with at most {depth} stones, {} moves in the proof, verified; {nodes} nodes, {seconds:.3} s",
            proof.as_ref().map_or(0, Proof::n_moves)
        ))?;
        output::line(&points(&line).join(" "))?;
    } else {
        output::line(&format!("{kind}: {nodes} nodes, {seconds:.3} s"))?;
    }
    if let Some(proof) = proof.filter(|_| args.tree && verified) {
        print_tree(&proof, 0)?;
    }
    Ok(Status::Success)
}

/// Looks for a win: by fours, then by few threats, then by proof numbers.
fn find(
    args: &Args,
    search: &mut ThreatSearch,
    board: &mut Board,
    side: Color,
    budget: &mut Budget,
) -> Found {
    let of = |kind: &'static str, answer: Answer| match answer {
        Answer::Win { depth, .. } => Some(Found {
            kind,
            depth: if kind == "vcf" { 0 } else { depth },
        }),
        Answer::NoWin { .. } | Answer::Unknown => None,
    };
    let fours = search.vcf(board, side, u32::MAX, budget);
    let mut unknown = fours == Answer::Unknown;
    if let Some(found) = of("vcf", fours) {
        return found;
    }
    if args.vcf {
        return Found {
            kind: if unknown { "unknown" } else { "none" },
            depth: 0,
        };
    }
    let threats = if let Some(depth) = args.depth {
        search.vct(board, side, depth, budget)
    } else {
        let mut part = budget.part(30_000, 0.2);
        let few = search.vct(board, side, 3, &mut part);
        budget.add_spent(&part);
        if matches!(few, Answer::Win { .. }) {
            few
        } else {
            search.vct_by_proof_numbers(board, side, budget)
        }
    };
    unknown |= threats == Answer::Unknown;
    of("vct", threats).unwrap_or(Found {
        kind: if unknown { "unknown" } else { "none" },
        depth: 0,
    })
}

/// Prints the moves of a proof, answers indented below their move.
fn print_tree(proof: &Proof, level: usize) -> anyhow::Result<()> {
    let indent = "  ".repeat(level);
    let rest = if proof.line.is_empty() {
        "five".to_owned()
    } else {
        format!("else {}", points(&proof.line).join(" "))
    };
    output::line(&format!("{indent}{} ({rest})", proof.mv))?;
    for (answer, next) in &proof.replies {
        output::line(&format!("{indent} {answer}:"))?;
        print_tree(next, level + 1)?;
    }
    Ok(())
}
