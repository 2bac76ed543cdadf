//! The kernels of the network: one small layer and its output.
//!
//! [`portable`] is always compiled, and a test holds the other to it. The sums over the patterns need no kernel:
//! compilers turn them into vector instructions.

pub(super) mod portable;

#[cfg(target_feature = "avx2")]
pub(super) mod avx2;

#[cfg(target_feature = "avx2")]
pub(super) use avx2::layer;
#[cfg(not(target_feature = "avx2"))]
pub(super) use portable::layer;

use super::network::HIDDEN;

/// Two weights of each hidden unit, side by side: of an even input and of the odd one after it.
pub(super) type PairOfWeights = [i16; 2 * HIDDEN];
