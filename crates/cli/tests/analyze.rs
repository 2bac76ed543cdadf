//! `outflank analyze` and `outflank levels` from the outside: output, limits, bad input.

use outflank_testkit::run;
use serde_json::Value;
use std::process::Command;

fn outflank(args: &[&str]) -> (i32, String, String) {
    let ran = run(Command::new(env!("CARGO_BIN_EXE_outflank")).args(args), b"");
    (ran.code, ran.out, ran.err)
}

fn json(args: &[&str]) -> Value {
    let (code, out, err) = outflank(args);
    assert_eq!(code, 0, "{err}");
    serde_json::from_str(out.trim()).expect("one JSON object")
}

const FFO_1: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

#[test]
fn an_estimate_says_its_depth_and_confidence() {
    let object = json(&["analyze", "f5d6c3", "--depth", "6", "--top", "3", "--json"]);
    assert_eq!(object["kind"], "estimate");
    assert_eq!(
        (&object["depth"], &object["confidence"]),
        (&Value::from(6), &Value::from(73))
    );
    let lines = object["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["move"], object["move"]);
    let values: Vec<f64> = lines
        .iter()
        .map(|line| line["value"].as_f64().expect("a number"))
        .collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    assert!(
        values
            .iter()
            .all(|value| ((value * 100.0).round() / 100.0 - value).abs() < 1e-12)
    );
}

#[test]
fn values_do_not_depend_on_the_number_of_lines() {
    let all = json(&["analyze", "f5d6c3d3c4", "--depth", "7", "--top", "all", "--json"]);
    let all = all["lines"].as_array().expect("lines");
    for top in ["1", "3"] {
        let some = json(&["analyze", "f5d6c3d3c4", "--depth", "7", "--top", top, "--json"]);
        for line in some["lines"].as_array().expect("lines") {
            let same = all
                .iter()
                .find(|other| other["move"] == line["move"])
                .expect("the move");
            assert_eq!(same, line);
        }
    }
}

#[test]
fn endgames_are_exact() {
    let object = json(&["analyze", FFO_1, "--exact", "--json"]);
    assert_eq!(
        (&object["kind"], &object["value"]),
        (&Value::from("exact"), &Value::from(18))
    );
    assert_eq!(object["move"], "g8");
    let wld = json(&["analyze", FFO_1, "--wld", "--json"]);
    assert_eq!(
        (&wld["kind"], &wld["value"]),
        (&Value::from("wld"), &Value::from(2))
    );
    let (code, out, _) = outflank(&["analyze", FFO_1, "--depth", "60"]);
    assert_eq!(code, 0);
    assert!(out.contains("+18  exact") && out.contains("g8"), "{out}");
}

#[test]
fn finished_games_and_passes_have_values() {
    let full = format!("{} X", "X".repeat(64));
    let object = json(&["analyze", &full, "--json"]);
    assert_eq!(
        (&object["move"], &object["value"], &object["kind"]),
        (&Value::Null, &Value::from(64), &Value::from("exact"))
    );
    let tie = format!("{}{} X", "X".repeat(32), "O".repeat(32));
    let (_, out, _) = outflank(&["analyze", &tie]);
    assert!(out.contains("the game is over: 0 for"), "{out}");
    // X has no move, O has: a pass, then O takes c1 and the game.
    let pass = "OX......".to_owned() + &".".repeat(56) + " X";
    let object = json(&["analyze", &pass, "--exact", "--json"]);
    assert_eq!(
        (&object["move"], &object["value"]),
        (&Value::from("pass"), &Value::from(-64))
    );
}

#[test]
fn limits_that_make_no_sense_are_refused_in_one_line() {
    for (option, value) in [
        ("--depth", "0"),
        ("--depth", "-1"),
        ("--depth", "61"),
        ("--depth", "x"),
        ("--time", "0"),
        ("--time", "-1"),
        ("--time", "nan"),
        ("--time", "1e99"),
        ("--nodes", "0"),
        ("--nodes", "-5"),
        ("--level", "0"),
        ("--level", "61"),
        ("--top", "0"),
        ("--threads", "0"),
        ("--threads", "100000"),
        ("--hash", "0"),
        ("--hash", "1000000"),
        ("--clock", "5+-1"),
        ("--clock", "0+0"),
        ("--clock", "0"),
        ("--confidence", "0"),
        ("--confidence", "50"),
        ("--confidence", "74"),
    ] {
        let argument = format!("{option}={value}");
        let (code, out, err) = outflank(&["analyze", "f5", &argument]);
        assert_eq!(code, 2, "{argument}: {out}{err}");
        assert!(
            out.is_empty() && !err.is_empty() && !err.contains("panicked"),
            "{argument}: {err}"
        );
    }
}

#[test]
fn small_limits_still_give_a_move() {
    for limit in [
        ["--nodes", "1"],
        ["--time", "0.000001"],
        ["--clock", "0:00.001+0"],
        ["--clock", "0.001"],
    ] {
        let object = json(&["analyze", "f5d6", limit[0], limit[1], "--json"]);
        assert!(
            ["c3", "c4", "c5", "c6", "c7", "e6"].contains(&object["move"].as_str().unwrap_or("")),
            "{object}"
        );
    }
}

#[test]
fn nothing_is_minus_zero() {
    for opening in ["f5", "f5f6", "f5d6c5f4"] {
        for depth in ["1", "4"] {
            let (_, plain, _) = outflank(&["analyze", opening, "--depth", depth, "--top", "all"]);
            let (_, json, _) = outflank(&["analyze", opening, "--depth", depth, "--top", "all", "--json"]);
            assert!(!plain.contains("-0.00") && !plain.contains(" -0 "), "{plain}");
            assert!(!json.contains("-0.0,") && !json.contains("-0,"), "{json}");
        }
    }
}

#[test]
fn every_level_is_listed() {
    let small = ["levels", "--positions", "30000", "--hash", "1"];
    let run = || outflank(&[&small[..], &["--json"]].concat());
    let (code, out, _) = run();
    assert_eq!(code, 0);
    let levels: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    // Those that err as people do come first, the weakest before the others.
    let (people, levels) = levels.split_at(8);
    assert_eq!(levels.len(), 60);
    assert!(
        people
            .windows(2)
            .all(|pair| pair[0]["loss"].as_f64() > pair[1]["loss"].as_f64())
    );
    for pair in levels.windows(2) {
        for name in [
            "exact_empties",
            "midgame_nodes",
            "solve_nodes",
            "midgame_seconds",
            "solve_seconds",
        ] {
            assert!(
                pair[0][name].as_f64() <= pair[1][name].as_f64(),
                "{name}: {pair:?}"
            );
        }
    }
    // Level 1 solves two empty squares in no time, though none so few are measured by everybody.
    assert!(levels[0]["solve_seconds"].as_f64() < Some(0.001), "{}", levels[0]);
    // What is counted is the same every time; only the clock differs.
    let counted = |text: &str| -> Vec<[Value; 2]> {
        let objects = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        objects
            .map(|object| ["midgame_nodes", "solve_nodes"].map(|name| object[name].clone()))
            .collect()
    };
    assert_eq!(counted(&out), counted(&run().1));
    let (code, out, _) = outflank(&small);
    assert_eq!(code, 0);
    let (people, out) = out.split_once("\n\n").expect("two tables");
    assert_eq!(people.lines().count(), 1 + 8, "{people}");
    let rows = out.lines().count() - 2;
    assert!((14..=24).contains(&rows), "{rows} rows: {out}");
    assert!(
        out.contains("measured up to level") && !out.contains("years"),
        "{out}"
    );
}

#[test]
fn only_the_result_goes_into_a_pipe() {
    let search = ["analyze", "f5d6c3", "--depth", "6", "--top", "2"];
    let (code, out, _) = outflank(&search);
    assert_eq!(code, 0);
    // The position, its opening, two lines and the cost.
    assert!(
        (4..=6).contains(&out.lines().count()) && !out.contains('\x1b'),
        "{out}"
    );
    let (_, verbose, _) = outflank(&[&search[..], &["--verbose"]].concat());
    let (stages, result) = verbose.split_once("result\n").expect("stages, then the result");
    assert!(
        stages.lines().filter(|line| line.contains("depth ")).count() >= 6,
        "{verbose}"
    );
    assert_eq!(result.lines().count(), 3, "{verbose}");
    let (_, progress, _) = outflank(&[&search[..], &["--json", "--progress"]].concat());
    let objects: Vec<Value> = progress
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let (last, stages) = objects.split_last().expect("objects");
    assert!(last["lines"].is_array());
    assert!(
        stages.len() >= 6 && stages.iter().all(|stage| stage["progress"]["rank"].is_u64()),
        "{progress}"
    );
    for arguments in [["--progress"].as_slice(), &["--verbose", "--json"]] {
        assert_eq!(outflank(&[&search[..], arguments].concat()).0, 2);
    }
}

#[test]
fn an_evaluation_is_explained() {
    let search = ["analyze", "f5d6c3d3c4", "--depth", "1", "--explain"];
    let (code, out, _) = outflank(&search);
    assert_eq!(code, 0);
    let parts = out
        .lines()
        .skip_while(|line| !line.starts_with("the evaluation without search"))
        .skip(1);
    let sum: f64 = parts
        .filter_map(|line| line.split_whitespace().next()?.parse::<f64>().ok())
        .sum();
    let (_, json, _) = outflank(&[&search[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&json).expect("JSON");
    let value = object["explanation"]["value"].as_f64().expect("a value");
    // Every number is rounded to a hundredth.
    assert!((sum - value).abs() < 0.1, "{value} {out}");
    assert_eq!(outflank(&["analyze", "--game", "gomoku", "h8", "--explain"]).0, 2);
}
