//! The commands of Gomoku, as a user calls them.

use assert_cmd::Command;
use std::time::Instant;

fn outflank(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("outflank").expect("the binary is built");
    command.args(args);
    command
}

fn text(command: &mut Command) -> String {
    let output = command.output().expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_win_is_solved_and_verified() {
    // Three blacks in a row, both ends open, Black to move.
    let line = text(&mut outflank(&[
        "solve",
        "--game",
        "gomoku",
        "h8h10i8i10j8a1",
        "--json",
    ]));
    let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(value["kind"], "vcf");
    assert_eq!(value["verified"], true);
    let none = text(&mut outflank(&[
        "solve",
        "--game=gomoku",
        "h8h9",
        "--vcf",
        "--json",
    ]));
    assert!(none.contains("\"kind\":\"none\""), "{none}");
}

#[test]
fn positions_are_shown_and_analyzed() {
    let shown = text(&mut outflank(&[
        "show", "--game", "gomoku", "--rule", "renju", "h8i9", "--json",
    ]));
    assert!(shown.contains("\"history\":\"h8i9\"") && shown.contains("\"rule\":\"renju\""));
    let analyzed = text(&mut outflank(&[
        "analyze", "--game", "gomoku", "h8i9j10", "--depth", "2", "--top", "2", "--json",
    ]));
    let value: serde_json::Value = serde_json::from_str(&analyzed).expect("JSON");
    assert_eq!(value["lines"].as_array().map(Vec::len), Some(2));
    for bad in [
        &["show", "--game", "gomoku", "h8h8"][..],
        &["solve", "--game", "gomoku", "z99"],
    ] {
        assert_eq!(
            outflank(bad).output().expect("the program runs").status.code(),
            Some(2)
        );
    }
}

#[test]
fn the_brain_answers_and_ends() {
    let script = "START 15\r\nINFO timeout_turn 100\r\nBOARD\r\n7,7,2\r\nDONE\r\nTURN 0,0\r\nABOUT\r\nHELLO\r\nEND\r\n";
    let start = Instant::now();
    let said = text(outflank(&["gomocup"]).write_stdin(script));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "OK");
    assert!(start.elapsed().as_secs() < 30);
    assert!(!lines.iter().any(|line| line.starts_with("ERROR")), "{said}");
}

#[test]
fn matches_are_played_to_the_end() {
    let report = text(&mut outflank(&[
        "match", "--game", "gomoku", "--games", "2", "--nodes", "200", "--json",
    ]));
    let last: serde_json::Value = serde_json::from_str(report.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["summary"]["games"], 2);
    assert_eq!(last["summary"]["forfeits"], serde_json::json!([0, 0]));
}
