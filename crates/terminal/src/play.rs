//! A game against the engine, or between two people.
//!
//! The game itself is a session of `study`, which `othello` and `gomoku` put into words; what everything else needs of it
//! is `sitting`. `table` joins it with the engine's thread and the clock, `kept` sees to it that no end loses it.
//! What is typed is understood by `command`; two front-ends show the same game: `tui` on a terminal, `plain` line by
//! line everywhere else.

mod command;
mod files;
mod gomoku;
mod kept;
mod othello;
mod plain;
mod sitting;
mod table;
mod tui;

pub use command::Seats;
pub use table::Saving;

use crate::output::{Status, is_dumb};
use outflank_eval::Patterns;
use outflank_gomoku_engine::Engine as GomokuEngine;
use outflank_othello_engine::Engine;
use outflank_records::GameRecord;
use outflank_study::{
    opening::Booked,
    play::{GameSession, Session, gomoku::Session as GomokuSession},
};
use std::io::{self, IsTerminal as _};
use tui::OnScreen;

/// How a game is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Line by line, even on a terminal.
    pub plain: bool,
    /// With letters and other characters of ASCII only.
    pub ascii: bool,
}

/// Plays Othello until somebody leaves.
///
/// # Errors
///
/// The engine has failed, or the game cannot be shown or saved.
pub fn run(
    session: Session,
    engine: Booked<Engine<Patterns>>,
    saving: &Saving<'_>,
    manner: Manner,
) -> anyhow::Result<Status> {
    show(session, engine, saving, manner)
}

/// Plays Gomoku until somebody leaves.
///
/// # Errors
///
/// The engine has failed, or the game cannot be shown or saved.
pub fn run_gomoku(
    session: GomokuSession,
    engine: GomokuEngine,
    saving: &Saving<'_>,
    manner: Manner,
) -> anyhow::Result<Status> {
    show(session, engine, saving, manner)
}

fn show<G: OnScreen>(
    session: GameSession<G>,
    engine: G::Engine,
    saving: &Saving<'_>,
    manner: Manner,
) -> anyhow::Result<Status> {
    if manner.plain || is_dumb() || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        plain::run(session, engine, saving)
    } else {
        tui::run(session, engine, saving, manner.ascii)
    }
}

/// Loads the first game or position of a file, or of notation that is given itself.
///
/// # Errors
///
/// Says why it cannot be read.
pub fn load(what: &str) -> anyhow::Result<GameRecord> {
    Ok(files::load(what, 1)?.record)
}
