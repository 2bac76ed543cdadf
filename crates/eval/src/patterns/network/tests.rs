//! The network against the naive one, its images, its kernels and its file.

use super::*;
use crate::{
    Evaluator, Patterns, Weights,
    patterns::{
        kernels::{layer, portable},
        naive,
    },
};
use outflank_othello::Symmetry;

/// A small generator, so that the tests need none from elsewhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ mixed >> 29
    }

    fn within(&mut self, most: i32) -> i32 {
        (self.next() >> 33) as i32 % (2 * most + 1) - most
    }

    fn board(&mut self) -> Board {
        let (a, b, c) = (self.next(), self.next(), self.next());
        Board::new_unchecked(Bitboard::new(a & b), Bitboard::new(!b & (a | c)))
    }
}

fn random_network(random: &mut Random) -> NetworkWeights {
    let mut stage = || StageWeights {
        start: std::array::from_fn(|_| random.within(100) as i16),
        hidden: std::array::from_fn(|_| std::array::from_fn(|_| random.within(300) as i16)),
        hidden_bias: std::array::from_fn(|_| random.within(60_000)),
        output: std::array::from_fn(|_| random.within(60) as i16),
        direct: std::array::from_fn(|_| random.within(1_000)),
        output_bias: random.within(200_000),
    };
    let stages = (0..STAGES).map(|_| stage()).collect();
    NetworkWeights {
        rows: (0..rows().1)
            .map(|_| std::array::from_fn(|_| random.within(30) as i8))
            .collect(),
        stages,
    }
}

#[test]
fn it_equals_the_naive_network() {
    let mut random = Random(1);
    let weights = random_network(&mut random);
    let network = Network::new(&weights);
    let row_numbers = rows().0;
    let mut values = std::collections::BTreeSet::new();
    for _ in 0..500 {
        let board = random.board();
        let value = network.value(board, &PatternState::of(board), super::super::mobility(board));
        assert_eq!(value, naive::network(&weights, row_numbers, board), "{board:?}");
        values.insert(value);
    }
    assert!(values.len() > 250, "the values differ: {}", values.len());
}

#[test]
fn all_images_have_one_value_and_a_window_does_not_change_a_verdict() {
    let mut random = Random(2);
    let mut weights = Weights::zero();
    weights.set_network(Some(random_network(&mut random)));
    let patterns = Patterns::new(&weights);
    for _ in 0..2_000 {
        let board = random.board();
        let value = patterns.value(board);
        for symmetry in Symmetry::ALL {
            assert_eq!(patterns.value(board.transformed(symmetry)), value);
        }
        let alpha = random.within(12 * 128);
        let beta = alpha + 1 + random.within(200).abs();
        let within = patterns
            .evaluate_within(board, &patterns.state(board), alpha, beta)
            .units();
        let value = value.units();
        match within {
            low if low <= alpha => assert!(value <= low),
            high if high >= beta => assert!(value >= high),
            exact => assert_eq!(exact, value),
        }
    }
}

#[test]
fn kernels_are_equal() {
    let mut random = Random(3);
    for round in 0..2_000 {
        let most = [10, 300, 32_767][round % 3];
        let weights: [[i16; 2 * HIDDEN]; PAIRS] =
            std::array::from_fn(|_| std::array::from_fn(|_| random.within(most) as i16));
        let inputs: [i16; 2 * PAIRS] = std::array::from_fn(|_| random.within(600) as i16);
        let bias: [i32; HIDDEN] = std::array::from_fn(|_| random.within(1_000_000));
        let output: [i16; HIDDEN] = std::array::from_fn(|_| random.within(2_000) as i16);
        assert_eq!(
            layer(&inputs, &weights, &bias, &output),
            portable::layer(&inputs, &weights, &bias, &output)
        );
    }
}

#[test]
fn files_keep_the_network_and_report_damage() {
    let mut weights = Weights::zero();
    weights.set_network(Some(random_network(&mut Random(4))));
    assert_eq!(Weights::decode(&weights.encode()).as_ref(), Ok(&weights));
    let network = weights.network().expect("it was set").encode();
    assert_eq!(NetworkWeights::decode(&network).as_ref(), weights.network());
    for at in 0..8 {
        let mut damaged = network.clone();
        damaged[at] ^= 1;
        assert_eq!(NetworkWeights::decode(&damaged), None, "byte {at}");
    }
    assert_eq!(NetworkWeights::decode(&network[..network.len() - 1]), None);
}
