//! The score on standard error while a match runs: in place on a terminal, now and then elsewhere.

use std::{
    io::{IsTerminal as _, Write as _},
    time::{Duration, Instant},
};

/// What is shown at the moment.
pub(super) struct Live {
    terminal: bool,
    shown: Option<Instant>,
    lines: usize,
}

impl Live {
    /// Time between two updates on a terminal.
    const TERMINAL: Duration = Duration::from_millis(200);
    /// Time between two updates in a file.
    const FILE: Duration = Duration::from_secs(30);

    pub(super) fn new() -> Self {
        Self {
            terminal: std::io::stderr().is_terminal(),
            shown: None,
            lines: 0,
        }
    }

    /// Shows `table` if it is time to.
    pub(super) fn update(&mut self, table: impl FnOnce() -> String) {
        let pause = if self.terminal { Self::TERMINAL } else { Self::FILE };
        // Nothing is shown of a match that is over before anyone could read it.
        if self.shown.get_or_insert_with(Instant::now).elapsed() < pause {
            return;
        }
        self.shown = Some(Instant::now());
        let text = table();
        let mut out = std::io::stderr().lock();
        if self.terminal && self.lines > 0 {
            // Up to where the last table began, and clear from there.
            let _lost = write!(out, "\x1b[{}A\x1b[J", self.lines);
        }
        self.lines = text.lines().count();
        // A terminal that is gone is no reason to lose a match.
        let _lost = out.write_all(text.as_bytes());
    }

    /// Takes away what is shown.
    pub(super) fn clear(&mut self) {
        if self.terminal && self.lines > 0 {
            let _lost = write!(std::io::stderr().lock(), "\x1b[{}A\x1b[J", self.lines);
            self.lines = 0;
        }
    }
}
