//! What stands beside the board: players and clocks, the opening, moves, the hint, the graph of values.

use crate::{
    play::{
        plain::clock_text,
        tui::{
            parts::{Graph, hint_title, move_lines, section},
            state::{Style, View},
        },
    },
    text::value::{known_text, line_text},
};
use outflank_othello::{Color, Move};
use outflank_study::{
    play::{Seat, Turn},
    review::graph_limit,
};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style as CellStyle,
    text::Line,
    widgets::Paragraph,
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
    section(frame, moves, "Moves", view.style, moves_shown(view, moves));
    section(
        frame,
        hint,
        &hint_title(view.session.hint().is_some(), view.busy),
        view.style,
        hint_lines(view, hint),
    );
    section(frame, graph, &value_title(view), view.style, Vec::new());
    let below = Rect {
        y: graph.y + 1,
        height: graph.height - 1,
        ..graph
    };
    values(view).draw(frame, below, view.style);
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
        view.symbol(color),
        session.game().position().discs(color).count(),
    );
    let look = if turn { Style::strong() } else { CellStyle::new() };
    Line::styled(text.chars().take(usize::from(width)).collect::<String>(), look)
}

/// The moves around the position on the board that there is room for, with the marks of those that were judged.
fn moves_shown(view: &View<'_>, area: Rect) -> Vec<Line<'static>> {
    let game = view.session.whole();
    let judgments = view.session.judgments();
    let mark = |at: usize| judgments[at].map_or("", |judgment| judgment.mark().symbol());
    let is_marked = (0..judgments.len()).any(|at| !mark(at).is_empty());
    let name = |(at, mv): (usize, &Move)| match mv {
        Move::Place(square) => format!("{square}{}", mark(at)),
        Move::Pass => format!("--{}", mark(at)),
    };
    let moves: Vec<String> = game.moves().iter().enumerate().map(name).collect();
    let width = if is_marked { 5 } else { 3 };
    move_lines(&moves, view.session.game().moves().len(), width, area)
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

/// Black's value of every position that has one.
fn values(view: &View<'_>) -> Graph {
    let all = view.session.all_values();
    let values: Vec<(f64, f64)> = all
        .iter()
        .enumerate()
        .filter_map(|(at, value)| value.map(|value| (at as f64, value.discs)))
        .collect();
    let limit = graph_limit(values.iter().map(|&(_, discs)| discs));
    Graph {
        values,
        limit,
        labels: [format!("+{limit:.0}"), "0".to_owned(), format!("-{limit:.0}")]
            .map(|label| format!("{label:>3}")),
        end: ((all.len() - 1) as f64).max(60.0),
    }
}
