//! Statistics of matches, as pure functions: score, Elo with an interval, likelihood of superiority, SPRT, ratings.
//!
//! The unit of counting is the **pair**: the same opening played with both colors. The two games of a pair are not
//! independent (an opening may favor one color), so every error bar here comes from the spread of pair scores, the
//! *pentanomial* counts, and not from the spread of single games.
//!
//! Every number is tested against `docs/scripts/arena_reference.py`, which computes it independently with
//! `SciPy`.

mod distributions;
mod elo;
mod pairs;
mod ratings;
mod sprt;

pub use distributions::{normal_cdf, normal_quantile, student_quantile};
pub use elo::{Estimate, elo_of_score, score_of_elo};
pub use pairs::{PairCounts, Tally};
pub use ratings::{Rating, RatingError, Results, ratings};
pub use sprt::{Decision, Sprt, SprtError};

#[cfg(test)]
mod tests;
