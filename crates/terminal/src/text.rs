//! What the libraries know, in words: boards, values, openings.

mod board;
mod gomoku;
mod value;

pub use board::{board, status};
pub use gomoku::{points, value_text as gomoku_value};
pub(crate) use value::{known_text, worth_text};
pub use value::{line_text, opening_of, opening_text, signed, value_text};
