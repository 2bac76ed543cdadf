//! Small matches and round robins between laboratory players, with intervals.
//!
//! Every opening is played twice, once with each color, and the pair is the unit of the statistics, since its two
//! games are not independent. Larger matches, against other programs too, are the arena's business: the same
//! players can be named there.

use crate::players::{Player, PlayerError, player};
use outflank_game::SplitMix64;
use outflank_othello::{Color, Position};

/// The result of a match from the first player's side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchResult {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Sum of margins in discs.
    pub discs: i64,
    /// Points of each pair of games, 0 to 2.
    pub pairs: Vec<f64>,
}

impl MatchResult {
    /// Returns the number of games.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Returns wins plus half the draws, as a share of the games.
    pub fn score(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games().max(1))
    }

    /// Returns the Elo difference that the score stands for, with a 95 % interval (normal approximation on pairs).
    ///
    /// Scores beyond 0.1 % and 99.9 % are taken as these, which is ±1,200.
    pub fn elo(&self) -> Estimate {
        let n = self.pairs.len().max(1) as f64;
        let score = self.score();
        let variance = self
            .pairs
            .iter()
            .map(|points| (points / 2.0 - score).powi(2))
            .sum::<f64>()
            / n;
        // Half a pair of pseudo-counts keeps one-sided matches from looking certain.
        let error = ((variance + 0.5 / n * 0.25) / n).sqrt();
        Estimate {
            value: elo(score),
            low: elo(score - 1.96 * error),
            high: elo(score + 1.96 * error),
        }
    }

    /// Adds the two games of an opening by the first player's margins, in discs.
    pub(crate) fn add_pair(&mut self, margins: [i32; 2]) {
        let mut points = 0.0;
        for margin in margins {
            self.discs += i64::from(margin);
            let count = match margin {
                0 => &mut self.draws,
                1.. => &mut self.wins,
                _ => &mut self.losses,
            };
            *count += 1;
            points += f64::from(margin.signum()).midpoint(1.0);
        }
        self.pairs.push(points);
    }

    /// Returns the same match from the other player's side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
            discs: -self.discs,
            pairs: self.pairs.iter().map(|points| 2.0 - points).collect(),
        }
    }
}

/// A figure with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Returns the Elo difference of an expected score.
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(0.001, 0.999);
    400.0 * (score / (1.0 - score)).log10()
}

/// Plays one game; returns black's margin.
fn play_game(start: &Position, black: &mut dyn Player, white: &mut dyn Player) -> i32 {
    let mut position = *start;
    while !position.is_game_over() {
        let chosen = match position.side() {
            Color::Black => black.choose(&position),
            Color::White => white.choose(&position),
        };
        // A laboratory player always has a legal move; should one not, it plays the first.
        if chosen.is_none_or(|mv| position.play(mv).is_err()) {
            let first = position.legal_moves().first().copied();
            if first.is_none_or(|mv| position.play(mv).is_err()) {
                break;
            }
        }
    }
    position.final_discs(Color::Black).get()
}

/// Plays a match: each opening twice. `progress` is told the number of games played so far.
///
/// # Errors
///
/// Returns which player's text is wrong.
pub fn play_match(
    first: &str,
    second: &str,
    openings: &[Position],
    seed: u64,
    progress: &mut dyn FnMut(u32),
) -> Result<MatchResult, PlayerError> {
    let (mut a, mut b) = (player(first, seed)?, player(second, seed)?);
    let mut random = SplitMix64::new(seed);
    let mut result = MatchResult::default();
    for opening in openings {
        let margins = [true, false].map(|a_is_black| {
            a.new_game(random.next_u64());
            b.new_game(random.next_u64());
            if a_is_black {
                play_game(opening, a.as_mut(), b.as_mut())
            } else {
                -play_game(opening, b.as_mut(), a.as_mut())
            }
        });
        result.add_pair(margins);
        progress(result.games());
    }
    Ok(result)
}

/// A round robin: everybody's match against everybody.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundRobin {
    /// The players' texts.
    pub players: Vec<String>,
    /// `results[i][j]` is the match of `i` against `j` from `i`'s side; empty for `i` = `j`.
    pub results: Vec<Vec<MatchResult>>,
}

