//! Trees, puzzles, drills and random openings from the outside.

use outflank_testkit::{empty_folder, run};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A game of 1980 (WTHOR) with three mistakes in its endgame that make puzzles.
const GAME: &str = "f5f6e6f4e3c5c6d6e7d7e8c8c7f3b4b5a4b6a5e2c4b3c3a3a2d3f7c2d1g8d2b8f1e1f2g3h3a7g4g5h6h5h4g6h7g1h1h2g2h8g7f8d8b2a8a6b7a1c1b1";

fn outflank(args: &[&str], input: &str) -> (i32, String, String) {
    let ran = run(
        Command::new(env!("CARGO_BIN_EXE_outflank")).args(args),
        input.as_bytes(),
    );
    (ran.code, ran.out, ran.err)
}

/// The path of a file that is not there, in a folder of its own.
fn scratch(name: &str) -> PathBuf {
    empty_folder(env!("CARGO_TARGET_TMPDIR"), &format!("study/{name}")).join(name)
}

/// A session at the terminal: what is typed, and what comes back.
struct Session {
    text: String,
    folder: PathBuf,
}

impl Session {
    /// Runs a command in the folder of the session, with these lines typed; returns what it writes.
    fn run(&mut self, args: &[&str], typed: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
        command.args(args).current_dir(&self.folder);
        let input = [typed, &[""]].concat().join("\n");
        let ran = run(&mut command, input.as_bytes());
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        let shown: Vec<String> = args
            .iter()
            .map(|arg| {
                if arg.contains(' ') {
                    format!("'{arg}'")
                } else {
                    (*arg).to_owned()
                }
            })
            .collect();
        let mut add = |line: String| {
            self.text.push_str(line.trim_end());
            self.text.push('\n');
        };
        add(format!("$ outflank {}", shown.join(" ")));
        for line in typed {
            add(format!("< {line}"));
        }
        // Time is no two runs' the same.
        for line in ran.out.lines() {
            let mut words: Vec<&str> = line.split(' ').collect();
            for at in 1..words.len() {
                if words[at].starts_with("s;") {
                    words[at - 1] = "…";
                }
            }
            add(words.join(" "));
        }
        ran.out
    }
}

