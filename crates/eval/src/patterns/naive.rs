//! The same evaluation on an array of 64 cells, written to be obviously right: the oracle of the fast one, and what it is
//! measured against.

use super::{
    layout::{CLASS_LIST, CLASSES, FEATURES, LAYOUT, mobility_parameter, packed_parameters},
    network::{
        HIDDEN, INPUTS, LIMIT, MOST, NetworkWeights, PLACES, Place, WIDTH, corner_number, counts, rows,
        scale, stage,
    },
    weights::Weights,
};
use crate::Score;
use outflank_othello::{Board, Square, Symmetry};
use std::collections::BTreeSet;

/// Reads every feature cell by cell.
#[derive(Debug)]
pub struct Naive {
    weights: Weights,
    packed: &'static [u32],
    /// As [`network::rows`] numbers them.
    rows: &'static [[u32; 2]],
}

impl Naive {
    /// Returns the evaluator with these weights.
    pub fn new(weights: Weights) -> Self {
        Self {
            weights,
            packed: packed_parameters(),
            rows: rows().0,
        }
    }

    /// Returns the estimate for the player to move.
    pub fn evaluate(&self, board: Board) -> Score {
        let mut cells = [1_u32; 64];
        for square in Square::ALL {
            if board.player().contains(square) {
                cells[square.index()] = 2;
            } else if board.opponent().contains(square) {
                cells[square.index()] = 0;
            }
        }
        let empties = board.empties().count() as usize;
        let mix = self.weights.mix(4 * (empties / 2).min(30) + 1);
        let mut sum = i32::from(self.weights.bias()[empties]);
        for feature in 0..FEATURES {
            let class = usize::from(LAYOUT.class[feature]);
            let mut number = 0;
            for &square in CLASS_LIST[class].squares.iter().rev() {
                number = 3 * number + cells[LAYOUT.symmetry[feature].square(square).index()];
            }
            let parameter = self.packed[(LAYOUT.first[class] + number) as usize];
            sum += i32::from(mix.weight(parameter as usize));
        }
        let pair = mobility_parameter(board.mobility(), board.passed().mobility());
        sum += i32::from(mix.weight(pair));
        if let Some(weights) = self.weights.network() {
            sum += network(weights, self.rows, board);
        }
        Score::estimate(sum)
    }
}

/// The number of the configuration that the image of a class under a symmetry has on a board.
fn configuration(board: Board, class: usize, symmetry: Symmetry) -> usize {
    let digit = |square: Square| {
        let square = symmetry.square(square);
        1 + usize::from(board.player().contains(square)) - usize::from(board.opponent().contains(square))
    };
    let squares = CLASS_LIST[class].squares.iter().rev();
    squares.fold(0, |number, &square| 3 * number + digit(square))
}

/// Returns what the network adds, in 1/128 disc: corner by corner, pattern by pattern.
pub(super) fn network(weights: &NetworkWeights, row_numbers: &[[u32; 2]], board: Board) -> i32 {
    let stage = &weights.stages[stage(board.empties().count())];
    let mut inputs = [0_i64; INPUTS];
    for corner in 0..4 {
        let mut sums = stage.start.map(i64::from);
        // Every pattern that touches this corner, once, whichever image of its class it is.
        let mut seen = BTreeSet::new();
        for class in 0..CLASSES {
            for symmetry in Symmetry::ALL {
                let mut squares: Vec<_> = CLASS_LIST[class]
                    .squares
                    .iter()
                    .map(|&square| symmetry.square(square).index())
                    .collect();
                squares.sort_unstable();
                let anchor = match PLACES[class] {
                    Place::Unused => continue,
                    Place::Corner(anchor) | Place::Between(anchor, _) => anchor,
                };
                if corner_number(symmetry.square(anchor)) != corner || !seen.insert((class, squares)) {
                    continue;
                }
                let full = LAYOUT.first[class] as usize + configuration(board, class, symmetry);
                let row = weights.rows[row_numbers[full][0] as usize];
                for place in 0..WIDTH {
                    sums[place] += i64::from(row[place]);
                }
            }
        }
        for place in 0..WIDTH {
            inputs[place] += sums[place].clamp(0, i64::from(LIMIT));
        }
    }
    for (input, count) in inputs[WIDTH..].iter_mut().zip(counts(board)) {
        *input = i64::from(count);
    }
    let mut output = i64::from(stage.output_bias);
    for (input, &weight) in inputs.iter().zip(&stage.direct) {
        output += input * i64::from(weight);
    }
    for unit in 0..HIDDEN {
        let mut sum = i64::from(stage.hidden_bias[unit]);
        for (input, weights) in inputs.iter().zip(&stage.hidden) {
            sum += input * i64::from(weights[unit]);
        }
        output += (sum >> scale::HIDDEN_SHIFT).clamp(0, 32_767) * i64::from(stage.output[unit]);
    }
    ((output >> (scale::OUTPUT - 7)) as i32).clamp(-MOST, MOST)
}
