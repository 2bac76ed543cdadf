//! `outflank puzzles`: made from games, checked, shown.

use crate::{
    engine::system_clock,
    options::{ModelArg, parse_range, parse_search_level, threads},
};
use anyhow::{Context as _, bail};
use clap::Subcommand;
use outflank_api::puzzles::{PuzzleFilter, PuzzleObject};
use outflank_records::{Format, Item};
use outflank_search::{Level, StopToken};
use outflank_study::{
    puzzle::{self, Criteria, MakeError, Maker, Origin, Puzzle, Wanted, make_to_file},
    review::{Judge, ReviewOptions, review_by},
};
use outflank_terminal::{
    ending,
    input::{self, Source},
    live::Counter,
    output::{self, Status},
    text,
};
use serde_json::json;
use std::{
    fs,
    num::NonZeroUsize,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

/// Endgame puzzles: make them from games, check them, show them.
///
/// A puzzle has one best move, exact values of all moves, and is not seen at first sight. 500 are inside the program.
/// `outflank drill puzzles` asks them.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Make(MakeArgs),
    Check(CheckArgs),
    Show(ShowArgs),
}

/// Make a file of puzzles from games.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank puzzles make games.ggf --output mine.tsv\n  \
    outflank puzzles make WTH_*.wtb --count 500 --min-gap 4 --seed 1 --output puzzles.tsv\n  \
    outflank puzzles make WTH_*.wtb --count 500 --output puzzles.tsv --resume     # after Ctrl-C\n  \
    outflank puzzles make mygames.ggf --from-review --level 14 --output mine.tsv  # only what the players missed\n\
    The same games and options give the same file. Exit code 1 if Ctrl-C cut the work short.")]
struct MakeArgs {
    /// Games, or files of games, in any notation; `-` reads standard input.
    #[arg(required = true, value_name = "GAME")]
    input: Vec<String>,
    /// Puzzles wanted.
    #[arg(long, value_name = "N", default_value_t = 500)]
    count: usize,
    /// Discs that the second best move loses at least, unless it changes who wins.
    #[arg(long, value_name = "DISCS", default_value_t = Criteria::default().min_gap, value_parser = clap::value_parser!(i32).range(2..=64))]
    min_gap: i32,
    /// Empty squares, the fewest and the most.
    #[arg(long, value_name = "A..B", default_value = "7..20", value_parser = parse_range)]
    empties: RangeInclusive<usize>,
    /// What the games are shuffled with.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Only positions in which the player of the game lost at least --min-gap discs: every game is reviewed first, in the
    /// order in which they come.
    #[arg(long, conflicts_with_all = ["seed", "resume", "threads"])]
    from_review: bool,
    /// Strength of the review.
    #[arg(long, value_name = "N", default_value = "12", value_parser = parse_search_level)]
    level: Level,
    /// The file; with `.log` after its name until it is complete.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Go on with the FILE.log of an interrupted run.
    #[arg(long)]
    resume: bool,
    /// Games looked at at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads())]
    threads: u16,
    #[command(flatten)]
    model: ModelArg,
}

/// Confirm puzzles by a plain alpha-beta search that shares nothing with the solver.
///
/// It has no table: up to 14 empties a puzzle takes milliseconds, but the time grows fast with every one more.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank puzzles check mine.tsv\n  \
    outflank puzzles check --max-empties 10       those inside the program\n\
    Exit code 1 if one of them is wrong.")]
struct CheckArgs {
    /// A file of puzzles; those inside the program if none is named.
    file: Option<PathBuf>,
    /// Discs that the second best move loses at least, unless it changes who wins.
    #[arg(long, value_name = "DISCS", default_value_t = Criteria::default().min_gap)]
    min_gap: i32,
    /// Leave out those with more empty squares.
    #[arg(long, value_name = "N", default_value_t = 60)]
    max_empties: u32,
    /// Print one JSON object a puzzle.
    #[arg(long)]
    json: bool,
}

/// Show puzzles.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank puzzles show --theme parity --count 3\n  \
    outflank puzzles show mine.tsv --solution\n  \
    outflank puzzles show --json")]
