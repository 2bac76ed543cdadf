//! What fixed work took.

use crate::output::grouped;
use outflank_api::bench::{GomokuBench, OthelloBench, Part};

/// Returns what the fixed work of Othello took.
pub fn othello(bench: &OthelloBench) -> String {
    let part = |name: &str, part: &Part| {
        format!(
            "{} {name}: {} nodes in {:.3} s, {:.2} million a second\n",
            part.positions,
            grouped(part.nodes),
            part.seconds,
            part.speed() / 1e6,
        )
    };
    let (midgames, endgames) = (
        part("midgames", &bench.midgames),
        part("endgames", &bench.endgames),
    );
    format!("{midgames}{endgames}Bench: {}", bench.signature)
}

/// Returns what the fixed work of Gomoku took.
pub fn gomoku(bench: &GomokuBench) -> String {
    format!(
        "{} positions in {:.3} s\n{} nodes, {:.0} thousand a second\n{:.2} million move-and-undo pairs a second \
         (free-style)\nBench: {}",
        bench.positions,
        bench.seconds,
        grouped(bench.nodes),
        bench.nps / 1e3,
        bench.move_undo_pairs_per_second / 1e6,
        bench.signature,
    )
}
