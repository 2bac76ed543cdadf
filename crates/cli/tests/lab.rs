//! `outflank lab` as its users meet it: every experiment in its smallest size, files, exit codes.

use outflank_testkit::empty_folder;
use std::{fs, process::Command};

/// Runs the command and returns its exit code, standard output and standard error.
#[track_caller]
fn run(args: &[&str]) -> (i32, String, String) {
    let ran = outflank_testkit::run(
        Command::new(env!("CARGO_BIN_EXE_outflank")).arg("lab").args(args),
        b"",
    );
    (ran.code, ran.out, ran.err)
}

#[test]
fn all_writes_a_report_with_plots() {
    let folder = empty_folder(env!("CARGO_TARGET_TMPDIR"), "lab é all");
    let (code, out, err) = run(&["all", "--tiny", "--out", folder.to_str().expect("UTF-8")]);
    assert_eq!((code, err.as_str()), (0, ""));
    let report = fs::read_to_string(folder.join("report.md")).expect("the report is written");
    for name in [
        "compare",
        "compare-gomoku",
        "depth",
        "bitboard",
        "automata",
        "abstract",
        "mcts",
        "ladder",
    ] {
        assert!(report.contains(&format!("## {name}\n")), "{name}");
        for file in [
            format!("{name}-0.svg"),
            format!("{name}-0.csv"),
            format!("{name}.jsonl"),
        ] {
            assert!(folder.join(&file).metadata().expect(&file).len() > 50, "{file}");
        }
    }
    assert!(out.contains("Document E"));
    assert!(folder.join("automaton-all.dot").exists() && folder.join("abstract-states.txt").exists());
}

#[test]
fn compare_on_given_positions_prints_json() {
    let (code, out, _) = run(&[
        "compare",
        "f5d6c3",
        "--depth",
        "2,3",
        "--methods",
        "minimax,pvs+table",
        "--json",
    ]);
    assert_eq!(code, 0);
    let lines: Vec<serde_json::Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    // Four positions of the game, two depths, two methods, and the summary.
    assert_eq!(lines.len(), 4 * 2 * 2 + 1);
    assert_eq!(lines[0]["algorithm"], "minimax");
    assert_eq!(lines[16]["summary"]["agree"], true);
}

#[test]
fn compare_on_gomoku_prints_json() {
    let (code, out, err) = run(&[
        "compare",
        "--game",
        "gomoku",
        "h8i9g9",
        "--rule",
        "renju",
        "--depth",
        "2",
        "--methods",
        "minimax,alpha-beta+table+canonical",
        "--json",
    ]);
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<serde_json::Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    // Three positions of the game, two methods, and the summary.
    assert_eq!(lines.len(), 3 * 2 + 1);
    assert_eq!(
        (&lines[2]["history"], &lines[2]["side"]),
        (&"h8i9".into(), &"X".into())
    );
    assert_eq!(lines[6]["summary"]["agree"], true);
    let (code, out, _) = run(&["compare", "--game=gomoku", "--tiny", "--size", "9", "--near", "2"]);
    assert!(
        code == 0 && out.contains("freestyle Gomoku 9×9, moves within 2 lines of a stone"),
        "{out}"
    );
}

#[test]
fn wrong_options_are_one_clear_line_and_exit_code_2() {
    for (args, part) in [
        (&["compare", "--methods", "magic"][..], "no method \"magic\""),
        (&["compare", "--evaluation", "magic"], "no evaluation \"magic\""),
        (&["compare", "zz9"], "no comparison"),
        (&["compare", "--game", "gomoku", "h8h8"], "h8 is occupied"),
        (
            &["compare", "--game", "gomoku", "--evaluation", "e"],
            "expected shapes",
        ),
        (&["compare", "--game", "gomoku", "--rule", "go"], "go"),
        (&["compare", "--size", "9"], "--game gomoku"),
        (&["ladder", "--players", "random"], "two players"),
        (
            &["ladder", "--players", "random,nobody", "--tiny"],
            "no player \"nobody\"",
        ),
        (&["depth", "--time", "0"], "'0' for '--time"),
        (&["mcts", "--time", "nan"], "'nan' for '--time"),
        (&["abstract", "/no/such/file.wtb"], "no such file"),
    ] {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
    let (code, out, _) = run(&["players"]);
    assert!(code == 0 && out.contains("squares+mobility") && out.contains("mtdf+table+reorder-as-written"));
}
