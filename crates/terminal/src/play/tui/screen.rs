//! What the screen needs of a game beyond what the table needs.

use super::state::{Style, View};
use crate::play::sitting::Sitting;
use outflank_study::play::GameSession;
use ratatui::{Frame, buffer::Buffer, layout::Rect};

/// What typing one more character of a place leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::play) enum Typed<P> {
    /// It is no part of a place.
    Nothing,
    /// A part of a place, or a place that could go on.
    Part(String),
    /// This place.
    Place(P),
}

/// A key and what it does, for the last line.
pub(in crate::play) type KeyHint = (&'static str, &'static str);

/// A game that can be drawn.
pub(in crate::play) trait OnScreen: Sitting {
    /// What a place is called.
    const PLACE: &'static str;
    /// How the names of files end that it can be saved to.
    const FILES: &'static str;
    /// What the help page says of keys.
    const KEYS: &'static str;
    /// The key that lets the engine move.
    const GO: &'static str;
    /// What is said when every position is valued, and while that goes on.
    const VALUED: [&'static str; 2];

    /// Returns what one more character makes of the part of a place that was typed before.
    fn typed(&self, before: &str, letter: char) -> Typed<Self::Place>;
    /// Returns the place next to this one, as far as the board goes.
    fn step(&self, from: Self::Place, right: isize, down: isize) -> Self::Place;
    /// Returns where the cursor is at first.
    fn first_place(&self) -> Self::Place;
    /// Returns what is played and how strong the engine is, for the title.
    fn about(session: &GameSession<Self>, dash: &str) -> String;
    /// Says what a person can choose from.
    fn choices(session: &GameSession<Self>) -> String;
    /// Returns the keys that matter, for the last line.
    fn key_hints(style: Style) -> Vec<KeyHint>;

    /// Returns the least columns and rows of a terminal that shows everything.
    fn least(&self) -> (u16, u16);
    /// Returns the greatest scale at which the board fits so many columns and rows beside the panel; 1 is the least.
    fn scale(&self, columns: u16, rows: u16) -> u16;
    /// Returns the columns of the board.
    fn width(&self, scale: u16) -> u16;
    /// Draws the board into the top left corner of `area`.
    fn draw_board(buffer: &mut Buffer, area: Rect, scale: u16, view: &View<'_, Self>);
    /// Draws what stands beside the board.
    fn draw_panel(frame: &mut Frame<'_>, area: Rect, view: &View<'_, Self>);
}
