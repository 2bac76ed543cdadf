//! Training of the Othello evaluation from nothing: labeled positions, least squares, error tables.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`sample`] | a labeled position, and files of them |
//! | [`dataset`] | the samples of a fit, each position once, and what is in them |
//! | [`source`] | positions from game records, from deviations and from random-prefix self-play |
//! | [`label`] | what a position is worth: exact near the end, a full-width search before |
//! | [`generate`] | chunks of labeled positions, resumable |
//! | [`model`] | weights and their ProbCut table in one file |
//! | [`mod@swing`] | error and bias of searches by depth, and how values swing |
//! | [`tables`] | the weights as the labeling program for graphics cards reads them |
//! | [`fit`] | weights by regularized least squares |
//! | [`network`] | the network on top of the weights |
//! | [`stages`] | source document B's method, the baseline |
//! | [`evaluate`] | errors per stage |
//! | [`policy`] | what people choose, from their games |
//! | [`probcut`] | how well shallow searches predict deep ones |
//! | [`speed`] | what an evaluation costs inside a search |
//!
//! `docs/training.md` gives the commands that made the embedded weights.

pub mod dataset;
pub mod evaluate;
pub mod fit;
pub mod generate;
pub mod label;
pub mod model;
pub mod network;
pub mod policy;
pub mod probcut;
pub mod sample;
pub mod source;
pub mod speed;
pub mod stages;
pub mod swing;
pub mod tables;
mod watched;
