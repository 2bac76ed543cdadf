//! Files that are none of ours, newer, cut off or damaged are refused or found out, and never changed.

mod common {
    pub(crate) mod support;
}

use common::support::{assert_sound, contents, import, path, sources};
use outflank_database::{Database, Error, VERSION};
use outflank_games::{Filter, Matcher, explore, samples::Numbers};
use outflank_othello::Position;
use rusqlite::Connection;
use std::{fs, path::Path};

fn is_left_alone(path: &Path, is_expected: impl Fn(&Error) -> bool) {
    let before = fs::read(path).expect("readable");
    for error in [
        Database::open(path).expect_err("refused"),
        Database::create(path).expect_err("refused"),
    ] {
        assert!(is_expected(&error), "{error}");
        let name = path.file_name().expect("a name").to_string_lossy();
        assert!(error.to_string().contains(&*name), "{error}");
    }
    assert_eq!(fs::read(path).expect("readable"), before);
}

#[test]
fn other_files_are_refused_by_name() {
    let path = path("others");
    assert!(matches!(Database::open(&path), Err(Error::Missing(_))));
    assert!(!path.exists(), "looking makes no file");
    fs::write(&path, "f5d6c3\n").expect("written");
    is_left_alone(&path, |error| matches!(error, Error::NotADatabase(_)));
    fs::remove_file(&path).expect("removed");

    let foreign = Connection::open(&path).expect("opened");
    foreign
        .execute_batch("CREATE TABLE addresses (name TEXT)")
        .expect("made");
    drop(foreign);
    is_left_alone(&path, |error| matches!(error, Error::Foreign { id: 0, .. }));
    let foreign = Connection::open(&path).expect("opened");
    foreign
        .pragma_update(None, "application_id", 0x1234)
        .expect("written");
    drop(foreign);
    is_left_alone(&path, |error| matches!(error, Error::Foreign { id: 0x1234, .. }));
    fs::remove_file(&path).expect("removed");

    drop(Database::create(&path).expect("created"));
    let ours = Connection::open(&path).expect("opened");
    ours.pragma_update(None, "user_version", VERSION + 1)
        .expect("written");
    drop(ours);
    is_left_alone(
        &path,
        |error| matches!(error, Error::Newer { found, .. } if *found == VERSION + 1),
    );
}

#[test]
fn an_empty_file_becomes_a_database() {
    let path = path("empty");
    fs::write(&path, "").expect("written");
    assert!(matches!(Database::open(&path), Err(Error::Missing(_))));
    assert_sound(&Database::create(&path).expect("created"));
    assert_eq!(contents(&Database::open(&path).expect("opened")), []);
}

/// Asks a damaged database everything; errors are right, panics are not.
fn ask(path: &Path) -> Result<bool, Error> {
    let database = Database::open(path)?;
    let matcher = Matcher::new(&Filter::default(), &database)?;
    let mut position = Position::start();
    for mv in ["f5", "d6", "c3", "d3", "c4"] {
        let explored = explore(&database, &position, &matcher, 3);
        drop(explored);
        position.play(mv.parse().expect("a square")).expect("legal");
    }
    drop(database.source_list());
    Ok(database.check(&mut |_| true)?.is_empty())
}

#[test]
fn damage_is_found_and_never_panics() {
    let path = path("damage");
    let mut database = Database::create(&path).expect("created");
    import(&mut database, &sources(31, 100)).expect("imported");
    drop(database);
    let whole = fs::read(&path).expect("readable");
    assert_eq!(ask(&path).ok(), Some(true));
    let mut numbers = Numbers::new(32);
    let damaged = path.with_file_name("damaged.db");
    let mut n_found = 0;
    for i in 0..150 {
        let mut bytes = whole.clone();
        if i % 3 == 0 {
            bytes.truncate(numbers.below(bytes.len()));
        } else {
            for _ in 0..=numbers.below(20) {
                let at = numbers.below(bytes.len());
                bytes[at] ^= 1 << numbers.below(8);
            }
        }
        fs::write(&damaged, &bytes).expect("written");
        n_found += usize::from(!matches!(ask(&damaged), Ok(true)));
        for ending in ["-wal", "-shm"] {
            drop(fs::remove_file(
                path.with_file_name(format!("damaged.db{ending}")),
            ));
        }
    }
    // Bytes that nothing uses may change.
    assert!(n_found > 100, "{n_found}");
}

#[test]
fn what_the_tables_say_otherwise_is_found() {
    for change in [
        "UPDATE games SET result = 2 WHERE id = 5",
        "UPDATE games SET flags = flags | 16 WHERE id = 7",
        "UPDATE games SET moves = substr(moves, 1, 8) WHERE id = (SELECT max(id) FROM games WHERE length(moves) > 20)",
        "UPDATE games SET moves = 'f5a1' WHERE id = 9",
        "UPDATE games SET alike = 1 WHERE id = 9",
        "UPDATE players SET folded = 'x' WHERE id = 1",
        "UPDATE sources SET games = 1 WHERE id = 1",
        "DELETE FROM positions WHERE discs = 20",
        "UPDATE positions SET entries = substr(entries, 10) WHERE discs = 20",
        "UPDATE positions SET entries = substr(entries, 2) WHERE discs = 4",
        "UPDATE segments SET facts = zeroblob(length(facts))",
        "UPDATE segments SET facts = substr(facts, 2)",
        "DELETE FROM segments",
        "UPDATE games SET black = 999 WHERE id = 3",
    ] {
        let path = path("changed");
        let mut database = Database::create(&path).expect("created");
        import(&mut database, &sources(33, 60)).expect("imported");
        drop(database);
        let connection = Connection::open(&path).expect("opened");
        connection
            .pragma_update(None, "foreign_keys", false)
            .expect("switched");
        connection.execute(change, []).expect("changed");
        drop(connection);
        assert!(!matches!(ask(&path), Ok(true)), "{change}");
    }
}

#[test]
fn a_file_that_nobody_may_write_is_read() {
    let path = path("read only");
    let mut database = Database::create(&path).expect("created");
    import(&mut database, &sources(34, 40)).expect("imported");
    let expected = contents(&database);
    drop(database);
    let mut permissions = fs::metadata(&path).expect("there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("changed");
    assert_eq!(contents(&Database::open(&path).expect("opened")), expected);
}
