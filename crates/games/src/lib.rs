//! Collections of Othello games: an index of their positions, queries and filters.
//!
//! A collection answers which moves were played from a position and how they fared ([`explore`]), which games there
//! are ([`list()`]), how players, events, years and openings did ([`stats`]), and which games are there twice
//! ([`duplicates`]), each under a [`Filter`].
//! Every query works on a [`Store`]: [`Collection`] has everything in memory, a database brings the parts as they are
//! needed. Nothing here opens a file.
//!
//! ```
//! use outflank_games::{Builder, Filter, Matcher, explore};
//! use outflank_othello::Game;
//!
//! let text = "f5d6c3d3c4\nd3c5f6f5e6\nf5f6e6f4e3\n";
//! let mut builder = Builder::default();
//! builder.read("examples", text.as_bytes(), Default::default());
//! let games = builder.build();
//!
//! let position = *"f5".parse::<Game>()?.position();
//! let matcher = Matcher::new(&Filter::default(), &games)?;
//! let explored = explore(&games, &position, &matcher, 1)?;
//! // d3 is f5 seen from another side, and c5 then the move that d6 is.
//! let moves: Vec<(String, u64)> = explored.moves.iter().map(|mv| (mv.square.to_string(), mv.total.games)).collect();
//! assert_eq!(moves, [("d6".to_owned(), 2), ("f6".to_owned(), 1)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The index
//!
//! For each number of discs an [`Index`] holds one word a game, sorted: 40 bits of fingerprint of the position and 24
//! bits of game number, and beside it the move that was played. Positions are those of the player to move, up to
//! symmetry, and never ones where that player has to pass.
//! All games of a position stand together, so one search finds them, and replaying one of them shows whether it is
//! the position that was asked for. Where two positions share a fingerprint, which the builder notices, each game is
//! replayed.

mod collection;
pub mod duplicates;
mod entry;
mod explore;
mod facts;
mod filter;
mod index;
mod key;
#[doc(hidden)]
pub mod laws;
mod list;
mod moves;
pub mod naive;
mod names;
mod read;
#[doc(hidden)]
pub mod samples;
pub mod stats;
mod store;
mod tally;

pub use collection::{Builder, Collection};
pub use entry::{Date, Entry};
pub use explore::{Explored, MoveStats, explore};
pub use facts::{Facts, Flags};
pub use filter::{Filter, Matcher};
pub use index::{FINGERPRINT_BITS, Index, IndexEntry, IndexError, MAX_GAMES, Slice, build};
pub use key::{Canonical, canonical};
pub use list::{Listed, Order, list};
pub use moves::{Moves, MovesError, Replay, Step};
pub use names::{Name, NameSet, Names, folded, identity};
pub use read::{BadGame, Found, NameFiles, XotOpenings, read};
pub use store::{GameRef, NameKind, QueryError, Segment, Store};
pub use tally::{Interval, Tally};
