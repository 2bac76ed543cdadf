//! `outflank book --game gomoku`: opening tables, built by our own engine.

use super::input::board as position;
use crate::{
    options::{GameArgs, GameName, one_game},
    output::{self, Status},
};
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use outflank_api::analyze::history;
use outflank_gomoku::{Board, Rule, canonical::ShapeKey};
use outflank_gomoku_engine::{BuildOptions, Engine, EngineConfig, OpeningTable, Request, Value, lacking};
use outflank_jobs::write_atomic;
use outflank_search::StopToken;
use serde_json::json;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Build, show and ask opening tables of Gomoku: replies to shapes of stones, wherever on the board and however turned.
///
/// A table is a text file; docs/gomoku.md describes it. Without a file the commands use the table that is built in.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank book --game gomoku query h8i9\n  \
    outflank book --game gomoku show --stones 2\n  \
    outflank book --game gomoku build openings.txt --stones 3 --nodes 200000\n  \
    outflank book --game gomoku build openings.txt --stones 3 --nodes 200000 --resume")]
pub(crate) struct Args {
    /// The game: only Gomoku has opening tables.
    #[arg(long, value_enum, value_name = "GAME")]
    game: Option<GameName>,
    #[command(subcommand)]
    command: Command,
}

impl Args {
    /// Takes the game that was named before the command.
    pub(crate) fn settle(&mut self, before: Option<GameName>) -> anyhow::Result<()> {
        match one_game(before, self.game)? {
            Some(GameName::Othello) => bail!("only Gomoku has opening tables: --game gomoku"),
            game => self.game = game,
        }
        Ok(())
    }
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Build(BuildArgs),
    Show(ShowArgs),
    Query(QueryArgs),
}

/// Let the engine think about the positions of an opening table and write its replies to a file.
///
/// The file is saved as the work goes on; a build that was stopped goes on with --resume and ends with the same file
/// as one that ran through.
#[derive(clap::Args, Debug)]
struct BuildArgs {
    /// The file to write.
    file: PathBuf,
    /// Rule set: freestyle, standard, renju or caro.
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
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
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=1 << 16))]
    hash: u64,
    /// Go on with the file of a build with the same options.
    #[arg(long)]
    resume: bool,
    /// Print one JSON object per position, then a summary.
    #[arg(long)]
    json: bool,
}

