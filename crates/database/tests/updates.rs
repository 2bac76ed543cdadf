//! Whatever was imported in whatever order, the database is that of one import, and answers as a linear scan does.

mod common {
    pub(crate) mod support;
}

use common::support::{Sources, assert_sound, contents, digest, import, path, sources};
use outflank_database::{Change, Database, Error};
use outflank_games::{
    Builder, Explored, Flags, GameRef, Matcher, NameKind, Order, Store, duplicates, explore, list, naive,
    samples::{self, Numbers},
    stats,
};
use std::collections::BTreeSet;

/// Made-up games with the flags that they should have.
fn expected(sources: &Sources) -> Vec<naive::Game> {
    let games = sources.iter().flat_map(|(source, games)| {
        games.iter().map(|entry| naive::Game {
            source: source.clone(),
            entry: entry.clone(),
        })
    });
    let mut games: Vec<naive::Game> = games.collect();
    let flags = naive::duplicates(&games);
    for (game, is_duplicate) in games.iter_mut().zip(flags) {
        game.entry.flags = game.entry.flags.with(Flags::DUPLICATE, is_duplicate);
    }
    games.sort_by(|a, b| (&a.source, a.entry.number).cmp(&(&b.source, b.entry.number)));
    games
}

#[test]
fn what_was_imported_comes_back_whole() {
    let sources = sources(21, 300);
    let mut database = Database::create(&path("whole")).expect("created");
    let imported = import(&mut database, &sources).expect("imported");
    assert_eq!((imported.new, imported.games, imported.total), (15, 300, 300));
    let expected = expected(&sources);
    assert_eq!(contents(&database), expected);
    let n_duplicates = expected
        .iter()
        .filter(|game| game.entry.flags.has(Flags::DUPLICATE))
        .count();
    assert_eq!(imported.duplicates, n_duplicates as u64);
    assert!(n_duplicates > 0);
    assert_sound(&database);
    // Again: there is nothing to do.
    let again = import(&mut database, &sources).expect("imported");
    assert_eq!((again.unchanged, again.games, again.total), (15, 0, 300));
    assert_eq!(contents(&database), expected);
    let infos = database.source_list().expect("sources");
    assert!(infos.iter().map(|info| &info.name).eq(sources.keys()));
    assert!(
        infos
            .iter()
            .all(|info| info.games == 20 && info.digest == digest(&sources[&info.name]))
    );
}

/// Where a game of any store stands.
fn place<S: Store>(store: &S, game: GameRef) -> naive::Place {
    let facts = store.facts(game).expect("facts").copied().expect("there");
    let sources = store.names(NameKind::Sources).expect("names");
    (
        sources.text(facts.source).to_owned(),
        store.number(game).expect("a number"),
    )
}

fn as_naive<S: Store>(store: &S, explored: &Explored) -> naive::Explored {
    let moves = explored.moves.iter().map(|mv| {
        let squares: BTreeSet<_> = mv.same.iter().copied().chain([mv.square]).collect();
        let mut games: Vec<naive::Place> = mv.examples.iter().map(|&game| place(store, game)).collect();
        games.sort();
        (
            squares,
            naive::Played {
                total: mv.total,
                games,
            },
        )
    });
    naive::Explored {
        total: explored.total,
        ended: explored.ended,
        moves: moves.collect(),
    }
}

#[test]
fn questions_have_the_answers_of_a_linear_scan() {
    let sources = sources(22, 240);
    let mut database = Database::create(&path("questions")).expect("created");
    // In three imports, so that there are several segments.
    for first in 0..3 {
        let part = sources
            .iter()
            .skip(first)
            .step_by(3)
            .map(|(name, games)| (name.clone(), games.clone()));
        import(&mut database, &part.collect()).expect("imported");
    }
    let games = expected(&sources);
    let scan = naive::Scan::new(games.clone());
    let mut numbers = Numbers::new(23);
    for _ in 0..300 {
        let position = samples::position(&mut numbers, &games);
        let filter = samples::filter(&mut numbers);
        let matcher = Matcher::new(&filter, &database).expect("names");
        let explored = explore(&database, &position, &matcher, usize::MAX).expect("sound");
        let mut expected = scan.explore(&position, &filter);
        expected.moves.values_mut().for_each(|played| played.games.sort());
        assert_eq!(as_naive(&database, &explored), expected, "{position}\n{filter:?}");
        let listed = list(&database, Some(&position), &matcher, Order::Latest, 0, usize::MAX).expect("sound");
        let found: BTreeSet<_> = listed.games.iter().map(|&game| place(&database, game)).collect();
        assert_eq!(found, scan.list(Some(&position), &filter).into_iter().collect());
    }
}

/// Returns the totals of all players by name.
fn players<S: Store>(store: &S, matcher: &Matcher) -> Vec<(String, outflank_games::Tally)> {
    let names = store.names(NameKind::Players).expect("names");
    let players = stats::by_player(store, matcher, None).expect("facts");
    players
        .iter()
        .map(|player| (names.text(player.name).to_owned(), player.total()))
        .collect()
}

#[test]
fn totals_are_those_of_a_collection_in_memory() {
    let sources = sources(24, 200);
    let mut database = Database::create(&path("totals")).expect("created");
    import(&mut database, &sources).expect("imported");
    let mut builder = Builder::default();
    for (source, games) in &sources {
        for entry in games {
            builder.add(source, entry.clone());
        }
    }
    let collection = builder.build();
    let filter = outflank_games::Filter::default();
    let (in_file, in_memory) = (
        Matcher::new(&filter, &database).expect("names"),
        Matcher::new(&filter, &collection).expect("names"),
    );
    assert_eq!(
        stats::by_year(&database, &in_file).expect("facts"),
        stats::by_year(&collection, &in_memory).expect("facts")
    );
    assert_eq!(players(&database, &in_file), players(&collection, &in_memory));
}

