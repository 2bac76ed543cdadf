//! What stands beside the board: players and clocks, the value, moves, the hint, the graph of chances.

use crate::{
    play::{
        gomoku::{balance, chance_text},
        plain::clock_text,
        tui::{
            parts::{Graph, hint_title, move_lines, section},
            state::{Style, View},
        },
    },
    text::gomoku::{points, value},
};
use outflank_gomoku::{Color, Point};
use outflank_gomoku_engine::Value;
use outflank_search::Verdict;
use outflank_study::play::{
    Seat,
    gomoku::{Game, Hint, Turn},
};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style as CellStyle,
    text::Line,
    widgets::Paragraph,
};

/// Draws the panel.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, view: &View<'_, Game>) {
    let [players, known, moves, hint, graph] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Length(1),
        // More of everything where there is room.
        Constraint::Length(4 + area.height.saturating_sub(19) / 3),
        Constraint::Length(5 + area.height.saturating_sub(19) / 6),
        Constraint::Min(7),
    ])
    .areas(area);
    let rows = Color::BOTH.map(|color| player(color, view, players.width));
    frame.render_widget(Paragraph::new(rows.to_vec()), players);
    frame.render_widget(Paragraph::new(known_line(view)), known);
    let names: Vec<String> = view
        .session
        .whole()
        .moves()
        .iter()
        .map(Point::to_string)
        .collect();
    let lines = move_lines(&names, view.session.moves().len(), 4, moves);
    section(frame, moves, "Moves", view.style, lines);
    section(
        frame,
        hint,
        &hint_title(view.session.hint().is_some(), view.busy),
        view.style,
        hint_lines(view, hint),
    );
    section(frame, graph, "Black's chance to win in %", view.style, Vec::new());
    let chances = Graph {
        values: balance(view.session)
            .into_iter()
            .enumerate()
            .filter_map(|(at, balance)| Some((at as f64, balance?)))
            .collect(),
        limit: 50.0,
        labels: ["100", " 50", "  0"].map(str::to_owned),
        end: ((names.len()) as f64).max(30.0),
    };
    let below = Rect {
        y: graph.y + 1,
        height: graph.height - 1,
        ..graph
    };
    chances.draw(frame, below, view.style);
}

/// One row for a player: whose turn, stone, name, clock.
fn player(color: Color, view: &View<'_, Game>, width: u16) -> Line<'static> {
    let session = view.session;
    let turn = match session.turn() {
        Turn::Choose(side) | Turn::Pass(side) | Turn::Think(side) | Turn::Paused(side) => side == color,
        Turn::Over | Turn::TimeOut(_) => false,
    };
    let name = match session.seat(color) {
        Seat::Person => "you".to_owned(),
        Seat::Engine => format!("Outflank, {}", session.strength()),
    };
    let clock = session
        .time_left(color, view.now)
        .map(clock_text)
        .unwrap_or_default();
    let mark = if turn {
        view.style.or_ascii("▶", ">")
    } else {
        " "
    };
    let left = format!("{mark} {} {color} {name}", view.symbol(color));
    let room = usize::from(width).saturating_sub(clock.len() + 1);
    let left: String = left.chars().take(room).collect();
    let text = format!("{left:<room$} {clock}");
    let look = if turn { Style::strong() } else { CellStyle::new() };
    Line::styled(text.trim_end().to_owned(), look)
}

/// What the last search said, and of which position.
fn known_line(view: &View<'_, Game>) -> Line<'static> {
    let Some((at, known)) = view.session.last_known() else {
        return Line::raw("Value:");
    };
    let worth = match known.verdict {
        _ if matches!(known.value, Value::Win(0) | Value::Loss(0)) => String::new(),
        Verdict::WinLossDraw | Verdict::Exact => ", proven".to_owned(),
        Verdict::Estimate { depth, .. } => format!(", depth {depth}"),
        Verdict::AtLeast | Verdict::AtMost | Verdict::Aborted => String::new(),
    };
    let place = if at == view.session.moves().len() {
        String::new()
    } else {
        format!(" after {at}")
    };
    let text = chance_text(&known);
    let (first, rest) = text.split_at(1);
    Line::raw(format!("{}{rest}{worth}{place}", first.to_uppercase()))
}

/// The best moves, numbered as on the board, with what they are worth to the side to move and what may follow.
fn hint_lines(view: &View<'_, Game>, area: Rect) -> Vec<Line<'static>> {
    let lines = view.session.hint().map(Hint::lines).unwrap_or_default();
    lines
        .iter()
        .take(usize::from(area.height).saturating_sub(1))
        .zip(1..)
        .map(|(line, rank)| {
            let text = format!(" {rank} {:>7}  {}", value(line.value), points(&line.moves));
            let mut shown: String = text.chars().take(usize::from(area.width)).collect();
            if shown.len() < text.len() {
                // No move is cut in two.
                shown.truncate(shown.rfind(' ').unwrap_or(shown.len()));
            }
            Line::raw(shown)
        })
        .collect()
}
