//! The WTHOR reader and writer, on made-up files and on the whole database.

use outflank_othello::{Discs, Game, Move, Square};
use outflank_records::{
    ggf,
    transcript::{self, Passes},
    wthor::{
        GAME_BYTES, Header, NameFile, NameKind, Record, RecordError, Wthor, WthorError, code_from_square,
        square_from_code, write_games,
    },
};
use outflank_testkit::data_path;
use std::{fs, io::BufReader};

fn record(moves: &[u8]) -> Record {
    let mut all = [0; 60];
    all[..moves.len()].copy_from_slice(moves);
    Record {
        tournament: 1,
        black: 2,
        white: 3,
        real_score: 32,
        theoretical_score: 33,
        moves: all,
    }
}

fn file(records: &[Record]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_games(&mut bytes, Header::for_games(0, 1999), records).expect("a vector takes every byte");
    bytes
}

#[test]
fn codes_and_squares_correspond() {
    let n = (0..=u8::MAX).filter_map(square_from_code).count();
    assert_eq!(n, 64);
    for square in Square::ALL {
        assert_eq!(square_from_code(code_from_square(square)), Some(square));
    }
    assert_eq!(code_from_square(Square::F5), 56);
}

#[test]
fn bad_records_are_listed_and_good_ones_kept() {
    let bytes = file(&[
        record(&[56, 64, 33]),
        record(&[56, 56]),
        record(&[56, 99]),
        record(&[56, 0, 64]),
        record(&[11]),
        record(&[]),
    ]);
    let file = Wthor::read(bytes.as_slice()).unwrap();
    let numbers: Vec<_> = file.games.iter().map(|game| game.number).collect();
    assert_eq!(numbers, [1, 6]);
    let texts: Vec<_> = file.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "record 2: ply 2, f5: f5 is occupied",
            "record 3: ply 2: 99 is not a square (row * 10 + column, 11 to 88)",
            "record 4: ply 2: no move, but moves go on at ply 3",
            "record 5: ply 1, a1: a1 flips nothing",
        ]
    );
    assert!(matches!(
        file.problems[2],
        WthorError::Game {
            error: RecordError::Gap { ply: 2, next: 3 },
            ..
        }
    ));
    assert_eq!(file.games[0].score_agrees(), None);
    assert_eq!(file.games[1].game, Game::new());
}

#[test]
fn truncated_and_lying_files_say_so() {
    let whole = file(&[record(&[56]), record(&[56, 64])]);
    for end in 0..16 {
        let error = Wthor::read(&whole[..end]).unwrap_err();
        assert_eq!(error, WthorError::ShortHeader { found: end });
    }
    for end in 16 + GAME_BYTES + 1..16 + 2 * GAME_BYTES {
        let file = Wthor::read(&whole[..end]).unwrap();
        assert_eq!(file.games.len(), 1);
        let bytes = end - 16 - GAME_BYTES;
        assert_eq!(
            file.problems,
            [WthorError::Truncated {
                record: 2,
                bytes,
                size: GAME_BYTES
            }]
        );
    }
    for claimed in [0, 1, 3, i32::MAX, i32::MIN, -1] {
        let mut bytes = whole.clone();
        bytes[4..8].copy_from_slice(&claimed.to_le_bytes());
        let file = Wthor::read(bytes.as_slice()).unwrap();
        assert_eq!(file.games.len(), 2);
        let claimed = i64::from(claimed);
        assert_eq!(file.problems, [WthorError::Count { claimed, found: 2 }]);
    }
    let mut bytes = whole;
    bytes[12] = 10;
    assert_eq!(
        Wthor::read(bytes.as_slice()).unwrap_err(),
        WthorError::BoardSize { size: 10 }
    );
    bytes[12] = 0;
    bytes[14] = 0;
    let file = Wthor::read(bytes.as_slice()).unwrap();
    assert_eq!(file.games[0].theoretical_empties, 22);
}

