//! Unions, files and packed files: the same facts make the same bytes, and no bytes make a reader panic.

use super::random_books::{endgame, grow};
use outflank_book::{
    Added, Book, BookFile, Fact, Look, Slot, View, Worked, Worth, exchange::json, laws, pack, unpack,
};
use outflank_game::SplitMix64;
use outflank_othello::{Board, Square, Symmetry};

fn random_book(seed: u64) -> Book {
    let mut random = SplitMix64::new(seed);
    let mut book = Book::new();
    let root = endgame(&mut random, 20, 40);
    grow(&mut book, root, &mut random, 4);
    // Positions that several books have.
    let mut common = SplitMix64::new(seed % 2);
    let root = endgame(&mut common, 12, 12);
    grow(&mut book, root, &mut random, 3);
    book
}

fn bytes(book: &Book) -> Vec<u8> {
    Worked::new(book.clone())
        .write(Vec::new())
        .expect("memory can be written")
}

fn join(a: &Book, b: &Book) -> Book {
    let mut both = a.clone();
    both.union(b).expect("few sources");
    both
}

#[test]
fn a_union_obeys_its_laws() {
    for seed in 0..60 {
        let (a, b, c) = (
            random_book(3 * seed),
            random_book(3 * seed + 1),
            random_book(3 * seed + 2),
        );
        assert_eq!(bytes(&join(&a, &b)), bytes(&join(&b, &a)), "commutative, {seed}");
        assert_eq!(
            bytes(&join(&join(&a, &b), &c)),
            bytes(&join(&a, &join(&b, &c))),
            "associative, {seed}"
        );
        assert_eq!(bytes(&join(&a, &a)), bytes(&a), "idempotent, {seed}");
        assert_eq!(bytes(&join(&join(&a, &b), &b)), bytes(&join(&a, &b)));
    }
}

#[test]
fn the_order_of_facts_does_not_matter() {
    for seed in 0..40 {
        let book = random_book(seed);
        let mut facts: Vec<(Board, Slot, Fact)> = Vec::new();
        for (key, entry) in book.iter() {
            facts.extend(entry.facts().map(|(slot, fact)| (key, slot, fact)));
        }
        let mut random = SplitMix64::new(seed);
        let mut shuffled = Book::new();
        let mut keys: Vec<Board> = book.iter().map(|(key, _)| key).collect();
        while !keys.is_empty() {
            let key = keys.swap_remove(random.below(keys.len()));
            shuffled.add_position(key).expect("a key");
        }
        while !facts.is_empty() {
            let (key, slot, fact) = facts.swap_remove(random.below(facts.len()));
            let source = shuffled.source(book.source_name(fact.source)).expect("few");
            // In any orientation.
            let symmetry = Symmetry::ALL[random.below(8)];
            let slot = match slot {
                Slot::Move(square) => Slot::Move(symmetry.square(square)),
                other => other,
            };
            shuffled
                .add(key.transformed(symmetry), slot, Fact { source, ..fact })
                .expect("legal");
        }
        for (key, entry) in book.iter() {
            for known in entry.moves() {
                shuffled.add_count(key, known.square, known.count).expect("legal");
            }
        }
        assert_eq!(bytes(&shuffled), bytes(&book), "seed {seed}");
    }
}

#[test]
fn a_book_is_the_same_after_every_form() {
    for seed in 0..40 {
        let book = random_book(seed);
        let worked = Worked::new(book.clone());
        let file = BookFile::open(bytes(&book)).expect("a book");
        assert_eq!(file.check().expect("whole"), Vec::<String>::new());
        assert_eq!((file.len(), file.digest()), (book.len() as u64, book.digest()));
        for (key, entry, derived) in worked.iter() {
            let (found, follows) = file.find(key).expect("whole").expect("it is there");
            assert_eq!((found.moves().len(), &follows), (entry.moves().len(), derived));
            // The two ways to look a position up agree, in every orientation.
            let board = key.transformed(Symmetry::ALL[seed as usize % 8]);
            let (a, b) = (View::of(&worked, board).unwrap(), View::of(&file, board).unwrap());
            let (a, b) = (a.expect("there"), b.expect("there"));
            for (a, b) in a.moves.iter().zip(&b.moves) {
                assert_eq!((a.square, a.derived, a.from), (b.square, b.derived, b.from));
            }
        }
        assert!(file.find(Board::start().canonical().0).expect("whole").is_none());
        for again in [
            file.load().expect("whole"),
            unpack(&pack(&book)).expect("whole"),
            Book::from_bytes(&pack(&book)).expect("whole"),
        ] {
            assert_eq!(bytes(&again), bytes(&book));
        }
        let mut text = Book::new();
        let report = json::read(&json::write(&book), &mut text).expect("a book");
        assert_eq!((report.refused, report.positions), (0, book.len() as u64));
        assert_eq!(bytes(&text), bytes(&book));
    }
}

