//! `outflank convert`: from any notation to another, and checking of collections.

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use outflank_api::convert::{self, NoMoves, Notation, Tally};
use outflank_jobs::AtomicFile;
use outflank_othello_engine::Engine;
use outflank_records::{Item, Warning, wthor::WthorWriter};
use outflank_terminal::{
    input::{self, Source, open_file},
    output::{self, Status, grouped},
};
use serde_json::json;
use std::{
    io::Write,
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
    let out = args.out.as_deref();
    let Some(target) = args.to else {
        return check(&sources, args.json);
    };
    let to = match target {
        Target::Wthor => return to_wthor(&sources, out, args.solve),
        Target::Board => Notation::Board,
        Target::Transcript => Notation::Transcript,
        Target::TranscriptPa => Notation::TranscriptPa,
        Target::Obf => Notation::Obf,
        Target::Ggf => Notation::Ggf,
        Target::Sgf => Notation::Sgf,
    };
    to_text(&sources, to, out.filter(|path| !output::is_stdout(path)))
}

fn to_text(sources: &[Source], to: Notation, out: Option<&Path>) -> anyhow::Result<Status> {
    let mut file = out.map(AtomicFile::create).transpose().context("--out")?;
    let kept = |item: &Item, warning: &Warning| convert::is_kept(item, warning, to);
    let tally = input::for_each_kept(sources, &kept, |item| {
        let text = convert::write(&item, to).map_err(|NoMoves { line }| {
            anyhow!("line {line}: a position has no moves to write; try --to board")
        })?;
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

fn to_wthor(sources: &[Source], out: Option<&Path>, solve: Option<u8>) -> anyhow::Result<Status> {
    let Some(path) = out else {
        bail!("WTHOR files are binary: name one with --out FILE")
    };
    let mut solver = solve
        .map(|empties| Ok::<_, anyhow::Error>((Engine::new()?, empties)))
        .transpose()?;
    let mut writer = WthorWriter::default();
    let tally = input::for_each(sources, |item| {
        let solver = solver.as_mut().map(|(engine, empties)| (engine, *empties));
        Ok(convert::add_wthor(&mut writer, &item, solver)?)
    })?;
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).context("--out")?;
    output::file(path, &bytes).context("--out")?;
    Ok(tally.status())
}

fn print(source: &str, tally: &Tally, json: bool) -> anyhow::Result<()> {
    if json {
        let mut object = json!(tally);
        object["file"] = json!(source);
        return output::line(&object.to_string());
    }
    output::line(&format!(
        "{source}: {} games, {} positions, {} moves, {} passes, {} incomplete games, \
         {} finished games with another score, {} unreadable",
        grouped(tally.games),
        grouped(tally.positions),
        grouped(tally.moves),
        grouped(tally.passes),
        grouped(tally.incomplete),
        grouped(tally.wrong_scores),
        tally.bad,
    ))
}

fn check(sources: &[Source], json: bool) -> anyhow::Result<Status> {
    let mut total = Tally::default();
    for source in sources {
        let tally = match source {
            Source::File(path) if source.is_wthor()? => {
                let name = || path.display().to_string();
                let mut tell = |text| output::complain(&format!("{}: {text}", path.display()));
                Tally::of_wthor(open_file(path)?, &mut tell).with_context(name)?
            }
            _ => {
                let mut tally = Tally::default();
                let read = input::for_each(std::slice::from_ref(source), |item| {
                    tally.add(&item);
                    Ok(())
                })?;
                tally.bad = read.bad;
                tally
            }
        };
        print(&source.to_string(), &tally, json)?;
        total += tally;
    }
    if sources.len() > 1 && !json {
        print("total", &total, json)?;
    }
    Ok(if total.bad > 0 {
        Status::BadInput
    } else if total.wrong_scores > 0 {
        Status::CheckFailed
    } else {
        Status::Success
    })
}
