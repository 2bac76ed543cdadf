//! What the screen shows and how: the one thing that keys change and the drawing reads.

use crate::play::sitting::Sitting;
use outflank_othello::Game;
use outflank_study::play::{GameSession, Purpose};
use ratatui::style::{Modifier, Style as CellStyle};
use std::time::Duration;

/// What keys go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The board; a part of a place may have been typed.
    Board(Option<String>),
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
    /// Load this in place of the game, the game of this number.
    Load(String, usize),
    Overwrite(String),
}

/// How things are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::play) struct Style {
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

    /// Returns how important things look.
    pub(super) const fn strong() -> CellStyle {
        CellStyle::new().add_modifier(Modifier::BOLD)
    }

    /// Returns one text or the other.
    pub(super) const fn or_ascii(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.ascii { ascii } else { unicode }
    }
}

/// Everything that is drawn.
pub(in crate::play) struct View<'a, G: Sitting = Game> {
    pub(super) session: &'a GameSession<G>,
    pub(super) now: Duration,
    /// What the engine is busy with, in words, and for how long.
    pub(super) busy: Option<(Purpose, &'static str, Duration)>,
    pub(super) mode: &'a Mode,
    pub(super) cursor: G::Place,
    pub(super) message: &'a str,
    pub(super) style: Style,
}

impl<G: Sitting> View<'_, G> {
    /// Returns the symbol of a color's discs or stones.
    pub(super) fn symbol(&self, color: G::Color) -> &'static str {
        match (color == G::COLORS[0], self.style.glyphs()) {
            (true, true) => "●",
            (false, true) => "○",
            (true, false) => "X",
            (false, false) => "O",
        }
    }
}
