//! Every call as a message: results, limits, refusals, the committed schemas, and the page that describes the JSON.

use outflank_api::{Call, Capabilities, Engines, Error, run, schema};
use outflank_book::{Book, Fact, Kind, Slot, UNITS, Worked, Worth};
use outflank_othello::{Game, Square};
use outflank_records::{
    GameRecord,
    wthor::{NameFile, NameKind, WthorWriter},
};
use outflank_search::{StopToken, SystemClock};
use outflank_study::book::Shelf;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::PathBuf,
    sync::Arc,
};

const NONE: Capabilities<'_> = Capabilities::NONE;

/// Sends a message, and returns what is said to it.
fn call(message: &Value, capabilities: &Capabilities<'_>) -> Result<Vec<Value>, Error> {
    let request: Call = serde_json::from_value(message.clone()).expect("a request");
    // What is written can be read again.
    let again = serde_json::to_value(&request).expect("JSON");
    assert_eq!(serde_json::from_value::<Call>(again).expect("the same"), request);
    let mut events = Vec::new();
    run(
        &request,
        capabilities,
        &SystemClock::shared(),
        &StopToken::new(),
        &mut |event| {
            events.push(serde_json::to_value(&event).expect("JSON"));
        },
    )?;
    Ok(events)
}

#[track_caller]
fn said(message: &Value) -> Vec<Value> {
    call(message, &NONE).expect("an answer")
}

const FFO_1: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

#[test]
fn both_games_are_analyzed() {
    let events = said(&json!({
        "call": "analyze", "input": {"text": "f5d6c3"}, "limits": {"depth": 4}, "lines": 2, "progress": true, "table_bytes": 1048576
    }));
    let (last, stages) = events.split_last().expect("events");
    assert!(
        stages.len() >= 4 && stages.iter().all(|stage| stage["progress"]["rank"].is_u64()),
        "{stages:?}"
    );
    assert_eq!(
        (&last["kind"], &last["depth"], &last["side"]),
        (&json!("estimate"), &json!(4), &json!("O"))
    );
    assert_eq!(last["lines"].as_array().map(Vec::len), Some(2));
    assert_eq!(last["lines"][0]["move"], last["move"]);
    let exact =
        said(&json!({"call": "analyze", "input": {"text": FFO_1}, "goal": "exact", "table_bytes": 1048576}));
    assert_eq!(
        (&exact[0]["value"], &exact[0]["move"]),
        (&json!(18), &json!("g8"))
    );
    let gomoku = said(&json!({
        "call": "analyze", "game": "gomoku", "input": {"text": "h8i9h9i8h10i10h11"}, "limits": {"nodes": 2000}, "table_bytes": 1048576
    }));
    assert!(
        gomoku[0]["board"].is_null() && gomoku[0]["history"] == "h8i9h9i8h10i10h11",
        "{gomoku:?}"
    );
    assert!(
        ["h7", "h12"].contains(&gomoku[0]["move"].as_str().expect("a move")),
        "a four is blocked: {gomoku:?}"
    );
}

#[test]
fn both_games_are_solved() {
    let events = said(&json!({"call": "solve", "input": {"text": FFO_1}, "table_bytes": 1048576}));
    assert_eq!(events[0]["value"], 18);
    assert_eq!(events[1]["summary"]["positions"], 1);
    let win = said(&json!({"call": "solve", "game": "gomoku", "input": {"text": "h8a1i8a3j8a5"}}));
    assert_eq!(
        (&win[0]["kind"], &win[0]["verified"]),
        (&json!("vcf"), &json!(true)),
        "{win:?}"
    );
    let over = call(
        &json!({"call": "solve", "game": "gomoku", "input": {"text": "h8a1i8a3j8a5k8a7l8"}}),
        &NONE,
    );
    assert!(over.expect_err("over").to_string().contains("the game is over"));
}

