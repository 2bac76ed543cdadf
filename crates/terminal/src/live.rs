//! Showing a running search: one block that is drawn anew on a terminal, only the result elsewhere, every stage if that
//! is asked for.

use crate::output;
use ratatui::crossterm::terminal;
use std::{
    fmt::Write as _,
    io::{self, IsTerminal as _, Write as _},
};

/// Columns and rows where the terminal does not say how many it has.
const SIZE: (u16, u16) = (100, 24);
/// Columns of a line that is not cut.
pub const WIDE: usize = usize::MAX;

/// What is shown while a search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Nothing.
    Silent,
    /// A line for each stage.
    Stages,
    /// The lines as they are now, in place.
    Block,
}

/// The display of one search after the other.
#[derive(Debug)]
pub struct Live {
    manner: Manner,
    columns: usize,
    rows: usize,
    /// Rows on the screen that belong to the running search.
    shown: usize,
    /// What is known of each move: its name, and the text about it.
    lines: Vec<(String, String)>,
}

impl Live {
    /// Returns a display; nothing but results comes to it where programs read, and every stage if `verbose`.
    pub fn new(json: bool, verbose: bool) -> Self {
        let manner = match (json, verbose, io::stdout().is_terminal()) {
            (true, ..) => Manner::Silent,
            (_, true, _) => Manner::Stages,
            (_, _, true) => Manner::Block,
            _ => Manner::Silent,
        };
        let (columns, rows) = terminal::size()
            .ok()
            .filter(|size| size.0 > 0 && size.1 > 0)
            .unwrap_or(SIZE);
        Self {
            manner,
            columns: usize::from(columns).max(20),
            rows: usize::from(rows).max(4),
            shown: 0,
            lines: Vec::new(),
        }
    }

    /// Begins with another search.
    pub fn begin(&mut self) {
        self.lines.clear();
        self.shown = 0;
    }

    /// Shows a finished stage of the move `name`, which is at place `rank` now.
    pub fn stage(&mut self, rank: usize, name: &str, text: String, cost: &str) -> anyhow::Result<()> {
        match self.manner {
            Manner::Silent => Ok(()),
            Manner::Stages => output::line(&format!("{text}  {cost}")),
            Manner::Block => {
                // A move that changed its place must not be shown twice.
                self.lines.retain(|(old, _)| old != name);
                let at = rank.min(self.lines.len());
                self.lines.insert(at, (name.to_owned(), text));
                let texts: Vec<String> = self.lines.iter().map(|(_, text)| text.clone()).collect();
                self.redraw(&fitting(&texts, cost, self.columns, self.rows))
            }
        }
    }

    /// Shows the result.
    pub fn end(&mut self, lines: Vec<String>, cost: &str) -> anyhow::Result<()> {
        if self.manner == Manner::Stages {
            output::line("result")?;
        }
        let mut all = lines;
        all.push(cost.to_owned());
        self.redraw(&all)
    }

    /// Writes lines in the place of what is on the screen.
    fn redraw(&mut self, lines: &[String]) -> anyhow::Result<()> {
        let mut text = String::new();
        if self.shown > 0 {
            // Up to the first of our rows, and clear to the end of the screen. Writing to a string cannot fail.
            let _ = write!(text, "\x1b[{}A\r\x1b[J", self.shown);
        }
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
        self.shown = lines.len();
        output::write_all(text.as_bytes())
    }
}

/// A line on a terminal's standard error that says how far some work is; nothing elsewhere.
#[derive(Debug)]
pub struct Counter {
    title: String,
    unit: &'static str,
    terminal: bool,
}

impl Counter {
    /// Returns a line that begins with `title` and counts in `unit`.
    pub fn new(title: String, unit: &'static str) -> Self {
        Self {
            title,
            unit,
            terminal: io::stderr().is_terminal(),
        }
    }

    /// Says how much is done.
    pub fn show(&self, done: usize, of: usize) {
        if self.terminal {
            // A terminal that is gone is no reason to stop.
            let _lost = write!(io::stderr(), "\r{}: {done} of {of} {} ", self.title, self.unit);
        }
    }

    /// Leaves no trace of the line.
    pub fn clear(&self) {
        if self.terminal {
            let _lost = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// Returns the lines cut to the screen: what has left it cannot be drawn anew.
fn fitting(lines: &[String], cost: &str, columns: usize, rows: usize) -> Vec<String> {
    let room = rows - 2;
    let mut all: Vec<String> = lines.to_vec();
    if all.len() > room {
        let hidden = all.len() - (room - 1);
        all.truncate(room - 1);
        all.push(format!("… and {hidden} more moves"));
    }
    all.push(cost.to_owned());
    for line in &mut all {
        if line.chars().count() >= columns {
            *line = line.chars().take(columns - 2).chain(['…']).collect();
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn a_block_never_leaves_the_screen() {
        let lines: Vec<String> = (0..30)
            .map(|number| format!("line {number} {}", "é".repeat(200)))
            .collect();
        for (columns, rows) in [(80, 24), (20, 4), (300, 100)] {
            let block = fitting(&lines, "what it cost", columns, rows);
            assert!(block.len() < rows, "{} {rows}", block.len());
            assert!(block.iter().all(|line| line.chars().count() < columns));
            assert!(block[0].starts_with("line 0"));
            assert!(block.last().is_some_and(|line| line.starts_with("what it")));
        }
        assert_eq!(fitting(&lines, "", 80, 24)[21], "… and 9 more moves");
    }
}
