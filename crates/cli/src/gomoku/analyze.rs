//! `outflank analyze --game gomoku`: the best moves of a position.

use super::input::board;
use crate::{analyze::Args, options::GameName};
use outflank_api::analyze::{Analysis, LineObject, Progress};
use outflank_gomoku::Point;
use outflank_gomoku_engine::{Line, Request};
use outflank_search::StopToken;
use outflank_terminal::{
    live::Live,
    output::{self, Status, grouped},
    text::{gomoku_value, points},
};

/// Thinks about a position and shows the best moves with their lines.
///
/// Values are chances to win in percent for the side to move; `+M7` is a proven win with at most 7 more stones.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    args.game.refuse(
        GameName::Gomoku,
        &[
            ("--exact", args.exact),
            ("--model", args.resources.model.path.is_some()),
            ("--wld", args.wld),
            ("--confidence", args.confidence != 73),
        ],
    )?;
    let board = board(&args.input, args.game)?;
    let request = Request::new(board.clone()).limits(args.limits()).lines(args.top);
    let mut engine = args.resources.gomoku_engine()?;
    let stop = StopToken::new();
    let interrupt = stop.clone();
    // Only one handler can be set; the first one serves.
    drop(ctrlc::set_handler(move || interrupt.stop()));
    let mut live = Live::new(args.json, args.verbose);
    let mut failed = Ok(());
    let outcome = engine.search(&request, &stop, &mut |news| {
        if failed.is_err() {
            return;
        }
        if args.json && args.progress {
            let line = LineObject::gomoku(&news.line);
            failed = output::object(&Progress::new(line, news.rank, news.nodes, news.elapsed));
            return;
        }
        let cost = format!(
            "depth {}, {} nodes, {:.2} s",
            news.stage.depth,
            grouped(news.nodes),
            news.elapsed.as_secs_f64()
        );
        let name = news
            .line
            .best()
            .as_ref()
            .map_or_else(String::new, Point::to_string);
        failed = live.stage(news.rank, &name, plain(&news.line), &cost);
    });
    failed?;
    if args.json {
        output::object(&Analysis::gomoku(&board, &outcome))?;
    } else if outcome.best_move().is_none() {
        output::line("the game is over")?;
    } else {
        let proof = engine.proof().map_or(String::new(), |proof| {
            format!("proof of {} moves verified, ", proof.n_moves())
        });
        let seconds = outcome.elapsed.as_secs_f64();
        let cost = format!("{proof}{} nodes, {seconds:.2} s", grouped(outcome.nodes));
        live.end(outcome.lines.iter().map(plain).collect(), &cost)?;
    }
    Ok(if stop.is_stopped() {
        Status::CheckFailed
    } else {
        Status::Success
    })
}

/// Returns a line for the terminal.
fn plain(line: &Line) -> String {
    format!("{} {}", gomoku_value(line.value), points(&line.moves).join(" "))
}
