//! `outflank lab`: the experiments that compare methods of game search.

mod folder;

use crate::{
    gomoku,
    options::{GameName, one_game, parse_seconds},
};
use anyhow::{Context, bail};
use folder::Output;
use indicatif::{ProgressBar, ProgressStyle};
use outflank_gomoku::Rule;
use outflank_lab::{
    experiments::{self, Size, abstraction, automata, bitboard, compare, depth, ladder, mcts},
    gomoku::Shapes,
    players,
    report::Report,
};
use outflank_othello::{Game, Position};
use outflank_records::Content;
use outflank_terminal::{
    input::{self, Source},
    output::{self, Status},
};
use std::{path::PathBuf, time::Duration};

/// Compare the methods of game search by experiment.
///
/// Every experiment has a seed, shows its progress on a terminal, prints tables, and ends with a sentence that says
/// what was found. docs/lab.md is a guided tour.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank lab compare --quick            algorithms × depths on the positions of a game\n  \
    outflank lab compare --depth 5 --methods minimax,alpha-beta,pvs+table --evaluation squares\n  \
    outflank lab compare --game gomoku      the same methods on the second game\n  \
    outflank lab ladder --out results       a tournament of simple players, with CSV and SVG files\n  \
    outflank lab all --quick --out results  everything, small, in one Markdown report\n  \
    outflank lab players                    the players, evaluations and methods by name\n\n\
The documents A to E that the output names (docs/requirements.md lists their parts):\n  \
    A  project notes in Chinese on shared states in Reversi\n  \
    B  黑白棋AI分享\n  \
    C  a course report in Chinese on Monte-Carlo Reversi\n  \
    D  对抗搜索和博弈 – 查表和缓存\n  \
    E  实验 2：黑白棋游戏")]
pub(crate) struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(clap::Subcommand, Debug)]
enum Experiment {
    Compare(CompareArgs),
    Depth(DepthArgs),
    Ladder(LadderArgs),
    /// Line automata: their sizes, their speed against a naive matcher, their worth in play.
    Automata(Common),
    Abstract(AbstractArgs),
    Mcts(MctsArgs),
    /// Bitboards against naive arrays.
    Bitboard(Common),
    All(AllArgs),
    /// List the players, evaluations and methods by name.
    Players,
}

/// What every experiment takes.
#[derive(clap::Args, Debug)]
struct Common {
    /// Seconds instead of minutes, with wider intervals.
    #[arg(long)]
    quick: bool,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object a line instead of tables.
    #[arg(long)]
    json: bool,
    /// Write tables (CSV), plots (SVG) and a Markdown report into this folder too.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The smallest size there is, to see that everything works.
    #[arg(long, hide = true, conflicts_with = "quick")]
    tiny: bool,
}

impl Common {
    fn size(&self) -> Size {
        match (self.quick, self.tiny) {
            (_, true) => Size::Tiny,
            (true, _) => Size::Quick,
            _ => Size::Full,
        }
    }
}

/// Algorithms × depths × positions: nodes, time, hit rate, and whether they agree.
///
/// A disagreement where theory forbids it is an error: exit code 1.
#[derive(clap::Args, Debug)]
struct CompareArgs {
    /// Positions in any notation, files of them, or - for standard input; left out: those of a game.
    positions: Vec<String>,
    /// The game: othello or gomoku.
    #[arg(long, value_enum, ignore_case = true)]
    game: Option<GameName>,
    #[command(flatten)]
    gomoku: GomokuArgs,
    /// Depths in placed discs or stones.
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Vec<u32>,
    /// Methods by name (see lab players), the first is the reference of factors.
    #[arg(long, value_delimiter = ',')]
    methods: Vec<String>,
    /// Evaluation by name: e if left out; Gomoku has one, shapes.
    #[arg(long)]
    evaluation: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// What only Gomoku has.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Gomoku")]
struct GomokuArgs {
    /// Rule set: freestyle (if left out), standard, renju or caro.
    #[arg(long)]
    rule: Option<Rule>,
    /// Edge of the board in points, 15 if left out.
    #[arg(long, value_parser = clap::value_parser!(u8).range(5..=20))]
    size: Option<u8>,
    /// Points searched: at most so many lines from a stone, 1 if left out; 0 for the whole board.
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=4))]
    near: Option<u8>,
}

