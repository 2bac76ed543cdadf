//! Books of other programs, written here byte by byte from the description of their formats.

use super::random_books::{endgame, grow};
use outflank_book::{
    Book, Fact, Kind, Place, Slot, UNITS, Worked, Worth,
    exchange::{
        ExchangeError,
        edax::{self, Export, Import},
        egaroucid,
    },
};
use outflank_game::SplitMix64;
use outflank_othello::{Board, Square};
use std::collections::{BTreeMap, BTreeSet};

/// A position of a book of Edax.
#[derive(Clone, Debug)]
struct Position {
    player: u64,
    opponent: u64,
    value: i16,
    bounds: (i16, i16),
    level: u8,
    links: Vec<(i8, u8)>,
    leaf: (i8, u8),
}

fn edax_file(positions: &[Position]) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(0x4544_4158_u32.to_le_bytes());
    out.extend(0x424F_4F4B_u32.to_le_bytes());
    out.extend([4, 6]);
    out.extend(2026_i16.to_le_bytes());
    out.extend([11, 28, 12, 0, 0, 0]);
    for number in [21, 40, 2, 2, 0, positions.len() as i32] {
        out.extend(number.to_le_bytes());
    }
    assert_eq!(out.len(), 42);
    for position in positions {
        let before = out.len();
        out.extend(position.player.to_le_bytes());
        out.extend(position.opponent.to_le_bytes());
        for counter in [u32::MAX, 7, 0, u32::MAX] {
            out.extend(counter.to_le_bytes());
        }
        for value in [position.value, position.bounds.0, position.bounds.1] {
            out.extend(value.to_le_bytes());
        }
        out.push(position.links.len() as u8);
        out.push(position.level);
        for (score, mv) in position.links.iter().chain([&position.leaf]) {
            out.push(*score as u8);
            out.push(*mv);
        }
        assert_eq!(out.len() - before, 42 + 2 * position.links.len());
    }
    out
}

fn import() -> Import {
    Import {
        source: "edax".to_owned(),
        depth: None,
    }
}

/// The boards of a file, read without the library.
fn boards_of(file: &[u8]) -> BTreeSet<(u64, u64)> {
    let word = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().expect("eight bytes"));
    let (mut at, mut boards) = (42, BTreeSet::new());
    while at < file.len() {
        boards.insert((word(at), word(at + 8)));
        at += 42 + 2 * usize::from(file[at + 38]);
    }
    boards
}

/// A random book as Edax would have it: links to positions that are there, a leaf where a legal move is left.
fn random_edax(seed: u64) -> Vec<Position> {
    let mut random = SplitMix64::new(seed);
    let mut positions: BTreeMap<Board, Position> = BTreeMap::new();
    let mut open = vec![endgame(&mut random, 10, 30).canonical().0];
    while let Some(board) = open.pop() {
        if positions.contains_key(&board) || board.is_game_over() {
            continue;
        }
        let value = random.below(21) as i16 - 10;
        let score = |random: &mut SplitMix64| random.below(21) as i8 - 10;
        let mut position = Position {
            player: board.player().bits(),
            opponent: board.opponent().bits(),
            value,
            bounds: (value - 2, value + 2),
            level: 21,
            links: Vec::new(),
            leaf: (0, 65),
        };
        let mut left = Vec::new();
        for square in board.legal_moves() {
            let next = board.play_unchecked(square, board.flips(square));
            if next.is_game_over() {
                left.push(square);
                continue;
            }
            if positions.len() + open.len() < 60 && random.below(3) > 0 {
                position.links.push((score(&mut random), square.index() as u8));
                open.push(next.canonical().0);
            } else {
                left.push(square);
            }
        }
        if board.must_pass() {
            position.links.push((score(&mut random), 64));
            open.push(board.passed().canonical().0);
        } else if !left.is_empty() {
            position.leaf = (score(&mut random), left[random.below(left.len())].index() as u8);
        }
        positions.insert(board, position);
    }
    positions.into_values().collect()
}

#[test]
fn edax_to_ours_to_edax_keeps_the_positions() {
    for seed in 0..60 {
        let positions = random_edax(seed);
        let file = edax_file(&positions);
        assert_eq!(edax::check(&file), Ok(Vec::new()), "seed {seed}");
        let mut book = Book::new();
        let report = edax::read(&file, &mut book, &import()).expect("a book of Edax");
        assert_eq!(report.refused, 0, "{:?}", report.problems);
        assert_eq!(report.positions + report.passes, positions.len() as u64);
        let (written, report) =
            edax::write(&Worked::new(book), &Export::default()).expect("no level was asked for");
        assert_eq!(report.problems, Vec::new());
        assert_eq!(boards_of(&written), boards_of(&file), "seed {seed}");
        // The leaves that were read are leaves again, and no positions.
        let mut again = Book::new();
        edax::read(&written, &mut again, &import()).expect("a book of Edax");
        assert_eq!(again.len() as u64, report.positions);
    }
}

