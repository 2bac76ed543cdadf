//! Which differences a set of comparisons shows: an exact test for each, corrected for their number.
//!
//! Of twenty comparisons between equals one looks like a difference at the usual 5 %.
//! So an experiment tests all its comparisons together, by Holm's method: the chance that *any* of its conclusions is
//! wrong stays below 5 %, whatever the comparisons have to do with each other.

use crate::{matches::MatchResult, report::grouped};

/// The chance of a wrong conclusion that an experiment may run.
pub const LEVEL: f64 = 0.05;

/// What one comparison gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// The chance that equals differ at least so much, in either direction.
    pub chance: f64,
    /// In whose favor the difference is: positive for the first.
    pub sum: i64,
}

impl Test {
    /// Tests paired differences, each as likely to have the other sign if there is nothing to find.
    ///
    /// The test is exact: it compares their sum with the sums under all choices of signs.
    pub fn of_differences(differences: &[i64]) -> Self {
        let sum: i64 = differences.iter().sum();
        let reach: usize = differences
            .iter()
            .map(|difference| difference.unsigned_abs() as usize)
            .sum();
        // The chance of every sum from −reach to reach.
        let mut chances = vec![0.0; 2 * reach + 1];
        chances[reach] = 1.0;
        for step in differences
            .iter()
            .map(|difference| difference.unsigned_abs() as usize)
        {
            if step > 0 {
                let before = chances.clone();
                let at = |i: Option<usize>| i.and_then(|i| before.get(i)).copied().unwrap_or(0.0);
                for (i, chance) in chances.iter_mut().enumerate() {
                    *chance = f64::midpoint(at(i.checked_sub(step)), at(Some(i + step)));
                }
            }
        }
        let far = |&(i, _): &(usize, &f64)| i.abs_diff(reach) >= sum.unsigned_abs() as usize;
        let chance: f64 = chances
            .iter()
            .enumerate()
            .filter(far)
            .map(|(_, chance)| chance)
            .sum();
        Self {
            chance: chance.min(1.0),
            sum,
        }
    }

    /// Tests whether a match was between equals, pair of games by pair of games.
    pub fn of_match(result: &MatchResult) -> Self {
        let differences: Vec<_> = result
            .pairs
            .iter()
            .map(|points| half_points(points - 1.0))
            .collect();
        Self::of_differences(&differences)
    }

    /// Tests whether two players did equally well from the same openings against the same opponent.
    pub fn between(first: &MatchResult, second: &MatchResult) -> Self {
        let pairs = first.pairs.iter().zip(&second.pairs);
        let differences: Vec<_> = pairs.map(|(first, second)| half_points(first - second)).collect();
        Self::of_differences(&differences)
    }
}

fn half_points(points: f64) -> i64 {
    (2.0 * points).round() as i64
}

/// What may be said after the correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The first is better.
    Better,
    /// The first is worse.
    Worse,
    /// No difference is shown.
    Open,
}

impl Conclusion {
    /// Returns how a table says it: `yes` where the first is better, as somebody claims.
    pub fn shown(self, games: u32) -> String {
        match self {
            Self::Better => "yes".to_owned(),
            Self::Worse => "the other way".to_owned(),
            Self::Open => nothing_shown(games),
        }
    }
}

/// Returns what is said of a comparison that shows nothing.
pub fn nothing_shown(games: u32) -> String {
    format!("no difference shown with {} games", grouped(u64::from(games)))
}

/// Returns the chances after Holm's correction, in the same order.
pub fn corrected(tests: &[Test]) -> Vec<f64> {
    let mut order: Vec<_> = (0..tests.len()).collect();
    order.sort_by(|&a, &b| tests[a].chance.total_cmp(&tests[b].chance));
    let mut chances = vec![1.0; tests.len()];
    let mut least: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        // The k-th smallest chance is multiplied by the number of tests that are left; none may be below an earlier one.
        least = least.max(tests[i].chance * (tests.len() - rank) as f64).min(1.0);
        chances[i] = least;
    }
    chances
}

