//! What stands beside the board: players and clocks, the opening, moves, the hint, the graph of values.

use super::state::{Style, View, disc};
use crate::{
    play::plain::clock_text,
    text::value::{known_text, line_text},
};
use outflank_othello::{Color, Move};
use outflank_study::{
    play::{Purpose, Seat, Turn},
    review::graph_limit,
};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::{Color as Ink, Modifier, Style as CellStyle},
    symbols::Marker,
    text::{Line, Span},
    widgets::{
        Paragraph,
        canvas::{Canvas, Line as Stroke, Points},
    },
};

/// Draws the panel.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let [players, opening, moves, hint, graph] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Length(1),
        // More of everything where there is room.
        Constraint::Length(4 + area.height.saturating_sub(19) / 3),
        Constraint::Length(5 + area.height.saturating_sub(19) / 6),
        Constraint::Min(7),
    ])
    .areas(area);
    let rows = [Color::Black, Color::White].map(|color| player(color, view, players.width));
    frame.render_widget(Paragraph::new(rows.to_vec()), players);
    frame.render_widget(Paragraph::new(opening_line(view, opening.width)), opening);
    section(frame, moves, "Moves", view.style, move_lines(view, moves));
    section(frame, hint, &hint_title(view), view.style, hint_lines(view, hint));
    section(frame, graph, &value_title(view), view.style, Vec::new());
    draw_graph(
        frame,
        Rect {
            y: graph.y + 1,
            height: graph.height - 1,
            ..graph
        },
        view,
    );
}

