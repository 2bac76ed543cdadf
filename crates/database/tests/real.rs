//! The games of the data folder: seconds, bytes and latencies, and questions compared with a collection in memory.
//!
//! `cargo test -p outflank-database --test real -- --ignored --nocapture`

use outflank_database::Database;
use outflank_games::{
    Builder, Filter, Found, Matcher, NameFiles, Order, XotOpenings, explore, list, naive, read,
    samples::{self, Numbers},
};
use outflank_othello::Position;
use outflank_records::wthor::{NameFile, NameKind};
use std::{fs, path::PathBuf, time::Instant};

/// Returns the files of the games, those of WTHOR first.
fn files() -> Option<(Vec<PathBuf>, Vec<PathBuf>)> {
    let folder = outflank_testkit::data_path("wthor")?;
    let mut wthor: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|file| file.path())
        .collect();
    wthor.retain(|file| file.extension().is_some_and(|extension| extension == "wtb"));
    wthor.sort();
    let others = ["games/PLAYOK_2023.wtb", "games/eothello.csv"];
    Some((
        wthor,
        others
            .iter()
            .filter_map(|name| outflank_testkit::data_path(name))
            .collect(),
    ))
}

fn import(database: &mut Database, files: &[PathBuf], names: NameFiles<'_>, openings: &XotOpenings) -> u64 {
    let mut import = database.import().expect("begun");
    for file in files {
        let bytes = fs::read(file).expect("readable");
        let name = file.file_name().expect("a name").to_string_lossy();
        import.begin(&name, &bytes.len().to_string()).expect("begun");
        read(&bytes[..], names, &mut |found| {
            if let Found::Game(mut entry) = found {
                entry.mark_xot(openings);
                import.add(&entry).expect("added");
            }
            true
        });
        import.end(0).expect("ended");
    }
    import.finish().expect("finished").total
}

#[test]
#[ignore = "takes minutes"]
fn the_games_of_the_data_folder() {
    let Some((wthor, others)) = files() else { return };
    let data = |name: &str| outflank_testkit::data(name).expect("it is there");
    let players = NameFile::read(&data("wthor/WTH.JOU")[..], NameKind::Players).expect("names");
    let tournaments = NameFile::read(&data("wthor/WTH.TRN")[..], NameKind::Tournaments).expect("names");
    let names = NameFiles {
        players: Some(&players),
        tournaments: Some(&tournaments),
    };
    let openings = XotOpenings::read(&data("openings/xot_small.txt")[..]).expect("openings");
    let path = outflank_testkit::empty_folder(env!("CARGO_TARGET_TMPDIR"), "real").join("games.db");
    let size = || fs::metadata(&path).expect("there").len();

    let start = Instant::now();
    let mut database = Database::create(&path).expect("created");
    let total = import(&mut database, &wthor, names, &XotOpenings::default());
    println!(
        "WTHOR: {total} games, {:.1} s, {} bytes",
        start.elapsed().as_secs_f64(),
        size()
    );
    let start = Instant::now();
    let total = import(&mut database, &others, NameFiles::default(), &openings);
    println!(
        "all: {total} games, {:.1} s more, {} bytes",
        start.elapsed().as_secs_f64(),
        size()
    );
    drop(database);

    let f5 = "f5d6c3d3c4".parse::<outflank_othello::Game>().expect("legal");
    for (name, position) in [("start", Position::start()), ("f5d6c3d3c4", *f5.position())] {
        for filter in [
            Filter::default(),
            Filter {
                player: Some("tamenori".to_owned()),
                years: Some(1990..=2005),
                ..Filter::default()
            },
        ] {
            let start = Instant::now();
            let database = Database::open(&path).expect("opened");
            let matcher = Matcher::new(&filter, &database).expect("names");
            let explored = explore(&database, &position, &matcher, 1).expect("sound");
            let cold = start.elapsed();
            let start = Instant::now();
            for _ in 0..10 {
                let matcher = Matcher::new(&filter, &database).expect("names");
                assert_eq!(
                    explore(&database, &position, &matcher, 1).expect("sound"),
                    explored
                );
            }
            let (games, warm) = (explored.total.games, start.elapsed() / 10);
            println!("{name}: {games} games, opened anew {cold:?}, again {warm:?}");
        }
    }

    // Questions compared with a collection in memory, which is compared with a linear scan in its own test.
    let database = Database::open(&path).expect("opened");
    let mut builder = Builder::default();
    let all = Matcher::new(
        &Filter {
            duplicates: true,
            ..Filter::default()
        },
        &database,
    )
    .expect("names");
    let listed = list(&database, None, &all, Order::Number, 0, usize::MAX).expect("sound");
    let mut games = Vec::new();
    for &game in &listed.games {
        let entry = outflank_games::Store::entry(&database, game)
            .expect("readable")
            .expect("there");
        builder.add("all", entry.clone());
        games.push(naive::Game {
            source: "all".to_owned(),
            entry,
        });
    }
    let collection = builder.build();
    let mut numbers = Numbers::new(51);
    let (mut worst, mut sum) = (std::time::Duration::ZERO, std::time::Duration::ZERO);
    for _ in 0..1000 {
        let position = samples::position(&mut numbers, &games);
        let filter = Filter {
            source: None,
            duplicates: true,
            ..samples::filter(&mut numbers)
        };
        let start = Instant::now();
        let matcher = Matcher::new(&filter, &database).expect("names");
        let explored = explore(&database, &position, &matcher, 0).expect("sound");
        worst = worst.max(start.elapsed());
        sum += start.elapsed();
        let matcher = Matcher::new(&filter, &collection).expect("names");
        assert_eq!(
            explore(&collection, &position, &matcher, 0).expect("sound"),
            explored
        );
    }
    println!(
        "1000 random questions: {:?} on average, {worst:?} at most",
        sum / 1000
    );
    let start = Instant::now();
    assert_eq!(
        database.check(&mut |_| true).expect("readable"),
        Vec::<String>::new()
    );
    println!("checked in {:.1} s", start.elapsed().as_secs_f64());
}
