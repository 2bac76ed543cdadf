//! Every notation of Gomoku, good and bad, and what was found in real files.

use super::{Problem, Record, Warning, psq, read, read_bytes, sgf};
use outflank_gomoku::{Color, Point, Rule};

fn points(text: &str) -> Vec<Point> {
    text.split_whitespace()
        .map(|word| word.parse().expect("a point"))
        .collect()
}

#[track_caller]
fn good(text: &str) -> Record {
    match read(text) {
        Ok(parsed) => parsed.value,
        Err(error) => panic!("{text:?}: {error}"),
    }
}

#[track_caller]
fn bad(text: &str) -> String {
    let error = match read(text) {
        Err(error) => error,
        Ok(parsed) => match parsed.value.board(Rule::Freestyle, 15) {
            Err(error) => error,
            Ok(board) => panic!("{text:?} is\n{board}"),
        },
    };
    error.to_string()
}

#[test]
fn every_notation_gives_the_same_game() {
    let plain = points("h8 i9 j10 a1 o15");
    for text in [
        "h8i9j10a1o15",
        "H8,I9,J10,A1,O15",
        " h8 i9 j10 a1 o15\n",
        "7,7 8,8 9,9 0,0 14,14",
        "h8-i9-j10-a1-o15",
        // What people paste.
        "1. h8 2. i9 3. j10 4. a1 5. o15",
        "1. h8 i9 2. j10 a1 3. o15",
        "1.h8 2.i9\n3.j10 4.a1\n5.o15",
        "1) h8 2) i9 3) j10 4) a1 5) o15",
        "1 h8 2 i9 3 j10 4 a1 5 o15",
        "ｈ８　ｉ９　ｊ１０　ａ１　ｏ１５",
        "Ｈ８ｉ９Ｊ１０ａ１ｏ１５",
        "７，７　８，８　９，９　０，０　１４，１４",
        "7 7 8 8 9 9 0 0 14 14",
        "7 7\n8 8\n9 9\n0 0\n14 14\n",
        "(7, 7), (8, 8), (9, 9), (0, 0), (14, 14)",
        "[[7,7],[8,8],[9,9],[0,0],[14,14]]",
        "⚫h8 ⚪i9 ⚫j10 ⚪a1 ⚫o15",
        "⚫\u{FE0F} h8 ⚪\u{FE0F} i9 ⚫ j10 ⚪ a1 ⚫ o15",
        "黒h8 白i9 黒j10 白a1 黒o15",
        "B: h8 W: i9 B: j10 W: a1 B: o15",
        "> 1. h8! i9?!\n> 2. j10 a1 3. o15",
        "`h8 i9 j10 a1 o15`",
        "Black h8, White i9, Black j10, White a1, Black o15",
        "\u{feff}h8i9j10a1o15",
        "\u{feff}7,7 8,8 9,9 0,0 14,14",
        "[\"h8\", \"i9\", \"j10\", \"a1\", \"o15\"]",
        "['h8', 'i9', 'j10', 'a1', 'o15']",
        "{\"history\":\"h8i9j10a1o15\",\"side\":\"O\",\"rule\":\"freestyle\"}",
        "{\"game\":0,\"moves\":[{\"move\":\"h8\"},{\"move\":\"i9\"},{\"move\":\"j10\"},{\"move\":\"a1\"},{\"move\":\"o15\"}]}\n",
    ] {
        assert_eq!(good(text).moves, plain, "{text}");
    }
    let record = good("h8i9j10a1o15");
    for text in [sgf::write(&record, 15), psq::write(&record, 15).expect("a game")] {
        let again = good(&text);
        assert_eq!((again.moves, again.size), (plain.clone(), Some(15)), "{text}");
    }
    let board = record.board(Rule::Standard, 15).expect("legal");
    let drawn = good(&board.to_string()).board(Rule::Standard, 15).expect("valid");
    assert_eq!(drawn, board);
    // `b` and `o` are columns, too.
    assert_eq!(good("b8 o1 b1").moves, points("b8 o1 b1"));
}

