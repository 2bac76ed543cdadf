//! What the game wants searched, and what becomes of the answers.

use super::{Session, Turn};
use crate::review::Value;
use outflank_othello::{Color, Position};
use outflank_othello_engine::{Line, Outcome, Progress, Request};
use outflank_search::{GameClock, Level, Limits, Verdict};
use std::time::Duration;

/// The least level of a hint: advice from a weak engine helps nobody.
const HINT_LEVEL: u32 = 10;
/// The greatest level at which positions are valued for the graph.
const VALUE_LEVEL: u32 = 8;
/// The level at which moves are judged.
const JUDGE_LEVEL: u32 = 8;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The engine's move.
    Move,
    /// A hint of this many moves.
    Hint {
        /// Moves to value.
        lines: usize,
    },
    /// The value of an earlier position, for the graph.
    Value {
        /// Moves made before it.
        moves: usize,
    },
    /// The position after a move of the game, or after the one that was best, to judge the move.
    Judge {
        /// Moves made before it.
        moves: usize,
        /// Whether the best move is looked at instead of the one that was made.
        best: bool,
    },
}

/// A search that the game wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// What it is for.
    pub purpose: Purpose,
    /// What is asked of the engine.
    pub request: Request,
}

/// The values of the best moves of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    position: Position,
    wanted: usize,
    lines: Vec<Line>,
    complete: bool,
}

impl Hint {
    /// Returns what is known, the best move first; fewer than wanted while the search runs.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Returns whether the search has ended.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Takes a line of the running search.
    fn news(&mut self, news: &Progress) {
        // A move that changed its place must not stand twice.
        self.lines
            .retain(|line| line.moves.first() != news.line.moves.first());
        let at = news.rank.min(self.lines.len());
        self.lines.insert(at, news.line.clone());
        self.lines.truncate(self.wanted);
    }

    pub(super) fn finish(&mut self, outcome: &Outcome) {
        self.lines.clone_from(&outcome.lines);
        self.complete = true;
    }
}

impl Session {
    /// Asks for a hint: the values of the `lines` best moves.
    ///
    /// Returns whether there is anything to advise: not where there is no choice.
    pub fn ask_hint(&mut self, lines: usize) -> bool {
        let position = *self.game.position();
        let choice =
            matches!(self.turn(), Turn::Choose(_) | Turn::Paused(_)) && !position.board().must_pass();
        if !choice || lines == 0 {
            return false;
        }
        let lines = lines.min(position.legal_moves().len());
        if self.hint().is_none_or(|hint| hint.wanted != lines) {
            self.hint = Some(Hint {
                position,
                wanted: lines,
                lines: Vec::new(),
                complete: false,
            });
        }
        true
    }

    /// Forgets the hint, and ends its search.
    pub fn drop_hint(&mut self) {
        self.hint = None;
    }

    /// Returns the hint for the position on the board, if one was asked for.
    pub fn hint(&self) -> Option<&Hint> {
        let hint = self.hint.as_ref()?;
        (hint.position == *self.game.position()).then_some(hint)
    }

    /// Returns the search that the game wants now: the engine's move, else a hint, else a value for the graph.
    pub fn wanted(&self, now: Duration) -> Option<Search> {
        let (purpose, position) = self.question()?;
        let options = &self.options;
        let level = |number: u32| Request::new(position).level(Level::new(number).unwrap_or(options.level));
        let mut request = match purpose {
            Purpose::Move => Request::new(position).level(options.level),
            Purpose::Hint { lines } => level(options.level.number().max(HINT_LEVEL)).lines(lines),
            Purpose::Value { .. } => level(options.level.number().min(VALUE_LEVEL)),
            Purpose::Judge { .. } => level(JUDGE_LEVEL),
        };
        // Values are compared with one another: what is played may come from a book, what is said comes from searches.
        request.may_use_book = purpose == Purpose::Move;
        if let (Some(time), Purpose::Move | Purpose::Hint { .. }) = (options.move_time, purpose) {
            request.limits = Limits {
                time: Some(time),
                ..Limits::default()
            };
        }
        if purpose == Purpose::Move
            && let Some(clock) = options.clock
        {
            request.limits.clock = self.time_left(position.side(), now).map(|remaining| GameClock {
                remaining,
                increment: clock.increment,
            });
        }
        Some(Search { purpose, request })
    }

    /// What is to be searched, and what for.
    fn question(&self) -> Option<(Purpose, Position)> {
        let position = *self.game.position();
        if matches!(self.turn(), Turn::Think(_)) {
            return Some((Purpose::Move, position));
        }
        if let Some(hint) = self.hint().filter(|hint| !hint.complete) {
            return Some((Purpose::Hint { lines: hint.wanted }, position));
        }
        if !self.fill_values {
            return None;
        }
        let Some(moves) = self.values.iter().position(Option::is_none) else {
            return self.judgment_wanted();
        };
        let position = *self.whole().positions().get(moves)?;
        Some((Purpose::Value { moves }, position))
    }

    /// Returns whether the game still waits for this search; if not, it should be stopped.
    pub fn asks(&self, search: &Search) -> bool {
        self.question() == Some((search.purpose, search.request.position))
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
            Purpose::Move | Purpose::Hint { .. } => self.game.moves().len(),
        };
        let discs = best.value.discs();
        let value = Value {
            // Adding zero turns −0 into 0.
            discs: if search.request.position.side() == Color::Black {
                discs
            } else {
                -discs
            } + 0.0,
            verdict: best.verdict,
            origin: best.origin,
        };
        if let Purpose::Judge { best, .. } = search.purpose {
            self.note_look(at, best, &search.request.position, value);
        } else if self.whole().positions().get(at) == Some(&search.request.position)
            && self.values[at].is_none_or(|known| weight(value.verdict) >= weight(known.verdict))
        {
            self.values[at] = Some(value);
            self.looks[at].prefer(best.moves.first().copied());
        }
    }
}

/// How much a value is worth: an exact one is never replaced by an estimate, nor a deep one by a shallow one.
const fn weight(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Exact => 100_000,
        Verdict::Estimate { depth, confidence } => depth * 101 + confidence as u32,
        // Who wins says little of how many discs.
        Verdict::WinLossDraw | Verdict::AtLeast | Verdict::AtMost => 1,
        Verdict::Aborted => 0,
    }
}
