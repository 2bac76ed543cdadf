//! The light evaluation: sixteen features and one set of weights for all numbers of empties, about 180 KB.
//!
//! The endgame solver sorts moves with it, without keeping any state: the indices are computed from the board, eight
//! rows at a time, by adding one vector per row and color.

use super::{
    Table,
    layout::{LAYOUT, each_place, packed_parameters},
    weights::Weights,
    zeroed_table,
};
use crate::Score;
use outflank_othello::Board;
use std::sync::Arc;

/// Number of features.
const LIGHT_LANES: usize = 16;

/// Their numbers among the features of [`LAYOUT`]: corners, rows 2 and 3, edges with X squares.
pub const LIGHT_FEATURES: [usize; LIGHT_LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 34, 35, 36, 37];

/// What the discs of one player on one row add to the indices.
type RowStep = [u16; LIGHT_LANES];

/// The indices of the empty board.
const ORIGIN: RowStep = {
    let mut origin = [0; LIGHT_LANES];
    let mut lane = 0;
    while lane < LIGHT_LANES {
        origin[lane] = LAYOUT.origin[LIGHT_FEATURES[lane]];
        lane += 1;
    }
    origin
};

/// The light evaluation, laid out for look-up.
pub(super) struct Light {
    tables: [Table; 2],
    /// `rows[row][discs]`.
    rows: Arc<[[RowStep; 256]; 8]>,
    bias: [i32; 65],
}

impl Light {
    pub(super) fn new(weights: &Weights) -> Self {
        let (packed, mut tables) = (packed_parameters(), [zeroed_table(), zeroed_table()]);
        each_place(|full, table, index| {
            if let Some(table) = tables.get_mut(table) {
                table[usize::from(index)] = weights.light()[packed[full] as usize];
            }
        });
        Self {
            tables,
            rows: row_steps(),
            bias: std::array::from_fn(|empties| i32::from(weights.light_bias()[empties])),
        }
    }

    #[inline]
    pub(super) fn evaluate(&self, board: Board) -> Score {
        let mut indices = ORIGIN;
        let player = board.player().bits().to_le_bytes();
        let opponent = board.opponent().bits().to_le_bytes();
        for (row, steps) in self.rows.iter().enumerate() {
            let (own, other) = (
                &steps[usize::from(player[row])],
                &steps[usize::from(opponent[row])],
            );
            for lane in 0..LIGHT_LANES {
                indices[lane] = indices[lane].wrapping_add(own[lane]).wrapping_sub(other[lane]);
            }
        }
        let mut sum = self.bias[board.empties().count() as usize];
        for &index in &indices[..12] {
            sum += i32::from(self.tables[0][usize::from(index)]);
        }
        for &index in &indices[12..] {
            sum += i32::from(self.tables[1][usize::from(index)]);
        }
        Score::estimate(sum)
    }
}

fn row_steps() -> Arc<[[RowStep; 256]; 8]> {
    let mut rows = vec![[[0_u16; LIGHT_LANES]; 256]; 8];
    for (square, step) in LAYOUT.once.iter().enumerate() {
        for (discs, sum) in rows[square / 8].iter_mut().enumerate() {
            if discs >> (square % 8) & 1 == 1 {
                for (lane, total) in sum.iter_mut().enumerate() {
                    *total = total.wrapping_add(step[LIGHT_FEATURES[lane]]);
                }
            }
        }
    }
    let rows: Box<[[RowStep; 256]; 8]> = rows
        .into_boxed_slice()
        .try_into()
        .expect("the length is the array's");
    rows.into()
}
