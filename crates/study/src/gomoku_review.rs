//! Review of a game of Gomoku: every move judged by the chance to win that it has cost, and by the wins that it missed or
//! allowed.
//!
//! Each position is looked at with the same effort: first for a win by threats, which is proved and checked against every
//! answer, then by a search of the engine. The chance of a move is that of the position it led to, for who made it, and
//! the loss is how much better the position after the best move is.
//! A search sees one of the eight images of its position, whichever it is, and begins with an empty memory: what is found
//! depends neither on how the board is turned nor on the number of workers. With a time for each search it does depend on
//! the speed of the machine.

mod game;
mod graph;
mod judge;
mod look;
mod view;

pub use game::{Course, course};
pub use graph::{svg, text_graph};

use crate::{batch::in_order, review::Mark};
use judge::Judge;
use look::{Worker, stones};
use outflank_gomoku::{Board, Color, End, Point};
use outflank_gomoku_engine::{Proof, Value};
use outflank_search::{Clock, Level, StopToken, TableError};
use std::{num::NonZeroUsize, sync::Arc, time::Duration};

/// Loss from which a move is marked `?!`, in percentage points of the chance to win.
pub const DUBIOUS: f64 = 10.0;
/// Loss from which a move is marked `?`, in percentage points of the chance to win.
pub const MISTAKE: f64 = 20.0;
/// Loss from which a move is marked `??`, in percentage points of the chance to win.
pub const BLUNDER: f64 = 40.0;

/// How a game is reviewed. Every search ends at the first limit it reaches; without one it goes on until it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewOptions {
    /// The level of every search.
    pub level: Option<Level>,
    /// Time for every search; looking for a win beside it takes as long again at most.
    pub time: Option<Duration>,
    /// Positions searched at the same time.
    pub workers: NonZeroUsize,
}

/// A proved win, checked against every answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedWin {
    /// The proof, from the position in which the winner is to move.
    pub proof: Proof,
}

impl ForcedWin {
    /// Returns the most stones until five, those of both sides counted.
    pub fn stones(&self) -> u32 {
        stones(&self.proof)
    }

    /// Returns the line in which each answer delays the end the most.
    pub fn line(&self) -> Vec<Point> {
        self.proof.main_line()
    }
}

/// A move of the game, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedMove {
    /// Number of the move, from 1.
    pub number: usize,
    /// Who made it.
    pub color: Color,
    /// The move.
    pub mv: Point,
    /// What it is worth to who made it.
    pub value: Value,
    /// A best move; the move itself if no better one is known.
    pub best: Point,
    /// What that is worth.
    pub best_value: Value,
    /// Whether there was nothing else to do.
    pub forced: bool,
    /// The proved win that who made it had, if the move is not known to keep one.
    pub missed: Option<ForcedWin>,
    /// The proved win that the other side has after it, if there is a move after which none is known.
    pub allowed: Option<ForcedWin>,
    /// How the game ended by it.
    pub end: Option<End>,
}

/// Returns a value as a chance to win in percent.
pub fn chance(value: Value) -> f64 {
    value.win_probability() * 100.0
}

impl ReviewedMove {
    /// Returns the percentage points lost against the best move; 0 for a forced move.
    pub fn loss(&self) -> f64 {
        if self.forced {
            return 0.0;
        }
        (chance(self.best_value) - chance(self.value)).max(0.0)
    }

    /// Returns the mark of this move.
    pub fn mark(&self) -> Mark {
        Mark::by(self.loss(), [DUBIOUS, MISTAKE, BLUNDER])
    }
}

/// What a player has lost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Moves with a choice.
    pub moves: usize,
    /// Percentage points lost by all of them.
    pub loss: f64,
    /// Moves marked `?!`, `?` and `??`.
    pub marks: [usize; 3],
    /// Wins that were missed.
    pub missed: usize,
    /// Wins that the other side was allowed.
    pub allowed: usize,
}

impl Totals {
    /// Returns the percentage points lost by a move with a choice; 0 if there was none.
    pub fn mean(&self) -> f64 {
        self.loss / self.moves.max(1) as f64
    }

    /// Returns how many of a hundred moves with a choice have no mark; 100 if there was none.
    pub fn accuracy(&self) -> f64 {
        let marked: usize = self.marks.iter().sum();
        100.0 * (1.0 - marked as f64 / self.moves.max(1) as f64)
    }
}

/// A game with every move judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The position before the first move.
    pub start: Board,
    /// The moves that were judged: all of them, or the first ones if it was stopped.
    pub moves: Vec<ReviewedMove>,
    /// Black's chance to win in percent in every position, the start first: one more than there are moves.
    pub chances: Vec<f64>,
    /// Positions entered by all searches.
    pub nodes: u64,
    /// Whether every move was judged.
    pub complete: bool,
}

impl Review {
    /// Returns what `color` has lost.
    pub fn totals(&self, color: Color) -> Totals {
        let mut totals = Totals::default();
        for reviewed in self.moves.iter().filter(|reviewed| reviewed.color == color) {
            totals.missed += usize::from(reviewed.missed.is_some());
            totals.allowed += usize::from(reviewed.allowed.is_some());
            if reviewed.forced {
                continue;
            }
            totals.moves += 1;
            totals.loss += reviewed.loss();
            if let Some(at) = (reviewed.mark() as usize).checked_sub(1) {
                totals.marks[at] += 1;
            }
        }
        totals
    }

    /// Returns how the game ended, if its last judged move ended it.
    pub fn end(&self) -> Option<End> {
        self.moves
            .last()
            .map_or_else(|| self.start.end(), |last| last.end)
    }
}

/// Judges every move of a game; `on_progress` hears of every move that is judged, of how many.
///
/// # Errors
///
/// [`TableError`] if there is no memory for the searches.
pub fn review(
    course: &Course,
    options: &ReviewOptions,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Result<Review, TableError> {
    let positions = course.positions();
    let n = course.moves.len();
    let made = |at: usize| course.moves.get(at).copied();
    let n_workers = options.workers.get().min(positions.len());
    let mut workers = Vec::new();
    for _ in 0..n_workers {
        workers.push(Worker::new(options, clock, stop)?);
    }
    let mut judge = Judge::new(&positions, &course.moves);
    // In parts: who stops it keeps what was judged before.
    let part = 2 * n_workers;
    let mut looked = 0;
    while judge.n_judged() < n && !stop.is_stopped() {
        let end = n.min(judge.n_judged() + part);
        in_order(
            &mut workers,
            end + 1 - looked,
            &|worker: &mut Worker, nth| worker.look(&positions[looked + nth], made(looked + nth)),
            &mut |_, look| judge.settle(look),
        );
        looked = judge.n_settled();
        if looked <= end {
            break;
        }
        let open: Vec<usize> = (judge.n_judged()..end).collect();
        let questions: Vec<Option<Point>> = open.iter().map(|&at| judge.question(at)).collect();
        in_order(
            &mut workers,
            open.len(),
            &|worker: &mut Worker, nth| {
                let at = open[nth];
                match questions[nth] {
                    Some(first) => worker.other(&positions[at], course.moves[at], first),
                    None => Some((None, 0)),
                }
            },
            &mut |_, (other, nodes)| {
                judge.judge(other, nodes);
                on_progress(judge.n_judged(), n);
            },
        );
    }
    if let (0, Some(worker)) = (n, workers.first_mut())
        && let Some(look) = worker.look(&positions[0], None)
    {
        judge.settle(look);
    }
    Ok(judge.finish(course.start.clone()))
}

#[cfg(test)]
mod tests;