impl RoundRobin {
    /// Plays it.
    ///
    /// # Errors
    ///
    /// Returns which player's text is wrong.
    pub fn play(
        players: &[String],
        openings: &[Position],
        seed: u64,
        progress: &mut dyn FnMut(u32),
    ) -> Result<Self, PlayerError> {
        let n = players.len();
        let mut results = vec![vec![MatchResult::default(); n]; n];
        let mut done = 0;
        for i in 0..n {
            for j in i + 1..n {
                let seed = seed ^ ((i * n + j) as u64) << 32;
                let result = play_match(&players[i], &players[j], openings, seed, &mut |games| {
                    progress(done + games);
                })?;
                done += result.games();
                results[j][i] = result.reversed();
                results[i][j] = result;
            }
        }
        Ok(Self {
            players: players.to_vec(),
            results,
        })
    }

    /// Returns the players' ratings with 95 % intervals, the first player's set to 0.
    ///
    /// Bradley-Terry ratings, fitted to the scores; the intervals come from 200 resamplings of the pairs of games.
    pub fn ratings(&self, seed: u64) -> Vec<Estimate> {
        let n = self.players.len();
        let point = self.fit(MatchResult::score);
        let mut random = SplitMix64::new(seed);
        let mut samples = vec![Vec::new(); n];
        for _ in 0..200 {
            let fitted = self.fit(|result| {
                let n_pairs = result.pairs.len();
                let sum: f64 = (0..n_pairs).map(|_| result.pairs[random.below(n_pairs)]).sum();
                sum / (2 * n_pairs.max(1)) as f64
            });
            for (sample, rating) in samples.iter_mut().zip(fitted) {
                sample.push(rating);
            }
        }
        let interval = |(value, mut sample): (f64, Vec<f64>)| {
            sample.sort_by(f64::total_cmp);
            Estimate {
                value,
                low: sample[4],
                high: sample[195],
            }
        };
        point.into_iter().zip(samples).map(interval).collect()
    }

    /// Fits ratings to scores by the classic fixed point; `score` is asked once per match.
    fn fit(&self, mut score: impl FnMut(&MatchResult) -> f64) -> Vec<f64> {
        let n = self.players.len();
        let mut points = vec![0.0; n];
        let mut games = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in i + 1..n {
                // One drawn game more between each two keeps unbeaten players finite.
                let n_games = f64::from(self.results[i][j].games());
                let own = score(&self.results[i][j]) * n_games;
                games[i][j] = n_games + 1.0;
                games[j][i] = n_games + 1.0;
                points[i] += own + 0.5;
                points[j] += n_games - own + 0.5;
            }
        }
        let mut strength = vec![1.0; n];
        for _ in 0..2000 {
            let next: Vec<f64> = (0..n)
                .map(|i| {
                    let met: f64 = (0..n)
                        .filter(|&j| j != i)
                        .map(|j| games[i][j] / (strength[i] + strength[j]))
                        .sum();
                    points[i] / met.max(f64::MIN_POSITIVE)
                })
                .collect();
            let scale = next.iter().map(|s: &f64| s.ln()).sum::<f64>() / n.max(1) as f64;
            strength = next.into_iter().map(|s| (s.ln() - scale).exp()).collect();
        }
        let zero = strength.first().copied().unwrap_or(1.0);
        strength.into_iter().map(|s| 400.0 * (s / zero).log10()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::openings;

    #[test]
    fn matches_are_fair_and_reproducible() {
        let openings = openings(10, 8, 1);
        let play = |a, b| play_match(a, b, &openings, 7, &mut |_| ()).unwrap();
        let result = play("squares", "random");
        assert_eq!(result, play("squares", "random"));
        assert_eq!(result.games(), 20);
        assert!(result.score() > 0.6, "{result:?}");
        let mirror = play("greedy", "greedy");
        let elo = mirror.elo();
        assert!(elo.low < elo.value && elo.value < elo.high, "{mirror:?}");
        assert_eq!(result.reversed().reversed(), result);
        assert!(play_match("nobody", "random", &openings, 7, &mut |_| ()).is_err());
    }

    #[test]
    fn ratings_follow_the_scores() {
        let players = ["random", "squares", "phase/2"].map(str::to_owned);
        let mut last = 0;
        let table = RoundRobin::play(&players, &openings(10, 8, 2), 3, &mut |games| last = games).unwrap();
        assert_eq!(last, 60);
        let ratings = table.ratings(1);
        assert!(ratings[0].value.abs() < 1e-9);
        assert!(
            ratings[0].value < ratings[1].value && ratings[1].value < ratings[2].value,
            "{ratings:?}"
        );
        assert!(
            ratings
                .iter()
                .all(|rating| rating.low <= rating.value && rating.value <= rating.high)
        );
    }

    #[test]
    fn elo_of_known_scores() {
        assert!(elo(0.5).abs() < 1e-9);
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-9);
        assert!((elo(1.0) - 1199.8).abs() < 0.1);
    }
}
