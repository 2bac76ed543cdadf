//! A game that nobody prepared anything for plays matches with the textbook searches, as the real games do.

use outflank_arena::{
    Claim, Competition, Effort, End, EnginePlayer, Form, GameRules, MatchReport, Registry, RunEnd, Scale,
    Store, openings, report,
};
use outflank_game::{GameState as _, ToyGame, toy::ToyValue};
use outflank_search::{Limits, StopToken, SystemClock};
use outflank_textbook::{Method, SearchEngine, Settings, TableOptions, search};
use std::{num::NonZeroUsize, path::Path, sync::Arc};

fn game() -> ToyGame {
    ToyGame::new(
        "(((3 (5 -2)) (2 9 -1)) ((-4 1) (7 (-6 8))) (0 ((4 -3) (-5 6 2))))"
            .parse()
            .expect("a tree"),
    )
}

/// The players of every game, and three of the textbook's methods by name.
fn registry() -> Registry<ToyGame> {
    let mut registry = Registry::standard();
    for (name, method) in [
        ("minimax", Method::Minimax),
        ("alpha-beta", Method::AlphaBeta),
        ("pvs", Method::Pvs(Some(TableOptions::default()))),
    ] {
        registry.add(name, name, move |arguments| {
            let depth = arguments.parse().map_err(|_| "expected a depth".to_owned())?;
            let effort = Effort {
                limits: Limits {
                    depth: Some(depth),
                    ..Limits::default()
                },
                ..Effort::default()
            };
            let scale = Scale {
                number: f64::from,
                claim: |value: i32| match value {
                    1.. => Claim::Win,
                    0 => Claim::Draw,
                    _ => Claim::Loss,
                },
            };
            Ok(Arc::new(move || {
                let engine = SearchEngine::new(Settings::new(method), ToyValue, SystemClock::shared());
                Ok(Box::new(EnginePlayer::new(engine, effort, scale)))
            }))
        });
    }
    registry
}

fn competition(players: &[&str], games: usize) -> Competition<ToyGame> {
    let registry = registry();
    Competition {
        players: players
            .iter()
            .map(|text| registry.parse(text).expect("valid"))
            .collect(),
        form: Form::RoundRobin,
        games,
        openings: openings::all_positions(&game(), 1).expect("three"),
        rules: GameRules::default(),
        sprt: None,
        seed: 1,
    }
}

fn run(competition: &Competition<ToyGame>, store: &Store) -> MatchReport {
    let workers = NonZeroUsize::new(2).expect("two");
    competition
        .run(store, workers, &StopToken::new(), &|| 0.0, &mut |_| {})
        .expect("played")
}

#[test]
fn perfect_players_reach_the_value_of_the_tree() {
    let competition = competition(&["minimax 9", "alpha-beta 9", "pvs 9"], 6);
    assert_eq!(competition.openings.len(), 3);
    let report = run(&competition, &Store::Temporary);
    assert_eq!((report.end, report.games.len()), (RunEnd::Complete, 18));
    for game in &report.games {
        let opening = competition.openings[game.opening].position();
        let value = search(&Settings::new(Method::Minimax), opening, &ToyValue, 9).value;
        // The second player is to move after one move; the record is the first player's.
        assert_eq!((game.end, game.margin), (End::Board, -value), "{game:?}");
        assert_eq!(game.opening_moves, 1);
    }
    for player in 0..3 {
        assert_eq!(report.standing.player(player).false_claims, 0);
        assert!(report.thinking[player].moves > 0);
    }
    let names = competition.names();
    let table = report::table::<ToyGame>(&names, &report.standing, None, None);
    assert!(
        table.contains("alpha-beta 9") && !table.contains("discs"),
        "{table}"
    );
}

#[test]
fn looking_ahead_beats_chance_and_a_match_goes_on_where_it_was() {
    let competition = competition(&["alpha-beta 9", "random"], 60);
    let whole = run(&competition, &Store::Temporary);
    let tally = whole.standing.tally(0);
    assert!(tally.wins > tally.losses, "{tally:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("toy.log");
    run(&competition, &Store::New(path.clone()));
    cut(&path);
    let resumed = run(&competition, &Store::Resume(path));
    assert_eq!(resumed.standing, whole.standing);
}

/// Cuts a log in the middle of a line, as `kill -9` may.
fn cut(path: &Path) {
    let bytes = std::fs::read(path).expect("the log");
    std::fs::write(path, &bytes[..bytes.len() / 2]).expect("the log, cut");
}

#[test]
fn what_the_game_has_no_notation_for_is_said() {
    let error = openings::from_bytes(&game(), b"0 1").expect_err("no notation");
    assert_eq!(
        error.to_string(),
        "openings of this game cannot be read from a text"
    );
    let games = openings::random_balanced(&game(), 2, 1, 0, 5).expect("three moves");
    assert!(games.iter().all(|history| game().is_legal(history.moves()[0])));
    let error = registry()
        .parse("external: rm")
        .expect_err("no such kind")
        .to_string();
    assert!(
        error.contains("known are alpha-beta, minimax, pvs, random"),
        "{error}"
    );
}
