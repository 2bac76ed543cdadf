//! Every query against the linear scan of `naive`, on made-up games and on the real ones.

use outflank_games::{
    Builder, Collection, Explored, Filter, GameRef, Listed, Matcher, NameFiles, NameKind, Order, Store as _,
    Tally, explore, list, naive,
    samples::{self, Numbers},
    stats,
};
use outflank_othello::{Color, Game, Position};
use outflank_records::wthor::{NameFile, NameKind as WthorNames};
use std::collections::{BTreeMap, BTreeSet};

fn collection(scan: &naive::Scan, bits: u32, segment: usize) -> Collection {
    let mut builder = Builder::default().with_segments(bits, segment);
    for game in scan.games() {
        builder.add(&game.source, game.entry.clone());
    }
    builder.build()
}

/// Made-up games with the flags that they should have.
fn games(seed: u64, n: usize) -> Vec<naive::Game> {
    let mut games = samples::games(seed, n);
    let flags = naive::duplicates(&games);
    for (game, is_duplicate) in games.iter_mut().zip(flags) {
        game.entry.flags = game
            .entry
            .flags
            .with(outflank_games::Flags::DUPLICATE, is_duplicate);
    }
    games
}

fn place(collection: &Collection, game: GameRef) -> (String, u32) {
    let Ok(facts) = collection.facts(game);
    let Ok(sources) = collection.names(NameKind::Sources);
    let Ok(number) = collection.number(game);
    (sources.text(facts.expect("there").source).to_owned(), number)
}

fn as_naive(collection: &Collection, explored: &Explored) -> naive::Explored {
    let moves = explored.moves.iter().map(|mv| {
        let squares: BTreeSet<_> = mv.same.iter().copied().chain([mv.square]).collect();
        let examples = mv.examples.iter().map(|&game| place(collection, game));
        let played = naive::Played {
            total: mv.total,
            games: examples.collect(),
        };
        (squares, played)
    });
    naive::Explored {
        total: explored.total,
        ended: explored.ended,
        moves: moves.collect(),
    }
}

/// Compares everything but the order of examples that are equally well known; returns the number of games.
fn assert_same(collection: &Collection, position: &Position, filter: &Filter, scan: &naive::Scan) -> u64 {
    let Ok(matcher) = Matcher::new(filter, collection);
    let explored = explore(collection, position, &matcher, usize::MAX).expect("sound");
    let (mut found, mut expected) = (as_naive(collection, &explored), scan.explore(position, filter));
    let counts: Vec<u64> = explored.moves.iter().map(|mv| mv.total.games).collect();
    assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
    for played in found.moves.values_mut().chain(expected.moves.values_mut()) {
        played.games.sort();
    }
    assert_eq!(found, expected, "{position}\n{filter:?}");
    explored.total.games
}

#[test]
fn the_best_known_games_come_first() {
    let scan = naive::Scan::new(games(13, 200));
    let collection = collection(&scan, 40, 80);
    let matcher = Matcher::new(&Filter::default(), &collection).expect("in memory");
    let start = Position::start();
    let found = |n| {
        as_naive(
            &collection,
            &explore(&collection, &start, &matcher, n).expect("sound"),
        )
    };
    let expected = scan.explore(&start, &Filter::default());
    for n in [1, 3, 50] {
        for (squares, played) in found(n).moves {
            // Games that are equally well known may change places.
            let rank = |place: &naive::Place| {
                let all = &expected.moves[&squares].games;
                let game = scan
                    .games()
                    .find(|game| (&game.source, game.entry.number) == (&place.0, place.1));
                assert!(all.contains(place));
                let entry = &game.expect("it is there").entry;
                (scan.known(&entry.black).min(scan.known(&entry.white)), entry.date)
            };
            let ranks: Vec<_> = played.games.iter().map(rank).collect();
            let best: Vec<_> = expected.moves[&squares].games.iter().take(n).map(rank).collect();
            assert_eq!(ranks, best);
        }
    }
}