#[test]
fn values_of_edax_are_what_their_worth_says() {
    let start = Board::start().canonical().0;
    let square = start.legal_moves().first().expect("a move");
    let after = start.play(square.into()).expect("legal").canonical().0;
    let leaf = after.legal_moves().first().expect("a move");
    let position = |board: Board, bounds, links, leaf| Position {
        player: board.player().bits(),
        opponent: board.opponent().bits(),
        value: 1,
        bounds,
        level: 21,
        links,
        leaf,
    };
    let other = start.legal_moves().into_iter().nth(1).expect("four");
    let file = edax_file(&[
        position(
            start,
            (0, 2),
            vec![(1, square.index() as u8)],
            (1, other.index() as u8),
        ),
        position(after, (-1, -1), Vec::new(), (-1, leaf.index() as u8)),
    ]);
    let mut book = Book::new();
    edax::read(&file, &mut book, &import()).expect("a book of Edax");
    let fact = book.get(after).and_then(|entry| entry.fact(Slot::Move(leaf)));
    let fact = fact.expect("the leaf");
    assert_eq!((fact.units(), fact.worth.kind()), (-UNITS, Kind::Claimed));
    let worked = Worked::new(book);
    let value = worked.derived(start).and_then(|derived| derived.value);
    assert_eq!(value, Some(UNITS as i16));
}

/// Each rule of Edax broken in turn.
#[test]
fn what_edax_would_not_take_is_named() {
    let good = random_edax(3);
    let rule = |reason: &str, change: &dyn Fn(&mut Vec<Position>)| {
        let mut positions = good.clone();
        change(&mut positions);
        let problems = edax::check(&edax_file(&positions)).expect("a book of Edax");
        let found = problems.iter().any(|problem| problem.reason.contains(reason));
        assert!(found, "{reason}: {problems:?}");
        // Whatever it says, it can be read.
        let mut book = Book::new();
        edax::read(&edax_file(&positions), &mut book, &import()).expect("a book of Edax");
    };
    let linked = good
        .iter()
        .position(|p| p.links.len() > 1 && p.links[0].1 < 64)
        .expect("one");
    let leafed = good
        .iter()
        .position(|p| p.leaf.1 < 64 && !p.links.is_empty())
        .expect("one");
    rule("overlap", &|all| all[0].player |= all[0].opponent);
    rule("center", &|all| {
        let center = 0x0000_0018_1800_0000_u64;
        all[0].player &= !center;
        all[0].opponent &= !center;
    });
    rule("smallest of its images", &|all| {
        let turned = (all[0].player.reverse_bits(), all[0].opponent.reverse_bits());
        (all[0].player, all[0].opponent) = turned;
    });
    rule("twice", &|all| all.push(all[0].clone()));
    rule("level", &|all| all[0].level = 20);
    rule("within its limits", &|all| all[0].bounds = (50, 60));
    rule("is not legal", &|all| all[linked].links[0].1 = 27);
    rule("a link is there twice", &|all| {
        let link = all[linked].links[0];
        all[linked].links.push(link);
    });
    rule("leads to no position", &|all| {
        let leaf = all[leafed].leaf;
        all[leafed].links.push(leaf);
        all[leafed].leaf = (0, 65);
    });
    rule("no leaf although", &|all| all[leafed].leaf = (0, 65));
    rule("its leaf is a link", &|all| {
        all[leafed].leaf = all[leafed].links[0];
    });
    rule("passes although", &|all| all[linked].links[0].1 = 64);
    rule("a pass that is not the only move", &|all| all[leafed].leaf.1 = 64);
    rule("is not legal", &|all| all[leafed].leaf.1 = 99);
    let mut file = edax_file(&good);
    file[38..42].copy_from_slice(&7_i32.to_le_bytes());
    assert_eq!(
        edax::check(&file).expect("a book").len(),
        1,
        "the number of positions"
    );
    file.truncate(file.len() - 3);
    let problems = edax::check(&file).expect("a book");
    assert!(
        problems
            .iter()
            .any(|problem| problem.reason.contains("cut short"))
    );
    file[8] = 3;
    assert!(matches!(
        edax::check(&file),
        Err(ExchangeError::Version { version: 3, .. })
    ));
    file[0] = 0;
    assert_eq!(edax::check(&file), Err(ExchangeError::NotOne("Edax")));
}

#[test]
fn our_books_are_taken_by_edax_and_egaroucid() {
    for seed in 0..60 {
        let mut random = SplitMix64::new(seed);
        let mut book = Book::new();
        let root = endgame(&mut random, 8, 40);
        grow(&mut book, root, &mut random, 5);
        let worked = Worked::new(book);
        let (file, report) = edax::write(&worked, &Export { level: Some(21) }).expect("a level");
        assert_eq!(
            (report.refused, edax::check(&file)),
            (0, Ok(Vec::new())),
            "seed {seed}"
        );
        let (file, report) = egaroucid::write(&worked, None);
        assert_eq!(file.len() as u64, 14 + 25 * report.positions);
        let mut again = Book::new();
        let read = egaroucid::read(&file, &mut again, "again").expect("a book of Egaroucid");
        assert_eq!(
            (read.refused, read.positions),
            (0, report.positions),
            "{:?}",
            read.problems
        );
    }
}

