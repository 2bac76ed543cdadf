//! Where positions and games come from: arguments, files, standard input, in any notation.

use crate::output::{Status, complain};
use anyhow::{Context, bail};
use outflank_api::WthorNames;
use outflank_records::{BadItem, Content, Format, Item, PasteError, Warning, gomoku::Record, wthor};
use outflank_search::{Level, ParseLevelError};
use std::{
    fmt,
    fs::File,
    io::{self, Read as _},
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Duration,
};

/// A source of positions and games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Text given on the command line.
    Text(String),
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(_) => f.write_str("argument"),
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

impl Source {
    /// Understands arguments: `-`, paths of existing files, or else notation, which may be split over several
    /// arguments by the shell.
    pub fn from_args(args: &[String]) -> anyhow::Result<Vec<Self>> {
        let mut sources: Vec<Self> = Vec::new();
        for arg in args {
            let path = Path::new(arg);
            if arg == "-" {
                sources.push(Self::Stdin);
            } else if path.exists() {
                sources.push(Self::File(path.to_owned()));
            } else if looks_like_path(arg) {
                bail!("{arg}: no such file");
            } else if let Some(Self::Text(text)) = sources.last_mut() {
                text.push(' ');
                text.push_str(arg);
            } else {
                sources.push(Self::Text(arg.clone()));
            }
        }
        Ok(sources)
    }

    /// Opens what is named.
    fn open(&self) -> anyhow::Result<outflank_api::Source<'_>> {
        Ok(match self {
            Self::Text(text) => outflank_api::Source::Text(text),
            Self::Stdin => outflank_api::Source::Reader(Box::new(io::stdin().lock())),
            Self::File(path) => outflank_api::Source::File {
                bytes: Box::new(open_file(path)?),
                names: Box::new(|| wthor_names(path)),
            },
        })
    }

    /// Returns whether this is a file with games of the WTHOR database, whatever it is called.
    pub fn is_wthor(&self) -> anyhow::Result<bool> {
        let Self::File(path) = self else { return Ok(false) };
        let mut head = Vec::new();
        let limit = (wthor::HEADER_BYTES + wthor::GAME_BYTES) as u64;
        let read = open_file(path)?.take(limit).read_to_end(&mut head);
        read.with_context(|| path.display().to_string())?;
        Ok(wthor::sniff(&head) == Some(wthor::FileKind::Games))
    }
}

/// Reads the names of players and tournaments from the folder of a WTHOR file; what is not there stays unnamed.
pub fn wthor_names(path: &Path) -> WthorNames {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = folder.unwrap_or_else(|| Path::new(".")).read_dir() else {
        return WthorNames::default();
    };
    let files = entries.flatten().map(|entry| entry.path());
    WthorNames::among(files.collect(), |file| File::open(file))
}

/// Opens a file for reading; a directory is an error that says so.
pub fn open_file(path: &Path) -> anyhow::Result<File> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    if file.metadata().with_context(name)?.is_dir() {
        bail!("{}: is a directory; name the files in it", path.display());
    }
    Ok(file)
}

/// No notation has a slash or ends in a short extension of letters after a word character.
fn looks_like_path(arg: &str) -> bool {
    let extension =
        |ext: &str| (2..=5).contains(&ext.len()) && ext.chars().all(|c| c.is_ascii_alphanumeric());
    // Rows of a FEN, also of a damaged one, and the result of a tie.
    let first = arg.split_whitespace().next().unwrap_or_default();
    let is_fen = first.matches('/').count() >= 4 && first.chars().all(|c| "/12345678PpbwxoBWXO*".contains(c));
    let slashes = arg.replace("1/2-1/2", "").contains('/');
    // `1.f5d6` is no file with the extension f5d6.
    let are_squares = |ext: &str| {
        let letters_and_digits = ext.as_bytes().chunks(2);
        ext.len().is_multiple_of(2)
            && letters_and_digits
                .into_iter()
                .all(|pair| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit())
    };
    let stem_and_extension = arg.rsplit_once('.');
    (slashes && !is_fen && !arg.contains('['))
        || stem_and_extension.is_some_and(|(stem, ext)| {
            extension(ext)
                && !are_squares(ext)
                && ext.chars().any(|c| c.is_ascii_alphabetic())
                && stem.chars().next_back().is_some_and(char::is_alphanumeric)
                && !stem.chars().all(|c| "XxOoBbWw*.-".contains(c))
                && !arg.contains(char::is_whitespace)
        })
}

