//! The players of this crate, and how a line of text becomes one.

pub(crate) mod book;
pub(crate) mod engine;
pub(crate) mod external;
mod process;
pub(crate) mod registry;
pub(crate) mod simple;
pub(crate) mod standard;
pub(crate) mod talk;
mod words;
