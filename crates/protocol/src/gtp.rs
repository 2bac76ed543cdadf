//! GTP, version 2, as Othello programs speak it; the engine's side is there for any game.

mod client;
mod clock;
mod engine;
mod game;

pub use client::GtpClient;
pub use engine::GtpEngine;
pub use game::GtpGame;
