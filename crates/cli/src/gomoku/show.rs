//! `outflank show --game gomoku`: draws a position.

use super::input::board;
use crate::{options::GameName, show::Args};
use outflank_api::show::BoardObject;
use outflank_terminal::output::{self, Status};

/// Draws a position: the board, who is to move, the fives and fours at hand, and Renju's forbidden points.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    args.game
        .refuse(GameName::Gomoku, &[("--ply", args.ply.is_some())])?;
    let board = board(&args.input, args.game)?;
    let object = BoardObject::new(&board);
    if args.json {
        output::object(&object)?;
        return Ok(Status::Success);
    }
    output::line(&board.to_string())?;
    if let Some(result) = &object.result {
        output::line(&format!("{}: the game is over, result: {result}", object.rule))?;
        return Ok(Status::Success);
    }
    output::line(&format!("{}, {} to move", object.rule, board.side()))?;
    for (name, points) in [
        ("five at", object.fives),
        ("must block", object.opponent_fives),
        ("open four at", object.open_fours),
        ("forbidden for black", object.forbidden),
    ] {
        if !points.is_empty() {
            output::line(&format!("{name}: {}", points.join(" ")))?;
        }
    }
    Ok(Status::Success)
}
