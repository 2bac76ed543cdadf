//! Results and variants: what a record states is kept, compared with the moves, and refused where other rules apply.

use outflank_records::{
    Content, GameRecord, Item, PasteError, Problem, Warning, ggf, paste, pgn,
    wthor::{NO_SCORE, Wthor, WthorWriter, discs_from_score},
};

#[track_caller]
fn one(text: &str) -> Item {
    match paste(text) {
        Ok(mut pasted) if pasted.items.len() == 1 && pasted.bad.is_empty() => pasted.items.remove(0),
        other => panic!("{text:?}: {other:?}"),
    }
}

#[track_caller]
fn record(text: &str) -> GameRecord {
    match one(text).content {
        Content::Game(record) => record,
        Content::Position(_) => panic!("{text:?} is a position"),
    }
}

#[track_caller]
fn bad(text: &str) -> String {
    match paste(text) {
        Err(PasteError::Bad(bad)) if bad.len() == 1 => bad[0].to_string(),
        other => panic!("{text:?}: {other:?}"),
    }
}

const HEAD: &str =
    "(;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";
/// Ends 13–51 with every square taken.
const FULL: &str = "f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6f7g3e1c5c6h4g4d2h6f8h5h7h3h2c1d1a4a6a5f1a7d7c7b6g1b3e8d8g2b7\
                    b8a8c8g8g7h8a2a3h1a1b2c2b1";
/// White is wiped out after nine discs: 13–0.
const WIPE_OUT: &str = "f5d6c5f4e3f6g5e6e7";

fn of_transcript(text: &str) -> GameRecord {
    record(text)
}

/// The record as GGF with a result tag in place of what it had.
fn with_result(record: &GameRecord, result: &str) -> String {
    let mut record = record.clone();
    record.tags.retain(|(key, _)| key != "RE");
    record.add_tag("RE", result);
    ggf::write(&record)
}

fn wthor_of(records: &[GameRecord]) -> Wthor {
    let mut writer = WthorWriter::default();
    for record in records {
        writer.add(record).expect("a game from the start");
    }
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).expect("a vector takes every byte");
    Wthor::read(bytes.as_slice()).expect("a whole header")
}

#[test]
fn wthor_holds_the_stated_result() {
    for (result, black) in [
        ("-64.00:l", 0),
        ("+12.00:r", 38),
        ("-2:t", 31),
        ("W+R", 31),
        ("B+T", 33),
        ("0", 32),
        ("?", 34),
    ] {
        // Three moves: 4–3 on the board would be black's.
        let record = record(&format!("{HEAD}RE[{result}]B[f5]W[d6]B[c3];)"));
        let file = wthor_of(&[record]);
        if result != "?" {
            assert_eq!(file.games[0].record.real_score, black, "{result}");
        }
        assert_eq!(file.header.depth, 1, "nothing is solved");
        assert_eq!(file.games[0].theoretical_position(), None, "{result}");
    }
}

#[test]
fn a_theoretical_score_is_there_only_where_it_was_solved() {
    let finished = of_transcript(FULL);
    let file = wthor_of(std::slice::from_ref(&finished));
    let game = &file.games[0];
    assert_eq!((game.record.real_score, game.score_agrees()), (13, Some(true)));
    // From one empty on the last position is what perfect play gives: no claim.
    let (position, discs) = game.theoretical_position().expect("a position with one empty");
    assert_eq!((position.board().empties().count(), discs.get()), (1, 13 - 51));
    // A result that the moves do not give stays, but is no label.
    let stated = record(&with_result(&finished, "+20:t"));
    let game = wthor_of(&[stated]).games.remove(0);
    assert_eq!((game.record.real_score, game.record.theoretical_score), (42, 13));
    // Solved elsewhere: the depth of the file, and no score for the others.
    let mut solved = finished.clone();
    solved.add_tag(
        "CO",
        "WTHOR tournament 1 black 2 white 3 real 13 theoretical 20 at 24",
    );
    let file = wthor_of(&[solved.clone(), finished.clone()]);
    assert_eq!(file.header.depth, 24);
    assert_eq!(file.games[0].record.theoretical_score, 20);
    assert_eq!(file.games[1].record.theoretical_score, NO_SCORE);
    assert_eq!(discs_from_score(NO_SCORE), None);
    assert_eq!(file.games[1].theoretical_position(), None);
    // Solved from another number of empties: that of most games counts.
    let mut other = finished.clone();
    other.add_tag(
        "CO",
        "WTHOR tournament 1 black 2 white 3 real 13 theoretical 22 at 22",
    );
    let file = wthor_of(&[other.clone(), solved, other]);
    assert_eq!(file.header.depth, 22);
    let scores: Vec<u8> = file
        .games
        .iter()
        .map(|game| game.record.theoretical_score)
        .collect();
    assert_eq!(scores, [22, NO_SCORE, 22]);
    let mut writer = WthorWriter::default();
    let discs = outflank_othello::Discs::new(-24).expect("a margin");
    writer
        .add_solved(&finished, discs, 20)
        .expect("a game from the start");
    assert_eq!(writer.header().depth, 20);
}

