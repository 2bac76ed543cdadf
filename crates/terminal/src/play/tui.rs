//! The game on a terminal: keys in, the screen drawn anew whenever something has changed.
//!
//! The engine thinks in its own thread, so that every key is answered at once.
//! The terminal is put back as it was on every way out: leaving, Ctrl-C, a request to terminate, an error,
//! a panic.

mod gomoku;
mod keys;
mod othello;
mod parts;
mod screen;
mod state;
mod view;

pub(super) use screen::OnScreen;

use super::{
    kept::Rescue,
    table::{News, Saving, Table},
};
use crate::{
    ending,
    output::{self, Status},
};
use keys::App;
use outflank_study::play::GameSession;
use ratatui::{
    DefaultTerminal,
    crossterm::{
        event::{self, DisableBracketedPaste, EnableBracketedPaste, Event},
        execute,
    },
    layout::Rect,
};
use std::{
    io::stdout,
    mem::ManuallyDrop,
    sync::{
        atomic::Ordering,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Duration,
};

/// How long to wait for something to happen before clocks are drawn anew.
const WAIT: Duration = Duration::from_millis(40);
/// What comes within this time of something else belongs to it.
const TOGETHER: Duration = Duration::from_millis(2);
/// How often the thread that reads keys lets go of them.
const LOOK: Duration = Duration::from_millis(200);

/// The screen, whose cursor is shown again at the end.
///
/// The library would do that, too, but complains to a terminal that is gone, which is a panic.
struct Screen(ManuallyDrop<DefaultTerminal>);

impl Drop for Screen {
    fn drop(&mut self) {
        let _unseen = self.0.show_cursor();
    }
}

/// What happens at the table.
enum Happening<G: OnScreen> {
    /// A key, something pasted, another size.
    Input(Event),
    News(News<G>),
    /// The terminal is gone, or somebody wants the program to end.
    Leave,
}

/// Runs a game until somebody leaves.
pub(super) fn run<G: OnScreen>(
    session: GameSession<G>,
    engine: G::Engine,
    saving: &Saving<'_>,
    ascii: bool,
) -> anyhow::Result<Status> {
    let (sender, happenings) = channel::<Happening<G>>();
    let loaded = !session.moves().is_empty();
    let from_engine = sender.clone();
    let mut table = Table::new(session, engine, move |told| {
        // Nobody listens any more after the end.
        let _unheard = from_engine.send(Happening::News(told));
    });
    saving.arrange(&mut table)?;
    let (kept, last) = (table.kept(), table.kept());
    let rescue = Rescue::new(table.kept());
    let mut app = App::new(table);
    // Who looks at a game that was played wants to see how it went.
    app.table.session.fill_values(loaded);
    let style = state::Style {
        ascii,
        color: output::use_color(),
    };
    let waker = sender.clone();
    let wake = move || {
        let _unheard = waker.send(Happening::Leave);
    };
    // Ctrl-C is a key here; this is for what comes from elsewhere.
    let asked = ending::watch(wake, move || {
        drop(last.save());
        drop(ratatui::try_restore());
    })?;
    // This also sees to it that a panic puts the terminal back before it is reported.
    let mut screen = Screen(ManuallyDrop::new(ratatui::try_init()?));
    let result = execute!(stdout(), EnableBracketedPaste)
        .map_err(Into::into)
        .and_then(|()| {
            thread::spawn(move || read_keys(&sender));
            play(&mut screen.0, &mut app, &happenings, style)
        });
    let unmarked = execute!(stdout(), DisableBracketedPaste);
    let restored = ratatui::try_restore();
    let mut farewell = app.farewell();
    if result.is_ok() {
        rescue.stand_down();
    }
    // The first to notice may be a drawing that nobody sees.
    if asked.load(Ordering::Relaxed) || result.is_err() && ending::has_hung_up() {
        kept.save()?;
        app.table.leave()?;
        return Ok(Status::CheckFailed);
    }
    if let Some(saved) = app.table.save_by_itself()? {
        farewell = format!("{farewell}\n{saved}");
    }
    app.table.leave()?;
    result?;
    unmarked?;
    restored?;
    output::line(&farewell)?;
    Ok(Status::Success)
}

/// Hands on what is typed, for as long as somebody listens.
///
/// This is a thread of its own because the library goes on reading for ever from a terminal that is gone.
fn read_keys<G: OnScreen>(sender: &Sender<Happening<G>>) {
    loop {
        let happening = match event::poll(LOOK) {
            Ok(false) => continue,
            Ok(true) => event::read().map_or(Happening::Leave, Happening::Input),
            Err(_) => Happening::Leave,
        };
        let is_end = matches!(happening, Happening::Leave);
        if sender.send(happening).is_err() || is_end {
            return;
        }
    }
}

fn play<G: OnScreen>(
    terminal: &mut DefaultTerminal,
    app: &mut App<G>,
    happenings: &Receiver<Happening<G>>,
    style: state::Style,
) -> anyhow::Result<()> {
    while !app.is_over() {
        app.table.pump()?;
        app.watch();
        terminal.draw(|frame| view::draw(frame, &app.view(style)))?;
        // What comes together is taken before the next drawing.
        let mut keys = Vec::new();
        let mut wait = WAIT;
        loop {
            match happenings.recv_timeout(wait) {
                Ok(Happening::Input(Event::Key(key))) if key.is_press() || key.is_repeat() => keys.push(key),
                Ok(Happening::Input(Event::Paste(text))) => {
                    app.keys(&std::mem::take(&mut keys));
                    app.paste(&text);
                }
                Ok(Happening::Input(Event::Resize(..))) => terminal.autoresize()?,
                Ok(Happening::Input(_)) => {}
                Ok(Happening::News(told)) => {
                    if let Some(played) = app.table.news(told)? {
                        app.say(played);
                    }
                    // An engine that has much to tell does not keep the screen from being drawn.
                    break;
                }
                Ok(Happening::Leave) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => break,
            }
            wait = TOGETHER;
        }
        app.keys(&keys);
        if app.take_repaint() {
            let size = terminal.size()?;
            terminal.resize(Rect::new(0, 0, size.width, size.height))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_gomoku;
