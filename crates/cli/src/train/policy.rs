//! `outflank train policy`: what people choose, from their games.

use super::files::{GamesArgs, evaluator};
use anyhow::{Context, bail};
use outflank_jobs::{Event, Job, Outcome, ResultLog, Runner, Shard, write_atomic};
use outflank_othello_engine::human::{HumanPlayer, Manner, Policy, promised_loss};
use outflank_search::Level;
use outflank_terminal::output::{self, Status};
use outflank_train::{
    policy::{
        PlayedGame, PolicyConfig, choose, examples, fingerprint, fit, judge_all, measure, openings, report,
    },
    sample::Split,
    source::{Record, TRAINING_YEARS, read_wthor},
};
use serde_json::json;
use std::{
    num::{NonZeroU16, NonZeroUsize},
    path::PathBuf,
    sync::Arc,
    time::Instant,
};

/// Fit how people of each skill choose their moves, for the levels human-1 to human-8.
///
/// Games are judged first (the values of all moves, a few discs ahead), which takes most of the time; OUTPUT.log keeps
/// what is judged: stop it at any time and go on with --resume. Then the policy is fitted and compared with simple
/// guesses on games that it was not fitted to.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  \
    outflank train policy human.policy --wthor ../shared/data/wthor --games ../shared/data/games/eothello.csv \\\n      \
    --xot ../shared/data/games/PLAYOK_2023.wtb --per-source 3000")]
pub(super) struct Args {
    /// Policy file to write.
    output: PathBuf,
    #[command(flatten)]
    games: GamesArgs,
    /// WTHOR files of games whose first eight moves were drawn by lot.
    #[arg(long, value_name = "FILE")]
    xot: Vec<PathBuf>,
    /// Games to take of each of --wthor, --games and --xot, by lot.
    #[arg(long, value_name = "N", default_value_t = 3000)]
    per_source: usize,
    /// Games after 2009 of --wthor to test with, by lot.
    #[arg(long, value_name = "N", default_value_t = 600)]
    tested: usize,
    /// Moves to compare with the guesses.
    #[arg(long, value_name = "N", default_value_t = 5000)]
    compared: usize,
    /// Passes over the moves.
    #[arg(long, default_value_t = 12)]
    epochs: usize,
    /// Go on with the log of an interrupted run.
    #[arg(long)]
    resume: bool,
    /// Number of threads.
    #[arg(long, default_value = "1")]
    threads: NonZeroU16,
    /// Seed of every random choice.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Args {
    /// Returns all games, and those that were chosen to be judged.
    fn games(&self) -> anyhow::Result<(Vec<PlayedGame>, Vec<PlayedGame>)> {
        let played = |records: Vec<Record>, drawn: usize| -> Vec<PlayedGame> {
            records
                .into_iter()
                .map(|record| PlayedGame { record, drawn })
                .collect()
        };
        let (mut all, mut chosen) = (Vec::new(), Vec::new());
        let one = |wthor: &[PathBuf], games: &[PathBuf]| {
            let (wthor, games) = (wthor.to_vec(), games.to_vec());
            GamesArgs { wthor, games }.read()
        };
        for (records, drawn) in [
            (one(&self.games.wthor, &[])?, 0),
            (one(&[], &self.games.games)?, 0),
            (one(&[], &self.xot)?, 8),
        ] {
            let games = played(records, drawn);
            chosen.extend(choose(games.clone(), self.per_source, self.seed));
            all.extend(games);
        }
        for path in &self.games.wthor {
            let later = read_wthor(path, *TRAINING_YEARS.end() + 1..=u16::MAX, Some(Split::Test))?;
            chosen.extend(choose(played(later, 0), self.tested, self.seed));
        }
        Ok((all, chosen))
    }
}

