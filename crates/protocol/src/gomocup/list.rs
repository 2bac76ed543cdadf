//! Lists: what a manager sends over several lines, ended by `DONE`.

use super::command::Owner;
use outflank_gomoku::Point;

/// A list that the manager is in the middle of sending.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub(super) kind: ListKind,
    pub(super) items: Vec<(Point, Option<Owner>)>,
    /// The first thing wrong with it.
    pub(super) error: Option<String>,
}

/// What a list is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListKind {
    /// A position; `answer` if a move is wanted in it.
    Board {
        answer: bool,
    },
    Swap2,
    /// Points that must not be played.
    Block,
    /// Whatever follows a command that is not known.
    Unknown,
}

impl ListKind {
    /// Returns the command that begins the list.
    pub(super) const fn command(self) -> &'static str {
        match self {
            Self::Board { answer: true } => "BOARD",
            Self::Board { answer: false } => "YXBOARD",
            Self::Swap2 => "SWAP2BOARD",
            Self::Block => "YXBLOCK",
            Self::Unknown => "an unknown command",
        }
    }
}
