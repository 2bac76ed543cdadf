//! A batch whose answers end in one file, and the log beside it from which a killed run goes on.

use super::{Answer, BatchError, BatchOptions, Judge, Question, Summary, solve_logged};
use outflank_eval::Evaluator;
use outflank_jobs::{Event, FileError, Job, LogError, Outcome, ResultLog, Runner, Shard, write_atomic};
use outflank_search::{Clock, StopToken};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Which file a batch ends in.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The file, which appears when all is known; the log has `.log` after its name.
    pub path: &'a Path,
    /// Whether to go on with the log of an interrupted run.
    pub resume: bool,
    /// Which part of the questions is answered.
    pub shard: Shard,
}

/// How answers are written.
pub trait Sheet {
    /// Returns what stands before the answers, if anything does.
    fn head(&self) -> Option<String>;
    /// Returns the line of an answer.
    fn line(&self, answer: Answer) -> String;
    /// Returns what stands after the answers, if anything does.
    fn foot(&self, summary: &Summary) -> Option<String>;
}

/// Why a batch did not end in its file.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// There is a log already, and it was not asked for.
    #[error("{}: an earlier run was interrupted; go on with it, or remove the file", .0.display())]
    Interrupted(PathBuf),
    /// The batch was stopped; the log is there to go on with.
    #[error("stopped")]
    Stopped,
    /// The work has failed.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// The log cannot be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The log holds something else than answers.
    #[error("{}: {reason}", path.display())]
    Answer {
        /// The log.
        path: PathBuf,
        /// What is wrong.
        reason: serde_json::Error,
    },
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The log cannot be removed.
    #[error("{}: {reason}", path.display())]
    Remove {
        /// The log.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
}

/// Solves `questions`, the answers going to a log and from there, when all are known, to one file.
///
/// # Errors
///
/// Returns [`SheetError`]; the file is then as it was before, and the log there to go on with.
pub fn solve_to_file<E: Evaluator + 'static>(
    judge: Judge<'_, E>,
    questions: &[Question],
    options: BatchOptions,
    (clock, stop): (&Arc<dyn Clock>, &StopToken),
    (target, sheet): (Target<'_>, &dyn Sheet),
    on_event: &mut dyn FnMut(&Event<'_>),
) -> Result<Summary, SheetError> {
    let path = target.path.with_added_extension("log");
    let job = Job {
        title: format!("solve {} positions", questions.len()),
        fingerprint: options.fingerprint(questions),
        items: questions.len(),
        shard: target.shard,
    };
    let mut log = if target.resume {
        ResultLog::resume(&path, job)?
    } else if path.exists() {
        return Err(SheetError::Interrupted(path));
    } else {
        ResultLog::create(&path, job)?
    };
    let seconds = || clock.now().as_secs_f64();
    let outcome = solve_logged(
        judge,
        questions,
        options,
        (clock, stop),
        (&mut log, Runner::new(&seconds)),
        on_event,
    )?;
    if outcome == Outcome::Stopped {
        return Err(SheetError::Stopped);
    }
    let mut summary = Summary::default();
    let mut lines: Vec<String> = sheet.head().into_iter().collect();
    for line in log.results()? {
        let answer = Answer::from_json(&line).map_err(|reason| SheetError::Answer {
            path: path.clone(),
            reason,
        })?;
        summary.add(&answer);
        lines.push(sheet.line(answer));
    }
    lines.extend(sheet.foot(&summary));
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    write_atomic(target.path, text.as_bytes())?;
    drop(log);
    fs::remove_file(&path).map_err(|reason| SheetError::Remove { path, reason })?;
    Ok(summary)
}
