//! The odd positions, passes and records of user reports, by their numbers in the list of user needs, section 3.3.

use outflank_othello::{Board, Color, Discs, Game, Move, Position, Square};
use outflank_records::{
    Content, Format, Item, MoveNote, PasteError, Problem, Warning, board, ggf, paste, paste_bytes, transcript,
};

use std::fmt::Write;

#[track_caller]
fn one(text: &str) -> Item {
    match paste(text) {
        Ok(mut pasted) if pasted.items.len() == 1 && pasted.bad.is_empty() => pasted.items.remove(0),
        other => panic!("{text:?}: {other:?}"),
    }
}

#[track_caller]
fn bad(text: &str) -> String {
    match paste(text) {
        Err(PasteError::Bad(bad)) if bad.len() == 1 => bad[0].to_string(),
        other => panic!("{text:?}: {other:?}"),
    }
}

fn squares(text: &str) -> Vec<Square> {
    text.split_whitespace()
        .map(|word| word.parse().expect("a square"))
        .collect()
}

fn legal(item: &Item) -> Vec<Square> {
    item.position().board().legal_moves().into_iter().collect()
}

fn n_passes(game: &Game) -> usize {
    game.moves().iter().filter(|mv| **mv == Move::Pass).count()
}

/// The exact value by alpha-beta with the emptiest replies first: good for a dozen empties.
fn solve(board: Board, alpha: i32, beta: i32) -> i32 {
    let moves = board.legal_moves();
    if moves.is_empty() {
        return if board.passed().legal_moves().is_empty() {
            board.final_discs().get()
        } else {
            -solve(board.passed(), -beta, -alpha)
        };
    }
    let mut next: Vec<Board> = moves
        .into_iter()
        .map(|square| board.play_unchecked(square, board.flips(square)))
        .collect();
    next.sort_by_key(|board| board.mobility());
    let mut best = -64;
    for board in next {
        best = best.max(-solve(board, -beta, -alpha.max(best)));
        if best >= beta {
            break;
        }
    }
    best
}

#[test]
fn input_01_white_must_pass() {
    let item = one("f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3");
    let game = item.game();
    assert_eq!((game.moves().len(), n_passes(&game)), (43, 0));
    assert_eq!(game.position().side(), Color::White);
    let board = game.position().board();
    assert!(board.must_pass());
    assert_eq!(board.passed().mobility(), 12);
    assert_eq!(board.empties().count(), 17);
    // An implied pass is accepted, a wrong move is not.
    let text = transcript::write(&game, transcript::Passes::Omit);
    assert!(bad(&format!("{text}a8")).ends_with("ply 45, a8: a8 flips nothing"));
    assert_eq!(one(&format!("{text}a7")).position().side(), Color::White);
    // Where the color is written, white's a7 is wrong.
    let mut ggf = ggf::write(&outflank_records::GameRecord::new(game));
    ggf.insert_str(ggf.len() - 2, "W[a7]");
    assert!(bad(&ggf).ends_with("ply 44, a7: a7 flips nothing"));
    let with_pass = one(&format!("{text} pa"));
    assert_eq!(with_pass.game().moves().len(), 44);
}

#[test]
fn input_03_a_pass_at_the_end_of_a_ggf() {
    let moves = "F5D6C5F4D3E3F2C6G5B5A5B4B3C4C3A6A7A3F3E6C7B6D7D8B8E7F7E8C8A8A4F8A2B7";
    let mut text = String::from(
        "(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 ---------------------------O*------*O---------------------------*]",
    );
    for i in 0..moves.len() / 2 {
        let color = if i % 2 == 0 { 'B' } else { 'W' };
        write!(text, "{color}[{}/64.00]", &moves[2 * i..2 * i + 2]).unwrap();
    }
    text.push_str("B[PA//3.107];)");
    let item = one(&text);
    assert_eq!(item.format, Format::Ggf);
    assert_eq!(item.position().side(), Color::White);
    let moves = legal(&item);
    assert_eq!(moves.len(), 13);
    assert!(moves.contains(&Square::A1));
    let Content::Game(record) = &item.content else {
        panic!()
    };
    assert_eq!(record.notes.last().and_then(MoveNote::seconds), Some(3.107));
    assert_eq!(ggf::parse(&ggf::write(record)).unwrap().value, *record);
}

