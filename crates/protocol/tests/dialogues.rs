//! Golden transcripts of every protocol: what is said, and what is answered, also while a search runs.
//!
//! A script is a file in `tests/golden`. Its lines beginning with `<` are fed to the session; `! finish` ends the search
//! that runs, `! news` reports from it, `! wait 500` lets so many milliseconds pass, `! late 500 LINE` feeds a line that has
//! come so many milliseconds ago, `! trouble` reports one, `! eof` ends the input; `<<` is `<` followed by the end of every search that it
//! starts. Lines beginning with `>` are what comes back, `*` what else is asked for. `UPDATE_GOLDEN=1` writes them anew.
//! The search is a fixed one: the first legal move, worth +1.25 discs.

#[path = "common/support.rs"]
mod support;

use outflank_book::{Book, Count, Fact, Kind, SharedBook, Slot, UNITS, Worked, Worth};
use outflank_eval::Score;
use outflank_othello::{Move, Position, Square};
use outflank_othello_engine::Request;
use outflank_protocol::{
    BotzoneEngine, CassioEngine, Dialogue, DialogueBook, GtpEngine, NBoardEngine, UgiEngine, XboardEngine,
};
use std::{
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};
use support::Talk;

#[track_caller]
fn check<D: Dialogue<Game = Position, Value = Score>>(name: &str, dialogue: D) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.txt"));
    let script = std::fs::read_to_string(&path).expect("the script");
    let mut talk = Talk::new(dialogue);
    let mut transcript = String::new();
    for line in script.lines() {
        if line.starts_with('>') || line.starts_with('*') {
            continue;
        }
        transcript.push_str(line);
        transcript.push('\n');
        let rest = line.get(2..).unwrap_or_default();
        match line.split(' ').next().unwrap_or_default() {
            "<" => talk.line(rest),
            "<<" => {
                talk.line(rest.trim_start());
                while talk.finish() {}
            }
            "!" => match rest {
                "finish" => assert!(talk.finish(), "{name}: no search runs at {line:?}"),
                "news" => talk.news(),
                "eof" => talk.eof(),
                "trouble" => talk.complain("something has failed"),
                _ => {
                    let mut words = rest.splitn(3, ' ');
                    let (word, millis) = (words.next(), words.next().map(str::parse));
                    match (word, millis, words.next()) {
                        (Some("wait"), Some(Ok(millis)), None) => talk.wait(Duration::from_millis(millis)),
                        (Some("late"), Some(Ok(millis)), Some(line)) => {
                            talk.late_line(line, Duration::from_millis(millis));
                        }
                        _ => panic!("{name}: unknown directive {line:?}"),
                    }
                }
            },
            "" | "#" => {}
            _ => panic!("{name}: what is {line:?}?"),
        }
        // The version changes with every release, and is none of a dialogue's business.
        transcript.push_str(&talk.take().replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &transcript).expect("written");
    } else {
        assert_eq!(transcript, script, "{name}: the dialogue has changed");
    }
}

fn strength() -> Request {
    Request::default().depth(6)
}

#[test]
fn gtp() {
    check(
        "gtp",
        GtpEngine::<Position, Score>::new(strength(), Request::default()),
    );
}

#[test]
fn nboard() {
    check("nboard", NBoardEngine::new(strength()));
}

#[test]
fn ugi() {
    check("ugi", UgiEngine::new(strength()));
}

#[test]
fn cassio() {
    check("cassio", CassioEngine::new());
}

#[test]
fn xboard() {
    check("xboard", XboardEngine::new(strength()));
}

#[test]
fn botzone() {
    check("botzone_json", BotzoneEngine::new(strength(), true));
    check("botzone_simple", BotzoneEngine::new(strength(), true));
    check("botzone_once", BotzoneEngine::new(strength(), false));
}

