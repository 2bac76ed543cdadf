//! The compiled part of the Python package, `outflank._core`: objects, jobs and arrays over the crates below.
//!
//! It holds adapters only: what a position, a search or an answer is, the crates below decide. What takes long runs in a
//! job, a thread that never touches the interpreter, so that Python can always be interrupted; loops over rows
//! release the interpreter and ask for signals between blocks.
#![expect(
    clippy::needless_pass_by_value,
    reason = "arguments of functions that Python calls arrive by value"
)]
#![expect(
    clippy::unnecessary_wraps,
    reason = "all methods of a class answer alike, whether they can fail or not"
)]

mod batch;
mod book;
mod data;
mod engines;
mod errors;
mod evaluator;
mod game;
mod games;
mod jobs;
mod lab;
mod moves;
mod picture;
mod players;
mod position;
mod reading;

/// Rules, engines and arrays of Othello; use the package `outflank`, which wraps this.
#[pyo3::pymodule(gil_used = true)]
mod _core {
    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python has for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::{
        batch::{
            canonical, children, empties, evaluate, features, final_scores, is_over, legal, legal_mask, play,
            random_positions, replay, search, self_play, solve, symmetries, to_planes, unique,
        },
        book::Book,
        data::{read_games, read_positions},
        engines::Engines,
        evaluator::Evaluator,
        game::Game,
        games::Games,
        jobs::Job,
        lab::{lab_evaluate, lab_methods, lab_search, lab_search_named},
        players::{Player, match_statistics},
        position::Position,
        reading::{Items, parse, read},
    };
}
