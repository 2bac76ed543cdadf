//! The contract's types, as they are for Othello.

use outflank_eval::Score;
use outflank_othello::{Move, Position};

/// A question to an Othello [`Engine`](crate::Engine).
pub type Request = outflank_search::Request<Position>;
/// A move, what it is worth, and what is expected to follow.
pub type Line = outflank_search::Line<Move, Score>;
/// What a search of an Othello position found.
pub type Outcome = outflank_search::Outcome<Move, Score>;
/// News from a running search of an Othello position.
pub type Progress = outflank_search::Progress<Move, Score>;
