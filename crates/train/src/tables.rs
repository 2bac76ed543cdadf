//! The evaluation as plain tables for the graphics card: what `tools/gpu/label.cu` reads.
//!
//! Little endian, one after the other: weights `i16 [31][226314]` by set and full number; mobility weights
//! `i16 [31][1024]`; constants `i32 [65]`; full number of the first configuration of each feature's class `i32 [46]`;
//! what the discs on a row add to the configurations `u16 [8][256][48]`; configurations of the empty board `u16 [48]`.
//! Configurations are plain base-3 numbers here: opponent 0, empty 1, player 2.

use outflank_eval::patterns::{
    SETS, Weights,
    layout::{FEATURES, LANES, LAYOUT, full_number},
};

/// Returns the tables of these weights.
pub fn tables(weights: &Weights) -> Vec<u8> {
    let (mut patterns, mut mobility) = (Vec::new(), Vec::new());
    for set in 0..SETS {
        let (full, pairs) = weights.expanded(set);
        patterns.extend(full.into_iter().flat_map(i16::to_le_bytes));
        mobility.extend(pairs.into_iter().flat_map(i16::to_le_bytes));
    }
    let mut bytes = patterns;
    bytes.extend(mobility);
    bytes.extend(
        weights
            .bias()
            .iter()
            .flat_map(|&bias| i32::from(bias).to_le_bytes()),
    );
    let mut center = [0_u16; LANES];
    for (feature, center) in center.iter_mut().enumerate().take(FEATURES) {
        let first = LAYOUT.first[usize::from(LAYOUT.class[feature])];
        *center = (full_number(feature, LAYOUT.origin[feature]) as u32 - first) as u16;
        bytes.extend(first.to_le_bytes());
    }
    for row in 0..8 {
        for discs in 0..256_usize {
            for lane in 0..LANES {
                let sum: u16 = (0..8)
                    .filter(|column| discs >> column & 1 == 1)
                    .map(|column| LAYOUT.once[8 * row + column][lane])
                    .sum();
                bytes.extend(sum.to_le_bytes());
            }
        }
    }
    bytes.extend(center.iter().flat_map(|center| center.to_le_bytes()));
    bytes
}
