//! Whole matches between simple players: resumed, concurrent, tested, rated; always the same result.

use outflank_arena::{
    Competition, End, Form, GameRules, History, MatchEvent, MatchGame, MatchReport, PlayedGame, Registry,
    RunEnd, Store, Thinking, openings,
    stats::{Decision, Sprt},
};
use outflank_gomoku::{Board, Rule};
use outflank_othello::{Game, Position};
use outflank_search::StopToken;
use std::{num::NonZeroUsize, path::Path};

fn competition(players: &[&str], games: usize) -> Competition<Position> {
    let openings = openings::all_positions(&Position::start(), 5).expect("322");
    competition_of(players, games, openings)
}

fn competition_of<G: MatchGame>(players: &[&str], games: usize, openings: Vec<History<G>>) -> Competition<G> {
    let registry = Registry::standard();
    Competition {
        players: players
            .iter()
            .map(|text| registry.parse(text).expect("valid"))
            .collect(),
        form: Form::RoundRobin,
        games,
        openings,
        rules: GameRules::default(),
        sprt: None,
        seed: 2026,
    }
}

fn run<G: MatchGame>(
    competition: &Competition<G>,
    store: &Store,
    workers: usize,
    stop_after: Option<usize>,
) -> MatchReport {
    let stop = StopToken::new();
    let mut games = 0;
    competition
        .run(
            store,
            NonZeroUsize::new(workers).expect("at least one"),
            &stop,
            &|| 0.0,
            &mut |event| {
                if let MatchEvent::Game { .. } = event {
                    games += 1;
                    if Some(games) == stop_after {
                        stop.stop();
                    }
                }
            },
        )
        .expect("the match is played")
}

fn without_times(games: &[PlayedGame]) -> Vec<PlayedGame> {
    let mut games = games.to_vec();
    for game in &mut games {
        game.thinking = [Thinking::default(); 2];
        game.moves.iter_mut().for_each(|played| played.seconds = None);
    }
    games
}

/// Writes games to `path`, cuts the file in the middle of a line as `kill -9` may, and goes on; all ways of getting
/// there end with the same table and the same games.
#[track_caller]
fn check_resume<G: MatchGame>(competition: &Competition<G>, folder: &Path) -> MatchReport {
    let whole = run(competition, &Store::Temporary, 1, None);
    assert_eq!(whole.end, RunEnd::Complete);
    let path = folder.join(format!("{}.log", competition.players[0].text));
    // As soon as there is one: on a busy machine many others end before the wish to stop is heard.
    let stopped = run(competition, &Store::New(path.clone()), 2, Some(1));
    assert_eq!(stopped.end, RunEnd::Stopped);
    assert!(stopped.games.len() < whole.games.len());
    let bytes = std::fs::read(&path).expect("the log");
    std::fs::write(&path, &bytes[..bytes.len() - 40]).expect("the log, cut");
    let resumed = run(competition, &Store::Resume(path.clone()), 2, None);
    assert_eq!(resumed.end, RunEnd::Complete);
    assert_eq!(resumed.standing, whole.standing);
    assert_eq!(without_times(&resumed.games), without_times(&whole.games));
    // And once more: nothing is left to do.
    let again = run(competition, &Store::Resume(path), 1, None);
    assert_eq!((again.end, again.games), (RunEnd::Complete, resumed.games));
    whole
}

#[test]
fn a_stopped_match_ends_with_the_same_table() {
    let folder = tempfile::tempdir().expect("a folder");
    for players in [["random", "greedy"], ["depth 1 --hash 1", "depth 2 --hash 1"]] {
        let report = check_resume(&competition(&players, 300), folder.path());
        for game in &report.games {
            assert_eq!((game.end, game.illegal), (End::Board, [0, 0]));
            let history = game.replay::<Position>().expect("legal");
            let result = Game::from(&history).result().expect("over");
            assert_eq!(result.discs.get(), game.margin);
            assert_eq!(history.margin(), Some(game.margin));
        }
        for player in 0..2 {
            let count = report.standing.player(player);
            assert_eq!((count.black.games(), count.white.games()), (150, 150));
            assert_eq!((count.forfeits, count.errors), (0, 0));
        }
    }
}

