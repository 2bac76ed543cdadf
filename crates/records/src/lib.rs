//! Every file format and transcript dialect: bytes or text in, typed games and positions out, and back.
//!
//! Nothing here opens a file: readers take bytes, text or a [`std::io::Read`].
//! No input makes a reader panic, and none is guessed at silently: what cannot be read is an error that names its
//! place, and what was read with a doubt carries a warning.
//!
//! | module | format |
//! | --- | --- |
//! | [`wthor`] | the WTHOR database: games (`.wtb`), players (`.jou`), tournaments (`.trn`) |

pub mod wthor;
