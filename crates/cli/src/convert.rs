//! `outflank convert`: from any notation to another, and checking of collections.

use crate::{
    engine::Othello,
    input::{self, Source, open_file},
    output::{self, Status, grouped},
};
use anyhow::{Context, bail};
use clap::ValueEnum;
use outflank_jobs::AtomicFile;
use outflank_othello::{Color, Discs, Game, Move};
use outflank_othello_engine::{Engine, Request};
use outflank_records::{
    Content, GameRecord, Item, ScoredPosition, Warning, board, ggf, obf, sgf,
    transcript::{self, Passes},
    wthor,
};
use outflank_search::{StopToken, Verdict};
use serde_json::json;
use std::{
    io::{BufReader, Write},
    path::{Path, PathBuf},
};

/// Convert positions and games from any notation to another, or check a collection.
///
/// What cannot be read is listed on standard error and left out; the exit code is then 2.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank convert --to ggf games/WTH_2001.wtb --out games.ggf\n  \
    outflank convert --to transcript games.ggf\n  \
    outflank convert --to wthor games.ggf --out games.wtb\n  \
    outflank convert --to board f5d6c3d3c4\n  \
    outflank convert --check games.ggf WTH_2001.wtb\n\
    With --check, exit code 1 if a finished game does not have the score that the file states.")]
pub(crate) struct Args {
    /// Positions, games or files in any notation; `-` reads standard input.
    #[arg(required = true)]
    input: Vec<String>,
    /// The notation to write.
    #[arg(long, value_enum, required_unless_present = "check", conflicts_with = "check")]
    to: Option<Target>,
    /// Write to this file, which appears only when it is complete, instead of standard output (`-`).
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    out: Option<PathBuf>,
    /// With --to wthor, solve every game from this many empty squares on, and write that as its theoretical score (the
    /// federation's files have 24).
    ///
    /// Without it nothing is claimed to be solved that the input does not say.
    #[arg(long, value_name = "EMPTIES", value_parser = clap::value_parser!(u8).range(2..=30), conflicts_with = "check")]
    solve: Option<u8>,
    /// Only read everything, and count games, passes, incomplete games and wrong scores.
    #[arg(long)]
    check: bool,
    /// With --check, print one JSON object per source.
    #[arg(long, requires = "check")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// 64 characters and the side to move; of a game, its last position.
    Board,
    /// Moves in one word, passes left out but for one at the end; a start that is not the usual one stands before them.
    Transcript,
    /// The same with all passes, as `pa`.
    TranscriptPa,
    /// Othello board file: board and scores.
    Obf,
    /// Generic Game Format.
    Ggf,
    /// Smart Game Format.
    Sgf,
    /// WTHOR games (binary; needs --out).
    Wthor,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let sources = Source::from_args(&args.input)?;
    if args.solve.is_some() && args.to != Some(Target::Wthor) {
        bail!("--solve is for theoretical scores, which only WTHOR has: use it with --to wthor");
    }
    match args.to {
        None => check(&sources, args.json),
        Some(Target::Wthor) => to_wthor(&sources, args.out.as_deref(), args.solve),
        Some(target) => to_text(
            &sources,
            target,
            args.out.as_deref().filter(|path| !output::is_stdout(path)),
        ),
    }
}

fn to_text(sources: &[Source], target: Target, out: Option<&Path>) -> anyhow::Result<Status> {
    let mut file = out.map(AtomicFile::create).transpose().context("--out")?;
    let tally = input::for_each(sources, |item| {
        let text = write_item(&item, target)?;
        match &mut file {
            Some(file) => writeln!(file, "{text}").context("--out"),
            None => output::line(&text),
        }
    })?;
    if let Some(file) = file {
        file.commit().context("--out")?;
    }
    Ok(tally.status())
}

fn record(item: &Item) -> GameRecord {
    match &item.content {
        Content::Game(record) => record.clone(),
        Content::Position(scored) => GameRecord::new(Game::from_position(scored.position)),
    }
}

fn write_item(item: &Item, target: Target) -> anyhow::Result<String> {
    Ok(match target {
        Target::Board => board::write(item.position()),
        Target::Obf => match &item.content {
            Content::Position(scored) => obf::write(scored),
            Content::Game(record) => obf::write(&ScoredPosition::new(*record.game.position())),
        },
        Target::Transcript | Target::TranscriptPa => {
            let Content::Game(record) = &item.content else {
                bail!(
                    "line {}: a position has no moves to write; try --to board",
                    item.line
                )
            };
            let passes = if target == Target::Transcript {
                Passes::Omit
            } else {
                Passes::Write
            };
            transcript::write_whole(&record.game, passes)
        }
        Target::Ggf => ggf::write(&record(item)),
        Target::Sgf => sgf::write(&record(item)),
        Target::Wthor => unreachable!("WTHOR is not text"),
    })
}

