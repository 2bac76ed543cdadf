//! Opening books of Othello.
//!
//! A [`Book`] is a set of facts: what a search, a person or another book said about a move. Everything else follows from them,
//! in [`Worked`]: the value of each position from those it leads to, what is proved, how far it can be trusted. So the union
//! of two books is a book, and the same facts make the same file, whatever the order in which they were found.
//!
//! | part | what it does |
//! | --- | --- |
//! | [`Book`], [`Fact`], [`Worth`] | facts, and which of two is worth more |
//! | [`Worked`], [`View`] | what follows; a position in the orientation in which it was asked for |
//! | [`BookFile`] | a book of any size in its file, read a block at a time through [`ReadAt`] |
//! | [`pack`], [`unpack`] | the small form |
//! | [`exits`], [`reachable`] | which positions to add next, and which to keep |
//! | [`umigame()`] | how many lines a player must know |
//! | [`exchange`] | books of Edax and Egaroucid, and lines of JSON |
//!
//! No file is opened here and no clock is read.
//!
//! ```
//! use outflank_book::{Book, BookFile, Fact, Kind, Slot, View, Worked, Worth};
//! use outflank_othello::{Board, Square};
//!
//! let mut book = Book::new();
//! let source = book.source("an example")?;
//! let fact = |units| Fact::new(units, Worth::new(Kind::Estimate, 18, 73), source);
//! let after = Board::start().play(Square::F5.into())?;
//! book.add_position(Board::start())?;
//! book.add(after, Slot::Move(Square::F6), fact(-128))?;
//! book.add(after, Slot::Move(Square::F4), fact(-256))?;
//!
//! let bytes = Worked::new(book).write(Vec::new())?;
//! let file = BookFile::open(bytes)?;
//! let start = View::of(&file, Board::start())?.expect("it was added");
//! // The opponent's best answer costs a disc.
//! assert_eq!(start.moves[0].units(), Some(128));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod book;
mod derive;
mod dropout;
pub mod exchange;
mod fact;
mod file;
#[doc(hidden)]
pub mod laws;
mod line;
mod packed;
mod place;
mod prune;
mod shared;
mod umigame;
mod view;

pub use book::{Added, Book, BookError, Entry, Known, MOST_SOURCES, Union};
pub use derive::{Derived, From, Grade, Move, Worked};
pub use dropout::{Exit, Growth, exits, reachable};
pub use fact::{Count, Fact, Kind, Slot, SourceId, UNITS, Worth, to_discs};
pub use file::{BookFile, Digest, FileError, ReadAt, Writer, is_book};
pub use line::{Continuation, continuation};
pub use packed::{is_packed, pack, unpack};
pub use place::{Place, distinct_move, distinct_moves};
pub use prune::prune;
pub use shared::{AnyBook, SharedBook};
pub use umigame::{Expected, Umigame, umigame};
pub use view::{Look, View};
