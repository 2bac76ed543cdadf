//! The evaluations of the source documents, by name.
//!
//! | name | document | what it is |
//! | --- | --- | --- |
//! | `discs` | E | disc difference |
//! | `squares` | B3, C2 | a weight per square |
//! | `mobility`, `parity`, `frontier`, `stability` | B2 | one concept alone |
//! | `corners`, `x-squares`, `c-squares`, `a-squares`, `b-squares` | B2 | discs on squares that have a name |
//! | `squares+mobility`, … | B3 | the rungs of the ladder |
//! | `phase` | B3 | stability and mobility with weights that change with the phase |
//! | `e`, `e-improved`, `e-improved-written` | E3 | the heuristic, and its improved form as meant and as printed |
//! | `automata` | A7 | line automata |
//! | `abstract` | A6 | statistics of abstract states; also a term: `squares+abstract` |
//! | `hand` | | the engine's hand-made evaluation |
//! | `learned` | B4, C5 | the engine's learned patterns |
//!
//! All of them judge from the side of the player to move. A finished game is worth ±[`WIN`] and its margin, beyond
//! every estimate, except under document E's heuristics, whose own constant is 5,000.

mod linear;

pub use linear::{KINDS, Linear, PHASES, Phase};

pub use crate::concepts::SQUARE_WEIGHTS;

use crate::{
    abstract_states::AbstractEvaluation,
    concepts::{balance, mobility, stability},
    line_evaluation::LineEvaluation,
};
use outflank_eval::{Evaluator, HandMade, Patterns};
use outflank_game::{Evaluate, Outcome};
use outflank_othello::{Bitboard, Board, Position};
use std::sync::Arc;

/// Worth of a won game, beyond every estimate of this module.
pub const WIN: i32 = 1_000_000;
/// Worth of a won game in document E.
pub const WIN_E: i32 = 5_000;

/// How document E's improved heuristic counts edge discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeDiscs {
    /// Discs on the outer ring.
    AsMeant,
    /// The printed loop runs over every row and column, so that each disc counts twice wherever it lies.
    AsWritten,
}

/// An evaluation of Othello positions.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// A weighted sum of concepts, the same all game long.
    Linear(Linear),
    /// Stability and mobility by phase.
    Phase,
    /// Document E: disc difference + 8·mobility + 300·corners + stability.
    HeuristicE,
    /// The same + 10·edge discs − 15·X squares.
    ImprovedE(EdgeDiscs),
    /// Patterns on lines.
    Lines(Arc<LineEvaluation>),
    /// Statistics of abstract states.
    Abstract(Arc<AbstractEvaluation>),
    /// The engine's evaluation without learning, in 1/128 disc.
    HandMade,
    /// The engine's learned patterns, in 1/128 disc.
    Learned(Arc<Patterns>),
}

impl Evaluation {
    /// The names that [`Evaluation::by_name`] knows, beside other sums of concepts.
    pub const NAMES: [&'static str; 23] = [
        "discs",
        "squares",
        "mobility",
        "parity",
        "frontier",
        "stability",
        "corners",
        "x-squares",
        "c-squares",
        "a-squares",
        "b-squares",
        "abstract",
        "squares+mobility",
        "squares+frontier",
        "squares+mobility+frontier",
        "squares+mobility+parity",
        "phase",
        "e",
        "e-improved",
        "e-improved-written",
        "automata",
        "hand",
        "learned",
    ];

    /// Returns the evaluation with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "phase" => Self::Phase,
            "e" => Self::HeuristicE,
            "e-improved" => Self::ImprovedE(EdgeDiscs::AsMeant),
            "e-improved-written" => Self::ImprovedE(EdgeDiscs::AsWritten),
            "automata" => Self::Lines(Arc::new(LineEvaluation::standard())),
            "hand" => Self::HandMade,
            "learned" => Self::Learned(Arc::new(Patterns::embedded())),
            _ => Self::Linear(Linear::by_names(name)?),
        })
    }

    /// Returns the estimate for the player to move on `board`, in the evaluation's own unit.
    pub fn value(&self, board: Board) -> i32 {
        match self {
            Self::Linear(linear) => linear.value(board),
            Self::Phase => Linear::of_phase(board).value(board),
            Self::HeuristicE => heuristic_e(board),
            Self::ImprovedE(rule) => improved_e(board, *rule),
            Self::Lines(lines) => lines.value(board),
            Self::Abstract(statistics) => statistics.value(board),
            Self::HandMade => HandMade.evaluate(board, &()).units(),
            Self::Learned(patterns) => patterns.value(board).units(),
        }
    }
}

