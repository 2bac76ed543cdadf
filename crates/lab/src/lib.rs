//! The laboratory: the evaluations and players of the source documents, and the experiments that compare them.
//!
//! The algorithms themselves are in `outflank_textbook` and `outflank_textbook::mcts`, generic over the game.
//! Here is what the documents say about Othello: [`evaluation`] (squares, heuristics, phases), [`automata`] and
//! [`line_evaluation`] (patterns as regular expressions), [`abstract_states`] with their pruning rule in
//! [`abstract_search`], and the roll-out policies of Monte-Carlo play. [`gomoku`] is what the comparison needs for the
//! second game.
//! The source documents are called A to E; `docs/requirements.md` has their titles, and says row by row (B3, E2) where
//! each part of them is.
//! `docs/lab.md` is a tour; `docs/lab-report.md` holds what was measured.

pub mod abstract_search;
pub mod abstract_states;
pub mod automata;
pub mod clock;
pub mod concepts;
pub mod evaluation;
pub mod experiments;
pub mod gomoku;
pub mod line_evaluation;
pub mod lines;
pub mod matches;
pub mod players;
pub mod probcut;
pub mod report;
pub mod rollouts;
pub mod sample;
pub mod significance;
