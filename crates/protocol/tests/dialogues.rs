//! Golden transcripts of every protocol: what is said, and what is answered, also while a search runs.
//!
//! A script is a file in `tests/golden`. Its lines beginning with `<` are fed to the session; `! finish` ends the search
//! that runs, `! news` reports from it, `! wait 500` lets so many milliseconds pass, `! late 500 LINE` feeds a line that has
//! come so many milliseconds ago, `! trouble` reports one, `! eof` ends the input; `<<` is `<` followed by the end of every search that it
//! starts. Lines beginning with `>` are what comes back, `*` what else is asked for. `UPDATE_GOLDEN=1` writes them anew.
//! The search is a fixed one: the first legal move, worth +1.25 discs.

#[path = "common/support.rs"]
mod support;

use outflank_eval::Score;
use outflank_othello::Position;
use outflank_othello_engine::Request;
use outflank_protocol::{
    BotzoneEngine, CassioEngine, Dialogue, GtpEngine, NBoardEngine, UgiEngine, XboardEngine,
};
use std::{path::Path, time::Duration};
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
        transcript.push_str(&talk.take());
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
