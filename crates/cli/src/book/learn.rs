//! Letting books grow: new, expand, from-games, verify, add.

use super::{GrowthArgs, edit::load_to_change};
use crate::{
    engine::system_clock,
    options::{ModelArg, table_megabytes, threads},
};
use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};
use outflank_api::book::LearnedObject;
use outflank_book::{Book, Kind, Worked, Worth};
use outflank_eval::Evaluator as _;
use outflank_othello::{Board, Position};
use outflank_records::Content;
use outflank_study::{
    book::{load, save},
    learn::{GameCounts, How, LearnEvent, Learner, Task},
    opening::parse_discs,
};
use outflank_terminal::{
    ending,
    input::{self, Source},
    output::{self, Status, grouped},
    text,
};
use serde_json::json;
use std::{
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
};

/// Start a book without positions, and note how they will be evaluated.
///
/// Each position is searched by one thread from an empty table, so that two who do the same get the same book, byte for byte.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  outflank book new my.ofb --depth 18 --window 6")]
pub(crate) struct NewArgs {
    /// The book to write.
    file: PathBuf,
    /// Discs to look ahead; one more where that leaves an even number of empty squares.
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Moves within this of the best are valued, in discs; the others are bounded.
    #[arg(long, value_name = "DISCS", default_value = "6", value_parser = parse_discs)]
    window: i32,
    /// Solve positions with at most so many empty squares.
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = clap::value_parser!(u32).range(0..=40))]
    exact: u32,
    /// Positions that one search may enter.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Table size of each thread in MB: part of what the values depend on.
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = table_megabytes())]
    hash: u64,
}

/// Starts a book.
pub(super) fn new(args: &NewArgs) -> anyhow::Result<Status> {
    if args.file.exists() {
        bail!("{} is there already; choose another name", args.file.display());
    }
    let mut book = Book::new();
    let how = How {
        depth: args.depth,
        window: args.window,
        exact: args.exact,
        nodes: args.nodes,
        megabytes: u32::try_from(args.hash)?,
    };
    how.note(&mut book.settings);
    save(&args.file, &Worked::new(book))?;
    Ok(Status::Success)
}

/// How a book learns.
#[derive(clap::Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
struct LearnArgs {
    /// Positions that are searched at the same time, one thread each.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads())]
    threads: u16,
    #[command(flatten)]
    model: ModelArg,
    /// Go on with a run that was stopped; the other options must be the same.
    #[arg(long)]
    resume: bool,
    /// Only say which positions the next round would have.
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object a round and a position, then a summary.
    #[arg(long)]
    json: bool,
    /// No bar.
    #[arg(long)]
    quiet: bool,
}

/// Does a task and reports on it.
fn learn(
    path: &Path,
    args: &LearnArgs,
    task: &Task,
    change: impl FnOnce(&mut How),
) -> anyhow::Result<Status> {
    let model = args.model.load()?;
    let checksum = model.evaluator.fingerprint();
    let source = format!("Outflank {}, weights {checksum:016x}", env!("CARGO_PKG_VERSION"));
    let book = load(path)?;
    let mut how = How::of(&book.settings);
    change(&mut how);
    if args.dry_run {
        return plan(&Worked::new(book), task, &source, args.json);
    }
    drop(book);
    let (clock, stop) = (system_clock(), ending::stop_on_request()?);
    let learner = Learner {
        path,
        judge: (&model.evaluator, &model.probcut),
        how,
        source: &source,
        threads: usize::from(args.threads),
        resume: args.resume,
        clock: &clock,
        stop: &stop,
    };
    let (mut bar, mut failed) = (ProgressBar::hidden(), Ok(()));
    let learned = learner.learn(task, &mut |event| {
        let written = show(event, &mut bar, args);
        if failed.is_ok() && written.is_err() {
            failed = written;
            stop.stop();
        }
    });
    bar.finish_and_clear();
    failed?;
    let learned = learned?;
    let object = LearnedObject::new(&learned, clock.now().as_secs_f64());
    if args.json {
        output::line(&json!({ "summary": object }).to_string())?;
    } else {
        output::line(&text::book::learned(&object))?;
    }
    Ok(if learned.complete {
        Status::Success
    } else {
        Status::CheckFailed
    })
}

