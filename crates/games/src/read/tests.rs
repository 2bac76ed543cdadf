//! Sources of several kinds, good and bad.

use super::*;
use outflank_othello::Discs;
use outflank_records::wthor::{Header, NO_SCORE, NameKind, Record, write_games};

fn found(bytes: &[u8], names: NameFiles<'_>) -> (Vec<Entry>, Vec<String>, usize) {
    let (mut games, mut bad, mut positions) = (Vec::new(), Vec::new(), 0);
    read(bytes, names, &mut |found| {
        match found {
            Found::Game(entry) => games.push(*entry),
            Found::Bad(game) => bad.push(game.to_string()),
            Found::Position => positions += 1,
        }
        true
    });
    (games, bad, positions)
}

fn wthor(scores: &[(u8, u8)]) -> Vec<u8> {
    let game = "f5d6c3d3c4".parse().expect("legal");
    let records: Vec<Record> = scores
        .iter()
        .map(|&(real_score, theoretical_score)| Record {
            real_score,
            theoretical_score,
            black: 1,
            white: 2,
            tournament: 1,
            ..Record::from_game(&game).expect("the usual start")
        })
        .collect();
    let mut bytes = Vec::new();
    write_games(
        &mut bytes,
        Header {
            depth: 24,
            ..Header::for_games(0, 1999)
        },
        &records,
    )
    .expect("memory");
    bytes
}

#[test]
fn texts_are_numbered_and_bad_games_named() {
    let text = "f5d6c3\nf5f4g7\n---------------------------OX------XO--------------------------- X\nf5f6\n";
    let (games, bad, positions) = found(text.as_bytes(), NameFiles::default());
    assert_eq!(games.iter().map(|entry| entry.number).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(bad, ["game 2 (line 2): ply 3, g7: g7 flips nothing"]);
    assert_eq!(positions, 1);
}

#[test]
fn wthor_has_names_and_solved_scores() {
    let players = NameFile::from_names(["?", "Ada", "Bob"], NameKind::Players);
    let events = NameFile::from_names(["?", "Open"], NameKind::Tournaments);
    let names = NameFiles {
        players: Some(&players),
        tournaments: Some(&events),
    };
    let (games, bad, _) = found(&wthor(&[(40, 41), (32, NO_SCORE)]), names);
    assert_eq!((games.len(), bad.len()), (2, 0));
    let entry = &games[0];
    assert_eq!(
        (&*entry.black, &*entry.white, &*entry.event),
        ("Ada", "Bob", "Open")
    );
    assert_eq!((entry.date.year, entry.result.map(Discs::get)), (1999, Some(16)));
    assert_eq!(
        entry.theoretical.map(|(discs, empties)| (discs.get(), empties)),
        Some((18, 24))
    );
    assert_eq!(games[1].theoretical, None);
    // A copy of the real score is no solution.
    let (games, ..) = found(&wthor(&[(40, 40), (32, 32)]), names);
    assert!(games.iter().all(|entry| entry.theoretical.is_none()));
}

#[test]
fn damaged_records_of_wthor_are_left_out() {
    let mut bytes = wthor(&[(40, 41), (32, 33), (30, 30)]);
    bytes[16 + 68 + 8 + 2] = 11;
    bytes.truncate(bytes.len() - 10);
    let (games, bad, _) = found(&bytes, NameFiles::default());
    assert_eq!(games.iter().map(|entry| entry.number).collect::<Vec<_>>(), [1]);
    assert_eq!(
        bad,
        [
            "game 2: ply 3, a1: a1 flips nothing",
            "game 3: cut off after 58 of 68 bytes"
        ]
    );
}

#[test]
fn openings_by_lot_mark_games() {
    let openings = XotOpenings::read("f5d6c3\n".as_bytes()).expect("games");
    let (mut games, ..) = found(b"f5d6c3d3c4\nf5f6e6\nd3c5f6f5\n", NameFiles::default());
    for entry in &mut games {
        entry.mark_xot(&openings);
    }
    let marked: Vec<bool> = games.iter().map(|entry| entry.flags.has(Flags::XOT)).collect();
    assert_eq!((openings.len(), marked), (1, vec![true, false, true]));
    assert!(XotOpenings::read("nonsense".as_bytes()).is_err());
}
