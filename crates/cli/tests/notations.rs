//! Inputs that players and other programs have, as they come in: what is read, what is refused and how it is said.

use assert_cmd::Command;
use std::{fs, path::PathBuf};

/// Runs the command and returns its exit code, standard output and standard error.
#[track_caller]
fn run(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let output = Command::cargo_bin("outflank")
        .expect("the binary is built with its tests")
        .args(args)
        .env_remove("NO_COLOR")
        .write_stdin(input)
        .output()
        .expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    let code = output.status.code().expect("no signal ends the binary");
    (code, text(output.stdout), text(output.stderr))
}

/// Runs the command, which must succeed, and returns its standard output.
#[track_caller]
fn good(args: &[&str], input: &[u8]) -> String {
    let (code, out, err) = run(args, input);
    assert_eq!(code, 0, "{args:?}: {err}");
    out
}

/// Runs the command, which must refuse its input, and returns its standard error.
#[track_caller]
fn refused(args: &[&str], input: &[u8]) -> String {
    let (code, _, err) = run(args, input);
    assert_eq!(code, 2, "{args:?}: {err}");
    err
}

/// A path of this test in a folder that can be written.
fn path(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("notations");
    fs::create_dir_all(&folder).expect("the target folder is writable");
    folder.join(name).display().to_string()
}

#[track_caller]
fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

const GOMOKU: [&str; 5] = ["show", "--game", "gomoku", "--json", "-"];

