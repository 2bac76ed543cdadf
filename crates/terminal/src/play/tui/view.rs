//! The whole screen: title, board, panel, status, and where keys go.

use super::{
    board, panel,
    state::{Mode, Prompt, Question, Style, View, disc},
};
use crate::play::{command::HELP, table};
use outflank_othello::Color;
use outflank_study::play::{Seat, Turn};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Position, Rect},
    style::{Modifier, Style as CellStyle},
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph, Wrap},
};
use std::time::Duration;

/// The least terminal that shows everything.
pub(super) const LEAST: (u16, u16) = (80, 24);

/// Columns that the panel beside the board needs.
const PANEL: u16 = 40;

/// Draws the screen.
pub(super) fn draw(frame: &mut Frame<'_>, view: &View<'_>) {
    let area = frame.area();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        too_small(frame, area);
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
    let scale = board::scale(middle.width.saturating_sub(PANEL + 2), middle.height);
    let [left, right] = Layout::horizontal([
        Constraint::Length(board::width(scale) + 2),
        Constraint::Min(PANEL),
    ])
    .areas(middle);
    let bar = CellStyle::new().add_modifier(Modifier::REVERSED);
    frame.render_widget(Paragraph::new(title_text(view)).style(bar), title);
    board::draw(frame.buffer_mut(), left, scale, view);
    panel::draw(frame, right, view);
    let bold = CellStyle::new().add_modifier(Modifier::BOLD);
    frame.render_widget(
        Paragraph::new(format!(" {}", status_text(view))).style(bold),
        status,
    );
    frame.render_widget(Paragraph::new(format!(" {}", view.message)), message);
    input_line(frame, input, view);
    frame.render_widget(Paragraph::new(key_line(view)), keys);
    if *view.mode == Mode::Help {
        help(frame, area, view.style);
    }
}

fn too_small(frame: &mut Frame<'_>, area: Rect) {
    let text = format!(
        "This terminal is {} by {} characters; the board needs {} by {}. Make it larger, or play line by line with \
         outflank play --plain. q leaves.",
        area.width, area.height, LEAST.0, LEAST.1
    );
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}

fn title_text(view: &View<'_>) -> String {
    let options = view.session.options();
    let time = options
        .move_time
        .map_or_else(String::new, |time| format!(", {} s a move", time.as_secs_f64()));
    let moves = view.session.game().moves().len();
    let ahead = match view.session.moves_ahead() {
        0 => String::new(),
        ahead => format!(" of {}", moves + ahead),
    };
    format!(
        " Outflank {dash} level {}{time} {dash} {} {dash} move {moves}{ahead}",
        options.level,
        match options.seats {
            [Seat::Person, Seat::Engine] => "you are black",
            [Seat::Engine, Seat::Person] => "you are white",
            [Seat::Person, Seat::Person] => "two people",
            [Seat::Engine, Seat::Engine] => "the engine plays itself",
        },
        dash = view.style.or_ascii("—", "-"),
    )
}

/// Whose turn it is, and what can be done about it.
fn status_text(view: &View<'_>) -> String {
    let session = view.session;
    let name = |color: Color| {
        let name = color.to_string();
        let (first, rest) = name.split_at(1);
        format!("{} {}{rest}", disc(color, view.style), first.to_uppercase())
    };
    match session.turn() {
        Turn::Choose(color) => {
            let moves = session.game().position().legal_moves().len();
            let plural = if moves == 1 { "" } else { "s" };
            format!("{} to move: {moves} move{plural}", name(color))
        }
        Turn::Pass(color) => format!("{} has no move and must pass: press Enter", name(color)),
        Turn::Paused(color) => format!(
            "{} to move; the engine waits (m: it moves, End: the end)",
            name(color)
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
            let text = table::status(session);
            let (first, rest) = text.split_at(1);
            format!("{}{rest}", first.to_uppercase())
        }
    }
}

fn input_line(frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let (label, text) = match view.mode {
        Mode::Board(None) | Mode::Help => (" ".to_owned(), String::new()),
        Mode::Board(Some(column)) => (" Square: ".to_owned(), column.to_string()),
        Mode::Prompt(Prompt::Save, text) => {
            (" Save to (.ggf .sgf .txt .obf .wtb): ".to_owned(), text.clone())
        }
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
        Mode::Confirm(Question::Load(_)) => (
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
fn key_line(view: &View<'_>) -> Line<'static> {
    let dim = CellStyle::new().add_modifier(Modifier::DIM);
    let keys = [
        (view.style.or_ascii("f5/←↑↓→", "f5/arrows"), "play"),
        ("Tab", "hint"),
        ("u", "undo"),
        ("r", "redo"),
        ("s", "save"),
        ("o", "load"),
        ("+-", "level"),
        ("F1", "help"),
        ("q", "quit"),
    ];
    let mut spans = vec![Span::raw(" ")];
    for (key, what) in keys {
        spans.push(Span::styled(key, CellStyle::new().add_modifier(Modifier::BOLD)));
        spans.push(Span::styled(format!(" {what} "), dim));
    }
    Line::from(spans)
}

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

fn help(frame: &mut Frame<'_>, area: Rect, style: Style) {
    let text = format!("{KEYS}{HELP}");
    let (width, height) = (area.width.min(90), text.lines().count() as u16 + 2);
    let page = Rect {
        x: (area.width - width) / 2,
        y: (area.height.saturating_sub(height)) / 2,
        width,
        height: height.min(area.height),
    };
    let block = Block::bordered().title(" Help: any key closes it ");
    let block = if style.ascii {
        block.border_set(board::ASCII_BORDER)
    } else {
        block
    };
    frame.render_widget(Clear, page);
    frame.render_widget(Paragraph::new(text).block(block), page);
}