#[test]
fn names_are_latin1_whatever_the_header_says() {
    let mut bytes =
        NameFile::from_names(["???", "Andréani Fran\u{e7}ois", "x"], NameKind::Players).to_bytes();
    bytes[12] = 124;
    let file = NameFile::read(bytes.as_slice(), NameKind::Players).unwrap();
    assert_eq!(file.names, ["???", "Andréani François", "x"]);
    assert!(file.problems.is_empty());
    assert_eq!(file.to_bytes(), bytes);
    let cut = NameFile::read(&bytes[..16 + 25], NameKind::Players).unwrap();
    assert_eq!(cut.names.len(), 1);
    assert_eq!(cut.problems.len(), 1);
    let lying = NameFile::read(&bytes[..16 + 40], NameKind::Players).unwrap();
    assert_eq!(lying.problems, [WthorError::Count { claimed: 3, found: 2 }]);
    assert!(NameFile::read(&bytes[..3], NameKind::Tournaments).is_err());
}

#[test]
fn passes_are_implied() {
    // "Reversi Wars" list: four implied black passes, 13–51.
    let text = "F5D6C3D3C4F4F6F3E3B4B5E6E7F2E2G5G6F7G3E1C5C6H4G4D2H6F8H5H7H3H2C1D1A4A6A5F1A7D7C7B6G1B3E8D8G2B7B8A8\
                C8G8G7H8A2A3H1A1B2C2B1";
    let mut game = Game::new();
    for i in 0..60 {
        game.place(text[2 * i..2 * i + 2].parse().unwrap()).unwrap();
    }
    let record = Record::from_game(&game).unwrap();
    assert_eq!(record.real_score, 13);
    let again = Wthor::read(file(&[record]).as_slice()).unwrap();
    assert_eq!(again.games[0].game, game);
    assert_eq!(again.games[0].score_agrees(), Some(true));
    let passes = game.moves().iter().filter(|mv| **mv == Move::Pass).count();
    assert_eq!(passes, 4);
}

#[test]
fn a_score_that_the_moves_contradict_is_noticed() {
    let start = "f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6f7g3e1c5c6h4g4d2h6f8h5h7h3h2c1d1a4a6a5f1a7d7c7b6g1b3e8d8g2b7b8a8\
                 c8g8g7h8a2a3h1a1b2c2b1";
    let game = transcript::parse(start).unwrap().value;
    let mut record = Record::from_game(&game).unwrap();
    record.real_score = 14;
    record.theoretical_score = 65;
    let wthor = Wthor::read(file(&[record]).as_slice()).unwrap();
    assert!(wthor.problems.is_empty());
    assert_eq!(wthor.games[0].score_agrees(), Some(false));
    assert_eq!(wthor.games[0].real_discs().map(Discs::get), Some(-36));
    // Not a score at all: no label.
    assert_eq!(wthor.games[0].theoretical_discs(), None);
    assert_eq!(wthor.games[0].theoretical_position(), None);
}

#[test]
fn the_theoretical_score_belongs_to_its_position() {
    let mut moves = [0; 60];
    let text =
        "f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6f7g3e1c5c6h4g4d2h6f8h5h7h3h2c1d1a4a6a5f1a7d7c7b6g1b3e8d8g2b7b8a8";
    for (i, slot) in moves.iter_mut().take(text.len() / 2).enumerate() {
        *slot = code_from_square(text[2 * i..2 * i + 2].parse().unwrap());
    }
    let record = Record {
        theoretical_score: 20,
        ..record(&moves)
    };
    for (depth, empties) in [(0, 22), (24, 24), (18, 18)] {
        let mut bytes = file(&[record]);
        bytes[14] = depth;
        let wthor = Wthor::read(bytes.as_slice()).unwrap();
        let (position, discs) = wthor.games[0].theoretical_position().unwrap();
        assert_eq!(position.board().empties().count(), empties);
        assert_eq!(discs.get(), -24);
    }
}

