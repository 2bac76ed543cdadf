//! Games that are sent, counted, listed and forgotten, against collections that are read at once.

use super::*;
use crate::{Call, Engines, Event, messages::Message};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use outflank_game::SplitMix64;
use outflank_othello::{Color, Game};
use outflank_records::{
    GameRecord,
    wthor::{NameFile, NameKind, WthorWriter},
};
use outflank_search::ManualClock;
use serde_json::{Value, json};
use std::sync::Arc;

struct Asker(Engines);

impl Asker {
    fn new() -> Self {
        Self(Engines::fresh(Arc::new(ManualClock::default())))
    }

    /// Sends a message as a front-end does.
    fn ask(&mut self, mut message: Value) -> Result<Vec<Value>, Error> {
        message["id"] = json!(1);
        let Ok(Message::Call { call, .. }) = Message::parse(&message.to_string()) else {
            panic!("no call: {message}");
        };
        self.run(&call)
    }

    fn run(&mut self, call: &Call) -> Result<Vec<Value>, Error> {
        let mut events = Vec::new();
        let mut take = |event: Event| events.push(serde_json::to_value(&event).expect("JSON"));
        self.0
            .run(call, &Capabilities::NONE, &StopToken::new(), &mut take)?;
        Ok(events)
    }

    fn add(&mut self, name: &str, input: &Value) -> Value {
        let asked = json!({"call": "games", "add": {"name": name, "input": input}});
        let mut events = self.ask(asked).expect("games");
        events.pop().expect("a summary")["collection"].take()
    }

    fn branches(&mut self, text: &str) -> Value {
        let mut events = self
            .ask(json!({"call": "explore", "input": {"text": text}}))
            .expect("moves");
        assert_eq!(events.len(), 1);
        events.remove(0)
    }
}

/// Returns what is said of a move.
fn branch<'a>(branches: &'a Value, mv: &str) -> &'a Value {
    let moves = branches["moves"].as_array().expect("moves");
    moves.iter().find(|branch| branch["move"] == mv).expect("legal")
}

/// A file of WTHOR with these games, in base64.
fn wthor(games: &[&str]) -> Value {
    let mut writer = WthorWriter::default();
    for moves in games {
        let game: Game = moves.parse().expect("legal");
        writer.add(&GameRecord::new(game)).expect("room for it");
    }
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).expect("memory");
    json!({"base64": STANDARD.encode(bytes)})
}

#[test]
fn without_games_nothing_is_said_of_them() {
    let found = Asker::new().branches("f5d6c3d3c4");
    assert_eq!(found["opening"]["english"], "Tiger");
    assert_eq!(found["moves"].as_array().map(Vec::len), Some(6));
    for name in ["games", "ended", "engine"] {
        assert!(found.get(name).is_none() && branch(&found, "f4").get(name).is_none());
    }
    let start = Asker::new().branches("---------------------------OX------XO--------------------------- X");
    assert_eq!(branch(&start, "f5")["same"], json!(["d3", "c4", "e6"]));
    assert_eq!(
        branch(&Asker::new().branches("f5d6c3d3"), "c4")["opening"]["english"],
        "Tiger"
    );
}

#[test]
fn games_count_for_every_image_of_a_move_and_for_black() {
    let mut asker = Asker::new();
    // d3 is f5 seen from another side.
    let games = "f5d6c3d3c4\nd3c5f6f5e6\nf5f6\n";
    let summary = asker.add("a.txt", &json!({"text": games}));
    assert_eq!(
        (&summary["games"], &summary["bytes"]),
        (&json!(3), &json!(games.len()))
    );
    let start = asker.branches("---------------------------OX------XO--------------------------- X");
    for mv in ["f5", "d3", "c4", "e6"] {
        assert_eq!(branch(&start, mv)["games"]["games"], 3, "{mv}");
    }
    let found = asker.branches("f5");
    assert_eq!(branch(&found, "d6")["games"]["games"], 2);
    assert_eq!(branch(&found, "f6")["games"]["games"], 1);
    assert!(branch(&found, "f4").get("games").is_none());
    assert_eq!(
        (&found["games"]["games"], &found["ended"]),
        (&json!(3), &json!(0))
    );
}

/// Returns a game to its end, drawn by lot, that begins with f5.
fn random_game(random: &mut SplitMix64) -> Game {
    let mut game: Game = "f5".parse().expect("legal");
    while !game.position().is_game_over() {
        let moves = game.position().legal_moves();
        game.play(moves[random.below(moves.len())]).expect("legal");
    }
    game
}