/// How deep each method gets in a fixed time, in the middlegame and to the end.
#[derive(clap::Args, Debug)]
struct DepthArgs {
    /// Seconds per search.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Methods by name.
    #[arg(long, value_delimiter = ',')]
    methods: Vec<String>,
    /// Evaluation by name.
    #[arg(long, default_value = "phase")]
    evaluation: String,
    #[command(flatten)]
    common: Common,
}

/// A tournament of the simple players, with ratings and intervals.
#[derive(clap::Args, Debug)]
struct LadderArgs {
    /// Players by text (see lab players), separated by commas; the first one's rating is 0.
    #[arg(long, value_delimiter = ',')]
    players: Vec<String>,
    /// Openings of the round robin, each played twice by each two players.
    #[arg(long)]
    openings: Option<usize>,
    #[command(flatten)]
    common: Common,
}

/// Abstract states: what they say, what they are worth in play, and what their pruning rule costs.
#[derive(clap::Args, Debug)]
struct AbstractArgs {
    /// Files of games in any notation; left out: games of simple players.
    games: Vec<String>,
    /// Read at most so many games.
    #[arg(long, default_value_t = 100_000)]
    limit: usize,
    /// Write the statistics of all abstract states to this file.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// Monte-Carlo tree search: strength against simulations, policy, constant, epsilon, reward and update.
#[derive(clap::Args, Debug)]
struct MctsArgs {
    /// Also play matches at this many seconds a move against random and squares.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    #[command(flatten)]
    common: Common,
}

/// Every experiment, one after the other, and one Markdown report with plots.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example:\n  outflank lab all --quick --out results    under five minutes; read results/report.md"
)]
struct AllArgs {
    #[command(flatten)]
    common: Common,
}

