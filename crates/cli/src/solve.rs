//! `outflank solve`: exact values of endgames, one or a hundred thousand.

use crate::{
    engine::system_clock,
    gomoku,
    options::{GameArgs, GameName, Resources, parse_seconds},
};
use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use outflank_api::solve::{SolveSummary, Totals, WinSearch, find_win};
use outflank_gomoku_engine::ThreatSettings;
use outflank_jobs::{Event, Shard};
use outflank_othello_engine::SolverGoal;
use outflank_search::{Clock, StopToken};
use outflank_study::batch::{
    Answer, BatchOptions, Question, Sheet, SheetError, Summary, Target, csv_header, solve_all, solve_to_file,
};
use outflank_terminal::{
    input::{self, Source, Tally},
    output::{self, Status},
    text::{
        gomoku::{tree, win},
        solve as text,
    },
};
use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// Find the exact value of positions by perfect play to the end, and compare with the scores in the file; in Gomoku, find
/// and prove a forced win.
///
/// Values are final disc differences for the side to move; the winner takes the empty squares.
/// Several positions are spread over the threads; fewer positions than threads are searched by all threads together.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank solve data/fforum-1-19.obf\n  \
    outflank solve 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X' --all-moves\n  \
    cat positions.txt | outflank solve - --json --threads 2\n  \
    outflank solve big.obf --output big.jsonl --threads 2            # killed? again, with --resume\n  \
    outflank solve --game gomoku --rule renju h8i9h10i10j8j9i7k9h9h11k8i8\n  \
    outflank solve big.obf --output part1.csv --csv --shard 1/2      # and 2/2 on another machine\n\
    Exit code 1 if a value differs from the one in the file.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    gomoku: GomokuArgs,
    /// Positions, games (their last position) or files in any notation; `-` reads standard input.
    #[arg(required = true)]
    input: Vec<String>,
    /// The exact value of every legal move.
    #[arg(long, conflicts_with = "wld")]
    all_moves: bool,
    /// Only win, loss or draw: much faster.
    #[arg(long)]
    wld: bool,
    /// Give a position up after this time.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    #[command(flatten)]
    resources: Resources,
    /// Do only every n-th position: part i of n.
    #[arg(long, value_name = "i/n", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Write the answers to this file when all are known; until then they are kept in FILE.log.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Go on with the FILE.log of an interrupted run.
    #[arg(long, requires = "output")]
    resume: bool,
    /// Print one JSON object a line (what --output writes, too).
    #[arg(long)]
    json: bool,
    /// Print or write comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Leave the times out, so that the same run gives the same text.
    #[arg(long)]
    omit_seconds: bool,
}

/// What only Gomoku's solver has.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Gomoku")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
struct GomokuArgs {
    /// Only wins by fours.
    #[arg(long)]
    vcf: bool,
    /// Most threats (fours are free) in a line, instead of any number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Enter at most N positions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Print the whole winning tree.
    #[arg(long)]
    tree: bool,
    /// Switch the cache off, to measure what it does.
    #[arg(long)]
    no_cache: bool,
    /// Switch iterative deepening off: search the full depth at once.
    #[arg(long)]
    no_deepening: bool,
    /// Let fours cost depth like threats.
    #[arg(long)]
    no_extension: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let own = &args.gomoku;
    if args.game.is_gomoku() {
        return solve_gomoku(args);
    }
    args.game.refuse(
        GameName::Othello,
        &[
            ("--vcf", own.vcf),
            ("--depth", own.depth.is_some()),
            ("--nodes", own.nodes.is_some()),
            ("--tree", own.tree),
            ("--no-cache", own.no_cache),
            ("--no-deepening", own.no_deepening),
            ("--no-extension", own.no_extension),
        ],
    )?;
    let mut questions = Vec::new();
    let tally = input::for_each(&Source::from_args(&args.input)?, |item| {
        questions.push(outflank_api::solve::question(&item));
        Ok(())
    })?;
    let clock = system_clock();
    let options = args.batch_options()?;
    match &args.output {
        Some(path) => to_file(args, path, &questions, options, &clock, tally),
        None => to_stdout(args, questions, options, &clock, tally),
    }
}

impl Args {
    fn batch_options(&self) -> anyhow::Result<BatchOptions> {
        Ok(BatchOptions {
            goal: match (self.all_moves, self.wld) {
                (true, _) => SolverGoal::AllMoves,
                (_, true) => SolverGoal::WinLossDraw,
                _ => SolverGoal::Exact,
            },
            threads: usize::from(self.resources.threads),
            table_bytes: self.resources.table_bytes()?,
            time: self.time,
        })
    }
}

impl Sheet for Args {
    fn head(&self) -> Option<String> {
        self.csv.then(|| csv_header().to_owned())
    }

    fn line(&self, mut answer: Answer) -> String {
        if self.omit_seconds {
            answer.seconds = None;
        }
        if self.csv {
            answer.to_csv()
        } else if self.json || self.output.is_some() {
            answer.to_json()
        } else {
            text::answer(&answer)
        }
    }

