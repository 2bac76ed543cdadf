//! Plays a game between two engines: the champion and a textbook search, which need have nothing in common.
//!
//! `cargo run --release -p outflank --features laboratory --example two_engines`

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use outflank::{
    game::Evaluate,
    othello::Position,
    othello_engine::Engine as Champion,
    search::{Engine, Request, StopToken, SystemClock},
    textbook::{Method, SearchEngine, Settings},
};
use std::{error::Error, sync::Arc};

/// The evaluation of the textbook search: whoever has more moves is ahead.
struct Mobility;

impl Evaluate<Position> for Mobility {
    fn evaluate(&self, position: &Position) -> i32 {
        let board = position.board();
        board.mobility() as i32 - board.passed().mobility() as i32
    }
}

/// Plays one move of any engine.
fn play<E: Engine<Game = Position>>(
    engine: &mut E,
    position: &mut Position,
    depth: u32,
) -> Result<(), Box<dyn Error>> {
    let request = Request::new(*position).depth(depth);
    let outcome = engine.search(&request, &StopToken::new(), &mut |_| ());
    let mv = outcome.best().moves[0];
    println!("{:?} plays {mv}", position.side());
    Ok(position.play(mv)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut champion = Champion::new()?;
    let clock = Arc::new(SystemClock::new());
    let mut textbook = SearchEngine::new(Settings::new(Method::AlphaBeta), Mobility, clock);
    let mut position = Position::start();
    let first = position.side();
    while !position.is_game_over() {
        if position.side() == first {
            play(&mut champion, &mut position, 8)?;
        } else {
            play(&mut textbook, &mut position, 4)?;
        }
    }
    println!(
        "{position}\n{:?} ends with {} discs more",
        first,
        position.final_discs(first)
    );
    Ok(())
}