#[test]
fn the_results_are_black_s_whoever_moves() {
    let mut random = SplitMix64::new(7);
    let games: Vec<Game> = (0..60).map(|_| random_game(&mut random)).collect();
    let text: Vec<String> = games.iter().map(Game::transcript).collect();
    let mut asker = Asker::new();
    asker.add("random", &json!({"text": text.join("\n")}));
    // White moves after f5, black after f5 and another move.
    for begin in ["f5", "f5d6", "f5f4", "f5f6"] {
        let found = asker.branches(begin);
        for branch in found["moves"].as_array().expect("moves") {
            let line = format!("{begin}{}", branch["move"].as_str().expect("a square"));
            let through = games.iter().filter(|game| game.transcript().starts_with(&line));
            let results: Vec<i32> = through
                .map(|game| game.position().final_discs(Color::Black).get())
                .collect();
            let count = |test: fn(&i32) -> bool| results.iter().filter(|&result| test(result)).count();
            let sums = [
                ("games", results.len()),
                ("black", count(|&result| result > 0)),
                ("draws", count(|&result| result == 0)),
                ("white", count(|&result| result < 0)),
            ];
            for (name, expected) in sums {
                assert_eq!(
                    branch["games"][name].as_u64().unwrap_or(0),
                    expected as u64,
                    "{line} {name}"
                );
            }
            if !results.is_empty() {
                let mean = f64::from(results.iter().sum::<i32>()) / results.len() as f64;
                let discs = branch["games"]["discs"].as_f64().expect("known results");
                assert!((discs - mean).abs() < 0.006, "{line}: {discs} {mean}");
            }
        }
    }
}

#[test]
fn sources_come_in_parts_are_replaced_and_forgotten() {
    let mut asker = Asker::new();
    let text = "f5d6c3d3c4\nd3c5f6f5e6\nf5f6\n";
    for (part, more) in [(&text[..4], true), (&text[4..20], true), (&text[20..], false)] {
        let asked = json!({"call": "games", "add": {"name": "parts", "input": {"text": part}, "more": more}});
        asker.ask(asked).expect("a part");
    }
    let mut whole = Asker::new();
    whole.add("parts", &json!({"text": text}));
    assert_eq!(asker.branches("f5"), whole.branches("f5"));
    let again = asker.add("parts", &json!({"text": "f5d6\n"}));
    assert_eq!(
        (&again["games"], &again["sources"][0]["name"]),
        (&json!(1), &json!("parts"))
    );
    asker.add("other", &json!({"text": "f5d6\nf5d6c3\n"}));
    assert_eq!(branch(&asker.branches("f5"), "d6")["games"]["games"], 3);
    let left = asker
        .ask(json!({"call": "games", "forget": ["parts"]}))
        .expect("done");
    assert_eq!(left[0]["collection"]["games"], 2);
    assert_eq!(branch(&asker.branches("f5"), "d6")["games"]["games"], 2);
    asker.ask(json!({"call": "games", "forget": []})).expect("done");
    assert!(asker.branches("f5").get("games").is_none());
}

#[test]
fn files_of_wthor_are_games_whose_names_come_first() {
    let mut asker = Asker::new();
    let names = NameFile::from_names(["Tester"], NameKind::Players).to_bytes();
    asker.add("WTHOR.JOU", &json!({"base64": STANDARD.encode(names)}));
    let summary = asker.add("WTH_2001.wtb", &wthor(&["f5d6c3d3c4", "f5f6e6f4e3"]));
    assert_eq!(summary["games"], 2);
    let listed = asker
        .ask(json!({"call": "games", "list": {"order": "number", "limit": 1}}))
        .expect("games");
    let game = &listed[0]["game"];
    assert_eq!(
        (&game["moves"], &game["black"]),
        (&json!("f5d6c3d3c4"), &json!("Tester"))
    );
    assert_eq!(listed[1]["collection"]["listed"], 2);
    let bad = asker
        .ask(json!({"call": "games", "add": {"name": "x", "input": {"text": "f5d6a1"}}}))
        .expect("told");
    assert_eq!(
        (&bad[0]["bad"]["ply"], &bad[1]["collection"]["sources"][1]["bad"]),
        (&json!(3), &json!(1))
    );
}

#[test]
fn too_much_is_refused_and_what_was_there_stays() {
    let mut asker = Asker::new();
    asker.add("small", &json!({"text": "f5d6\n"}));
    let large = AddGames {
        name: "large".to_owned(),
        input: Input::Text("f5d6\n".repeat(MOST_BYTES / 5 + 1)),
        more: false,
    };
    let request = GamesRequest {
        add: Some(large),
        ..GamesRequest::default()
    };
    let refused = asker.run(&Call::Games(Box::new(request))).expect_err("too much");
    assert!(matches!(refused, Error::TooMuch(_)), "{refused}");
    assert_eq!(asker.branches("f5")["games"]["games"], 1);
    for name in ["", &"x".repeat(MOST_NAME + 1)] {
        let asked = json!({"call": "games", "add": {"name": name, "input": {"text": "f5"}}});
        assert!(asker.ask(asked).is_err());
    }
    let no_base64 = asker.ask(json!({"call": "games", "add": {"name": "x", "input": {"base64": "?"}}}));
    assert!(matches!(no_base64, Err(Error::Input(_))));
    let path = asker.ask(json!({"call": "games", "add": {"name": "x", "input": {"path": "/etc/passwd"}}}));
    assert!(matches!(path, Err(Error::PathRefused(_))));
}