#[test]
fn games_are_reviewed_shown_converted_named_and_gone_on_with() {
    let review = said(&json!({"call": "review", "input": {"text": "f5d6c3"}, "level": 1}));
    let moves: Vec<&Value> = review.iter().filter(|event| event["move"].is_string()).collect();
    assert_eq!(moves.len(), 3);
    assert_eq!(
        review.last().expect("a summary")["summary"]["transcript"],
        "f5d6c3"
    );
    let damaged = said(&json!({"call": "review", "input": {"text": "f5d6a1"}, "level": 1}));
    let summary = &damaged.last().expect("a summary")["summary"];
    assert_eq!(summary["transcript"], "f5d6");
    assert!(
        summary["stopped"]
            .as_str()
            .is_some_and(|reason| reason.contains("a1")),
        "{summary}"
    );
    let review = said(&json!({
        "call": "review", "game": "gomoku", "input": {"text": "h8g8i8g7j8g9k8o1l8m8"}, "level": 2
    }));
    let moves: Vec<&Value> = review.iter().filter(|event| event["move"].is_string()).collect();
    assert_eq!((moves.len(), &moves[7]["allowed"]["line"]), (9, &json!(["l8"])));
    assert!(review.contains(&json!({"reviewing": [9, 9]})));
    let summary = &review.last().expect("a summary")["summary"];
    assert_eq!(
        (&summary["result"], &summary["rule"]),
        (&json!("black"), &json!("freestyle"))
    );
    assert!(
        summary["stopped"]
            .as_str()
            .is_some_and(|reason| reason.contains("move 10")),
        "{summary}"
    );
    let shown = said(&json!({"call": "show", "input": {"text": "f5d6c3"}, "ply": 1}));
    assert_eq!(
        (&shown[0]["empties"], &shown[0]["moves"]),
        (&json!(59), &json!(["f5"]))
    );
    let shown = said(&json!({
        "call": "show", "game": "gomoku", "input": {"text": "h8i9h9i8h10i10h11"}, "rules": {"rule": "renju"}
    }));
    assert_eq!(shown[0]["opponent_fives"], json!(["h7", "h12"]));
    let sgf = said(&json!({"call": "convert", "input": {"text": "f5d6c3"}, "to": "sgf"}));
    assert!(
        sgf[0]["text"].as_str().is_some_and(|text| text.contains("B[f5]")),
        "{sgf:?}"
    );
    let named = said(&json!({"call": "names", "input": {"text": "f5d6c3d3c4"}}));
    assert_eq!(named[0]["opening"]["english"], "Tiger");
    let played = said(
        &json!({"call": "play", "input": {"text": "f5"}, "limits": {"level": 1}, "table_bytes": 1048576}),
    );
    assert_eq!(played[0]["moves"].as_array().map(Vec::len), Some(2));
    for seed in 0..3 {
        let asked = json!({"call": "play", "input": {"text": "f5"}, "limits": {"human": 4}, "seed": seed,
            "table_bytes": 1048576});
        assert_eq!(said(&asked), said(&asked));
    }
    let played =
        said(&json!({"call": "play", "game": "gomoku", "input": {"text": "h8"}, "limits": {"nodes": 500}}));
    assert_eq!(played[0]["moves"][0], "h8");
    let explained = said(
        &json!({"call": "analyze", "input": {"text": "f5d6c3d3c4"}, "limits": {"depth": 1},
        "explain": true, "table_bytes": 1048576}),
    );
    let explanation = &explained[0]["explanation"];
    let parts = explanation["parts"].as_array().expect("parts");
    let sum: f64 = parts.iter().filter_map(|part| part["discs"].as_f64()).sum();
    assert!(
        (sum - explanation["value"].as_f64().expect("a value")).abs() < 1e-9,
        "{explanation}"
    );
    assert!(parts.iter().any(|part| part["name"] == "network") || parts.len() > 40);
    let levels = said(&json!({"call": "levels", "positions": 1000}));
    assert_eq!(levels.len(), 8 + 60);
    assert_eq!((&levels[2]["human"], &levels[8]["level"]), (&json!(3), &json!(1)));
    let players = said(&json!({"call": "players", "players": ["level 4", "random"]}));
    assert_eq!(players[0]["players"][0], "level 4");
}

