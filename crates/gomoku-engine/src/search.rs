//! The main search: principal variation search over candidates, with wins by fours at every node.
//!
//! ```text
//! node: five -> win; a five of the other side -> only its point, at no cost in depth
//!       table; open four -> win; a win by fours -> win
//!       a win by fours of the other side if we passed -> only the points that parry it (a complete set)
//!       depth 0 -> evaluation
//!       null move, futility; candidates near the stones, ordered by shapes and history; reductions for quiet moves
//! ```
//!
//! A loss is reported only where the moves considered are complete: every answer to a proven threat. Where the
//! candidates are a choice, the worst value is [`EVAL_BOUND`] below zero. A win at a node needs its child's proven
//! loss, so that every reported win or loss is proven whatever the depth and the reductions.

mod expand;
mod moves;
mod node;
mod root;
mod tuning;
mod worker;

pub(crate) use root::{ESTIMATE, Root};
pub(crate) use worker::Worker;
