//! A real process, killed ten times while it works, ends with the same file as one that was left alone.
//!
//! The process is this test program itself, asked to run [`child`] only.
#![cfg(unix)]
#![allow(clippy::print_stdout, reason = "the child reports to its parent")]

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufRead as _, BufReader, Read as _};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use outflank_jobs::{Event, Fingerprint, Job, Outcome, ResultLog, Runner, Shard};

/// Name of the environment variable that tells the child its folder.
const FOLDER: &str = "OUTFLANK_JOBS_TEST_FOLDER";
/// Name of the environment variable that tells the child how many items it may do before it waits to be killed.
const LIMIT: &str = "OUTFLANK_JOBS_TEST_LIMIT";

const ITEMS: usize = 1500;
const KILLS: usize = 10;
/// Items that the parent sees done before it kills.
const SEEN: usize = 20;
/// Items that a child does at most before it waits: `KILLS` of them stay below `ITEMS`.
const MOST: usize = 120;

fn job() -> Job {
    let fingerprint = Fingerprint::default().with(b"kill test");
    Job {
        title: "the kill test".to_owned(),
        fingerprint,
        items: ITEMS,
        shard: Shard::WHOLE,
    }
}

/// Work that takes a moment and gives lines of very different length.
fn work(item: usize) -> String {
    let mut hasher = DefaultHasher::new();
    for round in 0..20_000 {
        (item, round).hash(&mut hasher);
    }
    format!(
        "{{\"item\":{item},\"pad\":\"{}\"}}",
        format!("{:x}", hasher.finish()).repeat(1 + item % 100)
    )
}

/// The work of one process; `limit` counts the items it may do before it waits on its standard input.
fn run(folder: &Path, limit: usize) {
    let mut log = ResultLog::resume(folder.join("job.log"), job()).expect("the log can be resumed");
    let left = AtomicUsize::new(limit);
    let limited = |(): &mut (), item| {
        if left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_err()
        {
            // Wait for the kill; the end of the input means that the parent is gone.
            drop(std::io::stdin().read(&mut [0]));
            panic!("the parent is gone");
        }
        Some(work(item))
    };
    let clock = || 0.0;
    let runner = Runner {
        workers: NonZeroUsize::new(2).expect("not zero"),
        ..Runner::new(&clock)
    };
    let outcome = runner.run(&mut log, || (), limited, &mut |event| {
        if let Event::ItemDone { item, .. } = event {
            println!("done {item}");
        }
    });
    assert_eq!(outcome.expect("the run works"), Outcome::Complete);
    log.write_results(folder.join("results.txt"))
        .expect("the results can be written");
}

#[test]
#[ignore = "the other test starts this as a process of its own"]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let limit = std::env::var(LIMIT)
        .ok()
        .and_then(|limit| limit.parse().ok())
        .expect("a limit");
    run(Path::new(&folder), limit);
}

fn start_child(folder: &Path, limit: usize) -> Child {
    Command::new(std::env::current_exe().expect("this program has a path"))
        .args(["--exact", "child", "--ignored", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(LIMIT, limit.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program can be started")
}

#[test]
fn killed_ten_times_the_result_is_the_same() {
    use std::os::unix::process::ExitStatusExt as _;

    let (killed, whole) = (
        tempfile::tempdir().expect("a folder"),
        tempfile::tempdir().expect("a folder"),
    );
    let mut done = 0;
    for kill in 0..KILLS {
        let mut child = start_child(killed.path(), MOST);
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let lines = output.lines().map(|line| line.expect("a line"));
        let seen = lines.filter(|line| line.starts_with("done ")).take(SEEN).count();
        assert_eq!(seen, SEEN, "kill {kill}: the child ended by itself");
        child.kill().expect("it can be killed");
        let status = child.wait().expect("it has ended");
        assert_eq!(status.signal(), Some(9), "kill {kill}");

        let log = ResultLog::read(killed.path().join("job.log")).expect("the log can be read");
        assert!(
            log.n_done() >= done + SEEN,
            "kill {kill}: what was reported is in the log"
        );
        assert_eq!(log.recovery().ignored_lines, 0, "kill {kill}");
        assert!(!log.is_complete(), "kill {kill}: there is work left");
        done = log.n_done();
    }
    let mut last = start_child(killed.path(), usize::MAX);
    std::io::copy(&mut last.stdout.take().expect("a pipe"), &mut std::io::sink()).expect("it prints");
    assert!(last.wait().expect("it has ended").success());

    run(whole.path(), usize::MAX);
    let read = |folder: &Path| std::fs::read(folder.join("results.txt")).expect("the results are there");
    assert_eq!(read(killed.path()).len(), read(whole.path()).len());
    assert!(read(killed.path()) == read(whole.path()), "the files differ");
}
