//! Ratings of several players from the games between them (Bradley–Terry), with intervals.
//!
//! The expected score of *i* against *j* is the logistic function of their difference; a draw is half a win for each. The
//! ratings maximize the likelihood of all results together with a weak prior of [`PRIOR_GAMES`] drawn games
//! between every player and one of average strength, which keeps the rating of a player who won every game finite.
//! Intervals come from the curvature of the likelihood (the inverse Fisher information); counting a draw as two half
//! games makes them a little too wide, never too narrow.
//!
//! Source: R. A. Bradley and M. E. Terry, Rank analysis of incomplete block designs, 1952.

use super::distributions::normal_quantile;

/// Drawn games against an average player that every player is given.
const PRIOR_GAMES: f64 = 1.0;
/// Elo points per unit of the natural-logarithm scale: 400 / ln 10.
const ELO_PER_NAT: f64 = 173.717_792_761_240_72;

/// The points and games between all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    players: usize,
    points: Vec<f64>,
    games: Vec<f64>,
}

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo; the average of all players is 0.
    pub elo: f64,
    /// Half the width of the interval of the difference from the average player, in Elo.
    pub plus_minus: f64,
}

/// Why there is no rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// The iteration did not settle; the results hold something that is not a count.
    #[error("the ratings do not converge: a result is not a number")]
    Diverged,
}

impl Results {
    /// Returns an empty table for this many players.
    pub fn new(players: usize) -> Self {
        Self {
            players,
            points: vec![0.0; players * players],
            games: vec![0.0; players * players],
        }
    }

    /// Adds games between two different players; `points` of `games` went to `player`.
    pub fn add(&mut self, player: usize, opponent: usize, points: f64, games: f64) {
        debug_assert!(player != opponent && player < self.players && opponent < self.players);
        let n = self.players;
        self.points[player * n + opponent] += points;
        self.points[opponent * n + player] += games - points;
        self.games[player * n + opponent] += games;
        self.games[opponent * n + player] += games;
    }

    /// Returns the points of `player` against `opponent`.
    pub fn points(&self, player: usize, opponent: usize) -> f64 {
        self.points[player * self.players + opponent]
    }

    /// Returns the games between two players.
    pub fn games(&self, player: usize, opponent: usize) -> f64 {
        self.games[player * self.players + opponent]
    }
}

/// Returns the rating of every player, with intervals at `confidence`.
///
/// # Errors
///
/// Returns [`RatingError`] if the results are not finite.
pub fn ratings(results: &Results, confidence: f64) -> Result<Vec<Rating>, RatingError> {
    let n = results.players;
    let mut strength = vec![0.0; n];
    for _ in 0..200 {
        let (gradient, information) = slope(results, &strength);
        let covariance = inverse(&information, n).ok_or(RatingError::Diverged)?;
        let mut largest = 0f64;
        for i in 0..n {
            let step: f64 = (0..n).map(|j| covariance[i * n + j] * gradient[j]).sum();
            // A bounded step: Newton's method may overshoot far from the optimum.
            strength[i] += step.clamp(-1.0, 1.0);
            largest = largest.max(step.abs());
        }
        if !largest.is_finite() {
            return Err(RatingError::Diverged);
        }
        if largest < 1e-12 {
            break;
        }
    }
    let (_, information) = slope(results, &strength);
    let covariance = inverse(&information, n).ok_or(RatingError::Diverged)?;
    let mean = strength.iter().sum::<f64>() / n.max(1) as f64;
    let z = normal_quantile(0.5 + 0.5 * confidence);
    Ok((0..n)
        .map(|i| Rating {
            elo: (strength[i] - mean) * ELO_PER_NAT,
            plus_minus: z * variance_from_mean(&covariance, n, i).max(0.0).sqrt() * ELO_PER_NAT,
        })
        .collect())
}

/// Variance of player `i`'s strength minus the average strength.
fn variance_from_mean(covariance: &[f64], n: usize, i: usize) -> f64 {
    let row: f64 = (0..n).map(|j| covariance[i * n + j]).sum();
    let all: f64 = covariance.iter().sum();
    covariance[i * n + i] - 2.0 * row / n as f64 + all / (n * n) as f64
}

/// Gradient of the log-likelihood and the information matrix (row-major).
fn slope(results: &Results, strength: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let n = results.players;
    let mut gradient = vec![0.0; n];
    let mut information = vec![0.0; n * n];
    for i in 0..n {
        let expected = 1.0 / (1.0 + (-strength[i]).exp());
        gradient[i] += PRIOR_GAMES * (0.5 - expected);
        information[i * n + i] += PRIOR_GAMES * expected * (1.0 - expected);
        for j in 0..n {
            let games = results.games(i, j);
            let expected = 1.0 / (1.0 + (strength[j] - strength[i]).exp());
            gradient[i] += results.points(i, j) - games * expected;
            let weight = games * expected * (1.0 - expected);
            information[i * n + i] += weight;
            information[i * n + j] -= weight;
        }
    }
    (gradient, information)
}

/// Inverse of a symmetric positive definite matrix by Gauss–Jordan elimination with pivoting.
fn inverse(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut a = matrix.to_vec();
    let mut b = vec![0.0; n * n];
    for i in 0..n {
        b[i * n + i] = 1.0;
    }
    for column in 0..n {
        let pivot =
            (column..n).max_by(|&x, &y| a[x * n + column].abs().total_cmp(&a[y * n + column].abs()))?;
        let value = a[pivot * n + column];
        if !value.is_finite() || value.abs() < 1e-300 {
            return None;
        }
        for k in 0..n {
            a.swap(column * n + k, pivot * n + k);
            b.swap(column * n + k, pivot * n + k);
        }
        for k in 0..n {
            a[column * n + k] /= value;
            b[column * n + k] /= value;
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = a[row * n + column];
            for k in 0..n {
                a[row * n + k] -= factor * a[column * n + k];
                b[row * n + k] -= factor * b[column * n + k];
            }
        }
    }
    Some(b)
}
