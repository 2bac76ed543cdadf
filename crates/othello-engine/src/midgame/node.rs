//! What is searched: a position, the question about it, and what is expected of the answer.

use outflank_othello::Board;

/// What is expected of the value of a node, which decides how its moves are ordered and shared, never the result of a
/// full-width search. \[KNUTH75\]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Inside the window: a node of the principal variation.
    Principal,
    /// At least beta: one good move will do.
    Cut,
    /// At most alpha: every move must be refuted.
    All,
}

impl Kind {
    /// Returns what is expected of the position after a move that keeps the expectation.
    #[inline]
    pub(super) const fn opposite(self) -> Self {
        match self {
            Self::Principal => Self::Principal,
            Self::Cut => Self::All,
            Self::All => Self::Cut,
        }
    }
}

/// One question of the search: what is `board` worth for the player to move, as far as it matters?
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) board: Board,
    /// Values up to here, in 1/128 disc, need not be told apart.
    pub(super) alpha: i32,
    /// Values from here on need not be told apart.
    pub(super) beta: i32,
    /// Discs to be placed before the evaluation is asked.
    pub(super) depth: u32,
    /// Moves and passes since the root.
    pub(super) ply: usize,
    pub(super) kind: Kind,
}

impl Node {
    #[inline]
    pub(super) const fn is_principal(&self) -> bool {
        matches!(self.kind, Kind::Principal)
    }

    /// Returns whether only two answers are told apart.
    #[inline]
    pub(super) const fn has_null_window(&self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Returns the question about the same window after a pass, which costs no depth.
    #[inline]
    pub(super) fn after_pass(self) -> Self {
        Self {
            board: self.board.passed(),
            alpha: -self.beta,
            beta: -self.alpha,
            ply: self.ply + 1,
            kind: self.kind.opposite(),
            ..self
        }
    }

    /// Returns the question whether the move to `board` is worth more than `alpha` here, and how much as far as beta.
    #[inline]
    pub(super) const fn after_move(self, board: Board, alpha: i32) -> Self {
        Self {
            board,
            alpha: -self.beta,
            beta: -alpha,
            depth: self.depth - 1,
            ply: self.ply + 1,
            kind: self.kind.opposite(),
        }
    }

    /// Returns the question whether the value here is above `alpha`, after `depth` discs.
    #[inline]
    pub(super) const fn shallow(self, alpha: i32, depth: u32) -> Self {
        Self {
            alpha,
            beta: alpha + 1,
            depth,
            ply: self.ply + 1,
            ..self
        }
    }
}