/// Show what an opening table holds.
#[derive(clap::Args, Debug)]
struct ShowArgs {
    /// The file; the table that is built in if left out.
    file: Option<PathBuf>,
    /// List the shapes with this many stones.
    #[arg(long, value_name = "N")]
    stones: Option<usize>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Show the replies of an opening table to a position, in the position's own orientation.
#[derive(clap::Args, Debug)]
struct QueryArgs {
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

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    match &args.command {
        Command::Build(args) => build(args),
        Command::Show(args) => show(args),
        Command::Query(args) => query(args),
    }
}

/// Reads the table of `path`, or returns the one that is built in.
pub(super) fn table(path: Option<&Path>) -> anyhow::Result<OpeningTable> {
    let Some(path) = path else {
        return Ok(OpeningTable::built_in());
    };
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    OpeningTable::read(&text).with_context(|| format!("{} is no opening table", path.display()))
}

fn build(args: &BuildArgs) -> anyhow::Result<Status> {
    let options = BuildOptions {
        rule: args.rule,
        size: args.size,
        stones: args.stones,
        reach: args.reach,
        most: args.most,
        seed: args.seed,
    };
    let header = format!(
        "# Outflank opening table: rule {}, size {}, stones {}, reach {}, most {}, top {}, nodes {}, hash {}, seed {}",
        args.rule, args.size, args.stones, args.reach, args.most, args.top, args.nodes, args.hash, args.seed
    );
    let mut builder = Builder {
        args,
        table: started(args, &header)?,
        header,
        engine: Engine::with(EngineConfig {
            table_bytes: usize::try_from(args.hash << 20)?,
            ..EngineConfig::default()
        })?,
        n_searched: 0,
        saved: Instant::now(),
    };
    let start = Instant::now();
    loop {
        let boards = lacking(&builder.table, &options)?;
        if boards.is_empty() {
            break;
        }
        builder.level(&boards)?;
    }
    builder.save()?;
    let seconds = start.elapsed().as_secs_f64();
    let (shapes, searched) = (builder.table.len(), builder.n_searched);
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

/// Returns the table that the build goes on with.
fn started(args: &BuildArgs, header: &str) -> anyhow::Result<OpeningTable> {
    let path = args.file.display();
    if !args.file.exists() {
        return Ok(OpeningTable::default());
    }
    if !args.resume {
        bail!("{path} is there already: go on with it by --resume, or name another file");
    }
    let text = fs::read_to_string(&args.file).with_context(|| format!("cannot read {path}"))?;
    let found = text.lines().next().unwrap_or_default();
    if found != header {
        bail!("{path} was built with other options, {found:?}: give the same ones or name another file");
    }
    OpeningTable::read(&text).with_context(|| format!("{path} is no opening table"))
}

/// A table under construction.
struct Builder<'a> {
    args: &'a BuildArgs,
    table: OpeningTable,
    /// First line of the file: the options.
    header: String,
    engine: Engine,
    /// Positions searched by this process.
    n_searched: usize,
    saved: Instant,
}

impl Builder<'_> {
    /// Finds replies for positions with the same number of stones.
    fn level(&mut self, boards: &[Board]) -> anyhow::Result<()> {
        let stones = boards.first().map_or(0, Board::n_stones);
        let bar = ProgressBar::new(boards.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {elapsed} ({eta} left)")
        {
            bar.set_style(style);
        }
        bar.set_message(format!("{stones} stones"));
        for board in boards {
            self.position(board)?;
            bar.inc(1);
            if self.saved.elapsed() >= SAVE_EVERY {
                self.save()?;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Finds replies for one position. The engine starts from nothing, so that the order of the work does not matter.
    fn position(&mut self, board: &Board) -> anyhow::Result<()> {
        self.engine.clear();
        let request = Request::new(board.clone())
            .nodes(self.args.nodes)
            .lines(self.args.top as usize);
        let outcome = self.engine.search(&request, &StopToken::new(), &mut |_| {});
        for line in &outcome.lines {
            let Some(&reply) = line.moves.first() else {
                continue;
            };
            // In a symmetric position a later line may start with an image of a better one.
            let known = self.table.replies(board).iter().any(|&(known, _)| known == reply);
            if !known {
                self.table.insert(board, reply, table_value(line.value));
            }
        }
        self.n_searched += 1;
        if self.args.json {
            output::line(&replies_json(board, &self.table).to_string())?;
        }
        Ok(())
    }

    fn save(&mut self) -> anyhow::Result<()> {
        let text = format!("{}\n{}", self.header, self.table.write());
        write_atomic(&self.args.file, text.as_bytes())?;
        self.saved = Instant::now();
        Ok(())
    }
}

/// Returns a value in the units of a table, within ±10,000: a proven win is worth as much as the best estimate.
fn table_value(value: Value) -> i32 {
    match value {
        Value::Win(_) => 10_000,
        Value::Loss(_) => -10_000,
        Value::Estimate(value) => value,
    }
}

fn percent(value: i32) -> f64 {
    (Value::Estimate(value).win_probability() * 1_000.0).round() / 10.0
}

fn replies_json(board: &Board, table: &OpeningTable) -> serde_json::Value {
    let replies: Vec<_> = table
        .replies(board)
        .into_iter()
        .map(|(point, value)| json!({"move": point.to_string(), "value": percent(value)}))
        .collect();
    json!({"history": history(board), "rule": board.rule().to_string(), "known": table.knows(board),
        "replies": replies})
}

fn query(args: &QueryArgs) -> anyhow::Result<Status> {
    let board = position(&args.moves, args.game)?;
    let table = table(args.book.as_deref())?;
    if args.json {
        output::line(&replies_json(&board, &table).to_string())?;
        return Ok(Status::Success);
    }
    output::line(&board.to_string())?;
    if !table.knows(&board) {
        output::line("not in the table")?;
        return Ok(Status::Success);
    }
    for (point, value) in table.replies(&board) {
        output::line(&format!("{point} {:.1} %", percent(value)))?;
    }
    Ok(Status::Success)
}

fn show(args: &ShowArgs) -> anyhow::Result<Status> {
    let table = table(args.file.as_deref())?;
    let mut counts: BTreeMap<(String, usize), usize> = BTreeMap::new();
    for key in table.shapes() {
        *counts
            .entry((key.rule().to_string(), key.n_stones()))
            .or_default() += 1;
    }
    let text = table.write();
    let listed: Vec<&str> = text
        .lines()
        .filter(|line| {
            let key = line.split_once(" > ").and_then(|(key, _)| key.parse().ok());
            key.is_some_and(|key: ShapeKey| Some(key.n_stones()) == args.stones)
        })
        .collect();
    if args.json {
        let counts: Vec<_> = counts
            .iter()
            .map(|((rule, stones), n)| json!({"rule": rule, "stones": stones, "shapes": n}))
            .collect();
        output::line(&json!({"shapes": table.len(), "counts": counts, "lines": listed}).to_string())?;
        return Ok(Status::Success);
    }
    output::line(&format!("{} shapes", table.len()))?;
    for ((rule, stones), n) in &counts {
        output::line(&format!("{rule}, {stones} stones: {n}"))?;
    }
    listed.into_iter().try_for_each(output::line)?;
    Ok(Status::Success)
}
