//! Importing files into a database of games, and checking one.

use super::{ImportEvent, ImportSummary, failed};
use crate::{WthorNames, error::Error};
use outflank_database::Change;
use outflank_games::{Found, NameFiles, read};
use outflank_records::wthor::{FileKind, GAME_BYTES, HEADER_BYTES, NameFile, Record, sniff};
use outflank_search::StopToken;
use std::{
    collections::BTreeSet,
    fmt,
    io::{self, BufRead as _, BufReader, Read},
};

pub use outflank_database::Database;
pub use outflank_games::XotOpenings;

/// Opens a source from its beginning, as often as asked.
pub type OpenSource<'a> = Box<dyn Fn() -> io::Result<Box<dyn Read>> + 'a>;

/// A source to import.
pub struct ImportSource<'a> {
    /// The name under which the collection knows it.
    pub name: String,
    /// Opens it.
    pub open: OpenSource<'a>,
    /// Reads the names for its games, if it is a file of WTHOR.
    pub names: Box<dyn Fn() -> WthorNames + 'a>,
}

impl fmt::Debug for ImportSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImportSource")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Games between two events of progress.
const STEP: u64 = 1000;

/// Imports sources: each comes whole or not at all, and one that is there as it is costs nothing but reading it.
///
/// # Errors
///
/// A source cannot be opened or the database not be written. Sources that were complete before are kept.
pub fn import(
    sources: &[ImportSource<'_>],
    openings: &XotOpenings,
    database: &mut Database,
    stop: &StopToken,
    on_event: &mut dyn FnMut(ImportEvent),
) -> Result<ImportSummary, Error> {
    let mut import = database.import().map_err(failed)?;
    let mut n_games = 0;
    let mut failure = None;
    for (number, source) in (1..).zip(sources) {
        if stop.is_stopped() {
            break;
        }
        let mut progress = |games: u64| {
            on_event(ImportEvent::Progress {
                source: number,
                of: sources.len(),
                games,
            });
        };
        progress(n_games);
        match import_source(source, openings, &mut import, &mut n_games, stop, on_event) {
            Ok(()) => {}
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
    }
    // What came before the failure is whole.
    on_event(ImportEvent::Indexing);
    let done = import.finish().map_err(failed)?;
    let summary = ImportSummary {
        new: done.new,
        replaced: done.replaced,
        unchanged: done.unchanged,
        games: done.games,
        bad: done.bad,
        removed: done.removed,
        total: done.total,
        duplicates: done.duplicates,
        stopped: stop.is_stopped(),
    };
    on_event(ImportEvent::Done(summary.clone()));
    failure.map_or(Ok(summary), Err)
}

fn import_source(
    source: &ImportSource<'_>,
    openings: &XotOpenings,
    import: &mut outflank_database::Import<'_>,
    n_games: &mut u64,
    stop: &StopToken,
    on_event: &mut dyn FnMut(ImportEvent),
) -> Result<(), Error> {
    let done = |change: &str, games, bad, positions| ImportEvent::Source {
        source: source.name.clone(),
        change: change.to_owned(),
        games,
        bad,
        positions,
    };
    let failed_open = |reason| Error::Open {
        path: source.name.clone(),
        reason,
    };
    let open = || {
        (source.open)()
            .map(|bytes| BufReader::with_capacity(1 << 16, bytes))
            .map_err(failed_open)
    };
    let mut bytes = open()?;
    let head = bytes.fill_buf().map_err(failed_open)?;
    let kind = sniff(&head[..head.len().min(HEADER_BYTES + GAME_BYTES)]);
    if kind == Some(FileKind::Names) {
        on_event(done("names", 0, 0, 0));
        return Ok(());
    }
    let names = if kind == Some(FileKind::Games) {
        (source.names)()
    } else {
        WthorNames::default()
    };
    let digest = digest(bytes, kind, &names, openings).map_err(failed_open)?;
    let change = match import.begin(&source.name, &digest).map_err(failed)? {
        Change::Unchanged => {
            on_event(done("unchanged", 0, 0, 0));
            return Ok(());
        }
        Change::New => "new",
        Change::Replaced => "replaced",
    };
    let (mut games, mut bad, mut positions) = (0, 0, 0);
    let mut result = Ok(());
    let files = NameFiles {
        players: names.players.as_ref(),
        tournaments: names.tournaments.as_ref(),
    };
    read(open()?, files, &mut |found| {
        match found {
            Found::Game(mut entry) => {
                entry.mark_xot(openings);
                result = import.add(&entry).map_err(failed);
                games += 1;
                if (*n_games + games).is_multiple_of(STEP) {
                    on_event(ImportEvent::Progress {
                        source: 0,
                        of: 0,
                        games: *n_games + games,
                    });
                }
            }
            Found::Position => positions += 1,
            Found::Bad(game) => {
                bad += 1;
                on_event(ImportEvent::Bad {
                    source: source.name.clone(),
                    number: game.number,
                    line: (game.line > 0).then_some(game.line),
                    ply: game.ply,
                    reason: game.reason,
                });
            }
        }
        result.is_ok() && !stop.is_stopped()
    });
    result?;
    if stop.is_stopped() {
        // Half a source is none.
        return import.abandon().map_err(failed);
    }
    import.end(bad).map_err(failed)?;
    *n_games += games;
    on_event(done(change, games, bad, positions));
    Ok(())
}

/// Returns what tells one state of a source from another: its bytes, the names that its games have from other files, and
/// the openings by which they are marked.
fn digest(
    mut bytes: impl Read,
    kind: Option<FileKind>,
    names: &WthorNames,
    openings: &XotOpenings,
) -> io::Result<String> {
    let mut sum = Sum::default();
    let mut buffer = vec![0; 1 << 16];
    if kind == Some(FileKind::Games) {
        let mut whole = Vec::new();
        bytes.read_to_end(&mut whole)?;
        sum.add(&whole);
        let (records, _) = whole.get(HEADER_BYTES..).unwrap_or(&[]).as_chunks::<GAME_BYTES>();
        let (mut players, mut events) = (BTreeSet::new(), BTreeSet::new());
        for record in records.iter().map(Record::from_bytes) {
            players.extend([record.black, record.white]);
            events.insert(record.tournament);
        }
        for (used, file) in [(players, &names.players), (events, &names.tournaments)] {
            let name = |index| {
                file.as_ref()
                    .and_then(|file: &NameFile| file.get(index))
                    .unwrap_or_default()
            };
            for index in used {
                sum.add(name(index).as_bytes());
                sum.add(&[0]);
            }
        }
    } else {
        loop {
            match bytes.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => sum.add(&buffer[..n]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
    sum.add(&openings.digest().to_le_bytes());
    Ok(sum.to_string())
}

/// A sum of 128 bits over bytes and their number: two of FNV-1a with different beginnings and steps.
struct Sum {
    words: [u64; 2],
    length: u64,
}

impl Default for Sum {
    fn default() -> Self {
        Self {
            words: [0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f],
            length: 0,
        }
    }
}

impl Sum {
    fn add(&mut self, bytes: &[u8]) {
        let [mut a, mut b] = self.words;
        for &byte in bytes {
            a = (a ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            b = (b ^ u64::from(byte))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(23);
        }
        self.words = [a, b];
        self.length += bytes.len() as u64;
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}-{}", self.words[0], self.words[1], self.length)
    }
}

/// Looks at everything in a database, and returns what is wrong with it.
///
/// # Errors
///
/// The database cannot be read.
pub fn check(
    database: &Database,
    stop: &StopToken,
    on_step: &mut dyn FnMut(&str),
) -> Result<Vec<String>, Error> {
    let mut go_on = |step: &str| {
        on_step(step);
        !stop.is_stopped()
    };
    database.check(&mut go_on).map_err(failed)
}

/// Takes sources out of a database, and returns those that were not there.
///
/// # Errors
///
/// The database cannot be written.
pub fn remove(names: &[String], database: &mut Database) -> Result<Vec<String>, Error> {
    let mut import = database.import().map_err(failed)?;
    let mut unknown = Vec::new();
    for name in names {
        if !import.remove(name).map_err(failed)? {
            unknown.push(name.clone());
        }
    }
    import.finish().map_err(failed)?;
    Ok(unknown)
}

/// Reads spellings that stand for other names, a pair a line with a tab between them, and puts them into a database in
/// place of those that are there; returns their number.
///
/// # Errors
///
/// Returns the first line that is none, or that the database cannot be written.
pub fn set_aliases(text: &str, database: &mut Database) -> Result<usize, Error> {
    let mut aliases = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line
            .split_once('\t')
            .map(|(spelling, name)| (spelling.trim(), name.trim()))
        {
            Some((spelling, name)) if !spelling.is_empty() && !name.is_empty() => {
                aliases.push((spelling.to_owned(), name.to_owned()));
            }
            _ => {
                let expected = "a spelling, a tab and the name that it stands for";
                return Err(Error::Input(format!("line {number}: {expected} were expected")));
            }
        }
    }
    let mut import = database.import().map_err(failed)?;
    import.set_aliases(&aliases).map_err(failed)?;
    import.finish().map_err(failed)?;
    Ok(aliases.len())
}
