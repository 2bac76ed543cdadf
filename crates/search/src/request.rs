//! What a search is asked: a position, a goal, and how far it may go.

use crate::GameClock;
use outflank_game::GameState;
use std::{fmt, str::FromStr, time::Duration};

/// What to find out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The best estimate that the limits allow, exact where the end is in reach.
    #[default]
    Best,
    /// The exact value, whatever it takes within the limits.
    Exact,
    /// Who wins, whatever it takes within the limits.
    WinLossDraw,
}

/// A strength level, 1 to 60, or one of the levels that err as people do, `human-1` to `human-8`, which have names, too.
/// What an engine does at each is the engine's to say.
///
/// # Examples
///
/// ```
/// use outflank_search::Level;
///
/// let (level, human): (Level, Level) = ("12".parse()?, "human-3".parse()?);
/// assert_eq!((level.number(), level.as_human()), (12, None));
/// assert_eq!((human.to_string().as_str(), human.as_human()), ("human-3", Some(3)));
/// assert_eq!((human.name(), "strong-club".parse()), (Some("casual"), Ok(Level::human(6).expect("a level"))));
/// # Ok::<(), outflank_search::ParseLevelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Level {
    number: u32,
    human: bool,
}

/// A number that is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("level {0}: levels go from 1 (weakest) to 60 (strongest)")]
pub struct NoSuchLevel(pub u32);

/// A text that is no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no level: 1 (weakest) to 60 (strongest), or human-1 to human-8")]
pub struct ParseLevelError(String);

impl Level {
    /// The highest level.
    pub const MAX: u32 = 60;
    /// The number of levels that err as people do.
    pub const HUMANS: u32 = 8;
    /// What people would call somebody who plays like the levels that err as people do, weakest first.
    const NAMES: [&str; Self::HUMANS as usize] = [
        "first game",
        "beginner",
        "casual",
        "regular",
        "club",
        "strong club",
        "tournament",
        "expert",
    ];
    /// The level whose searches look as far as those of the levels that err as people do.
    const LOOK_OF_HUMANS: u32 = 4;

    /// Returns level `number`.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLevel`] unless it is 1 to 60.
    pub const fn new(number: u32) -> Result<Self, NoSuchLevel> {
        if number >= 1 && number <= Self::MAX {
            Ok(Self { number, human: false })
        } else {
            Err(NoSuchLevel(number))
        }
    }

    /// Returns the level `human-{number}`, if there is one.
    pub const fn human(number: u32) -> Option<Self> {
        if number >= 1 && number <= Self::HUMANS {
            Some(Self { number, human: true })
        } else {
            None
        }
    }

    /// Returns every level of search, weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=Self::MAX).map(|number| Self { number, human: false })
    }

    /// Returns every level that errs as people do, weakest first.
    pub fn humans() -> impl Iterator<Item = Self> {
        (1..=Self::HUMANS).map(|number| Self { number, human: true })
    }

    /// Returns the number, 1 to 60; of a level that errs as people do, that of the search that looks as far.
    pub const fn number(self) -> u32 {
        if self.human {
            Self::LOOK_OF_HUMANS
        } else {
            self.number
        }
    }

    /// Returns what people would call somebody who plays like it, if the level errs as people do.
    pub const fn name(self) -> Option<&'static str> {
        if self.human {
            Some(Self::NAMES[self.number as usize - 1])
        } else {
            None
        }
    }

    /// Returns 1 to 8 if the level errs as people do.
    pub const fn as_human(self) -> Option<u32> {
        if self.human { Some(self.number) } else { None }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.human { "human-" } else { "" }, self.number)
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Self, ParseLevelError> {
        let named = || {
            let words = text.replace('-', " ");
            Self::humans().find(|level| level.name().is_some_and(|name| name.eq_ignore_ascii_case(&words)))
        };
        let level = match text.strip_prefix("human-") {
            Some(number) => number.parse().ok().and_then(Self::human),
            None => text.parse().ok().and_then(|number| Self::new(number).ok()),
        };
        level
            .or_else(named)
            .ok_or_else(|| ParseLevelError(text.to_owned()))
    }
}

/// The limits of one search; `None` means no limit of that kind. The search ends at the first that it reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Placed stones or discs ahead; passes cost no depth.
    pub depth: Option<u32>,
    /// Positions entered. With one thread the limit is never exceeded.
    pub nodes: Option<u64>,
    /// Time for this search.
    pub time: Option<Duration>,
    /// The clock of the game, from which a time for this search is chosen.
    pub clock: Option<GameClock>,
    /// A level, from which the engine chooses how far to look.
    pub level: Option<Level>,
}

