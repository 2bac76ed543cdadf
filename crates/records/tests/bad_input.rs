//! Bad input: a clear message with its place, or a correct answer; never a crash, never a silent guess.

use outflank_othello::Discs;
use outflank_records::{MAX_RECORD_BYTES, PasteError, Problem, gomoku, obf, paste, paste_bytes, read_items};
use outflank_testkit::cpu_time;
use std::{
    io::{self, BufReader, Read},
    time::Duration,
};

#[track_caller]
fn bad(text: &str) -> String {
    match paste(text) {
        Err(PasteError::Bad(bad)) if bad.len() == 1 => bad[0].to_string(),
        other => panic!("{text:?}: {other:?}"),
    }
}

const START: &str = "---------------------------OX------XO---------------------------";

#[test]
fn wrong_square_counts() {
    for (text, n) in [
        (format!("{} X", &START[1..]), 63),
        (format!("{}X", &START[2..]), 63),
        (format!("{START}- X"), 65),
        (format!("{START}-- X"), 66),
        (format!("{START}XX"), 66),
        (format!("{START}X X"), 65),
        (format!("{START}-"), 65),
        (format!("{} ;", &START[1..]), 63),
        (format!("{} X; D3:+0;", &START[1..]), 63),
        ("X".repeat(30), 30),
    ] {
        let error = bad(&text);
        let expected = format!("a board has 64 squares, found {n}");
        assert!(error.ends_with(&expected), "{text}: {error}");
    }
    // Rows that stop too early or are of unequal length.
    assert!(bad("--------\n--------\n---OX---\n").ends_with("found 24"));
    assert!(
        bad("-------- -------- -------- ---OX--- ---XO--- -------- -------- ------- X")
            .contains("64 squares")
    );
    assert!(
        bad("[8 -------- -------- -------- ---OX--- ---XO--- -------- -------- *]").contains("64 squares")
    );
    assert!(bad("[8 -------- -------- -------- ---OX--- ---XO--- -------- --------").contains("64 squares"));
    assert!(bad("[10 ---------- *]").contains("side \"10\""));
}

#[test]
fn unknown_characters() {
    let text = format!("{} X", START.replacen('O', "Q", 1));
    assert_eq!(
        bad(&text),
        "line 1, column 28: d4: 'Q' is no square of a board: expected X, O or - (or another dialect's signs)"
    );
    assert!(bad(&format!("{} 0", START.replace('X', "0"))).contains("digits and letters are both used"));
    assert!(bad(&format!("[8 {START} Q]")).contains("side to move \"Q\": expected X or O"));
    assert!(bad(&format!("{START}\u{0} X")).contains("line 1"));
}

#[test]
fn wrong_scores() {
    for (fields, expected) in [
        ("D3:+0; D4:+2;", "d4: d4 is occupied"),
        ("A1:+0;", "a1: a1 flips nothing"),
        (
            "D3:+66;",
            "d3: score \"+66\": expected whole discs from -64 to +64",
        ),
        ("D3:+1.5;", "d3: score"),
        ("D3:;", "d3: score \"\""),
        ("D3:-127;", "d3: score \"-127\""),
        ("D3:+0; D3:+0;", "d3: scored twice"),
        ("+4; +4;", "scored twice"),
        ("PS:+0;", "a pass is not allowed while there is a legal move"),
        ("i9:+0;", "column i is off the board"),
        ("--:+3;", "a pass is not allowed"),
        ("+99;", "score \"+99\""),
    ] {
        let error = bad(&format!("% a suite\n\n{START} X; {fields}"));
        assert!(
            error.starts_with("line 3, column ") && error.contains(expected),
            "{fields}: {error}"
        );
    }
    let dummy = obf::parse(&format!("{START} X; D3:+0; --:-127;")).unwrap();
    assert_eq!((dummy.value.scores.len(), dummy.warnings.len()), (1, 0));
    let bare = obf::parse(&format!("{START} X; +4;")).unwrap();
    assert_eq!(bare.value.expected().map(Discs::get), Some(4));
    assert_eq!(
        obf::parse(&format!("{START} X; name; D3:-2;"))
            .unwrap()
            .warnings
            .len(),
        1
    );
}