#[test]
fn the_whole_database_replays_to_its_scores() {
    let Some(wthor) = data_path("wthor") else { return };
    let mut paths: Vec<_> = fs::read_dir(wthor)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths.extend(data_path("games/PLAYOK_2023.wtb"));
    let (mut games, mut finished, mut passes, mut wrong) = (0, 0, 0, 0);
    for path in paths {
        if path.extension().is_none_or(|extension| extension != "wtb") {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let file = Wthor::read(bytes.as_slice()).unwrap();
        assert!(
            file.problems.is_empty(),
            "{}: {:?}",
            path.display(),
            file.problems
        );
        let records: Vec<_> = file.games.iter().map(|game| game.record).collect();
        let mut again = Vec::new();
        write_games(&mut again, file.header, &records).unwrap();
        assert!(again == bytes, "{}", path.display());
        for game in &file.games {
            games += 1;
            passes += game.game.moves().iter().filter(|mv| **mv == Move::Pass).count();
            match game.score_agrees() {
                Some(true) => finished += 1,
                Some(false) => wrong += 1,
                None => {}
            }
            let again = Record::from_game(&game.game).unwrap();
            assert_eq!(again.moves, game.record.moves);
        }
    }
    eprintln!("{games} games, {finished} finished, {passes} passes, {wrong} wrong scores");
    assert_eq!(wrong, 0);
    assert!(games > 160_000);
}

/// WTHOR to GGF to WTHOR keeps every byte; on to a transcript and back, every move.
fn round_trips(step: usize) -> usize {
    let Some(wthor) = data_path("wthor") else { return 0 };
    let names = |name: &str, kind| {
        let input = fs::File::open(wthor.join(name)).expect("a name file");
        NameFile::read(BufReader::new(input), kind).expect("a header")
    };
    let players = names("WTH.JOU", NameKind::Players);
    let tournaments = names("WTH.TRN", NameKind::Tournaments);
    let mut n = 0;
    for year in 1977..=2014 {
        let path = wthor.join(format!("WTH_{year}.wtb"));
        let bytes = fs::read(path).expect("a games file");
        let file = Wthor::read(bytes.as_slice()).expect("a header");
        for game in file.games.iter().step_by(step) {
            let ggf = ggf::write(&game.to_game_record(Some(&players), Some(&tournaments)));
            let record = ggf::parse(&ggf).expect("own GGF").value;
            assert_eq!(Record::from_game_record(&record), Ok(game.record));
            assert_eq!(record.game, game.game);
            assert_eq!(
                record.tag("PB"),
                players.get(game.record.black).filter(|name| !name.is_empty())
            );
            if game.record.moves[0] != 0 {
                let text = transcript::write(&record.game, Passes::Omit);
                let again = transcript::parse(&text).expect("own transcript").value;
                assert_eq!(
                    Record::from_game(&again).map(|record| record.moves),
                    Ok(game.record.moves)
                );
            }
            n += 1;
        }
    }
    n
}

#[test]
fn a_sample_of_the_database_survives_other_formats() {
    round_trips(50);
}

#[test]
#[ignore = "ten seconds: the whole database through GGF and transcripts"]
fn the_whole_database_survives_other_formats() {
    let n = round_trips(1);
    assert!(n == 0 || n > 110_000, "{n}");
}

#[test]
fn the_name_files_round_trip() {
    let Some(wthor) = data_path("wthor") else { return };
    for (name, kind) in [("WTH.JOU", NameKind::Players), ("WTH.TRN", NameKind::Tournaments)] {
        let input = fs::File::open(wthor.join(name)).unwrap();
        let file = NameFile::read(BufReader::new(input), kind).unwrap();
        assert!(file.problems.is_empty(), "{name}: {:?}", file.problems);
        let again = NameFile::read(file.to_bytes().as_slice(), kind).unwrap();
        assert_eq!(again, file);
        assert!(file.names.len() > 400);
    }
}