impl Evaluate<Position> for Evaluation {
    fn evaluate(&self, position: &Position) -> i32 {
        self.value(position.board())
    }

    fn outcome_value(&self, outcome: Outcome) -> i32 {
        match self {
            Self::HeuristicE | Self::ImprovedE(_) => WIN_E * outcome.margin.signum() + outcome.margin,
            _ => WIN * outcome.margin.signum() + 1000 * outcome.margin,
        }
    }
}

fn heuristic_e(board: Board) -> i32 {
    board.raw_difference() + 8 * mobility(board) + 300 * balance(board, Bitboard::CORNERS) + stability(board)
}

fn improved_e(board: Board, rule: EdgeDiscs) -> i32 {
    let edges = match rule {
        EdgeDiscs::AsMeant => balance(board, Bitboard::EDGES),
        EdgeDiscs::AsWritten => 2 * board.raw_difference(),
    };
    heuristic_e(board) + 10 * edges - 15 * balance(board, Bitboard::X_SQUARES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::random_positions;
    use outflank_othello::Symmetry;

    fn all() -> impl Iterator<Item = (&'static str, Evaluation)> {
        Evaluation::NAMES.into_iter().map(|name| {
            (
                name,
                Evaluation::by_name(name).expect("the list is that of by_name"),
            )
        })
    }

    #[test]
    fn evaluations_do_not_change_under_symmetry() {
        let all: Vec<_> = all().collect();
        for position in random_positions(120, 0..60, 3) {
            for (name, evaluation) in &all {
                let value = evaluation.value(position.board());
                for symmetry in Symmetry::ALL {
                    assert_eq!(
                        evaluation.value(position.board().transformed(symmetry)),
                        value,
                        "{name}"
                    );
                }
            }
        }
        assert!(Evaluation::by_name("no such").is_none());
    }

    #[test]
    fn wins_are_worth_more_than_any_estimate() {
        let all: Vec<_> = all().collect();
        for position in random_positions(300, 0..60, 4) {
            for (name, evaluation) in &all {
                let win = evaluation.outcome_value(Outcome { margin: 2 });
                assert!(evaluation.value(position.board()).abs() < win, "{name}");
            }
        }
    }

    #[test]
    fn named_squares_have_the_weights_of_the_table() {
        let kinds = Evaluation::by_name("corners+x-squares+c-squares+a-squares+b-squares").unwrap();
        let squares = Evaluation::by_name("squares").unwrap();
        for (name, mask, weight) in KINDS {
            assert!(
                mask.into_iter()
                    .all(|square| SQUARE_WEIGHTS[square.index()] == weight),
                "{name}"
            );
        }
        for position in random_positions(60, 0..60, 6) {
            let inside = !(Bitboard::EDGES | Bitboard::X_SQUARES);
            let rest = position.board().player() & inside;
            let others = position.board().opponent() & inside;
            let difference = linear::square_sum(rest) - linear::square_sum(others);
            let board = position.board();
            assert_eq!(squares.value(board), kinds.value(board) + difference);
        }
    }

    #[test]
    fn document_e_by_hand() {
        let position: Position = "XX-----------O--------------------------------------------------X"
            .parse()
            .unwrap();
        // 2 discs against 1, no own move, no other's; one corner, two stable discs.
        assert_eq!(heuristic_e(position.board()), 1 + 300 + 2);
        assert_eq!(improved_e(position.board(), EdgeDiscs::AsMeant), 303 + 20);
        assert_eq!(improved_e(position.board(), EdgeDiscs::AsWritten), 303 + 20);
    }
}