#[test]
fn gtp_loads_files_through_whoever_may_open_them() {
    let engine =
        GtpEngine::<Position, Score>::new(strength(), Request::default()).with_files(|name| match name {
            "a game.sgf" => Ok("\u{feff}(;GM[2]FF[4]SZ[8];B[f5];W[d6]\n;B[c3];W[d3];B[c4])\r\n"
                .as_bytes()
                .to_vec()),
            "go.sgf" => Ok(b"(;GM[1]FF[4]SZ[19];B[dd])".to_vec()),
            name => Err(format!("{name}: no such file")),
        });
    let mut talk = Talk::new(engine);
    let mut say = |line: &str| {
        talk.line(line);
        while talk.finish() {}
        talk.take()
    };
    for (line, transcript, side) in [
        ("loadsgf a game.sgf", "f5d6c3d3c4", "white"),
        ("LoadSgf a game.sgf 3", "f5d6", "black"),
        ("loadsgf a game.sgf 1", "", "black"),
        ("loadsgf a game.sgf 99", "f5d6c3d3c4", "white"),
    ] {
        assert_eq!(say(line), "* forget\n> =\n> \n", "{line}");
        let answer = if transcript.is_empty() {
            "> =\n> \n".to_owned()
        } else {
            format!("> = {transcript}\n> \n")
        };
        assert_eq!(say("outflank-transcript"), answer, "{line}");
        assert_eq!(
            say("gogui-rules_side_to_move"),
            format!("> = {side}\n> \n"),
            "{line}"
        );
    }
    assert_eq!(say("undo"), "> =\n> \n");
    assert_eq!(say("outflank-transcript"), "> = f5d6c3d3\n> \n");
    // What cannot be loaded changes nothing.
    assert_eq!(
        say("loadsgf missing.sgf"),
        "> ? cannot load file: missing.sgf: no such file\n> \n"
    );
    assert!(say("loadsgf go.sgf").starts_with("> ? cannot load file: "));
    assert_eq!(say("outflank-transcript"), "> = f5d6c3d3\n> \n");
}

/// A book of three positions, which knows two answers to f5 d6, one of them proved.
fn book() -> SharedBook {
    let mut book = Book::new();
    let source = book.source("test").expect("room");
    let start = Position::start().board();
    let after = |mut position: Position, moves: &[Square]| {
        for &square in moves {
            position.play(Move::Place(square)).expect("legal");
        }
        position.board()
    };
    let board = after(Position::start(), &[Square::F5, Square::D6]);
    for (square, discs, worth) in [
        (Square::C3, 1, Worth::new(Kind::Estimate, 6, 73)),
        (Square::C4, -2, Worth::EXACT),
    ] {
        let fact = Fact::new(discs * UNITS, worth, source);
        book.add(board, Slot::Move(square), fact).expect("legal");
    }
    let count = Count { games: 10, mean: 0 };
    book.add_count(board, Square::C3, count).expect("legal");
    book.add_position(after(Position::start(), &[Square::F5]))
        .expect("moves");
    book.add_position(start).expect("moves");
    SharedBook::new(Some(Arc::new(Worked::new(book))))
}

/// The same, beside which there is a file of an empty one.
fn dialogue_book(shared: &SharedBook) -> DialogueBook {
    DialogueBook::new(shared.clone()).with_files(|name| match name {
        "an empty one.ofb" => Ok(Arc::new(Worked::new(Book::new()))),
        name => Err(format!("{name}: no such file")),
    })
}

/// Says what is answered to one line.
fn said<D: Dialogue<Game = Position, Value = Score>>(talk: &mut Talk<D>, line: &str) -> String {
    talk.line(line);
    while talk.finish() {}
    talk.take()
}

