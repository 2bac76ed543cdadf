//! Thinks about one position and prints every iteration: `think [rule] [size] [limit] [moves] [lines]
//! [threads] [nodes of the search for wins by threats] [shapes]`.
//!
//! The limit is a number of seconds, or of nodes with an `n` behind it. With `shapes` the weights of the shapes value
//! positions, not the network.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use outflank_gomoku::{Board, notation::parse_moves};
use outflank_gomoku_engine::{Engine, EngineConfig, Request, tuning::Weights};
use outflank_search::{StopToken, SystemClock};
use std::time::Duration;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |i: usize, default: &str| args.get(i).cloned().unwrap_or_else(|| default.to_owned());
    let mut board = Board::new(
        arg(0, "freestyle").parse().expect("a rule set"),
        arg(1, "15").parse().expect("a size"),
    )
    .expect("a size");
    for mv in parse_moves(&arg(3, "h8g7f6g8g9")).expect("moves") {
        board.play(mv).expect("a legal move");
    }
    println!("{board}");
    let config = EngineConfig {
        threads: arg(5, "1").parse().expect("number"),
        vct_nodes: arg(6, "200000").parse().expect("number"),
        ..EngineConfig::default()
    };
    let mut weights = Weights::default();
    if arg(7, "network") == "shapes" {
        weights.network = None;
    }
    let mut engine = Engine::with_weights(config, SystemClock::shared(), weights).expect("memory");
    let limit = arg(2, "1");
    let nodes = limit.strip_suffix('n').map(|nodes| nodes.parse().expect("nodes"));
    let time = nodes.is_none().then(|| limit.parse().expect("seconds"));
    let mut request = Request::new(board).lines(arg(4, "1").parse().expect("number"));
    request.limits.nodes = nodes;
    request.limits.time = time.map(Duration::from_secs_f64);
    let outcome = engine.search(&request, &StopToken::new(), &mut |news| {
        println!(
            "depth {:2} {:>6} nodes {} {:.3} s  {:?}",
            news.stage.depth,
            news.line.value.to_string(),
            news.nodes,
            news.elapsed.as_secs_f64(),
            news.line.moves
        );
    });
    println!(
        "{:?} {:?} in {:.3} s, {} nodes",
        outcome.best_move(),
        outcome.lines,
        outcome.elapsed.as_secs_f64(),
        outcome.nodes
    );
    if let Some(proof) = engine.proof() {
        println!("proof of {} moves", proof.n_moves());
    }
}
