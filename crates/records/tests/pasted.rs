//! What people paste: lists of moves over several lines, with colors, numbers, quotation marks and comments, tables,
//! diagrams, files of other kinds, and what this program prints.

use outflank_othello::Position;
use outflank_records::{
    BadItem, Content, Format, GameRecord, Item, PasteError, Warning, ggf, paste, paste_bytes, read_items,
    transcript::{self, Passes},
    wthor::{self, NameFile, NameKind, Record, write_games},
};

#[track_caller]
fn one(text: &str) -> Item {
    match paste(text) {
        Ok(mut pasted) if pasted.items.len() == 1 && pasted.bad.is_empty() => pasted.items.remove(0),
        other => panic!("{text:?}: {other:?}"),
    }
}

#[track_caller]
fn moves(text: &str) -> String {
    one(text).game().transcript()
}

#[track_caller]
fn games(text: &str) -> Vec<String> {
    match paste(text) {
        Ok(pasted) if pasted.bad.is_empty() => {
            pasted.items.iter().map(|item| item.game().transcript()).collect()
        }
        other => panic!("{text:?}: {other:?}"),
    }
}

#[track_caller]
fn bad(text: &str) -> BadItem {
    match paste(text) {
        Err(PasteError::Bad(mut bad)) if bad.len() == 1 => bad.remove(0),
        other => panic!("{text:?}: {other:?}"),
    }
}

