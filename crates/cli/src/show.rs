//! `outflank show`: draws positions and games.

use crate::{gomoku, options::GameArgs};
use outflank_api::show::{PositionObject, at_ply};
use outflank_othello::Game;
use outflank_records::{Content, Item};
use outflank_terminal::{
    input::{self, Source},
    output::{self, Status, use_color},
    text::{self, opening_of},
};

/// Draw positions: the board, who is to move, the legal moves, the result.
///
/// A game is drawn after its last move. Without input, the start position is drawn.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank show f5d6c3d3c4\n  \
    outflank show 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X'\n  \
    outflank show data/fforum-1-19.obf\n  \
    outflank show f5d6c3 --ply 2          after the second move\n  \
    outflank show --game gomoku --rule renju h8i9h9g9h7f8g7 --json\n  \
    cat games.ggf | outflank show - --json")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Position, game or file in any notation; `-` reads standard input.
    pub(crate) input: Vec<String>,
    /// Draw each game after this many moves (passes count) instead of at its end.
    #[arg(long, value_name = "N")]
    pub(crate) ply: Option<usize>,
    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    if args.game.is_gomoku() {
        return gomoku::show(args);
    }
    if args.input.is_empty() {
        print(&Game::new(), None, args)?;
        return Ok(Status::Success);
    }
    let mut first = true;
    let tally = input::for_each(&Source::from_args(&args.input)?, |item| {
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
        return output::object(&PositionObject::new(game, item.map(|item| item.line)));
    }
    let position = game.position();
    output::line(&text::board(position, game.moves().last().copied(), use_color()))?;
    output::line(&text::status(position))?;
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