/// How much was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions and games that were read.
    pub good: u64,
    /// Entries that could not be read.
    pub bad: u64,
}

impl Tally {
    /// Bad input if anything could not be read.
    pub fn status(self) -> Status {
        if self.bad == 0 {
            Status::Success
        } else {
            Status::BadInput
        }
    }
}

/// Calls `use_item` with everything that can be read from the sources, in order; reports what cannot on standard
/// error and goes on.
///
/// Memory does not grow with the size of the input.
pub fn for_each(
    sources: &[Source],
    mut use_item: impl FnMut(Item) -> anyhow::Result<()>,
) -> anyhow::Result<Tally> {
    for_each_part(sources, |item, _| use_item(item), false)
}

/// As [`for_each`]; says nothing of the doubts that are none for what is made of an item, by `is_kept`.
pub fn for_each_kept(
    sources: &[Source],
    is_kept: &dyn Fn(&Item, &Warning) -> bool,
    mut use_item: impl FnMut(Item) -> anyhow::Result<()>,
) -> anyhow::Result<Tally> {
    walk_all(sources, is_kept, &mut |item, _| use_item(item), false)
}

/// As [`for_each`]; with `parts` the legal part of a damaged game comes as an item, too, and why it ends there.
pub fn for_each_part(
    sources: &[Source],
    mut use_item: impl FnMut(Item, Option<&str>) -> anyhow::Result<()>,
    parts: bool,
) -> anyhow::Result<Tally> {
    walk_all(sources, &|_, _| false, &mut use_item, parts)
}

