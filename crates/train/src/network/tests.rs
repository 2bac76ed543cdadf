//! The fit learns, repeats itself, and survives rounding.

use super::*;
use crate::{sample::Source, source::random_board};
use outflank_othello::Bitboard;

/// Positions with a value that no sum of patterns has: it grows with the difference of the mobilities, whoever has
/// more, and with the square of the number of corners taken.
fn samples(n: u64) -> Vec<Sample> {
    (0..n)
        .map(|seed| {
            let board = random_board(seed, 8 + (seed % 40) as usize);
            let mobility = board.mobility().abs_diff(board.passed().mobility());
            let corners = (board.occupied() & Bitboard::CORNERS).count();
            Sample {
                board,
                // The network may say no more than ten discs.
                value: 128 * ((mobility + corners * corners).min(18) as i16 - 9),
                source: Source::Exact,
                split: if seed % 7 == 0 {
                    Split::Validation
                } else {
                    Split::Train
                },
            }
        })
        .collect()
}

#[test]
fn it_learns_what_a_sum_of_patterns_cannot_say_and_rounding_keeps_it() {
    let samples = samples(20_000);
    let config = NetworkConfig {
        epochs: 3,
        dropout: 0.0,
        ..NetworkConfig::default()
    };
    let mut epochs = Vec::new();
    let weights = fit(&samples, &Weights::zero(), None, &config, |epoch| {
        epochs.push(epoch);
    });
    let values: Vec<_> = samples
        .iter()
        .map(|sample| f64::from(sample.value) / 128.0)
        .collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let spread = values.iter().map(|value| (value - mean).abs()).sum::<f64>() / values.len() as f64;
    let last = epochs.last().expect("six epochs");
    assert!(
        last.validation_mae < 0.75 * spread,
        "{epochs:?}, the mean would err by {spread}"
    );
    let again = fit(&samples, &Weights::zero(), None, &config, |_| {});
    assert_eq!(
        again.encode(),
        weights.encode(),
        "the same samples give the same network"
    );
    let decoded = Weights::decode(&weights.encode()).expect("what was written can be read");
    assert_eq!(decoded, weights);
}

#[test]
fn a_fit_that_starts_from_a_network_goes_on_from_where_it_was() {
    let samples = samples(20_000);
    let (first, more) = samples.split_at(10_000);
    let config = NetworkConfig {
        epochs: 1,
        dropout: 0.0,
        ..NetworkConfig::default()
    };
    let weights = fit(first, &Weights::zero(), None, &config, |_| {});
    let network = weights.network().expect("a network was fitted");
    let mut learner = Learner::new(&mut Random::seed_from_u64(9));
    learner.start_from(network);
    assert_eq!(
        learner.rounded(),
        *network,
        "what is taken over is what was there"
    );
    let measured: Vec<_> = more.iter().map(|sample| (*sample, 0.0)).collect();
    let error = |weights: &Weights| mean_error(&Patterns::new(weights), &measured);
    let alone = fit(more, &Weights::zero(), None, &config, |_| {});
    let gone_on = fit(more, &Weights::zero(), Some(network), &config, |_| {});
    assert!(error(&gone_on) < error(&weights).min(error(&alone)));
}
