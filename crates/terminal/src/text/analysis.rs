//! What a search took, and how its value went.

use crate::output::grouped;
use outflank_api::analyze::Explanation;
use outflank_othello_engine::{Line, Progress};
use outflank_search::Verdict;
use std::time::Duration;

/// Returns what a search took.
pub fn cost(nodes: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    format!(
        "{} positions, {seconds:.3} s, {:.2} million a second",
        grouped(nodes),
        nodes as f64 / seconds.max(1e-9) / 1e6
    )
}

/// Parts of an evaluation that are named; the others are summed up.
const NAMED: usize = 12;

/// Returns what an evaluation is made of: the weightiest parts, and what the others come to.
pub fn explained(explanation: &Explanation) -> String {
    let mut text = format!(
        "the evaluation without search: {:+.2} discs for the side to move (X), made of",
        explanation.value
    );
    let (named, others) = explanation.parts.split_at(explanation.parts.len().min(NAMED));
    for part in named {
        let squares = part.squares.join(" ");
        let line = format!(
            "\n  {:+6.2}  {:<12} {:<12} {squares}",
            part.discs, part.name, part.holds
        );
        text.push_str(line.trim_end());
    }
    if !others.is_empty() {
        let sum: f64 = others.iter().map(|part| part.discs).sum();
        let line = format!("\n  {sum:+6.2}  {} smaller parts", others.len());
        text.push_str(&line);
    }
    text
}

/// How the value of the best move went from depth to depth.
#[derive(Debug, Default)]
pub struct Swing {
    /// Depth and discs, of the last stage and the one before it.
    last: Option<(u32, f64)>,
    before: Option<(u32, f64)>,
}

impl Swing {
    /// Discs from which on a change from one depth to the next is worth a word.
    const NOTEWORTHY: f64 = 2.0;

    /// Takes a stage of the search.
    pub fn see(&mut self, progress: &Progress) {
        let Verdict::Estimate { depth, .. } = progress.line.verdict else {
            return;
        };
        if progress.rank > 0 {
            return;
        }
        if self.last.is_none_or(|(last, _)| last != depth) {
            self.before = self.last;
        }
        self.last = Some((depth, progress.line.value.discs()));
    }

    /// Says why the value is another one than a depth before, if it is and nobody else says so.
    pub fn note(&self, best: &Line) -> Option<String> {
        let (before, last) = (self.before?, self.last?);
        let is_estimate = matches!(best.verdict, Verdict::Estimate { depth, .. } if depth == last.0);
        let swings = before.0 + 1 == last.0 && (before.1 - last.1).abs() >= Self::NOTEWORTHY;
        (is_estimate && swings).then(|| {
            format!(
                "at depth {} it was {:+.2}: estimates of even and odd depths differ by what the last move gains; \
                 the truth is likely between them",
                before.0, before.1
            )
        })
    }
}
