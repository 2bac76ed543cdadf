//! Weighted sums of the concepts of source document B, and document A's abstract states as one term more.

use crate::{
    abstract_states::embedded,
    concepts::{SQUARE_WEIGHTS, balance, mobility, stability},
};
use outflank_othello::{Bitboard, Board};

/// Weights of the concepts; each concept is counted for the player to move, less the other's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// Per disc.
    pub discs: i32,
    /// Factor of the square weights.
    pub squares: i32,
    /// Per legal move.
    pub mobility: i32,
    /// Per disc with an empty neighbor.
    pub frontier: i32,
    /// Per region of empty squares of odd size, for the player to move, late in the game.
    pub parity: i32,
    /// Per disc that is stable by contact with corners.
    pub stability: i32,
    /// Per disc on a square of each of [`KINDS`].
    pub kinds: [i32; KINDS.len()],
    /// Per tenth of a disc that positions of the same abstract state were worth on average.
    pub abstract_state: i32,
}

/// The kinds of squares that have a name, with the weight that each has in [`SQUARE_WEIGHTS`].
pub const KINDS: [(&str, Bitboard, i32); 5] = [
    ("corners", Bitboard::CORNERS, 100),
    ("x-squares", Bitboard::X_SQUARES, -50),
    ("c-squares", Bitboard::C_SQUARES, -20),
    ("a-squares", Bitboard::A_SQUARES, 10),
    ("b-squares", Bitboard::B_SQUARES, 5),
];

/// A phase of the game and its weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Fewest empties of the phase.
    pub from_empties: u32,
    /// The weights.
    pub weights: Linear,
}

/// Document B's idea with weights of our own: mobility first, then stability, discs at the very end.
pub const PHASES: [Phase; 4] = [
    phase(40, 0, 10, 30),
    phase(20, 0, 12, 40),
    phase(8, 0, 10, 50),
    phase(0, 5, 6, 40),
];

const fn phase(from_empties: u32, discs: i32, mobility: i32, stability: i32) -> Phase {
    let weights = Linear {
        discs,
        squares: 0,
        mobility,
        frontier: 0,
        parity: 0,
        stability,
        kinds: [0; KINDS.len()],
        abstract_state: 0,
    };
    Phase {
        from_empties,
        weights,
    }
}

impl Linear {
    /// Returns the sum of the named concepts, joined by `+`, each with the weight it has on document B's ladder; another
    /// weight is written behind the name: `squares+mobility*3`.
    pub fn by_names(names: &str) -> Option<Self> {
        let mut sum = Self::default();
        for part in names.split('+') {
            let (name, weight) = match part.split_once('*') {
                Some((name, weight)) => {
                    let weight: i32 = weight.parse().ok()?;
                    (name, Some(weight).filter(|weight| weight.abs() <= 1000)?)
                }
                None => (part, Self::weight(part)?),
            };
            *sum.of(name)? = weight;
        }
        Some(sum)
    }

    /// Returns the weight of a concept on document B's ladder, chosen by matches beside the square weights
    /// (`docs/lab-report.md`): ten per move, say, would drown them at one ply.
    fn weight(name: &str) -> Option<i32> {
        Some(match name {
            "discs" | "squares" | "abstract" => 1,
            "mobility" | "parity" => 3,
            "frontier" => -2,
            "stability" => 20,
            _ => KINDS.iter().find(|kind| kind.0 == name)?.2,
        })
    }

    fn of(&mut self, name: &str) -> Option<&mut i32> {
        Some(match name {
            "discs" => &mut self.discs,
            "squares" => &mut self.squares,
            "mobility" => &mut self.mobility,
            "frontier" => &mut self.frontier,
            "parity" => &mut self.parity,
            "stability" => &mut self.stability,
            "abstract" => &mut self.abstract_state,
            _ => &mut self.kinds[KINDS.iter().position(|kind| kind.0 == name)?],
        })
    }

    /// Returns the weights of the phase that `board` is in.
    pub fn of_phase(board: Board) -> Self {
        let empties = board.empties().count();
        PHASES
            .iter()
            .find(|phase| empties >= phase.from_empties)
            .map_or(PHASES[PHASES.len() - 1].weights, |phase| phase.weights)
    }

    /// Returns the weighted sum for the player to move.
    pub fn value(&self, board: Board) -> i32 {
        let mut sum = 0;
        // Concepts without weight are not computed: search speed should be that of the concepts in use.
        if self.discs != 0 {
            sum += self.discs * board.raw_difference();
        }
        if self.squares != 0 {
            sum += self.squares * (square_sum(board.player()) - square_sum(board.opponent()));
        }
        if self.mobility != 0 {
            sum += self.mobility * mobility(board);
        }
        if self.frontier != 0 {
            let frontier = |board: Board| board.frontier().count() as i32;
            sum += self.frontier * (frontier(board) - frontier(board.passed()));
        }
        if self.parity != 0 {
            sum += self.parity * parity(board);
        }
        if self.stability != 0 {
            sum += self.stability * stability(board);
        }
        for (&weight, (_, squares, _)) in self.kinds.iter().zip(KINDS) {
            if weight != 0 {
                sum += weight * balance(board, squares);
            }
        }
        if self.abstract_state != 0 {
            sum += self.abstract_state * embedded().of_state(board) / 10;
        }
        sum
    }
}

/// Returns the sum of the weights of these squares.
pub(crate) fn square_sum(discs: Bitboard) -> i32 {
    discs
        .into_iter()
        .map(|square| SQUARE_WEIGHTS[square.index()])
        .sum()
}

/// Empties from which on regions of empties are closed often enough to be counted.
const PARITY_FROM: u32 = 16;

/// Returns the number of regions of odd size, in each of which the player to move can have the last move; 0 before the
/// last [`PARITY_FROM`] squares.
fn parity(board: Board) -> i32 {
    if board.empties().count() > PARITY_FROM {
        return 0;
    }
    let is_odd = |region: &&Bitboard| region.count() % 2 == 1;
    board.regions().iter().filter(is_odd).count() as i32
}
