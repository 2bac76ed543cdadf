//! `outflank play --game gomoku`: a game in the terminal.

use super::{
    analyze::duration,
    input::{PositionArgs, points},
    time::system_clock,
};
use crate::output::{self, Status};
use outflank_gomoku::{Color, Point};
use outflank_gomoku_engine::{Engine, EngineSettings, SearchLimits};
use outflank_search::{Limits, StopToken};
use std::io::BufRead;

/// Play Gomoku against the engine: type a point such as h8, or undo, moves, quit.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank play --game gomoku\n  \
    outflank play --game gomoku --rule renju --color white --time 3")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Your colour: black or white.
    #[arg(long, default_value = "black", value_parser = ["black", "white"])]
    color: String,
    /// Seconds a move for the engine.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    time: f64,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let mut board = args.position.board()?;
    let human = if args.color == "black" {
        Color::Black
    } else {
        Color::White
    };
    let time = duration(args.time)?;
    let limits = SearchLimits {
        limits: Limits {
            time: Some(time),
            ..Limits::default()
        },
        soft_time: Some(time.mul_f64(0.7)),
        ..SearchLimits::default()
    };
    let mut engine = Engine::new(EngineSettings::default())?;
    let clock = system_clock();
    let mut input = std::io::stdin().lock();
    output::line(&board.to_string())?;
    while board.end().is_none() {
        if board.side() != human {
            let outcome = engine.search(&board, &limits, &clock, &StopToken::new(), &mut |_| {});
            let Some(best) = outcome.best else { break };
            board.play(best)?;
            let value = outcome
                .lines
                .first()
                .map_or_else(String::new, |line| format!(" ({})", line.value));
            output::line(&format!("{best}{value}\n{board}"))?;
            continue;
        }
        output::line(&format!("{human} to move:"))?;
        let mut text = String::new();
        if input.read_line(&mut text)? == 0 {
            return Ok(Status::Success);
        }
        match text.trim() {
            "" => {}
            "quit" | "exit" => return Ok(Status::Success),
            "undo" => {
                board.undo_move();
                while board.side() != human && board.undo_move().is_some() {}
                output::line(&board.to_string())?;
            }
            "moves" => {
                let moves: Vec<Point> = board.history().into_iter().map(|(point, _)| point).collect();
                output::line(&points(&moves).join(" "))?;
            }
            word => match word
                .parse::<Point>()
                .map_err(anyhow::Error::from)
                .and_then(|mv| Ok(board.play(mv)?))
            {
                Ok(()) => output::line(&board.to_string())?,
                Err(error) => output::line(&format!("{error}"))?,
            },
        }
    }
    let result = board.end().map_or("unfinished", outflank_gomoku::End::name);
    output::line(&format!("the game is over, result: {result}"))?;
    Ok(Status::Success)
}