fn differs(item: &Item) -> bool {
    item.warnings
        .iter()
        .any(|warning| matches!(warning, Warning::ResultDiffers { .. }))
}

#[test]
fn a_wrong_result_is_said_whatever_the_format() {
    let finished = of_transcript(FULL);
    for (text, wrong) in [
        (format!("[Result \"13-51\"]\n\n{FULL} 13-51"), false),
        (format!("[Result \"14-50\"]\n\n{FULL} 14-50"), true),
        (format!("[Result \"14-50\"]\n\n{FULL}"), true),
        (format!("[Result \"0-1\"]\n\n{FULL} 0-1"), false),
        (format!("[Result \"1-0\"]\n\n{FULL} 1-0"), true),
        (format!("{FULL} 14-50"), true),
        (with_result(&finished, "-38"), false),
        (with_result(&finished, "-36"), true),
        // Not the score of the board: not compared.
        (with_result(&finished, "+64:t"), false),
        (format!("(;GM[2]SZ[8]RE[W+38];{}", &moves_of(FULL)), false),
        (format!("(;GM[2]SZ[8]RE[W+36];{}", &moves_of(FULL)), true),
        (format!("(;GM[2]SZ[8]RE[B+R];{}", &moves_of(FULL)), false),
    ] {
        let item = one(&text);
        assert_eq!(differs(&item), wrong, "{text}: {:?}", item.warnings);
    }
}

/// The moves of a transcript without passes as SGF; the colors are those of the rules.
fn moves_of(text: &str) -> String {
    let record = of_transcript(text);
    let text = outflank_records::sgf::write(&record);
    text[text.find(";B[").expect("a move") + 1..].to_owned()
}

#[test]
fn raw_counts_are_no_wrong_results() {
    // Quarry counts what is on the board: 13–0 is B+13, not +64.
    let sgf = format!("(;GM[2]FF[4]AP[Quarry:0.2.0]SZ[8]RE[B+13];{}", moves_of(WIPE_OUT));
    let item = one(&sgf);
    assert_eq!(
        item.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["the result +13 counts without the empty squares: with them it is +64"]
    );
    for (text, raw) in [
        (sgf.replace("B+13", "B+64"), false),
        (format!("[Result \"13-0\"]\n\n{WIPE_OUT}"), false),
        (with_result(&of_transcript(WIPE_OUT), "+13.0"), true),
    ] {
        let item = one(&text);
        assert!(!differs(&item), "{text}");
        let said = item
            .warnings
            .iter()
            .any(|warning| matches!(warning, Warning::RawResult { .. }));
        assert_eq!(said, raw, "{text}");
    }
    assert!(differs(&one(&sgf.replace("B+13", "B+12"))));
    // In WTHOR it has the empties.
    assert_eq!(wthor_of(&[record(&sgf)]).games[0].record.real_score, 64);
}

