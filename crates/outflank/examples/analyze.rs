//! Analyzes the position after some moves: progress on the way, and Enter stops it.
//!
//! `cargo run --release -p outflank --example analyze -- f5d6c3d3c4`

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use outflank::othello::Game;
use outflank::othello_engine::{Engine, Request};
use outflank::search::StopToken;
use std::{env, error::Error, io, thread, time::Duration};

fn main() -> Result<(), Box<dyn Error>> {
    let moves = env::args().nth(1).unwrap_or_else(|| "f5d6c3d3c4".to_owned());
    let game: Game = moves.parse()?;
    let mut engine = Engine::new()?;
    let stop = StopToken::new();
    let cancel = stop.clone();
    thread::spawn(move || {
        // The end of the input is no wish to stop.
        if io::stdin()
            .read_line(&mut String::new())
            .is_ok_and(|bytes| bytes > 0)
        {
            cancel.stop();
        }
    });
    let request = Request::new(*game.position()).time(Duration::from_secs(3));
    let outcome = engine.search(&request, &stop, &mut |news| {
        println!("depth {:2}  {:>6}", news.stage.depth, news.line.value);
    });
    let best = outcome.best();
    println!("{:?} {} discs, {:?}", best.moves, best.value, best.verdict);
    println!("{} positions in {:?}", outcome.nodes, outcome.elapsed);
    Ok(())
}
