//! An engine that looks into a book before it thinks.

use super::OpeningBook;
use outflank_book::{Continuation, SharedBook, continuation};
use outflank_eval::Score;
use outflank_game::SplitMix64;
use outflank_othello::{Move, Position};
use outflank_othello_engine::{Line, Outcome, Progress, Request, Strength};
use outflank_search::{Engine, Goal, Origin, Stage, StopToken, Verdict};
use std::{fmt, time::Duration};

/// How far a book's value must look ahead where a request does not say how far to look.
const LEAST_DEPTH: u32 = 14;

/// An engine with a book: where the book has a move that is worth as much as the search that was asked for, it is played at
/// once; everywhere else the engine thinks, and never hears of the book.
///
/// Only requests for one move are answered from the book, and none of a level that errs as people do.
pub struct Booked<E> {
    engine: E,
    book: SharedBook,
    opening: OpeningBook,
    random: SplitMix64,
    /// Discs on the board when the book was last used, and what its moves have lost in this game.
    discs: u32,
    lost: i32,
}

impl<E> fmt::Debug for Booked<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Booked")
            .field("opening", &self.opening)
            .finish_non_exhaustive()
    }
}

impl<E> Booked<E> {
    /// Returns `engine` with a book, if there is one; `seed` decides where a move is drawn.
    pub fn new(engine: E, book: SharedBook, opening: OpeningBook, seed: u64) -> Self {
        Self {
            engine,
            book,
            opening,
            random: SplitMix64::new(seed),
            discs: 0,
            lost: 0,
        }
    }

    /// Returns `engine` without a book.
    pub fn without(engine: E) -> Self {
        Self::new(engine, SharedBook::default(), OpeningBook::default(), 0)
    }

    /// Returns the engine.
    pub const fn engine(&self) -> &E {
        &self.engine
    }

    /// Returns the answer of the book, if it has one that will do.
    fn answer(&mut self, request: &Request) -> Option<Line> {
        let one_move = request.may_use_book
            && request.goal == Goal::Best
            && request.lines == 1
            && request.within.is_none()
            && request.excluded.is_empty()
            && request
                .limits
                .level
                .is_none_or(|level| level.as_human().is_none());
        let limits = &request.limits;
        let is_limited = limits.depth.is_some()
            || limits.level.is_some()
            || limits.time.is_some()
            || limits.clock.is_some()
            || limits.nodes.is_some();
        let board = request.position.board();
        let book = self.book.to_play().filter(|_| one_move && is_limited)?;
        let book = book.as_ref();
        let discs = board.occupied().count();
        // A game that went back, or another one.
        if discs < self.discs {
            self.lost = 0;
        }
        // A book that cannot be read is none: the engine thinks.
        let chosen = self
            .opening
            .choose(book, board, self.lost, self.random.next_u64())
            .ok()??;
        let Continuation { moves, depth, .. } = continuation(book, board, &chosen.mv)?;
        let wanted = limits
            .depth
            .max(limits.level.map(|level| Strength::of(level).depth()));
        let proved = chosen.mv.derived.is_proved();
        if !proved && depth < wanted.unwrap_or(LEAST_DEPTH) {
            return None;
        }
        self.discs = discs;
        self.lost += chosen.loss.max(0);
        let verdict = verdict(proved, depth);
        Some(Line {
            moves,
            value: Score::saturating(chosen.mv.units()?),
            verdict,
            origin: Origin::Book,
        })
    }
}

/// Returns what the value of a book's move is worth that looks `depth` discs ahead.
pub(crate) const fn verdict(is_proved: bool, depth: u32) -> Verdict {
    if is_proved {
        Verdict::Exact
    } else {
        Verdict::Estimate {
            depth,
            confidence: 73,
        }
    }
}

impl<E: Engine<Game = Position, Value = Score>> Engine for Booked<E> {
    type Game = Position;
    type Value = Score;

