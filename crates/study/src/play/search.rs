//! What the game wants searched, and what becomes of the answers.

use super::{GameSession, MoveOf, Played, Turn};
use outflank_game::GameState;
use outflank_othello::Position;
use outflank_search::{GameClock, Level, Limits, Line, Outcome, Progress, Request, Verdict};
use std::time::Duration;

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

/// A search that the game wants, of a game whose positions are of type `P`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search<P: GameState = Position> {
    /// What it is for.
    pub purpose: Purpose,
    /// What is asked of the engine.
    pub request: Request<P>,
}

/// A search that a session of `G` wants.
type SearchOf<G> = Search<<G as Played>::Position>;
/// A line of moves of `G` with its value.
type LineOf<G> = Line<MoveOf<G>, <G as Played>::Score>;

/// The values of the best moves of a position.
#[derive(Clone, Debug)]
pub struct GameHint<G: Played> {
    position: G::Position,
    wanted: usize,
    lines: Vec<LineOf<G>>,
    complete: bool,
}

impl<G: Played> GameHint<G> {
    /// Returns what is known, the best move first; fewer than wanted while the search runs.
    pub fn lines(&self) -> &[LineOf<G>] {
        &self.lines
    }

    /// Returns whether the search has ended.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Takes a line of the running search.
    fn news(&mut self, news: &Progress<MoveOf<G>, G::Score>) {
        // A move that changed its place must not stand twice.
        self.lines
            .retain(|line| line.moves.first() != news.line.moves.first());
        let at = news.rank.min(self.lines.len());
        self.lines.insert(at, news.line.clone());
        self.lines.truncate(self.wanted);
    }

    fn finish(&mut self, outcome: &Outcome<MoveOf<G>, G::Score>) {
        self.lines.clone_from(&outcome.lines);
        self.complete = true;
    }
}

impl<G: Played> GameSession<G> {
    /// Asks for a hint: the values of the `lines` best moves.
    ///
    /// Returns whether there is anything to advise: not where there is no choice.
    pub fn ask_hint(&mut self, lines: usize) -> bool {
        let choice = matches!(self.turn(), Turn::Choose(_) | Turn::Paused(_)) && !self.game.must_pass();
        if !choice || lines == 0 {
            return false;
        }
        let wanted = lines.min(self.game.n_choices());
        if self.hint().is_none_or(|hint| hint.wanted != wanted) {
            self.hint = Some(GameHint {
                position: self.game.position().clone(),
                wanted,
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
    pub fn hint(&self) -> Option<&GameHint<G>> {
        let hint = self.hint.as_ref()?;
        (hint.position == *self.game.position()).then_some(hint)
    }

    /// Returns the search that the game wants now: the engine's move, else a hint, else a value for the graph.
    pub fn wanted(&self, now: Duration) -> Option<SearchOf<G>> {
        let (purpose, position) = self.question()?;
        let options = &self.options;
        let own = options.level.number();
        let mut request = Request::new(position);
        let level = |number: u32| Level::new(number).unwrap_or(options.level);
        request.limits.level = Some(match purpose {
            Purpose::Move => options.level,
            Purpose::Hint { .. } => level(own.max(G::HINT_LEVEL)),
            Purpose::Value { .. } => level(G::value_level(own)),
            Purpose::Judge { .. } => level(G::JUDGE_LEVEL),
        });
        if let Purpose::Hint { lines } = purpose {
            request.lines = lines;
        }
        // Values are compared with one another: what is played may come from a book, what is said comes from searches.
        request.may_use_book = purpose == Purpose::Move;
        // Who errs as people do does not err less for having more time.
        if let (Some(time), Purpose::Move | Purpose::Hint { .. }, None) =
            (options.move_time, purpose, options.level.as_human())
        {
            request.limits = Limits {
                time: Some(time),
                ..Limits::default()
            };
        }
        if purpose == Purpose::Move
            && let Some(clock) = options.clock
        {
            request.limits.clock = self.time_left(self.game.side(), now).map(|remaining| GameClock {
                remaining,
                increment: clock.increment,
            });
        }
        Some(Search { purpose, request })
    }

    /// What is to be searched, and what for.
    fn question(&self) -> Option<(Purpose, G::Position)> {
        if matches!(self.turn(), Turn::Think(_)) {
            return Some((Purpose::Move, self.game.position().clone()));
        }
        if let Some(hint) = self.hint().filter(|hint| !hint.is_complete()) {
            let purpose = Purpose::Hint { lines: hint.wanted };
            return Some((purpose, hint.position.clone()));
        }
        if !self.fill_values {
            return None;
        }
        let Some(moves) = self.values.iter().position(Option::is_none) else {
            return G::judgment_wanted(self);
        };
        Some((Purpose::Value { moves }, self.position_after(moves)?))
    }

    /// Returns whether the game still waits for this search; if not, it should be stopped.
    pub fn asks(&self, search: &SearchOf<G>) -> bool {
        self.question().is_some_and(|(purpose, position)| {
            purpose == search.purpose && position == search.request.position
        })
    }

    /// Takes news of a running search.
    pub fn news(&mut self, search: &SearchOf<G>, news: &Progress<MoveOf<G>, G::Score>) {
        if matches!(search.purpose, Purpose::Hint { .. })
            && self.asks(search)
            && let Some(hint) = &mut self.hint
        {
            hint.news(news);
        }
    }

    /// Takes what a search has found. Returns the move that was played by it, if one was.
    ///
    /// Nothing happens if the question is not asked any more.
    pub fn found(
        &mut self,
        search: &SearchOf<G>,
        outcome: &Outcome<MoveOf<G>, G::Score>,
        now: Duration,
    ) -> Option<LineOf<G>> {
        let still_asked = self.asks(search);
        self.note_value(search, outcome.best());
        if !still_asked {
            return None;
        }
        match search.purpose {
            Purpose::Value { .. } | Purpose::Judge { .. } => None,
            Purpose::Hint { .. } => {
                if let Some(hint) = &mut self.hint {
                    hint.finish(outcome);
                }
                None
            }
            Purpose::Move => {
                self.tick(now);
                let mv = outcome.best_move()?;
                if !matches!(self.turn(), Turn::Think(_)) {
                    return None;
                }
                self.play(mv, now).ok()?;
                Some(outcome.best().clone())
            }
        }
    }

    /// Notes what a search says of the position that was searched.
    fn note_value(&mut self, search: &SearchOf<G>, line: &LineOf<G>) {
        if line.verdict == Verdict::Aborted {
            return;
        }
        let position = &search.request.position;
        let known = G::known(line, position.player());
        let at = match search.purpose {
            Purpose::Judge { moves, best } => {
                G::note_judgment(self, moves, best, position, known);
                return;
            }
            Purpose::Value { moves } => moves,
            Purpose::Move | Purpose::Hint { .. } => self.moves().len(),
        };
        if self.position_after(at).as_ref() == Some(position)
            && self.values[at].is_none_or(|before| weight(line.verdict) >= weight(G::verdict(&before)))
        {
            self.values[at] = Some(known);
            self.looks[at].prefer(line.best());
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
