//! Where an experiment's results go: the terminal or JSON lines, and a folder of files.

use anyhow::Context;
use outflank_lab::{experiments, report::Report};
use outflank_terminal::output;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What was asked for.
pub(super) struct Output {
    json: bool,
    folder: Option<PathBuf>,
}

impl Output {
    /// Makes the folder, so that a wrong name is an error before the work and not after it.
    pub(super) fn new(json: bool, folder: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(folder) = folder {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        Ok(Self {
            json,
            folder: folder.map(Path::to_owned),
        })
    }

    /// Prints a report and writes its files.
    pub(super) fn write(&self, report: &Report) -> anyhow::Result<()> {
        if self.json {
            for line in report.to_json() {
                output::line(&line.to_string())?;
            }
        } else {
            output::write_all(report.to_text().as_bytes())?;
        }
        if self.folder.is_some() {
            for (name, content) in experiments::files(report) {
                self.file(&name, &content)?;
            }
        }
        Ok(())
    }

    /// Writes one Markdown report of several experiments.
    pub(super) fn write_together(&self, preface: &str, reports: &[Report]) -> anyhow::Result<()> {
        let text = experiments::markdown("The laboratory's report", preface, reports);
        self.file("report.md", &text)
    }

    fn file(&self, name: &str, content: &str) -> anyhow::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let path = folder.join(name);
        outflank_jobs::write_atomic(&path, content.as_bytes()).with_context(|| path.display().to_string())
    }
}
