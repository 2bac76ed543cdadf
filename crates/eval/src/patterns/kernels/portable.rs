//! The layer in plain arithmetic.

use super::{
    super::network::{HIDDEN, PAIRS, scale},
    PairOfWeights,
};

/// Returns what hidden units with these constants and weights add to the output.
#[inline]
#[cfg_attr(
    target_feature = "avx2",
    allow(dead_code, reason = "the oracle of the vector kernel")
)]
pub(in super::super) fn layer(
    inputs: &[i16; 2 * PAIRS],
    weights: &[PairOfWeights; PAIRS],
    bias: &[i32; HIDDEN],
    output: &[i16; HIDDEN],
) -> i32 {
    let mut hidden = *bias;
    for (pair, weights) in weights.iter().enumerate() {
        let (even, odd) = (i32::from(inputs[2 * pair]), i32::from(inputs[2 * pair + 1]));
        for unit in 0..HIDDEN {
            let sum = even * i32::from(weights[2 * unit]) + odd * i32::from(weights[2 * unit + 1]);
            hidden[unit] = hidden[unit].wrapping_add(sum);
        }
    }
    let mut sum = 0_i32;
    for unit in 0..HIDDEN {
        let active = (hidden[unit] >> scale::HIDDEN_SHIFT).clamp(0, i32::from(i16::MAX));
        sum = sum.wrapping_add(active * i32::from(output[unit]));
    }
    sum
}
