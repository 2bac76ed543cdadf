//! `outflank bench --game gomoku`: fixed work, so that changes can be told from noise.

use outflank_gomoku::{Board, Color, Rule};
use outflank_gomoku_engine::{Engine, EngineConfig, Request};
use outflank_records::gomoku;
use outflank_search::StopToken;
use outflank_terminal::output::{self, Status, grouped};
use serde_json::json;
use std::time::Instant;

/// Openings and middle games of our own games, one a rule set and two for free-style.
const POSITIONS: [(Rule, &str); 5] = [
    (Rule::Freestyle, "h8i9g6j5e10k11"),
    (Rule::Freestyle, "h8g7i9g9j10g10g8i8h7f9h9h10"),
    (Rule::Standard, "h8i8j6i7f7g6"),
    (Rule::Renju, "h8i9j10i8i7g9"),
    (Rule::Caro, "h8h9j9j8f8i7"),
];

/// Searches fixed positions; with more than one thread the node count varies.
pub(crate) fn run(threads: u16, json: bool) -> anyhow::Result<Status> {
    let mut engine = Engine::with(EngineConfig {
        table_bytes: 16 << 20,
        vct_nodes: 5_000,
        threads: usize::from(threads),
        ..EngineConfig::default()
    })?;
    let start = Instant::now();
    let mut nodes = 0;
    for (rule, moves) in POSITIONS {
        let board = gomoku::read(moves)?.value.board(rule, 15)?;
        engine.clear();
        let request = Request::new(board).depth(6).nodes(400_000);
        nodes += engine.search(&request, &StopToken::new(), &mut |_| {}).nodes;
    }
    let seconds = start.elapsed().as_secs_f64();
    let (pairs, pair_seconds) = moves_and_undos()?;
    let nps = nodes as f64 / seconds;
    let pair_rate = pairs as f64 / pair_seconds;
    if json {
        let object = json!({"signature": nodes, "nodes": nodes, "seconds": seconds, "nps": nps.round(),
            "move_undo_pairs_per_second": pair_rate.round()});
        output::line(&object.to_string())?;
    } else {
        output::line(&format!("{} positions in {seconds:.3} s", POSITIONS.len()))?;
        output::line(&format!(
            "{} nodes, {:.0} thousand a second",
            grouped(nodes),
            nps / 1e3
        ))?;
        output::line(&format!(
            "{:.2} million move-and-undo pairs a second (free-style)",
            pair_rate / 1e6
        ))?;
        output::line(&format!("Bench: {nodes}"))?;
    }
    Ok(Status::Success)
}

/// Places and takes back pairs of stones around the center; returns how many pairs and the seconds.
fn moves_and_undos() -> anyhow::Result<(u64, f64)> {
    let mut board: Board = gomoku::read(POSITIONS[1].1)?.value.board(Rule::Freestyle, 15)?;
    let empties: Vec<_> = board
        .empties()
        .iter()
        .filter(|point| (3..12).contains(&point.x()) && (3..12).contains(&point.y()))
        .collect();
    let start = Instant::now();
    let mut pairs = 0;
    while start.elapsed().as_millis() < 500 {
        for &first in &empties {
            board.place(first, Color::Black);
            for &second in empties.iter().filter(|&&second| second != first) {
                board.place(second, Color::White);
                board.unplace();
                pairs += 1;
            }
            board.unplace();
            pairs += 1;
        }
    }
    Ok((pairs, start.elapsed().as_secs_f64()))
}
