//! What the tests with misbehaving programs share.

use outflank_arena::{
    Access, Competition, Form, GameRules, History, MatchError, MatchGame, MatchReport, Registry, Store,
};
use outflank_search::StopToken;
use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

/// Returns the path of a script of tests/bots.
pub(crate) fn bot(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/bots")
        .join(name)
}

/// Returns a word that is in no other process's arguments.
pub(crate) fn new_mark(way: &str) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("outflank-test-{}-{number}-{way}", std::process::id())
}

/// Plays `games` games of two players from one opening.
pub(crate) fn play<G: MatchGame>(
    players: [&str; 2],
    opening: History<G>,
    games: usize,
    rules: GameRules,
) -> Result<MatchReport, MatchError> {
    let registry = Registry::<G>::with_access(Access::ALL);
    let competition = Competition {
        players: players
            .iter()
            .map(|text| registry.parse(text).expect("valid"))
            .collect(),
        form: Form::RoundRobin,
        games,
        openings: vec![opening],
        rules,
        sprt: None,
        seed: 1,
    };
    competition.run(
        &Store::Temporary,
        NonZeroUsize::MIN,
        &StopToken::new(),
        &|| 0.0,
        &mut |_| {},
    )
}

/// Returns the command lines that contain `mark`; the bots hand it on to their children.
fn survivors(mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        if let Ok(line) = std::fs::read(entry.path().join("cmdline")) {
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            if line.contains(mark) {
                found.push(line);
            }
        }
    }
    found
}

/// Checks that no process with `mark` is left; the system may take a moment to carry out a kill.
#[track_caller]
pub(crate) fn check_nobody_left(mark: &str) {
    let deadline = Instant::now() + Duration::from_secs(5);
    while !survivors(mark).is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(survivors(mark), [""; 0], "{mark}");
}
