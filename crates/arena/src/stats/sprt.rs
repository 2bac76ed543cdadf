//! The sequential probability ratio test on pairs of games.
//!
//! After every pair the test compares how well two Elo differences explain the pentanomial counts seen so far: the
//! likelihood of each is that of the most likely pair distribution with that expected score (a *generalized* SPRT).
//! With *p̂* the observed frequencies and *aᵢ* the pair scores, the most likely distribution with mean *s* is
//! *pᵢ = p̂ᵢ / (1 + θ(aᵢ − s))* with the *θ* that makes the mean come out; the log-likelihood ratio is
//! *n Σ p̂ᵢ ln(p¹ᵢ / p⁰ᵢ)*.
//!
//! Source: A. Wald, Sequential tests of statistical hypotheses, 1945 (the bounds); M. Van den Bergh, notes on the
//! generalized SPRT for chess engine testing (the use of pentanomial counts).

use super::{elo::score_of_elo, pairs::PairCounts};

/// Frequency given to a pair outcome that has not been seen, so that one lucky pair proves nothing.
const UNSEEN: f64 = 1e-3;

/// A test of "the difference is `elo0`" against "the difference is `elo1`".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// What the test has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// More games are needed.
    Continue,
    /// The difference is `elo0` or less.
    AcceptH0,
    /// The difference is `elo1` or more.
    AcceptH1,
}

/// Why the parameters make no test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// `elo0` is not below `elo1`.
    #[error("the first bound must be below the second: got {0} and {1} Elo")]
    Bounds(f64, f64),
    /// An error rate outside 0 to ½.
    #[error("an error rate must be above 0 and below 0.5: got {0}")]
    Rate(f64),
}

impl Sprt {
    /// Returns the test of `elo0` against `elo1`.
    ///
    /// `alpha` is the promised probability of accepting `elo1` when `elo0` is true, `beta` that of accepting `elo0` when
    /// `elo1` is true.
    ///
    /// ```
    /// use outflank_arena::stats::Sprt;
    /// let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05)?;
    /// let (lower, upper) = sprt.bounds();
    /// assert!((upper - 2.944_438_979_166_44).abs() < 1e-12 && lower == -upper);
    /// # Ok::<(), outflank_arena::stats::SprtError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the bounds or the rates.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Bounds(elo0, elo1));
        }
        for rate in [alpha, beta] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtError::Rate(rate));
            }
        }
        Ok(Self {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// Returns the two hypotheses in Elo.
    pub const fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// Returns the promised error rates.
    pub const fn rates(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// Returns the log-likelihood ratios at which the test ends: below the first `elo0` is accepted, above the second
    /// `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// Returns the log-likelihood ratio of `elo1` against `elo0` after these pairs.
    pub fn llr(&self, counts: &PairCounts) -> f64 {
        let pairs = counts.pairs();
        if pairs == 0 {
            return 0.0;
        }
        let seen = counts.0.map(|count| (count as f64).max(UNSEEN));
        let total: f64 = seen.iter().sum();
        let observed = seen.map(|count| count / total);
        let theta0 = tilt(&observed, score_of_elo(self.elo0));
        let theta1 = tilt(&observed, score_of_elo(self.elo1));
        let (s0, s1) = (score_of_elo(self.elo0), score_of_elo(self.elo1));
        let mean: f64 = observed
            .iter()
            .zip(PairCounts::SCORES)
            .map(|(p, a)| p * ((1.0 + theta0 * (a - s0)) / (1.0 + theta1 * (a - s1))).ln())
            .sum();
        total * mean
    }

    /// Returns what the pairs so far decide.
    pub fn decision(&self, counts: &PairCounts) -> Decision {
        let llr = self.llr(counts);
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Decision::AcceptH1
        } else if llr <= lower {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }
}

/// Returns the θ with Σ p̂ᵢ (aᵢ − s) / (1 + θ(aᵢ − s)) = 0, by bisection on the interval where all terms are
/// positive; the sum falls as θ grows.
fn tilt(observed: &[f64; 5], score: f64) -> f64 {
    let sum = |theta: f64| -> f64 {
        observed
            .iter()
            .zip(PairCounts::SCORES)
            .map(|(p, a)| p * (a - score) / (1.0 + theta * (a - score)))
            .sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if sum(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}
