//! What a game of Gomoku wants searched, and what becomes of the answers.

use super::{Hint, Known, Search, Session, Turn};
use crate::play::{Purpose, search::weight};
use outflank_gomoku::{Board, Color};
use outflank_gomoku_engine::{Line, Progress, Value};
use outflank_search::{GameClock, Level, Limits, Request, Verdict};

/// The least level of a hint: advice from a weak engine helps nobody.
const HINT_LEVEL: u32 = 16;
/// The level at which positions are valued for the graph.
const VALUE_LEVEL: u32 = 10;

impl Session {
    /// Asks for a hint: the values of the `lines` best moves.
    ///
    /// Returns whether there is anything to advise: not where there is no choice.
    pub fn ask_hint(&mut self, lines: usize) -> bool {
        let choice = matches!(self.turn(), Turn::Choose(_) | Turn::Paused(_));
        if !choice || lines == 0 {
            return false;
        }
        let lines = lines.min(self.board.n_empty());
        if self.hint().is_none_or(|hint| hint.wanted() != lines) {
            self.hint = Some(Hint::new(self.board.clone(), lines));
        }
        true
    }

    /// Forgets the hint, and ends its search.
    pub fn drop_hint(&mut self) {
        self.hint = None;
    }

    /// Returns the hint for the position on the board, if one was asked for.
    pub fn hint(&self) -> Option<&Hint> {
        self.hint.as_ref().filter(|hint| hint.is_for(&self.board))
    }

    /// Returns the search that the game wants now: the engine's move, else a hint, else a value for the graph.
    pub fn wanted(&self, now: std::time::Duration) -> Option<Search> {
        let (purpose, board) = self.question()?;
        let options = &self.options;
        let is_human = options.level.as_human().is_some();
        let side = board.side();
        let level = |number: u32| Level::new(number).unwrap_or(options.level);
        let mut request = Request::new(board);
        request.limits.level = Some(match purpose {
            Purpose::Move => options.level,
            Purpose::Hint { .. } => level(options.level.number().max(HINT_LEVEL)),
            Purpose::Value { .. } | Purpose::Judge { .. } => level(VALUE_LEVEL),
        });
        if let Purpose::Hint { lines } = purpose {
            request.lines = lines;
        }
        // What is played may come from a book, what is said comes from searches.
        request.may_use_book = purpose == Purpose::Move;
        if let (Some(time), Purpose::Move | Purpose::Hint { .. }, false) =
            (options.move_time, purpose, is_human)
        {
            request.limits = Limits {
                time: Some(time),
                ..Limits::default()
            };
        }
        if purpose == Purpose::Move
            && let Some(clock) = options.clock
        {
            request.limits.clock = self.time_left(side, now).map(|remaining| GameClock {
                remaining,
                increment: clock.increment,
            });
        }
        Some(Search { purpose, request })
    }

    /// What is to be searched, and what for.
    fn question(&self) -> Option<(Purpose, Board)> {
        if matches!(self.turn(), Turn::Think(_)) {
            return Some((Purpose::Move, self.board.clone()));
        }
        if let Some(hint) = self.hint().filter(|hint| !hint.is_complete()) {
            return Some((Purpose::Hint { lines: hint.wanted() }, self.board.clone()));
        }
        if !self.fill_values {
            return None;
        }
        let moves = self.values.iter().position(Option::is_none)?;
        Some((Purpose::Value { moves }, self.after(moves)?))
    }

    /// Returns the position after so many moves of the whole game.
    fn after(&self, moves: usize) -> Option<Board> {
        let mut board = self.start.clone();
        for point in self.all_moves().get(..moves)? {
            board.play(*point).ok()?;
        }
        Some(board)
    }

    /// Returns whether the game still waits for this search; if not, it should be stopped.
    pub fn asks(&self, search: &Search) -> bool {
        self.question()
            .is_some_and(|(purpose, board)| purpose == search.purpose && board == search.request.position)
    }

    /// Takes news of a running search.
    pub fn news(&mut self, search: &Search, news: &Progress) {
        if matches!(search.purpose, Purpose::Hint { .. })
            && self.asks(search)
            && let Some(hint) = &mut self.hint
        {
            hint.news(news);
        }
    }

    /// Notes what a search says of the position that was searched.
    pub(super) fn note_value(&mut self, search: &Search, best: &Line) {
        if best.verdict == Verdict::Aborted {
            return;
        }
        let at = match search.purpose {
            Purpose::Value { moves } | Purpose::Judge { moves, .. } => moves,
            Purpose::Move | Purpose::Hint { .. } => self.moves.len(),
        };
        if self.after(at).as_ref() != Some(&search.request.position) {
            return;
        }
        let known = Known {
            value: for_black(best.value, search.request.position.side()),
            verdict: best.verdict,
        };
        if self.values[at].is_none_or(|before| weight(known.verdict) >= weight(before.verdict)) {
            self.values[at] = Some(known);
        }
    }
}

/// Returns the value for black of what it is for `side`.
fn for_black(value: Value, side: Color) -> Value {
    match (side, value) {
        (Color::Black, value) => value,
        (Color::White, Value::Win(stones)) => Value::Loss(stones),
        (Color::White, Value::Loss(stones)) => Value::Win(stones),
        (Color::White, Value::Estimate(score)) => Value::Estimate(-score),
    }
}
