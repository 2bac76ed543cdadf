//! What the game wants searched, and what becomes of the answers.

use super::{Session, Turn};
use crate::review::Value;
use outflank_eval::Score;
use outflank_game::GameState;
use outflank_othello::{Color, Move, Position};
use outflank_othello_engine::{Line, Progress};
use outflank_search::{GameClock, Level, Limits, Request, Verdict};
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

/// A search that the game wants, of a game whose positions are of type `G`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search<G: GameState = Position> {
    /// What it is for.
    pub purpose: Purpose,
    /// What is asked of the engine.
    pub request: Request<G>,
}

/// The values of the best moves of a position, in a game with positions, moves and values of these types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint<G = Position, M = Move, V = Score> {
    position: G,
    wanted: usize,
    lines: Vec<outflank_search::Line<M, V>>,
    complete: bool,
}

impl<G: PartialEq, M: Clone + PartialEq, V: Clone> Hint<G, M, V> {
    /// Returns a hint of `wanted` moves that is still to be searched.
    pub(super) const fn new(position: G, wanted: usize) -> Self {
        Self {
            position,
            wanted,
            lines: Vec::new(),
            complete: false,
        }
    }

    /// Returns what is known, the best move first; fewer than wanted while the search runs.
    pub fn lines(&self) -> &[outflank_search::Line<M, V>] {
        &self.lines
    }

    /// Returns whether the search has ended.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns how many moves are wanted.
    pub(super) const fn wanted(&self) -> usize {
        self.wanted
    }

    /// Returns whether it is for this position.
    pub(super) fn is_for(&self, position: &G) -> bool {
        self.position == *position
    }

    /// Takes a line of the running search.
    pub(super) fn news(&mut self, news: &outflank_search::Progress<M, V>) {
        // A move that changed its place must not stand twice.
        self.lines
            .retain(|line| line.moves.first() != news.line.moves.first());
        let at = news.rank.min(self.lines.len());
        self.lines.insert(at, news.line.clone());
        self.lines.truncate(self.wanted);
    }

    pub(super) fn finish(&mut self, outcome: &outflank_search::Outcome<M, V>) {
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
        if self.hint().is_none_or(|hint| hint.wanted() != lines) {
            self.hint = Some(Hint::new(position, lines));
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
        hint.is_for(self.game.position()).then_some(hint)
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
        if let Some(hint) = self.hint().filter(|hint| !hint.is_complete()) {
            return Some((Purpose::Hint { lines: hint.wanted() }, position));
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
pub(super) const fn weight(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Exact => 100_000,
        Verdict::Estimate { depth, confidence } => depth * 101 + confidence as u32,
        // Who wins says little of how many discs.
        Verdict::WinLossDraw | Verdict::AtLeast | Verdict::AtMost => 1,
        Verdict::Aborted => 0,
    }
}