    fn search(
        &mut self,
        request: &Request,
        stop: &StopToken,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Outcome {
        let Some(line) = self.answer(request) else {
            return self.engine.search(request, stop, on_progress);
        };
        let stage = Stage {
            depth: line.verdict.depth().unwrap_or(0),
            confidence: 73,
            to_end: line.verdict == Verdict::Exact,
        };
        on_progress(&Progress {
            rank: 0,
            line: line.clone(),
            stage,
            nodes: 1,
            elapsed: Duration::ZERO,
        });
        Outcome {
            lines: vec![line],
            rest: None,
            nodes: 1,
            elapsed: Duration::ZERO,
            complete: true,
        }
    }

    fn clear(&mut self) {
        self.lost = 0;
        self.engine.clear();
    }

    fn reseed(&mut self, seed: u64) {
        self.random = SplitMix64::new(seed);
        self.engine.reseed(seed);
    }

    fn suggest(&mut self, position: &Position, line: &[Move]) {
        self.engine.suggest(position, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_book::{Book, Fact, Kind, Slot, UNITS, Worked, Worth};
    use outflank_othello::{Board, Square};
    use outflank_search::Level;
    use std::sync::Arc;

    /// An engine that counts how often it was asked.
    #[derive(Default)]
    struct Counting(u32);

    impl Engine for Counting {
        type Game = Position;
        type Value = Score;

        fn search(&mut self, request: &Request, _: &StopToken, _: &mut dyn FnMut(&Progress)) -> Outcome {
            self.0 += 1;
            let moves = request.position.legal_moves();
            Outcome {
                lines: vec![Line::searched(vec![moves[0]], Score::ZERO, Verdict::Aborted)],
                rest: None,
                nodes: 1,
                elapsed: Duration::ZERO,
                complete: true,
            }
        }

        fn clear(&mut self) {}
    }

    fn booked() -> Booked<Counting> {
        let mut book = Book::new();
        let source = book.source("test").expect("room");
        let start = Board::start();
        let after = start.play(Square::F5.into()).expect("legal");
        book.add_position(start).expect("a move");
        let worth = Worth::new(Kind::Estimate, 10, 73);
        book.add(after, Slot::Move(Square::F6), Fact::new(UNITS, worth, source))
            .expect("legal");
        Booked::new(
            Counting::default(),
            SharedBook::new(Some(Arc::new(Worked::new(book)))),
            OpeningBook::default(),
            1,
        )
    }

    #[test]
    fn the_book_answers_where_it_is_worth_as_much() {
        let mut engine = booked();
        let stop = StopToken::new();
        let start = || Request::new(Position::start());
        let mut ask = |request: Request| {
            let mut news = 0;
            let outcome = engine.search(&request, &stop, &mut |_| news += 1);
            (outcome, engine.engine().0)
        };
        // One disc to the next position, ten from there.
        let (outcome, asked) = ask(start().depth(11));
        assert_eq!((outcome.best().origin, asked), (Origin::Book, 0));
        assert_eq!(outcome.best().moves.len(), 2);
        assert_eq!(outcome.best().value.units(), -UNITS);
        assert_eq!(outcome.best().verdict.depth(), Some(11));
        assert_eq!(ask(start().depth(12)).1, 1, "deeper than the book");
        assert_eq!(ask(start().level(Level::new(4).expect("a level"))).1, 1);
        assert_eq!(
            ask(start().level(Level::human(3).expect("a level"))).1,
            2,
            "as people err"
        );
        assert_eq!(ask(start()).1, 3, "without a limit");
        assert_eq!(ask(start().depth(5).lines(2)).1, 4, "more than one move");
        assert_eq!(ask(start().exact()).1, 5, "a proof");
        let mut other = Position::start();
        other.play(Square::F5.into()).expect("legal");
        other.play(Square::F4.into()).expect("legal");
        assert_eq!(ask(Request::new(other).depth(1)).1, 6, "not in the book");
    }
}
