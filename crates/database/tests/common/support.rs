//! What the tests of this crate share: made-up sources, and everything that a database says.

use outflank_database::{Change, Database, Error, Imported};
use outflank_games::{Entry, Filter, Matcher, NameKind, Order, Store as _, list, naive::Game, samples};
use std::{collections::BTreeMap, path::PathBuf};

/// Sources and their games.
pub(crate) type Sources = BTreeMap<String, Vec<Entry>>;

/// Makes up sources of 20 games each.
pub(crate) fn sources(seed: u64, n: usize) -> Sources {
    let mut sources = Sources::new();
    for Game { source, entry } in samples::games(seed, n) {
        sources.entry(source).or_default().push(entry);
    }
    sources
}

/// Returns the path of a database that is not there, in a folder of its own.
pub(crate) fn path(name: &str) -> PathBuf {
    outflank_testkit::empty_folder(env!("CARGO_TARGET_TMPDIR"), name).join("games.db")
}

/// What tells contents of a source apart.
pub(crate) fn digest(games: &[Entry]) -> String {
    let texts: Vec<String> = games.iter().map(|entry| format!("{entry:?}")).collect();
    outflank_games::identity(&format!(
        "{:x}",
        texts.concat().bytes().fold(7u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    ))
}

/// Imports some sources.
pub(crate) fn import(database: &mut Database, sources: &Sources) -> Result<Imported, Error> {
    let mut import = database.import()?;
    for (name, games) in sources {
        if import.begin(name, &digest(games))? != Change::Unchanged {
            for entry in games {
                import.add(entry)?;
            }
            import.end(0)?;
        }
    }
    import.finish()
}

/// Returns all games with their sources, in the order of source and number.
pub(crate) fn contents(database: &Database) -> Vec<Game> {
    let filter = Filter {
        duplicates: true,
        ..Filter::default()
    };
    let matcher = Matcher::new(&filter, database).expect("names");
    let listed = list(database, None, &matcher, Order::Number, 0, usize::MAX).expect("sound");
    let names = database.names(NameKind::Sources).expect("names");
    let mut games: Vec<Game> = listed
        .games
        .iter()
        .map(|&game| Game {
            source: names
                .text(database.facts(game).expect("facts").expect("there").source)
                .to_owned(),
            entry: database.entry(game).expect("readable").expect("there"),
        })
        .collect();
    games.sort_by(|a, b| (&a.source, a.entry.number).cmp(&(&b.source, b.entry.number)));
    games
}

/// Panics if anything in the database is wrong.
pub(crate) fn assert_sound(database: &Database) {
    let problems = database.check(&mut |_| true).expect("readable");
    assert!(problems.is_empty(), "{problems:#?}");
}
