//! GTP, version 2, as Othello programs speak it.

mod client;
mod engine;

pub use client::GtpClient;
pub use engine::GtpEngine;
