//! What the command line, the server and other front-ends share: work on many positions or whole games.
//!
//! [`batch`] solves many endgames, in parallel, resumably.

pub mod batch;