/// Runs `train policy`.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let (all, games) = args.games()?;
    let evaluator = Arc::new(evaluator(None)?);
    let job = Job {
        title: format!("judge {} games", games.len()),
        fingerprint: fingerprint(&games, &evaluator),
        items: games.len(),
        shard: Shard::WHOLE,
    };
    let path = args.output.with_added_extension("log");
    let mut log = if args.resume {
        ResultLog::resume(&path, job)?
    } else {
        ResultLog::create(&path, job).context("use --resume to go on")?
    };
    let start = Instant::now();
    let seconds = move || start.elapsed().as_secs_f64();
    let mut runner = Runner::new(&seconds);
    runner.workers = NonZeroUsize::from(args.threads);
    let mut failed = None;
    let mut on_event = |event: &Event<'_>| {
        if let Event::ItemDone { progress, .. } = event
            && progress.done % 500 == 0
        {
            let left = progress.seconds_left().unwrap_or_default();
            let text = format!(
                "{} of {} games judged, about {left:.0} s left",
                progress.done, progress.total
            );
            failed = output::line(&text).err().or(failed.take());
        }
    };
    let outcome = judge_all(&games, &evaluator, (&mut log, &runner), &mut on_event)?;
    if let Some(error) = failed {
        return Err(error);
    }
    if outcome == Outcome::Stopped {
        bail!("stopped; go on with --resume");
    }
    let openings = openings(&all);
    let examples = examples(&games, &log.results()?, &openings)
        .map_err(|game| anyhow::anyhow!("{}: game {game} is damaged", path.display()))?;
    output::line(&format!(
        "{} moves of {} games, {} positions of openings",
        examples.len(),
        games.len(),
        openings.len()
    ))?;
    let config = PolicyConfig {
        epochs: args.epochs,
        seed: args.seed,
        ..PolicyConfig::default()
    };
    let policy = fit(&examples, openings, &config, &mut |epoch, surprise| {
        let text = format!("pass {epoch}: {surprise:.4} nats a move");
        failed = output::line(&text).err().or(failed.take());
    });
    if let Some(error) = failed {
        return Err(error);
    }
    write_atomic(&args.output, &policy.encode())?;
    output::line(&report(&examples, &policy, args.compared).to_string())?;
    Ok(Status::Success)
}

/// Measure what the levels human-1 to human-8 lose a move, in games against themselves.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank train humans --games 200\n  \
    outflank train humans --games 50 --manner 2.5 0.1 0      skill, care, greed: something between the levels")]
pub(super) struct HumansArgs {
    /// Games of each.
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: usize,
    /// Discs ahead of the search that judges.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=60))]
    depth: u32,
    /// Seed of the choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Measure this instead of the levels: mean loss of the people it plays like, care, greed.
    #[arg(long, value_names = ["SKILL", "CARE", "GREED"], num_args = 3)]
    manner: Vec<f64>,
    /// Policy file (default: the one inside the program).
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Print one JSON object a level.
    #[arg(long)]
    json: bool,
}

/// Runs `train humans`.
pub(super) fn humans(args: &HumansArgs) -> anyhow::Result<Status> {
    let evaluator = Arc::new(evaluator(None)?);
    let policy = match &args.policy {
        None => Policy::embedded(),
        Some(path) => {
            let name = || path.display().to_string();
            Policy::decode(&std::fs::read(path).with_context(name)?).with_context(name)?
        }
    };
    let policy = Arc::new(policy);
    let manners: Vec<(String, f64, Manner)> = match args.manner[..] {
        [skill, care, greed] => {
            let skill = skill as f32;
            vec![(
                "manner".to_owned(),
                f64::from(skill),
                Manner { skill, care, greed },
            )]
        }
        _ => Level::humans()
            .filter_map(|level| {
                let number = level.as_human()?;
                Some((level.to_string(), promised_loss(number), Manner::of(number)))
            })
            .collect(),
    };
    if !args.json {
        output::line("level     promised  discs lost a move  8 or more  games  moves  openings")?;
    }
    for (name, promised, manner) in manners {
        let player = HumanPlayer::with_policy(Arc::clone(&evaluator), Arc::clone(&policy), args.seed);
        let found = measure(player, &manner, args.games, args.depth)?;
        if args.json {
            let object = json!({"level": name, "promised": promised, "loss": found.loss, "half": found.half,
                "blunders": found.blunders, "games": found.games, "moves": found.moves, "openings": found.openings});
            output::line(&object.to_string())?;
        } else {
            output::line(&format!(
                "{name:<8}  {promised:8.1}      {:5.2} ± {:4.2}     {:5.1} %  {:5}  {:5}  {:8}",
                found.loss,
                found.half,
                100.0 * found.blunders,
                found.games,
                found.moves,
                found.openings
            ))?;
        }
    }
    Ok(Status::Success)
}
