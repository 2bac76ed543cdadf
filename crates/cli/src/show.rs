//! `outflank show`: draws positions and games.

use crate::{
    gomoku,
    options::{GameArgs, GameName},
};
use outflank_api::show::{BoardObject, PositionObject, at_ply, variations};
use outflank_othello::Game;
use outflank_records::{Content, Item, Warning};
use outflank_terminal::{
    input::{self, Source},
    output::{self, Status, use_color},
    text,
};

/// Draw positions: the board, who is to move, the legal moves, the result.
///
/// A game is drawn after its last move. Without input, the start position is drawn.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank show f5d6c3d3c4\n  \
    outflank show tiger                   an opening by its name, English or Japanese\n  \
    outflank show 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X'\n  \
    outflank show data/fforum-1-19.obf\n  \
    outflank show f5d6c3 --ply 2          after the second move\n  \
    outflank show --game gomoku --rule renju h8i9h9g9h7f8g7 --json\n  \
    cat games.ggf | outflank show - --json")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Position, game, name of an opening, or file in any notation; `-` reads standard input.
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
    if args.game.is_gomoku() {
        return show_gomoku(args);
    }
    if args.input.is_empty() {
        print(&Game::new(), None, args)?;
        return Ok(Status::Success);
    }
    let mut first = true;
    let kept =
        |item: &Item, warning: &Warning| matches!(warning, Warning::Variations(_)) && item.tree.is_some();
    let tally = input::for_each_kept(&Source::from_args(&args.input)?, &kept, |item| {
        let game = at_ply(item.game(), args.ply)
            .map_err(|reason| anyhow::anyhow!("line {}: --ply {reason}", item.line))?;
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
        let mut object = PositionObject::new(game, item.map(|item| item.line));
        object.variations = item.and_then(variations);
        return output::object(&object);
    }
    let scores = match item.map(|item| &item.content) {
        Some(Content::Position(scored)) => &scored.scores[..],
        _ => &[],
    };
    output::line(&text::position::describe(game, scores, use_color()))?;
    match item.and_then(variations) {
        Some(moves) => output::line(&format!("with variations: {moves}")),
        None => Ok(()),
    }
}

fn show_gomoku(args: &Args) -> anyhow::Result<Status> {
    args.game
        .refuse(GameName::Gomoku, &[("--ply", args.ply.is_some())])?;
    let board = gomoku::board(&args.input, args.game)?;
    if args.json {
        output::object(&BoardObject::new(&board))?;
    } else {
        output::line(&text::gomoku::position(&board))?;
    }
    Ok(Status::Success)
}
