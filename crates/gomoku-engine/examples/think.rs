//! Thinks about one position and prints every iteration: `think [rule] [size] [limit] [moves] [lines]
//! [threads] [nodes of the search for wins by threats]`.
//!
//! The limit is a number of seconds, or of nodes with an `n` behind it.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use outflank_gomoku::{Board, Point};
use outflank_gomoku_engine::{Engine, EngineSettings, Event, SearchLimits};
use outflank_search::{Limits, StopToken, SystemClock};
use std::time::{Duration, Instant};

/// Splits `h8h9i10` into points.
fn moves(text: &str) -> Vec<Point> {
    let mut starts: Vec<usize> = text
        .char_indices()
        .filter(|(_, c)| c.is_ascii_alphabetic())
        .map(|(i, _)| i)
        .collect();
    starts.push(text.len());
    starts
        .windows(2)
        .map(|pair| text[pair[0]..pair[1]].parse().expect("a point"))
        .collect()
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |i: usize, default: &str| args.get(i).cloned().unwrap_or_else(|| default.to_owned());
    let mut board = Board::new(
        arg(0, "freestyle").parse().expect("a rule set"),
        arg(1, "15").parse().expect("a size"),
    )
    .expect("a size");
    for mv in moves(&arg(3, "h8g7f6g8g9")) {
        board.play(mv).expect("a legal move");
    }
    println!("{board}");
    let clock = SystemClock::shared();
    let mut engine = Engine::new(EngineSettings {
        threads: arg(5, "1").parse().expect("number"),
        vct_nodes: arg(6, "200000").parse().expect("number"),
        ..EngineSettings::default()
    })
    .expect("memory");
    let limit = arg(2, "1");
    let nodes = limit.strip_suffix('n').map(|nodes| nodes.parse().expect("nodes"));
    let time = nodes.is_none().then(|| limit.parse().expect("seconds"));
    let limits = SearchLimits {
        limits: Limits {
            nodes,
            time: time.map(Duration::from_secs_f64),
            ..Limits::default()
        },
        top: arg(4, "1").parse().expect("number"),
        ..SearchLimits::default()
    };
    let begin = Instant::now();
    let outcome = engine.search(
        &board,
        &limits,
        &clock,
        &StopToken::new(),
        &mut |event| match event {
            Event::Progress {
                lines,
                nodes,
                deepest,
            } => {
                for line in lines {
                    println!(
                        "depth {:2}/{deepest} {:>6} nodes {nodes} {:.3} s  {:?}",
                        line.depth,
                        line.value.to_string(),
                        begin.elapsed().as_secs_f64(),
                        line.moves
                    );
                }
            }
            Event::Proved { n_moves, nodes } => println!("proof of {n_moves} moves, {nodes} nodes"),
        },
    );
    println!(
        "{:?} {:?} in {:.3} s, {} nodes",
        outcome.best,
        outcome.lines,
        begin.elapsed().as_secs_f64(),
        outcome.nodes
    );
}
