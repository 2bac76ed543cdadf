//! The game on a terminal: keys in, the screen drawn anew whenever something has changed.
//!
//! The engine thinks in its own thread, so that every key is answered at once.
//! The terminal is put back as it was on every way out: leaving, Ctrl-C, a request to terminate, an error,
//! a panic.

mod board;
mod keys;
mod panel;
mod state;
mod view;

use super::table::{Table, engine_move};
use crate::{
    engine::DefaultEvaluator,
    output::{self, Status},
    thinker::News,
};
use keys::App;
use outflank_othello_engine::Engine;
use outflank_study::play::Session;
use ratatui::{
    DefaultTerminal,
    crossterm::event::{self, Event},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, channel},
    },
    time::Duration,
};

/// How long to wait for a key before looking for news of the engine.
const WAIT: Duration = Duration::from_millis(40);

/// Runs a game until somebody leaves.
pub(super) fn run(session: Session, engine: Engine<DefaultEvaluator>, ascii: bool) -> anyhow::Result<Status> {
    let (sender, news) = channel();
    let loaded = !session.game().moves().is_empty();
    let table = Table::new(session, engine, move |told| {
        // Nobody listens any more after the end.
        let _unheard = sender.send(told);
    });
    let mut app = App::new(table);
    // Who looks at a game that was played wants to see how it went.
    app.table.session.fill_values(loaded);
    let style = state::Style {
        ascii,
        color: output::use_color(),
    };
    // Ctrl-C is a key here; this is for an interrupt from elsewhere. Only one handler can be set.
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    drop(ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)));
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))?;
    }
    // This also sees to it that a panic puts the terminal back before it is reported.
    let mut terminal = ratatui::try_init()?;
    let result = play(&mut terminal, &mut app, &news, style, &interrupted);
    let restored = ratatui::try_restore();
    let farewell = app.farewell();
    app.table.leave()?;
    result?;
    restored?;
    output::line(&farewell)?;
    Ok(Status::Success)
}

fn play(
    terminal: &mut DefaultTerminal,
    app: &mut App,
    news: &Receiver<News>,
    style: state::Style,
    interrupted: &AtomicBool,
) -> anyhow::Result<()> {
    while !app.is_over() && !interrupted.load(Ordering::Relaxed) {
        for told in news.try_iter() {
            if let Some((color, played)) = app.table.news(told)? {
                app.say(engine_move(color, &played));
            }
        }
        app.table.pump()?;
        app.watch();
        terminal.draw(|frame| view::draw(frame, &app.view(style)))?;
        if event::poll(WAIT)? {
            // What else was typed or pasted meanwhile is taken before the next drawing.
            loop {
                match event::read()? {
                    Event::Key(key) if key.is_press() || key.is_repeat() => app.key(key),
                    Event::Resize(..) => terminal.autoresize()?,
                    _ => {}
                }
                if app.is_over() || !event::poll(Duration::ZERO)? {
                    break;
                }
            }
        }
        if app.take_repaint() {
            terminal.clear()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
