//! `outflank review`: every move of a game judged.

use crate::{
    engine::{BookFileArgs, system_clock},
    gomoku,
    options::{GameArgs, GameName, ModelArg, parse_search_level, parse_seconds},
};
use outflank_api::review::{MoveObject, ReviewSummary, record};
use outflank_book::Look;
use outflank_records::{Item, ggf};
use outflank_search::Level;
use outflank_study::{
    puzzle::{self, Criteria, Maker},
    review::{Judge, ReviewOptions, annotated, review_by, svg},
    tree,
};
use outflank_terminal::{
    ending,
    input::{self, Source},
    live::Counter,
    output::{self, Status},
    text::review::{report, title},
};
use std::{num::NonZeroUsize, path::PathBuf, thread, time::Duration};

/// Judge every move of games: what it was worth, what was better, and what it has cost.
///
/// Values are in discs for the player who made the move. Loss from 2 discs is marked ?!, from 4 ?, from 8 ??; a loss is
/// exact where it says so, else an estimate of the level. Of a game with a wrong move the moves before it are judged.
///
/// In Gomoku a value is the chance to win in percent, and a loss is in points of it: ?! from 10, ? from 20, ?? from 40.
/// Wins that were missed or allowed are shown with their line; each was proved and checked against every answer.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank review game.ggf\n  \
    outflank review f5d6c3d3c4f4f6f3e6e7 --level 14\n  \
    outflank review game.ggf --book my.ofb           values of the book where they look as far\n  \
    outflank review game.ggf --svg graph.svg --ggf annotated.ggf\n  \
    outflank review game.ggf --tree reviewed.sgf     for any program that reads SGF with variations\n  \
    outflank review game.ggf --puzzles mine.tsv      and then: outflank drill puzzles mine.tsv\n  \
    outflank review games.ggf --json --budget 10\n  \
    outflank review --game gomoku game.psq --svg graph.svg\n  \
    outflank review --game gomoku --rule renju h8i9h10i8j9 --level 16\n  \
    outflank review --game gomoku game.sgf --time 2 --json   2 seconds for each search\n\
    Exit code 1 if Ctrl-C cut the work short.")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Games, or files of games, in any notation; `-` reads standard input.
    #[arg(required = true, value_name = "GAME")]
    pub(crate) input: Vec<String>,
    /// Strength of every search, 1 to 60 [default: 12, in Gomoku none if there is a --time].
    #[arg(long, value_parser = parse_search_level)]
    level: Option<Level>,
    #[command(flatten)]
    book: BookFileArgs,
    /// Positions searched at the same time; all processors by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    model: ModelArg,
    /// Seconds for each game; Othello only.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    budget: Option<Duration>,
    /// Seconds for every search, and at most as long again to look for a win beside it; Gomoku only.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Write the graph of the (last) game to this file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the games with values and marks to this file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    ggf: Option<PathBuf>,
    /// Write the games as SGF trees to this file: values, signs, the better moves as variations; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    /// Write the mistakes of 4 discs and more in the endgame, up to 20 empty squares, as puzzles to this file, for `outflank
    /// drill puzzles FILE`; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    puzzles: Option<PathBuf>,
    /// Print one JSON object per move, then a summary per game.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Args {
    fn level(&self) -> anyhow::Result<Level> {
        Ok(self.level.map_or_else(|| Level::new(USUAL_LEVEL), Ok)?)
    }

    fn workers(&self) -> NonZeroUsize {
        let workers = match self.threads {
            Some(threads) => NonZeroUsize::new(usize::from(threads)),
            None => thread::available_parallelism().ok(),
        };
        workers.unwrap_or(NonZeroUsize::MIN)
    }
}

/// The level if nothing is said.
const USUAL_LEVEL: u32 = 12;

pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    if args.game.is_gomoku() {
        args.game.refuse(
            GameName::Gomoku,
            &[
                ("--budget", args.budget.is_some()),
                ("--book", args.book.book.is_some()),
                ("--model", args.model.path.is_some()),
                ("--ggf", args.ggf.is_some()),
                ("--tree", args.tree.is_some()),
                ("--puzzles", args.puzzles.is_some()),
            ],
        )?;
        let options = outflank_study::gomoku_review::ReviewOptions {
            level: match (args.level, args.time) {
                (None, Some(_)) => None,
                _ => Some(args.level()?),
            },
            time: args.time,
            workers: args.workers(),
        };
        return gomoku::review(args, &options);
    }
    args.game
        .refuse(GameName::Othello, &[("--time", args.time.is_some())])?;
    let options = ReviewOptions {
        level: args.level()?,
        workers: args.workers(),
        budget: args.budget,
    };
    let stop = ending::stop_on_interrupt()?;
    let clock = system_clock();
    // A review is the same wherever it is made: by searches, unless a book is named.
    let shelf = args.book.open(None)?;
    let model = args.model.load()?;
    let judge = Judge {
        evaluator: model.evaluator,
        probcut: model.probcut,
    };
    let (mut games, mut trees) = (String::new(), String::new());
    let mut mistakes = Vec::new();
    let mut maker = match args.puzzles {
        Some(_) => Some(Maker::new(&judge, &clock, &stop)?),
        None => None,
    };
    let mut graph = None;
    let mut number = 0;
    let review_item = |item: Item, stopped: Option<&str>| {
        if stop.is_stopped() {
            return Ok(());
        }
        number += 1;
        let record = record(item);
        let progress = Counter::new(format!("game {number}"), "positions");
        let found = review_by(
            &judge,
            shelf.as_ref().map(|shelf| shelf as &dyn Look),
            &record.game,
            &options,
            &clock,
            &stop,
            &mut |done, of| {
                progress.show(done, of);
            },
        )?;
        progress.clear();
        let title = title(&record, number);
        if args.json {
            for reviewed in &found.moves {
                output::object(&MoveObject::new(number, reviewed))?;
            }
            output::object(&ReviewSummary::new(number, &record, &found, stopped))?;
        } else {
            output::write_all(report(&title, &record, &found, stopped).as_bytes())?;
        }
        games.push_str(&ggf::write(&annotated(&record, &found)));
        games.push('\n');
        if args.tree.is_some() {
            trees.push_str(&tree::sgf::write(&tree::of_review(&record, &found)));
            trees.push('\n');
        }
        if let Some(maker) = &mut maker {
            let criteria = Criteria {
                obvious: true,
                ..Criteria::default()
            };
            mistakes.extend(maker.from_review(&found, &title, &criteria));
        }
        graph = Some(svg(&found, &title));
        Ok(())
    };
    let tally = input::for_each_part(&Source::from_args(&args.input)?, review_item, true)?;
    if let Some(path) = &args.ggf {
        output::file(path, games.as_bytes())?;
    }
    if let Some(path) = &args.tree {
        output::file(path, trees.as_bytes())?;
    }
    if let Some(path) = &args.puzzles {
        output::file(path, puzzle::write(&mistakes).as_bytes())?;
    }
    if let (Some(path), Some(graph)) = (&args.svg, graph) {
        output::file(path, graph.as_bytes())?;
    }
    Ok(match tally.status() {
        Status::Success if stop.is_stopped() => Status::CheckFailed,
        status => status,
    })
}
