//! What a book expects to follow a move.

use crate::{Fact, From, Kind, Look, Move, Place, View};
use outflank_othello::{Board, Move as Placed};

/// What a book expects to follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// A move and what follows it, passes included.
    pub moves: Vec<Placed>,
    /// How far the value of the move looks ahead: to the end of the line, and as much further as the search there looked.
    pub depth: u32,
    /// How far that search looked; `None` where the value is no search's.
    pub searched: Option<u32>,
}

/// Returns a move with what the book expects to follow; `None` if it has no value for it, or cannot be read.
pub fn continuation(book: &dyn Look, board: Board, mv: &Move) -> Option<Continuation> {
    let line = |moves, depth: u32, searched| {
        Some(Continuation {
            moves,
            depth: depth.min(60),
            searched,
        })
    };
    let mut board = board;
    let (mut moves, mut mv, mut placed) = (Vec::new(), *mv, 0);
    loop {
        moves.push(Placed::Place(mv.square));
        board = board.play(mv.square.into()).ok()?;
        placed += 1;
        let fact = match mv.from {
            From::Next => None,
            From::Fact => mv.fact,
            From::End => return line(moves, placed, None),
            From::Nothing => return None,
        };
        if let Some(Fact { worth, .. }) = fact {
            // What a person or somebody else says counts like any search.
            return match worth.kind() {
                Kind::Manual | Kind::Claimed => line(moves, 60, None),
                _ => line(moves, placed - 1 + worth.depth(), Some(worth.depth())),
            };
        }
        if let Place::Node { passed: true, .. } = Place::of(board) {
            moves.push(Placed::Pass);
            board = board.passed();
        }
        let view = View::of(book, board).ok()??;
        let Some(best) = view.moves.first().filter(|mv| mv.derived.value.is_some()) else {
            let own = view.entry.own()?;
            return line(moves, placed + own.worth.depth(), Some(own.worth.depth()));
        };
        mv = *best;
    }
}