#[test]
fn input_05_implied_passes() {
    let item = one(
        "F5D6C3D3C4F4F6F3E3B4B5E6E7F2E2G5G6F7G3E1C5C6H4G4D2H6F8H5H7H3H2C1D1A4A6A5F1A7D7C7B6G1B3E8D8G2B7\
                    B8A8C8G8G7H8A2A3H1A1B2C2B1",
    );
    let game = item.game();
    let passes: Vec<usize> = (0..game.moves().len())
        .filter(|&i| game.moves()[i] == Move::Pass)
        .collect();
    // After the discs 46, 49, 50 and 53.
    assert_eq!(passes, [46, 50, 52, 56]);
    assert_eq!(game.moves().len(), 64);
    assert_eq!(item.position().discs(Color::Black).count(), 13);
    assert_eq!(item.position().discs(Color::White).count(), 51);
}

#[test]
fn input_07_two_spaces_in_the_board_tag() {
    let text = "(;GM[Othello]BO[8  -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[f5]W[d6];)";
    assert_eq!(one(text).game().transcript(), "f5d6");
}

#[test]
fn input_09_xboard_moves_with_rows_from_the_other_side() {
    let item = one("P@e3 P@f5 P@d6");
    assert_eq!(item.game().transcript(), "e6f4d3");
    assert_eq!(item.warnings, [Warning::MirroredRows]);
    assert_eq!(one("P@f5 P@d6 P@c3").game().transcript(), "f5d6c3");
    // A square twice is a pass, if a pass is legal.
    let start = "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3";
    let moves: Vec<String> = (0..43)
        .map(|i| format!("P@{}", &start[2 * i..2 * i + 2]))
        .collect();
    let item = one(&format!("{} c3c3", moves.join(" ")));
    assert_eq!(item.game().moves().last(), Some(&Move::Pass));
    assert!(bad("P@f5 f5f5").contains("a pass is not allowed while there is a legal move"));
    assert!(bad("f5f5").contains("ply 2, f5: f5 is occupied"));
}

#[test]
fn input_11_lines_with_a_pass_survive() {
    let text = "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3";
    for pass in ["pa", " PA ", "pass", " -- ", "@@@@", "ps", " p "] {
        let game = one(&format!("{text}{pass}")).game();
        assert_eq!(game.moves().len(), 44, "{pass}");
        assert_eq!(game.position().side(), Color::Black);
    }
    let glued = one(&format!("{text}pah7")).game();
    let implied = one(&format!("{text}h7")).game();
    assert_eq!(glued, implied);
    assert_eq!(glued.moves().len(), 45);
}

#[test]
fn input_17_a_cold_table_misjudges() {
    let item = one("--OX-OO---OOOO-X-OOOO-OX-OOOOOXXXOOXXOXX-OOOOOOXXOXX-O-XO--XXXXX X");
    assert_eq!(item.format, Format::Board);
    assert_eq!(item.position().board().empties().count(), 15);
    let moves = legal(&item);
    for square in squares("g7 b2 e7") {
        assert!(moves.contains(&square));
    }
}

#[test]
fn input_19_best_is_a_tie() {
    let item = one(
        "c4c3d3e3d2b4b3c5f3c2a5d1f4e2f1e1f5g1f6g4b6e6g6g3c6g5h5d6f7e7d8e8f8h7h6h4f2a6d7b5a4a3b1g2b2a1c1a2h1g7a7a8h8",
    );
    let position = item.position();
    assert_eq!(position.side(), Color::White);
    let board = position.board();
    assert_eq!(board.empties().count(), 7);
    let value = |square: Square| -solve(board.play(square.into()).unwrap(), -64, 64);
    assert_eq!(value(Square::B7), 0);
    assert_eq!(value(Square::H2), -2);
    assert_eq!(solve(board, -64, 64), 0);
}