#[test]
fn a_thousand_questions_have_the_answers_of_a_linear_scan() {
    let games = games(1, 250);
    let scan = naive::Scan::new(games.clone());
    // Of one segment; of several; with fingerprints that many positions share.
    let collections = [(40, 1000), (40, 60), (9, 150), (1, 1000)].map(|(bits, n)| collection(&scan, bits, n));
    let mut numbers = Numbers::new(2);
    let mut n_found = 0;
    for i in 0..1000 {
        let position = samples::position(&mut numbers, &games);
        let filter = samples::filter(&mut numbers);
        n_found += assert_same(&collections[i % collections.len()], &position, &filter, &scan).min(1);
    }
    assert!(n_found > 300, "{n_found} questions with an answer");
}

#[test]
fn positions_that_no_game_has_are_found_in_none() {
    let games = games(3, 100);
    let scan = naive::Scan::new(games);
    let position = *"f5f4e3".parse::<Game>().expect("legal").position();
    for bits in [40, 1] {
        let collection = collection(&scan, bits, 50);
        assert_eq!(assert_same(&collection, &position, &Filter::default(), &scan), 0);
    }
}

#[test]
fn a_forged_fingerprint_is_no_game() {
    // With one bit, half of all other positions have the fingerprint of any.
    let mut builder = Builder::default().with_segments(1, 1000);
    builder.read("a", "f5d6c3d3c4\n".as_bytes(), NameFiles::default());
    let collection = builder.build();
    let matcher = Matcher::new(&Filter::default(), &collection).expect("in memory");
    for moves in [
        "f5d6c3", "f5f6e6", "f5f4e3", "f5d6c4", "f5d6c5", "f5d6c6", "f5d6c7",
    ] {
        let position = *moves.parse::<Game>().expect("legal").position();
        let explored = explore(&collection, &position, &matcher, 1).expect("sound");
        assert_eq!(explored.total.games, u64::from(moves == "f5d6c3"), "{moves}");
    }
}

#[test]
fn lists_are_the_games_of_a_linear_scan() {
    let games = games(4, 300);
    let scan = naive::Scan::new(games.clone());
    let collection = collection(&scan, 40, 110);
    let mut numbers = Numbers::new(5);
    for i in 0..200 {
        let filter = samples::filter(&mut numbers);
        let matcher = Matcher::new(&filter, &collection).expect("in memory");
        let position = (i % 2 == 0).then(|| samples::position(&mut numbers, &games));
        let order = *numbers.one(&[Order::Latest, Order::Earliest, Order::Margin, Order::Number]);
        let all = list(&collection, position.as_ref(), &matcher, order, 0, usize::MAX).expect("sound");
        let found: BTreeSet<_> = all.games.iter().map(|&game| place(&collection, game)).collect();
        let expected: BTreeSet<_> = scan.list(position.as_ref(), &filter).into_iter().collect();
        assert_eq!(
            (found, all.total),
            (expected.clone(), expected.len()),
            "{filter:?}"
        );
        // A part is a part of the whole.
        let part = list(&collection, position.as_ref(), &matcher, order, 3, 5).expect("sound");
        let rest: Vec<GameRef> = all.games.iter().copied().skip(3).take(5).collect();
        assert_eq!(
            part,
            Listed {
                total: all.total,
                games: rest
            }
        );
    }
}

#[test]
fn lists_are_in_order() {
    let games = games(6, 200);
    let scan = naive::Scan::new(games);
    let collection = collection(&scan, 40, 70);
    let matcher = Matcher::new(&Filter::default(), &collection).expect("in memory");
    let entries = |order| {
        let listed = list(&collection, None, &matcher, order, 0, usize::MAX).expect("sound");
        let entries = listed
            .games
            .iter()
            .map(|&game| collection.entry(game).expect("in memory").expect("there"));
        entries.collect::<Vec<_>>()
    };
    assert!(entries(Order::Latest).is_sorted_by(|a, b| a.date >= b.date));
    assert!(entries(Order::Earliest).is_sorted_by(|a, b| a.date <= b.date));
    assert!(entries(Order::Margin).is_sorted_by(|a, b| {
        let margin = |entry: &outflank_games::Entry| entry.result.map(|discs| discs.get().abs());
        margin(a) >= margin(b)
    }));
}

