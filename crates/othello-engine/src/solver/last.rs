//! The last four empties: no tables, no move lists, and the last move is only counted.
//!
//! All functions answer the question "is the value above `alpha`?" with a bound on the right side of it, in discs
//! for the owner of `player`. `PRUNE` off makes them search everything: it serves the check of the node count.
//! With `STABILITY` bounds from stable discs cut off, from three empties on.
//! Each adds the positions it enters to `nodes`: the last position of a line too, although it is never built.

use super::last_move::count_last_flips;
use outflank_othello::{Bitboard, kernels::flips, stable_discs_raw};

/// Below every value.
pub(super) const NONE: i32 = -128;

/// Returns the margin for the owner of `player` when the game is over: the winner takes the empties.
#[inline]
pub(super) fn final_score(player: u64, opponent: u64) -> i32 {
    let own = player.count_ones() as i32;
    let other = opponent.count_ones() as i32;
    match own.cmp(&other) {
        std::cmp::Ordering::Greater => 64 - 2 * other,
        std::cmp::Ordering::Less => 2 * own - 64,
        std::cmp::Ordering::Equal => 0,
    }
}

/// The squares next to each square, sideways and diagonally.
static NEIGHBORS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Bitboard::new(1 << square).neighbors().bits();
        square += 1;
    }
    table
};

/// Returns the flips of a move, with a quick look whether there is anything to flip.
#[inline(always)]
fn try_move(square: usize, player: u64, opponent: u64) -> u64 {
    if NEIGHBORS[square] & opponent == 0 {
        0
    } else {
        flips(square, player, opponent)
    }
}

/// One empty: exact.
#[inline(always)]
pub(super) fn last_1(nodes: &mut u64, player: u64, square: usize) -> i32 {
    let own = player.count_ones() as i32;
    let flipped = count_last_flips(square, player);
    if flipped != 0 {
        *nodes += 2;
        return 2 * (own + flipped) - 62;
    }
    let lost = count_last_flips(square, !player & !(1 << square));
    if lost != 0 {
        *nodes += 3;
        return 2 * (own - lost) - 64;
    }
    *nodes += 1;
    if own >= 32 { 2 * own - 62 } else { 2 * own - 64 }
}

/// Returns an upper bound that is not above `alpha`, if the opponent's stable discs alone give one.
#[inline(always)]
pub(super) fn stability_bound(player: u64, opponent: u64, alpha: i32, empties: u32) -> Option<i32> {
    // Each stable disc of the opponent takes two from the greatest margin.
    if alpha < STABILITY_FROM[empties.min(63) as usize] || 64 - 2 * opponent.count_ones() as i32 > alpha {
        return None;
    }
    let upper = 64 - 2 * stable_discs_raw(opponent, player).count_ones() as i32;
    (upper <= alpha).then_some(upper)
}

/// Two empties.
#[inline(always)]
pub(super) fn last_2<const PRUNE: bool>(
    nodes: &mut u64,
    player: u64,
    opponent: u64,
    squares: [usize; 2],
    alpha: i32,
) -> i32 {
    let [a, b] = squares;
    *nodes += 1;
    let mut best = NONE;
    let flipped = try_move(a, player, opponent);
    if flipped != 0 {
        best = -last_1(nodes, opponent ^ flipped, b);
        if PRUNE && best > alpha {
            return best;
        }
    }
    let flipped = try_move(b, player, opponent);
    if flipped != 0 {
        best = best.max(-last_1(nodes, opponent ^ flipped, a));
    }
    if best != NONE {
        return best;
    }
    // A pass, or the end.
    let mut worst = -NONE;
    let flipped = try_move(a, opponent, player);
    if flipped != 0 {
        *nodes += 1;
        worst = last_1(nodes, player ^ flipped, b);
        if PRUNE && worst <= alpha {
            return worst;
        }
    }
    let flipped = try_move(b, opponent, player);
    if flipped != 0 {
        *nodes += u64::from(worst == -NONE);
        worst = worst.min(last_1(nodes, player ^ flipped, a));
    }
    if worst == -NONE {
        final_score(player, opponent)
    } else {
        worst
    }
}

/// Three empties; the squares should come in the order of [`sort_3`].
pub(super) fn last_3<const PRUNE: bool, const STABILITY: bool>(
    nodes: &mut u64,
    player: u64,
    opponent: u64,
    squares: [usize; 3],
    alpha: i32,
) -> i32 {
    let [a, b, c] = squares;
    *nodes += 1;
    if PRUNE
        && STABILITY
        && let Some(bound) = stability_bound(player, opponent, alpha, 3)
    {
        return bound;
    }
    let mut best = NONE;
    for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        let flipped = try_move(square, player, opponent);
        if flipped != 0 {
            let own = player ^ flipped ^ 1 << square;
            best = best.max(-last_2::<PRUNE>(nodes, opponent ^ flipped, own, rest, -alpha - 2));
            if PRUNE && best > alpha {
                return best;
            }
        }
    }
    if best != NONE {
        return best;
    }
    let mut worst = -NONE;
    for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        let flipped = try_move(square, opponent, player);
        if flipped != 0 {
            *nodes += u64::from(worst == -NONE);
            let other = opponent ^ flipped ^ 1 << square;
            worst = worst.min(last_2::<PRUNE>(nodes, player ^ flipped, other, rest, alpha));
            if PRUNE && worst <= alpha {
                return worst;
            }
        }
    }
    if worst == -NONE {
        final_score(player, opponent)
    } else {
        worst
    }
}

