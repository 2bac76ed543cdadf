//! The same evaluation on an array of 64 cells, written to be obviously right: the oracle of the fast one, and what it is
//! measured against.

use super::{
    layout::{CLASS_LIST, FEATURES, LAYOUT, mobility_parameter, packed_parameters},
    weights::Weights,
};
use crate::Score;
use outflank_othello::{Board, Square};

/// Reads every feature cell by cell.
#[derive(Debug)]
pub struct Naive {
    weights: Weights,
    packed: Vec<u32>,
}

impl Naive {
    /// Returns the evaluator with these weights.
    pub fn new(weights: Weights) -> Self {
        Self {
            weights,
            packed: packed_parameters(),
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
        Score::estimate(sum + i32::from(mix.weight(pair)))
    }
}
