//! The evaluation: what the shapes of the empty points are worth to the side to move.
//!
//! The network ([`Network`]) values positions. Where there is none, every empty point votes for itself:
//! `value = Σ mover[shapes of the side to move] − Σ waiter[shapes of the other side] + threats[state of the fours and
//! threes]`. The board keeps both sums up to date, so that such a value costs a few additions.
//! All weights come from games of the engine against itself (`examples/selfplay.rs` and `examples/fit`, docs/gomoku.md).

use crate::{network::Network, value::EVAL_BOUND};
use outflank_gomoku::{Board, Class, Color, Combo, N_COMBOS, Rule, Tables};
use std::sync::Arc;

/// The fitted weights of shapes: mover, waiter (one per combination), then the threat table; little-endian `i16`.
static FITTED: &[u8] = include_bytes!("weights.bin");
/// The fitted network.
static NETWORK: &[u8] = include_bytes!("network.bin");

/// Number of entries of the threat table.
pub const N_THREATS: usize = 256;

/// The weights of an evaluation, in units of 1/500 of the logarithm of the odds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Per combination, for a point of the side to move.
    pub mover: Vec<i32>,
    /// Per combination, for a point of the other side.
    pub waiter: Vec<i32>,
    /// Per index of [`threat_index`].
    pub threats: Vec<i32>,
    /// What values positions instead, if there is one.
    pub network: Option<Network>,
}

/// A hand-made guess per shape, for a point of either side.
const GUESS: [i32; 15] = [0, 0, 1, 2, 3, 6, 7, 8, 8, 16, 18, 20, 20, 40, 60];

impl Default for Weights {
    /// Returns the fitted weights.
    fn default() -> Self {
        let words: Vec<i32> = FITTED
            .chunks_exact(2)
            .map(|pair| i32::from(i16::from_le_bytes([pair[0], pair[1]])))
            .collect();
        if words.len() != 2 * N_COMBOS + N_THREATS {
            return Self::guess();
        }
        let (mover, rest) = words.split_at(N_COMBOS);
        let (waiter, threats) = rest.split_at(N_COMBOS);
        Self {
            mover: mover.to_vec(),
            waiter: waiter.to_vec(),
            threats: threats.to_vec(),
            network: Network::from_bytes(NETWORK).ok(),
        }
    }
}

impl Weights {
    /// Returns hand-made weights that know nothing about games.
    pub fn guess() -> Self {
        let of = |combo: Combo| {
            combo
                .shapes()
                .iter()
                .map(|&shape| GUESS[shape as usize])
                .sum::<i32>()
        };
        let points: Vec<i32> = Combo::all().map(of).collect();
        let waiter = points.iter().map(|&value| value * 4 / 5).collect();
        Self {
            mover: points,
            waiter,
            threats: (0..N_THREATS).map(guess_threats).collect(),
            network: None,
        }
    }

    /// Returns the tables of `rule` with these weights.
    pub fn tables(&self, rule: Rule) -> Arc<Tables> {
        Tables::with_weights(rule, |_, combo| {
            [self.mover[combo.idx()], self.waiter[combo.idx()]]
        })
    }

    /// Returns the value of `board`, whose tables must come from [`Weights::tables`], for `side` to move.
    #[inline]
    pub fn evaluate(&self, board: &Board, side: Color) -> i32 {
        if let Some(network) = &self.network {
            return network.evaluate(board, side).clamp(-EVAL_BOUND, EVAL_BOUND);
        }
        let [own, _] = board.weight_sums(side);
        let [_, other] = board.weight_sums(!side);
        (own - other + self.threats[threat_index(board, side)]).clamp(-EVAL_BOUND, EVAL_BOUND)
    }

    /// Writes the weights of shapes as the engine reads them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let all = self.mover.iter().chain(&self.waiter).chain(&self.threats);
        all.flat_map(|&word| (word.clamp(-32_000, 32_000) as i16).to_le_bytes())
            .collect()
    }
}

/// Returns which strong points exist: four bits for the side to move, then four for the other.
///
/// Bit 0: an open four can be made; bit 1: a four with an open three; bit 2: another four; bit 3: an open three.
#[inline]
pub fn threat_index(board: &Board, side: Color) -> usize {
    let of = |color: Color| {
        let has = |class: Class| usize::from(board.count_of(color, class) > 0);
        has(Class::OpenFour)
            | has(Class::FourThree) << 1
            | (has(Class::FourPlus) | has(Class::Four)) << 2
            | (has(Class::OpenThree) | has(Class::OpenThreePlus) | has(Class::DoubleThree)) << 3
    };
    of(side) | of(!side) << 4
}

fn guess_threats(index: usize) -> i32 {
    let own = [600, 300, 20, 60];
    let other = [-200, -80, -10, -20];
    let sum = |bits: usize, values: [i32; 4]| {
        (0..4)
            .filter(|bit| bits >> bit & 1 != 0)
            .map(|bit| values[bit])
            .sum::<i32>()
    };
    40 + sum(index & 15, own) + sum(index >> 4, other)
}
