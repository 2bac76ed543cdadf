//! The board: stones on the points of lines, the last one in brackets, the winning ones and the forbidden points by signs
//! of their own, the ranks of a hint, the cursor.

use crate::play::{gomoku::forbidden_now, tui::state::View};
use outflank_gomoku::{Color, Point, PointSet};
use outflank_study::play::gomoku::{Game, Hint, Session};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Color as Ink, Modifier, Style as CellStyle},
};

/// Columns of the labels beside the board.
const LABELS: u16 = 3;

/// Columns and rows from a point to the next. A character is about twice as high as wide.
const fn pitch(scale: u16) -> (u16, u16) {
    (2 * scale, scale)
}

/// Columns of a board: labels, points, and a bracket behind the last one.
pub(super) const fn width(scale: u16, size: u8) -> u16 {
    LABELS + pitch(scale).0 * (size as u16 - 1) + 2
}

/// Rows of a board: labels and points.
pub(super) const fn height(scale: u16, size: u8) -> u16 {
    1 + pitch(scale).1 * (size as u16 - 1) + 1
}

/// The greatest scale at which a board fits so many columns and rows; 1 is the least.
pub(super) fn scale(columns: u16, rows: u16, size: u8) -> u16 {
    (2..=6)
        .take_while(|&scale| width(scale, size) <= columns && height(scale, size) <= rows)
        .last()
        .unwrap_or(1)
}

/// Wood, lines, stones and marks, of the 256 colors that nearly every terminal has.
const WOOD: Ink = Ink::Indexed(180);
const LINES: Ink = Ink::Indexed(137);
const BLACK: Ink = Ink::Indexed(16);
const WHITE: Ink = Ink::Indexed(231);
const RED: Ink = Ink::Indexed(124);
const BLUE: Ink = Ink::Indexed(19);
const CURSOR: Ink = Ink::Indexed(222);

/// What the points are drawn by.
struct Marks {
    last: Option<Point>,
    won: PointSet,
    forbidden: PointSet,
    /// The moves of the hint, best first.
    hint: Vec<Point>,
}

impl Marks {
    fn of(session: &Session) -> Self {
        let board = session.board();
        let lines = session.hint().map(Hint::lines).unwrap_or_default();
        Self {
            last: session.moves().last().copied(),
            won: board.winning_stones(),
            forbidden: forbidden_now(board),
            hint: lines
                .iter()
                .filter_map(|line| line.moves.first().copied())
                .collect(),
        }
    }
}

/// Draws the board into the top left corner of `area`.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, scale: u16, view: &View<'_, Game>) {
    let size = view.session.board().size();
    let (wide, high) = pitch(scale);
    let (left, top) = (area.x + LABELS, area.y + 1);
    let bold = CellStyle::new().add_modifier(Modifier::BOLD);
    for x in 0..size {
        let name = char::from(b'a' + x).to_string();
        buffer.set_string(left + wide * u16::from(x), area.y, name, bold);
    }
    grid(buffer, (left, top), scale, view);
    let marks = Marks::of(view.session);
    for point in PointSet::board(size) {
        let (column, row) = (u16::from(point.x()), u16::from(size - 1 - point.y()));
        let at = (left + wide * column, top + high * row);
        if column == 0 {
            buffer.set_string(area.x, at.1, format!("{:>2}", point.y() + 1), bold);
        }
        if let Some((sign, ink)) = sign(point, &marks, view) {
            buffer.set_string(at.0, at.1, sign, ink);
        }
    }
    // Brackets last: a point shares the places beside it with its neighbors.
    let place = |point: Point| {
        let row = u16::from(size - 1 - point.y());
        (left + wide * u16::from(point.x()), top + high * row)
    };
    let marked = if view.style.color {
        CellStyle::new().fg(RED).bg(WOOD).add_modifier(Modifier::BOLD)
    } else {
        bold
    };
    if let Some(last) = marks.last {
        bracket(buffer, place(last), ["(", ")"], marked);
    }
    let pointed = if view.style.color {
        CellStyle::new().fg(BLACK).bg(CURSOR).add_modifier(Modifier::BOLD)
    } else {
        CellStyle::new().add_modifier(Modifier::REVERSED)
    };
    if !view.cursor.is_on(size) {
        return;
    }
    let (x, y) = place(view.cursor);
    bracket(buffer, (x, y), ["[", "]"], pointed);
    if view.style.color {
        buffer[(x, y)].set_bg(CURSOR);
    } else {
        buffer.set_style(Rect::new(x, y, 1, 1), pointed);
    }
}

