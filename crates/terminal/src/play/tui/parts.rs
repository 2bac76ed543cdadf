//! Parts of a panel that both games have: titles, moves in lines, the graph of values.

use super::state::Style;
use outflank_study::play::Purpose;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::{Color as Ink, Modifier, Style as CellStyle},
    symbols::{Marker, border},
    text::{Line, Span},
    widgets::{
        Paragraph,
        canvas::{Canvas, Line as Stroke, Points},
    },
};
use std::time::Duration;

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

/// A title with a rule, and lines below it.
pub(super) fn section(frame: &mut Frame<'_>, area: Rect, title: &str, style: Style, lines: Vec<Line<'_>>) {
    let dash = style.or_ascii("─", "-");
    let rule = usize::from(area.width).saturating_sub(title.chars().count() + 4);
    let mut all = vec![Line::from(vec![
        Span::raw(dash),
        Span::styled(format!(" {title} "), Style::strong()),
        Span::raw(dash.repeat(rule)),
    ])];
    all.extend(lines);
    frame.render_widget(Paragraph::new(all), area);
}

/// Returns the moves around the position after `at` of them that there is room for below a title, each `width` columns
/// wide and an even number to a line, which begins with the number of its first; those that follow are dim.
pub(super) fn move_lines(moves: &[String], at: usize, width: usize, area: Rect) -> Vec<Line<'static>> {
    let per_line = (usize::from(area.width).saturating_sub(4) / width).max(1) & !1;
    let rows = usize::from(area.height).saturating_sub(1);
    let last_row = if at == moves.len() {
        moves.len().div_ceil(per_line)
    } else {
        (at / per_line + rows / 2 + 1)
            .min(moves.len().div_ceil(per_line))
            .max(rows)
    };
    let text = |name: &String| format!("{name:<width$}");
    let dim = CellStyle::new().add_modifier(Modifier::DIM);
    (last_row.saturating_sub(rows)..last_row)
        .map(|row| {
            let first = row * per_line;
            let end = (first + per_line).min(moves.len());
            let part = |from: usize, to: usize| -> String {
                moves.get(from..to).unwrap_or_default().iter().map(text).collect()
            };
            Line::from(vec![
                Span::raw(format!("{:>3} {}", first + 1, part(first, end.min(at)))),
                Span::styled(part(first.max(at), end), dim),
            ])
        })
        .collect()
}

/// Returns the title of the hint: whether one was asked for, and how long its search has run.
pub(super) fn hint_title(is_asked: bool, busy: Option<(Purpose, &str, Duration)>) -> String {
    match busy {
        _ if !is_asked => "Hint (Tab)".to_owned(),
        Some((Purpose::Hint { .. }, _, time)) => {
            format!("Hint, searching {} s (Esc ends it)", time.as_secs())
        }
        _ => "Hint".to_owned(),
    }
}

/// What a graph shows.
pub(super) struct Graph {
    /// The values, each at its place; 0 is the middle.
    pub(super) values: Vec<(f64, f64)>,
    /// The greatest value that is shown.
    pub(super) limit: f64,
    /// What stands at the top, in the middle and at the bottom: three columns.
    pub(super) labels: [String; 3],
    /// The last place.
    pub(super) end: f64,
}

impl Graph {
    /// Draws the values from the left to the right.
    pub(super) fn draw(&self, frame: &mut Frame<'_>, area: Rect, style: Style) {
        let [labels, plot] = Layout::horizontal([Constraint::Length(4), Constraint::Min(10)]).areas(area);
        let middle = usize::from(area.height / 2);
        let last = usize::from(area.height).saturating_sub(1);
        let names: Vec<Line<'_>> = (0..=last)
            .map(|row| {
                Line::raw(match row {
                    0 => self.labels[0].clone(),
                    _ if row == middle => self.labels[1].clone(),
                    _ if row == last => self.labels[2].clone(),
                    _ => String::new(),
                })
            })
            .collect();
        frame.render_widget(Paragraph::new(names), labels);
        let marker = if style.ascii {
            Marker::Custom('*')
        } else {
            Marker::Braille
        };
        // The rule at zero is of characters, so that it does not run into the curve.
        let rule = style.or_ascii("·", ".").repeat(usize::from(plot.width));
        frame.buffer_mut().set_string(
            plot.x,
            plot.y + middle as u16,
            rule,
            CellStyle::new().add_modifier(Modifier::DIM),
        );
        let ink = if style.color { Ink::Indexed(39) } else { Ink::Reset };
        let canvas = Canvas::default()
            .marker(marker)
            .x_bounds([0.0, self.end])
            .y_bounds([-self.limit, self.limit])
            .paint(|context| {
                for pair in self.values.windows(2) {
                    context.draw(&Stroke::new(pair[0].0, pair[0].1, pair[1].0, pair[1].1, ink));
                }
                context.draw(&Points::new(&self.values, ink));
            });
        frame.render_widget(canvas, plot);
    }
}
