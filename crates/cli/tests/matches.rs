//! `outflank match` as a user calls it, in both games: resumed after a kill, stopped, with programs that misbehave.
#![cfg(unix)]

use serde_json::Value;
use std::{
    fs,
    os::unix::process::ExitStatusExt as _,
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

/// The program under test.
const OUTFLANK: &str = env!("CARGO_BIN_EXE_outflank");

fn outflank(args: &[&str]) -> Command {
    let mut command = Command::new(OUTFLANK);
    command.arg("match").args(args).stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    outflank(args).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a match says of its result, without what it says of time.
fn table(output: &Output) -> Vec<String> {
    text(&output.stdout)
        .lines()
        .filter(|line| !line.starts_with("Seconds a move") && !line.contains("times as long as"))
        .map(str::to_owned)
        .collect()
}

fn summary(output: &Output) -> Value {
    let stdout = text(&output.stdout);
    let last = stdout.lines().last().expect("a summary");
    serde_json::from_str::<Value>(last).expect("JSON")["summary"].clone()
}

fn games(output: &Output) -> Vec<Value> {
    text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter(|value| value.get("summary").is_none())
        .collect()
}

/// Sends a signal to a process.
fn signal(pid: u32, name: &str) {
    let status = Command::new("kill").args([name, &pid.to_string()]).status();
    assert!(status.expect("kill is there").success());
}

/// Waits until the file at `path` has `lines` lines.
fn wait_for_lines(path: &Path, lines: usize) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while fs::read_to_string(path).map_or(0, |text| text.lines().count()) < lines {
        assert!(Instant::now() < deadline, "no games in {}", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_killed_match_ends_with_the_same_table_in_both_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let gomoku: &[&str] = &[
        "--game",
        "gomoku",
        "--rule",
        "standard",
        "--size",
        "11",
        "nodes 300 --hash 1",
        "lab: shapes/2",
    ];
    let othello: &[&str] = &["depth 4 --hash 1", "lab: phase/2"];
    for (name, players) in [("gomoku", gomoku), ("othello", othello)] {
        let common = [players, &["--games", "60", "--seed", "5"]].concat();
        let whole = run(&common);
        assert!(whole.status.success(), "{whole:?}");
        let prefix = folder.path().join(name).display().to_string();
        let kept = [&common[..], &["--out", &prefix, "-j", "2"]].concat();
        let mut child = outflank(&kept)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        wait_for_lines(&folder.path().join(format!("{name}.log")), 6);
        child.kill().expect("kill -9");
        assert_eq!(
            child.wait().expect("it ends").signal(),
            Some(9),
            "{name}: it was over too soon"
        );
        let resumed = run(&[&kept[..], &["--resume"]].concat());
        assert!(resumed.status.success(), "{resumed:?}");
        assert!(text(&resumed.stderr).contains("games found: "), "{resumed:?}");
        assert_eq!(table(&resumed), table(&whole), "{name}");
        let suffix = if name == "gomoku" { "sgf" } else { "ggf" };
        for suffix in ["jsonl", suffix] {
            let path = folder.path().join(format!("{name}.{suffix}"));
            assert_eq!(fs::read_to_string(path).expect("kept").lines().count(), 60);
        }
    }
}

#[test]
fn gomoku_is_tested_sequentially_and_rated() {
    let output = run(&[
        "--game",
        "gomoku",
        "nodes 200 --hash 1",
        "random",
        "--games",
        "400",
        "--sprt",
        "0,200",
        "--json",
    ]);
    assert!(output.status.success(), "{output:?}");
    let summary = summary(&output);
    assert_eq!(summary["sprt"]["decision"], "elo1", "{summary}");
    assert!(summary["games"].as_u64().expect("a number") < 400, "{summary}");
    assert_eq!(summary["discs"], Value::Null);
    let output = run(&[
        "--game",
        "gomoku",
        "nodes 100 --hash 1",
        "random",
        "lab: shapes",
        "--games",
        "4",
    ]);
    let stdout = text(&output.stdout);
    assert!(
        stdout.contains("±95 %") && stdout.contains("Seconds a move: "),
        "{stdout}"
    );
}

#[test]
fn a_stopped_match_says_so_with_exit_code_1() {
    // A move without end: the stop must reach the search itself, or the wait for a program.
    for (game, player, name) in [
        ("othello", "depth 60 --hash 1", "-INT"),
        ("gomoku", "depth 60 --hash 1", "-TERM"),
        ("othello", "lab: mcts/600s", "-HUP"),
        ("gomoku", "lab: shapes/600s", "-INT"),
        ("othello", "gtp: sh -c 'exec sleep 600'", "-INT"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let prefix = folder.path().join("games").display().to_string();
        let child = outflank(&["--game", game, player, "random", "--games", "2", "--out", &prefix])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        // The match has begun when its log is there.
        wait_for_lines(&folder.path().join("games.log"), 1);
        std::thread::sleep(Duration::from_millis(300));
        signal(child.id(), name);
        let start = Instant::now();
        let output = child.wait_with_output().expect("it ends");
        assert!(start.elapsed() < Duration::from_secs(5), "{game}, {player}");
        assert_eq!(output.status.code(), Some(1), "{player}: {output:?}");
        assert!(text(&output.stderr).contains("of 2 games"), "{output:?}");
    }
}

/// Runs a match of a program that misbehaves in its first game and is our own engine from then on.
#[track_caller]
fn check_once(game: &str, misbehaves: &str, end: &str, detail: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let mark = folder.path().join("first game");
    let program = match game {
        "gomoku" => "gomocup --no-book --hash 1",
        _ => "gtp --depth 3 --hash 1",
    };
    let script = format!(
        "if mkdir '{}' 2>/dev/null; then {misbehaves}; fi; exec '{OUTFLANK}' {program}",
        mark.display()
    );
    let file = folder.path().join("a bot.sh");
    fs::write(&file, script).expect("written");
    // The path holds a blank: quotes are heeded.
    let player = format!("external: sh '{}'", file.display());
    let output = run(&[
        "--game",
        game,
        &player,
        "nodes 100 --hash 1",
        "--games",
        "2",
        "--move-time",
        "1",
        "--patience",
        "3",
        "--json",
    ]);
    let games = games(&output);
    assert_eq!((games.len(), output.status.code()), (2, Some(0)), "{output:?}");
    let found = games[0]["detail"].as_str().expect("a reason");
    assert_eq!(games[0]["end"], end, "{game}, {misbehaves}: {}", games[0]);
    assert!(found.contains(detail), "{game}, {misbehaves}: {found}");
    assert!(games[0]["margin"].as_i64() < Some(0), "{game}: {}", games[0]);
    assert_eq!(games[1]["end"], "board", "{game}, {misbehaves}: {}", games[1]);
    assert_eq!(games[1]["illegal"], serde_json::json!([0, 0]), "{}", games[1]);
    let summary = summary(&output);
    assert_eq!(summary["forfeits"], serde_json::json!([1, 0]), "{summary}");
    assert_eq!(summary["reasons"][0]["end"], end, "{summary}");
}

#[test]
fn a_game_after_a_failure_is_clean() {
    for game in ["othello", "gomoku"] {
        check_once(
            game,
            "echo 'no luck' >&2; exit 3",
            "exited",
            "exit status: 3); its last words: no luck",
        );
        check_once(game, "exec sleep 600", "no-answer", "no answer within");
        check_once(
            game,
            "while read -r x; do echo hello; done",
            "dialogue",
            "no answer: \"hello\"",
        );
    }
}

/// A program that heeds nothing does not go on when the match is killed and nobody is left to end it.
#[test]
fn a_hung_program_ends_with_a_killed_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let beats = folder.path().join("beats");
    let player = format!(
        "external: sh -c 'while :; do echo alive >>\"$0\"; sleep 0.1; done' '{}'",
        beats.display()
    );
    let mut child = outflank(&[&player, "random", "--games", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    wait_for_lines(&beats, 3);
    child.kill().expect("kill -9");
    child.wait().expect("it ends");
    let beats_in = |time: Duration| {
        let count = || fs::read_to_string(&beats).expect("kept").lines().count();
        let before = count();
        std::thread::sleep(time);
        count() - before
    };
    let deadline = Instant::now() + Duration::from_secs(30);
    while beats_in(Duration::from_secs(3)) > 0 {
        assert!(Instant::now() < deadline, "the program goes on");
    }
}

#[test]
fn a_match_of_forfeits_ends_early_with_its_reason() {
    for (game, player, reason) in [
        (
            "othello",
            "external: /no/such/program",
            "cannot start \"/no/such/program\"",
        ),
        (
            "othello",
            "nboard: sh -c 'echo out of memory >&2; exit 9'",
            "exit status: 9); its last words: out of memory",
        ),
        (
            "gomoku",
            "external: /no/such/program",
            "cannot start \"/no/such/program\"",
        ),
        (
            "gomoku",
            "gomocup: sh -c 'echo out of memory >&2; exit 9'",
            "exit status: 9); its last words: out of memory",
        ),
    ] {
        let args = [
            "--game",
            game,
            player,
            "random",
            "--games",
            "50",
            "--move-time",
            "1",
        ];
        let output = run(&args);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let stdout = text(&output.stdout);
        assert!(
            stdout.contains("lost 4 games away from the board") && stdout.contains(reason),
            "{stdout}"
        );
        assert!(
            text(&output.stderr).contains("ended after 4 of 50 games"),
            "{output:?}"
        );
        let output = run(&[&args[..], &["--json"]].concat());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let summary = summary(&output);
        assert_eq!(
            (&summary["complete"], &summary["games"]),
            (&Value::Bool(false), &Value::from(4))
        );
        assert!(
            summary["reasons"][0]["detail"]
                .as_str()
                .expect("text")
                .contains(reason),
            "{summary}"
        );
    }
}

#[test]
fn programs_that_do_not_know_the_game_are_refused() {
    let brain = "external: sh -c 'while read -r c x; do case $c in START*) echo OK;; INFO) case $x in rule*) echo ERROR Unknown rule;; esac;; END*) exit;; esac; done'";
    let output = run(&[
        "--game",
        "gomoku",
        "--rule",
        "renju",
        brain,
        "random",
        "--move-time",
        "0.2",
    ]);
    assert_eq!(
        (output.status.code(), output.stdout.len()),
        (Some(2), 0),
        "{output:?}"
    );
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("does not know this rule (renju, 15x15 points): \"ERROR Unknown rule\""),
        "{stderr}"
    );
    for (args, message) in [
        (
            &["--rule", "renju", "random", "greedy"][..],
            "--rule and --size belong to Gomoku",
        ),
        (
            &["--game", "gomoku", "--adjudicate", "8", "random", "random"],
            "--adjudicate belongs to Othello",
        ),
        (
            &["--game", "gomoku", "greedy", "random"],
            "there is no player \"greedy\"",
        ),
        (
            &["--clock", "0", "random", "greedy"],
            "this clock has fallen before the game begins",
        ),
        (
            &["--out", "-", "--resume", "random", "greedy"],
            "--out - keeps nothing to resume",
        ),
        (&["random", "external: 'open"], "a quote is not closed"),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains(message), "{output:?}");
    }
}

#[test]
fn games_go_to_standard_output_when_asked() {
    for (game, start) in [("othello", "(;GM[Othello]"), ("gomoku", "(;GM[4]")] {
        let folder = tempfile::tempdir().expect("a folder");
        let output = outflank(&["--game", game, "random", "random", "--games", "2", "--out", "-"])
            .current_dir(folder.path())
            .output()
            .expect("the program runs");
        let stdout = text(&output.stdout);
        assert_eq!(stdout.lines().count(), 2, "{output:?}");
        assert!(stdout.lines().all(|line| line.starts_with(start)), "{stdout}");
        assert!(
            text(&output.stderr).contains("2 games, for the first player"),
            "{output:?}"
        );
        assert_eq!(
            fs::read_dir(folder.path()).expect("a folder").count(),
            0,
            "no file is called -"
        );
    }
}

#[test]
fn players_with_other_time_are_noticed_and_long_names_stay_apart() {
    let long = |end: &str| format!("external: '{OUTFLANK}' gtp --hash 1 --threads 1 {end}");
    let output = run(&[
        &long("--time 0.04"),
        &long("--time 0.01"),
        "--games",
        "2",
        "--random-plies",
        "40",
        "--within",
        "64",
    ]);
    let stdout = text(&output.stdout);
    assert!(
        stdout.contains("Seconds a move: 0.0") && stdout.contains("times as long as"),
        "{output:?}"
    );
    let names: Vec<&str> = stdout
        .lines()
        .filter(|line| line.starts_with("external"))
        .collect();
    assert!(names.iter().any(|line| line.contains("--time 0.04 ")), "{stdout}");
    assert!(names.iter().any(|line| line.contains("--time 0.01 ")), "{stdout}");
}

#[test]
fn a_player_with_a_book_meets_one_without() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("my.ofb").display().to_string();
    let learn = |args: &[&str]| {
        let output = Command::new(OUTFLANK)
            .args(args)
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{output:?}");
    };
    learn(&[
        "book", "new", &book, "--depth", "2", "--exact", "4", "--hash", "1",
    ]);
    learn(&[
        "book",
        "expand",
        &book,
        "--positions",
        "60",
        "--every",
        "4",
        "--json",
    ]);
    let player = format!("depth 2 --hash 1 --book {book} --book-random 3");
    let args = [
        player.as_str(),
        "depth 2 --hash 1",
        "--all-plies",
        "0",
        "--games",
        "8",
        "--json",
    ];
    let played = games(&run(&args));
    let moves = |game: &Value| game["moves"].as_array().expect("moves").clone();
    let mut lines = Vec::new();
    for game in &played {
        let black_has_it = game["players"][0] == 0;
        let moves = moves(game);
        for (ply, mv) in moves.iter().enumerate().filter(|(_, mv)| mv["book"] == true) {
            assert_eq!(ply % 2 == 0, black_has_it, "{mv}");
        }
        let first = usize::from(!black_has_it);
        assert_eq!(moves[first]["book"], true, "{game}");
        lines.push(moves.iter().map(|mv| mv["move"].clone()).collect::<Vec<_>>());
    }
    // Drawn anew in every game, and the same again whatever the number of threads.
    lines.sort_by_key(|line| format!("{line:?}"));
    lines.dedup();
    assert!(lines.len() > 2, "{lines:?}");
    let again = run(&[&args[..], &["-j", "2"]].concat());
    assert!(summary(&again)["book_moves"][0].as_u64() >= Some(8), "{again:?}");
    let mut again = games(&again);
    again.sort_by_key(|game| game["game"].as_u64());
    let all = |games: &[Value]| -> Vec<Vec<Value>> {
        let moves = |game| moves(game).iter().map(|mv| mv["move"].clone()).collect();
        games.iter().map(moves).collect()
    };
    assert_eq!(all(&again), all(&played));
    let table = text(&run(&args[..6]).stdout);
    assert!(table.contains("Moves from an opening book: "), "{table}");

    for (player, message) in [
        ("depth 2 --book /nowhere/x.ofb".to_owned(), "/nowhere/x.ofb: "),
        (
            format!("depth 2 --book {book} --book-human x"),
            "--book-human \"x\": expected discs",
        ),
        ("depth 2 --book-random 1".to_owned(), "name it with --book FILE"),
    ] {
        let output = run(&[&player, "random"]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains(message), "{output:?}");
    }
}
