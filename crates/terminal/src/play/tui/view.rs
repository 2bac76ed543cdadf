//! The whole screen: title, board, panel, status, and where keys go.

use super::{
    parts::ASCII_BORDER,
    screen::OnScreen,
    state::{Mode, Prompt, Question, Style, View},
};
use outflank_study::play::{Seat, Turn};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Position, Rect},
    style::{Modifier, Style as CellStyle},
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph, Wrap},
};
use std::time::Duration;

/// Draws the screen.
pub(super) fn draw<G: OnScreen>(frame: &mut Frame<'_>, view: &View<'_, G>) {
    let area = frame.area();
    let least = view.session.game().least();
    if area.width < least.0 || area.height < least.1 {
        too_small(frame, area, least);
        return;
    }
    let [title, middle, status, message, input, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(19),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(area);
    let scale = view.session.game().scale(middle.width, middle.height);
    let [left, right] = Layout::horizontal([
        Constraint::Length(view.session.game().width(scale) + 2),
        Constraint::Min(1),
    ])
    .areas(middle);
    let bar = CellStyle::new().add_modifier(Modifier::REVERSED);
    frame.render_widget(Paragraph::new(title_text(view)).style(bar), title);
    G::draw_board(frame.buffer_mut(), left, scale, view);
    G::draw_panel(frame, right, view);
    let bold = CellStyle::new().add_modifier(Modifier::BOLD);
    frame.render_widget(
        Paragraph::new(format!(" {}", status_text(view))).style(bold),
        status,
    );
    frame.render_widget(Paragraph::new(format!(" {}", view.message)), message);
    input_line(frame, input, view);
    frame.render_widget(Paragraph::new(key_line(view)), keys);
    if *view.mode == Mode::Help {
        help::<G>(frame, area, view.style);
    }
}

fn too_small(frame: &mut Frame<'_>, area: Rect, least: (u16, u16)) {
    let text = format!(
        "This terminal is {} by {} characters; the board needs {} by {}. Make it larger, or play line by line with \
         --plain. Ctrl-C leaves.",
        area.width, area.height, least.0, least.1
    );
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}

fn title_text<G: OnScreen>(view: &View<'_, G>) -> String {
    let (moves, ahead) = (view.session.moves().len(), view.session.moves_ahead());
    let ahead = match ahead {
        0 => String::new(),
        ahead => format!(" of {}", moves + ahead),
    };
    let dash = view.style.or_ascii("—", "-");
    format!(
        " Outflank {dash} {} {dash} {} {dash} move {moves}{ahead}",
        G::about(view.session, dash),
        match view.session.options().seats {
            [Seat::Person, Seat::Engine] => "you are black",
            [Seat::Engine, Seat::Person] => "you are white",
            [Seat::Person, Seat::Person] => "two people",
            [Seat::Engine, Seat::Engine] => "the engine plays itself",
        },
    )
}

/// Whose turn it is, and what can be done about it.
fn status_text<G: OnScreen>(view: &View<'_, G>) -> String {
    let session = view.session;
    let name = |color: G::Color| {
        let name = color.to_string();
        let (first, rest) = name.split_at(1);
        format!("{} {}{rest}", view.symbol(color), first.to_uppercase())
    };
    match session.turn() {
        Turn::Choose(color) => format!("{} to move: {}", name(color), G::choices(session)),
        Turn::Pass(color) => format!("{} has no move and must pass: press Enter", name(color)),
        Turn::Paused(color) => format!(
            "{} to move; the engine waits ({}: it moves, End: the end)",
            name(color),
            G::GO
        ),
        Turn::Think(color) => {
            let time = view.busy.map_or(Duration::ZERO, |(_, _, time)| time);
            let dots = view.style.or_ascii("…", "...");
            format!(
                "{} is thinking{dots} {} s (Esc: move now)",
                name(color),
                time.as_secs()
            )
        }
        Turn::Over | Turn::TimeOut(_) => {
            let text = G::status(session);
            let (first, rest) = text.split_at(1);
            format!("{}{rest}", first.to_uppercase())
        }
    }
}

fn input_line<G: OnScreen>(frame: &mut Frame<'_>, area: Rect, view: &View<'_, G>) {
    let (label, text) = match view.mode {
        Mode::Board(None) | Mode::Help => (" ".to_owned(), String::new()),
        Mode::Board(Some(column)) => (format!(" {}: ", G::PLACE), column.clone()),
        Mode::Prompt(Prompt::Save, text) => (format!(" Save to ({}): ", G::FILES), text.clone()),
        Mode::Prompt(Prompt::Load, text) => (" Load a file or any notation: ".to_owned(), text.clone()),
        Mode::Prompt(Prompt::Command, text) => (" :".to_owned(), text.clone()),
        Mode::Confirm(Question::Quit) => (
            " The game is not saved. Leave it? (y/n) ".to_owned(),
            String::new(),
        ),
        Mode::Confirm(Question::New) => (
            " The game is not saved. Start a new one? (y/n) ".to_owned(),
            String::new(),
        ),
        Mode::Confirm(Question::Load(..)) => (
            " The game is not saved. Load another one? (y/n) ".to_owned(),
            String::new(),
        ),
        Mode::Confirm(Question::Overwrite(path)) => (" Overwrite it? (y/n) ".to_owned(), path.clone()),
    };
    let text = text.replace(['\n', '\t'], view.style.or_ascii("↵", "|"));
    // The end of a long text is what is being typed.
    let room = usize::from(area.width).saturating_sub(label.chars().count() + 1);
    let skip = text.chars().count().saturating_sub(room);
    let shown: String = text.chars().skip(skip).collect();
    let bold = CellStyle::new().add_modifier(Modifier::BOLD);
    let line = Line::from(vec![Span::styled(label, bold), Span::raw(shown)]);
    let width = line.width() as u16;
    frame.render_widget(Paragraph::new(line), area);
    if !matches!(view.mode, Mode::Board(None) | Mode::Help) {
        let column = (area.x + width).min(area.right().saturating_sub(1));
        frame.set_cursor_position(Position::new(column, area.y));
    }
}

/// The keys that matter now.
fn key_line<G: OnScreen>(view: &View<'_, G>) -> Line<'static> {
    let dim = CellStyle::new().add_modifier(Modifier::DIM);
    let mut spans = vec![Span::raw(" ")];
    for (key, what) in G::key_hints(view.style) {
        spans.push(Span::styled(key, CellStyle::new().add_modifier(Modifier::BOLD)));
        spans.push(Span::styled(format!(" {what} "), dim));
    }
    Line::from(spans)
}

fn help<G: OnScreen>(frame: &mut Frame<'_>, area: Rect, style: Style) {
    let text = format!("{}{}", G::KEYS, G::HELP);
    let (width, height) = (area.width.min(90), text.lines().count() as u16 + 2);
    let page = Rect {
        x: (area.width - width) / 2,
        y: (area.height.saturating_sub(height)) / 2,
        width,
        height: height.min(area.height),
    };
    let block = Block::bordered().title(" Help: any key closes it ");
    let block = if style.ascii {
        block.border_set(ASCII_BORDER)
    } else {
        block
    };
    frame.render_widget(Clear, page);
    frame.render_widget(Paragraph::new(text).block(block), page);
}
