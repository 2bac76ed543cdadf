//! Fits the evaluation to games of `selfplay`: `fit shapes GAMES WEIGHTS [epochs] [seed]` or
//! `fit network GAMES NETWORK [epochs] [seed]`.
//!
//! Every quiet position of a game (no five, no open four and no win by fours for the side to move) is a sample. Its label
//! mixes what a search said and how the game ended; the second only after the last move that was not the best. Games of
//! one in ten are kept apart for validation.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod network;
mod samples;
mod shapes;

use outflank_gomoku_engine::tuning::Network;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, what, games, out, rest @ ..] = &args[..] else {
        return Err("usage: fit shapes|network GAMES FILE [epochs] [seed]".into());
    };
    let number = |nth: usize, default: u64| rest.get(nth).map_or(Ok(default), |text| text.parse());
    let (n_epochs, seed) = (number(0, 8)? as usize, number(1, 1)?);
    let samples = samples::read(games)?;
    println!("{} samples", samples.len());
    let bytes = match &what[..] {
        "shapes" => shapes::fit(&samples, n_epochs, seed),
        "network" => {
            let bytes = network::fit(&samples, n_epochs, seed);
            Network::from_bytes(&bytes)?;
            bytes
        }
        other => return Err(format!("unknown fit {other}: shapes or network").into()),
    };
    std::fs::write(out, bytes)?;
    Ok(())
}