/// Returns what may be concluded from each of the tests of an experiment.
pub fn conclusions(tests: &[Test]) -> Vec<Conclusion> {
    let conclude = |(test, chance): (&Test, f64)| match test.sum {
        1.. if chance <= LEVEL => Conclusion::Better,
        ..=-1 if chance <= LEVEL => Conclusion::Worse,
        _ => Conclusion::Open,
    };
    tests.iter().zip(corrected(tests)).map(conclude).collect()
}

/// Says of a player's matches which show that it is stronger, which that it is weaker, and which show nothing.
pub fn standing(results: &[(&str, MatchResult)]) -> String {
    let tests: Vec<_> = results.iter().map(|(_, result)| Test::of_match(result)).collect();
    let mut parts = Vec::new();
    let conclusions = conclusions(&tests);
    for (conclusion, what) in [
        (Conclusion::Better, "stronger than"),
        (Conclusion::Worse, "weaker than"),
        (Conclusion::Open, "no difference shown from"),
    ] {
        let matching = results
            .iter()
            .zip(&conclusions)
            .filter(|&(_, &found)| found == conclusion);
        let names: Vec<_> = matching
            .map(|((name, result), _)| format!("{name} ({:.0} %)", 100.0 * result.score()))
            .collect();
        if !names.is_empty() {
            parts.push(format!("{what} {}", names.join(", ")));
        }
    }
    let games = results.first().map_or(0, |(_, result)| result.games());
    format!(
        "{} ({games} games each, corrected for {} comparisons)",
        parts.join("; "),
        results.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::SplitMix64;

    fn chance(differences: &[i64]) -> f64 {
        Test::of_differences(differences).chance
    }

    #[test]
    fn chances_of_small_samples_by_hand() {
        let is = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
        assert!(is(chance(&[]), 1.0) && is(chance(&[0, 0]), 1.0) && is(chance(&[1, -1]), 1.0));
        // All eight the same way: two of 2⁸ choices.
        assert!(is(chance(&[1; 8]), 2.0 / 256.0) && is(chance(&[-2; 8]), 2.0 / 256.0));
        // Sums of ±1 ±1 ±2 at least 2 from zero: ±4 (one choice each) and ±2 (two each).
        assert!(is(chance(&[1, -1, 2]), 6.0 / 8.0));
    }

    #[test]
    fn holm_by_hand() {
        let tests = [0.01, 0.04, 0.03, 0.005].map(|chance| Test { chance, sum: -1 });
        let found = corrected(&tests);
        for (found, expected) in found.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        let (open, worse) = (Conclusion::Open, Conclusion::Worse);
        assert_eq!(conclusions(&tests), [worse, open, open, worse]);
        assert_eq!(corrected(&[]), [0.0; 0]);
    }

    #[test]
    fn between_equals_an_experiment_concludes_wrongly_in_one_of_twenty_at_most() {
        // 19 comparisons of 20 pairs each between equals, as the quick experiment has them, 400 times over.
        let mut random = SplitMix64::new(1);
        let (mut plain, mut held) = (0, 0);
        for _ in 0..400 {
            let tests: Vec<_> = (0..19)
                .map(|_| {
                    let pairs: Vec<i64> = (0..20).map(|_| random.below(5) as i64 - 2).collect();
                    Test::of_differences(&pairs)
                })
                .collect();
            plain += u32::from(tests.iter().any(|test| test.chance <= LEVEL));
            held += u32::from(conclusions(&tests).iter().any(|&found| found != Conclusion::Open));
        }
        assert!(held <= 30, "{held} of 400 experiments conclude wrongly");
        assert!(plain >= 180, "only {plain} of 400 would without the correction");
    }

    #[test]
    fn matches_are_tested_by_pairs() {
        let result = |pairs: &[f64]| MatchResult {
            pairs: pairs.to_vec(),
            ..MatchResult::default()
        };
        let won = result(&[2.0, 2.0, 1.5, 2.0, 1.0, 2.0, 2.0, 2.0]);
        let even = result(&[1.0, 2.0, 0.0, 1.0, 1.0, 1.5, 0.5, 1.0]);
        let test = Test::of_match(&won);
        assert_eq!(test.sum, 13);
        assert!((test.chance - 2.0 / 128.0).abs() < 1e-12, "{test:?}");
        assert!(Test::of_match(&even).chance > 0.9);
        assert_eq!(Test::between(&won, &even).sum, 13);
    }
}
