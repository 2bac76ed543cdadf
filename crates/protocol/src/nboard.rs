//! The NBoard protocol, version 2.

mod client;
mod engine;

pub use client::NBoardClient;
pub use engine::NBoardEngine;
