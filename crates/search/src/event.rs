//! What a search reports while it runs, and what its values are worth.

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Proven: perfect play from both sides ends with this value.
    Exact,
    /// Only whether it is a win, a draw or a loss is proven.
    Wld,
    /// The value is proven to be at least or at most this.
    Bounds,
    /// The judgment of an evaluator after a search.
    Estimate {
        /// Placed stones or discs ahead.
        depth: u32,
        /// Percent; 100 without selective cuts.
        confidence: u8,
    },
    /// Taken from an opening book.
    Book,
    /// The search was stopped before it could say anything; the move is only legal.
    Aborted,
}

/// A move with its value and the play that is expected to follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// The move and its expected continuation; empty only when the game is over.
    pub moves: Vec<M>,
    /// Value for the side to move at the root, in the game's own unit.
    pub value: i32,
    /// What the value is worth.
    pub verdict: Verdict,
}

impl<M: Copy> Line<M> {
    /// Returns the first move.
    pub fn best(&self) -> Option<M> {
        self.moves.first().copied()
    }
}

/// Something that happened in a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<M> {
    /// A stage finished for one line.
    Line {
        /// Place of the line: 0 is the best move's.
        rank: usize,
        /// The line.
        line: Line<M>,
        /// The stage that was finished.
        stage: Stage,
        /// Positions entered so far.
        nodes: u64,
        /// Time since the search began.
        elapsed: Duration,
    },
    /// The value left the expected window, so the stage is searched again with a wider one.
    Research {
        /// Place of the line.
        rank: usize,
        /// The bound that was proven, in the game's own unit.
        value: i32,
        /// Whether the value is at least (`true`) or at most (`false`) the bound.
        failed_high: bool,
        /// The stage.
        stage: Stage,
    },
}
