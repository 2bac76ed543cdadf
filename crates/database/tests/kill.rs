//! A process killed at any moment of an import leaves a sound database, and the import done again gives the same one.
//!
//! The process is this test program itself, asked to run [`child`] only.
#![cfg(unix)]
#![allow(clippy::print_stdout, reason = "the child reports to its parent")]

mod common {
    pub(crate) mod support;
}

use common::support::{Sources, assert_sound, contents, import, path, sources};
use outflank_database::Database;
use outflank_games::samples::Numbers;
use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

/// Name of the environment variable that tells the child its file.
const FILE: &str = "OUTFLANK_DATABASE_TEST_FILE";

const KILLS: usize = 25;

/// The first half is there before, some of it in another version.
fn before() -> Sources {
    let mut before = sources(41, 200);
    for games in before.values_mut().take(4) {
        games.truncate(7);
    }
    before
}

fn after() -> Sources {
    sources(41, 400)
}

#[test]
#[ignore = "the other test starts this as a process of its own"]
fn child() {
    let Some(file) = std::env::var_os(FILE) else {
        return;
    };
    println!("begun");
    let mut database = Database::create(Path::new(&file)).expect("opened");
    println!("opened");
    import(&mut database, &after()).expect("imported");
    println!("imported");
}

/// Runs the child and kills it some time after it has begun; returns whether it had finished.
fn run(file: &Path, patience: Duration) -> bool {
    let mut child = Command::new(std::env::current_exe().expect("a path"))
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env(FILE, file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the child starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe"))
        .lines()
        .map_while(Result::ok);
    assert!(lines.any(|line| line.ends_with("begun")));
    std::thread::sleep(patience);
    // SIGKILL: nothing can be tidied up.
    child.kill().expect("killed");
    child.wait().expect("waited for");
    lines.any(|line| line == "imported")
}

#[test]
fn killed_imports_lose_nothing() {
    let path = path("kill");
    let mut database = Database::create(&path).expect("created");
    import(&mut database, &before()).expect("imported");
    let old = contents(&database);
    drop(database);
    let mut whole = Database::create(&common::support::path("kill-whole")).expect("created");
    import(&mut whole, &after()).expect("imported");
    let new = contents(&whole);
    assert_ne!(old, new);

    let mut numbers = Numbers::new(42);
    let start = path.with_file_name("start.db");
    std::fs::copy(&path, &start).expect("copied");
    let mut n_whole = 0;
    for _ in 0..KILLS {
        for ending in ["", "-wal", "-shm"] {
            drop(std::fs::remove_file(
                path.with_file_name(format!("games.db{ending}")),
            ));
        }
        std::fs::copy(&start, &path).expect("copied");
        run(&path, Duration::from_micros(numbers.below(120_000) as u64));
        let mut database = Database::create(&path).expect("a killed database opens");
        assert_sound(&database);
        let found = contents(&database);
        // All or nothing: what is committed is there.
        assert!(found == old || found == new);
        n_whole += usize::from(found == new);
        import(&mut database, &after()).expect("imported again");
        assert_eq!(contents(&database), new);
        assert_sound(&database);
    }
    println!("{n_whole} of {KILLS} had finished");
}

#[test]
fn the_very_first_import_may_be_killed() {
    let path = path("kill-first");
    let mut numbers = Numbers::new(43);
    for _ in 0..8 {
        run(&path, Duration::from_micros(numbers.below(60_000) as u64));
        let mut database = Database::create(&path).expect("a killed database opens");
        assert_sound(&database);
        let n = contents(&database).len();
        assert!(n == 0 || n == 400, "{n}");
        let mut import_ = database.import().expect("begun");
        for source in after().keys() {
            import_.remove(source).expect("removed");
        }
        import_.finish().expect("finished");
    }
}
