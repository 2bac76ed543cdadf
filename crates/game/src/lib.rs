//! What a two-player, perfect-information, zero-sum game is, for every crate above.
//!
//! This is the bottom layer: it knows no real game.
//! Searches are written against [`GameState`] and [`Evaluate`], so that the same textbook algorithm runs on Othello,
//! Gomoku and a hand-written [`ToyGame`].
//! [`conformance`] is the list of laws that every implementation must pass; [`perft`](mod@perft) counts move
//! sequences.

pub mod conformance;
pub mod perft;
mod random;
mod rules;
pub mod toy;

pub use random::SplitMix64;
pub use rules::{Evaluate, GameState, Outcome, Player};
pub use toy::{ToyGame, ToyTree};