/// Shows progress on a terminal's standard error; nothing elsewhere.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::no_length();
        if let Ok(style) = ProgressStyle::with_template("{msg:28} {wide_bar} {pos}/{len} {elapsed}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    fn report(&self, what: &str, done: u64, total: u64) {
        self.0.set_length(total);
        self.0.set_position(done);
        self.0.set_message(what.to_owned());
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Runs an experiment.
pub(crate) fn run(args: &Args, game: Option<GameName>) -> anyhow::Result<Status> {
    let game = match &args.experiment {
        Experiment::Compare(own) => one_game(game, own.game)?,
        _ if game == Some(GameName::Gomoku) => bail!("only `lab compare` knows Gomoku"),
        _ => None,
    };
    let common = match &args.experiment {
        Experiment::Players => return list_players(),
        Experiment::All(AllArgs { common })
        | Experiment::Automata(common)
        | Experiment::Bitboard(common)
        | Experiment::Compare(CompareArgs { common, .. })
        | Experiment::Depth(DepthArgs { common, .. })
        | Experiment::Ladder(LadderArgs { common, .. })
        | Experiment::Abstract(AbstractArgs { common, .. })
        | Experiment::Mcts(MctsArgs { common, .. }) => common,
    };
    let out = Output::new(common.json, common.out.as_deref())?;
    let (size, seed) = (common.size(), common.seed);
    let bar = Bar::new();
    let mut progress = |what: &str, done, total| bar.report(what, done, total);
    let reports = match &args.experiment {
        Experiment::Players => Vec::new(),
        Experiment::All(_) => experiments::all(size, seed, &mut progress)?,
        Experiment::Compare(own) if game == Some(GameName::Gomoku) => {
            vec![compare_gomoku(own, &mut progress)?]
        }
        Experiment::Compare(own) => {
            let gomoku = &own.gomoku;
            if gomoku.rule.is_some() || gomoku.size.is_some() || gomoku.near.is_some() {
                bail!("--rule, --size and --near belong to --game gomoku");
            }
            let mut options = compare::Options::of_size(size, seed);
            if let Some(name) = &own.evaluation {
                options.evaluation.clone_from(name);
            }
            options.positions = positions(&own.positions)?;
            replace(&mut options.depths, &own.depth);
            replace(&mut options.methods, &own.methods);
            vec![compare::run(&options, &mut progress)?]
        }
        Experiment::Depth(own) => {
            let mut options = depth::Options::of_size(size, seed);
            options.evaluation.clone_from(&own.evaluation);
            replace(&mut options.methods, &own.methods);
            options.time = own.time.unwrap_or(options.time);
            vec![depth::run(&options, &mut progress)?]
        }
        Experiment::Ladder(own) => {
            let mut options = ladder::Options::of_size(size, seed);
            replace(&mut options.players, &own.players);
            options.openings = own.openings.unwrap_or(options.openings);
            vec![ladder::run(&options, &mut progress)?]
        }
        Experiment::Automata(_) => {
            let options = automata::Options::of_size(size, seed);
            vec![automata::run(&options, &mut progress)?]
        }
        Experiment::Bitboard(_) => {
            let options = bitboard::Options::of_size(size, seed);
            vec![bitboard::run(&options, &mut progress)?]
        }
        Experiment::Abstract(own) => vec![run_abstract(own, &mut progress)?],
        Experiment::Mcts(own) => {
            let mut options = mcts::Options::of_size(size, seed);
            if let Some(time) = own.time {
                options.seconds = time.as_secs_f64();
                options.timed_openings = options.timed_openings.max(2);
            }
            vec![mcts::run(&options, &mut progress)?]
        }
    };
    drop(bar);
    reports.iter().try_for_each(|report| out.write(report))?;
    if let Experiment::All(_) = args.experiment {
        out.write_together(&experiments::preface(size, seed), &reports)?;
    }
    // Anything that theory forbids is an error.
    let sound = reports.iter().all(|report| report.violations.is_empty());
    Ok(if sound {
        Status::Success
    } else {
        Status::CheckFailed
    })
}

fn replace<T: Clone>(default: &mut Vec<T>, given: &[T]) {
    if !given.is_empty() {
        default.clear();
        default.extend_from_slice(given);
    }
}

/// Reads positions; games give the positions in which there is a choice.
fn positions(args: &[String]) -> anyhow::Result<Vec<Position>> {
    let mut positions = Vec::new();
    if args.is_empty() {
        return Ok(positions);
    }
    let tally = input::for_each(&Source::from_args(args)?, |item| {
        match item.content {
            Content::Position(scored) => positions.push(scored.position),
            Content::Game(record) => positions.extend(record.game.positions()),
        }
        Ok(())
    })?;
    positions.retain(|position: &Position| !position.is_game_over());
    if tally.bad > 0 || positions.is_empty() {
        bail!(
            "no comparison: {} entries could not be read, {} positions are left",
            tally.bad,
            positions.len()
        );
    }
    Ok(positions)
}

/// Compares on Gomoku.
fn compare_gomoku(args: &CompareArgs, progress: experiments::Progress<'_>) -> anyhow::Result<Report> {
    if let Some(name) = args.evaluation.as_deref().filter(|&name| name != Shapes::NAME) {
        bail!("no evaluation {name:?} of Gomoku: expected {}", Shapes::NAME);
    }
    let mut options = compare::gomoku::Options::of_size(args.common.size(), args.common.seed);
    replace(&mut options.depths, &args.depth);
    replace(&mut options.methods, &args.methods);
    options.rule = args.gomoku.rule.unwrap_or(options.rule);
    options.size = args.gomoku.size.unwrap_or(options.size);
    options.reach = args.gomoku.near.unwrap_or(options.reach);
    for arg in &args.positions {
        let boards = gomoku::boards(arg, options.rule, options.size).with_context(|| arg.clone())?;
        options.positions.extend(boards);
    }
    if !args.positions.is_empty() && options.positions.is_empty() {
        bail!("no comparison: every game given is over, or has not begun");
    }
    Ok(compare::gomoku::run(&options, progress)?)
}

fn run_abstract(args: &AbstractArgs, progress: experiments::Progress<'_>) -> anyhow::Result<Report> {
    let mut games: Vec<Game> = Vec::new();
    if !args.games.is_empty() {
        input::for_each(&Source::from_args(&args.games)?, |item| {
            if let Content::Game(record) = item.content
                && record.game.result().is_some()
                && games.len() < args.limit
            {
                games.push(record.game);
            }
            Ok(())
        })?;
        if games.is_empty() {
            bail!("no finished games in the files given");
        }
    }
    let options = abstraction::Options::of_size(args.common.size(), args.common.seed);
    let (report, statistics) = abstraction::run(&options, &games, progress)?;
    if let Some(path) = &args.save {
        let mut file = Vec::new();
        statistics.write(&mut file)?;
        outflank_jobs::write_atomic(path, &file).with_context(|| path.display().to_string())?;
    }
    Ok(report)
}

fn list_players() -> anyhow::Result<Status> {
    output::line(&players::overview())?;
    Ok(Status::Success)
}