#[test]
fn input_21_wipe_outs() {
    let item = one("d3c3b3e3f3e2f6c5e1f4b6c4f5d2c1f2f1d1b4b5a6e6e7d6c2b2a1b1");
    assert_eq!(item.position().board().empties().count(), 32);
    let item = one("f5f4e3f6d3c3c4c5d6f3e6c6");
    let board = item.position().board();
    assert_eq!(board.empties().count(), 48);
    assert_eq!((item.position().side(), board.mobility()), (Color::Black, 14));
    assert_eq!(board.passed().mobility(), 0);
}

#[test]
fn input_26_ffo_40() {
    let text = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36; D8:+34; B1:+30; \
                C1:+30; C6:+28; D7:+28; G7:+28; F7:+26; A6:+24;";
    let item = one(text);
    let Content::Position(scored) = &item.content else {
        panic!()
    };
    assert_eq!(scored.scores.len(), 10);
    assert_eq!(scored.expected().map(Discs::get), Some(38));
    assert_eq!(scored.best_moves(), [Move::Place(Square::A2)]);
    assert_eq!(item.position().board().mobility(), 10);
}

const HEAD: &str =
    "(;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";

#[test]
fn input_27_komi_for_one_player() {
    for (tags, warned) in [
        ("KB[1]", true),
        ("KB[1]KW[-1]", true),
        ("KB[1]KW[1]KM[0]", false),
        ("KM[0.00]", false),
    ] {
        let item = one(&format!("{HEAD}{tags}B[f5];)"));
        assert_eq!(!item.warnings.is_empty(), warned, "{tags}");
    }
    for tags in ["KB[1]KW[1]KM[1]", "KM[1]", "TY[8]KM[-2.5]"] {
        let error = bad(&format!("{HEAD}{tags}B[f5];)"));
        assert!(
            error.contains("a komi game, whose result is shifted, (KM["),
            "{error}"
        );
    }
}

#[test]
fn input_29_games_in_pairs() {
    let game = format!("{HEAD}B[f5]W[d6];)");
    assert_eq!(one(&format!("1 {game}")).warnings, []);
    let pasted = paste(&format!("2 {game}{game}\n\n1 {game}\n{game}\n")).unwrap();
    let lines: Vec<usize> = pasted.items.iter().map(|item| item.line).collect();
    assert_eq!(lines, [1, 1, 3, 4]);
    assert!(pasted.items.iter().all(|item| item.warnings.is_empty()));
    let pasted = paste(&format!("2 {game}")).unwrap();
    assert_eq!(
        pasted.items[0].warnings,
        [Warning::GameCount { claimed: 2, found: 1 }]
    );
    let pasted = paste(&format!("2 {game}{}", game.replace("d6", "d1"))).unwrap();
    assert_eq!((pasted.items.len(), pasted.bad.len()), (1, 1));
    assert!(pasted.bad[0].to_string().ends_with("ply 2, d1: d1 flips nothing"));
}

