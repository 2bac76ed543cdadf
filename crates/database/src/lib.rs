//! Collections of Othello games in one SQLite file: games, players, events and sources in ordinary tables, with the index
//! of `outflank_games` beside them.
//!
//! A [`Database`] is a [`Store`](outflank_games::Store), so that every query of `outflank_games` works on it.
//! It reads one state of the file: what others write meanwhile is seen after [`Database::refresh`].
//! An [`Import`] brings sources, each of which is there completely or not at all; whatever was imported in whatever order,
//! the collection is that of one import of all sources.
//!
//! ```
//! use outflank_database::{Change, Database};
//! use outflank_games::{Entry, Filter, Matcher, explore};
//! use outflank_othello::{Game, Position};
//!
//! # let folder = std::env::temp_dir().join(format!("outflank-database-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let path = folder.join("games.db");
//! let mut database = Database::create(&path)?;
//! let mut import = database.import()?;
//! if import.begin("my games", "digest")? != Change::Unchanged {
//!     import.add(&Entry::of_game(&"f5d6c3d3c4".parse::<Game>()?))?;
//!     import.end(0)?;
//! }
//! import.finish()?;
//! let matcher = Matcher::new(&Filter::default(), &database)?;
//! assert_eq!(explore(&database, &Position::start(), &matcher, 0)?.total.games, 1);
//! # drop(database);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod database;
mod error;
mod import;
mod open;
mod rows;
mod schema;
mod segments;

pub use database::{Database, SourceInfo};
pub use error::Error;
pub use import::{Change, Import, Imported};
pub use schema::{APPLICATION_ID, VERSION};