/// No message reaches a file or a program without the capability, whatever the call.
#[test]
fn paths_and_programs_are_refused_without_the_capability() {
    for call_name in ["analyze", "solve", "review", "play", "convert", "show", "names"] {
        for path in ["/etc/passwd", "README.md", "-", "data/fforum-1-19.obf"] {
            let mut message = json!({"call": call_name, "input": {"path": path}});
            if call_name == "convert" {
                message["to"] = json!("ggf");
            }
            let error = call(&message, &NONE).expect_err("refused");
            assert!(
                matches!(&error, Error::PathRefused(name) if name == path),
                "{call_name}: {error}"
            );
            if ["analyze", "solve", "review", "play", "show"].contains(&call_name) {
                message["game"] = json!("gomoku");
                assert!(
                    matches!(call(&message, &NONE), Err(Error::PathRefused(_))),
                    "{call_name}"
                );
            }
        }
    }
    for game in ["othello", "gomoku"] {
        for player in ["external: cat", "external: sh -c true"] {
            let message = json!({"call": "players", "game": game, "players": ["random", player]});
            let error = call(&message, &NONE).expect_err("refused").to_string();
            assert!(error.contains(player), "{error}");
            let all = Capabilities {
                programs: true,
                ..NONE
            };
            assert!(call(&message, &all).is_ok(), "{game} {player}");
        }
    }
}

#[test]
fn what_the_front_end_opens_is_read_as_bytes() {
    let mut wthor = Vec::new();
    let mut writer = WthorWriter::default();
    let game = "f5d6c3".parse::<Game>().expect("a game");
    writer.add(&GameRecord::new(game)).expect("a game of WTHOR");
    writer.finish(&mut wthor).expect("memory");
    let players = NameFile::from_names(["Tester"], NameKind::Players).to_bytes();
    let open = |name: &str| -> io::Result<Box<dyn io::Read>> {
        match name {
            "game" => Ok(Box::new("f5d6c3\n".as_bytes())),
            "games.wtb" => Ok(Box::new(io::Cursor::new(wthor.clone()))),
            "WTHOR.JOU" => Ok(Box::new(io::Cursor::new(players.clone()))),
            _ => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    };
    let capabilities = Capabilities {
        open: Some(&open),
        list: Some(&|_| vec!["games.wtb".to_owned(), "WTHOR.JOU".to_owned()]),
        programs: false,
    };
    let events = call(&json!({"call": "show", "input": {"path": "game"}}), &capabilities).expect("opened");
    assert_eq!(events[0]["moves"], json!(["f5", "d6", "c3"]));
    let message = json!({"call": "convert", "input": {"path": "games.wtb"}, "to": "ggf"});
    let events = call(&message, &capabilities).expect("opened");
    assert!(
        events[0]["text"]
            .as_str()
            .is_some_and(|text| text.contains("PB[Tester]")),
        "{events:?}"
    );
    let missing = call(
        &json!({"call": "show", "input": {"path": "other"}}),
        &capabilities,
    );
    assert!(matches!(missing, Err(Error::Open { .. })), "{missing:?}");
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    for (extra, name) in [
        (json!({"limits": {"depth": 0}}), "depth"),
        (json!({"limits": {"depth": 61}}), "depth"),
        (json!({"limits": {"nodes": 0}}), "nodes"),
        (json!({"limits": {"seconds": 0.0}}), "seconds"),
        (json!({"limits": {"seconds": -1.0}}), "seconds"),
        (json!({"limits": {"seconds": 1e99}}), "seconds"),
        (json!({"limits": {"clock": {"seconds": 0.0}}}), "clock"),
        (
            json!({"limits": {"clock": {"seconds": 1.0, "increment": -1.0}}}),
            "clock",
        ),
        (json!({"limits": {"level": 61}}), "level"),
        (json!({"confidence": 50}), "confidence"),
        (json!({"lines": 0}), "lines"),
        (json!({"table_bytes": 0}), "table_bytes"),
    ] {
        let mut message = json!({"call": "analyze", "input": {"text": "f5"}});
        for (key, value) in extra.as_object().expect("an object") {
            message[key] = value.clone();
        }
        let error = call(&message, &NONE).expect_err(name).to_string();
        assert!(error.starts_with(&format!("{name}: ")), "{name}: {error}");
    }
    for message in [
        json!({"call": "fly"}),
        json!({"call": "analyze"}),
        json!({"call": "analyze", "input": {"text": "f5"}, "hue": 1}),
        json!({"call": "analyze", "input": {"program": "cat"}}),
    ] {
        assert!(
            serde_json::from_value::<Call>(message.clone()).is_err(),
            "{message}"
        );
    }
}

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// `UPDATE_SCHEMA=1 cargo test -p outflank-api` writes the schemas anew.
#[test]
fn the_committed_schemas_are_those_of_the_types() {
    let folder = docs().join("schema");
    let mut names = BTreeSet::new();
    for (name, text) in schema::all() {
        let path = folder.join(format!("{name}.json"));
        names.insert(format!("{name}.json"));
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(&path, &text).expect("written");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            committed, text,
            "{name}: run UPDATE_SCHEMA=1 cargo test -p outflank-api"
        );
    }
    let files = folder.read_dir().expect("the folder").flatten();
    let found: BTreeSet<String> = files
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(found, names, "no schema is left over");
}

