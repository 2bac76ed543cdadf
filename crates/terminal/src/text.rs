//! What the libraries know, in words.

pub mod analysis;
pub mod bench;
pub(crate) mod board;
pub mod book;
pub mod games;
pub mod gomoku;
pub mod gomoku_review;
pub mod levels;
pub mod position;
pub mod puzzle;
pub mod report;
pub mod review;
pub mod solve;
pub mod value;
