//! Solves every position of a file in any notation, and prints its exact score and best move.
//!
//! `cargo run --release -p outflank --example solve_file -- data/fforum-1-19.obf`

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use outflank::{
    othello_engine::{Engine, Request},
    records::read_items,
    search::StopToken,
};
use std::{env, error::Error, fs::File, io::BufReader};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which file?")?;
    let mut engine = Engine::new()?;
    for item in read_items(BufReader::new(File::open(&path)?)) {
        let item = item?;
        let request = Request::new(*item.position()).exact();
        let outcome = engine.search(&request, &StopToken::new(), &mut |_| ());
        let best = outcome.best();
        let mv = best
            .moves
            .first()
            .map_or_else(|| "-".to_owned(), ToString::to_string);
        println!("{}  {}  {mv}", request.position, best.value);
    }
    Ok(())
}
