//! The Gomocup (Piskvork) protocol: the brain's side ([`GomocupEngine`]) and the manager's ([`GomocupClient`]).
//!
//! A brain answers every command with exactly the lines that managers wait for: the first line after `START` is `OK`
//! or `ERROR`, `INFO` has no answer (but an unknown rule set is refused with `ERROR` at once, and nothing is played
//! until a known one is set), and a move is `x,y` counted from 0. Commands that arrive while the engine thinks are kept
//! and answered afterwards, except `INFO`, a stop and `END`, which act at once.
//! The Yixin-board extensions that analysis programs use are understood too.
//! Source: \[GOMOCUP26\].

mod client;
mod command;
mod effort;
mod engine;
mod list;

pub use client::{GomocupClient, GomocupEvent};
pub use engine::GomocupEngine;

#[cfg(test)]
mod tests;
