//! What the screen shows and how: the one thing that keys change and the drawing reads.

use crate::play::command::Command;
use outflank_othello::{Color, Square};
use outflank_study::play::{Purpose, Session};
use std::time::Duration;

/// What keys go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The board; the column of a square may have been typed.
    Board(Option<char>),
    /// A line of text.
    Prompt(Prompt, String),
    /// A question to be answered by y or n.
    Confirm(Question),
    /// The help page; any key leaves it.
    Help,
}

/// What a line of text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prompt {
    Save,
    Load,
    Command,
}

/// What is asked before something gets lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Quit,
    New,
    /// Load this in place of the game.
    Load(Command),
    Overwrite(String),
}

/// How things are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Only characters of ASCII.
    pub(super) ascii: bool,
    /// With colors; nothing depends on telling them apart.
    pub(super) color: bool,
}

impl Style {
    /// Returns whether discs are drawn as discs. Without colors a full circle looks white on a dark screen and black
    /// on a light one: letters are clearer.
    pub(super) const fn glyphs(self) -> bool {
        self.color && !self.ascii
    }

    /// Returns one text or the other.
    pub(super) const fn or_ascii(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.ascii { ascii } else { unicode }
    }
}

/// Everything that is drawn.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) session: &'a Session,
    pub(super) now: Duration,
    /// What the engine is busy with, in words, and for how long.
    pub(super) busy: Option<(Purpose, &'static str, Duration)>,
    pub(super) mode: &'a Mode,
    pub(super) cursor: Square,
    pub(super) message: &'a str,
    pub(super) style: Style,
}

/// Returns the symbol of a color's discs.
pub(super) const fn disc(color: Color, style: Style) -> &'static str {
    match (color, style.glyphs()) {
        (Color::Black, true) => "●",
        (Color::White, true) => "○",
        (Color::Black, false) => "X",
        (Color::White, false) => "O",
    }
}
