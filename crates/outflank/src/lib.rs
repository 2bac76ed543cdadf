//! Outflank as a library: the public API of every crate below, under one name.
//!
//! ```
//! use outflank::othello::{Position, Square};
//! let mut position = Position::start();
//! position.play(Square::F5.into()).expect("f5 is legal");
//! ```

#[cfg(feature = "arena")]
pub use outflank_arena as arena;
pub use outflank_eval as eval;
pub use outflank_game as game;
pub use outflank_gomoku as gomoku;
pub use outflank_gomoku_engine as gomoku_engine;
pub use outflank_jobs as jobs;
#[cfg(feature = "laboratory")]
pub use outflank_lab as lab;
pub use outflank_othello as othello;
pub use outflank_othello_engine as othello_engine;
#[cfg(feature = "arena")]
pub use outflank_protocol as protocol;
pub use outflank_records as records;
pub use outflank_search as search;
pub use outflank_study as study;
#[cfg(feature = "laboratory")]
pub use outflank_textbook as textbook;
#[cfg(feature = "training")]
pub use outflank_train as train;