/// Returns the quadrant of a square.
#[inline(always)]
const fn quadrant(square: usize) -> usize {
    square >> 2 & 1 | square >> 4 & 2
}

/// Puts a square that is alone in its quadrant first.
#[inline(always)]
const fn sort_3(squares: [usize; 3]) -> [usize; 3] {
    let [a, b, c] = squares;
    if quadrant(a) == quadrant(b) {
        [c, a, b]
    } else if quadrant(a) == quadrant(c) {
        [b, a, c]
    } else {
        squares
    }
}

/// The places of four squares in the order to try them, by their quadrants (two bits each): those alone in their
/// quadrant first, so that the opponent is left with even regions.
static ORDER_4: [[u8; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut quadrants = 0;
    while quadrants < 256 {
        let mut filled = 0;
        let mut alone = 1;
        loop {
            let mut i = 0;
            while i < 4 {
                let mut mates = 0;
                let mut j = 0;
                while j < 4 {
                    mates += (quadrants >> (2 * i) & 3 == quadrants >> (2 * j) & 3) as u8;
                    j += 1;
                }
                if (mates == 1) as u8 == alone {
                    table[quadrants][filled] = i as u8;
                    filled += 1;
                }
                i += 1;
            }
            if alone == 0 {
                break;
            }
            alone = 0;
        }
        quadrants += 1;
    }
    table
};

/// Four empties: the squares of `empties`.
pub(super) fn last_4<const PRUNE: bool, const STABILITY: bool>(
    nodes: &mut u64,
    player: u64,
    opponent: u64,
    empties: u64,
    alpha: i32,
) -> i32 {
    *nodes += 1;
    if PRUNE
        && STABILITY
        && let Some(bound) = stability_bound(player, opponent, alpha, 4)
    {
        return bound;
    }
    let mut rest = empties;
    let mut raw = [0; 4];
    let mut quadrants = 0;
    for (i, square) in raw.iter_mut().enumerate() {
        *square = rest.trailing_zeros() as usize & 63;
        quadrants |= quadrant(*square) << (2 * i);
        rest &= rest.wrapping_sub(1);
    }
    let order = &ORDER_4[quadrants & 0xFF];
    let at = |i: usize| raw[usize::from(order[i] & 3)];
    let [a, b, c, d] = [at(0), at(1), at(2), at(3)];
    let turns = [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])];
    let mut best = NONE;
    for (square, rest) in turns {
        let flipped = try_move(square, player, opponent);
        if flipped != 0 {
            let own = player ^ flipped ^ 1 << square;
            let rest = sort_3(rest);
            best = best.max(-last_3::<PRUNE, STABILITY>(
                nodes,
                opponent ^ flipped,
                own,
                rest,
                -alpha - 2,
            ));
            if PRUNE && best > alpha {
                return best;
            }
        }
    }
    if best != NONE {
        return best;
    }
    let mut worst = -NONE;
    for (square, rest) in turns {
        let flipped = try_move(square, opponent, player);
        if flipped != 0 {
            *nodes += u64::from(worst == -NONE);
            let other = opponent ^ flipped ^ 1 << square;
            worst = worst.min(last_3::<PRUNE, STABILITY>(
                nodes,
                player ^ flipped,
                other,
                sort_3(rest),
                alpha,
            ));
            if PRUNE && worst <= alpha {
                return worst;
            }
        }
    }
    if worst == -NONE {
        final_score(player, opponent)
    } else {
        worst
    }
}

/// Returns the bound for up to four empties.
#[inline]
pub(super) fn last_few<const PRUNE: bool, const STABILITY: bool>(
    nodes: &mut u64,
    player: u64,
    opponent: u64,
    alpha: i32,
) -> i32 {
    let empties = !(player | opponent);
    let first = empties.trailing_zeros() as usize & 63;
    let last = 63_usize.wrapping_sub(empties.leading_zeros() as usize) & 63;
    match empties.count_ones() {
        0 => {
            *nodes += 1;
            final_score(player, opponent)
        }
        1 => last_1(nodes, player, first),
        2 => last_2::<PRUNE>(nodes, player, opponent, [first, last], alpha),
        3 => {
            let middle = (empties & (empties - 1)).trailing_zeros() as usize & 63;
            let squares = sort_3([first, middle, last]);
            last_3::<PRUNE, STABILITY>(nodes, player, opponent, squares, alpha)
        }
        _ => last_4::<PRUNE, STABILITY>(nodes, player, opponent, empties, alpha),
    }
}

/// Least `alpha` at which enough discs can be stable to decide often enough, by the number of empties.
static STABILITY_FROM: [i32; 64] = {
    let mut table = [64; 64];
    let mut empties = 0;
    while empties < 64 {
        let from = -10 + 2 * empties as i32;
        table[empties] = if from > 62 { 62 } else { from };
        empties += 1;
    }
    table
};