fn bracket(buffer: &mut Buffer, (x, y): (u16, u16), signs: [&str; 2], look: CellStyle) {
    buffer.set_string(x - 1, y, signs[0], look);
    buffer.set_string(x + 1, y, signs[1], look);
}

/// Draws the lines of the board, with one margin on either side.
fn grid(buffer: &mut Buffer, (left, top): (u16, u16), scale: u16, view: &View<'_, Game>) {
    let size = view.session.board().size();
    let (wide, high) = pitch(scale);
    let style = view.style;
    let look = if style.color {
        CellStyle::new().fg(LINES).bg(WOOD)
    } else {
        CellStyle::new().add_modifier(Modifier::DIM)
    };
    let last = size - 1;
    let between = style.or_ascii("─", " ").repeat(usize::from(wide) - 1);
    let beside = " ".repeat(usize::from(wide) - 1);
    for row in 0..size {
        let y = size - 1 - row;
        let crossing = |x: u8| {
            let is_star = is_star(x, y, size);
            match (x, row) {
                _ if style.ascii => {
                    if is_star {
                        "+"
                    } else {
                        "."
                    }
                }
                _ if is_star => "╋",
                (0, 0) => "┌",
                (0, _) if row == last => "└",
                (0, _) => "├",
                (_, 0) if x == last => "┐",
                (_, 0) => "┬",
                _ if x == last && row == last => "┘",
                _ if x == last => "┤",
                _ if row == last => "┴",
                _ => "┼",
            }
        };
        let points: Vec<&str> = (0..size).map(crossing).collect();
        let at = top + high * u16::from(row);
        buffer.set_string(left - 1, at, format!(" {} ", points.join(&between)), look);
        if row < last {
            let bars = vec![style.or_ascii("│", " "); usize::from(size)].join(&beside);
            for line in 1..high {
                buffer.set_string(left - 1, at + line, format!(" {bars} "), look);
            }
        }
    }
}

/// Whether a point has a dot on a board of wood: the middle and four points near the corners, on boards with a middle.
fn is_star(x: u8, y: u8, size: u8) -> bool {
    let (near, middle) = (if size >= 13 { 3 } else { 2 }, size / 2);
    let is_near = |at: u8| at == near || at == size - 1 - near;
    size % 2 == 1 && size >= 9 && (x == middle && y == middle || is_near(x) && is_near(y))
}

/// Returns what is drawn on a point in place of its lines, and how it looks.
fn sign(point: Point, marks: &Marks, view: &View<'_, Game>) -> Option<(String, CellStyle)> {
    let style = view.style;
    let stone = view.session.board().get(point);
    let won = marks.won.contains(point);
    let (text, ink) = match stone {
        Some(Color::Black) if won => (if style.glyphs() { "◆" } else { "#" }.to_owned(), BLACK),
        Some(Color::White) if won => (if style.glyphs() { "◇" } else { "@" }.to_owned(), WHITE),
        Some(Color::Black) => (view.symbol(Color::Black).to_owned(), BLACK),
        Some(Color::White) => (view.symbol(Color::White).to_owned(), WHITE),
        None => {
            if let Some(rank) = marks.hint.iter().position(|&other| other == point) {
                // As many as have a digit.
                let digit = char::from_digit(rank as u32 + 1, 10)?;
                (digit.to_string(), BLUE)
            } else if marks.forbidden.contains(point) {
                (if style.glyphs() { "×" } else { "!" }.to_owned(), RED)
            } else {
                return None;
            }
        }
    };
    let look = if style.color {
        CellStyle::new().fg(ink).bg(WOOD)
    } else {
        CellStyle::new()
    };
    Some((text, look.add_modifier(Modifier::BOLD)))
}