fn warnings(text: &str) -> Vec<String> {
    one(text).warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn moves_over_several_lines_are_one_game() {
    for text in [
        "f5\nd6\nc3\nd3\nc4\n",
        "f5\r\nd6\r\nc3\r\nd3\r\nc4\r\n",
        "1. f5\n2. d6\n3. c3\n4. d3\n5. c4\n",
        "1) f5 d6\n2) c3 d3\n3) c4\n",
        "1, f5, d6\n2, c3, d3\n3, c4\n",
        "1: f5 d6\n2: c3 d3\n3: c4",
        "1 f5 d6\n2 c3 d3\n3 c4",
        "1. f5 d6 2. c3\nd3 3. c4",
        "f5d6c3\nd3c4\n",
        "f5 d6\nc3 d3\nc4",
        "B: f5\nW: d6\nB: c3\nW: d3\nB: c4\n",
        "⚫f5\n⚪d6\n⚫c3\n⚪d3\n⚫c4\n",
        "['f5',\n 'd6',\n 'c3',\n 'd3', 'c4']",
        "[\n  \"f5\",\n  \"d6\",\n  \"c3\", \"d3\", \"c4\"\n]\n",
    ] {
        assert_eq!(moves(text), "f5d6c3d3c4", "{text:?}");
    }
    assert_eq!(moves("1. f5 d6\n2. c3 d3\n3. c4 white resigns"), "f5d6c3d3c4");
    // A wrapped game with a pass, and its result on a line of its own.
    let whole = "f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6f7g3e1c5c6h4g4d2h6f8h5h7h3h2c1d1a4a6a5f1a7d7c7b6g1b3e8d8g2b7b8\
                 a8c8g8g7h8a2a3h1a1b2c2b1";
    for width in [2, 8, 30, 80] {
        let lines: Vec<&str> = (0..whole.len())
            .step_by(width)
            .map(|at| &whole[at..whole.len().min(at + width)])
            .collect();
        let text = lines.join("\n");
        assert_eq!(moves(&text), whole, "{width}");
        assert_eq!(
            warnings(&format!("{text}\n14-50\n")),
            ["the record says 14-50, the moves lead to 13-51"]
        );
    }
}

#[test]
fn games_on_lines_of_their_own_stay_apart() {
    for (text, expected) in [
        ("f5d6\nf5f6e6\n", vec!["f5d6", "f5f6e6"]),
        ("f5\nd3\nc4\ne6\n", vec!["f5", "d3", "c4", "e6"]),
        ("f5d6c3\nd3c3\n", vec!["f5d6c3", "d3c3"]),
        ("f5d6\n\nf5f6\n", vec!["f5d6", "f5f6"]),
        (
            "1. f5d6c3d3\n2. f5f6e6\n3. c4c3\n",
            vec!["f5d6c3d3", "f5f6e6", "c4c3"],
        ),
        ("f5\nd6\n\nf5\nf6\n", vec!["f5d6", "f5f6"]),
    ] {
        assert_eq!(games(text), expected, "{text:?}");
    }
    // A game that belongs to another start, and a remark, do not spoil the game before.
    for second in ["e3f3d2c4g5h5a1b8", "played at e4"] {
        let pasted = paste(&format!("f5d6c3d3c4f4\n{second}\n")).expect("a game");
        assert_eq!((pasted.items.len(), pasted.bad.len()), (1, 1), "{second}");
        let pasted = paste(&format!("f5\nd6\nc3\n\n{second}\n")).expect("a game");
        assert_eq!((pasted.items.len(), pasted.bad[0].line), (1, 5), "{second}");
    }
    let pasted = paste("f5\nd6\nc3\nplayed at e4\n").expect("a game");
    assert_eq!(
        (pasted.items[0].game().transcript(), pasted.bad[0].line),
        ("f5d6c3".into(), 4)
    );
    // An error stays with its line.
    let pasted = paste("f5d6c3\nf5f6a1\nf5d6").expect("two games");
    assert_eq!((pasted.items.len(), pasted.bad[0].line), (2, 2));
    let wrapped = bad("f5d6c3\nd3c4a8\n");
    assert_eq!(
        wrapped.to_string(),
        "line 2, column 5: ply 6, a8: a8 flips nothing"
    );
}

#[test]
fn colors_in_front_of_moves_are_checked() {
    for text in [
        "⚫f5 ⚪d6",
        "⚫\u{FE0F}f5 ⚪\u{FE0F}d6",
        "● f5 ○ d6",
        "B: f5 W: d6",
        "b:f5, w:d6",
        "X: f5 O: d6",
        "Black: f5, White: d6",
        "black f5 white d6",
        "B f5 W d6",
        "黒f5白d6",
        "Black f5\nWhite d6\n",
    ] {
        assert_eq!(moves(text), "f5d6", "{text:?}");
    }
    for text in ["⚫f5 ⚫d6", "B: f5 B: d6", "Black f5 Black d6", "● f5 ● d6"] {
        let error = bad(text).to_string();
        assert!(
            error.ends_with("ply 2: a move of black, but white is to move"),
            "{text}: {error}"
        );
    }
    // A forced pass may be left out before a color.
    let start = "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3";
    assert_eq!(one(&format!("{start} ⚫h7")).game().moves().len(), 45);
    // A name behind the moves is still one.
    assert_eq!(warnings("f5d6 white resigned (62)").len(), 1);
}

#[test]
fn comments_and_marks_are_no_moves() {
    for text in [
        "1. f5 d6 2. c3 ; d3",
        "1. f5 $1 d6 2. c3",
        "1. f5 $1 d6 $14 2. c3!?",
        "1. f5 {the best move is c4} d6 2. c3",
        "1. f5 d6 (1... f6 2. e6) 2. c3",
        "f5 d6 ; the rest\nc3 ; and d3",
        "1. f5! d6?! ; best is f6\nc3",
        "1. f5 (good) d6 (0:12)\n2. c3 (0:05)",
        "1. f5\n1... d6 (a remark)\n2. c3",
        "> f5 d6\n> c3\n",
        ">> > 1. f5 d6\n>> > 2. c3\n",
        "```\nf5 d6 c3\n```\n",
        "```text\nf5\nd6\nc3\n```",
        "f5; d6; c3",
        "f5;d6;c3;",
        "f5 ; d6 ; c3",
        "[Black \"x\"]\n\n1. f5 $1 d6 ; d3 follows\n2. c3 {d3}",
        "[Black \"x\"]\n\n1. f5 d6\n% d3\n2. c3",
    ] {
        assert_eq!(moves(text), "f5d6c3", "{text:?}");
    }
    assert_eq!(warnings("1. f5 d6 2. c3 ; d3"), ["ignored a comment: \"; d3\""]);
    assert_eq!(warnings("1. f5 {good} d6"), [""; 0]);
    assert_eq!(
        bad("> f5 d6\n> c3 a1\n").to_string(),
        "line 2, column 6: ply 4, a1: a1 flips nothing"
    );
    assert_eq!(warnings("f5 d6 c3 (unfinished)").len(), 1);
    assert!(bad("1. f5 d6 {c3").to_string().contains("is not a move"));
}

#[test]
fn lists_and_tables_are_read() {
    for text in [
        "\"f5\",\"d6\",\"c3\"",
        "[\"f5\", \"d6\", \"c3\"]",
        "['f5', 'd6', 'c3']",
        "('f5', 'd6', 'c3')",
        "[f5, d6, c3]",
        "\"f5d6c3\"",
        "“f5 d6 c3”",
        "[\"f5d6c3\"]",
        "game,moves\n1,f5d6c3\n",
        "moves\nf5d6c3\n",
        "id;black;white;transcript\n7;Ada;Bob;F5 d6 C3\n",
        "ply\tcolor\tmove\n1\tblack\tf5\n2\twhite\td6\n3\tblack\tc3\n",
        "move\nf5\nd6\nc3\n",
        "ply\tsquare\n1\tf5\n2\td6\n3\tc3\n",
        "1056798,1,f5d6c3",
        "Ada,Bob,f5d6c3,2001-05-12",
        "\"Ada, the first\",Bob,\"f5 d6 c3\"",
        "{\"moves\":\"f5d6c3\"}",
        "{\"moves\":[\"f5\",\"d6\",\"c3\"]}",
        "{\"transcript\":\"f5d6c3\"}",
    ] {
        assert_eq!(moves(text), "f5d6c3", "{text:?}");
    }
    assert_eq!(games("[[\"f5\",\"d6\"],[\"c4\",\"c3\"]]"), ["f5d6", "c4c3"]);
    assert_eq!(games("[\"f5d6\", \"c4c3\"]"), ["f5d6", "c4c3"]);
    assert_eq!(games("n,move\n1,f5\n2,d6\n1,d3\n2,c3\n"), ["f5d6", "d3c3"]);
    let data =
        "Othello_game_id,winner,game_moves\r\n1056798,1,f5d6c4d3e6f4\r\n1050515,-1,d3c5f6f5\r\n3,0,f5f5\r\n";
    let pasted = paste(data).expect("two games");
    assert_eq!(pasted.items.len(), 2);
    assert_eq!(pasted.items[1].line, 3);
    assert_eq!(
        pasted.bad[0].to_string(),
        "line 4, column 7: ply 2, f5: f5 is occupied"
    );
    let Content::Game(record) = one("black,white,date,moves\n\"Ada, Jr\",Bob,2001-02-03,f5d6\n").content
    else {
        panic!()
    };
    let tags = ["PB", "PW", "DT"].map(|key| record.tag(key));
    assert_eq!(tags, [Some("Ada, Jr"), Some("Bob"), Some("2001-02-03")]);
    let solved = "id,board,side,empties,value\nFFO 40,O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------,X,20,38\n";
    assert_eq!(one(solved).position().board().empties().count(), 20);
    // A table without moves is none.
    assert!(bad("name,score").to_string().contains("not a position or game"));
}

#[test]
fn diagrams_of_move_numbers_are_read() {
    let rows = [
        "- - - - - - - -",
        "- - - - - - - -",
        "- - 3 4 - - - -",
        "- - 5 O X - - -",
        "- - - X O 1 - -",
        "- - - 2 - - - -",
        "- - - - - - - -",
        "- - - - - - - -",
    ];
    let plain = rows.join("\n");
    let numbered: Vec<String> = rows
        .iter()
        .enumerate()
        .map(|(i, row)| format!("{} {row}", i + 1))
        .collect();
    let both: Vec<String> = rows
        .iter()
        .enumerate()
        .map(|(i, row)| format!("{0} {row} {0}", i + 1))
        .collect();
    for text in [
        plain.clone(),
        format!("  a b c d e f g h\n{}", numbered.join("\n")),
        format!("  a b c d e f g h\n{}\n  a b c d e f g h\n", both.join("\n")),
        plain.replace('-', ".").replace('O', "○").replace('X', "●"),
        plain.replace('-', "0").replace(['O', 'X'], "0"),
        plain.replace('-', "--").replace(['O', 'X'], "##"),
        plain.replace(' ', "|"),
        plain.replace(' ', ","),
        plain.replace('1', "01").replace('2', "02"),
    ] {
        let item = one(&text);
        assert_eq!(
            (item.game().transcript(), item.format),
            ("f5d6c3d3c4".into(), Format::Diagram),
            "{text}"
        );
    }
    for (text, expected) in [
        (plain.replace('3', "4"), "number 4 stands on two squares"),
        (
            plain.replace('3', "-"),
            "number 3 is missing, but higher ones are there",
        ),
        (
            plain.replace('4', "-").replace("- - - 2", "4 - - 2"),
            "ply 4, a6: a6 flips nothing",
        ),
        (rows[2..].join("\n"), "a board has 64 squares, found 48"),
    ] {
        let error = bad(&text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    // Another start: the discs say it.
    let exchanged = plain.replace('O', "B").replace('X', "O").replace('B', "X");
    assert!(bad(&exchanged).to_string().contains("ply 1, f5"));
}

#[test]
fn a_zero_beside_black_letters_is_white() {
    let text = "---------------------------0X------X0---------------------------";
    for side in ["X", " X", " black", " * to move"] {
        let item = one(&format!("{text}{side}"));
        assert_eq!(item.position(), &Position::start(), "{side:?}");
        assert_eq!(item.warnings, [Warning::Zero]);
    }
    for side in ["0", " 0", " O"] {
        let item = one(&format!("{text}{side}"));
        assert_eq!(item.position().side(), outflank_othello::Color::White, "{side:?}");
        assert_eq!(item.position().board().passed(), Position::start().board());
    }
    // Behind a board without zeros it is a score.
    let item = one(&format!("{} 0", text.replace('0', "O")));
    assert!(
        matches!(&item.content, Content::Position(scored) if scored.best.is_some_and(|discs| discs.get() == 0))
    );
    let rows = "- - - - - - - -\n- - - - - - - -\n- - - - - - - -\n- - - 0 X - - -\n- - - X 0 - - -\n- - - - - - - -\n- - - - - - - -\n- - - - - - - -\nX\n";
    assert_eq!(one(rows).position(), &Position::start());
    assert!(
        bad(&text.replacen('0', "O", 1))
            .to_string()
            .contains("digits and letters")
    );
    assert!(
        bad(&text.replacen('0', "1", 1))
            .to_string()
            .contains("digits and letters")
    );
}

#[test]
fn fen_tags_take_every_form() {
    for fen in [
        "8/8/8/3wb3/3bw3/8/8/8 b",
        "8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1",
        "---------------------------OX------XO--------------------------- X",
    ] {
        let text = format!("[Black \"x\"]\n[FEN \"{fen}\"]\n\n1. f5 d6 2. c3");
        assert_eq!(moves(&text), "f5d6c3", "{fen}");
        assert_eq!(one(fen).position(), &Position::start(), "{fen}");
    }
    assert!(
        bad("[FEN \"8/8/8/3wb3/3bw3/8/8 b\"]\n\n1. f5")
            .to_string()
            .contains("expected 8 rows, found 7")
    );
}

#[test]
fn transcripts_of_other_starts_can_be_read_again() {
    let exchanged = "---------------------------XO------OX---------------------------";
    let full = "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3pa";
    for text in [
        format!("{exchanged} X e3f3"),
        format!("{exchanged} O"),
        full.to_owned(),
        "f5d6".to_owned(),
    ] {
        let item = one(&text);
        let written = transcript::write_whole(&item.game(), Passes::Omit);
        assert_eq!(written, text);
        assert_eq!(one(&written).game(), item.game());
    }
    let empty = transcript::write_whole(&outflank_othello::Game::new(), Passes::Omit);
    assert_eq!(one(&empty).position(), &Position::start());
}

#[test]
fn the_exchanged_start_is_hinted_at() {
    for text in [
        "e3f3",
        "f4",
        "1. c5 2. c4",
        "[Black \"x\"]\n\n1. d6 e6",
        "(;GM[2]SZ[8];B[e3])",
        "[\"e3\",\"f3\"]",
    ] {
        let error = bad(text).to_string();
        assert!(
            error.contains("flips nothing; it is legal where the colors of the start are exchanged"),
            "{text}: {error}"
        );
    }
    for text in ["a1", "f5 e3", "e4"] {
        assert!(!bad(text).to_string().contains("exchanged"), "{text}");
    }
}

/// A WTHOR file with one game.
fn wthor_file() -> Vec<u8> {
    let game = one("f5d6c3d3c4").game();
    let mut bytes = Vec::new();
    let record = Record::from_game(&game).expect("the usual start");
    write_games(&mut bytes, wthor::Header::for_games(1, 2001), &[record]).expect("a vector takes every byte");
    bytes
}

#[test]
fn wthor_is_recognized_by_its_bytes() {
    let bytes = wthor_file();
    let pasted = paste_bytes(&bytes).expect("a game");
    assert_eq!(pasted.items[0].format, Format::Wthor);
    assert_eq!(pasted.items[0].game().transcript(), "f5d6c3d3c4");
    // With a date of creation, as the federation writes it; names, where they are given.
    let mut dated = bytes.clone();
    dated[..4].copy_from_slice(&[20, 1, 12, 31]);
    let mut names = vec![0; 16];
    names[8] = 1;
    names.extend(b"Ada Lovelace\0\0\0\0\0\0\0\0");
    let players = NameFile::read(names.as_slice(), NameKind::Players).expect("names");
    let item = read_items(dated.as_slice())
        .with_names(Some(players), None)
        .next();
    let Some(Ok(Item {
        content: Content::Game(record),
        ..
    })) = item
    else {
        panic!("{item:?}")
    };
    assert_eq!(record.tag("PB"), Some("Ada Lovelace"));
    // A damaged record, and a file cut short.
    let mut damaged = dated.clone();
    damaged[24] = 99;
    let PasteError::Bad(bad) = paste_bytes(&damaged).expect_err("no game") else {
        panic!()
    };
    assert_eq!(
        bad[0].to_string(),
        "record 1: ply 1: 99 is not a square (row * 10 + column, 11 to 88)"
    );
    let cut = paste_bytes(&bytes[..50]).expect_err("no game").to_string();
    assert!(cut.starts_with("record 1: cut off after 34 of 68 bytes"), "{cut}");
    let names = paste_bytes(&names).expect_err("no game").to_string();
    assert!(names.contains("a file of names of the WTHOR database"), "{names}");
    let mut large = bytes;
    large[12] = 10;
    assert!(
        paste_bytes(&large)
            .expect_err("no game")
            .to_string()
            .contains("board of side 10")
    );
}

#[test]
fn boards_of_a_server_name_their_game() {
    let rows: Vec<String> = (1..=8)
        .map(|row| {
            let middle = match row {
                4 => "O *",
                5 => "* O",
                _ => "- -",
            };
            format!("| {row} - - - {middle} - - - {row}")
        })
        .collect();
    let rows = rows.join("\n");
    for (ty, expected) in [
        ("8b", ""),
        ("s8r20", ""),
        (
            "8a",
            "anti-Othello, where fewer discs win, (TY[8a]) is not supported",
        ),
        (
            "8k",
            "a komi game, whose result is shifted, (TY[8k]) is not supported",
        ),
    ] {
        let text = format!(
            "/os: update .5 {ty} K?\n|   A B C D E F G H\n{rows}\n|   A B C D E F G H\n|\n|* to move\nREADY\n"
        );
        if expected.is_empty() {
            assert_eq!(one(&text).position(), &Position::start(), "{ty}");
        } else {
            assert!(bad(&text).to_string().contains(expected), "{ty}");
        }
    }
}

#[test]
fn files_that_are_no_text_are_named() {
    for (bytes, expected) in [
        (
            b"\x1F\x8B\x08\x00\x00".as_slice(),
            "the file is compressed (gzip): unpack it first, with gunzip",
        ),
        (
            b"PK\x03\x04\x14\x00",
            "the file is compressed (zip): unpack it first, with unzip",
        ),
        (
            b"f\x005\x00d\x006\x00\n\x00",
            "the text is UTF-16: save it as UTF-8",
        ),
        (
            b"\x00f\x005\x00d\x006\x00\n",
            "the text is UTF-16: save it as UTF-8",
        ),
    ] {
        let error = paste_bytes(bytes).expect_err("no text").to_string();
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn our_own_output_is_read() {
    let show = "{\"black\":5,\"board\":\"------------------X--------XX------OXX-----O--------------------\",\
                \"empties\":57,\"legal\":[\"d3\",\"f3\"],\"line\":1,\"moves\":[\"f5\",\"d6\",\"c3\"],\"over\":false,\"side\":\"O\",\"white\":2}";
    assert_eq!(moves(show), "f5d6c3");
    let analyze = "{\"board\":\"------------------X--------XX------OXX-----O--------------------\",\"complete\":true,\
                   \"kind\":\"estimate\",\"lines\":[{\"move\":\"f4\",\"kind\":\"estimate\",\"value\":1.84}],\"move\":\"f4\",\"side\":\"O\",\"value\":1.84}";
    let item = one(analyze);
    assert_eq!(item.position().side(), outflank_othello::Color::White);
    let Content::Position(scored) = item.content else {
        panic!()
    };
    assert_eq!(scored.scores, [], "an estimate is no score");
    let exact = "{\"board\":\"O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------\",\"side\":\"X\",\
                 \"lines\":[{\"move\":\"a2\",\"kind\":\"exact\",\"value\":38},{\"move\":\"c7\",\"kind\":\"exact\",\"value\":36}]}";
    let Content::Position(scored) = one(exact).content else {
        panic!()
    };
    assert_eq!(scored.expected().map(outflank_othello::Discs::get), Some(38));
    assert_eq!(scored.scores.len(), 2);
    // The lines of a review: the summary has the game.
    let review = "{\"best\":\"f5\",\"game\":1,\"mark\":\"\",\"move\":\"f5\",\"number\":1,\"side\":\"X\",\"value\":1.41}\n\
                  {\"best\":\"f4\",\"game\":1,\"mark\":\"\",\"move\":\"d6\",\"number\":2,\"side\":\"O\",\"value\":1.37}\n\
                  {\"summary\":{\"black\":{\"name\":\"Ada\"},\"complete\":true,\"game\":1,\"transcript\":\"f5d6\",\"white\":{\"name\":null}}}\n";
    let Content::Game(record) = one(review).content else {
        panic!()
    };
    assert_eq!(
        (record.game.transcript(), record.tag("PB"), record.tag("PW")),
        ("f5d6".into(), Some("Ada"), None)
    );
    // A game of a match, and its summary.
    let game = "{\"game\":0,\"opening\":0,\"black\":\"level 1\",\"white\":\"level 2\",\"players\":[0,1],\"discs\":-64,\"end\":\"time\",\
                \"illegal\":[0,0],\"opening_moves\":1,\"moves\":[{\"move\":\"f5\"},{\"move\":\"d6\",\"value\":-3.3,\"depth\":2,\"seconds\":0.25}]}\n\
                {\"summary\":{\"games\":1,\"wins\":0}}\n";
    let item = one(game);
    let Content::Game(record) = &item.content else {
        panic!()
    };
    assert_eq!(
        (record.tag("PB"), record.tag("RE")),
        (Some("level 1"), Some("-64:t"))
    );
    assert_eq!(
        (record.notes[1].eval_discs(), record.notes[1].seconds()),
        (Some(-3.3), Some(0.25))
    );
    assert_eq!(ggf::parse(&ggf::write(record)).expect("GGF").value, *record);
    let newer = game.replace("\"discs\":", "\"rules\":\"othello\",\"margin\":");
    assert_eq!(one(&newer).content, item.content);
    let gomoku = newer.replace("othello", "gomoku renju 15");
    let refused = format!("{:?}", paste(&gomoku));
    assert!(refused.contains("OtherGame(\"Gomoku\")"), "{refused}");
    // What `show` draws.
    let drawn = "   a b c d e f g h\n 1 - - - - - - - - 1\n 2 - - - - - - - - 2\n 3 - -(X)· - · - - 3\n 4 - - - X X · - - 4\n\
                  5 - - - O X X · - 5\n 6 - - - O - - - - 6\n 7 - - - - - - - - 7\n 8 - - - - - - - - 8\n   a b c d e f g h\n\
                 white to move, 4 legal moves; black 5, white 2, empty 57\nmoves: f5d6c3\nopening: 虎系\n";
    assert_eq!(moves(drawn), "f5d6c3");
    assert_eq!(
        one(&drawn[..drawn.find("moves").expect("moves")]).position(),
        one("f5d6c3").position()
    );
    // From another start.
    let start = "---------------------------XO------OX--------------------------- X";
    assert_eq!(
        moves(&format!("{{\"start\":\"{start}\",\"moves\":[\"e3\",\"f3\"]}}")),
        "e3f3"
    );
    assert_eq!(
        moves(&format!(
            "{{\"summary\":{{\"start\":\"{start}\",\"transcript\":\"e3f3\"}}}}"
        )),
        "e3f3"
    );
    // Gomoku, and other games of Othello Quest.
    assert!(
        bad("{\"history\":\"h8i9\",\"size\":15}")
            .to_string()
            .contains("a game of \"Gomoku\", not Othello")
    );
    let quest = "{\"args\":[{\"gtype\":\"gomoku1\",\"position\":{\"moves\":[{\"m\":\"h8\"}]}}]}";
    assert!(
        bad(quest)
            .to_string()
            .contains("a game of \"gomoku1\", not Othello")
    );
}

#[test]
fn the_legal_part_of_a_damaged_game_is_kept() {
    let head =
        "(;GM[Othello]PB[Ada]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";
    for text in [
        "f5d6c3a1d3".to_owned(),
        "1. f5 d6 2. c3 a1".to_owned(),
        "f5\nd6\nc3\na1\n".to_owned(),
        "f5d6c3 nonsense d3".to_owned(),
        format!("{head}B[f5]W[d6]B[c3]W[a1];)"),
        format!("{head}B[f5]W[d6]B[c3]B[d3];)"),
        "(;GM[2]SZ[8];B[f5];W[d6];B[c3];W[a1])".to_owned(),
        "[Black \"x\"]\n\n1. f5 d6 2. c3 a1".to_owned(),
        "[\"f5\",\"d6\",\"c3\",\"a1\"]".to_owned(),
        "{\"moves\":[\"f5\",\"d6\",\"c3\",\"z1\"]}".to_owned(),
        "game,moves\n1,f5d6c3a1\n".to_owned(),
        "---------------------------OX------XO--------------------------- X f5d6c3a1".to_owned(),
    ] {
        let legal = bad(&text).legal.unwrap_or_else(|| panic!("{text}: nothing"));
        assert_eq!(legal.game.transcript(), "f5d6c3", "{text}");
        let player: fn(&GameRecord) -> Option<&str> = |record| record.tag("PB");
        assert_eq!(
            player(&legal).is_some(),
            text.contains("Ada") || text.contains("Black"),
            "{text}"
        );
    }
    for text in ["a1", "nonsense", "(;GM[Go]B[dd];)", "{\"moves\":[\"z1\"]}"] {
        assert_eq!(bad(text).legal, None, "{text}");
    }
}
