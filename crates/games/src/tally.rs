//! Sums over games from the view of one of the sides.

use crate::Facts;
use outflank_othello::Color;
use std::ops::AddAssign;

/// How games went, for the side from which they are seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games, also those whose result is not known.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Sum of the margins, where they are known.
    pub discs: i64,
    /// Games with a known margin.
    pub with_discs: u64,
    /// Sum of the margins with perfect play from some number of empty squares on, where they are known.
    pub theoretical: i64,
    /// Games with such a margin.
    pub with_theoretical: u64,
    /// The first and the last year, `None` if no game has one.
    pub years: Option<(u16, u16)>,
}

/// Bounds for a share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Tally {
    /// Adds a game, seen from `side`.
    #[inline]
    pub fn add(&mut self, facts: &Facts, side: Color) {
        let sign = if side == Color::Black { 1 } else { -1 };
        self.games += 1;
        match facts.flags.winner() {
            Some(Some(winner)) if winner == side => self.wins += 1,
            Some(Some(_)) => self.losses += 1,
            Some(None) => self.draws += 1,
            None => {}
        }
        if let Some(discs) = facts.result {
            self.discs += sign * i64::from(discs.get());
            self.with_discs += 1;
        }
        if let Some(discs) = facts.theoretical {
            self.theoretical += sign * i64::from(discs.get());
            self.with_theoretical += 1;
        }
        if facts.year != 0 {
            let (first, last) = self.years.unwrap_or((facts.year, facts.year));
            self.years = Some((first.min(facts.year), last.max(facts.year)));
        }
    }

    /// Returns the games whose result is known.
    pub const fn decided(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the share of the points, a draw as half of one.
    pub fn score(&self) -> Option<f64> {
        (self.decided() > 0).then(|| (self.wins as f64 + 0.5 * self.draws as f64) / self.decided() as f64)
    }

    /// Returns the interval in which the expected score lies with a probability of 95 %, by Wilson's formula.
    pub fn score_interval(&self) -> Option<Interval> {
        /// Of the normal distribution, 2.5 % lie above this many standard deviations.
        const Z: f64 = 1.959_963_984_540_054;
        let (n, p) = (self.decided() as f64, self.score()?);
        let center = p + Z * Z / (2.0 * n);
        let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        Some(Interval {
            low: ((center - spread) / scale).max(0.0),
            high: ((center + spread) / scale).min(1.0),
        })
    }

    /// Returns the mean margin.
    pub fn mean_discs(&self) -> Option<f64> {
        (self.with_discs > 0).then(|| self.discs as f64 / self.with_discs as f64)
    }

    /// Returns the mean margin with perfect play.
    pub fn mean_theoretical(&self) -> Option<f64> {
        (self.with_theoretical > 0).then(|| self.theoretical as f64 / self.with_theoretical as f64)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.discs += other.discs;
        self.with_discs += other.with_discs;
        self.theoretical += other.theoretical;
        self.with_theoretical += other.with_theoretical;
        self.years = match (self.years, other.years) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Flags;
    use outflank_othello::Discs;

    #[test]
    fn games_are_seen_from_either_side() {
        let facts = Facts {
            year: 2001,
            result: Discs::new(6),
            flags: Flags::default().with_winner(Some(Some(Color::Black))),
            ..Facts::default()
        };
        let (mut black, mut white) = (Tally::default(), Tally::default());
        black.add(&facts, Color::Black);
        white.add(&facts, Color::White);
        assert_eq!((black.wins, black.losses, black.discs), (1, 0, 6));
        assert_eq!((white.wins, white.losses, white.discs), (0, 1, -6));
        assert_eq!((white.score(), white.mean_theoretical()), (Some(0.0), None));
        black += white;
        assert_eq!(
            (black.games, black.score(), black.years),
            (2, Some(0.5), Some((2001, 2001)))
        );
    }

    #[test]
    fn few_games_say_little() {
        let of = |wins, losses| {
            Tally {
                wins,
                losses,
                ..Tally::default()
            }
            .score_interval()
        };
        assert_eq!(of(0, 0), None);
        // Wilson's interval of 8 of 10, as tables have it.
        let interval = of(8, 2).expect("games");
        assert!(
            (interval.low - 0.490).abs() < 0.001 && (interval.high - 0.943).abs() < 0.001,
            "{interval:?}"
        );
        assert!(of(1, 0).expect("a game").low < 0.21);
    }
}
