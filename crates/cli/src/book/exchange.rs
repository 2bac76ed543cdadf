//! Books of other programs, and the packed form.

use anyhow::Context as _;
use outflank_api::book::{self, ExchangeObject, ExportFormat};
use outflank_book::{Book, Worked};
use outflank_jobs::write_atomic;
use outflank_study::{
    book::{load, save},
    learn::require_no_log,
};
use outflank_terminal::{
    output::{self, Status},
    text,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Take over a book of another program: Edax (`book.dat`), Egaroucid (`egbk3`), lines of JSON, positions with scores (OBF).
///
/// The format is recognized by the contents. What is said to be solved there counts as claimed, not as proved. If the book
/// to write is there already, the facts are added to it.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank book import book.dat my.ofb\n  \
    outflank book import book.egbk3 my.ofb --dry-run\n  \
    outflank book import my.jsonl copy.ofb")]
pub(crate) struct ImportArgs {
    /// The other program's book.
    from: PathBuf,
    /// Our book, made if it is not there.
    to: PathBuf,
    /// Depth of the values of a book of Edax, instead of the level that each position names.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=60))]
    as_depth: Option<u32>,
    /// Only say what would come of it.
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Takes a book over.
pub(super) fn import(args: &ImportArgs) -> anyhow::Result<Status> {
    let bytes = fs::read(&args.from).with_context(|| args.from.display().to_string())?;
    let mut book = if args.to.exists() {
        let book = load(&args.to)?;
        require_no_log(&args.to, &book)?;
        book
    } else {
        Book::new()
    };
    let name = args.from.file_name().unwrap_or_default().to_string_lossy();
    let object = book::import(&bytes, &mut book, &name, args.as_depth)
        .with_context(|| args.from.display().to_string())?;
    if !args.dry_run {
        save(&args.to, &Worked::new(book))?;
    }
    report(&object, args.json)
}

fn report(object: &ExchangeObject, json: bool) -> anyhow::Result<Status> {
    if json {
        output::object(object)?;
    } else {
        output::line(&text::book::exchange(object))?;
    }
    Ok(if object.refused == 0 {
        Status::Success
    } else {
        Status::CheckFailed
    })
}

/// The formats.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Format {
    /// `book.dat` of Edax.
    Edax,
    /// `egbk3` of Egaroucid.
    Egaroucid,
    /// One position a line with nothing left out.
    Json,
    /// Positions with the scores of their moves.
    Obf,
}

/// Write a book for another program, with a report of what its format has no room for.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank book export my.ofb book.dat --to edax --level 21\n  \
    outflank book export my.ofb out.egbk3 --to egaroucid\n  \
    outflank book export my.ofb - --to json | head")]
pub(crate) struct ExportArgs {
    /// Our book.
    from: PathBuf,
    /// The file to write; `-` is standard output.
    to: PathBuf,
    /// The format.
    #[arg(long = "to", value_enum, value_name = "FORMAT")]
    format: Format,
    /// The level that is noted at every position; the depth that is most frequent in the book if left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=60))]
    level: Option<u8>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Writes a book for another program.
pub(super) fn export(args: &ExportArgs) -> anyhow::Result<Status> {
    let format = match args.format {
        Format::Edax => ExportFormat::Edax,
        Format::Egaroucid => ExportFormat::Egaroucid,
        Format::Json => ExportFormat::Json,
        Format::Obf => ExportFormat::Obf,
    };
    let (bytes, object) = book::export(&Worked::new(load(&args.from)?), format, args.level)?;
    output::file(&args.to, &bytes)?;
    if output::is_stdout(&args.to) {
        return Ok(Status::Success);
    }
    report(&object, args.json)
}

/// Pack a book: a small file for sending and for pages, read into memory as a whole; or unpack one.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank book pack my.ofb small.ofbz\n  \
    outflank book pack small.ofbz my.ofb")]
pub(crate) struct PackArgs {
    /// The book.
    from: PathBuf,
    /// The file to write: packed, or plain if its name ends in `.ofb`.
    to: PathBuf,
}

/// Packs or unpacks a book.
pub(super) fn pack(args: &PackArgs) -> anyhow::Result<Status> {
    let book = load(&args.from)?;
    let positions = book.len();
    if args.to.extension().is_some_and(|extension| extension == "ofb") {
        save(&args.to, &Worked::new(book))?;
    } else {
        write_atomic(&args.to, &outflank_book::pack(&book))?;
    }
    let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    output::line(&format!(
        "{} positions, {} bytes -> {} bytes",
        output::grouped(positions as u64),
        output::grouped(size(&args.from)),
        output::grouped(size(&args.to))
    ))?;
    Ok(Status::Success)
}