#[test]
fn a_stopped_match_of_gomoku_ends_with_the_same_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = Board::new(Rule::Standard, 9).expect("a size");
    let openings = openings::random_balanced(&start, 15, 4, 40, 3).expect("there are many");
    for players in [
        ["random", "nodes 30 --hash 1"],
        ["nodes 60 --hash 1", "nodes 30 --hash 1"],
    ] {
        let report = check_resume(&competition_of(&players, 30, openings.clone()), folder.path());
        for game in &report.games {
            assert_eq!((game.end, game.illegal), (End::Board, [0, 0]));
            assert_eq!(game.replay::<Board>().expect("legal").margin(), Some(game.margin));
        }
        let strong = report.standing.player(1);
        assert_eq!((strong.games(), strong.false_claims), (30, 0));
    }
}

#[test]
fn gomoku_has_tests_ratings_and_records_too() {
    let start = Board::new(Rule::Freestyle, 15).expect("a size");
    let openings = openings::random_balanced(&start, 40, 4, 30, 3).expect("there are many");
    let mut match_of_two = competition_of(&["nodes 100 --hash 1", "random"], 80, openings.clone());
    match_of_two.sprt = Some(Sprt::new(0.0, 100.0, 0.05, 0.05).expect("valid"));
    let report = run(&match_of_two, &Store::Temporary, 2, None);
    assert_eq!(report.end, RunEnd::Decided(Decision::AcceptH1));
    assert!(report.games.len() < 80);
    let robin = competition_of(
        &["random", "nodes 20 --hash 1", "nodes 200 --hash 1"],
        10,
        openings,
    );
    let report = run(&robin, &Store::Temporary, 1, None);
    let ratings = report.standing.ratings().expect("finite");
    assert!(
        ratings[1].elo > ratings[0].elo + 100.0 && ratings[2].elo > ratings[1].elo,
        "{ratings:?}"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.sgf");
    report.write_games::<Board>(&path).expect("written");
    let text = std::fs::read_to_string(&path).expect("there");
    for (line, game) in text.lines().zip(&report.games) {
        assert!(
            line.contains("GM[4]") && line.contains("RU[freestyle]") && line.contains("RE["),
            "{line}"
        );
        let record = outflank_records::gomoku::read(line).expect("readable").value;
        let history = game.replay::<Board>().expect("legal");
        assert_eq!(record.moves, history.moves());
    }
    assert_eq!(text.lines().count(), 30);
}

#[test]
fn another_match_cannot_be_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.log");
    let mut competition = competition(&["random", "greedy"], 4);
    run(&competition, &Store::New(path.clone()), 1, None);
    competition.seed += 1;
    let error = competition
        .run(
            &Store::Resume(path),
            NonZeroUsize::MIN,
            &StopToken::new(),
            &|| 0.0,
            &mut |_| {},
        )
        .expect_err("another seed");
    assert!(error.to_string().contains("belongs to another job"), "{error}");
}

#[test]
fn a_sequential_test_stops_by_itself_at_the_same_game() {
    let mut competition = competition(&["plain 2", "random"], 400);
    competition.sprt = Some(Sprt::new(0.0, 100.0, 0.05, 0.05).expect("valid"));
    let one = run(&competition, &Store::Temporary, 1, None);
    assert_eq!(one.end, RunEnd::Decided(Decision::AcceptH1));
    assert!(
        one.games.len() < 200 && one.games.len().is_multiple_of(2),
        "{}",
        one.games.len()
    );
    let three = run(&competition, &Store::Temporary, 3, None);
    assert_eq!((three.end, &three.standing), (one.end, &one.standing));
    competition.players.reverse();
    let reversed = run(&competition, &Store::Temporary, 2, None);
    assert_eq!(reversed.end, RunEnd::Decided(Decision::AcceptH0));
    // Resuming a decided match decides again, without a game.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.log");
    let first = run(&competition, &Store::New(path.clone()), 3, None);
    let again = run(&competition, &Store::Resume(path), 1, None);
    assert_eq!((first.end, first.standing), (again.end, again.standing));
}

