//! The evaluation taken apart for a reader: what each pattern contributes.

use super::{
    PatternState, Patterns,
    layout::{CLASS_LIST, FEATURES, LAYOUT},
};
use crate::{Evaluator, Score};
use outflank_othello::{Board, Square};

/// The value of a board and the parts that it is the sum of.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The estimate for the player to move.
    pub value: Score,
    /// The parts; their sum is the value, unless that was clamped to ±63 discs.
    pub parts: Vec<Contribution>,
}

/// One part of an evaluation.
#[derive(Clone, Debug)]
pub struct Contribution {
    /// Name of the pattern class, `mobility`, `constant` or `network` (what only several patterns together say).
    pub name: &'static str,
    /// The squares that it looks at, in the pattern's own order; none for what is not a pattern.
    pub squares: Vec<Square>,
    /// What the squares hold, in the same order (`X` player, `O` opponent, `-` empty); for `mobility` the
    /// two numbers of moves.
    pub configuration: String,
    /// Its share, in units of 1/128 disc, for the player to move.
    pub units: i32,
}

impl Patterns {
    /// Returns the value of `board` and what each part contributes.
    pub fn explain(&self, board: Board) -> Explanation {
        let state = PatternState::of(board);
        let empties = board.empties().count() as usize;
        let set = self.set(empties);
        let mut parts = Vec::with_capacity(FEATURES + 2);
        for feature in 0..FEATURES {
            let class = CLASS_LIST[usize::from(LAYOUT.class[feature])];
            let squares = class
                .squares
                .iter()
                .map(|&square| LAYOUT.symmetry[feature].square(square));
            let symbol = |square| match (board.player().contains(square), board.opponent().contains(square)) {
                (true, _) => 'X',
                (_, true) => 'O',
                _ => '-',
            };
            let index = usize::from(state.indices()[feature]);
            parts.push(Contribution {
                name: class.name,
                squares: squares.clone().collect(),
                configuration: squares.map(symbol).collect(),
                units: i32::from(set.tables[usize::from(LAYOUT.table[feature])][index]),
            });
        }
        let (own, other) = (board.mobility(), board.passed().mobility());
        parts.push(Contribution {
            name: "mobility",
            squares: Vec::new(),
            configuration: format!("{own}:{other}"),
            units: i32::from(set.mobility[(own.min(31) << 5 | other.min(31)) as usize]),
        });
        parts.push(Contribution {
            name: "constant",
            squares: Vec::new(),
            configuration: format!("{empties} empties"),
            units: self.bias[empties],
        });
        if let Some(network) = &self.network {
            parts.push(Contribution {
                name: "network",
                squares: Vec::new(),
                configuration: String::new(),
                units: network.value(board, &state, super::mobility(board)),
            });
        }
        Explanation {
            value: self.evaluate(board, &state),
            parts,
        }
    }
}