#[test]
fn entries_come_back_whole() {
    let games = games(7, 250);
    let scan = naive::Scan::new(games.clone());
    let collection = collection(&scan, 40, 90);
    let matcher = Matcher::new(
        &Filter {
            duplicates: true,
            ..Filter::default()
        },
        &collection,
    )
    .expect("in memory");
    let listed = list(&collection, None, &matcher, Order::Number, 0, usize::MAX).expect("sound");
    let back: Vec<naive::Game> = listed
        .games
        .iter()
        .map(|&game| naive::Game {
            source: place(&collection, game).0,
            entry: collection.entry(game).expect("in memory").expect("there"),
        })
        .collect();
    assert_eq!(back, games);
}

fn sum<K: Ord>(games: &[naive::Game], keys: impl Fn(&naive::Game) -> Vec<(K, Color)>) -> BTreeMap<K, Tally> {
    let mut sums: BTreeMap<K, Tally> = BTreeMap::new();
    for game in games
        .iter()
        .filter(|game| naive::accepts(&Filter::default(), game))
    {
        for (key, side) in keys(game) {
            sums.entry(key).or_default().add(&game.entry.facts(), side);
        }
    }
    sums
}

#[test]
fn totals_are_sums_over_all_games() {
    let games = games(8, 400);
    let scan = naive::Scan::new(games.clone());
    let collection = collection(&scan, 40, 150);
    let matcher = Matcher::new(&Filter::default(), &collection).expect("in memory");
    let years = stats::by_year(&collection, &matcher).expect("in memory");
    let years: BTreeMap<u16, Tally> = years
        .into_iter()
        .map(|group| (group.key as u16, group.total))
        .collect();
    assert_eq!(
        years,
        sum(&games, |game| vec![(game.entry.date.year, Color::Black)])
    );

    let names = collection.names(NameKind::Players).expect("in memory");
    let players = stats::by_player(&collection, &matcher, None).expect("in memory");
    let players: BTreeMap<String, Tally> = players
        .iter()
        .map(|player| (outflank_games::identity(names.text(player.name)), player.total()))
        .collect();
    let mut expected = sum(&games, |game| {
        let entry = &game.entry;
        let of = |name: &str, side| (outflank_games::identity(name), side);
        vec![of(&entry.black, Color::Black), of(&entry.white, Color::White)]
    });
    expected.remove("");
    assert_eq!(players, expected);

    let names = collection.names(NameKind::Events).expect("in memory");
    let events = stats::by_name(&collection, &matcher, NameKind::Events).expect("in memory");
    let events: BTreeMap<String, Tally> = events
        .iter()
        .map(|group| (outflank_games::identity(names.text(group.key)), group.total))
        .collect();
    let expected = sum(&games, |game| {
        vec![(outflank_games::identity(&game.entry.event), Color::Black)]
    });
    assert_eq!(events, expected);
}