#[test]
fn files_of_piskvork_count_rows_from_the_top() {
    for header in [
        "Piskvorky 15x15, 11:11, 0",
        "Piskvorq 15x15, 0:0, 0",
        "piskvork 15x15",
        "PISKVORKY 15x15, 11:11, 0\r",
    ] {
        let record = good(&format!("{header}\n8,8,0\n9,7,3\n-1\n"));
        assert_eq!(record.moves, points("h8 i9"), "{header}");
        assert_eq!(record.size, Some(15));
    }
    let record =
        good("\u{feff}Piskvorky 20x20, 11:11, 1\n1,1,0\n20,20,15\n1,20,3\nRAPFI.zip\nEMBRYO.zip\n-1\n");
    assert_eq!((record.size, record.moves), (Some(20), points("a20 t1 a1")));
    for (text, message) in [
        (
            "Piskvorky 15x20, 11:11, 0\n8,8,0\n-1\n",
            "15×20 points is not supported: width and height must be equal",
        ),
        ("Piskvorky 3x3, 0:0, 0\n1,1,0\n", "a board of 3x3 points"),
        (
            "Piskvorky 15x15, 0:0, 0\n8,8,0\n16,1,0\n",
            "line 3, column 1: move 2: \"16,1,0\" is no point",
        ),
        (
            "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,7\n7,7,0\n",
            "line 4, column 1: move 2: \"7,7,0\" is no point",
        ),
        ("Piskvorky 15x15, 0:0, 0\n8,0,0\n", "\"8,0,0\" is no point"),
        ("Piskvorky", "a board of  points"),
    ] {
        assert!(bad(text).contains(message), "{text}: {}", bad(text));
    }
    let setup = good("(;GM[4]SZ[15]AB[hh])");
    assert!(psq::write(&setup, 15).is_err());
}

#[test]
fn stones_that_are_set_up_load() {
    let record = good("(;GM[4]SZ[15]AB[hh][ii][jj]AW[aa][bb])");
    let board = record.board(Rule::Freestyle, 15).expect("a position");
    assert_eq!(
        board.stones(Color::Black).iter().collect::<Vec<_>>(),
        points("j6 i7 h8")
    );
    assert_eq!(
        board.stones(Color::White).iter().collect::<Vec<_>>(),
        points("b14 a15")
    );
    assert_eq!(board.side(), Color::White);
    // Rectangles, erased stones, the side to move, letters and numbers, moves behind.
    let record = good("(;GM[4]SZ[9]AB[aa:ca]AE[ba]AW[e5]PL[W];W[e4];B[ff])");
    assert_eq!((record.stones.len(), record.first()), (3, Color::White));
    assert_eq!(record.moves, points("e4 f4"));
    assert_eq!(good(&sgf::write(&record, 15)), record);
    // The side to move is what the first move says.
    let board = good("(;GM[4]SZ[15]AB[hh]AW[ii];B[jj])")
        .board(Rule::Freestyle, 15)
        .expect("legal");
    assert_eq!(
        (board.side(), board.stones(Color::Black).len()),
        (Color::White, 2)
    );
    let white_first = good("(;GM[4]SZ[15];W[hh];B[ii])");
    assert_eq!(white_first.first(), Color::White);
    let board = white_first.board(Rule::Freestyle, 15).expect("legal");
    assert!(
        board
            .stones(Color::White)
            .contains("h8".parse().expect("a point"))
    );
    assert_eq!(good(&sgf::write(&white_first, 15)), white_first);
    for (text, message) in [
        (
            "(;GM[4]SZ[15]AB[hh]AW[hh])",
            "stone 2 at h8 lies on another stone",
        ),
        (
            "(;GM[4]SZ[15];B[hh]AW[ii])",
            "stones can be set up before the first move only",
        ),
        ("(;GM[4]SZ[15]AB[zz])", "\"zz\" is no point"),
        ("(;GM[4]SZ[15]AB[hh]PL[?])", "side to move \"?\""),
    ] {
        assert!(bad(text).contains(message), "{text}: {}", bad(text));
    }
}

