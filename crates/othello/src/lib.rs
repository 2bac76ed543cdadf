//! The rules of Othello: squares, bitboards, positions, games, symmetries, stability, perft.
//!
//! | type | what it is |
//! | --- | --- |
//! | [`Square`], [`Bitboard`] | a cell, and a set of cells |
//! | [`Board`] | the discs as the player to move sees them: what searches work on |
//! | [`Setup`] → [`Position`] | plain data → a board with colors, checked |
//! | [`Game`] | a start position and the moves played |
//! | [`Discs`] | a final margin |
//!
//! [`Position`] implements [`outflank_game::GameState`], so that every textbook search runs on it.
//! [`naive`] is the same game on an array, written to be obviously right: the oracle of everything fast.
//!
//! ```
//! use outflank_othello::{Game, Square};
//! let mut game = Game::new();
//! for mv in ["f5", "d6", "c3"] {
//!     game.place(mv.parse()?)?;
//! }
//! assert!(game.position().board().legal_moves().contains(Square::D3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Kernels
//!
//! The instruction set is chosen at compile time: build with `-C target-cpu=native` (as this workspace does) or
//! `-C target-feature=+avx2` to get the fast kernels; see [`kernels`].

mod bitboard;
mod board;
mod color;
mod discs;
pub mod features;
mod history;
pub mod kernels;
mod moves;
pub mod naive;
pub mod perft;
mod position;
mod setup;
mod square;
mod stability;
mod symmetry;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::{Board, IllegalMove};
pub use color::Color;
pub use discs::Discs;
pub use history::{Game, GameError, GameResult, ParseGameError};
pub use moves::Move;
pub use position::{ParsePositionError, Position};
pub use setup::{Setup, SetupError};
pub use square::{ParseSquareError, Square};
pub use stability::{corner_anchored_discs, corner_anchored_raw, stable_discs, stable_discs_raw};
pub use symmetry::Symmetry;
