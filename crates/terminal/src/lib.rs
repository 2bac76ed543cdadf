//! Games and searches on a terminal: what is shown, what is typed, and how a program ends in good order.
//!
//! [`play`] is the board that Othello and Gomoku are played at, on the whole screen or line by line.
//! [`drill`] asks what is due of puzzles and openings.
//! [`text`] puts what the libraries know into words; [`live`] shows a running search.
//! Below them lie [`input`], where positions and games come from, [`output`], where everything is written, and
//! [`ending`] and [`report`], for ends that come from outside and for faults of the program.
//!
//! Nothing about a game is computed here: it shows what `study`, `api` and the engines say.

pub mod drill;
pub mod ending;
pub mod input;
pub mod live;
pub mod output;
pub mod play;
pub mod report;
pub mod text;