/// A question to an [`Engine`](crate::Engine).
///
/// The search ends at the first limit it reaches; without any it goes on until it is stopped or everything is known.
///
/// # Examples
///
/// ```
/// use outflank_game::ToyGame;
/// use outflank_search::{Goal, Request};
/// use std::time::Duration;
///
/// let game = ToyGame::new("((3 5) (2 9))".parse()?);
/// let request = Request::new(game).depth(8).time(Duration::from_secs(1)).lines(2);
/// assert_eq!((request.goal, request.limits.depth, request.lines), (Goal::Best, Some(8), 2));
/// # Ok::<(), outflank_game::toy::ParseToyTreeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request<G: GameState> {
    /// What to search.
    pub position: G,
    /// What to find out.
    pub goal: Goal,
    /// How many of the best moves to value; `usize::MAX` for all.
    pub lines: usize,
    /// Moves that are worth less than the best by more than this, in the game's unit, need no line: they get one bound
    /// for all, [`Outcome::rest`](crate::Outcome::rest), which costs little.
    pub within: Option<i32>,
    /// How far.
    pub limits: Limits,
    /// Least confidence of estimates, in percent; 100 searches everything to the full width.
    pub confidence: u8,
    /// Moves that are not to be considered at the root.
    pub excluded: Vec<G::Move>,
    /// Kept back from every limit of time, for what happens outside the search: waking up, sending the move.
    pub reserve: Duration,
    /// Whether an opening book may answer in place of a search; not where values are compared with those of searches.
    pub may_use_book: bool,
}

impl<G: GameState> Request<G> {
    /// The reserve of a request that states none.
    pub const RESERVE: Duration = Duration::from_millis(10);

    /// Returns the request for the best move of `position`, without a limit, as selective as the engine can be.
    pub const fn new(position: G) -> Self {
        Self {
            position,
            goal: Goal::Best,
            lines: 1,
            within: None,
            limits: Limits {
                depth: None,
                nodes: None,
                time: None,
                clock: None,
                level: None,
            },
            confidence: 73,
            excluded: Vec::new(),
            reserve: Self::RESERVE,
            may_use_book: true,
        }
    }

    /// Returns the same question about `position`; moves that were excluded elsewhere are not.
    #[must_use]
    pub fn at(&self, position: G) -> Self {
        Self {
            position,
            goal: self.goal,
            lines: self.lines,
            within: self.within,
            limits: self.limits,
            confidence: self.confidence,
            excluded: Vec::new(),
            reserve: self.reserve,
            may_use_book: self.may_use_book,
        }
    }

    /// Sets every limit.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Ends after `depth` placed stones or discs.
    #[must_use]
    pub fn depth(mut self, depth: u32) -> Self {
        self.limits.depth = Some(depth);
        self
    }

    /// Ends before more than `nodes` positions are entered.
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Self {
        self.limits.nodes = Some(nodes);
        self
    }

    /// Ends after `time`.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// Chooses a time for this move from the clock of the game.
    #[must_use]
    pub fn clock(mut self, clock: GameClock) -> Self {
        self.limits.clock = Some(clock);
        self
    }

    /// Searches as far as `level` says.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.limits.level = Some(level);
        self
    }

    /// Sets what to find out.
    #[must_use]
    pub fn goal(mut self, goal: Goal) -> Self {
        self.goal = goal;
        self
    }

    /// Asks for the exact value.
    #[must_use]
    pub fn exact(self) -> Self {
        self.goal(Goal::Exact)
    }

    /// Asks for the `lines` best moves.
    #[must_use]
    pub fn lines(mut self, lines: usize) -> Self {
        self.lines = lines;
        self
    }

    /// Asks for every move that is worth at most this much less than the best, in the game's unit, and for one bound of
    /// all others.
    #[must_use]
    pub fn within(mut self, within: i32) -> Self {
        self.lines = usize::MAX;
        self.within = Some(within);
        self
    }

    /// Sets the least confidence of estimates, in percent.
    #[must_use]
    pub fn confidence(mut self, confidence: u8) -> Self {
        self.confidence = confidence;
        self
    }

    /// Asks for a search, whatever an opening book says.
    #[must_use]
    pub fn without_book(mut self) -> Self {
        self.may_use_book = false;
        self
    }

    /// Leaves moves out of account at the root.
    #[must_use]
    pub fn excluding(mut self, moves: impl IntoIterator<Item = G::Move>) -> Self {
        self.excluded.extend(moves);
        self
    }

    /// Sets what is kept back from every limit of time.
    #[must_use]
    pub fn reserve(mut self, reserve: Duration) -> Self {
        self.reserve = reserve;
        self
    }
}

impl<G: GameState + Default> Default for Request<G> {
    /// The request for the best move of the start position.
    fn default() -> Self {
        Self::new(G::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_are_no_levels() {
        assert_eq!(Level::new(0), Err(NoSuchLevel(0)));
        assert_eq!(Level::new(61), Err(NoSuchLevel(61)));
        assert_eq!(Level::new(60).map(Level::number), Ok(60));
        assert_eq!(Level::all().count(), 60);
    }

    #[test]
    fn levels_are_read_as_they_are_written() {
        for level in Level::all().chain(Level::humans()) {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        for text in [
            "", "0", "61", "-1", "human", "human-", "human-0", "human-9", "human 3", "6.5",
        ] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }
}