#[test]
fn games_belong_to_the_last_position_they_go_through() {
    let games = games(9, 200);
    let scan = naive::Scan::new(games.clone());
    let collection = collection(&scan, 40, 70);
    let matcher = Matcher::new(&Filter::default(), &collection).expect("in memory");
    let mut numbers = Numbers::new(10);
    let boards: Vec<_> = (0..20)
        .map(|_| samples::position(&mut numbers, &games).board())
        .collect();
    let (groups, rest) = stats::by_position(&collection, &matcher, &boards).expect("sound");
    let last = |game: &naive::Game| {
        let steps: Vec<_> = game.entry.moves.replay().collect();
        let position = steps.iter().rev().find_map(|step| {
            let is_it = |board: &&outflank_othello::Board| board.canonical().0 == step.board.canonical().0;
            boards.iter().find(is_it).copied()
        });
        position.map(|board| board.canonical().0)
    };
    let mut expected = sum(&games, |game| vec![(last(game), Color::Black)]);
    assert_eq!(rest, expected.remove(&None).unwrap_or_default());
    let found: BTreeMap<_, Tally> = groups
        .iter()
        .map(|group| (Some(boards[group.key as usize].canonical().0), group.total))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn results_between_players_add_up() {
    let games = games(11, 400);
    let scan = naive::Scan::new(games);
    let collection = collection(&scan, 40, 150);
    let matcher = Matcher::new(&Filter::default(), &collection).expect("in memory");
    let pairings = stats::pairings(&collection, &matcher, 30).expect("in memory");
    let mut of_players = vec![(0.0, 0); pairings.players.len()];
    for (&(first, second), &(points, n)) in &pairings.pairs {
        assert!(first < second && points <= f64::from(n));
        of_players[first].0 += points;
        of_players[second].0 += f64::from(n) - points;
        of_players[first].1 += u64::from(n);
        of_players[second].1 += u64::from(n);
    }
    for (player, (points, n)) in pairings.players.iter().zip(of_players) {
        let total = player.total();
        assert_eq!((total.games, total.decided()), (n, n));
        assert!((total.wins as f64 + 0.5 * total.draws as f64 - points).abs() < 1e-9);
        assert!(n >= 30);
    }
    assert!(pairings.players.len() > 3);
    assert!(
        stats::pairings(&collection, &matcher, 10_000)
            .expect("in memory")
            .players
            .is_empty()
    );
}

/// The games of the data folder; 1,000 questions take some minutes.
///
/// `cargo test -p outflank-games --test queries -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn a_thousand_questions_about_real_games() {
    let Some(folder) = outflank_testkit::data_path("wthor") else {
        return;
    };
    let read = |name: &str| outflank_testkit::data(name).expect("it is there");
    let players = NameFile::read(&read("wthor/WTH.JOU")[..], WthorNames::Players).expect("names");
    let tournaments = NameFile::read(&read("wthor/WTH.TRN")[..], WthorNames::Tournaments).expect("names");
    let names = NameFiles {
        players: Some(&players),
        tournaments: Some(&tournaments),
    };
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .map(|file| file.path())
        .collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "wtb"));
    files.extend(
        ["games/eothello.csv", "games/PLAYOK_2023.wtb"]
            .iter()
            .filter_map(|name| outflank_testkit::data_path(name)),
    );
    let mut builder = Builder::default();
    for file in files {
        let names = if file.starts_with("games") {
            NameFiles::default()
        } else {
            names
        };
        let bytes = std::fs::read(&file).expect("readable");
        builder.read(
            &file.file_name().expect("a name").to_string_lossy(),
            &bytes[..],
            names,
        );
    }
    let collection = builder.build();
    let all = Matcher::new(
        &Filter {
            duplicates: true,
            ..Filter::default()
        },
        &collection,
    )
    .expect("in memory");
    let listed = list(&collection, None, &all, Order::Number, 0, usize::MAX).expect("sound");
    let games: Vec<naive::Game> = listed
        .games
        .iter()
        .map(|&game| naive::Game {
            source: place(&collection, game).0,
            entry: collection.entry(game).expect("in memory").expect("there"),
        })
        .collect();
    println!("{} games", games.len());
    let scan = naive::Scan::new(games.clone());
    let mut numbers = Numbers::new(12);
    for _ in 0..1000 {
        let position = samples::position(&mut numbers, &games);
        let filter = samples::filter(&mut numbers);
        assert_same(&collection, &position, &filter, &scan);
    }
}
