//! `outflank solve`: exact values of endgames, one or a hundred thousand.

use crate::{
    engine::system_clock,
    gomoku,
    options::{GameArgs, GameName, Resources, parse_seconds},
};
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use outflank_api::solve::{SolveSummary, Totals};
use outflank_eval::Patterns;
use outflank_jobs::{Event, Job, Outcome, ResultLog, Runner, Shard, write_atomic};
use outflank_othello_engine::SolverGoal;
use outflank_search::{Clock, StopToken};
use outflank_study::batch::{Answer, BatchOptions, Question, Summary, csv_header, solve_all, solve_logged};
use outflank_terminal::{
    input::{self, Source, Tally},
    output::{self, Status, grouped},
};
use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
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
    pub(crate) gomoku: GomokuArgs,
    /// Positions, games (their last position) or files in any notation; `-` reads standard input.
    #[arg(required = true)]
    pub(crate) input: Vec<String>,
    /// The exact value of every legal move.
    #[arg(long, conflicts_with = "wld")]
    pub(crate) all_moves: bool,
    /// Only win, loss or draw: much faster.
    #[arg(long)]
    pub(crate) wld: bool,
    /// Give a position up after this time.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) resources: Resources,
    /// Do only every n-th position: part i of n.
    #[arg(long, value_name = "i/n", default_value_t = Shard::WHOLE)]
    pub(crate) shard: Shard,
    /// Write the answers to this file when all are known; until then they are kept in FILE.log.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Go on with the FILE.log of an interrupted run.
    #[arg(long, requires = "output")]
    resume: bool,
    /// Print one JSON object a line (what --output writes, too).
    #[arg(long)]
    pub(crate) json: bool,
    /// Print or write comma-separated values.
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Leave the times out, so that the same run gives the same text.
    #[arg(long)]
    pub(crate) omit_seconds: bool,
}