#[test]
fn nboard_hears_what_the_book_says_before_the_search() {
    let games = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&games);
    let engine = NBoardEngine::new(strength())
        .with_book(dialogue_book(&book()))
        .with_learning(move |game| {
            let mut kept = kept.lock().expect("nobody has failed");
            if kept.len() == 1 {
                return Err("the disk is full".to_owned());
            }
            kept.push(game.transcript());
            Ok(())
        });
    let mut talk = Talk::new(engine);
    said(&mut talk, "move F5");
    let hint = said(&mut talk, "hint 2");
    assert!(
        hint.starts_with("> book d6C3 -1.00 0 7\n> status Thinking\n"),
        "{hint}"
    );
    said(&mut talk, "move D6");
    let hint = said(&mut talk, "hint 2");
    let lines = "> book C3 +1.00 10 6\n> book C4 -2.00 0 100%\n> status Thinking\n";
    assert!(hint.starts_with(lines) && hint.contains("\n> search "), "{hint}");
    said(&mut talk, "move C5");
    let hint = said(&mut talk, "hint 1");
    assert!(hint.starts_with("> status Thinking\n"), "{hint}");
    assert!(said(&mut talk, "learn").ends_with("> learned\n"));
    assert_eq!(*games.lock().expect("nobody has failed"), ["f5d6c5"]);
    let full = said(&mut talk, "learn");
    assert!(
        full.starts_with("> status Error: learn: the disk is full\n"),
        "{full}"
    );
    assert!(full.ends_with("> learned\n"), "{full}");
}

#[test]
fn gtp_answers_questions_about_the_book() {
    let engine = GtpEngine::<Position, Score>::new(strength(), Request::default());
    let mut talk = Talk::new(engine.with_book(dialogue_book(&book())));
    for (line, answer) in [
        ("play b f5", "="),
        ("outflank-book_value", "= -1.00, depth 7"),
        ("play w d6", "="),
        (
            "1 outflank-book_moves",
            "=1 C3 +1.00, depth 6, 10 games\n> C4 -2.00, proved",
        ),
        ("outflank-book_value", "= +1.00, depth 6, 10 games"),
        ("outflank-book_load nowhere.ofb", "? nowhere.ofb: no such file"),
        ("outflank-book_value", "= +1.00, depth 6, 10 games"),
        ("outflank-book_load an empty one.ofb", "="),
        ("outflank-book_moves", "="),
        ("outflank-book_value", "? not in the book"),
        ("known_command outflank-book_load", "= true"),
    ] {
        assert_eq!(said(&mut talk, line), format!("> {answer}\n> \n"), "{line}");
    }
    let menu = said(&mut talk, "gogui-analyze_commands");
    assert!(menu.contains("string/Book moves/outflank-book_moves\n"), "{menu}");
}

#[test]
fn ugi_takes_another_book_and_leaves_it() {
    let shared = book();
    let mut talk = Talk::new(UgiEngine::new(strength()).with_book(dialogue_book(&shared), "my.ofb"));
    let options = said(&mut talk, "ugi");
    assert!(
        options.contains("> option name BookFile type string default my.ofb\n"),
        "{options}"
    );
    assert!(
        options.contains("> option name OwnBook type check default true\n"),
        "{options}"
    );
    assert!(shared.to_play().is_some());
    assert_eq!(said(&mut talk, "setoption name OwnBook value false"), "");
    assert!(shared.to_play().is_none() && shared.get().is_some());
    assert_eq!(said(&mut talk, "setoption name OwnBook value true"), "");
    assert!(shared.to_play().is_some());
    assert_eq!(
        said(&mut talk, "setoption name OwnBook value maybe"),
        "> info string setoption: OwnBook: expected true or false, got \"maybe\"\n"
    );
    assert_eq!(
        said(&mut talk, "setoption name BookFile value nowhere.ofb"),
        "> info string setoption: nowhere.ofb: no such file\n"
    );
    assert_eq!(shared.get().expect("the old one").positions(), 3);
    assert_eq!(
        said(&mut talk, "setoption name BookFile value an empty one.ofb"),
        ""
    );
    assert_eq!(shared.get().expect("the new one").positions(), 0);
    assert_eq!(said(&mut talk, "setoption name BookFile value <empty>"), "");
    assert!(shared.get().is_none());
}

#[test]
fn xboard_shows_the_book() {
    let mut talk = Talk::new(XboardEngine::new(strength()).with_book(dialogue_book(&book())));
    for line in ["new", "force", "f5", "d6"] {
        said(&mut talk, line);
    }
    assert_eq!(
        said(&mut talk, "bk"),
        ">  P@c3 +1.00, depth 6, 10 games\n>  P@c4 -2.00, proved\n> \n"
    );
    said(&mut talk, "c5");
    assert_eq!(said(&mut talk, "bk"), ">  not in the book\n> \n");
}
