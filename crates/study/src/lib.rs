//! What the command line, the server and other front-ends share: work on many positions or whole games.
//!
//! [`batch`] solves many endgames, in parallel, resumably; [`growth`] says how their cost grows with the empties,
//! [`levels`] what a strength costs.
//! [`review`](mod@review) judges every move of a game; [`names`] knows what its opening is called, [`romaji`] how that is
//! written in Latin letters.
//! [`gomoku_review`] does the same for Gomoku, [`gomoku_win`] finds and proves its forced wins.
//! [`book`] opens and saves opening books, [`learn`] lets them grow, [`opening`] chooses a move from one.
//! [`tree`] is a game with variations.
//! [`puzzle`] makes and checks puzzles, [`drill`] says what is to be repeated, [`balanced`] draws fair openings.
//! [`picture`] draws a position.
//! [`play`] is a game between people and the engine, without the board that shows it.

pub mod balanced;
pub mod batch;
pub mod book;
pub mod close;
pub mod drill;
pub mod gomoku_review;
pub mod gomoku_win;
pub mod growth;
pub mod learn;
pub mod levels;
pub mod names;
pub mod opening;
pub mod picture;
pub mod play;
pub mod puzzle;
pub mod review;
pub mod romaji;
pub mod tree;