#[test]
fn pgn_keeps_its_result_and_invents_nothing() {
    let text = format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"-\"]\n[Black \"x\"]\n[White \"?\"]\n[Result \"13-51\"]\n\n{FULL} 13-51"
    );
    let record = pgn::parse(&text).expect("a game").value;
    let tags: Vec<(&str, &str)> = record
        .tags
        .iter()
        .map(|(key, value)| (&**key, &**value))
        .collect();
    assert_eq!(tags, [("PB", "x"), ("RE", "-38")]);
    assert!(ggf::write(&record).contains("RE[-38]"));
    for (result, expected) in [
        ("36-28", Some("+8")),
        ("0-1", Some("-38")),
        ("*", None),
        ("70-10", Some("+60")),
    ] {
        let text = format!("[Site \"PlayOK\"]\n[Result \"{result}\"]\n\n{FULL}");
        let record = pgn::parse(&text).expect("a game").value;
        assert_eq!(record.tag("RE"), expected, "{result}");
        assert_eq!((record.tag("PC"), record.tag("RESULT")), (Some("PlayOK"), None));
    }
    // From the end of the moves where no tag has it; of a game that is given up.
    let record = pgn::parse("[Black \"x\"]\n\n1. f5 d6 2. c3 0-64")
        .expect("a game")
        .value;
    assert_eq!(record.tag("RE"), Some("-64"));
    let record = pgn::parse("[Result \"1-0\"]\n\n1. f5 d6 2. c3")
        .expect("a game")
        .value;
    assert_eq!((record.tag("RE"), record.tag("RESULT")), (None, Some("1-0")));
}

#[test]
fn other_rules_are_refused_by_name() {
    for (tags, expected) in [
        (
            "TY[8a]",
            "anti-Othello, where fewer discs win, (TY[8a]) is not supported",
        ),
        (
            "TY[s8ab]",
            "anti-Othello, where fewer discs win, (TY[s8ab]) is not supported",
        ),
        (
            "TY[8k]KM[3]",
            "a komi game, whose result is shifted, (TY[8k]) is not supported",
        ),
        (
            "TY[8kr20]",
            "a komi game, whose result is shifted, (TY[8kr20]) is not supported",
        ),
        ("TY[10]", "board of side \"10\", only 8 can be read"),
        ("TY[88]", "an octagonal board (TY[88]) is not supported"),
    ] {
        let error = bad(&format!("{HEAD}{tags}B[f5]W[d6];)"));
        assert!(error.contains(expected), "{tags}: {error}");
    }
    for tags in ["TY[8]", "TY[8b]", "TY[8w]", "TY[s8r18]", "TY[88r]x", "TY[rated]"] {
        if tags.ends_with(']') {
            assert!(
                one(&format!("{HEAD}{tags}B[f5]W[d6];)")).warnings.is_empty(),
                "{tags}"
            );
        }
    }
    for (text, expected) in [
        (
            "(;GM[1]FF[4]SZ[19];B[pd])",
            "a game of \"1\", not Othello: Go (GM[1])",
        ),
        (
            "(;GM[4]SZ[15];B[hh])",
            "a game of \"4\", not Othello: Gomoku (GM[4]) is read with --game gomoku",
        ),
        ("(;GM[Amazons]B[f5];)", "a game of \"Amazons\", not Othello"),
        ("(;GM[2]SZ[6];B[cc])", "board of side \"6\", only 8 can be read"),
    ] {
        let error = bad(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
    assert!(matches!(
        ggf::parse(&format!("{HEAD}TY[8a];)"))
            .expect_err("another game")
            .problem,
        Problem::Variant { .. }
    ));
}

#[test]
fn impossible_tags_are_remarked_on() {
    for (tags, expected) in [
        ("RE[+70]", "the result \"+70\" is not understood"),
        ("RE[-64.5:r]", "the result \"-64.5:r\" is not understood"),
        ("RE[won]", "the result \"won\" is not understood"),
        ("TI[-5:00]", "the time \"-5:00\" is negative"),
        (
            "TB[05:00/-00:05/02:00]",
            "the time \"05:00/-00:05/02:00\" is negative",
        ),
    ] {
        let item = one(&format!("{HEAD}{tags}B[f5];)"));
        let said: Vec<String> = item.warnings.iter().map(ToString::to_string).collect();
        assert!(said.len() == 1 && said[0].contains(expected), "{tags}: {said:?}");
    }
    let item = one(&format!("{HEAD}B[f5/-2.5/-3];)"));
    assert_eq!(item.warnings, [Warning::OddTime("-3".into())]);
    for tags in [
        "RE[?]",
        "RE[]",
        "RE[+64.00:t]",
        "TI[15:00//02:00]",
        "DT[2004-09-18]",
    ] {
        assert_eq!(one(&format!("{HEAD}{tags}B[f5];)")).warnings, [], "{tags}");
    }
}
