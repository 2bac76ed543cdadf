//! `outflank review --game gomoku`: every move of a game of Gomoku judged.

use super::input::SIZE;
use crate::{engine::system_clock, review_cmd::Args};
use anyhow::Context as _;
use outflank_api::review::gomoku::{GomokuMove, GomokuSummary, moves_of};
use outflank_study::gomoku_review::{ReviewOptions, review as judge, svg};
use outflank_terminal::{
    ending,
    input::{Source, read_gomoku},
    live::Counter,
    output::{self, Status},
    text::gomoku_review::report,
};

/// Reviews the games that the arguments name: each file is one, and the rest of the arguments together.
pub(crate) fn review(args: &Args, options: &ReviewOptions) -> anyhow::Result<Status> {
    let stop = ending::stop_on_interrupt()?;
    let clock = system_clock();
    let mut status = Status::Success;
    let mut graph = None;
    for (at, source) in Source::from_args(&args.input)?.iter().enumerate() {
        if stop.is_stopped() {
            break;
        }
        let number = at + 1;
        let record = read_gomoku(source)?;
        let course = moves_of(&record, args.game.rule, args.game.size.unwrap_or(SIZE))
            .with_context(|| source.to_string())?;
        let stopped = course.stopped.as_ref().map(ToString::to_string);
        if let Some(reason) = &stopped {
            output::complain(&format!("{source}: {reason}"));
            status = Status::BadInput;
        }
        let title = format!("Game {number}");
        let progress = Counter::new(title.clone(), "moves");
        let found = judge(&course, options, &clock, &stop, &mut |done, of| {
            progress.show(done, of);
        })?;
        progress.clear();
        if args.json {
            for reviewed in &found.moves {
                output::object(&GomokuMove::new(number, reviewed))?;
            }
            output::object(&GomokuSummary::new(number, &found, stopped.as_deref()))?;
        } else {
            output::write_all(report(&title, &found, stopped.as_deref()).as_bytes())?;
        }
        graph = Some(svg(&found, &title));
    }
    if let (Some(path), Some(graph)) = (&args.svg, graph) {
        output::file(path, graph.as_bytes())?;
    }
    Ok(match status {
        Status::Success if stop.is_stopped() => Status::CheckFailed,
        status => status,
    })
}
