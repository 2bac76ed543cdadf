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
    let weights = fit(&samples, &Weights::zero(), &config, |epoch| epochs.push(epoch));
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
    let again = fit(&samples, &Weights::zero(), &config, |_| {});
    assert_eq!(
        again.encode(),
        weights.encode(),
        "the same samples give the same network"
    );
    let decoded = Weights::decode(&weights.encode()).expect("what was written can be read");
    assert_eq!(decoded, weights);
}