/// The types of a page are written from all schemas together.
#[test]
fn a_name_in_the_schemas_means_one_type() {
    let mut types: BTreeMap<String, (Value, &str)> = BTreeMap::new();
    for (file, text) in schema::all() {
        let schema: Value = serde_json::from_str(&text).expect("JSON");
        for (name, body) in schema["$defs"].as_object().into_iter().flatten() {
            let (known, first) = types.entry(name.clone()).or_insert((body.clone(), file));
            assert_eq!(
                known, body,
                "{name} is one thing in {first} and another in {file}"
            );
        }
    }
}

/// The examples of docs/json.md are objects of these types: nothing is missing in them, nothing is made up.
#[test]
fn the_page_shows_what_the_types_are() {
    let page = std::fs::read_to_string(docs().join("json.md")).expect("the page");
    let mut checked = BTreeSet::new();
    let (mut section, mut in_code) = (String::new(), false);
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.replace('`', "");
        } else if line.starts_with("```") {
            in_code = line == "```json";
        } else if in_code {
            let read = |text: &str| -> Option<serde_json::Result<Value>> {
                fn same<T: serde::de::DeserializeOwned + serde::Serialize>(
                    text: &str,
                ) -> serde_json::Result<Value> {
                    serde_json::to_value(serde_json::from_str::<T>(text)?)
                }
                Some(match section.as_str() {
                    "analyze" => same::<outflank_api::analyze::AnalyzeEvent>(text),
                    "solve" | "Gomoku solve" => same::<outflank_api::solve::SolveEvent>(text),
                    "review" => same::<outflank_api::review::ReviewEvent>(text),
                    "levels" => same::<outflank_api::levels::LevelsEvent>(text),
                    "Gomoku levels" => same::<outflank_api::levels::GomokuLevelObject>(text),
                    "show" => same::<outflank_api::show::ShowEvent>(text),
                    "explore" => same::<outflank_api::explore::Branches>(text),
                    "games as a message" => same::<outflank_api::games::own::GamesEvent>(text),
                    "names as a message" => same::<outflank_api::names::Named>(text),
                    "puzzles" => same::<outflank_api::puzzles::PuzzleObject>(text),
                    "drill" => same::<outflank_api::puzzles::DrillEvent>(text),
                    "openings" => same::<outflank_api::openings::OpeningObject>(text),
                    _ => return None,
                })
            };
            let Some(again) = read(line) else { continue };
            let object: Value =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{section}: {error}: {line}"));
            let again = again.unwrap_or_else(|error| panic!("{section}: {error}: {line}"));
            assert_eq!(object, again, "{section}: {line}");
            checked.insert(section.clone());
        }
    }
    let expected = [
        "Gomoku levels",
        "Gomoku solve",
        "analyze",
        "drill",
        "explore",
        "games as a message",
        "levels",
        "names as a message",
        "openings",
        "puzzles",
        "review",
        "show",
        "solve",
    ];
    assert_eq!(checked.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

/// A book that knows f5, d6 and two answers to them, as far ahead as six discs.
fn book() -> Shelf {
    let mut book = Book::new();
    let source = book.source("test").expect("room");
    let worth = Worth::new(Kind::Estimate, 6, 73);
    let board = |moves: &[&str]| {
        let mut game = Game::new();
        for mv in moves {
            game.place(mv.parse().expect("a square")).expect("legal");
        }
        game.position().board()
    };
    for (square, units) in [(Square::C3, UNITS), (Square::C4, -UNITS)] {
        let fact = Fact::new(units, worth, source);
        book.add(board(&["f5", "d6"]), Slot::Move(square), fact)
            .expect("legal");
    }
    book.add_position(board(&["f5"])).expect("moves");
    book.add_position(board(&[])).expect("moves");
    Shelf::Memory(Arc::new(Worked::new(book)))
}

#[test]
fn the_book_of_the_front_end_is_used_where_that_is_asked_for() {
    let mut engines = Engines::fresh(SystemClock::shared()).with_book(Some(book()));
    let mut said = |message: Value| {
        let request: Call = serde_json::from_value(message).expect("a request");
        let mut events = Vec::new();
        let stop = StopToken::new();
        engines
            .run(&request, &NONE, &stop, &mut |event| {
                events.push(serde_json::to_value(&event).expect("JSON"));
            })
            .map(|()| events)
    };
    let bytes = 1 << 20;
    // Analysis: the book first, then the search, whose value stays its own.
    let asked =
        json!({"call": "analyze", "input": {"text": "f5d6"}, "limits": {"depth": 4}, "table_bytes": bytes});
    let mut with_book = asked.clone();
    with_book["book"] = json!(true);
    let events = said(with_book).expect("an answer");
    assert_eq!(events.len(), 2);
    let known = &events[0]["book"]["moves"];
    assert_eq!(
        (
            &known[0]["move"],
            &known[0]["value"],
            &known[0]["depth"],
            &known[1]["move"]
        ),
        (&json!("c3"), &json!(1.0), &json!(6), &json!("c4"))
    );
    assert_eq!(
        (&events[1]["book"], &events[1]["kind"]),
        (&events[0]["book"], &json!("estimate"))
    );
    let events = said(asked).expect("an answer");
    assert!(events.len() == 1 && events[0].get("book").is_none(), "{events:?}");

    // Play: a move of the book is marked with what it is worth.
    let play = |book: Value, text: &str| json!({"call": "play", "input": {"text": text}, "limits": {"depth": 4}, "table_bytes": bytes, "book": book});
    let played = said(play(json!({}), "f5d6")).expect("an answer");
    assert_eq!(
        (
            &played[0]["move"],
            &played[0]["kind"],
            &played[0]["value"],
            &played[0]["depth"]
        ),
        (&json!("c3"), &json!("book"), &json!(1.0), &json!(6))
    );
    let played = said(play(json!({}), "f5f6")).expect("an answer");
    assert_eq!(played[0]["kind"], "estimate", "not in the book");
    let mut drawn = BTreeSet::new();
    for seed in 0..20 {
        let mut message = play(json!({"random": 2.0}), "f5d6");
        message["seed"] = json!(seed);
        let played = said(message.clone()).expect("an answer");
        assert_eq!(
            played,
            said(message).expect("an answer"),
            "the same seed, the same move"
        );
        drawn.insert(played[0]["move"].as_str().expect("a move").to_owned());
    }
    assert_eq!(drawn, BTreeSet::from(["c3".to_owned(), "c4".to_owned()]));
    for book in [json!({"random": -1.0}), json!({"random": 1.0, "human": 1.0})] {
        assert!(matches!(said(play(book, "f5d6")), Err(Error::Value { .. })));
    }

    // Review: the values of the book up to its border and behind it.
    let events = said(json!({
        "call": "review", "input": {"text": "f5d6c3d3"}, "level": 3, "book": true
    }))
    .expect("an answer");
    let kinds: Vec<&Value> = events.iter().filter_map(|event| event.get("kind")).collect();
    assert_eq!(kinds, ["book", "book", "book", "estimate"]);
    let summary = &events.last().expect("a summary")["summary"];
    assert_eq!(
        summary["values"].as_array().map(|values| values[..4].to_vec()),
        Some(vec![json!(1.0); 4])
    );
}
