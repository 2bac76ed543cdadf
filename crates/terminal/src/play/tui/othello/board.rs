//! The board: discs told apart by shape as well as color, legal moves, the last move, the cursor, hints on squares.

use crate::play::tui::state::View;
use outflank_othello::{Bitboard, Color, Square};
use outflank_search::Verdict;
use outflank_study::play::Turn;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Color as Ink, Modifier, Style as CellStyle},
};

/// Columns of the labels beside the board.
const LABELS: u16 = 3;

/// Columns and rows of a square without the lines around it. A character is about twice as high as wide.
const fn square(scale: u16) -> (u16, u16) {
    (2 * scale + 1, scale)
}

/// Columns of the board: labels and eight squares between nine lines.
pub(super) const fn width(scale: u16) -> u16 {
    LABELS + 8 * (square(scale).0 + 1) + 1
}

/// Rows of the board: labels and eight squares between nine lines.
const fn height(scale: u16) -> u16 {
    1 + 8 * (square(scale).1 + 1) + 1
}

/// The greatest scale at which the board fits so many columns and rows; 1 is the least.
pub(super) fn scale(columns: u16, rows: u16) -> u16 {
    (2..=8)
        .take_while(|&scale| width(scale) <= columns && height(scale) <= rows)
        .last()
        .unwrap_or(1)
}

/// Dark green, black, white of the 256 colors that nearly every terminal has.
const FELT: Ink = Ink::Indexed(22);
const LINES: Ink = Ink::Indexed(71);
const BLACK: Ink = Ink::Indexed(16);
const WHITE: Ink = Ink::Indexed(231);
const MARK: Ink = Ink::Indexed(229);

/// Draws the board into the top left corner of `area`.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, scale: u16, view: &View<'_>) {
    let style = view.style;
    let (wide, high) = square(scale);
    let (left, top) = (area.x + LABELS, area.y + 1);
    let lines = if style.color {
        CellStyle::new().fg(LINES).bg(FELT)
    } else {
        CellStyle::new()
    };
    let bold = CellStyle::new().add_modifier(Modifier::BOLD);
    for (column, name) in ('a'..='h').enumerate() {
        let x = left + 1 + wide / 2 + (wide + 1) * column as u16;
        buffer.set_string(x, area.y, name.to_string(), bold);
    }
    let rule = |ends: [&str; 3], dash: &str| {
        let part = dash.repeat(usize::from(wide));
        let parts = vec![part; 8].join(ends[1]);
        format!("{}{parts}{}", ends[0], ends[2])
    };
    for row in 0..=8u16 {
        let ends = match row {
            _ if style.ascii => ["+", "+", "+"],
            0 => ["┌", "┬", "┐"],
            8 => ["└", "┴", "┘"],
            _ => ["├", "┼", "┤"],
        };
        let y = top + (high + 1) * row;
        buffer.set_string(left, y, rule(ends, style.or_ascii("─", "-")), lines);
    }
    let legal = match view.session.turn() {
        Turn::Choose(_) | Turn::Think(_) | Turn::Paused(_) => {
            view.session.game().position().board().legal_moves()
        }
        _ => Bitboard::EMPTY,
    };
    for row in 0..8u16 {
        let y = top + 1 + (high + 1) * row;
        buffer.set_string(left - 2, y + high / 2, (row + 1).to_string(), bold);
        for column in 0..=8u16 {
            for line in 0..high {
                buffer.set_string(
                    left + (wide + 1) * column,
                    y + line,
                    style.or_ascii("│", "|"),
                    lines,
                );
            }
        }
        for column in 0..8u16 {
            if let Some(square) = Square::from_coordinates(usize::from(column), usize::from(row)) {
                let x = left + 1 + (wide + 1) * column;
                let (text, ink) = cell(square, legal.contains(square), view);
                let color = view.session.game().position().disc_at(square);
                for (line, text) in (0..).zip(grown(&text, scale, color.map(|color| filling(color, view)))) {
                    buffer.set_string(x, y + line, text, ink);
                }
            }
        }
    }
}

/// Returns what a disc that is greater than a character is drawn with.
fn filling(color: Color, view: &View<'_>) -> &'static str {
    if view.style.glyphs() {
        "█"
    } else {
        view.symbol(color)
    }
}

/// Returns the lines of a square: the three characters of `text` in the middle, around them what the disc is filled with.
fn grown(text: &str, scale: u16, filling: Option<&str>) -> Vec<String> {
    let (wide, high) = square(scale);
    let margin = usize::from(wide - 3) / 2;
    if margin == 0 {
        return vec![text.to_owned()];
    }
    let fill = filling.unwrap_or(" ");
    let line = format!(" {} ", fill.repeat(usize::from(wide) - 2));
    // Brackets and values stay readable, and so does the symbol of the disc, which tells more than its color. Without
    // symbols the block is of letters.
    let is_letter = fill.is_ascii() && text.starts_with(' ') && filling.is_some();
    let side = fill.repeat(margin - 1);
    let middle = if is_letter {
        line.clone()
    } else {
        format!(" {side}{text}{side} ")
    };
    (0..high)
        .map(|row| {
            if row == high / 2 {
                middle.clone()
            } else {
                line.clone()
            }
        })
        .collect()
}

/// Returns the three characters of a square and how they look.
fn cell(square: Square, legal: bool, view: &View<'_>) -> (String, CellStyle) {
    let style = view.style;
    let game = view.session.game();
    let last = game.moves().iter().rev().find_map(|mv| mv.square());
    let disc_color = game.position().disc_at(square);
    let (middle, ink) = match disc_color {
        Some(Color::Black) => (view.symbol(Color::Black), BLACK),
        Some(Color::White) => (view.symbol(Color::White), WHITE),
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