fn show(event: &LearnEvent<'_>, bar: &mut ProgressBar, args: &LearnArgs) -> anyhow::Result<()> {
    match *event {
        LearnEvent::Round {
            round,
            positions,
            book,
            root,
        } => {
            bar.finish_and_clear();
            let value = root.map(|units| f64::from(units) / f64::from(outflank_book::UNITS));
            if args.json {
                let object = json!({"round": round, "positions": positions, "book": book, "root": value});
                return output::line(&object.to_string());
            }
            if !args.quiet && io::stderr().is_terminal() {
                *bar = ProgressBar::new(positions as u64);
                let style = "round {msg} {bar:30} {pos}/{len}, {per_sec}, {eta} left";
                if let Ok(style) = ProgressStyle::with_template(style) {
                    bar.set_style(style);
                }
                let root = value.map_or_else(String::new, |value| format!(", start {value:+.2}"));
                bar.set_message(format!("{round} ({} positions{root})", grouped(book as u64)));
            }
            Ok(())
        }
        LearnEvent::Position { progress, line } => {
            bar.set_position(progress.done as u64);
            if args.json { output::line(line) } else { Ok(()) }
        }
    }
}

/// Says what the next round would be.
fn plan(book: &Worked, task: &Task, source: &str, json: bool) -> anyhow::Result<Status> {
    let next = task.next(book, source);
    if json {
        let boards = next
            .iter()
            .map(|&board| outflank_book::exchange::json::board_text(board));
        let object = json!({"book": book.book().len(), "next": boards.collect::<Vec<_>>()});
        output::line(&object.to_string())?;
        return Ok(Status::Success);
    }
    output::line(&format!(
        "the book has {} positions; the next round has {}",
        grouped(book.book().len() as u64),
        grouped(next.len() as u64)
    ))?;
    for board in next.iter().take(10) {
        output::line(&format!(
            "{} X",
            outflank_book::exchange::json::board_text(*board)
        ))?;
    }
    Ok(Status::Success)
}

/// Let a book grow: the shortest and best lines out of it first (drop-out), until it has so many positions.
///
/// A lost disc counts like --per-disc moves more. With --every all positions of the opening are added, good or bad.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank book expand my.ofb --positions 20000 --loss 2 --total 4 --until 30 --threads 2\n  \
    outflank book expand my.ofb --positions 2174 --every 10\n  \
    outflank book expand my.ofb --positions 5000 --for black --dry-run")]
pub(crate) struct ExpandArgs {
    /// The book.
    file: PathBuf,
    /// Positions that the book has at the end.
    #[arg(long, value_name = "N")]
    positions: usize,
    /// Before that, add every position with at most so many discs.
    #[arg(long, value_name = "DISCS", value_parser = clap::value_parser!(u32).range(4..=16))]
    every: Option<u32>,
    #[command(flatten)]
    growth: GrowthArgs,
    #[command(flatten)]
    learn: LearnArgs,
}

/// Lets a book grow.
pub(super) fn expand(args: &ExpandArgs) -> anyhow::Result<Status> {
    let task = Task::Expand {
        growth: args.growth.growth(),
        every: args.every,
        positions: args.positions,
    };
    learn(&args.file, &args.learn, &task, |_| {})
}

/// Count how often moves were played in games, and add the positions that are frequent.
///
/// Games are read in any notation. The counts say how people play; with --evaluate the positions are searched as well.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  \
    outflank book from-games my.ofb WTH_19*.wtb WTH_200*.wtb --min-games 10 --until 39 --evaluate --threads 2")]
pub(crate) struct FromGamesArgs {
    /// The book.
    file: PathBuf,
    /// Files with games, or `-`.
    #[arg(required = true)]
    input: Vec<String>,
    /// Only positions that occurred in so many games.
    #[arg(long, value_name = "N", default_value_t = 5)]
    min_games: u32,
    /// Most discs of a position.
    #[arg(long, value_name = "DISCS", default_value_t = 24, value_parser = clap::value_parser!(u32).range(4..=63))]
    until: u32,
    /// Search the positions that the book does not have yet, the most frequent first.
    #[arg(long)]
    evaluate: bool,
    #[command(flatten)]
    learn: LearnArgs,
}

