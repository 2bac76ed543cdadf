//! Marks of the moves of a game: what a move has lost against the best one, as a review says it.
//!
//! Only searches from the same distance can be compared: both the position after the move that was made and the one after
//! the best move are searched, unless the values of the game are exact and say it themselves.

use super::{Purpose, Session};
use crate::review::{Mark, Value};
use outflank_othello::{Color, Game, Move, Position};
use outflank_search::Verdict;

/// What a move of the game was worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgment {
    /// A better move, or the move itself if none is known.
    pub best: Move,
    /// Discs lost against it.
    pub loss: f64,
    /// Whether the loss is exact, and no estimate.
    pub exact: bool,
}

impl Judgment {
    /// Returns the mark for this loss.
    pub fn mark(&self) -> Mark {
        Mark::of(self.loss)
    }
}

/// What is to be done about a move.
enum Known {
    /// This is what it was worth.
    Judged(Judgment),
    /// The position after it, or after the best move, has to be searched.
    Missing { best: bool },
    /// The values of the game are not known yet.
    Nothing,
}

impl Session {
    /// Returns what each move of the whole game was worth, as far as it is known, with the moves that were taken back.
    ///
    /// Moves are judged while [`Session::fill_values`] asks for it.
    pub fn judgments(&self) -> Vec<Option<Judgment>> {
        let game = self.whole();
        let positions = game.positions();
        (0..game.moves().len())
            .map(|at| match self.known(&game, &positions, at) {
                Known::Judged(judgment) => Some(judgment),
                Known::Missing { .. } | Known::Nothing => None,
            })
            .collect()
    }

    fn known(&self, game: &Game, positions: &[Position], at: usize) -> Known {
        let (mv, position, look) = (game.moves()[at], &positions[at], &self.looks[at]);
        let good = Known::Judged(Judgment {
            best: mv,
            loss: 0.0,
            exact: false,
        });
        if position.legal_moves().len() <= 1 {
            return good;
        }
        let Some(best) = look.best else {
            return Known::Nothing;
        };
        let after = |mv: Move| child(position, mv).map(|child| child.board().canonical().0);
        if best == mv || after(best) == after(mv) {
            return good;
        }
        let [made, preferred, exact] = match (self.values[at], self.values[at + 1]) {
            (Some(before), Some(after))
                if before.verdict == Verdict::Exact && after.verdict == Verdict::Exact =>
            {
                [after.discs, before.discs, 1.0]
            }
            _ => match look.after {
                [None, _] => return Known::Missing { best: false },
                [_, None] => return Known::Missing { best: true },
                [Some(made), Some(best)] => [made.discs, best.discs, 0.0],
            },
        };
        let lost = match position.side() {
            Color::Black => preferred - made,
            Color::White => made - preferred,
        };
        Known::Judged(Judgment {
            best: if lost > 0.0 { best } else { mv },
            loss: lost.max(0.0),
            exact: exact > 0.0,
        })
    }

    /// Returns the next search that a mark needs.
    pub(super) fn judgment_wanted(&self) -> Option<(Purpose, Position)> {
        let game = self.whole();
        let positions = game.positions();
        (0..game.moves().len()).find_map(|at| match self.known(&game, &positions, at) {
            Known::Missing { best } => {
                let mv = if best {
                    self.looks[at].best?
                } else {
                    game.moves()[at]
                };
                Some((Purpose::Judge { moves: at, best }, child(&positions[at], mv)?))
            }
            Known::Judged(_) | Known::Nothing => None,
        })
    }

    /// Notes what a search says of the position after a move.
    pub(super) fn note_look(&mut self, at: usize, best: bool, position: &Position, value: Value) {
        let game = self.whole();
        let wanted = if best {
            self.looks.get(at).and_then(|look| look.best)
        } else {
            game.moves().get(at).copied()
        };
        let reached = game
            .positions()
            .get(at)
            .zip(wanted)
            .and_then(|(from, mv)| child(from, mv));
        if reached.as_ref() == Some(position) {
            self.looks[at].after[usize::from(best)] = Some(value);
        }
    }
}

fn child(position: &Position, mv: Move) -> Option<Position> {
    let mut child = *position;
    child.play(mv).ok().map(|()| child)
}

#[cfg(test)]
mod tests;
