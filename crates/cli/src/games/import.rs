//! `outflank games import`: files into a database.

use anyhow::{Context, bail};
use outflank_api::games::{
    ImportEvent,
    import::{Database, ImportSource, XotOpenings, import, remove},
};
use outflank_terminal::{
    ending,
    input::{open_file, wthor_names},
    live::Counter,
    output::{self, Status, complain},
    text::games as text,
};
use std::{
    fs::File,
    io::{self, BufReader, Read as _},
    path::{Path, PathBuf},
};

/// Import games of any notation into a database, which is made if it is not there.
///
/// A source is known by the name of its file: one that is there as it is costs next to nothing, and the games of one that
/// has changed take the place of the former ones. Each source comes whole or not at all. Names for the games of WTHOR are
/// taken from the files beside theirs. What cannot be read is listed on standard error and left out; the exit code is
/// then 2.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank games import wthor.db wthor/WTH_*.wtb\n  \
    outflank games import my.db games.ggf lesson.sgf playok.pgn\n  \
    outflank games import my.db games/*.wtb --xot openings/xot_small.txt\n  \
    curl https://example.org/games.ggf | outflank games import my.db - --as online\n  \
    outflank games import my.db --remove old.ggf\n\
    Exit code 1 if Ctrl-C cut the work short; the sources that were complete are kept.")]
pub(super) struct ImportArgs {
    /// The database.
    database: PathBuf,
    /// Files of games; `-` reads standard input and needs --as.
    #[arg(required_unless_present = "remove")]
    files: Vec<PathBuf>,
    /// Call the source this instead of by the name of its file.
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// Mark games that go through one of the openings in this file as drawn by lot.
    #[arg(long, value_name = "FILE")]
    xot: Option<PathBuf>,
    /// Take a source and its games out.
    #[arg(long, value_name = "NAME")]
    remove: Vec<String>,
    /// Print one JSON object for each source and each game that cannot be read, then a summary.
    #[arg(long)]
    json: bool,
}

/// Returns the names of sources: those of the files, with as many folders in front as tell them apart.
fn names(files: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let name = |path: &Path, parts: usize| {
        let all: Vec<_> = path
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        all[all.len().saturating_sub(parts)..].join("/")
    };
    let mut names: Vec<String> = files.iter().map(|path| name(path, 1)).collect();
    for parts in 2..20 {
        let before = names.clone();
        let twice = |name: &String| before.iter().filter(|other| *other == name).count() > 1;
        for (own, path) in names.iter_mut().zip(files) {
            if twice(own) {
                *own = name(path, parts);
            }
        }
    }
    let mut sorted = names.clone();
    sorted.sort();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => bail!("{} is there twice", pair[0]),
        None => Ok(names),
    }
}

pub(super) fn run(args: &ImportArgs) -> anyhow::Result<Status> {
    let names = match (&args.name, &args.files[..]) {
        (Some(name), [_]) => vec![name.clone()],
        (Some(_), _) => bail!("--as is the name of one source: name one file"),
        (None, files) => names(files)?,
    };
    let openings = match &args.xot {
        None => XotOpenings::default(),
        Some(path) => {
            let read = XotOpenings::read(BufReader::new(open_file(path)?));
            read.map_err(|bad| anyhow::anyhow!("{}: {bad}", path.display()))?
        }
    };
    // All files are looked for before anything is written.
    let mut input = Vec::new();
    for path in &args.files {
        if output::is_stdout(path) {
            if args.name.is_none() {
                bail!("standard input has no name: give it one with --as NAME");
            }
            io::stdin()
                .lock()
                .read_to_end(&mut input)
                .context("standard input")?;
        } else {
            drop(open_file(path)?);
        }
    }
    let sources = names.into_iter().zip(&args.files).map(|(name, path)| {
        let is_input = output::is_stdout(path);
        let input = input.clone();
        ImportSource {
            name,
            open: Box::new(move || {
                if is_input {
                    return Ok(Box::new(io::Cursor::new(input.clone())));
                }
                Ok(Box::new(File::open(path)?))
            }),
            names: Box::new(move || wthor_names(path)),
        }
    });
    let sources: Vec<ImportSource<'_>> = sources.collect();
    let stop = ending::stop_on_interrupt()?;
    let mut database = Database::create(&args.database)?;
    if !args.remove.is_empty() {
        for name in remove(&args.remove, &mut database)? {
            complain(&format!("{name}: there is no such source"));
        }
    }
    let progress = Counter::new("importing".to_owned(), "files");
    let mut failure = Ok(());
    let summary = import(&sources, &openings, &mut database, &stop, &mut |event| {
        match &event {
            ImportEvent::Progress { source, of, .. } => {
                if *of > 1 {
                    progress.show(*source, *of);
                }
                return;
            }
            ImportEvent::Indexing => {
                progress.clear();
                return;
            }
            _ => {}
        }
        if args.json {
            if failure.is_ok() {
                failure = output::object(&event);
            }
        } else if let Some(text) = text::import_event(&event) {
            progress.clear();
            complain(&text);
        }
    })?;
    failure?;
    if !args.json {
        output::write_all(text::imported(&summary).as_bytes())?;
    }
    Ok(if summary.stopped {
        Status::CheckFailed
    } else if summary.bad > 0 {
        Status::BadInput
    } else {
        Status::Success
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_are_as_short_as_they_can_be() {
        let of = |paths: &[&str]| names(&paths.iter().map(Into::into).collect::<Vec<_>>());
        assert_eq!(
            of(&["a/x.ggf", "b/y.ggf"]).expect("different"),
            ["x.ggf", "y.ggf"]
        );
        assert_eq!(
            of(&["a/x.ggf", "b/x.ggf", "y"]).expect("different"),
            ["a/x.ggf", "b/x.ggf", "y"]
        );
        assert!(of(&["a/x.ggf", "a/x.ggf"]).is_err());
    }
}