#[test]
fn colors_are_kept_or_refused() {
    for (text, message) in [
        (
            "(;GM[4]SZ[15];B[hh];B[ii];B[jj])",
            "move 2: a stone of black, but white is to move: stones that are set up belong into AB[] and AW[]",
        ),
        (
            "(;GM[4]SZ[15]AB[hh]PL[W];B[ii])",
            "move 1: a stone of black, but white is to move",
        ),
        ("(;GM[4]SZ[15];B[hh];W[])", "move 2: a pass is not supported"),
        (
            "(;GM[4]SZ[15];B[hh];W[tt];B[ii])",
            "move 2: a pass is not supported",
        ),
        ("⚫h8 ⚫i9", "move 2: a stone of black, but white is to move"),
        ("W: h8", "move 1: a stone of white, but black is to move"),
    ] {
        assert!(bad(text).contains(message), "{text}: {}", bad(text));
    }
    assert_eq!(good("(;GM[4]SZ[20];B[tt];W[aa])").moves, points("t1 a20"));
}

#[test]
fn other_games_are_refused_by_name() {
    for (text, message) in [
        (
            "(;GM[2]SZ[8];B[f5];W[d6])",
            "a game of Othello (GM[2]), not Gomoku",
        ),
        (
            "(;GM[1]FF[4]SZ[19];B[pd];W[dp])",
            "a game of Go (GM[1]), not Gomoku",
        ),
        ("(;GM[11]SZ[11];B[aa])", "a game of Hex (GM[11]), not Gomoku"),
        ("(;GM[99]SZ[11];B[aa])", "a game of GM[99], not Gomoku"),
        (
            "(;GM[4]SZ[15:13];B[aa])",
            "a board of 15×13 points is not supported",
        ),
        ("(;GM[4]SZ[25];B[aa])", "a board of 25 points is not supported"),
        ("(;GM[4]SZ[15];B[aa]", "'(' is never closed"),
        ("(;GM[4]SZ[15];B[aa", "'[' is never closed"),
    ] {
        assert!(bad(text).contains(message), "{text}: {}", bad(text));
    }
    let parsed = read("(;SZ[15];B[hh](;W[ii];B[aa])(;W[jj]))").expect("a game");
    assert_eq!(parsed.value.moves, points("h8 i7 a15"));
    assert_eq!(
        parsed.warnings,
        [Warning::MissingTag("GM[4]"), Warning::Variations(1)]
    );
}

#[test]
fn bad_text_is_refused_with_its_place() {
    for (text, message) in [
        ("h8i", "column 3: move 2: \"i\" is no point"),
        ("h8 i99", "column 4: move 2: \"i99\" is no point"),
        ("7,7 8", "move 2: \"8\" is no point"),
        ("7,x", "is no point"),
        ("7,-7", "is no point"),
        ("300,1", "is no point"),
        ("(;SZ[99];B[aa])", "a board of 99 points"),
        ("(;B[a99])", "move 1: \"a99\" is no point"),
        ("é", "\"é\" is no point"),
        (
            "1. h8\n2. i9 7 j10",
            "line 2, column 7: move 3: \"7\" is no point",
        ),
        ("h8h8", "move 2: h8 is occupied"),
        ("t20", "move 1: t20 is outside the 15x15 board"),
        (
            "a1a2b1b2c1c2d1d2e1f1",
            "move 10: the game is over (black has five in a row)",
        ),
        ("{\"history\":3}", "not a position or game"),
        ("{\"history\":\"h8\",\"size\":99}", "a board of 99 points"),
        ("{\"history", "not JSON"),
    ] {
        assert!(bad(text).contains(message), "{text}: {}", bad(text));
    }
    for text in [
        "",
        " \n",
        "(;",
        "(;B[",
        "(;B[hh",
        "Piskvorky 15x15",
        ".",
        "\u{feff}",
        "[",
        "{",
    ] {
        drop(read(text));
    }
    assert_eq!(good("").moves, []);
}