    /// CSV has no line after the last answer.
    fn foot(&self, summary: &Summary) -> Option<String> {
        let mut summary = SolveSummary {
            summary: Totals::from(summary),
        };
        if self.omit_seconds {
            summary.summary.seconds = None;
        }
        (!self.csv).then(|| serde_json::to_string(&summary).unwrap_or_default())
    }
}

/// Answers to standard output as they come, in the order of the input.
fn to_stdout(
    args: &Args,
    mut questions: Vec<Question>,
    options: BatchOptions,
    clock: &Arc<dyn Clock>,
    tally: Tally,
) -> anyhow::Result<Status> {
    let mine: Vec<usize> = args.shard.items(questions.len()).collect();
    if mine.len() < questions.len() {
        questions = mine.into_iter().map(|index| questions[index].clone()).collect();
    }
    let bar = progress_bar(questions.len(), !std::io::stdout().is_terminal());
    if let Some(head) = args.head() {
        output::line(&head)?;
    }
    let mut summary = Summary::default();
    let stop = StopToken::new();
    let model = args.resources.model.load()?;
    let mut failure = None;
    let mut on_answer = |_: usize, answer: Answer| {
        summary.add(&answer);
        bar.inc(1);
        if let Err(error) = output::line(&args.line(answer)) {
            failure.get_or_insert(error);
            stop.stop();
        }
    };
    solve_all(
        (&model.evaluator, &model.probcut),
        &questions,
        options,
        clock,
        &stop,
        &mut on_answer,
    )?;
    bar.finish_and_clear();
    if let Some(error) = failure {
        return Err(error);
    }
    if args.json {
        args.foot(&summary).map_or(Ok(()), |line| output::line(&line))?;
    } else if !args.csv {
        output::line(&text::summary(&summary))?;
    }
    Ok(status(&summary, tally))
}

/// Answers to a log, from there to a file; the summary to standard output.
fn to_file(
    args: &Args,
    path: &Path,
    questions: &[Question],
    options: BatchOptions,
    clock: &Arc<dyn Clock>,
    tally: Tally,
) -> anyhow::Result<Status> {
    let bar = progress_bar(args.shard.len(questions.len()), true);
    let mut on_event = |event: &Event<'_>| {
        if let Event::Started { progress, .. } | Event::ItemDone { progress, .. } = event {
            bar.set_position(progress.done as u64);
        }
    };
    let target = Target {
        path,
        resume: args.resume,
        shard: args.shard,
    };
    let model = args.resources.model.load()?;
    let solved = solve_to_file(
        (&model.evaluator, &model.probcut),
        questions,
        options,
        (clock, &StopToken::new()),
        (target, args),
        &mut on_event,
    );
    bar.finish_and_clear();
    let summary = match solved {
        Err(SheetError::Interrupted(log)) => bail!(
            "{}: an earlier run was interrupted; go on with --resume, or remove the file",
            log.display()
        ),
        other => other?,
    };
    if args.json {
        args.foot(&summary).map_or(Ok(()), |line| output::line(&line))?;
    } else {
        output::line(&text::summary(&summary))?;
    }
    Ok(status(&summary, tally))
}

fn status(summary: &Summary, tally: Tally) -> Status {
    if summary.wrong > 0 {
        Status::CheckFailed
    } else {
        tally.status()
    }
}

/// A bar on standard error with rate and time left; nothing if there is no terminal or little to do.
fn progress_bar(total: usize, wanted: bool) -> ProgressBar {
    if !wanted || total < 2 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} positions, {per_sec}, {eta} left");
    ProgressBar::new(total as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Time for a position of Gomoku if nothing else is said.
const DEFAULT_TIME: Duration = Duration::from_mins(1);

/// Finds a forced win of Gomoku for the side to move, by fours alone (VCF) or by fours and threats (VCT), and proves it.
///
/// Every win that is shown has been replayed against every answer on the board by an independent referee.
/// `none` means that no win exists by the moves considered, `unknown` that the limits ended the search.
fn solve_gomoku(args: &Args) -> anyhow::Result<Status> {
    args.game.refuse(
        GameName::Gomoku,
        &[
            ("--all-moves", args.all_moves),
            ("--model", args.resources.model.path.is_some()),
            ("--wld", args.wld),
            ("--output", args.output.is_some()),
            ("--csv", args.csv),
            ("--shard", args.shard.count() > 1),
        ],
    )?;
    let board = gomoku::board(&args.input, args.game)?;
    let own = &args.gomoku;
    let search = WinSearch {
        settings: ThreatSettings {
            cache: !own.no_cache,
            deepening: !own.no_deepening,
            free_fours: !own.no_extension,
            cache_bits: 20,
            ..ThreatSettings::default()
        },
        fours: own.vcf,
        depth: own.depth,
        time: Some(args.time.unwrap_or(DEFAULT_TIME)),
        nodes: own.nodes,
    };
    let mut found = find_win(&search, &board, &system_clock(), &StopToken::new())?;
    if args.json {
        if args.omit_seconds {
            found.object.seconds = 0.0;
        }
        output::object(&found.object)?;
    } else {
        output::line(&win(&board, &found.object))?;
    }
    if let Some(proof) = found.proof.filter(|_| own.tree) {
        output::line(&tree(&proof))?;
    }
    Ok(Status::Success)
}
