//! `outflank review` from the outside, and opening names in every command that shows them.

use outflank_testkit::{empty_folder, run};
use serde_json::Value;
use std::{fs, path::PathBuf, process::Command};

/// "Reversi Wars" (report 5 of docs/play.md): 60 discs, four implied passes of black, 13–51.
const GAME: &str = "f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6f7g3e1c5c6h4g4d2h6f8h5h7h3h2c1d1a4a6a5f1a7d7c7b6g1b3e8d8g2b7b8a8c8g8g7h8a2a3h1a1b2c2b1";

fn outflank(args: &[&str], input: &str) -> (i32, String, String) {
    let ran = run(
        Command::new(env!("CARGO_BIN_EXE_outflank")).args(args),
        input.as_bytes(),
    );
    (ran.code, ran.out, ran.err)
}

/// The path of a file that is not there, in a folder of its own.
fn scratch(name: &str) -> PathBuf {
    empty_folder(env!("CARGO_TARGET_TMPDIR"), &format!("review/{name}")).join(name)
}

#[test]
fn a_game_is_reviewed_in_80_columns_without_a_terminal() {
    let (code, text, err) = outflank(&["review", GAME, "--level", "2"], "");
    assert_eq!(
        (code, err.as_str()),
        (0, ""),
        "nothing on standard error without a terminal"
    );
    for part in [
        "Game 1",
        "Opening: ",
        "Result: -38 for black",
        "64 O b1",
        "forced",
        "black ",
        "white ",
        "?! from 2 discs, ? from 4, ?? from 8",
        "Black's value after each move:",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(
        !text.contains('\u{1b}') && !text.contains('\r'),
        "no escape codes in a pipe"
    );
    // The same from standard input, and again.
    assert_eq!(outflank(&["review", "-", "--level", "2"], GAME).1, text);
}

#[test]
fn json_has_a_line_per_move_and_a_summary() {
    let (code, text, err) = outflank(&["review", GAME, "--level", "2", "--json"], "");
    assert_eq!((code, err.as_str()), (0, ""));
    let objects: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(objects.len(), 64 + 1);
    let (summary, moves) = objects.split_last().expect("a summary");
    let summary = &summary["summary"];
    assert_eq!(summary["discs"], -38);
    assert_eq!(summary["values"].as_array().map(Vec::len), Some(65));
    assert_eq!(summary["complete"], true);
    assert_eq!(moves.iter().filter(|object| object["move"] == "pass").count(), 4);
    let mut lost = [0.0, 0.0];
    for (at, object) in moves.iter().enumerate() {
        assert_eq!(object["number"], at + 1);
        let loss = object["loss"].as_f64().expect("a number");
        let mark = match loss {
            loss if loss >= 8.0 => "??",
            loss if loss >= 4.0 => "?",
            loss if loss >= 2.0 => "?!",
            _ => "",
        };
        assert_eq!(object["mark"], mark, "{object}");
        assert!(
            object["kind"] == "exact" || object["kind"] == "estimate",
            "{object}"
        );
        lost[usize::from(object["side"] == "O")] += loss;
    }
    assert_eq!(moves[63]["kind"], "exact");
    for (player, lost) in ["black", "white"].iter().zip(lost) {
        let total = summary[player]["loss"].as_f64().expect("a number");
        assert!((total - lost).abs() < 0.5, "{player}: {total} and {lost}");
    }
}

#[test]
fn the_graph_and_the_annotated_game_are_written() {
    let (svg, ggf) = (scratch("graph.svg"), scratch("game.ggf"));
    let record = format!(
        "(;GM[Othello]PB[A & B]PW[<C>]RE[?]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]{};)",
        "B[f5]W[d6]B[c3]W[d3]B[c4]W[f4]B[f6]W[f3]B[e3]W[b4]"
    );
    let input = scratch("input.ggf");
    fs::write(&input, record).expect("written");
    let paths = [&input, &svg, &ggf].map(|path| path.display().to_string());
    let args = [
        "review", &paths[0], "--level", "2", "--svg", &paths[1], "--ggf", &paths[2],
    ];
    let (code, text, _) = outflank(&args, "");
    assert_eq!(code, 0);
    assert!(text.starts_with("A & B – <C>"), "{text}");
    let picture = fs::read_to_string(&svg).expect("a graph");
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    assert!(picture.contains("A &amp; B – &lt;C&gt;"), "{picture}");
    // The annotated game is a game again, with a value for every move.
    let annotated = fs::read_to_string(&ggf).expect("a game");
    assert!(annotated.contains("reviewed by Outflank:"), "{annotated}");
    assert!(
        annotated.contains("PB[A & B]") && annotated.contains("B[f5/"),
        "{annotated}"
    );
    let (code, again, _) = outflank(&["convert", "--to", "transcript", &paths[2]], "");
    assert_eq!((code, again.trim()), (0, "f5d6c3d3c4f4f6f3e3b4"));
}

#[test]
fn what_cannot_be_reviewed_is_named() {
    for (args, complaint) in [
        (["review", "f5f5"].as_slice(), "f5"),
        (&["review", "/nothing/here.ggf"], "no such file"),
        (&["review"], "GAME"),
        (&["review", "f5", "--level", "0"], "levels go from 1"),
        (&["review", "f5", "--budget", "-1"], ""),
        (
            &["review", "f5", "--level", "1", "--svg", "/nowhere/x.svg"],
            "/nowhere",
        ),
    ] {
        let (code, _, err) = outflank(args, "");
        assert_eq!(code, 2, "{args:?}: {err}");
        assert!(
            err.contains(complaint) && !err.contains("panicked"),
            "{args:?}: {err}"
        );
    }
    // Of a bad game among good ones the legal moves are judged, and the exit code says so.
    let (code, text, err) = outflank(&["review", "-", "--level", "1"], "f5d6\nf5b2\nb2\n");
    assert_eq!(code, 2);
    assert!(text.contains("Game 2") && !text.contains("Game 3"), "{text}");
    assert!(text.contains("Reviewed up to move 1; "), "{text}");
    assert!(err.contains("line 2") && err.contains("line 3"), "{err}");
}

#[test]
fn a_budget_is_kept_and_said() {
    let start = std::time::Instant::now();
    let (code, text, _) = outflank(
        &["review", GAME, "--level", "60", "--budget", "1", "--threads", "1"],
        "",
    );
    assert_eq!(code, 0);
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    assert!(text.contains("Searches were cut short"), "{text}");
}

#[test]
fn openings_are_named_through_transpositions_and_symmetries() {
    // The Tiger: as it is usually written, with moves in another order, and turned in the three other ways.
    for game in [
        "f5d6c3d3c4",
        "f5d6c4d3c3",
        "c4e3f6e6f5",
        "d3c5f6f5e6",
        "e6f4c3c4d3",
    ] {
        let (code, text, err) = outflank(&["show", game], "");
        assert_eq!(code, 0, "{err}");
        assert!(text.contains("opening: Tiger (虎定石)\n"), "{game}: {text}");
    }
    // Before that move it has another name, or none; what follows keeps it.
    let (_, text, _) = outflank(&["show", "f5d6c3d3c4", "--ply", "4"], "");
    assert!(!text.contains("opening: Tiger"), "{text}");
    let (_, text, _) = outflank(&["show", GAME], "");
    assert!(text.contains(" moves\n") && text.contains("opening: "), "{text}");
    let (_, text, _) = outflank(&["show", "f5d6c3d3c4", "--json"], "");
    let object: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(object["opening"]["english"], "Tiger");
    assert_eq!(
        (&object["opening"]["japanese"], &object["opening"]["moves"]),
        (&Value::from("虎定石"), &Value::from(5))
    );
    // A position has its name without any moves.
    let position = format!("{} {}", object["board"], object["side"]).replace('"', "");
    let (_, text, _) = outflank(&["show", &position.replace('-', ".")], "");
    assert!(text.contains("opening: Tiger (虎定石)\n"), "{text}");
    let (_, text, _) = outflank(&["show", "--json"], "");
    assert!(!text.contains("opening"), "the start has no name: {text}");

    let (_, text, _) = outflank(&["analyze", "c4e3f6e6f5", "--depth", "1"], "");
    assert!(text.contains("opening: Tiger (虎定石)\n"), "{text}");
    let (_, text, _) = outflank(&["analyze", "f5d6c3d3c4", "--depth", "1", "--json"], "");
    let object: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(object["opening"]["english"], "Tiger");
    let (_, text, _) = outflank(&["review", "f5d6c4d3c3", "--level", "1"], "");
    assert!(text.contains("Opening: Tiger (虎定石)"), "{text}");
}

/// A review that Ctrl-C cuts short is no review: exit code 1, and what is known is shown.
#[cfg(unix)]
#[test]
fn what_was_interrupted_says_so_by_its_exit_code() {
    use std::{io::Read as _, process::Stdio, thread, time::Duration};
    for command in [
        &["review", GAME, "--level", "40"][..],
        &["analyze", "f5d6", "--forever"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_outflank"))
            .args(command)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        thread::sleep(Duration::from_millis(1500));
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it lives");
        let status = child.wait().expect("ours");
        let mut text = String::new();
        child
            .stdout
            .take()
            .expect("piped")
            .read_to_string(&mut text)
            .expect("text");
        assert_eq!(status.code(), Some(1), "{command:?}: {text}");
        assert!(!text.is_empty(), "{command:?}");
    }
}

#[test]
fn files_may_be_standard_output() {
    let (code, text, _) = outflank(&["review", "f5d6c3", "--level", "1", "--svg", "-"], "");
    assert_eq!(code, 0);
    assert!(
        text.contains("<svg ") && text.trim_end().ends_with("</svg>"),
        "{text}"
    );
    assert!(!std::path::Path::new("-").exists());
    for target in ["ggf", "transcript", "board"] {
        let (code, text, err) = outflank(&["convert", "--to", target, "f5d6c3", "--out", "-"], "");
        let (_, plain, _) = outflank(&["convert", "--to", target, "f5d6c3"], "");
        assert_eq!((code, text), (0, plain), "{err}");
    }
    let (code, _, err) = outflank(&["convert", "--to", "ggf", "f5d6c3", "--out", "/nonexist/x"], "");
    assert_eq!((code, err.matches("No such file").count()), (2, 1), "{err}");
}

#[test]
fn openings_are_found_by_their_names() {
    let moves = "moves: f5d6c3d3c4\n";
    for name in [
        &["tiger"][..],
        &["TIGER", "opening"],
        &["tora-jōseki"],
        &["虎定石"],
    ] {
        let (code, text, _) = outflank(&[&["show"], name].concat(), "");
        assert!(code == 0 && text.contains(moves), "{name:?}: {text}");
    }
    let (code, text, _) = outflank(&["show", "jigoku usagi"], "");
    assert!(
        code == 0 && text.contains("opening: Jigoku Usagi (地獄兎)\n"),
        "{text}"
    );
    let (code, _, error) = outflank(&["show", "no k"], "");
    assert_eq!(code, 2);
    assert!(
        error.contains("several openings are called so: No-Kung (ノーカン), ")
            && error.contains("No-Kung (Continuation)"),
        "{error}"
    );
    let (code, _, error) = outflank(&["show", "tigre"], "");
    assert!(
        code == 2 && error.contains("not a position or game in any known notation"),
        "{error}"
    );
}
