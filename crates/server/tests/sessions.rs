//! What stays and what goes: sessions that fail, come back, are many, and end.

mod common {
    pub(crate) mod support;
}

use common::support::{Client, Server, run, settings};
use outflank_search::{Clock, SystemClock};
use outflank_server::Settings;
use serde_json::{Value, json};
use std::{
    fs,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

const ENDLESS: &str = r#"{"call":"analyze","input":{"text":"f5d6"},"limits":{"depth":60,"seconds":600}}"#;

/// Returns a message with this number.
fn message(id: u64, text: &str) -> Value {
    let mut message: Value = serde_json::from_str(text).expect("JSON");
    message["id"] = json!(id);
    message
}

/// A clock in which a search fails once: what the engine calls in its own thread panics.
struct Failing {
    clock: SystemClock,
    fails: AtomicBool,
}

impl Clock for Failing {
    fn now(&self) -> Duration {
        assert!(
            !self.fails.swap(false, Ordering::Relaxed),
            "the clock was told to fail"
        );
        self.clock.now()
    }
}

#[test]
fn a_panic_in_a_session_leaves_the_others() {
    let _alone = alone();
    let clock = Arc::new(Failing {
        clock: SystemClock::new(),
        fails: AtomicBool::new(false),
    });
    let server = Server::start(Settings {
        clock: Arc::clone(&clock) as Arc<dyn Clock>,
        ..settings()
    });
    run(async {
        let mut healthy = server.connect(true).await.expect("a connection");
        let asked = r#"{"call":"analyze","input":{"text":"f5d6c3"},"limits":{"depth":5}}"#;
        healthy.send(&message(1, asked)).await;
        let before = healthy.answers(1).await;
        let mut failing = server.connect(true).await.expect("a connection");
        failing.send(&message(1, ENDLESS)).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        clock.fails.store(true, Ordering::Relaxed);
        let failed = failing.answers(1).await;
        assert_eq!(
            failed.last().expect("an end")["error"]["code"],
            "engine-failed",
            "{failed:?}"
        );
        // The turn of the search that failed was given back, and its session goes on with a new engine.
        for client in [&mut healthy, &mut failing] {
            client.send(&message(2, asked)).await;
            let after = client.answers(2).await;
            assert_eq!(after[0]["event"]["move"], before[0]["event"]["move"]);
            assert_eq!(after[1]["done"]["complete"], true);
        }
    });
    assert!(server.end() < Duration::from_secs(1));
}

/// Says hello; returns the word of the session.
async fn hello(client: &mut Client, session: Option<&Value>) -> Value {
    let mut hello = json!({"id": 1, "call": "hello"});
    if let Some(session) = session {
        hello["session"] = session.clone();
    }
    client.send(&hello).await;
    client.answers(1).await.remove(0)["event"]["session"].take()
}

/// Returns how many games the session has that go through f5.
async fn games(client: &mut Client) -> Value {
    client
        .send(&json!({"id": 9, "call": "explore", "input": {"text": "f5"}}))
        .await;
    client.answers(9).await.remove(0)["event"]["games"]["games"].take()
}

#[test]
fn a_lost_connection_keeps_its_session() {
    let _alone = alone();
    let server = Server::start(settings());
    run(async {
        let mut page = server.connect(true).await.expect("a connection");
        let word = hello(&mut page, None).await;
        assert_eq!(word.as_str().map(str::len), Some(32), "{word}");
        page.send(
            &json!({"id": 2, "call": "games", "add": {"name": "a", "input": {"text": "f5d6\nf5d6c3\n"}}}),
        )
        .await;
        page.answers(2).await;
        assert_eq!(games(&mut page).await, 2);
        // The connection is cut without a word.
        drop(page);
        let mut again = server.connect(true).await.expect("a connection");
        assert_eq!(hello(&mut again, Some(&word)).await, word);
        assert_eq!(games(&mut again).await, 2);
        // A third takes over while the second is still open: that one ends, and its search with it.
        again.send(&message(3, ENDLESS)).await;
        let mut third = server.connect(true).await.expect("a connection");
        assert_eq!(hello(&mut third, Some(&word)).await, word);
        while again.next().await.is_some() {}
        assert_eq!(games(&mut third).await, 2);
        third
            .send(&message(
                4,
                r#"{"call":"analyze","input":{"text":"f5"},"limits":{"depth":2}}"#,
            ))
            .await;
        assert_eq!(
            third.answers(4).await.last().expect("an end")["done"]["complete"],
            true
        );
        // Who guesses gets a session without anything.
        let mut stranger = server.connect(true).await.expect("a connection");
        let guess = json!("0".repeat(32));
        let other = hello(&mut stranger, Some(&guess)).await;
        assert!(other != guess && other != word);
        assert_eq!(games(&mut stranger).await, Value::Null);
        // Who says goodbye is forgotten.
        third.0.close(None).await.expect("closed");
        while third.next().await.is_some() {}
        drop(third);
        let mut late = server.connect(true).await.expect("a connection");
        assert_ne!(hello(&mut late, Some(&word)).await, word);
    });
}

/// Returns a number out of the system's account of this process.
fn of_process(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Lets the tests of this file run one after the other: what a process has of memory, threads and files is that of all.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn open_files() -> Option<usize> {
    Some(fs::read_dir("/proc/self/fd").ok()?.count())
}

/// Connects as soon as there is room.
async fn connected(server: &Server) -> Client {
    loop {
        if let Ok(client) = server.connect(true).await {
            return client;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Connects and leaves, in all the ways there are.
async fn come_and_go(server: &Server, times: usize) {
    for number in 0..times {
        let mut page = connected(server).await;
        match number % 5 {
            // Without a word.
            0 => {}
            1 => drop(hello(&mut page, None).await),
            // With a game that is kept for the session.
            2 => {
                hello(&mut page, None).await;
                let add = json!({"id": 2, "call": "games", "add": {"name": "a", "input": {"text": "f5d6"}}});
                page.send(&add).await;
            }
            // In the middle of a search.
            3 => page.send(&message(2, ENDLESS)).await,
            _ => page.0.close(None).await.expect("closed"),
        }
    }
}

/// Searches on all places at once, then leaves them.
async fn search_everywhere(server: &Server) {
    let mut all = Vec::new();
    for _ in 0..3 {
        let mut page = connected(server).await;
        let asked = r#"{"call":"analyze","input":{"text":"f5"},"limits":{"depth":3}}"#;
        page.send(&message(2, asked)).await;
        all.push(page);
    }
    for page in &mut all {
        let answers = page.answers(2).await;
        assert_eq!(answers.last().expect("an end")["done"]["complete"], true);
    }
}

#[test]
fn a_thousand_connections_leave_nothing_behind() {
    let _alone = alone();
    let server = Server::start(settings());
    let now = || (of_process("Threads:"), of_process("VmRSS:"), open_files());
    run(async {
        // Weights and threads are made once.
        search_everywhere(&server).await;
        come_and_go(&server, 100).await;
        let before = now();
        come_and_go(&server, 1000).await;
        // All places are free again.
        search_everywhere(&server).await;
        let after = now();
        eprintln!("threads, KiB, open files: {before:?}, after 1,000 connections {after:?}");
        if let ((Some(threads), Some(memory), Some(files)), (Some(threads2), Some(memory2), Some(files2))) =
            (before, after)
        {
            assert!(threads2 <= threads + 4, "{threads} threads became {threads2}");
            assert!(files2 <= files + 8, "{files} open files became {files2}");
            // A leak of a session would be its tables: a megabyte each.
            assert!(memory2 < memory + (64 << 10), "{memory} KiB became {memory2}");
        }
    });
    assert!(server.end() < Duration::from_secs(1));
}

/// `cargo test -p outflank-server --test sessions -- --ignored stopping --nocapture`
#[test]
#[ignore = "measures time, which a busy computer spoils"]
fn stopping_takes_less_than_fifty_milliseconds() {
    let _alone = alone();
    let server = Server::start(settings());
    let mut times = run(async {
        let mut page = server.connect(true).await.expect("a connection");
        let mut times = Vec::new();
        for id in 1..=100 {
            page.send(&message(id, ENDLESS)).await;
            tokio::time::sleep(Duration::from_millis(120)).await;
            let began = Instant::now();
            page.send(&json!({"cancel": id})).await;
            let last = page.answers(id).await.pop().expect("an end");
            times.push(began.elapsed());
            assert_eq!(last["done"]["complete"], false);
        }
        times
    });
    times.sort();
    eprintln!(
        "median {:?}, 99th of 100 {:?}, last {:?}",
        times[49], times[98], times[99]
    );
    assert!(times[98] < Duration::from_millis(50), "{:?}", times[98]);
}

/// Eight pages that search, solve, load games and forget them, for `OUTFLANK_MINUTES` (10) minutes:
/// `cargo test -p outflank-server --test sessions -- --ignored eight --nocapture`
#[test]
#[ignore = "takes ten minutes"]
fn eight_sessions_do_not_grow() {
    let _alone = alone();
    let minutes = std::env::var("OUTFLANK_MINUTES")
        .ok()
        .and_then(|text| text.parse().ok());
    let whole = Duration::from_secs_f64(60.0 * minutes.unwrap_or(10.0));
    let server = Server::start(Settings {
        sessions: 8,
        threads: 2,
        ..settings()
    });
    let (memory, calls) = run(async {
        let mut pages = Vec::new();
        for _ in 0..8 {
            pages.push(server.connect(true).await.expect("a connection"));
        }
        let began = Instant::now();
        let (mut memory, mut calls, mut id) = (Vec::new(), 0_u64, 0);
        while began.elapsed() < whole {
            id += 1;
            for (number, page) in pages.iter_mut().enumerate() {
                let asked = match (id as usize + number) % 5 {
                    0 => {
                        r#"{"call":"analyze","input":{"text":"f5d6c3d3c4f4"},"limits":{"depth":10},"lines":3,"progress":true}"#
                    }
                    1 => {
                        r#"{"call":"solve","input":{"text":"--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"}}"#
                    }
                    2 => {
                        r#"{"call":"games","add":{"name":"a","input":{"text":"f5d6c3d3c4f4f6f3e6e7d7g6g5c5c6b3\nf5f6e6f4e3c5\n"}}}"#
                    }
                    3 => r#"{"call":"explore","input":{"text":"f5"},"limits":{"depth":4}}"#,
                    _ => r#"{"call":"play","input":{"text":"f5d6"},"limits":{"level":5}}"#,
                };
                page.send(&message(id, asked)).await;
            }
            for page in &mut pages {
                let last = page.answers(id).await.pop().expect("an end");
                assert_eq!(last["done"]["complete"], true, "{last}");
                calls += 1;
            }
            memory.push((began.elapsed(), of_process("VmRSS:").unwrap_or(0)));
            // A session may send twenty messages a second.
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
        (memory, calls)
    });
    for tenth in memory.chunks(memory.len().div_ceil(10)) {
        eprintln!("{:.0} s: {} KiB", tenth[0].0.as_secs_f64(), tenth[0].1);
    }
    // Tables and caches are full after the first tenth of the time.
    let early = memory[memory.len() / 10].1;
    let late = memory[memory.len() * 9 / 10..]
        .iter()
        .map(|&(_, kib)| kib)
        .max()
        .unwrap_or(0);
    eprintln!("{calls} calls in {whole:?}: {early} KiB after a tenth, at most {late} KiB at the end");
    assert!(
        late as f64 <= 1.05 * early as f64,
        "{early} KiB became {late} KiB"
    );
}