#[test]
fn adjudication_gives_the_result_of_perfect_play() {
    // Players that are perfect in the last ten squares: adjudicated or not, the results are the same.
    let mut competition = competition(&["depth 10 --hash 1", "plain 10"], 6);
    for opening in &mut competition.openings {
        while opening.position().board().empties().count() > 11 {
            let mv = opening.position().legal_moves()[0];
            opening.play(mv).expect("legal");
            if opening.position().is_game_over() {
                break;
            }
        }
    }
    competition
        .openings
        .retain(|opening| !opening.position().is_game_over());
    let played = run(&competition, &Store::Temporary, 1, None);
    competition.rules.adjudicate = 9;
    let adjudicated = run(&competition, &Store::Temporary, 1, None);
    for (played, adjudicated) in played.games.iter().zip(&adjudicated.games) {
        assert_eq!(played.margin, adjudicated.margin, "{adjudicated:?}");
        assert!(adjudicated.end == End::Adjudicated || adjudicated.moves == played.moves);
    }
    assert!(adjudicated.games.iter().any(|game| game.end == End::Adjudicated));
}

/// The same player against itself, 100 small matches: the interval covers 0 in at least 90.
#[test]
fn a_player_is_as_strong_as_itself() {
    let mut covered = 0;
    for seed in 0..100 {
        let mut competition = competition(&["random", "random"], 40);
        competition.seed = seed;
        openings::shuffle(&mut competition.openings, seed);
        let report = run(&competition, &Store::Temporary, 1, None);
        let estimate = report.standing.tally(0).elo(0.95);
        covered += usize::from(estimate.low <= 0.0 && estimate.high >= 0.0);
    }
    eprintln!("the interval covered 0 in {covered} of 100 matches");
    assert!(covered >= 90, "{covered}");
}

#[test]
fn round_robins_are_rated_and_games_are_kept() {
    let competition = competition(&["random", "greedy", "plain 1", "plain 3"], 20);
    let report = run(&competition, &Store::Temporary, 2, None);
    assert_eq!(report.games.len(), 120);
    let ratings = report.standing.ratings().expect("finite");
    assert!(ratings[3].elo > ratings[0].elo + 100.0, "{ratings:?}");
    let sum: f64 = ratings.iter().map(|rating| rating.elo).sum();
    assert!(sum.abs() < 1e-6, "{sum}");

    let folder = tempfile::tempdir().expect("a folder");
    let (json, ggf) = (folder.path().join("games.jsonl"), folder.path().join("games.ggf"));
    report.write_json(&json).expect("written");
    report.write_games::<Position>(&ggf).expect("written");
    let text = std::fs::read_to_string(&json).expect("there");
    let games: Vec<PlayedGame> = text
        .lines()
        .map(|line| PlayedGame::from_json(line).expect("valid"))
        .collect();
    assert_eq!(games, report.games);
    let text = std::fs::read(&ggf).expect("there");
    let pasted = outflank_records::paste_bytes(&text).expect("readable");
    assert_eq!((pasted.items.len(), pasted.bad.len()), (120, 0));
    for (item, game) in pasted.items.iter().zip(&report.games) {
        assert!(item.warnings.is_empty(), "{:?}", item.warnings);
        assert_eq!(
            item.game(),
            Game::from(&game.replay::<Position>().expect("legal"))
        );
    }
}

#[test]
fn gauntlets_meet_the_first_player_only() {
    let mut competition = competition(&["greedy", "random", "random"], 4);
    competition.form = Form::Gauntlet;
    assert_eq!(competition.names(), ["greedy", "random", "random (2)"]);
    let report = run(&competition, &Store::Temporary, 1, None);
    assert_eq!(report.games.len(), 8);
    assert!(report.games.iter().all(|game| game.players.contains(&0)));
}
