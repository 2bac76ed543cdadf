//! `outflank games export`: games of a database in any format.

use super::{Selection, open};
use anyhow::{Context, bail};
use clap::ValueEnum;
use outflank_api::games::{self, ListRequest, import::Database};
use outflank_jobs::AtomicFile;
use outflank_records::{
    GameRecord, ggf, pgn, sgf,
    transcript::{self, Passes},
};
use outflank_terminal::output::{self, Status, complain, grouped};
use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Write games to a file or to standard output.
///
/// All fields are kept by ggf, sgf and json; pgn knows players, event, date and result, a transcript only the moves. WTHOR
/// writes the names of players and tournaments beside the games, as .jou and .trn.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank games export wthor.db --player Tamenori --to ggf --out tamenori.ggf\n  \
    outflank games export wthor.db --to transcript --years 2000.. | outflank review - --level 6\n  \
    outflank games export wthor.db --years 1996 --order number --to wthor --out WTH_1996.wtb")]
pub(super) struct ExportArgs {
    /// The database.
    database: PathBuf,
    /// The format.
    #[arg(long, value_enum)]
    to: FormatArg,
    #[command(flatten)]
    selection: Selection,
    /// Write to this file, which appears only when it is complete, instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum FormatArg {
    /// Generic Game Format.
    Ggf,
    /// Smart Game Format.
    Sgf,
    /// WTHOR games (binary; needs --out).
    Wthor,
    /// Portable Game Notation as PlayOK writes it.
    Pgn,
    /// One JSON object a game.
    Json,
    /// Moves in one word a game.
    Transcript,
}

pub(super) fn run(args: &ExportArgs) -> anyhow::Result<Status> {
    let database = open(&args.database)?;
    let request = args.selection.request();
    let out = args.out.as_deref().filter(|path| !output::is_stdout(path));
    if args.to == FormatArg::Wthor {
        let Some(path) = out else {
            bail!("WTHOR files are binary: name one with --out FILE");
        };
        return wthor(path, &request, &database);
    }
    let mut file = out.map(AtomicFile::create).transpose().context("--out")?;
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let mut failure = Ok(());
    let mut write = |text: &str| {
        failure = match &mut file {
            Some(file) => writeln!(file, "{text}").context("--out"),
            None => writeln!(stdout, "{text}").context("standard output"),
        };
        match &failure {
            Ok(()) => Ok(()),
            Err(_) => Err(outflank_api::Error::Input("it cannot be written".to_owned())),
        }
    };
    let mut n_games = 0;
    let result = if args.to == FormatArg::Json {
        games::list(&request, &database, &mut |game| {
            n_games += 1;
            write(&serde_json::to_string(&game).unwrap_or_default())
        })
    } else {
        games::records(&request, &database, &mut |record, _| {
            n_games += 1;
            write(&text_of(&record, args.to))
        })
    };
    failure?;
    result?;
    stdout.flush()?;
    if let Some(file) = file {
        file.commit().context("--out")?;
        complain(&format!("{} games written", grouped(n_games)));
    }
    Ok(Status::Success)
}

fn text_of(record: &GameRecord, to: FormatArg) -> String {
    match to {
        FormatArg::Ggf => ggf::write(record),
        FormatArg::Sgf => sgf::write(record),
        FormatArg::Pgn => pgn::write(record),
        FormatArg::Wthor | FormatArg::Json | FormatArg::Transcript => {
            transcript::write_whole(&record.game, Passes::Omit)
        }
    }
}

fn wthor(path: &Path, request: &ListRequest, database: &Database) -> anyhow::Result<Status> {
    let files = games::wthor(request, database)?;
    output::file(&path.with_extension("jou"), &files.players).context("--out")?;
    output::file(&path.with_extension("trn"), &files.tournaments).context("--out")?;
    output::file(path, &files.games).context("--out")?;
    complain(&format!(
        "{} games written, with {} and {} beside them",
        grouped(files.n_games as u64),
        path.with_extension("jou").display(),
        path.with_extension("trn").display(),
    ));
    let warnings = [
        (
            files.left_out > 0,
            format!("{} games are left out: they start elsewhere", files.left_out),
        ),
        (
            files.changed_names > 0,
            format!("{} names are cut or have other letters", files.changed_names),
        ),
        (
            files.years_lost,
            "games of several years: WTHOR has one file a year, use --years".to_owned(),
        ),
    ];
    for (_, warning) in warnings.iter().filter(|warning| warning.0) {
        complain(&format!("warning: {warning}"));
    }
    Ok(Status::Success)
}