/// Adds positions of games.
pub(super) fn from_games(args: &FromGamesArgs) -> anyhow::Result<Status> {
    let mut counts = GameCounts::until(args.until);
    input::for_each(&Source::from_args(&args.input)?, |item| {
        if let Content::Game(record) = &item.content {
            counts.add(&record.game);
        }
        Ok(())
    })?;
    let games = counts.games();
    let frequent = counts.frequent(args.min_games);
    let line = format!(
        "{} games, {} positions in at least {} of them",
        grouped(games),
        grouped(frequent.len() as u64),
        args.min_games
    );
    if args.learn.json {
        output::line(&json!({"games": games, "positions": frequent.len()}).to_string())?;
    } else {
        output::line(&line)?;
    }
    let boards: Vec<Board> = frequent.iter().map(|counted| counted.key).collect();
    // A run that is resumed has added the counts before; adding them again changes nothing, but its log is there.
    if !args.learn.dry_run && !args.learn.resume {
        let mut book = load_to_change(&args.file)?;
        for counted in &frequent {
            for &(square, count) in &counted.moves {
                book.add_count(counted.key, square, count)?;
            }
        }
        save(&args.file, &Worked::new(book))?;
    }
    if args.evaluate || args.learn.dry_run {
        learn(&args.file, &args.learn, &Task::Add(boards), |_| {})
    } else {
        Ok(Status::Success)
    }
}

/// Search positions of a book again, the most important first: deeper, to the end, or those of another version.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank book verify my.ofb --depth 24 --total 1 --limit 1500\n  \
    outflank book verify my.ofb --exact 24 --limit 500\n  \
    outflank book verify my.ofb --stale")]
pub(crate) struct VerifyArgs {
    /// The book.
    file: PathBuf,
    /// Look so many discs ahead, where the values are worth less than that.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Solve positions with at most so many empty squares.
    #[arg(long, value_name = "EMPTIES", conflicts_with = "depth", value_parser = clap::value_parser!(u32).range(1..=40))]
    exact: Option<u32>,
    /// What another engine or another version has said.
    #[arg(long)]
    stale: bool,
    /// Most positions.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
    #[command(flatten)]
    growth: GrowthArgs,
    #[command(flatten)]
    learn: LearnArgs,
}

/// Searches positions again.
pub(super) fn verify(args: &VerifyArgs) -> anyhow::Result<Status> {
    if args.depth.is_none() && args.exact.is_none() && !args.stale {
        bail!("nothing to verify: say --depth, --exact or --stale");
    }
    let below = match (args.depth, args.exact) {
        (_, Some(_)) => Worth::EXACT,
        (depth, None) => Worth::new(Kind::Estimate, depth.unwrap_or(0), 0),
    };
    let mut growth = args.growth.growth();
    if args.exact.is_some() {
        growth.until = 64;
    }
    let task = Task::Verify {
        growth,
        below,
        empties: args.exact.unwrap_or(64),
        stale: args.stale,
        limit: args.limit,
    };
    learn(&args.file, &args.learn, &task, |how| {
        how.depth = args.depth.unwrap_or(how.depth);
        how.exact = args.exact.unwrap_or(how.exact);
    })
}

/// Add positions: all of a game or a line, each with a search.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank book add my.ofb f5d6c3d3c4f4c5b3c2\n  \
    outflank book add my.ofb games.ggf --until 20 --threads 2")]
pub(crate) struct AddArgs {
    /// The book.
    file: PathBuf,
    /// Positions or games in any notation, files, or `-`.
    #[arg(required = true)]
    input: Vec<String>,
    /// Most discs of a position.
    #[arg(long, value_name = "DISCS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(4..=63))]
    until: u32,
    #[command(flatten)]
    learn: LearnArgs,
}

/// Adds positions.
pub(super) fn add(args: &AddArgs) -> anyhow::Result<Status> {
    let mut boards = Vec::new();
    input::for_each(&Source::from_args(&args.input)?, |item| {
        let positions = item.game().positions();
        let boards_of = positions.iter().map(Position::board);
        boards.extend(boards_of.filter(|board| board.occupied().count() <= args.until));
        Ok(())
    })
    .context("nothing to add")?;
    learn(&args.file, &args.learn, &Task::Add(boards), |_| {})
}
