//! Gomoku on the screen.

mod board;
mod panel;

use super::{
    screen::{KeyHint, OnScreen, Typed},
    state::{Style, View},
};
use outflank_gomoku::Point;
use outflank_study::play::gomoku::{Game, Session};
use ratatui::{Frame, buffer::Buffer, layout::Rect};

/// What the help page says of keys.
const KEYS: &str = "\
h8            play there (h1: and Enter)  Enter, Space  at the cursor
Tab           hint on and off             arrow keys    move the cursor
u, Backspace  undo                        Ctrl-Y        redo
Ctrl-G        the engine moves for you    Esc           at once; no hint
Ctrl-S Ctrl-O save, load (or paste)       Ctrl-N        new game
+ -           level                       w             who is a person
v             value all positions         :             a command, as below
Home, End     to the start, the end       , . PgUp PgDn go 1 or 10 moves
Ctrl-L        paint anew                  Ctrl-Q        leave; Ctrl-C: now

";

/// Columns that the panel beside the board needs.
const PANEL: u16 = 35;
/// Rows around the board: the title, what is said and the keys.
const FRAME: u16 = 5;

impl OnScreen for Game {
    const PLACE: &'static str = "Point";
    const FILES: &'static str = ".psq .sgf .json .txt";
    const KEYS: &'static str = KEYS;
    const GO: &'static str = "Ctrl-G";
    const VALUED: [&'static str; 2] = [
        "every position has its value",
        "valuing every position; v stops it",
    ];

    fn typed(&self, before: &str, letter: char) -> Typed<Point> {
        let size = self.board().size();
        if letter.is_ascii_lowercase() && u32::from(letter) - u32::from('a') < u32::from(size) {
            return Typed::Part(letter.to_string());
        }
        if before.is_empty() || !letter.is_ascii_digit() {
            return Typed::Nothing;
        }
        let text = format!("{before}{letter}");
        match Point::parse_on(&text, size) {
            Err(_) => Typed::Nothing,
            // Row 1 may become one of 10 to 19.
            Ok(point) if 10 * (u32::from(point.y()) + 1) <= u32::from(size) => Typed::Part(text),
            Ok(point) => Typed::Place(point),
        }
    }

    fn step(&self, from: Point, right: isize, down: isize) -> Point {
        let last = isize::from(self.board().size() - 1);
        let clamped = |at: u8, by: isize| (isize::from(at) + by).clamp(0, last) as u8;
        Point::new(clamped(from.x(), right), clamped(from.y(), -down)).unwrap_or(from)
    }

    fn first_place(&self) -> Point {
        let middle = self.board().size() / 2;
        Point::new(middle, middle).unwrap_or_default()
    }

    fn about(session: &Session, dash: &str) -> String {
        let (board, size) = (session.board(), session.board().size());
        format!("{} {size}x{size} {dash} {}", board.rule(), session.strength())
    }

    fn choices(session: &Session) -> String {
        format!("move {}", session.moves().len() + 1)
    }

    fn key_hints(style: Style) -> Vec<KeyHint> {
        vec![
            (style.or_ascii("h8/←↑↓→", "h8/arrows"), "play"),
            ("Tab", "hint"),
            ("u", "undo"),
            ("^Y", "redo"),
            ("^S", "save"),
            ("^O", "load"),
            ("+-", "level"),
            ("F1", "help"),
            ("^Q", "quit"),
        ]
    }

    fn least(&self) -> (u16, u16) {
        let size = self.board().size();
        let columns = board::width(1, size) + 2 + PANEL;
        (columns.max(80), (board::height(1, size) + FRAME).max(24))
    }

    fn scale(&self, columns: u16, rows: u16) -> u16 {
        board::scale(columns.saturating_sub(PANEL + 2), rows, self.board().size())
    }

    fn width(&self, scale: u16) -> u16 {
        board::width(scale, self.board().size())
    }

    fn draw_board(buffer: &mut Buffer, area: Rect, scale: u16, view: &View<'_, Self>) {
        board::draw(buffer, area, scale, view);
    }

    fn draw_panel(frame: &mut Frame<'_>, area: Rect, view: &View<'_, Self>) {
        panel::draw(frame, area, view);
    }
}
