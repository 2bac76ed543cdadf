//! Values of positions for the side to move.

use std::{cmp::Ordering, fmt};

/// The value of making five at once; a forced win in `n` stones is worth `MATE − n`.
pub(crate) const MATE: i32 = 30_000;
/// Values at least this large (or small) are proven wins (or losses).
pub(crate) const MATE_BOUND: i32 = 29_000;
/// Where an evaluation ends; also the worst value of a position whose loss is not proven.
pub(crate) const EVAL_BOUND: i32 = 10_000;
/// Above every value.
pub(crate) const INFINITE: i32 = 32_000;

/// What a position or move is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A forced win, five being made with at most this many stones from here (both colors counted).
    Win(u32),
    /// A forced loss within this many stones.
    Loss(u32),
    /// An estimate in units of 1/500 of the natural logarithm of the odds of winning, within ±10,000.
    Estimate(i32),
}

impl Value {
    /// Returns the value of an internal score.
    pub(crate) fn from_score(score: i32) -> Self {
        if score >= MATE_BOUND {
            Self::Win((MATE - score).max(1) as u32)
        } else if score <= -MATE_BOUND {
            Self::Loss((MATE + score).max(0) as u32)
        } else {
            Self::Estimate(score)
        }
    }

    /// Returns the three kinds in order, and the order inside a kind.
    const fn rank(self) -> (i8, i64) {
        match self {
            Self::Win(stones) => (1, -(stones as i64)),
            Self::Estimate(score) => (0, score as i64),
            Self::Loss(stones) => (-1, stones as i64),
        }
    }

    /// Returns what the value is worth to the other side where it is to move one stone earlier: a loss within `n` stones
    /// is won by the move before it within `n + 1`.
    #[must_use]
    pub const fn before(self) -> Self {
        match self {
            Self::Win(stones) => Self::Loss(stones + 1),
            Self::Loss(stones) => Self::Win(stones + 1),
            Self::Estimate(score) => Self::Estimate(-score),
        }
    }

    /// Returns the expected result in 0..=1 for the side to move.
    pub fn win_probability(self) -> f64 {
        match self {
            Self::Win(_) => 1.0,
            Self::Loss(_) => 0.0,
            Self::Estimate(score) => 1.0 / (1.0 + (-f64::from(score) / 500.0).exp()),
        }
    }
}

impl Ord for Value {
    /// The better value is the greater: a fast win, a slow one, estimates, a slow loss, a fast one.
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Value {
    /// Writes `+M5`, `-M4` or the estimate.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(stones) => write!(f, "+M{stones}"),
            Self::Loss(stones) => write!(f, "-M{stones}"),
            Self::Estimate(score) => write!(f, "{score}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Value::{Estimate, Loss, Win};

    #[test]
    fn better_values_are_greater() {
        let sorted = [
            Loss(0),
            Loss(8),
            Estimate(-10_000),
            Estimate(0),
            Estimate(3),
            Win(9),
            Win(1),
        ];
        assert!(sorted.windows(2).all(|pair| pair[0] < pair[1]));
        let before: Vec<_> = sorted.iter().rev().map(|value| value.before()).collect();
        assert!(before.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn an_estimate_is_in_500ths_of_the_logarithm_of_the_odds() {
        for score in [-10_000, -500, 0, 1, 500, 1_000] {
            let chance = Estimate(score).win_probability();
            let odds = (chance / (1.0 - chance)).ln() * 500.0;
            assert!((odds - f64::from(score)).abs() < 1e-3, "{score}: {odds}");
        }
        assert!((Win(3).win_probability() - 1.0).abs() < 1e-9 && Loss(3).win_probability() < 1e-9);
    }
}
