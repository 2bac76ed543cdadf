//! `outflank show --game gomoku`: draws a position.

use super::input::{PositionArgs, history_text, points, side_text};
use crate::output::{self, Status};
use outflank_gomoku::{Class, Color, Point};
use serde_json::json;

/// Draw a Gomoku position: the board, who is to move, the fives and fours at hand, and Renju's forbidden points.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank show --game gomoku h8i9j10\n  \
    outflank show --game gomoku --rule renju h8i9g9h7f8g7 --json")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let board = args.position.board()?;
    let of = |color: Color, class: Class| -> Vec<Point> { board.points_of(color, class).iter().collect() };
    let side = board.side();
    let forbidden: Vec<Point> = board.forbidden_points().iter().collect();
    if args.json {
        let object = json!({
            "history": history_text(&board),
            "rule": board.rule().to_string(),
            "size": board.size(),
            "side": side_text(&board),
            "over": board.end().is_some(),
            "result": board.end().map(outflank_gomoku::End::name),
            "fives": points(&of(side, Class::Five)),
            "opponent_fives": points(&of(!side, Class::Five)),
            "open_fours": points(&of(side, Class::OpenFour)),
            "forbidden": points(&forbidden),
        });
        output::line(&object.to_string())?;
        return Ok(Status::Success);
    }
    output::line(&board.to_string())?;
    match board.end() {
        Some(end) => output::line(&format!(
            "{}: the game is over, result: {}",
            board.rule(),
            end.name()
        ))?,
        None => output::line(&format!("{}, {side} to move", board.rule()))?,
    }
    for (name, list) in [
        ("five at", of(side, Class::Five)),
        ("must block", of(!side, Class::Five)),
        ("open four at", of(side, Class::OpenFour)),
        ("forbidden for black", forbidden),
    ] {
        if !list.is_empty() && board.end().is_none() {
            output::line(&format!("{name}: {}", points(&list).join(" ")))?;
        }
    }
    Ok(Status::Success)
}
