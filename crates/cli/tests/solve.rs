//! `outflank solve` as a process: long batches, kills, shards, limits.

use outflank_game::SplitMix64;
use outflank_othello::{Board, Color, Position};
use outflank_testkit::empty_folder;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread::sleep,
    time::Duration,
};

fn outflank() -> Command {
    Command::new(env!("CARGO_BIN_EXE_outflank"))
}

fn run(args: &[&str]) -> Output {
    outflank().args(args).output().expect("the program starts")
}

fn folder(name: &str) -> PathBuf {
    empty_folder(env!("CARGO_TARGET_TMPDIR"), &format!("solve/{name}"))
}

/// Writes a file of random positions and returns its path.
fn positions(folder: &Path, count: usize, empties: u32) -> String {
    let mut random = SplitMix64::new(u64::from(empties));
    let mut text = String::new();
    for _ in 0..count {
        let mut board = Board::start();
        while board.empties().count() > empties && !board.is_game_over() {
            let moves = board.legal_moves();
            board = match moves.into_iter().nth(random.below(moves.count() as usize)) {
                Some(square) => board.play_unchecked(square, board.flips(square)),
                None => board.passed(),
            };
        }
        text.push_str(&Position::new(board, Color::Black).to_string());
        text.push('\n');
    }
    let path = folder.join("positions.txt");
    fs::write(&path, text).expect("writable");
    path.display().to_string()
}

/// Runs a batch that is killed at `kills` random moments and resumed, and returns what it wrote in the end.
fn killed_batch(input: &str, output: &Path, kills: usize, longest: u64) -> String {
    let output_arg = output.display().to_string();
    let args = [
        "solve",
        input,
        "--output",
        &output_arg,
        "--omit-seconds",
        "--resume",
        "--threads",
        "2",
    ];
    let mut random = SplitMix64::new(kills as u64);
    for _ in 0..kills {
        let mut child = outflank()
            .args(args)
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        sleep(Duration::from_millis(random.below(longest as usize) as u64));
        child.kill().expect("our child");
        child.wait().expect("our child");
        assert!(!output.exists() || fs::read_to_string(output).is_ok_and(|text| text.contains("summary")));
    }
    let last = run(&args);
    assert!(last.status.success(), "{}", String::from_utf8_lossy(&last.stderr));
    fs::read_to_string(output).expect("written")
}

#[test]
fn ten_kills_change_nothing() {
    let folder = folder("kills");
    let input = positions(&folder, 400, 11);
    let reference = folder.join("reference.jsonl").display().to_string();
    let whole = run(&["solve", &input, "--output", &reference, "--omit-seconds"]);
    assert!(whole.status.success());
    let expected = fs::read_to_string(&reference).expect("written");
    assert_eq!(expected.lines().count(), 401);
    let output = folder.join("killed.jsonl");
    assert!(
        killed_batch(&input, &output, 10, 60) == expected,
        "the files differ"
    );
    assert!(!output.with_added_extension("log").exists());
}

#[test]
#[ignore = "ten thousand positions take a minute"]
fn ten_kills_change_nothing_in_a_batch_of_ten_thousand() {
    let folder = folder("many-kills");
    let input = positions(&folder, 10_000, 12);
    let reference = folder.join("reference.jsonl").display().to_string();
    assert!(
        run(&["solve", &input, "--output", &reference, "--omit-seconds"])
            .status
            .success()
    );
    let expected = fs::read_to_string(&reference).expect("written");
    let output = folder.join("killed.jsonl");
    assert!(
        killed_batch(&input, &output, 10, 2000) == expected,
        "the files differ"
    );
}

#[test]
fn an_old_log_is_not_overwritten() {
    let folder = folder("old-log");
    let input = positions(&folder, 3, 6);
    let output = folder.join("out.jsonl").display().to_string();
    fs::write(format!("{output}.log"), "something").expect("writable");
    let refused = run(&["solve", &input, "--output", &output]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--resume"));
}

#[test]
fn shards_make_the_whole() {
    let folder = folder("shards");
    let input = positions(&folder, 9, 7);
    let lines = |args: &[&str]| -> Vec<String> {
        let out = run(&[&["solve", &input, "--csv", "--omit-seconds"], args].concat());
        let text = String::from_utf8(out.stdout).expect("text");
        text.lines().skip(1).map(str::to_owned).collect()
    };
    let mut parts = [lines(&["--shard", "1/2"]), lines(&["--shard", "2/2"])].concat();
    let mut whole = lines(&[]);
    parts.sort();
    whole.sort();
    assert_eq!(whole.len(), 9);
    assert_eq!(parts, whole);
}

#[test]
fn a_position_that_takes_too_long_is_given_up() {
    let folder = folder("time");
    let input = positions(&folder, 1, 36);
    let out = run(&["solve", &input, "--time", "0.1", "--json"]);
    let text = String::from_utf8(out.stdout).expect("text");
    assert!(text.contains(r#""kind":"aborted""#), "{text}");
    assert!(text.contains(r#""aborted":1"#), "{text}");
    assert_eq!(run(&["solve", &input, "--time", "-1"]).status.code(), Some(2));
}