#[test]
fn bytes_of_files_are_decoded() {
    let parsed = read_bytes(b"Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\nJos\xe9\r\n-1\r\n").expect("a game");
    assert_eq!(
        (parsed.value.moves, parsed.warnings),
        (points("h8"), vec![Warning::Latin1])
    );
    for (bytes, message) in [
        (b"\xFF\xFEh\x008\x00".as_slice(), "the text is UTF-16"),
        (b"h\x008\x00i\x009\x00", "the text is UTF-16"),
        (
            b"\x1F\x8B\x08\x00",
            "the file is compressed (gzip): unpack it first, with gunzip",
        ),
    ] {
        let error = read_bytes(bytes).expect_err("no text").to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn what_an_object_says_of_its_size_holds_for_all_of_it() {
    let with = |history: &str, size: &str| read(&format!("{{\"history\":\"{history}\",{size}}}"));
    let top_left = with("(;AW[aa])", "\"size\":13").expect("a position").value;
    assert_eq!(
        (top_left.size, top_left.stones),
        (Some(13), vec![("a13".parse().expect("a point"), Color::White)])
    );
    assert_eq!(
        with("(;GM[4]SZ[9]AW[aa])", "\"rule\":\"caro\"")
            .expect("a position")
            .value
            .size,
        Some(9)
    );
    let drawing = format!("{}", good("e5").board(Rule::Caro, 9).expect("legal"));
    for text in [
        "{\"history\":\"(;GM[4]SZ[16]AB[hh][ii]AW[aa])\",\"rule\":\"renju\",\"size\":15}".to_owned(),
        "{\"history\":\"h8\",\"size\":15,\"rules\":\"gomoku renju 16\"}".to_owned(),
        format!("{{\"moves\":\"a1\",\"rules\":\"gomoku caro 15\",\"start\":{drawing:?}}}"),
        format!("{{\"history\":\"(;SZ[15];B[aa])\",\"start\":{drawing:?}}}"),
    ] {
        let problem = read(&text).expect_err("two sizes").problem;
        assert!(matches!(problem, Problem::Sizes(..)), "{text}: {problem}");
    }
}

#[test]
fn our_own_output_is_read() {
    let setup = good("(;GM[4]SZ[15]AB[hh][ii]AW[aa])");
    let json = format!(
        "{{\"history\":{:?},\"rule\":\"renju\",\"size\":15}}",
        sgf::write(&setup, 15)
    );
    let again = good(&json);
    assert_eq!((again.stones, again.rule), (setup.stones, Some(Rule::Renju)));
    // Lines of a command that prints more than positions.
    let lines = "{\"summary\":{}}\n{\"history\":\"h8\",\"rule\":\"caro\",\"size\":19}\n";
    let record = good(lines);
    assert_eq!(
        (record.size, record.rule, record.moves.len()),
        (Some(19), Some(Rule::Caro), 1)
    );
    // A game of a match, from the usual start and from stones that were set up.
    let played = good(
        "{\"game\":0,\"rules\":\"gomoku renju 9\",\"margin\":1,\"end\":\"board\",\
         \"moves\":[{\"move\":\"e5\"},{\"move\":\"e6\",\"value\":48.5}]}\n{\"summary\":{}}\n",
    );
    assert_eq!(
        (played.size, played.rule, played.moves.len()),
        (Some(9), Some(Rule::Renju), 2)
    );
    let start = format!(
        "{}\nwhite to move",
        good("e5").board(Rule::Caro, 9).expect("legal")
    );
    let played = good(&format!(
        "{{\"rules\":\"gomoku caro 9\",\"start\":{start:?},\"moves\":[{{\"move\":\"e6\"}}]}}"
    ));
    assert_eq!((played.stones.len(), played.first()), (1, Color::White));
    assert_eq!(played.board(Rule::Caro, 9).expect("legal").n_stones(), 2);
    let other = read("{\"rules\":\"othello\",\"moves\":[{\"move\":\"f5\"}]}").expect_err("Othello");
    assert!(matches!(other.problem, Problem::OtherGame(_)), "{other}");
    let board = good("h8i9").board(Rule::Freestyle, 15).expect("legal");
    let shown = good(&format!("{board}\nfreestyle, white to move\n"));
    assert_eq!(shown.first(), Color::White);
    assert!(matches!(
        read("{}").expect_err("no game").problem,
        Problem::Syntax(_)
    ));
}
