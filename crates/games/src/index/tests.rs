//! The index against replayed games, with fingerprints so short that positions share them, and damaged bytes.

use super::*;
use crate::Moves;
use proptest::prelude::*;

fn games(texts: &[&str]) -> Vec<Moves> {
    let parsed = texts
        .iter()
        .map(|text| Moves::parse(None, text).expect("squares"));
    parsed.collect()
}

const GAMES: [&str; 5] = [
    "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3h7",
    "d3c5f6f5e6e3",
    "",
    "f5f6e6f4e3",
    "f5d6c3d3c4",
];

#[test]
fn every_position_of_every_game_is_there() {
    let games = games(&GAMES);
    for bits in [1, 3, 8, 40] {
        let index = build(&games, bits).expect("legal");
        index.check().expect("in order");
        let mut n_entries = 0;
        for (number, game) in games.iter().enumerate() {
            for step in game.replay() {
                let position = canonical(step.board);
                let slice = index.slice(step.board.occupied().count() as usize);
                let range = slice.find(position.fingerprint(bits));
                let entry = range
                    .map(|at| slice.entry(at))
                    .find(|entry| entry.game as usize == number);
                let expected = IndexEntry {
                    game: number as u32,
                    mv: step.mv.map(|square| position.image(square)),
                    side: step.side,
                };
                assert_eq!(entry, Some(expected));
                n_entries += 1;
            }
        }
        assert_eq!(
            (0..65).map(|discs| index.slice(discs).len()).sum::<usize>(),
            n_entries
        );
    }
}

#[test]
fn shared_fingerprints_are_known() {
    let games = games(&GAMES);
    assert_eq!(build(&games, 40).expect("legal").collisions(), []);
    // After one move all games are in the same position, after two they are in different ones.
    let index = build(&games, 1).expect("legal");
    let with_collision: Vec<u8> = index.collisions().iter().map(|collision| collision.0).collect();
    assert!(
        !with_collision.contains(&4) && !with_collision.contains(&5),
        "{with_collision:?}"
    );
    let distinct = |discs: usize| {
        let mut boards: Vec<(u64, Board)> = Vec::new();
        for step in games.iter().flat_map(Moves::replay) {
            let position = canonical(step.board);
            if step.board.occupied().count() as usize == discs {
                boards.push((position.fingerprint(1), position.board));
            }
        }
        boards.sort_unstable();
        boards.dedup();
        boards.windows(2).any(|pair| pair[0].0 == pair[1].0)
    };
    for discs in 4..=64 {
        assert_eq!(
            with_collision.contains(&(discs as u8)),
            distinct(discs),
            "{discs} discs"
        );
    }
}

#[test]
fn what_cannot_be_indexed_is_named() {
    let games = games(&["f5", "f5a1"]);
    assert_eq!(build(&games, 40), Err(IndexError::Illegal { number: 1 }));
}

#[test]
fn an_index_survives_its_bytes() {
    let index = build(&games(&GAMES), 2).expect("legal");
    let bytes = index.to_bytes();
    let read = Index::from_bytes(&bytes).expect("an index");
    assert_eq!(read, index);
    for length in 0..bytes.len() {
        assert!(Index::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert!(matches!(
        Index::from_bytes(&longer),
        Err(IndexError::Length { .. })
    ));
}

proptest! {
    #[test]
    fn damaged_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = build(&games(&GAMES), 3).expect("legal").to_bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        crate::laws::index(&bytes);
    }
}

#[test]
fn the_corpus_obeys_the_law() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/games_index");
    let mut n = 0;
    for file in std::fs::read_dir(seeds).expect("a folder") {
        let bytes = std::fs::read(file.expect("readable").path()).expect("readable");
        n += usize::from(Index::from_bytes(&bytes).is_ok_and(|index| index.check().is_ok()));
        for at in 0..bytes.len() {
            crate::laws::index(&bytes[..at]);
        }
        crate::laws::index(&bytes);
    }
    assert!(n > 0, "at least one seed is sound");
}
