//! Evaluation of Othello positions: what a position is worth before the end is in reach.
//!
//! Searches are generic over [`Evaluator`] and keep one [`Evaluator::State`] per ply, so that an evaluator may update
//! its features move by move. [`HandMade`] is the evaluator without learning,
//! [`Patterns`] the learned one, whose weights are inside the program.

mod evaluator;
mod hand_made;
pub mod patterns;
mod score;

pub use evaluator::Evaluator;
pub use hand_made::HandMade;
pub use patterns::{Patterns, Weights, fnv1a};
pub use score::Score;