fn objects(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn variations_are_shown_and_kept() {
    let path = scratch("tree.sgf");
    let text = "(;GM[2]FF[4]PB[Ada]XY[1\\]2];B[f5]C[well](;W[d6];B[c3])(;W[f6]BM[1];B[e6]))";
    fs::write(&path, text).expect("written");
    let file = path.to_str().expect("text");
    let (code, out, err) = outflank(&["show", file], "");
    assert!(
        code == 0 && out.contains("with variations: f5d6(f6e6)c3"),
        "{out}"
    );
    assert!(!err.contains("left out"), "{err}");
    let (_, out, _) = outflank(&["show", file, "--json"], "");
    assert_eq!(objects(&out)[0]["variations"], "f5d6(f6e6)c3");
    let (code, kept, err) = outflank(&["convert", "--to", "sgf", file], "");
    assert_eq!((code, err.as_str()), (0, ""));
    for part in [
        "XY[1\\]2]",
        "PB[Ada]",
        "C[well]",
        "(;W[d6];B[c3])",
        "(;W[f6]BM[1];B[e6])",
    ] {
        assert!(kept.contains(part), "{part}: {kept}");
    }
    // What is kept once is kept again.
    let (_, again, _) = outflank(&["convert", "--to", "sgf", "-"], &kept);
    assert_eq!(again, kept);
    // GGF has one line of moves.
    let (code, ggf, err) = outflank(&["convert", "--to", "ggf", file], "");
    assert!(
        code == 0 && ggf.contains("B[f5]CO[well]") && err.contains("left out"),
        "{ggf}{err}"
    );
    let (_, back, _) = outflank(&["convert", "--to", "sgf", "-"], &ggf);
    assert!(back.contains("B[f5]C[well]"), "{back}");
}

#[test]
fn a_review_is_a_tree_its_mistakes_are_puzzles_and_they_are_drilled() {
    let (tree, puzzles) = (scratch("reviewed.sgf"), scratch("mine.tsv"));
    let names = [&tree, &puzzles].map(|path| path.to_str().expect("text"));
    let (code, _, err) = outflank(
        &[
            "review",
            GAME,
            "--level",
            "6",
            "--tree",
            names[0],
            "--puzzles",
            names[1],
        ],
        "",
    );
    assert_eq!(code, 0, "{err}");
    let (code, out, _) = outflank(&["show", names[0]], "");
    assert!(code == 0 && out.contains("with variations: f5"), "{out}");
    let (code, out, err) = outflank(&["puzzles", "check", names[1], "--max-empties", "11"], "");
    assert!(code == 0 && out.contains(" 0 wrong"), "{out}{err}");
    let (_, out, _) = outflank(&["puzzles", "show", names[1], "--json"], "");
    let mine = objects(&out);
    assert!(!mine.is_empty());
    let best = mine[0]["moves"][0]["move"].as_str().expect("a move");
    let other = mine[0]["moves"][1]["move"].as_str().expect("a move");

    // Wrong today, right tomorrow, not asked on the day after.
    let state = scratch("answers.jsonl");
    let state = state.to_str().expect("text");
    let drill = |day: &str, answers: &str| {
        let args = [
            "drill", "puzzles", names[1], "--state", state, "--day", day, "--count", "1", "--json",
        ];
        let (code, out, err) = outflank(&args, answers);
        assert_eq!(code, 0, "{err}");
        (objects(&out), err)
    };
    let (said, err) = drill("100", &format!("z9\n{other}\n"));
    assert!(err.contains("? gives up"), "{err}");
    assert_eq!(
        (&said[1]["right"], &said[1]["due"]),
        (&Value::from(false), &Value::from(101))
    );
    assert_eq!(said[1]["loss"], mine[0]["gap"]);
    let (said, _) = drill("101", &format!("{best}\n"));
    assert_eq!(
        (&said[0]["new"], &said[1]["right"]),
        (&Value::from(false), &Value::from(true))
    );
    assert_eq!(said[2]["drilled"], Value::from(vec![1, 1]));
    // A line that was cut off is dropped, the others count.
    let lines = fs::read_to_string(state).expect("written");
    assert_eq!(lines.lines().count(), 2);
    fs::write(state, format!("{lines}{{\"card\":")).expect("written");
    let (said, err) = drill("102", "?\n");
    assert!(err.contains("cut off"), "{err}");
    let name = mine[0]["puzzle"].as_str().expect("a name");
    assert_eq!(said[0]["card"], format!("puzzle-{name}"));
    assert_eq!(said[1]["move"], Value::Null);
    assert!(fs::read_to_string(state).expect("written").starts_with(&lines));
}

#[test]
fn a_repertoire_is_drilled_and_every_branch_of_its_owner_is_right() {
    let (path, state) = (scratch("repertoire.sgf"), scratch("openings.jsonl"));
    fs::write(
        &path,
        "(;GM[2](;B[f5](;W[d6](;B[c3]C[the main line])(;B[c4]))(;W[f6];B[e6])))",
    )
    .expect("written");
    let (path, state) = (path.to_str().expect("text"), state.to_str().expect("text"));
    let args = [
        "drill", "openings", path, "--side", "black", "--state", state, "--day", "1",
    ];
    let (code, out, err) = outflank(&args, "f5\nc4\ne3\nd3\n");
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("f5d6, Perpendicular Opening (縦取り), new"), "{out}");
    assert!(out.contains("right (the main line); again tomorrow"), "{out}");
    assert!(out.contains("2 of 3 right"), "{out}");
    fs::write(path, "(;GM[2];B[f5])").expect("written");
    let (code, _, err) = outflank(
        &["drill", "openings", path, "--side", "white", "--state", state],
        "",
    );
    assert!(
        code == 2 && err.contains("no tree with moves of this side"),
        "{err}"
    );
}

#[test]
fn puzzles_are_made_and_a_damaged_file_is_named() {
    let path = scratch("made.tsv");
    let file = path.to_str().expect("text");
    let args = [
        "puzzles",
        "make",
        GAME,
        "--empties",
        "5..12",
        "--count",
        "3",
        "--output",
        file,
    ];
    let (code, _, err) = outflank(&args, "");
    assert_eq!(code, 0, "{err}");
    assert!(
        err.contains("puzzles in ") && err.contains("the games hold no more"),
        "{err}"
    );
    let text = fs::read_to_string(&path).expect("written");
    fs::write(&path, format!("{text}nonsense\n")).expect("written");
    let (code, _, err) = outflank(&["puzzles", "show", file], "");
    assert!(code == 2 && err.contains("6 fields are expected"), "{err}");
    let (code, out, _) = outflank(&["puzzles", "show", "--count", "2", "--solution"], "");
    assert!(code == 0 && out.contains("line: "), "{out}");
    let (code, _, err) = outflank(&["puzzles", "show", "--theme", "chess"], "");
    assert!(code == 2 && err.contains("there are win, draw"), "{err}");
}

