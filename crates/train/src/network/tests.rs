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

const fn alone(weights: &Weights) -> Fit<'_> {
    Fit {
        weights,
        initial: None,
        even: &[],
    }
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
    let zero = Weights::zero();
    let weights = fit(&samples, alone(&zero), &config, |epoch| {
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
    let again = fit(&samples, alone(&zero), &config, |_| {});
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
    let zero = Weights::zero();
    let weights = fit(first, alone(&zero), &config, |_| {});
    let network = weights.network().expect("a network was fitted");
    let mut learner = Learner::new(&mut Random::seed_from_u64(9));
    learner.start_from(network);
    assert_eq!(
        learner.rounded(),
        *network,
        "what is taken over is what was there"
    );
    let error = |weights: &Weights| mean_error(&Patterns::new(weights), more);
    let from_nothing = fit(more, alone(&zero), &config, |_| {});
    let from = Fit {
        initial: Some(network),
        ..alone(&zero)
    };
    let gone_on = fit(more, from, &config, |_| {});
    assert!(error(&gone_on) < error(&weights).min(error(&from_nothing)));
}

#[test]
fn kinds_that_can_be_told_apart_only_in_part_are_valued_more_evenly_with_a_pull() {
    // Positions of one kind are worth six discs more; in three of four of them the player has more moves.
    let samples: Vec<_> = samples(20_000)
        .into_iter()
        .map(|sample| Sample { value: 0, ..sample })
        .collect();
    let is_better = |number: usize, sample: &Sample| {
        let more_moves = sample.board.mobility() > sample.board.passed().mobility();
        more_moves != number.is_multiple_of(4)
    };
    let (mut labeled, mut even) = (Vec::new(), [Vec::new(), Vec::new()]);
    for (number, sample) in samples.into_iter().enumerate() {
        let kind = usize::from(is_better(number, &sample));
        even[kind].push(sample.board);
        let value = 128 * 6 * kind as i16;
        labeled.push((kind, Sample { value, ..sample }));
    }
    let train: Vec<_> = labeled.iter().map(|(_, sample)| *sample).collect();
    let config = NetworkConfig {
        epochs: 2,
        dropout: 0.0,
        pull: 20.0,
        ..NetworkConfig::default()
    };
    let zero = Weights::zero();
    let gap = |from: Fit<'_>| {
        let patterns = Patterns::new(&fit(&train, from, &config, |_| {}));
        let mean = |wanted: usize| {
            let errors: Vec<_> = labeled
                .iter()
                .filter(|(kind, sample)| *kind == wanted && sample.split == Split::Validation)
                .map(|(_, sample)| {
                    let value = patterns.evaluate(sample.board, &patterns.state(sample.board));
                    value.discs() - f64::from(sample.value) / 128.0
                })
                .collect();
            errors.iter().sum::<f64>() / errors.len() as f64
        };
        mean(0) - mean(1)
    };
    let apart = gap(alone(&zero));
    let pulled = gap(Fit {
        even: &even,
        ..alone(&zero)
    });
    assert!(apart > 1.0, "the kinds cannot be told apart in full: {apart}");
    assert!(pulled < 0.8 * apart, "{pulled} with a pull, {apart} without");
}
