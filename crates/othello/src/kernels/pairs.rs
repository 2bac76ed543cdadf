//! Kernels on pairs of words: a board beside its mirror image, row 8 above row 1.
//!
//! What runs towards row 1 runs towards row 8 in the mirror image, so that one shift serves two directions. The
//! two directions along a row are left to plain integers, which the processor works on at the same time.

#[cfg_attr(target_arch = "x86_64", path = "pairs/sse.rs")]
#[cfg_attr(target_arch = "wasm32", path = "pairs/simd128.rs")]
mod pair;

use super::RAYS;
use pair::Pair;

/// The rays from each square by steps of 7, 8 and 9, on the board and on its mirror image.
static RAYS_UP: [[[u64; 2]; 3]; 64] = {
    let mut pairs = [[[0; 2]; 3]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 3 {
            pairs[square][direction] = [
                RAYS[square][direction + 1],
                RAYS[square ^ 0b111_000][direction + 1],
            ];
            direction += 1;
        }
        square += 1;
    }
    pairs
};

/// Returns the squares where the owner of `player` may place a disc; see [`super::portable::legal_moves`].
#[inline]
pub fn legal_moves(player: u64, opponent: u64) -> u64 {
    const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;
    let discs = Pair::mirrored(player);
    let others = Pair::mirrored(opponent);
    let inner = others.and(Pair::new([INNER_COLUMNS; 2]));
    let across = beyond::<7, 14>(discs, inner)
        .or(beyond::<8, 16>(discs, others))
        .or(beyond::<9, 18>(discs, inner));

    let inner = opponent & INNER_COLUMNS;
    // A carry runs through the opponents next to a disc to the first square that is not one.
    let right = inner.wrapping_add(inner & player << 1) & !inner;
    let mut run = inner & player >> 1;
    run |= inner & run >> 1;
    let two = inner & inner >> 1;
    run |= two & run >> 2;
    run |= two & run >> 2;
    (across.folded() | right | run >> 1) & !(player | opponent)
}

/// Returns the squares one step beyond a run of `others` that starts next to one of `discs`.
#[inline(always)]
fn beyond<const STEP: i32, const TWO_STEPS: i32>(discs: Pair, others: Pair) -> Pair {
    let mut run = others.and(discs.up::<STEP>());
    run = run.or(others.and(run.up::<STEP>()));
    let two = others.and(others.up::<STEP>());
    run = run.or(two.and(run.up::<TWO_STEPS>()));
    run = run.or(two.and(run.up::<TWO_STEPS>()));
    run.up::<STEP>()
}

/// Returns the `opponent` discs flipped by a `player` disc on `square`; see [`super::portable::flips`].
///
/// # Panics
///
/// Panics if `square` is 64 or more.
#[inline]
pub fn flips(square: usize, player: u64, opponent: u64) -> u64 {
    let discs = Pair::mirrored(player);
    let others = Pair::mirrored(opponent);
    let up = |ray: &[u64; 2]| {
        let ray = Pair::new(*ray);
        let outflank = ray.without(others).lowest().and(discs);
        outflank.below().and(ray)
    };
    let [a, b, c] = &RAYS_UP[square];
    let across = up(a).or(up(b)).or(up(c));

    let right = RAYS[square][0];
    let gaps = right & !opponent;
    let outflank = gaps & gaps.wrapping_neg() & player;
    let flips_right = outflank.wrapping_sub(u64::from(outflank != 0)) & right;
    let left = RAYS[square][4];
    // The lowest square is on no ray to the left but its own row's, as its end.
    let first_other = 1 << 63 >> (left & !opponent | 1).leading_zeros();
    let outflank: u64 = first_other & left & player;
    let flips_left = (outflank.wrapping_neg() << 1) & left;

    across.folded() | flips_right | flips_left
}
