//! The experiments: each a function from options to a [`Report`], with seeds and progress.
//!
//! Options have three sizes, see [`Size`]. A report concludes only what its sample can carry: every difference that it
//! states is tested, with correction for the number of comparisons ([`crate::significance`]).

pub mod abstraction;
pub mod automata;
pub mod bitboard;
pub mod compare;
pub mod depth;
pub mod ladder;
pub mod mcts;

use crate::{evaluation::Evaluation, players::PlayerError, report::Report};

/// Told what is being done, how many steps are done, and how many there are.
pub type Progress<'a> = &'a mut dyn FnMut(&str, u64, u64);

/// Why an experiment cannot run.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A player's text is wrong.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// There is no such evaluation.
    #[error("no evaluation {0:?}: expected one of {names}", names = Evaluation::NAMES.join(", "))]
    Evaluation(String),
    /// There is no such board.
    #[error(transparent)]
    Board(#[from] outflank_gomoku::SetupError),
    /// An option is out of range.
    #[error("{0}")]
    Option(&'static str),
}

/// How large an experiment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Minutes each; what `docs/lab-report.md` holds.
    Full,
    /// Under five minutes for all of them.
    Quick,
    /// Seconds for all of them: for tests.
    Tiny,
}

/// Runs every experiment in the given size.
///
/// # Errors
///
/// Returns the first error; the built-in options have none.
pub fn all(size: Size, seed: u64, progress: Progress<'_>) -> Result<Vec<Report>, LabError> {
    Ok(vec![
        compare::run(&compare::Options::of_size(size, seed), progress)?,
        compare::gomoku::run(&compare::gomoku::Options::of_size(size, seed), progress)?,
        depth::run(&depth::Options::of_size(size, seed), progress)?,
        bitboard::run(&bitboard::Options::of_size(size, seed), progress)?,
        automata::run(&automata::Options::of_size(size, seed), progress)?,
        abstraction::run(&abstraction::Options::of_size(size, seed), &[], progress)?.0,
        mcts::run(&mcts::Options::of_size(size, seed), progress)?,
        ladder::run(&ladder::Options::of_size(size, seed), progress)?,
    ])
}

/// Returns what stands above the reports of all experiments.
pub fn preface(size: Size, seed: u64) -> String {
    let quick = if size == Size::Quick { " --quick" } else { "" };
    format!(
        "Written by `outflank lab all{quick}` with seed {seed}. Times are of one machine and one run; node counts, values \
         and games are the same on every machine, except where a clock limits the search."
    )
}

/// Returns the files of an experiment, each with its name: tables as CSV, plots as SVG, the rows as JSON lines, and the
/// report as Markdown.
pub fn files(report: &Report) -> Vec<(String, String)> {
    let name = &report.name;
    let mut files = Vec::new();
    for (i, table) in report.tables.iter().enumerate() {
        files.push((format!("{name}-{i}.csv"), table.to_csv()));
    }
    for (i, plot) in report.plots.iter().enumerate() {
        files.push((report.plot_name(i), plot.to_svg()));
    }
    files.extend(report.files.iter().cloned());
    let lines: Vec<_> = report.to_json().iter().map(|line| format!("{line}\n")).collect();
    files.push((format!("{name}.jsonl"), lines.concat()));
    let text = markdown(&format!("Experiment {name}"), "", std::slice::from_ref(report));
    files.push((format!("{name}.md"), text));
    files
}

/// Returns reports as one Markdown text.
pub fn markdown(title: &str, preface: &str, reports: &[Report]) -> String {
    let mut text = format!("# {title}\n\n{preface}\n\n");
    for report in reports {
        text.push_str(&report.to_markdown());
        text.push('\n');
    }
    text
}

/// Returns the evaluation with this name.
pub(crate) fn evaluation(name: &str) -> Result<Evaluation, LabError> {
    Evaluation::by_name(name).ok_or_else(|| LabError::Evaluation(name.to_owned()))
}

/// Returns a text that begins with a capital.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns the middle one of the values, 0 if there are none.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

#[cfg(test)]
mod tests;
