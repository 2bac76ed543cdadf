//! Weighted sums of the concepts of source document B.

use super::{SQUARE_WEIGHTS, mobility, stability};
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
    /// Per disc with an empty neighbour.
    pub frontier: i32,
    /// For having the last move in sight: an odd number of empty regions of odd size.
    pub parity: i32,
    /// Per disc that is stable by contact with corners.
    pub stability: i32,
}

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

    /// Returns the weight of a concept on document B's ladder.
    fn weight(name: &str) -> Option<i32> {
        Some(match name {
            "discs" | "squares" => 1,
            "mobility" | "parity" => 10,
            "frontier" => -5,
            "stability" => 20,
            _ => return None,
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
            _ => return None,
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

/// Returns 1 if the player to move would place the last disc should nobody pass, and more for each further region of
/// odd size; with an even number of empties the same count against the player.
fn parity(board: Board) -> i32 {
    let n_odd = board
        .regions()
        .iter()
        .filter(|region| region.count() % 2 == 1)
        .count() as i32;
    if board.empties().count() % 2 == 1 {
        n_odd.max(1)
    } else {
        -(n_odd + 1)
    }
}