#[test]
fn broken_records() {
    let head = "(;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";
    for (text, expected) in [
        (format!("{head}B[f5]"), "'(' is never closed"),
        (format!("{head}B[f5"), "'[' is never closed"),
        (
            format!("{head}B[f5]B[d6];)"),
            "ply 2, d6: a move of black, but white is to move",
        ),
        (format!("{head}B[f5]W[f5];)"), "ply 2, f5: f5 is occupied"),
        (format!("{head}B[];)"), "ply 1: \"\""),
        (format!("{head}B[F€5];)"), "ply 1: \"F€5\""),
        (
            format!("{head}B[f5]BO[8];)"),
            "expected one board, before the moves",
        ),
        ("(;GM[Go]B[dd];)".to_owned(), "a game of \"Go\", not Othello"),
        (
            "(;GM[Othello]BO[10 ---------- *];)".to_owned(),
            "board of side \"10\"",
        ),
        ("(;GM[Othello]BO[8 ---- *];)".to_owned(), "a board has 64 squares"),
        ("(;PB[x];)".to_owned(), "the tag GM[Othello] is missing"),
        ("(;GM[Othello]=;)".to_owned(), "expected a tag, found \"=;)\""),
        ("(;)".to_owned(), "is missing"),
        ("(;".to_owned(), "never closed"),
        ("{".to_owned(), "not JSON"),
        ("{}".to_owned(), "not a position or game"),
        (
            "[{\"position\":{\"moves\":3}}]".to_owned(),
            "the list of moves is missing",
        ),
        (
            "{\"requests\":[{\"x\":9,\"y\":2}]}".to_owned(),
            "ply 1: \"{\\\"x\\\":9,\\\"y\\\":2}\" is not a move",
        ),
        ("[Black \"x]".to_owned(), "expected a tag"),
        ("[Black \"x\"]\n\n1. f5 {oh".to_owned(), "'{' is never closed"),
        ("hello".to_owned(), "not a position or game in any known notation"),
        (
            "X to move".to_owned(),
            "not a position or game in any known notation",
        ),
        (
            "\u{0}\u{1}".to_owned(),
            "not a position or game in any known notation",
        ),
    ] {
        let error = bad(&text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn empty_input() {
    for text in ["", "\n\n", " \t ", "\u{feff}", "% nothing\n# at all\r\n"] {
        assert_eq!(paste(text), Err(PasteError::Empty), "{text:?}");
    }
}

#[test]
fn utf16_is_named() {
    for bytes in [b"\xFF\xFEf\x005\x00\n\x00".as_slice(), b"\xFE\xFF\x00f\x005"] {
        let error = paste_bytes(bytes).unwrap_err().to_string();
        assert_eq!(error, "line 1, column 1: the text is UTF-16: save it as UTF-8");
    }
}

#[test]
fn half_good_collections() {
    let text = format!(
        "f5d6\nnonsense\n{START} X\nf5f6a1\n\n(;GM[Othello]BO[8 {START} *]B[f5]\n(;GM[Othello]BO[8 {START} *]B[f5];)\n"
    );
    let pasted = paste(&text).unwrap();
    let good: Vec<usize> = pasted.items.iter().map(|item| item.line).collect();
    let bad: Vec<usize> = pasted.bad.iter().map(|bad| bad.line).collect();
    assert_eq!((good, bad), (vec![1, 3, 7], vec![2, 4, 6]));
    assert_eq!(
        pasted.bad[1].to_string(),
        "line 4, column 5: ply 3, a1: a1 flips nothing"
    );
    assert_eq!(pasted.bad[1].text, "f5f6a1");
}

#[test]
fn errors_in_records_of_several_lines_name_their_line() {
    let text = format!("% games\r\n(;GM[Othello]\r\nBO[8 {START} *]\r\nB[f5]\r\n  W[g8];)\r\n");
    assert_eq!(bad(&text), "line 5, column 5: ply 2, g8: g8 flips nothing");
    let text = "[Black \"x\"]\n[White \"y\"]\n\n1. f5 d6\n2. c3 h8\n";
    assert_eq!(bad(text), "line 5, column 7: ply 4, h8: h8 flips nothing");
    assert_eq!(
        bad("1. f5 d6\n2. c3 h8\n"),
        "line 2, column 7: ply 4, h8: h8 flips nothing"
    );
}

/// Endless bytes without a line break, to a limit.
struct Flood(usize);

impl Read for Flood {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = buffer.len().min(self.0);
        buffer[..n].fill(b'f');
        self.0 -= n;
        Ok(n)
    }
}

#[test]
fn floods_are_read_in_bounded_memory() {
    // A line of 64 MiB, then a good one.
    let input = Flood(1 << 26).chain("\nf5d6\n".as_bytes());
    let items: Vec<_> = read_items(BufReader::new(input)).collect();
    assert_eq!(items.len(), 2);
    let error = items[0].as_ref().unwrap_err();
    assert_eq!(error.error.problem, Problem::TooLong(MAX_RECORD_BYTES));
    assert_eq!(items[1].as_ref().unwrap().line, 2);
    // A record that never ends, over many lines.
    let line = format!("B[f5]{}\n", "C[x]".repeat(1000));
    let text = format!("(;GM[Othello]\n{}", line.repeat(1000));
    let items: Vec<_> = read_items(text.as_bytes()).collect();
    assert!(items.iter().all(Result::is_err));
    assert_eq!(
        items[0].as_ref().unwrap_err().error.problem,
        Problem::TooLong(MAX_RECORD_BYTES)
    );
}

#[test]
fn long_lines_take_linear_time() {
    // A finished game, then as much of one thing as a line may hold.
    let game = "f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6f7g3e1c5c6h4g4d2h6f8h5h7h3h2c1d1a4a6a5f1a7d7c7b6g1b3e8d8g2b7b8a8\
                c8g8g7h8a2a3h1a1b2c2b1";
    for unit in [
        "pa",
        "pass ",
        "--",
        "@@@@",
        "1 ",
        "1. ",
        "a1a1",
        "-",
        "(",
        "[",
        ".",
        "\u{3000}",
        "x",
        "; ",
        "% ",
        "f5\n",
        "f5,",
        "⚫",
        "⚫f5 ",
        "B: ",
        "'f5', ",
        "{x}",
        "{",
        "$1 ",
        "(f5)",
        "\"",
        "1)\n",
        "- - 3 4 - - - -\n",
    ] {
        let texts = |bytes: usize| {
            let flood = unit.repeat(bytes / unit.len());
            [
                format!("{game}{flood}"),
                format!("{game} {flood} f5"),
                format!("{START} X {flood}"),
                format!("{START} X; {flood}"),
                format!("(;GM[Othello]BO[8 {START} *]{flood}"),
                format!("(;GM[2]C[{flood}"),
                format!("[Black \"x\"]\n{flood}"),
                format!("move\n{flood}"),
                format!("[{flood}"),
                flood,
            ]
        };
        let time = |text: &str| {
            cpu_time(|| {
                drop(paste(text));
                drop(gomoku::read(text));
            })
        };
        for (short, long) in texts(25_000).iter().zip(&texts(200_000)) {
            // Eight times the text: linear work takes 8 times as long, quadratic work 64 times. Times too short to be
            // told from noise are none; a bad moment of the machine is forgiven, three are not.
            let is_linear = || {
                let long = time(long);
                long < Duration::from_millis(10) || long < 24 * time(short)
            };
            assert!(
                (0..3).any(|_| is_linear()),
                "more than linear time for {unit:?} repeated, after {:?}",
                long.get(..20)
            );
        }
    }
}

#[test]
fn a_failing_source_is_an_error() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let input = "f5d6\n".as_bytes().chain(Failing);
    let items: Vec<_> = read_items(BufReader::new(input)).collect();
    assert_eq!(items.len(), 2);
    let error = items[1].as_ref().unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 1: reading failed: the disk is gone"
    );
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    for open in ["(;", "(", "[", "{", "{\"a\":", "[[", "(;GM[2]"] {
        let text = open.repeat(100_000);
        drop(paste(&text));
        drop(paste(&format!("(;GM[2]{text}")));
        drop(paste(&format!("[Black \"x\"]\n{text}")));
    }
}

#[test]
fn random_bytes_never_panic() {
    let mut state = 1_u64;
    let alphabet: &[u8] = b"XO-.*[]()8;:+ %abcdefgh12345678pass\nGMBOothello{}\"'\\/@\r\xE9\xFF\xEF\xBC\x95";
    for length in 0..3000 {
        let bytes: Vec<u8> = (0..length % 200)
            .map(|_| {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                alphabet[(state >> 33) as usize % alphabet.len()]
            })
            .collect();
        drop(paste_bytes(&bytes));
    }
}
