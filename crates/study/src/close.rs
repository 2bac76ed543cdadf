//! Moves that keep a game close: who is ahead gives some of it away.

use outflank_game::SplitMix64;

/// Draws a move by the values of all moves in discs, for the side to move; returns its place, `None` if there are none.
///
/// Who is behind or even plays the best. Who is ahead by `v` discs draws a move with probability `exp(-loss / T)` where `T`
/// is half of `v`, but never one that loses more than `v`: what is expected comes nearer to a draw, and does not fall
/// below it.
pub fn choose(values: &[f64], random: &mut SplitMix64) -> Option<usize> {
    let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]))?;
    let ahead = values[best];
    if ahead <= 0.0 {
        return Some(best);
    }
    let weight = |value: f64| {
        let loss = ahead - value;
        if loss > ahead {
            0.0
        } else {
            (-2.0 * loss / ahead).exp()
        }
    };
    let mut at = random.unit() * values.iter().copied().map(weight).sum::<f64>();
    for (place, &value) in values.iter().enumerate() {
        at -= weight(value);
        if at < 0.0 {
            return Some(place);
        }
    }
    // Rounding may leave a rest.
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_behind_plays_the_best_and_who_is_ahead_gives_some_away_but_not_all() {
        let mut random = SplitMix64::new(2);
        assert_eq!(choose(&[], &mut random), None);
        assert_eq!(choose(&[-3.0, -1.0, -8.0], &mut random), Some(1));
        let values = [10.0, 9.0, 4.0, 0.0, -0.5, -20.0];
        let mut times = [0; 6];
        for _ in 0..10_000 {
            times[choose(&values, &mut random).expect("there are moves")] += 1;
        }
        // In the order of their values, and by the weights: exp(0), exp(-0.2), exp(-1.2), exp(-2).
        assert_eq!(times[4..], [0, 0]);
        let all = 1.0 + (-0.2_f64).exp() + (-1.2_f64).exp() + (-2.0_f64).exp();
        for (place, loss) in [(0, 0.0), (1, 0.2), (2, 1.2), (3, 2.0)] {
            let expected = 10_000.0 * f64::exp(-loss) / all;
            // Three standard deviations of the most frequent.
            assert!((f64::from(times[place]) - expected).abs() < 150.0, "{times:?}");
        }
    }
}
