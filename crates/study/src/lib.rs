//! What the command line, the server and other front-ends share: work on many positions or whole games.
//!
//! [`batch`] solves many endgames, in parallel, resumably; [`growth`] says how their cost grows with the empties.

pub mod batch;
pub mod growth;
