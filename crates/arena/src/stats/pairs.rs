//! Counting: games, pairs of games, margins.

use super::distributions::normal_cdf;
use super::elo::{Estimate, interval};

/// How many pairs gave 0, ½, 1, 1½ and 2 points to the first player: the pentanomial counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Score of one game on the scale 0 (lost both) to 1 (won both), by pair outcome.
    pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Counts a pair in which the first player made `half_points` of 4 half points.
    pub const fn add(&mut self, half_points: usize) {
        let index = if half_points > 4 { 4 } else { half_points };
        self.0[index] += 1;
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the mean score of a game, 0 to 1; ½ without pairs.
    pub fn mean(&self) -> f64 {
        let pairs = self.pairs();
        if pairs == 0 {
            return 0.5;
        }
        let sum: f64 = self
            .0
            .iter()
            .zip(Self::SCORES)
            .map(|(&count, score)| count as f64 * score)
            .sum();
        sum / pairs as f64
    }

    /// Returns the unbiased variance of a pair's mean score; 0 for fewer than two pairs.
    pub fn variance(&self) -> f64 {
        let pairs = self.pairs();
        if pairs < 2 {
            return 0.0;
        }
        let mean = self.mean();
        let sum: f64 = self
            .0
            .iter()
            .zip(Self::SCORES)
            .map(|(&count, score)| count as f64 * (score - mean).powi(2))
            .sum();
        sum / (pairs - 1) as f64
    }
}

/// Everything that is counted in a match, from the first player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Sum of the margins, in the unit of the game.
    pub margins: i64,
    /// Sum of the squared margins.
    pub margins_squared: u64,
    /// Complete pairs by outcome.
    pub pairs: PairCounts,
}

impl Tally {
    /// Counts one game with this margin for the first player (0 is a draw).
    pub const fn add_game(&mut self, margin: i32) {
        match margin {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
        self.margins += margin as i64;
        self.margins_squared += (margin as i64 * margin as i64) as u64;
    }

    /// Counts a complete pair whose two games had these margins; the games themselves are added by
    /// [`Tally::add_game`].
    pub const fn add_pair(&mut self, first: i32, second: i32) {
        self.pairs.add((2 + first.signum() + second.signum()) as usize);
    }

    /// Returns the number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the score, a draw being half a point, from 0 to 1; ½ without games.
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (self.wins as f64 + 0.5 * self.draws as f64) / self.games() as f64
    }

    /// Returns the mean margin, in the unit of the game.
    pub fn mean_margin(&self) -> f64 {
        if self.games() == 0 {
            return 0.0;
        }
        self.margins as f64 / self.games() as f64
    }

    /// Returns the standard error of [`Tally::mean_margin`], games taken as independent; `None` for fewer than two.
    pub fn margin_error(&self) -> Option<f64> {
        let n = self.games() as f64;
        if n < 2.0 {
            return None;
        }
        let variance = (self.margins_squared as f64 - n * self.mean_margin().powi(2)) / (n - 1.0);
        Some((variance.max(0.0) / n).sqrt())
    }

    /// Returns the Elo difference with its interval at `confidence` (0.95 is usual).
    ///
    /// The interval is Wilson's for the score, with the number of games replaced by the *effective* number
    /// *p(1−p)/Var(p)*, the variance taken over pairs, and Student's quantile in place of the normal one; then mapped to
    /// Elo. If all pairs ended alike, the games count as independent: a narrower interval would claim to know more
    /// than was seen.
    pub fn elo(&self, confidence: f64) -> Estimate {
        let score = self.score();
        let games = self.games() as f64;
        let pairs = self.pairs.pairs() as f64;
        let variance = self.pairs.variance() / pairs.max(1.0);
        let effective = if variance > 0.0 && score > 0.0 && score < 1.0 {
            score * (1.0 - score) / variance
        } else {
            games
        };
        interval(score, effective, self.pairs.pairs().saturating_sub(1), confidence)
    }

    /// Returns the likelihood of superiority: how sure the games make it that the first player is the stronger one.
    ///
    /// Normal approximation with the variance over pairs, and (W − L)/√(W + L) if all pairs ended alike.
    pub fn los(&self) -> f64 {
        let pairs = self.pairs.pairs() as f64;
        let variance = self.pairs.variance();
        if variance > 0.0 {
            return normal_cdf((self.pairs.mean() - 0.5) / (variance / pairs).sqrt());
        }
        let decided = (self.wins + self.losses) as f64;
        if decided == 0.0 {
            return 0.5;
        }
        normal_cdf((self.wins as f64 - self.losses as f64) / decided.sqrt())
    }
}