/// What only Gomoku's solver has.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Gomoku")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct GomokuArgs {
    /// Only wins by fours.
    #[arg(long)]
    pub(crate) vcf: bool,
    /// Most threats (fours are free) in a line, instead of any number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub(crate) depth: Option<u32>,
    /// Enter at most N positions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Print the whole winning tree.
    #[arg(long)]
    pub(crate) tree: bool,
    /// Switch the cache off, to measure what it does.
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Switch iterative deepening off: search the full depth at once.
    #[arg(long)]
    pub(crate) no_deepening: bool,
    /// Let fours cost depth like threats.
    #[arg(long)]
    pub(crate) no_extension: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let own = &args.gomoku;
    if args.game.is_gomoku() {
        return gomoku::solve(args);
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

    /// Returns an answer as the line that was asked for.
    fn text(&self, mut answer: Answer) -> String {
        if self.omit_seconds {
            answer.seconds = None;
        }
        if self.csv {
            answer.to_csv()
        } else if self.json || self.output.is_some() {
            answer.to_json()
        } else {
            plain(&answer)
        }
    }

    /// Returns the line after the last answer; CSV has none.
    fn summary_line(&self, summary: &Summary) -> Option<String> {
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
    if args.csv {
        output::line(csv_header())?;
    }
    let mut summary = Summary::default();
    let stop = StopToken::new();
    let model = args.resources.model.load()?;
    let (evaluator, probcut) = (Arc::new(Patterns::new(&model.weights)), Arc::new(model.probcut));
    let mut failure = None;
    let mut on_answer = |_: usize, answer: Answer| {
        summary.add(&answer);
        bar.inc(1);
        if let Err(error) = output::line(&args.text(answer)) {
            failure.get_or_insert(error);
            stop.stop();
        }
    };
    solve_all(
        (&evaluator, &probcut),
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
        args.summary_line(&summary)
            .map_or(Ok(()), |line| output::line(&line))?;
    } else if !args.csv {
        output::line(&plain_summary(&summary))?;
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
    let log_path = path.with_added_extension("log");
    let job = Job {
        title: format!("solve {} positions", questions.len()),
        fingerprint: options.fingerprint(questions),
        items: questions.len(),
        shard: args.shard,
    };
    let mut log = if args.resume {
        ResultLog::resume(&log_path, job)?
    } else {
        if log_path.exists() {
            bail!(
                "{}: an earlier run was interrupted; go on with --resume, or remove the file",
                log_path.display()
            );
        }
        ResultLog::create(&log_path, job)?
    };
    let start = Instant::now();
    let seconds = move || start.elapsed().as_secs_f64();
    let bar = progress_bar(args.shard.len(questions.len()), true);
    let mut on_event = |event: &Event<'_>| {
        if let Event::Started { progress, .. } | Event::ItemDone { progress, .. } = event {
            bar.set_position(progress.done as u64);
        }
    };
    let runner = Runner::new(&seconds);
    let model = args.resources.model.load()?;
    let (evaluator, probcut) = (Arc::new(Patterns::new(&model.weights)), Arc::new(model.probcut));
    let outcome = solve_logged(
        (&evaluator, &probcut),
        questions,
        options,
        (clock, &StopToken::new()),
        (&mut log, runner),
        &mut on_event,
    )?;
    bar.finish_and_clear();
    if outcome == Outcome::Stopped {
        bail!("stopped; go on with --resume");
    }
    let mut summary = Summary::default();
    let mut text = String::new();
    if args.csv {
        text.push_str(csv_header());
        text.push('\n');
    }
    for line in log.results()? {
        let answer = Answer::from_json(&line).with_context(|| log_path.display().to_string())?;
        summary.add(&answer);
        text.push_str(&args.text(answer));
        text.push('\n');
    }
    if let Some(line) = args.summary_line(&summary) {
        text.push_str(&line);
        text.push('\n');
    }
    write_atomic(path, text.as_bytes())?;
    drop(log);
    std::fs::remove_file(&log_path).with_context(|| log_path.display().to_string())?;
    if args.json {
        args.summary_line(&summary)
            .map_or(Ok(()), |line| output::line(&line))?;
    } else {
        output::line(&plain_summary(&summary))?;
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

fn plain_summary(summary: &Summary) -> String {
    let aborted = match summary.aborted {
        0 => String::new(),
        n => format!("{n} not finished, "),
    };
    format!(
        "{} positions, {aborted}{} of {} known values right, {} nodes, {:.3} s, {:.1} million nodes a second",
        summary.positions,
        summary.ok,
        summary.ok + summary.wrong,
        grouped(summary.nodes),
        summary.seconds,
        summary.nodes as f64 / summary.seconds.max(1e-9) / 1e6,
    )
}

fn plain(answer: &Answer) -> String {
    let value = match answer.value {
        None => "?".to_owned(),
        Some(value) if answer.kind == "wld" => {
            ["loss", "draw", "win"][(value.signum() + 1) as usize].to_owned()
        }
        Some(0) => "0".to_owned(),
        Some(value) => format!("{value:+}"),
    };
    let best = answer.pv.first().map_or("-", String::as_str);
    let verdict = match (answer.ok, answer.expected) {
        (Some(true), _) => "  ok".to_owned(),
        (Some(false), Some(0)) => "  WRONG: the file says 0".to_owned(),
        (Some(false), Some(value)) => format!("  WRONG: the file says {value:+}"),
        _ if answer.kind == "aborted" => "  not finished in time".to_owned(),
        _ => String::new(),
    };
    let mut moves: Vec<(&String, i32)> = answer
        .values
        .iter()
        .map(|(square, &value)| (square, value))
        .collect();
    moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
    let moves: Vec<String> = moves
        .iter()
        .map(|(square, value)| format!("{square} {value:+}"))
        .collect();
    let moves = moves.join(" ");
    format!(
        "{:<10} {:2} empties  {value:>4}  {best:4} {:>14} nodes {:9.3} s{verdict}{}{moves}",
        answer.id,
        answer.empties,
        grouped(answer.nodes),
        answer.seconds.unwrap_or(0.0),
        if moves.is_empty() { "" } else { "  " },
    )
}
