//! The laws of the readers, one for each fuzz target; the normal tests replay them on a small corpus.
//!
//! Each law takes any bytes and panics if it is broken: reading never panics, and what was read is the same after writing and
//! reading again.

use crate::{
    Book, BookFile, View, Worked,
    exchange::{edax, egaroucid, json},
    pack, unpack,
};
use outflank_othello::Board;

/// A law: panics if the bytes break it.
pub type Law = fn(&[u8]);

/// Every law with the name of its fuzz target and of the folder of its corpus.
pub const ALL: [(&str, Law); 5] = [
    ("book", book),
    ("book_packed", book_packed),
    ("book_edax", book_edax),
    ("book_egaroucid", book_egaroucid),
    ("book_json", book_json),
];

/// A book is the same after each of its own forms.
fn survives(book: &Book) {
    let worked = Worked::new(book.clone());
    let bytes = worked.write(Vec::new()).expect("memory can be written");
    let file = BookFile::open(bytes.as_slice()).expect("it was just written");
    assert_eq!(file.check().expect("it can be read"), Vec::<String>::new());
    assert_eq!(file.digest(), book.digest());
    let again = unpack(&pack(book)).expect("it was just packed");
    assert_eq!(again.digest(), book.digest());
    let mut text = Book::new();
    let report = json::read(&json::write(book), &mut text).expect("it was just written");
    assert_eq!((report.refused, text.digest()), (0, book.digest()));
}

/// Book files.
pub fn book(bytes: &[u8]) {
    if let Ok(file) = BookFile::open(bytes) {
        // A file with right check sums can still say anything.
        let _either = View::of(&file, Board::start());
        let _either = file.check();
        if let Ok(book) = file.load() {
            survives(&book);
        }
    }
}

/// Packed books.
pub fn book_packed(bytes: &[u8]) {
    if let Ok(book) = unpack(bytes) {
        survives(&book);
    }
}

/// Books of Edax.
pub fn book_edax(bytes: &[u8]) {
    let mut book = Book::new();
    let import = edax::Import {
        source: "edax".to_owned(),
        depth: None,
    };
    if edax::read(bytes, &mut book, &import).is_ok() {
        assert!(edax::check(bytes).is_ok());
        survives(&book);
        let (written, _) =
            edax::write(&Worked::new(book), &edax::Export::default()).expect("no level was asked for");
        assert_eq!(edax::check(&written), Ok(Vec::new()));
    }
}

/// Books of Egaroucid.
pub fn book_egaroucid(bytes: &[u8]) {
    let mut book = Book::new();
    if egaroucid::read(bytes, &mut book, "egaroucid").is_ok() {
        survives(&book);
        let worked = Worked::new(book);
        let (written, report) = egaroucid::write(&worked, None);
        let mut again = Book::new();
        let read = egaroucid::read(&written, &mut again, "egaroucid").expect("it was just written");
        assert_eq!((read.refused, read.positions), (0, report.positions));
    }
}

/// Lines of JSON.
pub fn book_json(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let mut book = Book::new();
    if json::read(text, &mut book).is_ok() {
        survives(&book);
    }
}
