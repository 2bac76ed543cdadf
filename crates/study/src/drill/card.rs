//! What is asked, and whether an answer is right.

use crate::{names, puzzle::Puzzle, tree::Prepared};
use outflank_eval::fnv1a;
use outflank_othello::{Color, Position, Square};

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Card {
    /// Find the best move.
    Puzzle(Puzzle),
    /// Find a move of the repertoire.
    Opening(Prepared),
}

/// What an answer is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Whether it is right.
    pub right: bool,
    /// Discs lost, where that is known.
    pub loss: Option<i32>,
    /// The right answers, the main one first.
    pub best: Vec<Square>,
    /// How the game goes on, or what the repertoire says about it.
    pub remark: String,
}

impl Card {
    /// Returns the name under which answers are kept; all images of a position have the same.
    pub fn id(&self) -> String {
        match self {
            Self::Puzzle(puzzle) => format!("puzzle-{}", puzzle.id()),
            Self::Opening(prepared) => {
                let position = &prepared.position;
                let (board, _) = position.board().canonical();
                let mut bytes = board.player().bits().to_le_bytes().to_vec();
                bytes.extend(board.opponent().bits().to_le_bytes());
                let side = if position.side() == Color::Black {
                    "black"
                } else {
                    "white"
                };
                format!("opening-{side}-{:016x}", fnv1a(&bytes))
            }
        }
    }

    /// Returns the position.
    pub const fn position(&self) -> &Position {
        match self {
            Self::Puzzle(puzzle) => &puzzle.position,
            Self::Opening(prepared) => &prepared.position,
        }
    }

    /// Returns what is said of the position beside the board.
    pub fn hint(&self) -> String {
        match self {
            Self::Puzzle(puzzle) => format!("{} empties, from {}", puzzle.empties(), puzzle.source),
            Self::Opening(prepared) => {
                let name = names::of_position(&prepared.position);
                let name = name.map(|name| format!(", {name}")).unwrap_or_default();
                let line = if prepared.line.is_empty() {
                    "the start"
                } else {
                    &prepared.line
                };
                format!("{line}{name}")
            }
        }
    }

    /// Returns what an answer is worth; `None` if it is no legal move.
    pub fn judge(&self, answer: Square) -> Option<Judged> {
        if !self.position().board().legal_moves().contains(answer) {
            return None;
        }
        let mut judged = self.solution();
        judged.right = judged.best.contains(&answer);
        judged.loss = match self {
            Self::Puzzle(puzzle) => puzzle.loss(answer),
            Self::Opening(_) => None,
        };
        Some(judged)
    }

    /// Returns the right answers, as for somebody who has given up.
    pub fn solution(&self) -> Judged {
        let (best, remark) = match self {
            Self::Puzzle(puzzle) => {
                let steps = puzzle.line.iter();
                let steps = steps.map(|step| format!("{}{}", step.mv, if step.only { "!" } else { "" }));
                let line = steps.collect::<Vec<_>>().join(" ");
                (vec![puzzle.best()], format!("{:+}: {line}", puzzle.value()))
            }
            Self::Opening(prepared) => (prepared.answers.clone(), prepared.comment.clone()),
        };
        Judged {
            right: false,
            loss: None,
            best,
            remark,
        }
    }
}
