//! What a search answers, what it reports while it runs, and what its values are worth.

use std::time::Duration;

/// One step of a search's plan: how deep, and with how much care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Placed stones or discs ahead; passes cost no depth.
    pub depth: u32,
    /// How far a value of this stage can be trusted to equal the full-width value of the same depth, in percent;
    /// 100 means that nothing was cut on suspicion.
    pub confidence: u8,
    /// Whether the depth reaches the end of the game on every line.
    pub to_end: bool,
}

impl Stage {
    /// Returns the stage that searches everything to `depth`.
    pub const fn full_width(depth: u32) -> Self {
        Self {
            depth,
            confidence: 100,
            to_end: false,
        }
    }

    /// Returns what a finished search of this stage is worth.
    pub const fn verdict(self) -> Verdict {
        if self.to_end && self.confidence == 100 {
            Verdict::Exact
        } else {
            Verdict::Estimate {
                depth: self.depth,
                confidence: self.confidence,
            }
        }
    }
}

/// What a reported value is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Proven: perfect play from both sides ends with this value.
    Exact,
    /// Only whether it is a win, a draw or a loss is proven.
    WinLossDraw,
    /// The value is proven to be at least this.
    AtLeast,
    /// The value is proven to be at most this.
    AtMost,
    /// The judgment of an evaluator after a search.
    Estimate {
        /// Placed stones or discs ahead.
        depth: u32,
        /// Percent; 100 without selective cuts.
        confidence: u8,
    },
    /// The search was stopped before it could say anything; the move is only legal.
    Aborted,
}

impl Verdict {
    /// Returns how many placed stones or discs ahead an estimate looks; `None` for everything else.
    pub const fn depth(self) -> Option<u32> {
        match self {
            Self::Estimate { depth, .. } => Some(depth),
            _ => None,
        }
    }
}

/// Where a line comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// It was searched.
    #[default]
    Search,
    /// It was taken from an opening book.
    Book,
}

/// A move with its value and the play that is expected to follow.
///
/// `V` is the game's value; searches below an engine use plain numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M, V = i32> {
    /// The move and its expected continuation, passes included; empty only when the game is over.
    pub moves: Vec<M>,
    /// Value for the side to move at the root, in the game's own unit.
    pub value: V,
    /// What the value is worth.
    pub verdict: Verdict,
    /// Where the line comes from.
    pub origin: Origin,
}

impl<M: Copy, V> Line<M, V> {
    /// Returns a line that was searched.
    pub const fn searched(moves: Vec<M>, value: V, verdict: Verdict) -> Self {
        Self {
            moves,
            value,
            verdict,
            origin: Origin::Search,
        }
    }

    /// Returns the first move.
    pub fn best(&self) -> Option<M> {
        self.moves.first().copied()
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<M, V> {
    /// The lines asked for, best first; at least one. The only one is without moves if the game is over.
    pub lines: Vec<Line<M, V>>,
    /// No legal move that is without a line is worth more than this, by a search like that of the best line; `None` if
    /// nothing was found out about them.
    pub rest: Option<V>,
    /// Positions entered.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Whether the search did all that was asked, rather than meeting a limit of time or nodes or being stopped.
    pub complete: bool,
}

impl<M: Copy, V> Outcome<M, V> {
    /// Returns the best line.
    pub fn best(&self) -> &Line<M, V> {
        &self.lines[0]
    }

    /// Returns the move to play; `None` if and only if the game is over.
    pub fn best_move(&self) -> Option<M> {
        self.best().best()
    }
}

/// News from a running search: a stage was finished for one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress<M, V = i32> {
    /// Place of the line: 0 is the best move's.
    pub rank: usize,
    /// The line as it stands.
    pub line: Line<M, V>,
    /// The stage that was finished.
    pub stage: Stage,
    /// Positions entered so far.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}
