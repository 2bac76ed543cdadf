//! Which move of a book to play.

mod booked;

pub use booked::Booked;
pub(crate) use booked::verdict;

use outflank_book::{FileError, Look, Move, UNITS, View};
use outflank_othello::Board;

/// How a move is chosen among those that a book has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The best one; of equals the one that was played most.
    #[default]
    Best,
    /// Any that loses at most so many units, all alike.
    Random(i32),
    /// As often as people play it in games, among those that lose at most so many units; where no games are counted, the
    /// best.
    Human(i32),
}

/// From which positions a book is used at all, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningBook {
    /// How a move is chosen.
    pub choice: Choice,
    /// What all chosen moves of a game may lose together, in units.
    pub total: i32,
    /// Discs from which on the book is no longer used.
    pub until: u32,
}

impl Default for OpeningBook {
    fn default() -> Self {
        Self {
            choice: Choice::Best,
            total: 4 * UNITS,
            until: 64,
        }
    }
}

/// A move from a book.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The move, in the orientation of the board.
    pub mv: Move,
    /// What it gives away, in units.
    pub loss: i32,
    /// The position as the book sees it.
    pub view: View,
}

/// Reads a number of discs, in units of a book.
///
/// # Errors
///
/// Says that it is none.
pub fn parse_discs(text: &str) -> Result<i32, String> {
    match text.parse::<f64>() {
        Ok(discs) if (0.0..=128.0).contains(&discs) => Ok((discs * f64::from(UNITS)).round() as i32),
        _ => Err(format!("{text:?}: expected discs, 0 to 128")),
    }
}

impl OpeningBook {
    /// Returns a use that draws among the moves which lose at most `random` units, or as often as people play among those
    /// that lose at most `human`; the best moves if neither is given.
    pub fn choosing(random: Option<i32>, human: Option<i32>) -> Self {
        let choice = match (random, human) {
            (Some(most), _) => Choice::Random(most),
            (None, Some(most)) => Choice::Human(most),
            (None, None) => Choice::Best,
        };
        Self {
            choice,
            ..Self::default()
        }
    }

    /// Returns a move for `board` from the book, or `None` if it has none that may be played. `lost` is what the moves that
    /// were chosen before have lost, and `random` a number that decides where something is drawn.
    ///
    /// A move that is proved to lose is never chosen while another is not.
    ///
    /// # Errors
    ///
    /// The book cannot be read.
    pub fn choose(
        &self,
        book: &dyn Look,
        board: Board,
        lost: i32,
        random: u64,
    ) -> Result<Option<Chosen>, FileError> {
        if board.occupied().count() >= self.until || board.legal_moves().is_empty() {
            return Ok(None);
        }
        let Some(view) = View::of(book, board)? else {
            return Ok(None);
        };
        let most = match self.choice {
            Choice::Best => 0,
            Choice::Random(most) | Choice::Human(most) => most.min(self.total - lost).max(0),
        };
        let not_lost = |mv: &Move| mv.derived.proved_high >= 0;
        let any_not_lost = view
            .moves
            .iter()
            .any(|mv| mv.derived.value.is_some() && not_lost(mv));
        // A book that only counts games has no value for any move: how often they were played is all there is.
        let candidates: Vec<(Move, i32)> = view
            .moves
            .iter()
            .filter_map(|mv| Some((*mv, view.loss(mv)?)))
            .filter(|(mv, loss)| *loss <= most && (!any_not_lost || not_lost(mv)))
            .collect();
        let best = candidates.iter().max_by_key(|(mv, loss)| {
            (
                std::cmp::Reverse(*loss),
                mv.count.games,
                std::cmp::Reverse(mv.square),
            )
        });
        let games: u64 = candidates.iter().map(|(mv, _)| u64::from(mv.count.games)).sum();
        let pick = match self.choice {
            Choice::Random(_) if !candidates.is_empty() => {
                candidates.get((random % candidates.len() as u64) as usize)
            }
            Choice::Human(_) if games > 0 => {
                let mut left = random % games;
                candidates.iter().find(|(mv, _)| {
                    let games = u64::from(mv.count.games);
                    let found = left < games;
                    left = left.saturating_sub(games);
                    found
                })
            }
            _ => best,
        };
        Ok(pick.map(|&(mv, loss)| Chosen { mv, loss, view }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_book::{Book, Count, Fact, Kind, Slot, Worked, Worth};
    use outflank_othello::Square;

    /// Three answers to f5: the best one, one that loses a disc and is played most, and one that is proved to lose.
    fn book() -> (Worked, Board) {
        let board = Board::start().play(Square::F5.into()).expect("legal");
        let mut book = Book::new();
        let source = book.source("test").expect("room");
        let mut add = |square, units, worth, games| {
            let fact = Fact::new(units, worth, source);
            book.add(board, Slot::Move(square), fact).expect("legal");
            let count = Count { games, mean: 0 };
            book.add_count(board, square, count).expect("legal");
        };
        let estimate = Worth::new(Kind::Estimate, 18, 73);
        add(Square::D6, 0, estimate, 10);
        add(Square::F6, -UNITS, estimate, 90);
        add(Square::F4, -2 * UNITS, Worth::EXACT, 1000);
        (Worked::new(book), board)
    }

    fn drawn(choice: Choice, lost: i32) -> Vec<(Square, usize)> {
        let (book, board) = book();
        let opening = OpeningBook {
            choice,
            ..OpeningBook::default()
        };
        let mut drawn = std::collections::BTreeMap::<Square, usize>::new();
        for random in 0..100 {
            let chosen = opening.choose(&book, board, lost, random).expect("memory");
            *drawn.entry(chosen.expect("a move").mv.square).or_default() += 1;
        }
        drawn.into_iter().collect()
    }

    #[test]
    fn choices_keep_their_limits() {
        assert_eq!(drawn(Choice::Best, 0), [(Square::D6, 100)]);
        assert_eq!(drawn(Choice::Random(UNITS / 2), 0), [(Square::D6, 100)]);
        assert_eq!(
            drawn(Choice::Random(UNITS), 0),
            [(Square::D6, 50), (Square::F6, 50)]
        );
        // What is proved to lose is left alone, however often it is played.
        assert_eq!(
            drawn(Choice::Random(9 * UNITS), 0),
            [(Square::D6, 50), (Square::F6, 50)]
        );
        assert_eq!(
            drawn(Choice::Human(9 * UNITS), 0),
            [(Square::D6, 10), (Square::F6, 90)]
        );
        // A game that has lost enough goes on with the best moves.
        assert_eq!(drawn(Choice::Random(UNITS), 4 * UNITS), [(Square::D6, 100)]);
    }

    #[test]
    fn a_book_ends() {
        let (book, board) = book();
        let opening = OpeningBook {
            until: 5,
            ..OpeningBook::default()
        };
        assert_eq!(opening.choose(&book, board, 0, 0).expect("memory"), None);
        let other = Board::start();
        assert_eq!(
            OpeningBook::default().choose(&book, other, 0, 0).expect("memory"),
            None
        );
    }
}
