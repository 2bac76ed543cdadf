//! What a book says about the positions of a game, and how far the searches beside it must look.
//!
//! A value of a book and one of a short search differ by more than the moves between them. So that the graph of a game has no
//! jump where it leaves the book, the position behind the last one has the book's value, too, where the book has the move that
//! was made, and the searched positions next to the book's are searched as far as the book's own searches looked.

use super::Value;
use crate::opening::verdict;
use outflank_book::{Continuation, Look, Move as BookMove, View, continuation};
use outflank_eval::Score;
use outflank_othello::{Board, Game, Move, Position};
use outflank_othello_engine::Strength;
use outflank_search::{Level, Origin};

/// The greatest depth of a search for the sake of a book beside it.
const MOST_DEPTH: u32 = 24;

/// What a book says about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    /// For the side to move.
    pub(super) value: Value,
    /// A best move; `None` where the book ends.
    pub(super) best: Option<Move>,
    /// How far the search looked from which the value comes, where it was a search.
    pub(super) searched: Option<u32>,
}

impl Known {
    /// Returns what follows for the position from a move of it, if it is worth as much as a search of `level`.
    fn of_move(book: &dyn Look, board: Board, mv: &BookMove, level: Level) -> Option<Self> {
        let Continuation {
            moves,
            depth,
            searched,
        } = continuation(book, board, mv)?;
        let proved = mv.derived.is_proved();
        let value = Value {
            discs: Score::saturating(mv.units()?).discs() + 0.0,
            verdict: verdict(proved, depth),
            origin: Origin::Book,
        };
        (proved || depth >= Strength::of(level).depth()).then(|| Self {
            value,
            best: moves.first().copied(),
            searched,
        })
    }

    /// Returns what the book says about a position, if that is worth as much as a search of `level`.
    ///
    /// A book that cannot be read is none.
    pub(super) fn of(book: &dyn Look, position: &Position, level: Level) -> Option<Self> {
        let board = position.board();
        let view = View::of(book, board).ok()??;
        let able = if view.passed { board.passed() } else { board };
        let best = view.moves.first().filter(|mv| mv.derived.value.is_some())?;
        let known = Self::of_move(book, able, best, level)?;
        Some(if view.passed {
            Self {
                best: Some(Move::Pass),
                ..known.for_the_other()
            }
        } else {
            known
        })
    }

    /// The same value for the other side; the best move is another.
    fn for_the_other(self) -> Self {
        Self {
            value: super::search::negated(self.value),
            best: None,
            ..self
        }
    }
}

/// Returns what the book says about every position of a game.
pub(super) fn known(
    book: &dyn Look,
    game: &Game,
    positions: &[Position],
    level: Level,
) -> Vec<Option<Known>> {
    let mut found: Vec<Option<Known>> = Vec::with_capacity(positions.len());
    for (at, position) in positions.iter().enumerate() {
        let known = Known::of(book, position, level).or_else(|| {
            // Where the book ends, it still says what the last move is worth.
            let before = at.checked_sub(1)?;
            found[before]?.best?;
            let board = positions[before].board();
            let view = View::of(book, board).ok()?.filter(|view| !view.passed)?;
            let mv = view.find(game.moves()[before].square()?)?;
            // In the orientation of the game, of which the book may have an image.
            let mv = BookMove {
                square: game.moves()[before].square()?,
                ..*mv
            };
            Some(Known::of_move(book, board, &mv, level)?.for_the_other())
        });
        found.push(known);
    }
    found
}

/// Returns how each position of a game is searched; `None` where the book says everything.
pub(super) fn levels(known: &[Option<Known>], level: Level) -> Vec<Option<Level>> {
    let searched = |at: usize| known.get(at).and_then(|known| known.as_ref()?.searched);
    let wanted = |at: usize| {
        if known[at].is_some_and(|known| known.best.is_some()) {
            return None;
        }
        let beside = [
            at.checked_sub(1).and_then(searched),
            searched(at),
            searched(at + 1),
        ];
        let depth = beside.into_iter().flatten().max().unwrap_or(0).min(MOST_DEPTH);
        let deeper = Level::new(depth.max(1))
            .ok()
            .filter(|deeper| Strength::of(*deeper).depth() > Strength::of(level).depth());
        Some(deeper.unwrap_or(level))
    };
    (0..known.len()).map(wanted).collect()
}
