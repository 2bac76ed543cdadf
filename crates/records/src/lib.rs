//! Every file format and transcript dialect: bytes or text in, typed games and positions out, and back.
//!
//! Nothing here opens a file: readers take bytes, text or a [`std::io::Read`].
//! No input makes a reader panic, and none is guessed at silently: what cannot be read is an error that names its
//! place, and what was read with a doubt carries a [`Warning`].
//!
//! [`paste`] takes a text in any notation; [`read_items`] does the same for a file of any size, item by item.
//!
//! ```
//! use outflank_records::{Content, paste, transcript::{self, Passes}};
//! let pasted = paste("1. F5 d6 2. C3 d3\nf5d6b2")?;
//! for item in &pasted.items {
//!     match &item.content {
//!         Content::Position(scored) => println!("{} {:?}", scored.position, scored.expected()),
//!         Content::Game(record) => println!("{}", transcript::write(&record.game, Passes::Omit)),
//!     }
//!     for warning in &item.warnings {
//!         println!("line {}: {warning}", item.line);
//!     }
//! }
//! assert_eq!(pasted.bad[0].to_string(), "line 2, column 5: ply 3, b2: b2 flips nothing");
//! # Ok::<(), outflank_records::PasteError>(())
//! ```
//!
//! | module | format | reads | writes |
//! | --- | --- | --- | --- |
//! | [`board`] | 64 squares and a side, on one line or drawn | yes | yes |
//! | [`obf`] | Othello board files with scores | yes | yes |
//! | [`transcript`] | plain moves in every dialect | yes | yes |
//! | [`ggf`] | Generic Game Format | yes | yes |
//! | [`sgf`] | Smart Game Format, game 2 | yes | yes |
//! | [`tree`] | Smart Game Format with variations | yes | yes |
//! | [`pgn`] | games of PlayOK | yes | yes |
//! | [`fen`] | positions of xboard and UGI | yes | yes |
//! | [`json`] | games of Othello Quest and Botzone, lists of moves, what `--json` prints | yes | no |
//! | [`gomoku`] | the second game: moves, SGF with game 4, Piskvork's `psq`, drawn boards | yes | yes |
//! | [`wthor`] | the WTHOR database: games (`.wtb`), players (`.jou`), tournaments (`.trn`) | yes | yes |

pub mod board;
mod bracket;
mod comments;
mod diagram;
mod error;
pub mod fen;
pub mod ggf;
pub mod gomoku;
pub mod json;
#[doc(hidden)]
pub mod laws;
mod looks;
mod model;
mod named;
pub mod obf;
mod paste;
pub mod pgn;
pub mod sgf;
mod stated;
pub mod text;
pub mod transcript;
pub mod tree;
pub mod wthor;

pub use error::{Parsed, Problem, ReadError, Warning};
pub(crate) use model::Failed;
pub use model::{
    BadItem, Content, Format, GameRecord, Item, MoveNote, MoveScore, PasteError, Pasted, ScoredPosition,
};
pub use named::{WriteNamedError, write_named};
pub use paste::{Items, MAX_RECORD_BYTES, paste, paste_bytes, read_items};
pub use stated::Stated;
