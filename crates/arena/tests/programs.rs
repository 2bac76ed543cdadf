//! Programs that misbehave lose their games, with the right reason, and leave no process behind.
#![cfg(unix)]

use outflank_arena::{Competition, End, Form, GameRules, MatchReport, Registry, Store, openings};
use outflank_protocol::TimeControl;
use outflank_search::StopToken;
use std::{
    num::NonZeroUsize,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

/// Plays two games of the misbehaving bot against `random` (the bot is the first player); a mark in its arguments finds
/// its processes.
fn play(way: &str, mark: &str, rules: GameRules) -> MatchReport {
    let registry = Registry::standard();
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/bot.sh");
    let spec = format!("external: sh '{}' {way} {mark}", bot.display());
    let competition = Competition {
        players: vec![
            registry.parse(&spec).expect("valid"),
            registry.parse("random").expect("valid"),
        ],
        form: Form::RoundRobin,
        games: 2,
        openings: openings::from_bytes(b"f5d6").expect("an opening"),
        rules,
        sprt: None,
        seed: 1,
    };
    competition
        .run(
            &Store::Temporary,
            NonZeroUsize::MIN,
            &StopToken::new(),
            &|| 0.0,
            &mut |_| {},
        )
        .expect("the match survives")
}

/// Returns the command lines that contain `mark`; the bot hands it on to its children.
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

fn rules() -> GameRules {
    GameRules {
        patience: Duration::from_millis(300),
        ..GameRules::default()
    }
}

#[track_caller]
fn check(way: &str, rules: GameRules, end: End, details: &[&str]) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mark = format!("outflank-test-{}-{number}-{way}", std::process::id());
    let report = play(way, &mark, rules);
    assert_eq!(report.games.len(), 2);
    for game in &report.games {
        assert_eq!(game.end, end, "{way}: {game:?}");
        // The bot lost: it is player 0.
        assert_eq!(game.discs_for(0), -64, "{way}: {game:?}");
        for detail in details {
            assert!(
                game.detail.contains(detail),
                "{way}: {detail:?} is not in {:?}",
                game.detail
            );
        }
        game.replay().expect("what was played can be replayed");
    }
    let count = report.standing.player(0);
    assert_eq!(count.forfeits, if end.is_forfeit() { 2 } else { 0 }, "{way}");
    assert_eq!(
        report.standing.player(1).forfeits + report.standing.player(1).errors,
        0,
        "{way}"
    );
    // The system may take a moment to carry out a kill.
    let deadline = Instant::now() + Duration::from_secs(5);
    while !survivors(&mark).is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(survivors(&mark), [""; 0], "{way}");
}

#[test]
fn a_program_that_hangs_is_given_up_with_its_children() {
    check("hang", rules(), End::NoAnswer, &["no answer within 300ms"]);
}

#[test]
fn a_program_that_exits_has_its_last_words_recorded() {
    check("exit", rules(), End::Exited, &["exit status: 3", "out of luck"]);
}

#[test]
fn garbage_is_no_answer() {
    check(
        "garbage",
        rules(),
        End::Dialogue,
        &["no answer: \"the answer is 42\""],
    );
    check(
        "nonsense",
        rules(),
        End::Dialogue,
        &["no answer: \"what a lovely board\""],
    );
    check(
        "refuse",
        rules(),
        End::Dialogue,
        &["refused \"genmove", "cannot think today"],
    );
}

#[test]
fn three_illegal_moves_lose() {
    check("illegal", rules(), End::Illegal, &["[\"a1\", \"a1\", \"a1\"]"]);
    check("words", rules(), End::Illegal, &["[\"moo\", \"moo\", \"moo\"]"]);
    // A pass with moves at hand is illegal too; this program also does not end when asked to.
    check("deaf", rules(), End::Illegal, &["[\"pass\", \"pass\", \"pass\"]"]);
}

#[test]
fn a_move_after_the_flag_loses_on_time() {
    let rules = GameRules {
        control: TimeControl::PerMove(Duration::from_millis(200)),
        margin: Duration::from_millis(50),
        ..rules()
    };
    check("late", rules, End::Time, &["s after the flag"]);
    let rules = GameRules {
        control: TimeControl::Clock {
            main: Duration::from_millis(300),
            increment: Duration::ZERO,
        },
        ..rules
    };
    check("late", rules, End::Time, &["s after the flag"]);
    // No answer long after the flag is another matter.
    check("hang", rules, End::NoAnswer, &["no answer within"]);
}

#[test]
fn a_program_may_resign_and_may_be_missing() {
    check("resign", rules(), End::Resigned, &["gave up"]);
    let registry = Registry::standard();
    let competition = Competition {
        players: vec![
            registry.parse("random").expect("valid"),
            registry.parse("external: /no/such/program").expect("valid"),
        ],
        form: Form::RoundRobin,
        games: 2,
        openings: openings::all_positions(2).expect("three"),
        rules: rules(),
        sprt: None,
        seed: 1,
    };
    let report = competition
        .run(
            &Store::Temporary,
            NonZeroUsize::MIN,
            &StopToken::new(),
            &|| 0.0,
            &mut |_| {},
        )
        .expect("the match survives");
    assert!(
        report
            .games
            .iter()
            .all(|game| game.end == End::NotStarted && game.discs_for(0) == 64)
    );
    assert!(
        report.games[0]
            .detail
            .contains("cannot start \"/no/such/program\""),
        "{:?}",
        report.games[0]
    );
}

/// Debian's `grhino` package, if it is installed: an honest program.
#[test]
fn gtp_rhino_plays_whole_games() {
    let program = "/usr/games/gtp-rhino";
    if !Path::new(program).exists() {
        eprintln!("skipped: {program} is not installed (apt-get install grhino)");
        return;
    }
    let registry = Registry::standard();
    let competition = Competition {
        players: vec![
            registry
                .parse(&format!("external: {program} -l 1 -b 0"))
                .expect("valid"),
            registry.parse("random").expect("valid"),
        ],
        form: Form::RoundRobin,
        games: 4,
        openings: openings::all_positions(3).expect("14"),
        rules: GameRules::default(),
        sprt: None,
        seed: 1,
    };
    let report = competition
        .run(
            &Store::Temporary,
            NonZeroUsize::MIN,
            &StopToken::new(),
            &|| 0.0,
            &mut |_| {},
        )
        .expect("the match survives");
    for game in &report.games {
        assert_eq!((game.end, game.illegal), (End::Board, [0, 0]), "{game:?}");
    }
    assert!(report.standing.tally(0).wins >= 3);
}