#[test]
fn input_31_broken_transcripts() {
    for (text, expected) in [
        ("F€5", "ply 1: \"F€5\" is half a move"),
        ("F", "ply 1: \"F\" is half a move"),
        ("f5d6c", "column 5: ply 3: \"c\" is half a move"),
        ("f5 d6 c", "column 7: ply 3: \"c\" is half a move"),
        ("i9", "ply 1: \"i9\": column i is off the board"),
        ("f9", "ply 1: \"f9\": row 9 is off the board"),
        ("a0", "ply 1: \"a0\": row 0 is off the board"),
        ("f5f5", "ply 2, f5: f5 is occupied"),
        ("1.", "no moves found"),
        ("f5d6x", "ply 3: \"x\" is not a move"),
        ("f5 d6 xx c3", "ply 3: \"xx\" is not a move"),
        ("f5 d6 99 c3", "ply 3: number \"99\" where a move is expected"),
        (
            "f5 pass",
            "ply 2: a pass is not allowed while there is a legal move",
        ),
        ("pa", "ply 1: a pass is not allowed"),
        ("+d3+c3", "ply 2: a move of black, but white is to move"),
    ] {
        let error = bad(text);
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

#[test]
fn input_31_transcript_dialects() {
    for text in [
        "f5d6c3d3c4",
        "F5D6C3D3C4",
        "F5d6C3d3C4",
        "f5 d6 c3 d3 c4",
        "f5, d6, c3, d3, c4",
        "F5-D6-C3-D3-C4",
        "1. f5 d6 2. c3 d3 3. c4",
        "1.f5 2.d6 3.c3 4.d3 5.c4",
        "1 f5 2 d6 3 c3 4 d3 5 c4",
        "1f52d63c34d35c4",
        "F5 d6 2. C3 d3 3. C4",
        "+f5-d6+c3-d3+c4: -04 10",
        "+65-46+33-43+34",
        "ｆ５ｄ６ｃ３ｄ３ｃ４",
        "Ｆ５　ｄ６　Ｃ３　ｄ３　Ｃ４",
        "\u{feff}f5d6c3d3c4",
        "f5d6c3d3c4\r\n",
        "f5d6c3d3c4\r",
        "1. f5 d6\n2. c3 d3\n3. c4\n",
        "P@f5 P@d6 P@c3 P@d3 P@c4",
        "f5d6c3d3c4 *",
        "[Black \"x\"]\n[White \"y\"]\n\n1. f5 d6\n2. c3 d3 3. c4\n",
    ] {
        assert_eq!(one(text).game().transcript(), "f5d6c3d3c4", "{text:?}");
    }
    // All four first moves.
    for first in ["f5", "d3", "c4", "e6"] {
        assert_eq!(one(first).game().transcript(), first);
    }
    assert_eq!(
        one("F5d6C3d3C4   Tiger").warnings,
        [Warning::TrailingText("Tiger".into())]
    );
    assert_eq!(one("f5d6 white resigned (62)").warnings.len(), 1);
}

#[test]
fn input_33_othello_quest() {
    let moves: Vec<String> = ["f5", "d6", "c3", "d3", "c4", "f4", "f6", "f3", "e3", "b4", "c5"]
        .iter()
        .map(|mv| format!("{{\"t\":1218,\"m\":\"{mv}\"}}"))
        .collect();
    let text = format!(
        "{{\"name\":\"player\",\"args\":[{{\"gtype\":\"reversi1\",\"players\":[{{\"id\":\"a\",\"name\":\"a\",\"oldR\":1500}},\
         {{\"id\":\"b\",\"name\":\"山田\"}}],\n\"position\":{{\"moves\":[{}]}},\"tcb\":60000,\"finished\":false}}]}}",
        moves.join(",")
    );
    let item = one(&text);
    assert_eq!(item.format, Format::OthelloQuest);
    assert_eq!(item.game().moves().len(), 11);
    let Content::Game(record) = &item.content else {
        panic!()
    };
    assert_eq!(record.tag("PW"), Some("山田"));
    assert_eq!(record.notes[10].seconds(), Some(1.218));
    let cut = &text[..text.len() - 3];
    assert!(
        matches!(paste(cut), Err(PasteError::Bad(bad)) if matches!(bad[0].error.problem, Problem::Json(_)))
    );
}

#[test]
fn input_37_xboard_positions() {
    let item = one("8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1");
    assert_eq!((item.format, item.position()), (Format::Fen, &Position::start()));
    assert_eq!(legal(&item), squares("d3 c4 f5 e6"));
    for text in [
        "8/8/8/3Pp3/3pP3/8/8 w",
        "9/8/8/3Pp3/3pP3/8/8/8 w",
        "8/8/8/3Pp3/3pP3/8/8/8",
    ] {
        bad(text);
    }
}

#[test]
fn input_39_strange_but_legal_positions() {
    for (text, black) in [
        ("-".repeat(64), 0),
        (format!("X{}", "-".repeat(63)), 64),
        (format!("O{}", "-".repeat(63)), -64),
        ("X".repeat(64), 64),
        (format!("{}{}", "X".repeat(32), "O".repeat(32)), 0),
        (format!("{}-", "X".repeat(63)), 64),
    ] {
        for side in ["X", "O"] {
            let item = one(&format!("{text} {side}"));
            assert!(item.warnings.is_empty());
            assert!(item.position().is_game_over(), "{text}");
            assert_eq!(item.position().final_discs(Color::Black).get(), black, "{text}");
            assert_eq!(item.position().final_discs(Color::White).get(), -black, "{text}");
            assert_eq!(item.position().legal_moves(), []);
        }
    }
    let item = one(&format!("{}- X", "X".repeat(63)));
    assert_eq!(item.position().board().raw_difference(), 63);
}

#[test]
fn input_41_other_start_positions() {
    let item = one("---------------------------XO------OX--------------------------- X");
    assert_eq!(legal(&item), squares("e3 f4 c5 d6"));
    let item = one("---------------------------XX------OO--------------------------- X");
    assert_eq!(legal(&item), squares("c6 d6 e6 f6"));
}

#[test]
fn input_43_a_ring() {
    let mut squares = vec!['-'; 64];
    for (at, text) in [(26, "OOO"), (34, "OXO"), (42, "OOO")] {
        for (i, c) in text.chars().enumerate() {
            squares[at + i] = c;
        }
    }
    let text: String = squares.iter().collect();
    let black = one(&format!("{text} X"));
    assert_eq!(legal(&black).len(), 8);
    let white = one(&format!("{text} O"));
    assert_eq!(white.position().legal_moves(), [Move::Pass]);
}

#[test]
fn acceptance_board_dialects() {
    let start = Position::start();
    let rows = "........ ........ ........ ...WB... ...BW... ........ ........ ........";
    for text in [
        "---------------------------OX------XO--------------------------- X".to_owned(),
        "---------------------------OX------XO---------------------------X".to_owned(),
        "...........................ox......xo........................... x".to_owned(),
        "...........................WB......BW...........................B".to_owned(),
        "---------------------------O*------*O--------------------------- *".to_owned(),
        "---------------------------OX------XO--------------------------- black".to_owned(),
        "---------------------------OX------XO--------------------------- X to move".to_owned(),
        "---------------------------OX------XO--------------------------- X;".to_owned(),
        "---------------------------OX------XO--------------------------- X % start".to_owned(),
        "・・".replace('・', "") + "---------------------------○●------●○--------------------------- ●",
        "－".repeat(27) + "ＯＸ" + &"－".repeat(6) + "ＸＯ" + &"－".repeat(27) + "　Ｘ",
        format!("[8 {rows} *]"),
        format!("[8 {} *]", rows.replace(' ', "\n")),
        format!("{rows} b"),
        format!("{} b", rows.replace(' ', "\n")),
        format!("{}\nX", rows.replace(' ', "\n")),
        format!("{}\n\r\n", rows.replace(' ', "\r\n")).replace("\n\r\n", "\nblack\r\n"),
        board::draw(&start),
        format!("{:?}", start.board()),
        "|   A B C D E F G H\n| 1 - - - - - - - - 1\n| 2 - - - - - - - - 2\n| 3 - - - - - - - - 3\n\
         | 4 - - - O * - - - 4\n| 5 - - - * O - - - 5\n| 6 - - - - - - - - 6\n| 7 - - - - - - - - 7\n\
         | 8 - - - - - - - - 8\n|   A B C D E F G H\n|\n|* to move\nREADY\n"
            .to_owned(),
    ] {
        let item = one(&text);
        assert_eq!(item.position(), &start, "{text}");
        assert_eq!(item.warnings, [], "{text}");
    }
    let digits = one("...........................10......01........................... 0");
    assert_eq!(digits.position(), &start);
    assert_eq!(digits.warnings, [Warning::Digits]);
}

#[test]
fn acceptance_missing_side() {
    // Parity, with a note.
    let item = one("---------------------------OX------XO---------------------------");
    assert_eq!(item.position(), &Position::start());
    assert!(matches!(
        item.warnings[..],
        [Warning::SideAssumed {
            side: Color::Black,
            ..
        }]
    ));
    // Black by parity has no move, white has.
    let text = format!("OX{}", "-".repeat(62));
    let item = one(&text);
    assert_eq!(item.position().side(), Color::White);
    assert!(matches!(
        item.warnings[..],
        [Warning::SideAssumed {
            side: Color::White,
            ..
        }]
    ));
    // Openings and solved lists: text, or a number, behind the board.
    let item = one("...........................10......010.......1.................. Diagonal Opening");
    assert_eq!(item.warnings.len(), 3);
    let item = one("OX-XOOO--OXXXO---XOXOXXX--OOXXXO--OOXOOO-XOOXO-O--OOX--O--OXXX-- X 20");
    assert!(
        matches!(&item.content, Content::Position(scored) if scored.expected().is_some_and(|discs| discs.get() == 20))
    );
    assert_eq!(item.warnings, [Warning::BareScore("20".into())]);
}

#[test]
fn acceptance_a_board_and_moves() {
    let item = one("---------------------------OX------XO--------------------------- X f5d6c3");
    assert_eq!(item.game().transcript(), "f5d6c3");
    let error = bad("---------------------------OX------XO--------------------------- X f5d6a1");
    assert_eq!(error, "line 1, column 72: ply 3, a1: a1 flips nothing");
}

#[test]
fn acceptance_sgf_dialects() {
    for text in [
        "(;GM[2]FF[4]CA[UTF-8]AP[Quarry:0.2.0]SZ[8]RE[W+59];B[fe];W[df];B[cc])",
        "(;FF[4]GM[2]AP[edax:4.5.6]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]RE[B+4]B[f5];W[d6];B[c3];)",
        "(;GM[2]SZ[8];B[f5](;W[d6];B[c3])(;W[f6];B[e6]))",
    ] {
        let item = one(text);
        assert_eq!(item.format, Format::Sgf);
        assert_eq!(item.game().transcript(), "f5d6c3", "{text}");
    }
    for pass in ["", "tt", "PA", "pass", "--"] {
        let error = bad(&format!("(;GM[2];B[f5];W[{pass}])"));
        assert!(error.contains("ply 2: a pass is not allowed"), "{error}");
    }
    assert!(bad("(;GM[1];B[dd])").contains("a game of \"1\", not Othello"));
    assert!(bad("(;GM[2];B[f5];B[d6])").contains("ply 2, d6: a move of black, but white is to move"));
    assert!(bad("(;GM[2]AB[d4]AW[d4];B[f5])").contains("d4: discs of both colors"));
}

#[test]
fn latin1_names_are_read() {
    let mut bytes = format!("{HEAD}PB[St").into_bytes();
    bytes.push(0xE9);
    bytes.extend(b"phane]B[f5];)\n");
    let pasted = paste_bytes(&bytes).unwrap();
    let Content::Game(record) = &pasted.items[0].content else {
        panic!()
    };
    assert_eq!(record.tag("PB"), Some("Stéphane"));
    assert_eq!(pasted.items[0].warnings, [Warning::Latin1]);
}