#[test]
fn any_order_of_updates_gives_what_one_import_gives() {
    for seed in 0..12 {
        let mut numbers = Numbers::new(100 + seed);
        let last = sources(200 + seed, 160);
        let path = path(&format!("updates-{seed}"));
        let mut database = Database::create(&path).expect("created");
        // Earlier versions: some sources missing, some with other games, some that will be gone.
        for _ in 0..4 {
            let earlier = sources(numbers.below(1000) as u64, 160);
            let mut import_ = database.import().expect("begun");
            for (name, games) in last.iter().chain(&earlier) {
                let games = &games[..games.len() - numbers.below(games.len())];
                match numbers.below(5) {
                    0 => {
                        import_.remove(name).expect("removed");
                    }
                    1 => {
                        // Begun, and not ended.
                        if import_.begin(name, "half").expect("begun") != Change::Unchanged {
                            for entry in games {
                                import_.add(entry).expect("added");
                            }
                        }
                    }
                    2 => {}
                    _ => {
                        if import_.begin(name, &digest(games)).expect("begun") != Change::Unchanged {
                            for entry in games {
                                import_.add(entry).expect("added");
                            }
                            import_.end(3).expect("ended");
                        }
                    }
                }
            }
            if numbers.once_in(4) {
                drop(import_);
            } else {
                import_.finish().expect("finished");
            }
            assert_sound(&database);
        }
        let mut gone = database.source_list().expect("sources");
        gone.retain(|info| !last.contains_key(&info.name));
        let mut import_ = database.import().expect("begun");
        for info in gone {
            assert!(import_.remove(&info.name).expect("removed"));
        }
        import_.finish().expect("finished");
        let imported = import(&mut database, &last).expect("imported");
        assert_eq!(imported.total, 160);
        assert_eq!(contents(&database), expected(&last), "seed {seed}");
        assert_sound(&database);
        // Names that no game has any more are gone.
        let mut fresh = Database::create(&common::support::path(&format!("fresh-{seed}"))).expect("created");
        import(&mut fresh, &last).expect("imported");
        for kind in [NameKind::Players, NameKind::Events, NameKind::Sources] {
            let names = |database: &Database| -> BTreeSet<String> {
                let names = database.names(kind).expect("names");
                names.iter().map(|(_, name)| name.text.clone()).collect()
            };
            assert_eq!(names(&database), names(&fresh));
        }
    }
}

#[test]
fn an_import_that_is_dropped_leaves_nothing() {
    let sources = sources(25, 60);
    let path = path("dropped");
    let mut database = Database::create(&path).expect("created");
    import(&mut database, &sources).expect("imported");
    let before = contents(&database);
    let mut import_ = database.import().expect("begun");
    for name in sources.keys() {
        import_.remove(name).expect("removed");
    }
    import_.begin("another", "x").expect("begun");
    import_.add(&sources["file-0.ggf"][0]).expect("added");
    drop(import_);
    assert_eq!(contents(&database), before);
    assert_sound(&database);
}

#[test]
fn a_reader_sees_one_state_beside_a_writer() {
    let sources = sources(26, 120);
    let path = path("readers");
    let mut writer = Database::create(&path).expect("created");
    let half: Sources = sources
        .iter()
        .take(3)
        .map(|(name, games)| (name.clone(), games.clone()))
        .collect();
    import(&mut writer, &half).expect("imported");
    let (mut reader, other) = (
        Database::open(&path).expect("opened"),
        Database::open(&path).expect("opened"),
    );
    let before = contents(&other);
    import(&mut writer, &sources).expect("imported beside two readers");
    // One has not looked yet, one has: both see what was there when they opened.
    assert_eq!(contents(&reader), before);
    assert_eq!(contents(&other), before);
    reader.refresh().expect("refreshed");
    assert_eq!(contents(&reader), expected(&sources));
    let import_ = writer.import().expect("begun");
    assert!(
        Database::open(&path).is_ok(),
        "a reader opens while somebody writes"
    );
    drop(import_);
    assert!(
        matches!(reader.import(), Err(Error::Sqlite(_))),
        "opened for reading only"
    );
}

#[test]
fn spellings_join_players() {
    let sources = sources(27, 200);
    let mut database = Database::create(&path("aliases")).expect("created");
    import(&mut database, &sources).expect("imported");
    let n_players = |database: &Database| {
        let matcher = Matcher::new(&outflank_games::Filter::default(), database).expect("names");
        stats::by_player(database, &matcher, None).expect("facts").len()
    };
    let before = n_players(&database);
    let mut import_ = database.import().expect("begun");
    import_
        .set_aliases(&[("Zoe Bell".to_owned(), "Ada".to_owned())])
        .expect("written");
    import_.finish().expect("finished");
    assert_eq!(n_players(&database), before - 1);
    assert_sound(&database);
}

#[test]
fn keys_tell_games_that_are_alike() {
    let games = samples::games(28, 100);
    for game in &games {
        for other in &games {
            let key = |game: &naive::Game| duplicates::Key::of(&game.entry.moves);
            assert_eq!(key(game) == key(other), key(game).hash() == key(other).hash());
        }
    }
}