#[test]
fn no_bytes_make_a_reader_panic() {
    let book = random_book(1);
    let forms: [(Vec<u8>, laws::Law); 3] = [
        (bytes(&book), laws::book),
        (pack(&book), laws::book_packed),
        (json::write(&book).into_bytes(), laws::book_json),
    ];
    let mut random = SplitMix64::new(5);
    for (form, law) in forms {
        for _ in 0..150 {
            law(&form[..random.below(form.len())]);
            let mut changed = form.clone();
            for _ in 0..=random.below(3) {
                let place = random.below(changed.len());
                changed[place] = random.next_u64() as u8;
            }
            law(&changed);
        }
    }
}

#[test]
fn any_change_of_a_file_is_noticed() {
    let (plain, packed) = (bytes(&random_book(2)), pack(&random_book(2)));
    let mut random = SplitMix64::new(7);
    for _ in 0..200 {
        let mut changed = plain.clone();
        // The rest of the first block is zeros that nobody reads.
        let place = 4096 + random.below(plain.len() - 4096);
        changed[place] ^= 1 << random.below(8);
        let read = BookFile::open(changed.as_slice()).and_then(|file| file.load());
        assert!(read.is_err(), "byte {place}");
        let mut changed = packed.clone();
        let place = random.below(packed.len());
        changed[place] ^= 1 << random.below(8);
        // Deflated bytes can say the same in more than one way.
        let same = |book: Book| book.digest() == random_book(2).digest();
        assert!(unpack(&changed).map_or(true, same), "byte {place}");
    }
    for length in (0..plain.len()).step_by(97) {
        assert!(BookFile::open(&plain[..length]).is_err());
    }
}

#[test]
fn lines_in_all_four_orientations_are_the_same_position() {
    let mut book = Book::new();
    let source = book.source("test").expect("room");
    let line = [Square::F5, Square::D6, Square::C3];
    let after = |symmetry: Symmetry| {
        let mut board = Board::start();
        for square in line {
            board = board.play(symmetry.square(square).into()).expect("legal");
        }
        board
    };
    let fact = Fact::new(77, Worth::EXACT, source);
    let d3 = Symmetry::IDENTITY.square(Square::D3);
    book.add(after(Symmetry::IDENTITY), Slot::Move(d3), fact)
        .expect("legal");
    for symmetry in Symmetry::OF_START {
        let board = after(symmetry);
        let turned = symmetry.square(d3);
        assert_eq!(book.add(board, Slot::Move(turned), fact), Ok(Added::Same));
        let worked = Worked::new(book.clone());
        assert_eq!(worked.positions(), 1);
        let view = View::of(&worked, board).expect("memory").expect("there");
        assert_eq!(view.find(turned).and_then(|mv| mv.fact), Some(fact));
        assert_eq!(view.moves[0].square, turned);
    }
}

/// Writes small books for the fuzz targets to begin with: `cargo test -p outflank-book --test books seeds -- --ignored`.
#[test]
#[ignore = "writes into fuzz/seeds"]
fn seeds_of_the_fuzz_targets() {
    let mut random = SplitMix64::new(11);
    let mut book = Book::new();
    let root = endgame(&mut random, 9, 9);
    grow(&mut book, root, &mut random, 2);
    let worked = Worked::new(book.clone());
    let (edax, _) =
        outflank_book::exchange::edax::write(&worked, &outflank_book::exchange::edax::Export::default())
            .expect("no level");
    let (egaroucid, _) = outflank_book::exchange::egaroucid::write(&worked, None);
    for (name, seed) in [
        ("book", bytes(&book)),
        ("book_packed", pack(&book)),
        ("book_edax", edax),
        ("book_egaroucid", egaroucid),
        ("book_json", json::write(&book).into_bytes()),
    ] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../fuzz/seeds")
            .join(name);
        std::fs::write(folder.join("small"), seed).expect("the folder is there");
    }
}
