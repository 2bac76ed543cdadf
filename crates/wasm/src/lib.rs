//! The engines in a browser: a WebAssembly module that takes messages and answers them.
//!
//! The messages are those of [`outflank_api::messages`]. A call runs to its end in the worker that made it; whoever wants
//! to stop it early lets the clock that the module asks return infinity. [`abi`] is what the page calls.

pub mod abi;
