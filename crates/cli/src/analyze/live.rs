//! Showing a running search: updated in place on a terminal, line by line otherwise.

use super::{Lines, cost_text};
use crate::{
    output,
    values::{line_text, value_text},
};
use outflank_othello::Position;
use outflank_othello_engine::{Line, Outcome, Progress};
use std::{
    fmt::Write as _,
    io::{self, IsTerminal},
    sync::Arc,
};

/// Columns to fill where the terminal does not say how wide it is.
const WIDTH: usize = 100;

/// The display of one analysis after the other.
pub(super) struct Live {
    /// Whether nothing is shown until the end.
    silent: bool,
    terminal: bool,
    width: usize,
    /// Lines on the screen that belong to the running search.
    shown: usize,
    lines: Lines,
}

impl Live {
    pub(super) fn new(silent: bool) -> Self {
        let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        Self {
            silent,
            terminal: io::stdout().is_terminal(),
            width: columns.unwrap_or(WIDTH).max(40),
            shown: 0,
            lines: Lines::new(),
        }
    }

    /// Shows the position, and the name of its opening if it has one.
    pub(super) fn begin(&mut self, position: &Position, opening: Option<&str>) -> anyhow::Result<()> {
        self.lines.clear();
        self.shown = 0;
        if self.silent {
            return Ok(());
        }
        output::line(&format!("{position}"))?;
        match opening {
            Some(name) => output::line(&format!("opening: {name}")),
            None => Ok(()),
        }
    }

    /// Shows a finished stage of one line.
    pub(super) fn progress(&mut self, progress: &Progress) -> anyhow::Result<()> {
        if self.silent {
            return Ok(());
        }
        let line = Arc::new(progress.line.clone());
        if !self.terminal {
            return output::line(&format!(
                "{}  {:.3} s",
                line_text(&line, self.width),
                progress.elapsed.as_secs_f64()
            ));
        }
        // A move that changed its place must not be shown twice.
        self.lines.retain(|old| old.moves.first() != line.moves.first());
        let at = progress.rank.min(self.lines.len());
        self.lines.insert(at, line);
        let lines = self.lines.clone();
        self.redraw(&lines, &cost_text(progress.nodes, progress.elapsed))
    }

    /// Shows the outcome.
    pub(super) fn end(&mut self, outcome: &Outcome) -> anyhow::Result<()> {
        let lines: Lines = outcome.lines.iter().cloned().map(Arc::new).collect();
        if outcome.best_move().is_none() {
            let value = value_text(outcome.best());
            return output::line(&format!("the game is over: {value} for the side to move"));
        }
        let mut cost = cost_text(outcome.nodes, outcome.elapsed);
        if !outcome.complete {
            cost.push_str(", ended by its limit");
        }
        if self.terminal {
            return self.redraw(&lines, &cost);
        }
        output::line("result")?;
        for line in &lines {
            output::line(&line_text(line, usize::MAX))?;
        }
        output::line(&cost)
    }

    /// Replaces what is on the screen.
    fn redraw(&mut self, lines: &[Arc<Line>], last: &str) -> anyhow::Result<()> {
        let mut text = String::new();
        if self.shown > 0 {
            // Up to the first of our lines, and clear to the end of the screen. Writing to a string cannot fail.
            let _ = write!(text, "\x1b[{}A\r\x1b[J", self.shown);
        }
        for line in lines {
            text.push_str(&line_text(line, self.width));
            text.push('\n');
        }
        text.push_str(last);
        text.push('\n');
        self.shown = lines.len() + 1;
        output::write_all(text.as_bytes())
    }
}
