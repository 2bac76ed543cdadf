//! GTP, version 2, as Othello programs speak it.

mod client;

pub use client::GtpClient;