fn to_wthor(sources: &[Source], out: Option<&Path>, solve: Option<u8>) -> anyhow::Result<Status> {
    let Some(path) = out else {
        bail!("WTHOR files are binary: name one with --out FILE")
    };
    let mut solver = solve
        .map(|empties| Ok::<_, anyhow::Error>((empties, Engine::new()?)))
        .transpose()?;
    let mut writer = wthor::WthorWriter::default();
    let tally = input::for_each(sources, |item| {
        let Content::Game(game) = &item.content else {
            bail!(
                "line {}: a position is not a game; WTHOR holds games only",
                item.line
            )
        };
        let solved = solver
            .as_mut()
            .and_then(|(empties, engine)| Some((theoretical(engine, &game.game, *empties)?, *empties)));
        let added = match solved {
            Some((discs, empties)) => writer.add_solved(game, discs, empties),
            None => writer.add(game),
        };
        added.with_context(|| format!("line {}", item.line))
    })?;
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).context("--out")?;
    output::file(path, &bytes).context("--out")?;
    Ok(tally.status())
}

/// Solves the first position of a game with at most `empties` empty squares, and returns black's margin; `None` if the
/// game stops before it.
fn theoretical(engine: &mut Othello, game: &Game, empties: u8) -> Option<Discs> {
    let position = game
        .positions()
        .into_iter()
        .find(|position| position.board().empties().count() <= u32::from(empties))?;
    if position.is_game_over() {
        return Some(position.final_discs(Color::Black));
    }
    let request = Request::new(position).exact();
    let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
    let best = outcome.best();
    let discs = best.value.to_discs();
    (best.verdict == Verdict::Exact).then(|| match position.side() {
        Color::Black => discs,
        Color::White => Discs::saturating(-discs.get()),
    })
}

/// What `--check` counts in one source.
#[derive(Default)]
struct Counts {
    games: u64,
    positions: u64,
    moves: u64,
    passes: u64,
    incomplete: u64,
    wrong_scores: u64,
}

impl Counts {
    fn add(&mut self, game: &Game) {
        self.games += 1;
        let passes = game.moves().iter().filter(|&&mv| mv == Move::Pass).count() as u64;
        self.passes += passes;
        self.moves += game.moves().len() as u64 - passes;
        self.incomplete += u64::from(game.result().is_none());
    }

    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.positions += other.positions;
        self.moves += other.moves;
        self.passes += other.passes;
        self.incomplete += other.incomplete;
        self.wrong_scores += other.wrong_scores;
    }

    fn print(&self, source: &str, bad: u64, json: bool) -> anyhow::Result<()> {
        let Self {
            games,
            positions,
            moves,
            passes,
            incomplete,
            wrong_scores,
        } = *self;
        if json {
            let counts = json!({
                "file": source, "games": games, "positions": positions, "moves": moves, "passes": passes,
                "incomplete": incomplete, "wrong_scores": wrong_scores, "bad": bad,
            });
            return output::line(&counts.to_string());
        }
        output::line(&format!(
            "{source}: {} games, {} positions, {} moves, {} passes, {} incomplete games, \
             {} finished games with another score, {bad} unreadable",
            grouped(games),
            grouped(positions),
            grouped(moves),
            grouped(passes),
            grouped(incomplete),
            grouped(wrong_scores),
        ))
    }
}

fn check(sources: &[Source], json: bool) -> anyhow::Result<Status> {
    let mut status = Status::Success;
    let (mut total, mut total_bad) = (Counts::default(), 0);
    for source in sources {
        let (counts, bad) = match source {
            Source::File(path) if source.is_wthor()? => check_wthor(path)?,
            _ => {
                let mut counts = Counts::default();
                let tally = input::for_each(std::slice::from_ref(source), |item| {
                    match &item.content {
                        Content::Game(record) => {
                            counts.add(&record.game);
                            counts.wrong_scores += u64::from(states_wrong_score(&item.warnings));
                        }
                        Content::Position(_) => counts.positions += 1,
                    }
                    Ok(())
                })?;
                (counts, tally.bad)
            }
        };
        if bad > 0 {
            status = Status::BadInput;
        } else if counts.wrong_scores > 0 && status == Status::Success {
            status = Status::CheckFailed;
        }
        counts.print(&source.to_string(), bad, json)?;
        total.merge(&counts);
        total_bad += bad;
    }
    if sources.len() > 1 && !json {
        total.print("total", total_bad, json)?;
    }
    Ok(status)
}

/// Whether a finished game states a result that its moves do not give, which the reader has said already; results by
/// resignation, time or mutual agreement are not compared.
fn states_wrong_score(warnings: &[Warning]) -> bool {
    warnings
        .iter()
        .any(|warning| matches!(warning, Warning::ResultDiffers { .. }))
}

fn check_wthor(path: &Path) -> anyhow::Result<(Counts, u64)> {
    let name = || path.display().to_string();
    let file = wthor::Wthor::read(BufReader::new(open_file(path)?)).with_context(name)?;
    let mut counts = Counts::default();
    for game in &file.games {
        counts.add(&game.game);
        if game.score_agrees() == Some(false) {
            counts.wrong_scores += 1;
            output::complain(&format!(
                "{}: record {}: the moves give another score",
                path.display(),
                game.number
            ));
        }
    }
    for problem in &file.problems {
        output::complain(&format!("{}: {problem}", path.display()));
    }
    Ok((counts, file.problems.len() as u64))
}
