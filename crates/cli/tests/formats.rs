//! Files of every format as this version writes them: later versions read them, and refuse those of still later ones by a
//! message that says what helps.
//!
//! The files in `golden/formats` were written by version 0.1.0 and stay as they are. When a layout changes, files of the new
//! one are added beside them. `games.db.zlib` is a database, packed because SQLite's pages are mostly empty.

use miniz_oxide::inflate::decompress_to_vec_zlib;
use outflank_testkit::{empty_folder, repository, run};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A position with nine empty squares.
const POSITION: &str = ".OOOOO.. O.OOOOX. OOOOXXXX OXOOXXXX OXOXXOXX OXXXOXOX OXXXXOOX ....XXOX O";

fn golden(name: &str) -> Vec<u8> {
    let path = repository("crates/cli/tests/golden/formats").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Makes a folder with all files; the database is unpacked.
fn folder(test: &str) -> PathBuf {
    let folder = empty_folder(env!("CARGO_TARGET_TMPDIR"), &format!("formats {test}"));
    for name in [
        "small.weights",
        "small.model",
        "small.ofb",
        "small.ofbz",
        "five.obf",
        "solved.jsonl",
        "game.jsonl",
    ] {
        fs::write(folder.join(name), golden(name)).expect("written");
    }
    fs::write(folder.join("answers.log"), golden("batch.log")).expect("written");
    let database = decompress_to_vec_zlib(&golden("games.db.zlib")).expect("packed bytes");
    fs::write(folder.join("games.db"), database).expect("written");
    folder
}

/// Runs the program in a folder; returns its exit code and what it printed.
fn outflank(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
    let ran = run(command.args(args).current_dir(folder), b"");
    (ran.code, ran.out, ran.err)
}

#[track_caller]
fn prints(folder: &Path, args: &[&str], parts: &[&str]) {
    let (code, out, err) = outflank(folder, args);
    assert_eq!(code, 0, "{args:?}: {err}");
    for part in parts {
        assert!(out.contains(part), "{args:?}: no {part:?} in {out}");
    }
}

#[test]
fn files_of_version_0_1_are_read() {
    let folder = folder("read");
    for model in ["small.weights", "small.model"] {
        prints(
            &folder,
            &[
                "analyze",
                POSITION,
                "--depth",
                "1",
                "--no-book",
                "--explain",
                "--json",
                "--model",
                model,
            ],
            &[r#""explanation":{"value":-3.328125,"#],
        );
    }
    for book in ["small.ofb", "small.ofbz"] {
        let parts = ["e6 ", "-0.16", "weights 5413f565155676c8"];
        prints(&folder, &["book", "show", "f5f6", "--book", book], &parts);
    }
    prints(
        &folder,
        &["book", "check", "small.ofb"],
        &["4 positions: all right"],
    );
    prints(&folder, &["games", "check", "games.db"], &["everything is right"]);
    prints(&folder, &["games", "list", "games.db"], &["1 of 1 games"]);
    let boards = [
        "--XXXXX--OOOXX-O",
        "G8:+18",
        "G8:+32",
        "------------------XO------XXX",
    ];
    prints(
        &folder,
        &["convert", "--to", "obf", "solved.jsonl", "game.jsonl"],
        &boards,
    );
}

#[test]
fn a_batch_of_version_0_1_goes_on() {
    let folder = folder("batch");
    let kept = fs::read_to_string(folder.join("answers.log")).expect("text");
    assert_eq!(kept.lines().count(), 3, "two answers of five");
    prints(
        &folder,
        &[
            "solve",
            "five.obf",
            "--output",
            "answers",
            "--resume",
            "--omit-seconds",
            "--json",
        ],
        &[r#""positions":5,"ok":5,"wrong":0"#],
    );
    let values = |text: &str| -> Vec<String> {
        let value = |line: &str| {
            let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
            format!("{} {} {}", answer["board"], answer["value"], answer["kind"])
        };
        text.lines()
            .filter(|line| line.contains("\"board\""))
            .map(value)
            .collect()
    };
    let now = values(&fs::read_to_string(folder.join("answers")).expect("written"));
    assert_eq!(
        now,
        values(&String::from_utf8(golden("solved.jsonl")).expect("text"))
    );
    assert_eq!(now.len(), 5);
}

#[test]
fn files_of_a_later_version_are_refused_with_what_helps() {
    let folder = folder("later");
    // Where the version stands, and how it is written there.
    for (name, at, version) in [
        ("small.weights", 8, &[2, 0][..]),
        ("small.model", "OUTFLANK MODEL ".len(), b"2"),
        ("small.ofb", 8, &[2, 0]),
        ("small.ofbz", 8, &[2, 0]),
        ("games.db", 60, &[0, 0, 0, 2]),
        ("answers.log", "outflank-jobs ".len(), b"2"),
    ] {
        let mut bytes = fs::read(folder.join(name)).expect("there");
        let place = &mut bytes[at..at + version.len()];
        assert_ne!(place, version, "{name}");
        place.copy_from_slice(version);
        fs::write(folder.join(name), bytes).expect("written");
    }
    for args in [
        &["analyze", POSITION, "--depth", "1", "--model", "small.weights"][..],
        &["analyze", POSITION, "--depth", "1", "--model", "small.model"],
        &["book", "show", "f5f6", "--book", "small.ofb"],
        &["book", "show", "f5f6", "--book", "small.ofbz"],
        &["games", "list", "games.db"],
        &["solve", "five.obf", "--output", "answers", "--resume", "--json"],
    ] {
        let (code, out, err) = outflank(&folder, args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(
            err.contains("newer Outflank") && err.contains("update Outflank"),
            "{args:?}: {err}"
        );
    }
}
