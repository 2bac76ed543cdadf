//! `outflank book --game gomoku`: opening tables, built by our own engine.

use super::input::board as position;
use crate::options::{GameArgs, table_megabytes};
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use outflank_api::opening_table::{Contents, Replies};
use outflank_gomoku::Rule;
use outflank_gomoku_engine::{Build, BuildEvent, BuildOptions, OpeningTable, ResumeError};
use outflank_jobs::write_atomic;
use outflank_terminal::output::{self, Status};
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Gomoku: let the engine think about the positions of an opening table and write its replies to a file.
///
/// The file is saved as the work goes on; a build that was stopped goes on with --resume and ends with the same file
/// as one that ran through.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank book build --game gomoku openings.txt --stones 3 --nodes 200000\n  \
    outflank book build --game gomoku openings.txt --stones 3 --nodes 200000 --resume\n  \
    outflank book build --game gomoku all.txt --rule freestyle,standard,renju,caro --even 12")]
pub(crate) struct BuildArgs {
    /// The file to write.
    file: PathBuf,
    /// Rule sets: freestyle, standard, renju, caro.
    #[arg(long, value_name = "RULE", default_value = "freestyle", value_delimiter = ',')]
    rule: Vec<Rule>,
    /// Edge of the board in points.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u8).range(5..=20))]
    size: u8,
    /// Stones of the largest positions.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=12))]
    stones: u32,
    /// How far from other stones the other side's stones may lie, in points.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=4))]
    reach: u32,
    /// Most positions with the same number of stones; the seed decides which are left out.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    most: usize,
    /// Positions of three stones to find that are as good as even, to propose under Swap2.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    even: u32,
    /// Replies to keep for each position.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    top: u32,
    /// Nodes that the engine searches for each position.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    nodes: u64,
    /// Seed of the choice of positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = table_megabytes())]
    hash: u64,
    /// Go on with the file of a build with the same options.
    #[arg(long)]
    resume: bool,
    /// Print one JSON object per position, then a summary.
    #[arg(long)]
    json: bool,
}

/// Gomoku: show the replies of an opening table to a position, in the position's own orientation.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  outflank book query --game gomoku h8i9")]
pub(crate) struct QueryArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Moves (h8i9j10, or 7,7 8,8 counted from 0), an SGF or psq file, a drawn board, or `-` for standard input.
    moves: Vec<String>,
    /// The table's file; the table that is built in if left out.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Time between two saves of a table that is being built.
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// Reads the table of `path`, or returns the one that is built in.
pub(super) fn table(path: Option<&Path>) -> anyhow::Result<OpeningTable> {
    let Some(path) = path else {
        return Ok(OpeningTable::built_in());
    };
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    OpeningTable::read(&text).with_context(|| format!("{} is no opening table", path.display()))
}

impl BuildArgs {
    fn build(&self) -> Build {
        Build {
            options: BuildOptions {
                rules: self.rule.clone(),
                size: self.size,
                stones: self.stones,
                reach: self.reach,
                most: self.most,
                even: self.even as usize,
                seed: self.seed,
            },
            lines: self.top as usize,
            nodes: self.nodes,
            megabytes: self.hash,
        }
    }

    /// Returns the table that the build goes on with.
    fn started(&self, build: &Build) -> anyhow::Result<OpeningTable> {
        let path = self.file.display();
        if !self.file.exists() {
            return Ok(OpeningTable::default());
        }
        if !self.resume {
            bail!("{path} is there already: go on with it by --resume, or name another file");
        }
        let text = fs::read_to_string(&self.file).with_context(|| format!("cannot read {path}"))?;
        match build.resume(&text) {
            Err(ResumeError::Read(error)) => {
                Err(error).with_context(|| format!("{path} is no opening table"))
            }
            Err(error) => bail!("{path} {error}"),
            Ok(table) => Ok(table),
        }
    }
}

/// Builds a table.
pub(crate) fn build(args: &BuildArgs) -> anyhow::Result<Status> {
    let build = args.build();
    let mut table = args.started(&build)?;
    let save = |table: &OpeningTable| write_atomic(&args.file, build.write(table).as_bytes());
    let (start, mut saved, mut bar) = (Instant::now(), Instant::now(), ProgressBar::hidden());
    let searched = build.run(&mut table, &mut |event| -> anyhow::Result<()> {
        match event {
            BuildEvent::Level {
                rule,
                stones,
                positions,
            } => {
                bar.finish_and_clear();
                bar = level_bar(rule, stones, positions);
            }
            BuildEvent::Position { board, table } => {
                if args.json {
                    output::object(&Replies::new(board, table))?;
                }
                bar.inc(1);
                if saved.elapsed() >= SAVE_EVERY {
                    save(table)?;
                    saved = Instant::now();
                }
            }
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    save(&table)?;
    let (shapes, seconds) = (table.len(), start.elapsed().as_secs_f64());
    if args.json {
        let object = json!({"summary": {"shapes": shapes, "searched": searched,
            "seconds": (seconds * 1000.0).round() / 1000.0}});
        output::line(&object.to_string())?;
    } else {
        output::line(&format!(
            "{shapes} shapes in {}, {searched} of them new, {seconds:.1} s",
            args.file.display()
        ))?;
    }
    Ok(Status::Success)
}

fn level_bar(rule: Rule, stones: u32, positions: usize) -> ProgressBar {
    let bar = ProgressBar::new(positions as u64);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {elapsed} ({eta} left)") {
        bar.set_style(style);
    }
    bar.set_message(format!("{rule}, {stones} stones"));
    bar
}

/// Shows the replies to a position.
pub(crate) fn query(args: &QueryArgs) -> anyhow::Result<Status> {
    let board = position(&args.moves, args.game)?;
    let replies = Replies::new(&board, &table(args.book.as_deref())?);
    if args.json {
        output::object(&replies)?;
        return Ok(Status::Success);
    }
    output::line(&board.to_string())?;
    if !replies.known {
        output::line("not in the table")?;
    }
    for reply in replies.replies {
        output::line(&format!("{} {:.1} %", reply.mv, reply.value))?;
    }
    Ok(Status::Success)
}

/// Shows what a table holds.
pub(crate) fn show(file: Option<&Path>, stones: Option<usize>, json: bool) -> anyhow::Result<Status> {
    let contents = Contents::new(&table(file)?, stones);
    if json {
        output::object(&contents)?;
        return Ok(Status::Success);
    }
    output::line(&format!("{} shapes", contents.shapes))?;
    for count in &contents.counts {
        output::line(&format!(
            "{}, {} stones: {}",
            count.rule, count.stones, count.shapes
        ))?;
    }
    contents.lines.iter().try_for_each(|line| output::line(line))?;
    Ok(Status::Success)
}
