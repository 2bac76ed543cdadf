//! `outflank show`: draws positions and games.

use crate::{
    input::{self, Source},
    output::{self, Status, use_color},
    render,
    values::{opening_json, opening_of},
};
use outflank_othello::{Color, Game, Move, Position};
use outflank_records::{Content, Item};
use outflank_study::names;
use serde_json::{Value, json};

/// Draw positions: the board, who is to move, the legal moves, the result.
///
/// A game is drawn after its last move. Without input, the start position is drawn.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank show f5d6c3d3c4\n  \
    outflank show 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X'\n  \
    outflank show data/fforum-1-19.obf\n  \
    outflank show f5d6c3 --ply 2          after the second move\n  \
    cat games.ggf | outflank show - --json")]
pub(crate) struct Args {
    /// Position, game or file in any notation; `-` reads standard input.
    input: Vec<String>,
    /// Draw each game after this many moves (passes count) instead of at its end.
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    if args.input.is_empty() {
        print(&Game::new(), None, args)?;
        return Ok(Status::Success);
    }
    let mut first = true;
    let tally = input::for_each(&Source::from_args(&args.input)?, |item| {
        let mut game = item.game();
        if let Some(ply) = args.ply {
            let n_moves = game.moves().len();
            if ply > n_moves {
                anyhow::bail!(
                    "line {}: --ply {ply} is beyond the last move ({n_moves})",
                    item.line
                );
            }
            while game.moves().len() > ply {
                game.undo();
            }
        }
        if !first && !args.json {
            output::line("")?;
        }
        first = false;
        print(&game, Some(&item), args)
    })?;
    Ok(tally.status())
}

fn print(game: &Game, item: Option<&Item>, args: &Args) -> anyhow::Result<()> {
    if args.json {
        return output::line(&describe(game, item).to_string());
    }
    let position = game.position();
    output::line(&render::board(
        position,
        game.moves().last().copied(),
        use_color(),
    ))?;
    output::line(&render::status(position))?;
    if let Some(Content::Position(scored)) = item.map(|item| &item.content)
        && !scored.scores.is_empty()
    {
        let scores: Vec<_> = scored
            .scores
            .iter()
            .map(|score| format!("{} {}", score.mv, score.discs))
            .collect();
        output::line(&format!("scores: {}", scores.join(", ")))?;
    }
    if !game.moves().is_empty() {
        output::line(&format!("moves: {}", game.transcript()))?;
    }
    if let Some(opening) = opening_of(game) {
        output::line(&format!("opening: {opening}"))?;
    }
    Ok(())
}

fn describe(game: &Game, item: Option<&Item>) -> Value {
    let position = game.position();
    let text = position.to_string();
    let (board, side) = text.split_once(' ').unwrap_or((&text, ""));
    let mut object = json!({
        "board": board,
        "side": side,
        "empties": position.board().empties().count(),
        "black": position.discs(Color::Black).count(),
        "white": position.discs(Color::White).count(),
        "legal": position.legal_moves().iter().map(Move::to_string).collect::<Vec<_>>(),
        "over": position.is_game_over(),
    });
    if let Some(result) = game.result() {
        object["result"] = json!(result.discs.get());
        object["raw"] = json!(result.raw_difference);
    }
    if *game.start() != Position::start() && !game.moves().is_empty() {
        object["start"] = json!(game.start().to_string());
    }
    if !game.moves().is_empty() {
        object["moves"] = json!(game.moves().iter().map(Move::to_string).collect::<Vec<_>>());
    }
    if let Some(opening) = names::of_game(game) {
        object["opening"] = opening_json(opening);
    }
    if let Some(item) = item {
        object["line"] = json!(item.line);
    }
    object
}