/// A position of a book of Egaroucid, a1 being the highest bit.
fn egaroucid_record(board: Board, value: i8, level: i8, leaf: Option<(i8, Square, i8)>) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(board.player().bits().reverse_bits().to_le_bytes());
    out.extend(board.opponent().bits().reverse_bits().to_le_bytes());
    out.extend([value as u8, level as u8]);
    out.extend(3_u32.to_le_bytes());
    let (value, square, level) = leaf.map_or((-126, 125, -1), |(value, square, level)| {
        (value, 63 - square.index() as i8, level)
    });
    out.extend([value as u8, square as u8, level as u8]);
    out
}

fn egaroucid_file(letters: &[u8; 9], count: i32, records: &[Vec<u8>]) -> Vec<u8> {
    let mut out = letters.to_vec();
    out.push(3);
    out.extend(count.to_le_bytes());
    out.extend(records.concat());
    out
}

#[test]
fn books_of_egaroucid_are_read_turned_half_round() {
    let start = Board::start();
    let after = start.play(Square::F5.into()).expect("legal");
    let records = [
        egaroucid_record(start, 0, 21, None),
        egaroucid_record(after, 2, 21, Some((-2, Square::F6, 17))),
        egaroucid_record(after.play(Square::D6.into()).expect("legal"), -3, 70, None),
    ];
    for letters in [b"DICUORAGE", b"EGAROUCID"] {
        let file = egaroucid_file(letters, 3, &records);
        assert!(egaroucid::is_egaroucid(&file));
        let mut book = Book::new();
        let report = egaroucid::read(&file, &mut book, "egaroucid").expect("a book");
        assert_eq!(
            (report.positions, report.refused),
            (3, 0),
            "{:?}",
            report.problems
        );
        let (key, symmetry) = Place::key(after).expect("a move");
        let leaf = book
            .get(key)
            .and_then(|e| e.fact(Slot::Move(symmetry.square(Square::F6))));
        let leaf = leaf.expect("the leaf");
        assert_eq!(
            (leaf.units(), leaf.worth),
            (-2 * UNITS, Worth::new(Kind::Estimate, 17, 0))
        );
        let worked = Worked::new(book);
        let value = |board: Board| worked.derived(board.canonical().0).and_then(|d| d.value);
        // The value that a person has set, from the other side, beats the leaf.
        assert_eq!(value(after), Some(3 * UNITS as i16));
        assert_eq!(value(start), Some(-3 * UNITS as i16));
    }
    let file = egaroucid_file(b"DICUORAGE", 5, &records);
    let report = egaroucid::read(&file, &mut Book::new(), "egaroucid").expect("a book");
    assert_eq!(report.refused, 1, "the number of positions");
    let report = egaroucid::read(&file[..file.len() - 1], &mut Book::new(), "egaroucid").expect("a book");
    assert_eq!((report.positions, report.refused), (2, 1), "cut short");
    let mut other = file;
    other[9] = 2;
    let error = egaroucid::read(&other, &mut Book::new(), "egaroucid");
    assert!(matches!(error, Err(ExchangeError::Version { version: 2, .. })));
}

#[test]
fn no_bytes_make_a_reader_of_other_books_panic() {
    let edax = edax_file(&random_edax(9));
    let egaroucid = {
        let mut random = SplitMix64::new(4);
        let mut book = Book::new();
        let root = endgame(&mut random, 8, 40);
        grow(&mut book, root, &mut random, 4);
        egaroucid::write(&Worked::new(book), None).0
    };
    let forms: [(&[u8], outflank_book::laws::Law); 2] = [
        (&edax, outflank_book::laws::book_edax),
        (&egaroucid, outflank_book::laws::book_egaroucid),
    ];
    let mut random = SplitMix64::new(6);
    for (form, law) in forms {
        for _ in 0..200 {
            law(&form[..random.below(form.len())]);
            let mut changed = form.to_vec();
            for _ in 0..=random.below(3) {
                let place = random.below(changed.len());
                changed[place] = random.next_u64() as u8;
            }
            law(&changed);
        }
    }
}

#[test]
fn a_fact_set_by_hand_survives_the_way_to_egaroucid_and_back() {
    let mut book = Book::new();
    let source = book.source("by hand").expect("room");
    let fact = Fact::new(5 * UNITS, Worth::MANUAL, source);
    book.add(Board::start(), Slot::Move(Square::F5), fact)
        .expect("legal");
    let (file, _) = egaroucid::write(&Worked::new(book), None);
    let mut again = Book::new();
    egaroucid::read(&file, &mut again, "by hand").expect("a book");
    let start = Board::start().canonical().0;
    let facts: Vec<_> = again.get(start).expect("there").facts().collect();
    assert_eq!(facts.len(), 1);
    assert_eq!((facts[0].1.units(), facts[0].1.worth), (5 * UNITS, Worth::MANUAL));
}
