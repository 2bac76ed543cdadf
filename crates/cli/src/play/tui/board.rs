//! The board: discs told apart by shape as well as color, legal moves, the last move, the cursor, hints on squares.

use super::state::{Style, View, disc};
use outflank_othello::{Bitboard, Color, Square};
use outflank_search::Verdict;
use outflank_study::play::Turn;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Color as Ink, Modifier, Style as CellStyle},
    symbols::border,
};

/// Columns of the board: a label and eight squares of three characters between nine lines.
pub(super) const WIDTH: u16 = 3 + 33;

/// A frame of ASCII.
pub(super) const ASCII_BORDER: border::Set<'_> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// Dark green, black, white of the 256 colors that nearly every terminal has.
const FELT: Ink = Ink::Indexed(22);
const LINES: Ink = Ink::Indexed(71);
const BLACK: Ink = Ink::Indexed(16);
const WHITE: Ink = Ink::Indexed(231);
const MARK: Ink = Ink::Indexed(229);

/// Draws the board into the top left corner of `area`.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, view: &View<'_>) {
    let style = view.style;
    let (left, top) = (area.x + 3, area.y + 1);
    let lines = if style.color {
        CellStyle::new().fg(LINES).bg(FELT)
    } else {
        CellStyle::new()
    };
    let bold = CellStyle::new().add_modifier(Modifier::BOLD);
    for (column, name) in ('a'..='h').enumerate() {
        buffer.set_string(left + 2 + 4 * column as u16, area.y, name.to_string(), bold);
    }
    for row in 0..=8u16 {
        let rule = match row {
            0 => style.or_ascii("┌───┬───┬───┬───┬───┬───┬───┬───┐", RULE),
            8 => style.or_ascii("└───┴───┴───┴───┴───┴───┴───┴───┘", RULE),
            _ => style.or_ascii("├───┼───┼───┼───┼───┼───┼───┼───┤", RULE),
        };
        buffer.set_string(left, top + 2 * row, rule, lines);
    }
    let legal = match view.session.turn() {
        Turn::Choose(_) | Turn::Think(_) => view.session.game().position().board().legal_moves(),
        _ => Bitboard::EMPTY,
    };
    for row in 0..8u16 {
        let y = top + 1 + 2 * row;
        buffer.set_string(left - 2, y, (row + 1).to_string(), bold);
        for column in 0..=8u16 {
            buffer.set_string(left + 4 * column, y, style.or_ascii("│", "|"), lines);
        }
        for column in 0..8u16 {
            if let Some(square) = Square::from_coordinates(usize::from(column), usize::from(row)) {
                let (text, ink) = cell(square, legal.contains(square), view);
                buffer.set_string(left + 1 + 4 * column, y, text, ink);
            }
        }
    }
}

const RULE: &str = "+---+---+---+---+---+---+---+---+";

/// Returns the three characters of a square and how they look.
fn cell(square: Square, legal: bool, view: &View<'_>) -> (String, CellStyle) {
    let style = view.style;
    let game = view.session.game();
    let last = game.moves().iter().rev().find_map(|mv| mv.square());
    let disc_color = game.position().disc_at(square);
    let (middle, ink) = match disc_color {
        Some(Color::Black) => (disc(Color::Black, style), BLACK),
        Some(Color::White) => (disc(Color::White, style), WHITE),
        None if legal => (style.or_ascii("·", "."), MARK),
        None => (" ", LINES),
    };
    let mut look = CellStyle::new();
    if style.color {
        look = look.fg(ink).bg(FELT);
    }
    if disc_color.is_some() {
        look = look.add_modifier(Modifier::BOLD);
    }
    let value = hint_text(square, view);
    let text = match value {
        Some(value) => format!("{value:>3}"),
        None if square == view.cursor => format!("[{middle}]"),
        None if last == Some(square) => format!("({middle})"),
        None => format!(" {middle} "),
    };
    if square == view.cursor && style.color {
        // Turned round, so that it shows even under a value.
        look = look.bg(Ink::Indexed(if disc_color == Some(Color::Black) {
            250
        } else {
            94
        }));
    } else if square == view.cursor {
        look = look.add_modifier(Modifier::REVERSED);
    }
    (text, look)
}

/// Returns the value of a move in three characters, if there is a hint for it: whole discs, or who wins.
fn hint_text(square: Square, view: &View<'_>) -> Option<String> {
    let hint = view.session.hint()?;
    let line = hint
        .lines()
        .iter()
        .find(|line| line.moves.first().and_then(|mv| mv.square()) == Some(square))?;
    let discs = line.value.discs().round() as i64;
    Some(match line.verdict {
        Verdict::Aborted => "?".to_owned(),
        Verdict::WinLossDraw => ["-W", "=", "+W"][(discs.signum() + 1) as usize].to_owned(),
        _ if discs == 0 => "0".to_owned(),
        _ => format!("{discs:+}"),
    })
}

impl Style {
    /// Returns how important things in the panel look.
    pub(super) const fn strong() -> CellStyle {
        CellStyle::new().add_modifier(Modifier::BOLD)
    }
}
