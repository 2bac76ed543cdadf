//! The bit-parallel kernels: legal moves and flipped discs on raw 64-bit words.
//!
//! One file per instruction set, same function names; the fastest that the compilation target has is re-exported
//! here. [`portable`] is always compiled, and the tests hold every kernel to it and to the naive oracle.

pub mod portable;

#[cfg(target_feature = "avx2")]
pub mod avx2;

#[cfg(any(target_feature = "sse4.1", target_feature = "simd128"))]
pub mod pairs;

#[cfg(target_feature = "avx2")]
pub use avx2::{flips, legal_moves};

#[cfg(all(
    any(target_feature = "sse4.1", target_feature = "simd128"),
    not(target_feature = "avx2")
))]
pub use pairs::{flips, legal_moves};

#[cfg(not(any(
    target_feature = "avx2",
    target_feature = "sse4.1",
    target_feature = "simd128"
)))]
pub use portable::{flips, legal_moves};

/// Name of the kernel that this build uses.
pub const ACTIVE: &str = if cfg!(target_feature = "avx2") {
    "avx2"
} else if cfg!(target_feature = "sse4.1") {
    "sse4.1"
} else if cfg!(target_feature = "simd128") {
    "simd128"
} else {
    "portable"
};

/// The eight rays from each square, without the square itself: four towards higher indices (east, south-west,
/// south, south-east: steps of 1, 7, 8, 9), then the four opposite ones.
pub(crate) static RAYS: [[u64; 8]; 64] = {
    const STEPS: [(i32, i32); 8] = [
        (1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
        (-1, 0),
        (1, -1),
        (0, -1),
        (-1, -1),
    ];
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (dx, dy) = STEPS[direction];
            let (mut x, mut y) = (square as i32 % 8 + dx, square as i32 / 8 + dy);
            while x >= 0 && x < 8 && y >= 0 && y < 8 {
                rays[square][direction] |= 1 << (y * 8 + x);
                x += dx;
                y += dy;
            }
            direction += 1;
        }
        square += 1;
    }
    rays
};
