//! UGI, the Universal Game Interface: UCI for other games. Player 1 is black.
//!
//! A pass is the move `pass`, and may be left out on input. Positions that do not start from the usual one are written
//! in a FEN of our own: `8/8/8/3wb3/3bw3/8/8/8 b`, row 1 first.

mod client;
mod engine;

pub use client::{Ugi, UgiClient};
pub use engine::UgiEngine;