#[test]
fn gomoku_files_are_read_as_they_are() {
    let mark = "\u{feff}";
    for (text, history) in [
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,3\n-1\n".to_owned(), "h8i9"),
        (
            format!("{mark}Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n-1\r\n"),
            "h8",
        ),
        (format!("{mark}h8 i9\n"), "h8i9"),
        (format!("{mark}(;GM[4]SZ[15];B[hh])"), "h8"),
        ("1. h8 2. i9".to_owned(), "h8i9"),
        ("ｈ８　ｉ９".to_owned(), "h8i9"),
        ("7 7 8 8".to_owned(), "h8i9"),
    ] {
        let shown = json(&good(&GOMOKU, text.as_bytes()));
        assert_eq!(shown["history"], history, "{text}");
    }
    let setup = good(&GOMOKU, b"(;GM[4]SZ[15]AB[hh][ii][jj]AW[aa][bb])");
    assert_eq!(json(&setup)["side"], "O");
    // What is printed is read again, stones that were set up too, and under the same rule.
    let again = good(&GOMOKU, setup.as_bytes());
    assert_eq!(json(&again), json(&setup));
    let renju = good(
        &["show", "--game", "gomoku", "--json", "--rule", "renju", "h8i9"],
        b"",
    );
    assert_eq!(json(&good(&GOMOKU, renju.as_bytes()))["rule"], "renju");
    for (text, expected) in [
        (
            "(;GM[2]SZ[8];B[f5];W[d6])",
            "a game of Othello (GM[2]), not Gomoku",
        ),
        (
            "(;GM[4]SZ[15];B[hh];B[ii])",
            "move 2: a stone of black, but white is to move",
        ),
        (
            "a1a2b1b2c1c2d1d2e1f1",
            "the game is over (black has five in a row)",
        ),
        (
            "Piskvorky 15x20, 0:0, 0\n8,8,0\n",
            "15×20 points is not supported",
        ),
    ] {
        let error = refused(&GOMOKU, text.as_bytes());
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn lines_typed_in_a_game_of_gomoku_may_have_a_mark_and_wide_letters() {
    let args = ["play", "--game", "gomoku", "--color", "both"];
    let out = good(&args, "\u{feff}h8\nｉ９\nmoves\np16\nquit\n".as_bytes());
    assert!(out.contains("\nmoves: h8 i9\n"), "{out}");
    assert!(
        out.contains("\"p16\" is not a point: write a column letter a-o and a row 1-15"),
        "{out}"
    );
}

const HEAD: &str =
    "(;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";
/// Ends 13–51.
const FULL: &str = "f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6f7g3e1c5c6h4g4d2h6f8h5h7h3h2c1d1a4a6a5f1a7d7c7b6g1b3e8d8g2b7\
                    b8a8c8g8g7h8a2a3h1a1b2c2b1";

#[test]
fn results_stay_what_they_are() {
    let wtb = path("resigned.wtb");
    let resigned = format!("{HEAD}RE[-64.00:l]B[f5]W[d6]B[c3];)\n");
    good(
        &["convert", "--to", "wthor", "-", "--out", &wtb],
        resigned.as_bytes(),
    );
    let bytes = fs::read(&wtb).expect("written");
    assert_eq!(
        (bytes[14], bytes[22]),
        (1, 0),
        "nothing was solved, and black lost everything"
    );
    // By any name, and from standard input.
    for (args, input) in [
        (vec!["convert", "--to", "ggf", wtb.as_str()], Vec::new()),
        (vec!["convert", "--to", "ggf", "-"], bytes),
    ] {
        assert!(good(&args, &input).contains("RE[-64]"), "{args:?}");
    }
    let other_name = path("resigned.dat");
    fs::copy(&wtb, &other_name).expect("copied");
    let counted = json(&good(&["convert", "--check", "--json", &other_name], b""));
    assert_eq!(
        (&counted["games"], &counted["incomplete"]),
        (&1.into(), &1.into())
    );
    // A wrong result is counted wherever it stands; raw counts are said.
    for (text, code, wrong) in [
        (format!("[Result \"36-28\"]\n\n{FULL} 36-28\n"), 1, 1),
        (format!("[Result \"13-51\"]\n\n{FULL} 13-51\n"), 0, 0),
        (format!("{FULL} 14-50\n"), 1, 1),
        (
            "(;GM[2]SZ[8]RE[B+13];B[e6];W[f4];B[e3];W[f6];B[g5];W[d6];B[e7];W[f5];B[c5])".to_owned(),
            0,
            0,
        ),
    ] {
        let (found, out, err) = run(&["convert", "--check", "--json", "-"], text.as_bytes());
        assert_eq!(found, code, "{text}: {err}");
        assert_eq!(json(&out)["wrong_scores"], wrong, "{text}");
        assert_eq!(
            err.contains("counts without the empty squares"),
            text.contains("RE["),
            "{err}"
        );
    }
    let ggf = good(
        &["convert", "--to", "ggf", "-"],
        format!("[Site \"?\"]\n[Black \"x\"]\n[Result \"13-51\"]\n\n{FULL}\n").as_bytes(),
    );
    assert!(ggf.contains("PB[x]RE[-38]") && !ggf.contains("PC["), "{ggf}");
    for ty in ["8a", "8k"] {
        let error = refused(&["show", "-"], format!("{HEAD}TY[{ty}]B[f5];)").as_bytes());
        assert!(error.contains(&format!("(TY[{ty}]) is not supported")), "{error}");
    }
}

#[test]
fn a_theoretical_score_is_solved_where_that_is_asked_for() {
    let wtb = path("solved.wtb");
    good(
        &["convert", "--to", "wthor", "--solve", "8", FULL, "--out", &wtb],
        b"",
    );
    let bytes = fs::read(&wtb).expect("written");
    // The same from the solver: the position with eight squares left.
    let position = (52..=56)
        .map(|ply| json(&good(&["show", "--json", "--ply", &ply.to_string(), FULL], b"")))
        .find(|shown| shown["empties"] == 8)
        .expect("a position with eight squares left");
    let text = format!(
        "{} {}",
        position["board"].as_str().unwrap(),
        position["side"].as_str().unwrap()
    );
    let solved = good(&["solve", "--json", &text], b"");
    let value = json(solved.lines().next().expect("an answer"))["value"]
        .as_i64()
        .expect("discs");
    let black = if position["side"] == "X" { value } else { -value };
    assert_eq!((bytes[14], i64::from(bytes[23])), (8, 32 + black / 2));
    assert_eq!(bytes[22], 13, "what was played");
    let (code, _, err) = run(&["convert", "--to", "ggf", "--solve", "8", FULL], b"");
    assert!(code == 2 && err.contains("--to wthor"), "{err}");
}

#[test]
fn transcripts_are_read_as_they_are_pasted_and_written_so_that_they_can_be_read() {
    let transcript = ["convert", "--to", "transcript", "-"];
    for text in [
        "f5\nd6\nc3\n",
        "1) f5 d6\n2) c3\n",
        "⚫f5 ⚪d6 ⚫c3",
        "B: f5 W: d6 B: c3",
        "\"f5\",\"d6\",\"c3\"",
        "game,moves\n1,f5d6c3\n",
        "1. f5 $1 d6 {good} 2. c3 ; d3",
        "[FEN \"8/8/8/3wb3/3bw3/8/8/8 b\"]\n\n1. f5 d6 2. c3",
    ] {
        assert_eq!(good(&transcript, text.as_bytes()), "f5d6c3\n", "{text:?}");
    }
    let other = "---------------------------XO------OX--------------------------- X e3f3\n";
    assert_eq!(good(&transcript, other.as_bytes()), other);
    let hint = refused(&["show", "e3f3"], b"");
    assert!(hint.contains("the colors of the start are exchanged"), "{hint}");
    for (bytes, expected) in [
        (
            b"\x1F\x8B\x08\x00".as_slice(),
            "the file is compressed (gzip): unpack it first",
        ),
        (b"f\x005\x00d\x006\x00", "the text is UTF-16: save it as UTF-8"),
    ] {
        let error = refused(&["show", "-"], bytes);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn our_own_output_is_read() {
    for args in [
        vec!["show", "--json", "f5d6c3"],
        vec!["show", "f5d6c3"],
        vec!["review", "--level", "1", "--json", "f5d6c3"],
    ] {
        let out = good(&args, b"");
        let again = good(&["convert", "--to", "transcript", "-"], out.as_bytes());
        assert_eq!(again, "f5d6c3\n", "{args:?}");
    }
    let other = "---------------------------XO------OX--------------------------- X e3f3";
    for args in [
        vec!["show", "--json", other],
        vec!["review", "--level", "1", "--json", other],
    ] {
        let out = good(&args, b"");
        let again = good(&["convert", "--to", "transcript", "-"], out.as_bytes());
        assert_eq!(again.trim(), other, "{args:?}");
    }
    let analyzed = good(&["analyze", "--depth", "1", "--json", "f5d6c3"], b"");
    let board = good(&["convert", "--to", "board", "-"], analyzed.as_bytes());
    assert_eq!(
        board,
        "------------------X--------XX------OXX-----O-------------------- O\n"
    );
    let games = path("match");
    for ending in ["log", "jsonl", "ggf"] {
        // What an earlier run of this test has left.
        drop(fs::remove_file(format!("{games}.{ending}")));
    }
    good(
        &["match", "level 1", "level 1", "--games", "2", "--out", &games],
        b"",
    );
    let from_json = good(&["convert", "--to", "transcript", &format!("{games}.jsonl")], b"");
    let from_ggf = good(&["convert", "--to", "transcript", &format!("{games}.ggf")], b"");
    assert_eq!(from_json, from_ggf);
    assert_eq!(from_json.lines().count(), 2);
}

#[test]
fn a_wrong_move_does_not_spoil_the_review_of_what_stands_before_it() {
    for (text, n_moves, place) in [
        ("f5d6c3d3c4f4f6f3e3b4c5c6e6e2a8", 14, "ply 15, a8"),
        ("[Black \"x\"]\n\n1. f5 d6 2. c3 a1 3. c4", 3, "ply 4, a1"),
        ("(;GM[2]SZ[8];B[f5];W[d6];B[d3])", 2, "ply 3, d3"),
    ] {
        let (code, out, err) = run(&["review", "--level", "1", "--json", "-"], text.as_bytes());
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(place), "{err}");
        assert_eq!(out.lines().count(), n_moves + 1, "{text}");
        let summary = json(out.lines().last().expect("a summary"));
        let stopped = summary["summary"]["stopped"].as_str().expect("a reason");
        assert!(stopped.contains(place), "{stopped}");
    }
    let (_, out, _) = run(&["review", "--level", "1", "f5d6c3a1"], b"");
    assert!(
        out.contains("Reviewed up to move 3; what follows is no legal move: "),
        "{out}"
    );
    // Where not even one move is legal there is nothing to review.
    let (code, out, _) = run(&["review", "--level", "1", "a1"], b"");
    assert_eq!((code, out.as_str()), (2, ""));
}
