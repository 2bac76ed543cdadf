//! Elo differences and their intervals.

use super::distributions::{normal_quantile, student_quantile};

/// Returns the Elo difference that makes `score` (0 to 1) the expected score; infinite at 0 and 1.
///
/// ```
/// use outflank_arena::stats::elo_of_score;
/// assert!((elo_of_score(0.75) - 190.848_501_887_865).abs() < 1e-9);
/// assert_eq!(elo_of_score(0.5), 0.0);
/// assert_eq!(elo_of_score(1.0), f64::INFINITY);
/// ```
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if score >= 1.0 {
        return f64::INFINITY;
    }
    // Adding zero turns −0 into 0.
    400.0 * (score / (1.0 - score)).log10() + 0.0
}

/// Returns the expected score of a player who is `elo` points stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// An Elo difference with its confidence interval; infinite where the score is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The difference that fits the score best.
    pub elo: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Wilson's interval for `score` seen in `games` games (which may be a fraction), mapped to Elo.
///
/// `freedom` is the degrees of freedom behind the variance; at 0 the normal quantile is used.
pub(super) fn interval(score: f64, games: f64, freedom: u64, confidence: f64) -> Estimate {
    let p = 0.5 + 0.5 * confidence;
    let z = if freedom >= 1 {
        student_quantile(p, freedom)
    } else {
        normal_quantile(p)
    };
    let (low, high) = wilson(score, games, z);
    Estimate {
        elo: elo_of_score(score),
        low: elo_of_score(low),
        high: elo_of_score(high),
    }
}

/// Wilson's score interval at `z` standard deviations.
///
/// Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
pub(super) fn wilson(score: f64, games: f64, z: f64) -> (f64, f64) {
    if games <= 0.0 {
        return (0.0, 1.0);
    }
    let z2 = z * z;
    let middle = (score + z2 / (2.0 * games)) / (1.0 + z2 / games);
    let half = z / (1.0 + z2 / games) * (score * (1.0 - score) / games + z2 / (4.0 * games * games)).sqrt();
    let low = if score <= 0.0 {
        0.0
    } else {
        (middle - half).max(0.0)
    };
    let high = if score >= 1.0 {
        1.0
    } else {
        (middle + half).min(1.0)
    };
    (low, high)
}
