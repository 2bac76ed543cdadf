//! Outflank as a library: the public API of every crate below, under one name.
//!
//! ```
//! use outflank::othello::{Position, Square};
//! let mut position = Position::start();
//! position.play(Square::F5.into()).expect("f5 is legal");
//! ```

pub use outflank_game as game;
pub use outflank_othello as othello;
