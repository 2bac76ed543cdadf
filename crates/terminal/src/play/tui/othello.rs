//! Othello on the screen.

mod board;
mod panel;

use super::{
    screen::{KeyHint, OnScreen, Typed},
    state::{Style, View},
};
use outflank_othello::{Game, Square};
use outflank_study::play::Session;
use ratatui::{Frame, buffer::Buffer, layout::Rect};

/// What the help page says of keys.
const KEYS: &str = "\
f5            play there                  Enter, Space  at the cursor; pass
Tab, i        hint on and off             arrow keys    move the cursor
u, Backspace  undo                        r             redo
m             the engine moves for you    Esc           at once; no hint
s, o          save, load (or paste)       n             new game
+ -           level                       w             who is a person
v             value and judge it all      :             a command, as below
Home, End     to the start, the end       , . PgUp PgDn go 1 or 10 moves
Ctrl-L        paint anew                  q, Ctrl-C     leave

";

/// Columns that the panel beside the board needs.
const PANEL: u16 = 40;

impl OnScreen for Game {
    const PLACE: &'static str = "Square";
    const FILES: &'static str = ".ggf .sgf .txt .obf .wtb";
    const KEYS: &'static str = KEYS;
    const GO: &'static str = "m";
    const VALUED: [&'static str; 2] = [
        "every position has its value, every move its mark",
        "valuing every position and judging every move; v stops it",
    ];

    fn typed(&self, before: &str, letter: char) -> Typed<Square> {
        match letter {
            'a'..='h' => Typed::Part(letter.to_string()),
            _ => format!("{before}{letter}")
                .parse()
                .map_or(Typed::Nothing, Typed::Place),
        }
    }

    fn step(&self, from: Square, right: isize, down: isize) -> Square {
        let column = from.column().saturating_add_signed(right);
        let row = from.row().saturating_add_signed(down);
        Square::from_coordinates(column, row).unwrap_or(from)
    }

    fn first_place(&self) -> Square {
        Square::F5
    }

    fn about(session: &Session, _dash: &str) -> String {
        session.strength()
    }

    fn choices(session: &Session) -> String {
        let moves = session.game().position().legal_moves().len();
        let plural = if moves == 1 { "" } else { "s" };
        format!("{moves} move{plural}")
    }

    fn key_hints(style: Style) -> Vec<KeyHint> {
        vec![
            (style.or_ascii("f5/←↑↓→", "f5/arrows"), "play"),
            ("Tab", "hint"),
            ("u", "undo"),
            ("r", "redo"),
            ("s", "save"),
            ("o", "load"),
            ("+-", "level"),
            ("F1", "help"),
            ("q", "quit"),
        ]
    }

    fn least(&self) -> (u16, u16) {
        (80, 24)
    }

    fn scale(&self, columns: u16, rows: u16) -> u16 {
        board::scale(columns.saturating_sub(PANEL + 2), rows)
    }

    fn width(&self, scale: u16) -> u16 {
        board::width(scale)
    }

    fn draw_board(buffer: &mut Buffer, area: Rect, scale: u16, view: &View<'_>) {
        board::draw(buffer, area, scale, view);
    }

    fn draw_panel(frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        panel::draw(frame, area, view);
    }
}
