//! `outflank play` line by line, through pipes: whole games, passes, undo, saving, loading, garbage, the end of input.

use assert_cmd::Command;
use outflank_testkit::empty_folder;
use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

/// White must pass after the 43rd move (report 1 of docs/play.md).
const WHITE_MUST_PASS: &str =
    "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3";

/// Stands for a blank inside an option, such as that of a folder's name.
const BLANK: &str = "␣";

/// Returns the words of these options.
fn words(options: &str) -> impl Iterator<Item = String> {
    options.split_whitespace().map(|word| word.replace(BLANK, " "))
}

/// Plays with these options and lines, and returns what was written.
#[track_caller]
fn play(options: &str, lines: &[&str]) -> String {
    let assert = Command::cargo_bin("outflank")
        .expect("the binary")
        .args(["play", "--hash", "1"])
        .args(words(options))
        .write_stdin(lines.join("\n") + "\n")
        .timeout(Duration::from_mins(1))
        .assert()
        .success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

/// A new folder for the files that a test writes.
fn scratch(test: &str) -> PathBuf {
    empty_folder(env!("CARGO_TARGET_TMPDIR"), &format!("play/{test}"))
}

#[track_caller]
fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn a_move_is_answered() {
    let text = play("--level 3", &["f5"]);
    contains(
        &text,
        &[
            "you are black (X), the engine white (O), level 3",
            "black to move, 4 legal moves",
            "white plays ",
            "depth 3",
            "black to move, ",
        ],
    );
    // The same at the same level, every time.
    assert_eq!(text, play("--level 3", &["f5"]));
    let white = play("--level 2 --color white", &[]);
    contains(&white, &["you are white (O)", "black plays ", "white to move, "]);
}

#[test]
fn a_whole_game_is_played_and_saved_in_every_notation() {
    // The engine makes the moves of both sides, one at a time, the second half by itself.
    let folder = scratch("whole");
    let path = |ending: &str| folder.join(format!("game.{ending}"));
    let endings = ["ggf", "sgf", "txt", "wtb", "obf"];
    let mut lines = vec!["go".to_owned(); 5];
    lines.push("color none".to_owned());
    for ending in endings {
        lines.push(format!("save {}", path(ending).display()));
    }
    lines.push("moves".to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let text = play("--level 2", &lines);
    contains(&text, &["game over: ", "saved to ", "opening: "]);
    let moves = text
        .lines()
        .find_map(|line| line.strip_prefix("moves: "))
        .expect("the moves");
    assert!(moves.len() >= 100, "a whole game: {moves}");
    assert_eq!(fs::read_to_string(path("txt")).expect("saved").trim(), moves);
    for ending in ["ggf", "sgf", "txt", "wtb"] {
        let load = format!("load {}", path(ending).display());
        let again = play("--color both", &[&load, "moves"]);
        contains(&again, &["loaded ", "game over: ", &format!("moves: {moves}")]);
    }
    let load = format!("load {}", path("obf").display());
    contains(&play("--color both", &[&load]), &["game over: "]);
    let ggf = fs::read_to_string(path("ggf")).expect("saved");
    contains(&ggf, &["PB[", "Outflank level 2", "RE["]);
}

#[test]
fn passes_are_shown_and_confirmed() {
    // A person's pass waits for a word, or an empty line.
    for pass in ["pass", ""] {
        let text = play(
            "--color both",
            &[&format!("load {WHITE_MUST_PASS}"), "a7", pass, "moves", "board"],
        );
        contains(
            &text,
            &[
                "white to move must pass",
                "white has no move: enter pass",
                "? white has no move and must pass",
                "black to move, 12 legal moves",
            ],
        );
    }
    // The engine's pass is announced, and the game goes on.
    let text = play(
        &format!("--color black --load {WHITE_MUST_PASS}"),
        &["undo", "redo"],
    );
    contains(
        &text,
        &[
            "white has no move and passes",
            "black to move, 12 legal moves",
            "moves taken back",
        ],
    );
    // The board, which a pass does not change, is drawn once for each position.
    for options in ["--color black", "--color both"] {
        let text = play(&format!("{options} --load {WHITE_MUST_PASS}"), &["pass"]);
        assert_eq!(
            text.matches("   a b c d e f g h\n 1").count(),
            1,
            "{options}: {text}"
        );
        contains(
            &text,
            &["white to move must pass", "black to move, 12 legal moves"],
        );
    }
    let text = play("--color both", &["pass"]);
    contains(&text, &["? black has a move and may not pass"]);
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let text = play(
        "--level 1",
        &["undo", "f5", "undo", "moves", "redo", "undo", "d3", "redo"],
    );
    contains(
        &text,
        &[
            "? there is nothing to take back",
            "2 moves taken back",
            "2 moves played again",
            "? there is nothing to play again",
        ],
    );
    assert!(text.lines().any(|line| line == "moves: "), "{text}");
}

#[test]
fn one_can_go_to_any_move() {
    let text = play(
        &format!("--load {WHITE_MUST_PASS} --color black"),
        &[
            "goto 10",
            "moves",
            "goto start",
            "goto 11",
            "moves",
            "goto end",
            "goto 99",
            "goto 1",
            "go",
            "moves",
        ],
    );
    contains(
        &text,
        &[
            "move 10 of 44",
            "moves: f5d6c3d3c4f4f6f3e3b4\n",
            "move 0 of 44",
            "move 11 of 44",
            "the engine waits: go lets it move here",
            "? there is no move 99: the game has 44",
            "white plays ",
        ],
    );
    assert_eq!(text, text.replace("thinking", ""), "nothing is searched unasked");
}

#[test]
fn full_width_letters_are_understood() {
    let text = play(
        "--color both",
        &["ｆ５", "Ｄ６", "ｇｏｔｏ １", "moves", "\u{feff}d6", "moves"],
    );
    contains(&text, &["moves: f5\n", "moves: f5d6\n"]);
}

#[test]
fn mistakes_are_marked_when_the_graph_is_asked_for() {
    let text = play(
        "--color both",
        &[&format!("load {WHITE_MUST_PASS}"), "graph", "moves"],
    );
    let marks: Vec<&str> = text
        .lines()
        .filter(|line| line.contains(" discs better"))
        .collect();
    assert!(!marks.is_empty() && marks.len().is_multiple_of(2), "{text}");
    let (graph, moves) = marks.split_at(marks.len() / 2);
    assert_eq!(graph, moves, "the graph and the moves have the same marks");
    assert!(
        marks
            .iter()
            .any(|line| line.starts_with("38. b6??: g2 is ") && line.ends_with(" discs better (estimate)")),
        "{marks:?}"
    );
    let drawn = text.lines().take_while(|line| !line.starts_with("black's value"));
    assert!(drawn.into_iter().any(|line| line.contains('?')), "{text}");
}

#[test]
fn a_game_is_saved_by_itself_where_that_was_asked_for() {
    let path = scratch("kept").join("game.sgf");
    let name = path.display().to_string().replace(' ', BLANK);
    let text = play(&format!("--color both --save {name}"), &["f5", "d6"]);
    contains(&text, &["saved to "]);
    contains(&fs::read_to_string(&path).expect("saved"), &["B[f5]", "W[d6]"]);
    // It goes on, and a new game does not take its place.
    let text = play(
        &format!("--color both --load {name} --save {name}"),
        &["c3", "new", "d3", "quit"],
    );
    contains(&text, &["a new game; the game before it: saved to "]);
    contains(&fs::read_to_string(&path).expect("saved"), &["B[c3]"]);
    for (options, complaint) in [
        (format!("--save {name}"), "exists; name another file"),
        ("--save game.doc".to_owned(), "the name must end in"),
    ] {
        let assert = Command::cargo_bin("outflank")
            .expect("the binary")
            .args(["play", "--plain"])
            .args(words(&options))
            .assert()
            .code(2);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(complaint), "{error}");
    }
}

#[test]
fn hints_say_what_values_are_worth() {
    let text = play("--color both", &["hint", "hint 1", "hint all"]);
    let hints: Vec<&str> = text.lines().filter(|line| line.starts_with("hint ")).collect();
    assert_eq!(hints.len(), 3 + 1 + 4, "{text}");
    assert!(
        hints.iter().all(|line| line.contains("depth 10 73%")),
        "{hints:?}"
    );
    // FFO 1 solves exactly: g8 is worth +18. Twice the same, also after undo.
    let ffo = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let text = play(
        "--color both",
        &[&format!("load {ffo}"), "hint", "h8", "undo", "hint"],
    );
    let hints: Vec<&str> = text.lines().filter(|line| line.starts_with("hint ")).collect();
    assert!(
        hints[0].starts_with("hint +18  exact") && hints[0].contains("g8"),
        "{hints:?}"
    );
    assert_eq!(hints[..3], hints[3..], "exact values do not change");
}

#[test]
fn the_opening_and_the_graph_are_shown() {
    let text = play("--color both", &["load f5d6c3d3c4", "graph"]);
    contains(&text, &["opening: Tiger (虎定石)", "black's value now: ", "•"]);
    // Mirrored, and in another order.
    contains(
        &play("--color both", &["load c4 e3 f6 e6 f5"]),
        &["opening: Tiger"],
    );
}

#[test]
fn garbage_is_told_apart_from_moves() {
    let text = play(
        "--level 1",
        &[
            "a1",
            "z9",
            "f5d6c3",
            "level 99",
            "level",
            "time x",
            "color green",
            "hint x",
            "load",
            "load /none.ggf",
            "load f5f5",
            "save",
            "save /nowhere/x.ggf",
            "save x.doc",
            "é\u{7f}\u{1}",
            "# a comment",
            "help",
            "board",
        ],
    );
    contains(
        &text,
        &[
            "? a1 flips nothing",
            "? \"z9\" is neither a square nor a command; help lists them",
            "? \"99\" is no level: 1 (weakest) to 60",
            "? level needs a number from 1 to 60",
            "? color takes black, white, both or none, not \"green\"",
            "? /none.ggf: no such file",
            "? save needs the name of a file",
            "x.doc: the name must end in .ggf",
            "hint [N|all]",
        ],
    );
    assert!(!text.contains("panic"), "{text}");
    assert!(
        text.lines().filter(|line| line.starts_with("? ")).count() >= 13,
        "{text}"
    );
    assert_eq!(
        text.matches("black to move, 4 legal moves").count(),
        2,
        "nothing has happened: {text}"
    );
}

#[test]
fn files_are_not_overwritten_unasked() {
    let path = scratch("precious").join("game.ggf");
    fs::write(&path, "precious").expect("written");
    let save = format!("save {}", path.display());
    let text = play("--color both", &["f5", &save]);
    contains(&text, &["exists; save! overwrites it"]);
    assert_eq!(fs::read_to_string(&path).expect("there"), "precious");
    let forced = format!("save! {}", path.display());
    let text = play("--color both", &["f5", &forced, "d6", &save]);
    assert_eq!(
        text.matches("saved to ").count(),
        2,
        "one's own file may be saved again: {text}"
    );
    contains(&fs::read_to_string(&path).expect("there"), &["B[f5", "W[d6"]);
}

#[test]
fn clocks_are_shown_and_run_out() {
    let text = play("--clock 65+1 --level 1", &["f5"]);
    contains(&text, &["time left: black 1:0", "white 1:0"]);
    // 0.3 seconds for everything: the engine against itself, with a thousand nodes each move, keeps to it or loses.
    let text = play("--clock 0.3 --level 60 --color none", &[]);
    assert!(
        text.contains("game over") || text.contains("has run out of time"),
        "{text}"
    );
}

#[test]
fn the_end_of_input_ends_the_game_soon() {
    let start = Instant::now();
    let text = play("--level 60", &["f5"]);
    contains(&text, &["white plays "]);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    contains(&play("", &["quit", "f5"]), &["black to move"]);
    assert!(!play("", &["quit", "f5"]).contains("white plays"));
    assert!(play("", &[]).contains("black to move"));
    // The engine against itself needs nobody.
    contains(&play("--color none --level 1", &[]), &["game over: "]);
}

#[test]
fn options_are_checked() {
    for (options, complaint) in [
        ("--level 0", "1 (weakest) to 60 (strongest), or human-1"),
        ("--color green", "invalid value"),
        ("--time 0", "more than 0"),
        ("--load /nothing/here.ggf", "no such file"),
        ("--load f5f5", "f5"),
        ("--hash 1000000", "MB are free; ask for less"),
    ] {
        let assert = Command::cargo_bin("outflank")
            .expect("the binary")
            .arg("play")
            .args(words(options))
            .assert()
            .code(2);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(complaint), "{options}: {error}");
    }
}