#[test]
fn random_openings_are_fair_and_the_same_every_time() {
    let args = [
        "openings", "random", "--moves", "6", "--count", "5", "--level", "4", "--json",
    ];
    let (code, out, err) = outflank(&args, "");
    assert_eq!(code, 0, "{err}");
    let found = objects(&out);
    assert_eq!(found.len(), 5);
    for one in &found {
        assert!(
            one["value"].as_f64().is_some_and(|value| value.abs() <= 2.0),
            "{one}"
        );
        assert_eq!(one["opening"].as_str().map(str::len), Some(12));
    }
    assert_eq!(outflank(&args, "").1, out);
}

/// The session that docs/study.md speaks of; `UPDATE_GOLDEN=1` writes its transcript anew.
#[test]
fn a_game_is_pasted_reviewed_its_line_learned_and_puzzles_are_solved() {
    let folder = empty_folder(env!("CARGO_TARGET_TMPDIR"), "study/session");
    let mut session = Session {
        text: String::new(),
        folder,
    };
    let review = session.run(
        &[
            "review",
            "-",
            "--level",
            "5",
            "--tree",
            "mine.sgf",
            "--puzzles",
            "mine.tsv",
        ],
        &[GAME],
    );
    assert!(review.contains("Result: -2 for black"), "{review}");
    session.run(
        &[
            "book", "new", "my.ofb", "--depth", "6", "--window", "6", "--hash", "1",
        ],
        &[],
    );
    let added = session.run(&["book", "add", "my.ofb", "f5f6e6f4e3c5"], &[]);
    assert!(added.contains("7 positions, 0 before"), "{added}");
    // White's f4 and d6 are images of each other: the book asks one of them, and has a better answer than the game.
    let drill = [
        "drill",
        "openings",
        "--book",
        "my.ofb",
        "--side",
        "black",
        "--from",
        "f5f6",
        "--until",
        "9",
        "--state",
        "answers.jsonl",
        "--day",
        "100",
    ];
    let asked = session.run(&drill, &["e6", "e7"]);
    assert!(asked.ends_with("2 of 2 right\n"), "{asked}");
    // Each puzzle is solved by the solver, which knows nothing of the answers in the file.
    let shown = ["puzzles", "show", "--count", "5", "--max-wrong", "70", "--json"];
    let (code, shown, err) = outflank(&shown, "");
    assert_eq!(code, 0, "{err}");
    let answers: Vec<String> = objects(&shown)
        .iter()
        .map(|puzzle| {
            let position = format!(
                "{} {}",
                puzzle["board"].as_str().expect("a board"),
                puzzle["side"].as_str().expect("a side")
            );
            let (code, solved, err) = outflank(&["solve", &position, "--json"], "");
            assert_eq!(code, 0, "{err}");
            let best = objects(&solved)[0]["best"][0].clone();
            best.as_str().expect("a move").to_owned()
        })
        .collect();
    assert_eq!(answers.len(), 5);
    let typed: Vec<&str> = answers.iter().map(String::as_str).collect();
    let drill = [
        "drill",
        "puzzles",
        "--max-wrong",
        "70",
        "--count",
        "5",
        "--state",
        "answers.jsonl",
        "--day",
        "100",
    ];
    let solved = session.run(&drill, &typed);
    assert!(solved.ends_with("5 of 5 right\n"), "{solved}");
    // Tomorrow they come again, and are known.
    let drill = drill.map(|word| if word == "100" { "101" } else { word });
    let again = session.run(&drill, &typed);
    assert!(
        again.ends_with("5 of 5 right\n") && !again.contains(", new"),
        "{again}"
    );

    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/study_session.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(golden.parent().expect("a folder")).expect("made");
        fs::write(&golden, &session.text).expect("written");
    } else {
        let expected = fs::read_to_string(&golden).expect("the transcript");
        assert_eq!(session.text, expected, "the session has changed");
    }
}

#[test]
fn what_players_have_missed_becomes_puzzles() {
    let path = scratch("missed.tsv");
    let file = path.to_str().expect("text");
    let args = [
        "puzzles",
        "make",
        GAME,
        "--from-review",
        "--level",
        "6",
        "--output",
        file,
    ];
    let (code, _, err) = outflank(&args, "");
    assert!(code == 0 && err.contains("puzzles in "), "{err}");
    let (_, out, _) = outflank(&["puzzles", "show", file, "--json"], "");
    let found = objects(&out);
    assert!(!found.is_empty());
    assert!(
        found.iter().all(|puzzle| puzzle["gap"].as_i64() >= Some(2)),
        "{out}"
    );
    let (code, out, err) = outflank(&["puzzles", "check", file, "--max-empties", "11"], "");
    assert!(code == 0 && out.contains(" 0 wrong"), "{out}{err}");
}