/// The name of the opening, in both languages if there is room.
fn opening_line(view: &View<'_>, width: u16) -> Line<'static> {
    let Some(opening) = view.session.opening() else {
        return Line::raw("Opening:");
    };
    let both = Line::raw(format!("Opening: {}", opening.name));
    if both.width() <= usize::from(width) && !view.style.ascii {
        both
    } else {
        Line::raw(format!("Opening: {}", opening.name.best()))
    }
}

/// A title with a rule, and lines below it.
fn section(frame: &mut Frame<'_>, area: Rect, title: &str, style: Style, lines: Vec<Line<'_>>) {
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

/// One row for a player: whose turn, disc, name, number of discs, clock.
fn player(color: Color, view: &View<'_>, width: u16) -> Line<'static> {
    let session = view.session;
    let turn = match session.turn() {
        Turn::Choose(side) | Turn::Pass(side) | Turn::Think(side) | Turn::Paused(side) => side == color,
        Turn::Over | Turn::TimeOut(_) => false,
    };
    let name = match session.seat(color) {
        Seat::Person => "you".to_owned(),
        Seat::Engine => format!("Outflank {}", session.options().level),
    };
    let clock = session
        .time_left(color, view.now)
        .map(clock_text)
        .unwrap_or_default();
    let text = format!(
        "{} {} {color} {name:<14}{:>4} discs {clock:>7}",
        if turn {
            view.style.or_ascii("▶", ">")
        } else {
            " "
        },
        disc(color, view.style),
        session.game().position().discs(color).count(),
    );
    let look = if turn { Style::strong() } else { CellStyle::new() };
    Line::styled(text.chars().take(usize::from(width)).collect::<String>(), look)
}

/// The moves around the position on the board that there is room for, numbered by the line, with the marks of those that
/// were judged.
fn move_lines(view: &View<'_>, area: Rect) -> Vec<Line<'static>> {
    let game = view.session.whole();
    let judgments = view.session.judgments();
    let mark = |at: usize| judgments[at].map_or("", |judgment| judgment.mark().symbol());
    let is_marked = (0..judgments.len()).any(|at| !mark(at).is_empty());
    let width = if is_marked { 5 } else { 3 };
    let per_line = (usize::from(area.width).saturating_sub(4) / width).max(1) & !1;
    let rows = usize::from(area.height).saturating_sub(1);
    let at = view.session.game().moves().len();
    let moves = game.moves();
    let last_row = if at == moves.len() {
        moves.len().div_ceil(per_line)
    } else {
        (at / per_line + rows / 2 + 1)
            .min(moves.len().div_ceil(per_line))
            .max(rows)
    };
    let text = |at: usize| {
        let name = match moves[at] {
            Move::Place(square) => square.to_string(),
            Move::Pass => "--".to_owned(),
        };
        format!("{:<width$}", name + mark(at))
    };
    let dim = CellStyle::new().add_modifier(Modifier::DIM);
    (last_row.saturating_sub(rows)..last_row)
        .map(|row| {
            let first = row * per_line;
            let end = (first + per_line).min(moves.len());
            let made: String = (first..end.min(at)).map(text).collect();
            let follow: String = (first.max(at)..end).map(text).collect();
            Line::from(vec![
                Span::raw(format!("{:>3} {made}", first + 1)),
                Span::styled(follow, dim),
            ])
        })
        .collect()
}

fn hint_title(view: &View<'_>) -> String {
    match (view.session.hint(), view.busy) {
        (None, _) => "Hint (Tab)".to_owned(),
        (Some(_), Some((Purpose::Hint { .. }, _, time))) => {
            format!("Hint, searching {} s (Esc ends it)", time.as_secs())
        }
        (Some(_), _) => "Hint".to_owned(),
    }
}

/// The best moves with what they are worth: exact, or an estimate with its depth and confidence.
fn hint_lines(view: &View<'_>, area: Rect) -> Vec<Line<'static>> {
    let Some(hint) = view.session.hint() else {
        return Vec::new();
    };
    let width = usize::from(area.width);
    hint.lines()
        .iter()
        .take(usize::from(area.height).saturating_sub(1))
        .map(|line| {
            let text = line_text(line, width);
            Line::raw(if view.style.ascii {
                text.replace('…', "")
            } else {
                text
            })
        })
        .collect()
}

/// What the position on the board is worth for black.
fn value_title(view: &View<'_>) -> String {
    match view.session.values().last().copied().flatten() {
        Some(value) => format!("Black's value: {}", known_text(value)),
        None => "Black's value".to_owned(),
    }
}

/// Draws black's value of every position that has one, from the left to the right.
fn draw_graph(frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let values: Vec<(f64, f64)> = view
        .session
        .all_values()
        .iter()
        .enumerate()
        .filter_map(|(at, value)| value.map(|value| (at as f64, value.discs)))
        .collect();
    let limit = graph_limit(values.iter().map(|&(_, discs)| discs));
    let [labels, plot] = Layout::horizontal([Constraint::Length(4), Constraint::Min(10)]).areas(area);
    let middle = usize::from(area.height / 2);
    let last = usize::from(area.height).saturating_sub(1);
    let names: Vec<Line<'_>> = (0..=last)
        .map(|row| {
            Line::raw(match row {
                0 => format!("{:>3}", format!("+{limit:.0}")),
                _ if row == middle => "  0".to_owned(),
                _ if row == last => format!("{:>3}", format!("-{limit:.0}")),
                _ => String::new(),
            })
        })
        .collect();
    frame.render_widget(Paragraph::new(names), labels);
    let marker = if view.style.ascii {
        Marker::Custom('*')
    } else {
        Marker::Braille
    };
    let end = ((view.session.all_values().len() - 1) as f64).max(60.0);
    // The rule at zero is of characters, so that it does not run into the curve.
    let rule = view.style.or_ascii("·", ".").repeat(usize::from(plot.width));
    frame.buffer_mut().set_string(
        plot.x,
        plot.y + middle as u16,
        rule,
        CellStyle::new().add_modifier(Modifier::DIM),
    );
    let ink = if view.style.color {
        Ink::Indexed(39)
    } else {
        Ink::Reset
    };
    let canvas = Canvas::default()
        .marker(marker)
        .x_bounds([0.0, end])
        .y_bounds([-limit, limit])
        .paint(|context| {
            for pair in values.windows(2) {
                context.draw(&Stroke::new(pair[0].0, pair[0].1, pair[1].0, pair[1].1, ink));
            }
            context.draw(&Points::new(&values, ink));
        });
    frame.render_widget(canvas, plot);
}
