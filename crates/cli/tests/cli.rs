//! The binary as its users meet it: output, exit codes, and what it says about bad input.

use outflank_testkit::{empty_folder, repository};
use std::{fs, path::PathBuf, process::Command};

fn outflank(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
    command.args(args).env_remove("NO_COLOR");
    command
}

/// Runs the command and returns its exit code, standard output and standard error.
#[track_caller]
fn run(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let ran = outflank_testkit::run(&mut outflank(args), input);
    (ran.code, ran.out, ran.err)
}

fn data(name: &str) -> String {
    repository("data").join(name).display().to_string()
}

/// A folder of this test whose name has a space and an accent.
fn folder(test: &str) -> PathBuf {
    empty_folder(env!("CARGO_TARGET_TMPDIR"), &format!("é {test}"))
}

#[test]
fn perft_prints_the_known_counts() {
    let (code, out, _) = run(&["perft", "8", "--json"], b"");
    let leaves: Vec<u64> = out
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON")["leaves"]
                .as_u64()
                .expect("a number")
        })
        .collect();
    assert_eq!(
        (code, leaves),
        (0, vec![4, 12, 56, 244, 1396, 8200, 55092, 390216])
    );
    for method in ["plain", "portable", "naive"] {
        let (code, out, _) = run(&["perft", "5", "--method", method], b"");
        assert_eq!(code, 0);
        assert!(out.contains("perft( 5) =                    1 396"), "{out}");
    }
    let (_, out, _) = run(&["perft", "7", "--threads", "2", "--hash", "1", "--json"], b"");
    assert!(out.contains(r#""depth":7,"leaves":55092"#), "{out}");
    let (_, out, _) = run(&["perft", "6", "--unique", "--json"], b"");
    assert!(out.contains(r#"{"depth":6,"unique":1773}"#), "{out}");
}

#[test]
fn the_first_ffo_file_is_solved_and_a_doctored_one_is_caught() {
    let (code, out, err) = run(&["solve", &data("fforum-1-19.obf"), "--json"], b"");
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        out.lines().filter(|line| line.contains(r#""ok":true"#)).count(),
        19
    );
    let summary: serde_json::Value =
        serde_json::from_str(out.lines().last().expect("a summary")).expect("JSON");
    assert_eq!(summary["summary"]["wrong"], 0);

    let original = fs::read_to_string(data("fforum-1-19.obf")).expect("the file is there");
    let doctored = original.replacen("+18", "+20", 1);
    assert_ne!(doctored, original);
    let path = folder("doctored").join("à b.obf");
    fs::write(&path, doctored).expect("writable");
    let (code, out, _) = run(&["solve", &path.display().to_string()], b"");
    assert_eq!(code, 1);
    let wrong: Vec<_> = out.lines().filter(|line| line.contains("WRONG")).collect();
    assert_eq!(wrong.len(), 1);
    assert!(
        wrong[0].contains("line 1 ") && wrong[0].contains("the file says +20"),
        "{}",
        wrong[0]
    );
}

#[test]
fn strange_positions_get_right_answers() {
    let row = |cells: &str| cells.repeat(64 / cells.len());
    let only = |cells: &str| format!("{cells}{}", "-".repeat(64 - cells.len()));
    let ring = {
        let mut cells = vec!['-'; 64];
        for (at, text) in [(26, "OOO"), (34, "OXO"), (42, "OOO")] {
            for (i, cell) in text.chars().enumerate() {
                cells[at + i] = cell;
            }
        }
        cells.into_iter().collect::<String>()
    };
    let cases = [
        // Empty board, one disc, full boards, 63 discs: all over, the empties go to the winner.
        (row("-"), 'X', true, Some(0), 0),
        (only("X"), 'X', true, Some(64), 0),
        (only("X"), 'O', true, Some(64), 0),
        (row("X"), 'X', true, Some(64), 0),
        (row("XO"), 'X', true, Some(0), 0),
        (format!("{}-", "X".repeat(63)), 'O', true, Some(64), 0),
        // Mirrored and parallel starts.
        (
            format!("{}XO------OX{}", "-".repeat(27), "-".repeat(27)),
            'X',
            false,
            None,
            4,
        ),
        (
            format!("{}XX------OO{}", "-".repeat(27), "-".repeat(27)),
            'X',
            false,
            None,
            4,
        ),
        // Surrounded: X has eight moves, O must pass.
        (ring.clone(), 'X', false, None, 8),
        (ring, 'O', false, None, 1),
    ];
    for (board, side, over, result, legal) in cases {
        let (code, out, err) = run(&["show", &format!("{board} {side}"), "--json"], b"");
        assert_eq!(code, 0, "{board} {side}: {err}");
        let shown: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(shown["over"], over, "{board} {side}");
        assert_eq!(
            shown.get("result").and_then(serde_json::Value::as_i64),
            result,
            "{board} {side}"
        );
        assert_eq!(
            shown["legal"].as_array().expect("a list").len(),
            legal,
            "{board} {side}"
        );
    }
}

#[test]
fn exact_values_of_known_bug_reports() {
    // Reports 17 and 19 of docs/play.md, and 1 where white has to pass and loses by 60.
    let cases = [
        (
            "--OX-OO---OOOO-X-OOOO-OX-OOOOOXXXOOXXOXX-OOOOOOXXOXX-O-XO--XXXXX X",
            "g7",
            32,
        ),
        (
            "c4c3d3e3d2b4b3c5f3c2a5d1f4e2f1e1f5g1f6g4b6e6g6g3c6g5h5d6f7e7d8e8f8h7h6h4f2a6d7b5a4a3b1g2b2a1c1a2h1g7a7a8h8",
            "b7",
            0,
        ),
        (
            "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3",
            "pass",
            -60,
        ),
    ];
    for (input, best, value) in cases {
        let (code, out, err) = run(&["solve", input, "--json"], b"");
        assert_eq!(code, 0, "{err}");
        let solved: serde_json::Value =
            serde_json::from_str(out.lines().next().expect("a line")).expect("JSON");
        assert_eq!(solved["value"], value, "{input}");
        assert_eq!(solved["best"][0], best, "{input}");
        assert_eq!(solved["kind"], "exact");
    }
    // Test 17 again: the value of each move.
    let (_, out, _) = run(&["solve", cases[0].0, "--all-moves", "--json"], b"");
    let solved: serde_json::Value = serde_json::from_str(out.lines().next().expect("a line")).expect("JSON");
    assert_eq!(
        (&solved["values"]["g7"], &solved["values"]["b2"]),
        (&32.into(), &28.into())
    );
    assert_eq!(solved["values"]["e7"], 22);
}

#[test]
fn bad_input_is_named_and_exits_with_2() {
    let board = |cells: usize| format!("{} X", "-".repeat(cells));
    let cases: [(&[&str], &[u8], &str); 12] = [
        (&["show", "i9"], b"", "i9"),
        (&["show", &board(63)], b"", "63"),
        (&["show", &board(66)], b"", "66"),
        (&["show", "f5f4g7"], b"", "g7"),
        (&["show", "-"], b"", "there is no position or game"),
        (&["show", "-"], b"\xff\xfe\x00garbage", ""),
        (&["show", "missing.obf"], b"", "missing.obf: no such file"),
        (&["solve", "."], b"", "is a directory"),
        (
            &["show", "f5d6", "--ply", "3"],
            b"",
            "--ply 3 is beyond the last move (2)",
        ),
        (&["convert", "--to", "wthor", "f5d6"], b"", "--out"),
        (&["convert", "--to", "transcript", &board(64)], b"", "--to board"),
        (&["perft", "61"], b"", "61"),
    ];
    for (args, input, message) in cases {
        let (code, out, err) = run(args, input);
        assert_eq!(code, 2, "{args:?}: {out}{err}");
        assert!(err.contains(message), "{args:?}: {err}");
        assert!(!err.contains("panicked"), "{args:?}: {err}");
    }
}

/// Standard error may be a terminal that is gone, or a full disk: the exit code is the same.
#[cfg(target_os = "linux")]
#[test]
fn complaints_that_nobody_reads_are_no_fault() {
    for args in [
        &["show", "no position"][..],
        &["analyze", "f5d6c3d1"],
        &["match", "random", "nobody"],
    ] {
        let full = fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("Linux has it");
        let status = outflank(args).stderr(full).status();
        assert_eq!(status.expect("it starts").code(), Some(2), "{args:?}");
    }
}

#[test]
fn good_items_are_used_and_bad_ones_listed() {
    let (code, out, err) = run(
        &["show", "-", "--json"],
        b"\xef\xbb\xbff5d6c3\r\nf5f4g7\r\nF5 D6\r\n",
    );
    assert_eq!(code, 2);
    assert_eq!(out.lines().count(), 2, "{out}");
    assert!(err.contains("standard input: line 2"), "{err}");
}

#[test]
fn conversions_round_trip() {
    let folder = folder("convert");
    let path = |name: &str| folder.join(name).display().to_string();
    let game = "f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6f7g3e1c5c6h4g4d2h6f8h5h7h3h2c1d1a4a6a5f1a7d7c7b6g1b3e8d8g2b7b8a8c8g8g7h8a2a3h1a1b2c2b1";
    for (to, name) in [
        ("ggf", "a.ggf"),
        ("sgf", "a.sgf"),
        ("wthor", "a.wtb"),
        ("transcript-pa", "a.txt"),
    ] {
        let (code, _, err) = run(&["convert", "--to", to, game, "--out", &path(name)], b"");
        assert_eq!(code, 0, "{to}: {err}");
        let (code, out, err) = run(&["convert", "--to", "transcript", &path(name)], b"");
        assert_eq!((code, out.trim()), (0, game), "{to}: {err}");
        let (code, out, err) = run(&["convert", "--check", &path(name)], b"");
        assert_eq!(code, 0, "{to}: {err}");
        assert!(
            out.contains("1 games, 0 positions, 60 moves, 4 passes, 0 incomplete games"),
            "{to}: {out}"
        );
    }
    fs::write(
        path("cut.wtb"),
        &fs::read(path("a.wtb")).expect("written above")[..50],
    )
    .expect("writable");
    let (code, _, err) = run(&["convert", "--check", &path("cut.wtb")], b"");
    assert_eq!(code, 2);
    assert!(err.contains("cut.wtb"), "{err}");
}

#[test]
fn every_command_has_help_with_examples() {
    for command in ["show", "solve", "convert", "perft", "bench", "report"] {
        let (code, out, _) = run(&[command, "--help"], b"");
        assert_eq!(code, 0);
        assert!(out.contains("Example"), "{command}: {out}");
    }
    let (code, out, _) = run(&["completions", "bash"], b"");
    assert!(code == 0 && out.contains("_outflank"));
}

#[test]
fn pictures_are_drawn_with_what_was_asked_for() {
    let folder = folder("pictures");
    let path = |name: &str| folder.join(name).display().to_string();
    let (code, out, err) = run(
        &[
            "show",
            "f5d6c3",
            "--svg",
            &path("a.svg"),
            "--png",
            &path("a.png"),
            "--width",
            "100",
            "--numbers",
            "--values",
            "3",
            "--mark",
            "a1=circle",
            "--arrow",
            "a1-c3",
            "--caption",
            "Who moves?",
        ],
        b"",
    );
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("f5d6c3"), "the text is there, too: {out}");
    let svg = fs::read_to_string(folder.join("a.svg")).expect("a picture");
    assert!(svg.contains(">Who moves?</text>") && svg.contains(">3</text>"));
    // What the page draws: the same call, with the values that `analyze` prints.
    let (_, out, _) = run(
        &["analyze", "f5d6c3", "--level", "3", "--top", "all", "--json"],
        b"",
    );
    let analysis: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let lines = analysis["lines"].as_array().expect("lines");
    assert_eq!(svg.matches("%</text>").count(), lines.len());
    let png = fs::read(folder.join("a.png")).expect("a picture");
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(png[16..20], 100_u32.to_be_bytes());
    // Standard output has the picture alone.
    let (code, out, _) = run(&["show", "f5", "--svg", "-"], b"");
    assert!(
        code == 0 && out.starts_with("<svg ") && out.ends_with("</svg>\n"),
        "{out}"
    );
    for (arguments, reason) in [
        (&["show", "f5", "--numbers"][..], "--svg FILE"),
        (
            &["show", "f5", "--svg", "-", "--mark", "z9=A"],
            "\"z9\" is not on the board",
        ),
        (&["show", "f5", "--svg", "-", "--arrow", "a1"], "d3-c5"),
        (&["show", "f5", "--png", "-", "--width", "5"], "--width"),
    ] {
        let (code, out, err) = run(arguments, b"");
        assert!(
            code == 2 && out.is_empty() && err.contains(reason),
            "{arguments:?}: {err}"
        );
    }
}

/// A release holds builds for several levels of processors: the program that is started goes on as the best of them.
#[cfg(unix)]
#[test]
fn the_best_build_of_a_release_runs() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder("builds");
    let (program, build) = (
        folder.join("bin/outflank"),
        folder.join("libexec/outflank/x86-64-v3/outflank"),
    );
    for path in [&program, &build] {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    }
    fs::hard_link(env!("CARGO_BIN_EXE_outflank"), &program).expect("another name for the program");
    fs::write(&build, "#!/bin/sh\necho \"the other build: $*\"\nexit 7\n").expect("a script");
    fs::set_permissions(&build, fs::Permissions::from_mode(0o755)).expect("a script");
    let run = |level: &str| {
        let mut command = Command::new(&program);
        command.args(["--version"]).env("OUTFLANK_LEVEL", level);
        let ran = outflank_testkit::run(&mut command, b"");
        (ran.code, ran.out)
    };
    if cfg!(target_arch = "x86_64") {
        assert_eq!(run("x86-64-v3"), (7, "the other build: --version\n".to_owned()));
    }
    for itself in ["x86-64-v2", "x86-64-v4", ""] {
        let (code, out) = run(itself);
        assert_eq!(code, 0, "{out}");
        assert!(
            out.starts_with("outflank ") && out.contains("\nbuilt for "),
            "{out}"
        );
    }
}
