//! `outflank book` as a process: a book from its first position to other programs, kills while it learns.

use outflank_game::SplitMix64;
use outflank_testkit::empty_folder;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread::sleep,
    time::Duration,
};

fn outflank(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
    command.args(args).output().expect("the program starts")
}

/// Returns what a command writes that ends well.
fn text(args: &[&str]) -> String {
    let output = outflank(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(args: &[&str]) -> Value {
    let said = text(args);
    let last = said.lines().last().expect("a line");
    serde_json::from_str(last).expect("JSON")
}

fn code(args: &[&str]) -> Option<i32> {
    outflank(args).status.code()
}

fn folder(name: &str) -> PathBuf {
    empty_folder(env!("CARGO_TARGET_TMPDIR"), &format!("book/{name}"))
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn new_book(book: &str) {
    text(&["book", "new", book, "--depth", "2", "--exact", "4", "--hash", "1"]);
}

#[test]
fn a_book_from_its_first_position_to_other_programs() {
    let folder = folder("session");
    let at = |name: &str| path(&folder, name);
    let (book, edax, egbk, lines) = (at("my.ofb"), at("book.dat"), at("out.egbk3"), at("my.jsonl"));
    new_book(&book);
    assert_eq!(
        code(&["book", "new", &book]),
        Some(2),
        "a book is not overwritten"
    );
    let plan = json(&[
        "book",
        "expand",
        &book,
        "--positions",
        "60",
        "--dry-run",
        "--json",
    ]);
    assert_eq!(
        (&plan["book"], plan["next"].as_array().map(Vec::len)),
        (&Value::from(0), Some(1))
    );
    let expand = [
        "book",
        "expand",
        &book,
        "--positions",
        "60",
        "--every",
        "6",
        "--json",
    ];
    let learned = json(&expand);
    assert_eq!(
        (&learned["summary"]["after"], &learned["summary"]["complete"]),
        (&60.into(), &true.into())
    );
    text(&["book", "add", &book, "f5d6c3d3c4"]);

    let shown = json(&["book", "show", "f5d6c3d3c4", "--book", &book, "--json"]);
    assert_eq!(
        (&shown["known"], &shown["opening"]["english"]),
        (&true.into(), &"Tiger".into())
    );
    let value = shown["moves"][0]["value"].as_f64();
    assert!(value.is_some() && value == shown["value"].as_f64(), "{shown}");
    assert!(text(&["book", "show", "f5", "--book", &book]).contains("grade"));
    let unknown = text(&["book", "show", "f5f6e6f4g5e7f7h5e3d3", "--book", &book]);
    assert!(unknown.contains("not in the book"), "{unknown}");

    text(&["book", "set", &book, "f5d6c3d3c4", "f4=-3.5"]);
    let shown = json(&["book", "show", "f5d6c3d3c4", "--book", &book, "--json"]);
    let moves = shown["moves"].as_array().expect("moves");
    let by_hand = moves.iter().find(|mv| mv["move"] == "f4").expect("f4");
    assert_eq!(
        (&by_hand["value"], &by_hand["kind"]),
        (&(-3.5).into(), &"manual".into())
    );
    assert_eq!(
        code(&["book", "set", &book, "f5d6", "a1=3"]),
        Some(2),
        "not a legal move"
    );

    let stats = json(&["book", "stats", &book, "--json"]);
    let positions = stats["positions"].as_u64().expect("a number");
    assert!(positions >= 60, "{stats}");
    assert!(text(&["book", "check", &book]).contains("all right"));
    let umigame = json(&["book", "umigame", "--book", &book, "--json"]);
    assert!(umigame["black"].as_u64() >= Some(1), "{umigame}");

    let written = json(&["book", "export", &book, &edax, "--to", "edax", "--json"]);
    assert_eq!(
        (&written["refused"], &written["positions"]),
        (&0.into(), &positions.into())
    );
    text(&["book", "export", &book, &egbk, "--to", "egaroucid"]);
    text(&["book", "export", &book, &lines, "--to", "json"]);
    for (from, format) in [(&edax, "edax"), (&egbk, "egaroucid"), (&lines, "json")] {
        let again = at(&format!("{format}.ofb"));
        let read = json(&["book", "import", from, &again, "--json"]);
        assert_eq!(
            (&read["format"], &read["positions"]),
            (&format.into(), &positions.into())
        );
    }
    let digest = |book: &str| json(&["book", "stats", book, "--json"])["digest"].clone();
    assert_eq!(digest(&at("json.ofb")), digest(&book));
    let packed = at("small.ofbz");
    text(&["book", "pack", &book, &packed]);
    assert_eq!(digest(&packed), digest(&book));
    assert!(fs::metadata(&packed).expect("a file").len() < fs::metadata(&book).expect("a file").len());
    text(&["book", "merge", &at("both.ofb"), &book, &packed]);
    assert_eq!(digest(&at("both.ofb")), digest(&book));
    text(&["book", "prune", &book, "--loss", "0", "--total", "0"]);
    assert!(json(&["book", "stats", &book, "--json"])["positions"].as_u64() < Some(positions));
    text(&["book", "remove", &book, "f5"]);
    assert_eq!(
        code(&["book", "remove", &book, "f5"]),
        Some(1),
        "there is nothing left"
    );
    assert_eq!(code(&["book", "import", &at("nowhere.dat"), &book]), Some(2));
    assert_eq!(
        code(&["book", "expand", "--game", "gomoku", &book, "--positions", "9"]),
        Some(2)
    );
}

#[test]
fn games_are_counted() {
    let folder = folder("games");
    let (book, games) = (path(&folder, "my.ofb"), path(&folder, "games.txt"));
    // Turned back, c4c3 is f5f6, and d3c5 is f5d6.
    fs::write(&games, "f5d6c3d3c4\nc4c3\nf5f6e6f4\nd3c5f6f5\n").expect("written");
    new_book(&book);
    let counted = text(&[
        "book",
        "from-games",
        &book,
        &games,
        "--min-games",
        "2",
        "--evaluate",
    ]);
    assert!(counted.contains("4 games"), "{counted}");
    let shown = json(&["book", "show", "--book", &book, "--json"]);
    assert_eq!(shown["moves"][0]["games"], 4);
    let after = json(&["book", "show", "f5", "--book", &book, "--json"]);
    let games = |mv: &str| {
        let moves = after["moves"].as_array().expect("moves");
        moves.iter().find(|shown| shown["move"] == mv).expect("the move")["games"].clone()
    };
    assert_eq!(
        (games("d6"), games("f6"), games("f4")),
        (2.into(), 2.into(), 0.into())
    );
}

/// Lets a book grow while it is killed at `kills` random moments; returns its bytes.
fn killed(book: &str, kills: usize, longest: u64) -> Vec<u8> {
    let args = [
        "book",
        "expand",
        book,
        "--positions",
        "500",
        "--every",
        "7",
        "--until",
        "16",
        "--threads",
        "2",
        "--resume",
    ];
    let mut random = SplitMix64::new(kills as u64);
    for _ in 0..kills {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
        let child = command
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.expect("the program starts");
        sleep(Duration::from_millis(random.below(longest as usize) as u64));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        // Whenever it died, the book is whole.
        assert!(text(&["book", "check", book]).contains("all right"));
    }
    text(&args);
    fs::read(book).expect("a book")
}

fn kills_make_no_difference(name: &str, kills: usize) {
    let folder = folder(name);
    let (quiet, disturbed) = (path(&folder, "quiet.ofb"), path(&folder, "killed.ofb"));
    for book in [&quiet, &disturbed] {
        text(&["book", "new", book, "--depth", "4", "--hash", "1"]);
    }
    assert!(killed(&quiet, 0, 1) == killed(&disturbed, kills, 400));
    let left: Vec<_> = fs::read_dir(&folder).expect("a folder").collect();
    let logs = left
        .iter()
        .flatten()
        .filter(|file| file.path().extension().is_some_and(|end| end == "log"));
    assert_eq!(logs.count(), 0);
}

#[test]
fn kills_while_learning_make_no_difference() {
    kills_make_no_difference("kills", 3);
}

/// The whole proof: `cargo test -p outflank-cli --test book fifty -- --ignored`.
#[test]
#[ignore = "a minute of kills"]
fn fifty_kills_while_learning_make_no_difference() {
    kills_make_no_difference("fifty-kills", 50);
}