fn walk_all(
    sources: &[Source],
    is_kept: &dyn Fn(&Item, &Warning) -> bool,
    use_item: &mut dyn FnMut(Item, Option<&str>) -> anyhow::Result<()>,
    parts: bool,
) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    for source in sources {
        let before = tally;
        walk(source, &mut |item| {
            match item {
                Ok(item) => {
                    tally.good += 1;
                    for warning in item.warnings.iter().filter(|warning| !is_kept(&item, warning)) {
                        complain(&format!("{source}: line {}: warning: {warning}", item.line));
                    }
                    use_item(item, None)?;
                }
                Err(bad) => {
                    tally.bad += 1;
                    let message = bad.to_string();
                    complain(&format!("{source}: {message}"));
                    if let (true, Some(legal)) = (parts, bad.legal) {
                        let item = Item {
                            line: bad.line,
                            format: Format::Transcript,
                            content: Content::Game(*legal),
                            tree: None,
                            warnings: Vec::new(),
                        };
                        use_item(item, Some(&message))?;
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if tally == before {
            bail!("{source}: {}", PasteError::Empty);
        }
    }
    Ok(tally)
}

/// Reads number `wanted`, from 1, of what can be read from `source`.
///
/// # Errors
///
/// Says what is wrong with the source, or how much there is in it.
pub(crate) fn nth(source: &Source, wanted: usize) -> anyhow::Result<Item> {
    let (mut good, mut first_error, mut found) = (0, None, None);
    walk(source, &mut |item| {
        match item {
            Ok(item) => {
                good += 1;
                if good == wanted {
                    found = Some(item);
                    return Ok(ControlFlow::Break(()));
                }
            }
            Err(bad) => first_error = first_error.take().or(Some(bad.to_string())),
        }
        Ok(ControlFlow::Continue(()))
    })?;
    match (found, first_error, good) {
        (Some(item), ..) => Ok(item),
        (None, Some(error), 0) => bail!("{source}: {error}"),
        (None, None, 0) => bail!("{source}: {}", PasteError::Empty),
        (None, _, good) => bail!("{source}: number {wanted} is wanted, but there are only {good}"),
    }
}

/// Hands everything in a source to `take`, until that breaks off.
fn walk(
    source: &Source,
    take: &mut dyn FnMut(Result<Item, BadItem>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<()> {
    let mut result = Ok(());
    source.open()?.each_othello(&mut |found| match take(found) {
        Ok(flow) => flow.is_continue(),
        Err(error) => {
            result = Err(error);
            false
        }
    });
    result
}

/// Reads a record of Gomoku: standard input for `-`, the file of this name, or notation, which may be split over several
/// arguments by the shell. What is doubtful about it goes to standard error.
///
/// # Errors
///
/// Says what cannot be read, and where.
pub fn gomoku_record(args: &[String]) -> anyhow::Result<Record> {
    read_gomoku(&gomoku_source(args))
}

/// Returns where the words of a command say that a record of Gomoku is.
pub(crate) fn gomoku_source(args: &[String]) -> Source {
    match args {
        [word] if word == "-" => Source::Stdin,
        [word] if Path::new(word).is_file() => Source::File(PathBuf::from(word)),
        words => Source::Text(words.join(" ")),
    }
}

/// Reads the record of Gomoku in a source. What is doubtful about it goes to standard error.
///
/// # Errors
///
/// Says what cannot be read, and where.
pub fn read_gomoku(source: &Source) -> anyhow::Result<Record> {
    let (record, warnings) = gomoku_with_warnings(source)?;
    for warning in warnings {
        complain(&format!("warning: {warning}"));
    }
    Ok(record)
}

/// As [`read_gomoku`], but returns what is doubtful about it.
pub(crate) fn gomoku_with_warnings(source: &Source) -> anyhow::Result<(Record, Vec<String>)> {
    let read = || -> anyhow::Result<_> { Ok(source.open()?.gomoku()?) };
    match source {
        Source::File(path) => read().with_context(|| path.display().to_string()),
        Source::Text(_) | Source::Stdin => read(),
    }
}

/// Hands the lines of standard input to `tell`, then `None`; until there are no more, or it returns `false`.
pub(crate) fn listen(tell: impl FnMut(Option<String>) -> bool) {
    outflank_api::dialogue::listen(io::stdin().lock(), tell);
}

/// Reads a time in seconds or `minutes:seconds`, more than zero.
///
/// # Errors
///
/// Says what was expected.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let time = outflank_protocol::parse_seconds(text).map_err(|error| error.to_string())?;
    if time.is_zero() {
        return Err("a time is more than 0 seconds".to_owned());
    }
    Ok(time)
}

/// Reads a level.
///
/// # Errors
///
/// Says what was expected.
pub fn parse_level(text: &str) -> Result<Level, String> {
    text.parse().map_err(|error: ParseLevelError| error.to_string())
}

/// Reads a level that searches: one of those that err as people do judges nothing.
///
/// # Errors
///
/// Says what is wrong.
pub fn parse_search_level(text: &str) -> Result<Level, String> {
    let number = text.parse().map_err(|_| "not a number".to_owned())?;
    Level::new(number).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_files_or_notation() {
        for path in ["missing.obf", "dir/games.ggf", "/tmp/nothing-here", "a b/ü.txt"] {
            assert!(looks_like_path(path), "{path}");
        }
        for text in [
            "f5d6c3",
            "...........................OX......XO........................... X",
            "1. f5 d6 2. c3 d3",
            "8/8/8/3Pp3/3pP3/8/8/8 w",
            "8/8/8/3wb3/3bw3/8/8 b",
            "1. f5 d6 1/2-1/2",
            "1.f5d6",
            "(;GM[Othello]PC[GGS/os]TI[15:00//02:00];)",
        ] {
            assert!(!looks_like_path(text), "{text}");
        }
        let args = ["f5", "d6", "-", "c3"].map(String::from);
        let sources = Source::from_args(&args).expect("no file is missing");
        assert_eq!(
            sources,
            [
                Source::Text("f5 d6".into()),
                Source::Stdin,
                Source::Text("c3".into())
            ]
        );
    }
}
