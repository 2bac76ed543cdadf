//! The examples in other languages, run as their pages say.

use std::{
    io::Write as _,
    path::PathBuf,
    process::{Command, Output},
};

const BIN: &str = env!("CARGO_BIN_EXE_outflank");

/// Returns the Python player's file; `None`, with a line that the test runner does not hide, where there is no Python.
fn gtp_player() -> Option<String> {
    let has_python = Command::new("python3")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_python {
        writeln!(
            std::io::stderr(),
            "skipped: examples/gtp-player needs python3, which is not there"
        )
        .expect("stderr");
        return None;
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/gtp-player/gtp_player.py");
    Some(path.to_str().expect("a path in UTF-8").to_owned())
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("text")
}

#[test]
fn the_python_player_plays_against_the_program() {
    let Some(player) = gtp_player() else { return };
    let output = Command::new("python3")
        .args([&player, BIN, "gtp", "--level", "1", "--hash", "1"])
        .output()
        .expect("python runs");
    let text = text(&output);
    let lines: Vec<&str> = text.lines().collect();
    let (last, moves) = lines.split_last().expect("lines");
    assert!(moves.len() >= 9, "{text}");
    assert!(moves[0].starts_with("b ") && moves[1].starts_with("w "), "{text}");
    let counts: Vec<u32> = last.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert!(
        counts.len() == 2 && (5..=64).contains(&(counts[0] + counts[1])),
        "{last}"
    );
}

#[test]
fn the_python_player_is_a_player_of_matches() {
    let Some(player) = gtp_player() else { return };
    let output = Command::new(BIN)
        .args([
            "match",
            "random",
            &format!("external: python3 '{player}'"),
            "--games",
            "4",
            "--json",
        ])
        .output()
        .expect("the match runs");
    let text = text(&output);
    let ends = text.matches("\"end\":\"board\"").count();
    assert_eq!(ends, 4, "games that did not end on the board: {text}");
}
