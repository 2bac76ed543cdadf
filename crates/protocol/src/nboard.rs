//! The NBoard protocol, version 2.

mod client;
mod engine;

pub use client::{NBoard, NBoardClient};
pub use engine::NBoardEngine;