struct ShowArgs {
    /// A file of puzzles; those inside the program if none is named.
    file: Option<PathBuf>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Show so many.
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Show the values of all moves and the solution, too.
    #[arg(long)]
    solution: bool,
    /// Print one JSON object a puzzle.
    #[arg(long)]
    json: bool,
}

/// Which puzzles are wanted.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct FilterArgs {
    /// Only with this theme: win, draw, corner, x-square, c-square, sacrifice, pass, squeeze, quiet, parity, access.
    #[arg(long, value_name = "THEME")]
    theme: Option<String>,
    /// Only with so many empty squares.
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    empties: Option<RangeInclusive<usize>>,
    /// Only those that at least so many of a hundred club players would get wrong.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    min_wrong: Option<u8>,
    /// Only those that at most so many of them would.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    max_wrong: Option<u8>,
}

impl FilterArgs {
    /// Returns the filter.
    pub(crate) fn filter(&self) -> PuzzleFilter {
        PuzzleFilter {
            theme: self.theme.clone(),
            min_empties: self.empties.as_ref().map(|range| *range.start() as u32),
            max_empties: self.empties.as_ref().map(|range| *range.end() as u32),
            min_wrong: self.min_wrong,
            max_wrong: self.max_wrong,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    match &args.command {
        Command::Make(args) => make(args),
        Command::Check(args) => check(args),
        Command::Show(args) => show(args),
    }
}

/// Reads the puzzles of a file, or those inside the program.
pub(crate) fn puzzles(file: Option<&Path>) -> anyhow::Result<Vec<Puzzle>> {
    let Some(path) = file else {
        return Ok(puzzle::shipped().to_vec());
    };
    let name = || path.display().to_string();
    let text = fs::read_to_string(path).with_context(name)?;
    puzzle::read(&text).with_context(name)
}

/// Returns the evaluation that was asked for.
pub(crate) fn judge(model: &ModelArg) -> anyhow::Result<Judge> {
    let model = model.load()?;
    Ok(Judge {
        evaluator: model.evaluator,
        probcut: model.probcut,
    })
}

fn make(args: &MakeArgs) -> anyhow::Result<Status> {
    let mut games = Vec::new();
    let mut bad = 0;
    for source in Source::from_args(&args.input)? {
        let tally = input::for_each(std::slice::from_ref(&source), |item| {
            games.push(Origin {
                source: origin(&source, &item),
                game: item.game(),
            });
            Ok(())
        })?;
        bad += tally.bad;
    }
    let wanted = Wanted {
        games: &games,
        count: args.count,
        criteria: Criteria {
            min_gap: args.min_gap,
            min_empties: *args.empties.start() as u32,
            max_empties: *args.empties.end() as u32,
            ..Criteria::default()
        },
        seed: args.seed,
        workers: NonZeroUsize::new(usize::from(args.threads)).unwrap_or(NonZeroUsize::MIN),
    };
    let stop = ending::stop_on_interrupt()?;
    if args.from_review {
        let complete = make_from_reviews(args, &wanted, &stop)?;
        return Ok(match (complete, bad) {
            (false, _) => Status::CheckFailed,
            (true, 0) => Status::Success,
            _ => Status::BadInput,
        });
    }
    let counter = Counter::new(format!("{} games", games.len()), "puzzles");
    let made = make_to_file(
        &wanted,
        &judge(&args.model)?,
        (&args.output, args.resume),
        (&system_clock(), &stop),
        &mut |progress| counter.show(progress.kept, args.count),
    );
    counter.clear();
    let puzzles = match made {
        Err(MakeError::Stopped) => {
            output::complain("stopped; the same command with --resume goes on");
            return Ok(Status::CheckFailed);
        }
        Err(MakeError::Interrupted(log)) => {
            bail!("{log}: an earlier run was interrupted; go on with --resume, or remove the file")
        }
        made => made?,
    };
    output::complain(&format!(
        "{} puzzles in {}{}",
        puzzles.len(),
        args.output.display(),
        if puzzles.len() < args.count {
            ": the games hold no more"
        } else {
            ""
        }
    ));
    Ok(if bad > 0 {
        Status::BadInput
    } else {
        Status::Success
    })
}

/// Makes puzzles of what the players of the games have missed; returns whether nobody stopped it.
fn make_from_reviews(args: &MakeArgs, wanted: &Wanted<'_>, stop: &StopToken) -> anyhow::Result<bool> {
    let (judge, clock) = (judge(&args.model)?, system_clock());
    let mut maker = Maker::new(&judge, &clock, stop)?;
    let criteria = Criteria {
        obvious: true,
        ..wanted.criteria
    };
    let counter = Counter::new("reviewing".to_owned(), "games");
    let mut found = Vec::new();
    for (number, origin) in wanted.games.iter().enumerate() {
        if stop.is_stopped() || found.len() >= wanted.count {
            break;
        }
        counter.show(number, wanted.games.len());
        let reviewed = review_by(
            &judge,
            None,
            &origin.game,
            &ReviewOptions {
                level: args.level,
                workers: NonZeroUsize::MIN,
                budget: None,
            },
            &clock,
            stop,
            &mut |_, _| {},
        )?;
        found.extend(maker.from_review(&reviewed, &origin.source, &criteria));
    }
    counter.clear();
    found.truncate(wanted.count);
    output::file(&args.output, puzzle::write(&found).as_bytes())?;
    output::complain(&format!("{} puzzles in {}", found.len(), args.output.display()));
    Ok(!stop.is_stopped())
}

/// Returns where a game is from, by the name of its file and its year.
fn origin(source: &Source, item: &Item) -> String {
    let game = match &item.content {
        outflank_records::Content::Game(record) => Some(record),
        outflank_records::Content::Position(_) => None,
    };
    let year = game
        .and_then(|record| record.tag("DT"))
        .and_then(|date| date.get(..4))
        .filter(|year| year.bytes().all(|b| b.is_ascii_digit()));
    let stem = match source {
        Source::File(path) => path.file_stem().map(|stem| stem.to_string_lossy().into_owned()),
        Source::Text(_) | Source::Stdin => None,
    };
    let stem = stem.unwrap_or_default();
    let name = match (item.format, stem.to_lowercase().as_str()) {
        (Format::Wthor, name) if name.starts_with("wth") => "WTHOR",
        (_, name) if name.starts_with("playok") => "PlayOK",
        (_, name) if name.starts_with("eothello") => "eOthello",
        _ => stem.as_str(),
    };
    format!("{name} {}", year.unwrap_or_default()).trim().to_owned()
}

fn check(args: &CheckArgs) -> anyhow::Result<Status> {
    let all = puzzles(args.file.as_deref())?;
    let (mut right, mut wrong, mut nodes, mut left_out) = (0, 0, 0, 0);
    let counter = Counter::new("checking".to_owned(), "puzzles");
    for (number, puzzle) in all.iter().enumerate() {
        if puzzle.empties() > args.max_empties {
            left_out += 1;
            continue;
        }
        let checked = puzzle::check(puzzle, args.min_gap);
        counter.show(number + 1, all.len());
        match &checked {
            Ok(searched) => {
                right += 1;
                nodes += searched;
            }
            Err(_) => wrong += 1,
        }
        if args.json {
            let reason = checked.as_ref().err().map(ToString::to_string);
            output::object(&json!({"puzzle": puzzle.id(), "right": checked.is_ok(), "reason": reason}))?;
        } else if let Err(fault) = checked {
            counter.clear();
            output::line(&format!("puzzle {}, {}: {fault}", number + 1, puzzle.position))?;
        }
    }
    counter.clear();
    if !args.json {
        output::line(&format!(
            "{right} puzzles right, {wrong} wrong, {left_out} left out; {} positions",
            output::grouped(nodes)
        ))?;
    }
    Ok(if wrong > 0 {
        Status::CheckFailed
    } else {
        Status::Success
    })
}

fn show(args: &ShowArgs) -> anyhow::Result<Status> {
    let all = puzzles(args.file.as_deref())?;
    let wanted = args.filter.filter().apply(&all)?;
    for (at, puzzle) in wanted
        .into_iter()
        .take(args.count.unwrap_or(usize::MAX))
        .enumerate()
    {
        if args.json {
            output::object(&PuzzleObject::from(puzzle))?;
            continue;
        }
        if at > 0 {
            output::line("")?;
        }
        output::line(&text::puzzle::describe(
            puzzle,
            args.solution,
            output::use_color(),
        ))?;
    }
    Ok(Status::Success)
}
