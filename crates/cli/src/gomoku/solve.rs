//! `outflank solve --game gomoku`: forced wins, with their proof.

use super::input::board;
use crate::{engine::system_clock, options::GameName, solve::Args};
use outflank_api::solve::WinSearch;
use outflank_gomoku_engine::{Proof, ThreatSettings};
use outflank_search::StopToken;
use outflank_terminal::{
    output::{self, Status},
    text::points,
};
use std::time::Duration;

/// Time for a position if nothing else is said.
const DEFAULT_TIME: Duration = Duration::from_mins(1);

/// Finds a forced win for the side to move, by fours alone (VCF) or by fours and threats (VCT), and proves it.
///
/// Every win that is shown has been replayed against every answer on the board by an independent referee.
/// `none` means that no win exists by the moves considered, `unknown` that the limits ended the search.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    args.game.refuse(
        GameName::Gomoku,
        &[
            ("--all-moves", args.all_moves),
            ("--model", args.resources.model.path.is_some()),
            ("--wld", args.wld),
            ("--output", args.output.is_some()),
            ("--csv", args.csv),
            ("--shard", args.shard.count() > 1),
        ],
    )?;
    let board = board(&args.input, args.game)?;
    let own = &args.gomoku;
    let search = WinSearch {
        settings: ThreatSettings {
            cache: !own.no_cache,
            deepening: !own.no_deepening,
            free_fours: !own.no_extension,
            cache_bits: 20,
            ..ThreatSettings::default()
        },
        fours: own.vcf,
        depth: own.depth,
        time: args.time.unwrap_or(DEFAULT_TIME),
        nodes: own.nodes,
    };
    let win = search.find(&board, &system_clock(), &StopToken::new())?;
    let mut object = win.object;
    let (kind, nodes, seconds) = (object.kind.name(), object.nodes, object.seconds);
    if args.json {
        if args.omit_seconds {
            object.seconds = 0.0;
        }
        output::object(&object)?;
    } else if object.verified {
        output::line(&format!(
            "{kind}: {} wins with at most {} stones, {} moves in the proof, verified; {nodes} nodes, {seconds:.3} s",
            board.side(),
            object.depth,
            object.proof_moves
        ))?;
        output::line(&object.line.join(" "))?;
    } else {
        output::line(&format!("{kind}: {nodes} nodes, {seconds:.3} s"))?;
    }
    if let Some(proof) = win.proof.filter(|_| own.tree) {
        print_tree(&proof, 0)?;
    }
    Ok(Status::Success)
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
