//! Review of a game: every move judged, with what it has cost.
//!
//! Each position of the game is searched at one level; the value of a move is the value of the position it led to, for
//! the player who made it, and the loss is how much better the position after the best move is.
//! Positions are searched by several workers, each from an empty table, so that the result does not depend on their
//! number; with a budget of time it does depend on the speed of the machine.
//! Where a book says as much as such a search would, its values are taken instead.

mod annotate;
pub(crate) mod graph;
mod known;
mod search;

pub use annotate::annotated;
pub use graph::{graph_limit, plot, svg, text_graph};
pub use search::{Judge, ReviewError, ReviewOptions, review, review_by};

use crate::names::Opening;
use outflank_othello::{Color, Game, Move};
use outflank_search::{Origin, Verdict};

/// Loss in discs from which a move is marked `?!`.
pub const DUBIOUS: f64 = 2.0;
/// Loss in discs from which a move is marked `?`.
pub const MISTAKE: f64 = 4.0;
/// Loss in discs from which a move is marked `??`.
pub const BLUNDER: f64 = 8.0;

/// The phases for which losses are summed: moves 1–20, 21–40, and the rest, passes not counted.
pub const PHASES: [&str; 3] = ["opening", "midgame", "endgame"];

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Less than [`DUBIOUS`].
    Good,
    /// `?!`: at least [`DUBIOUS`].
    Dubious,
    /// `?`: at least [`MISTAKE`].
    Mistake,
    /// `??`: at least [`BLUNDER`].
    Blunder,
}

impl Mark {
    /// Returns the mark of a move that has lost this many discs.
    pub fn of(loss: f64) -> Self {
        Self::by(loss, [DUBIOUS, MISTAKE, BLUNDER])
    }

    /// Returns the mark of a loss where `?!`, `?` and `??` begin at these losses.
    pub fn by(loss: f64, [dubious, mistake, blunder]: [f64; 3]) -> Self {
        match loss {
            loss if loss >= blunder => Self::Blunder,
            loss if loss >= mistake => Self::Mistake,
            loss if loss >= dubious => Self::Dubious,
            _ => Self::Good,
        }
    }

    /// Returns how the mark is written; nothing for a good move.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Good => "",
            Self::Dubious => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// A value and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// In discs, for the player who makes the move.
    pub discs: f64,
    /// What it is worth.
    pub verdict: Verdict,
    /// Where it comes from.
    pub origin: Origin,
}

/// A move of the game, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedMove {
    /// Number of the move, from 1, passes counted.
    pub number: usize,
    /// Number of the disc, from 1, passes not counted; that of the disc before for a pass.
    pub disc: usize,
    /// Who made it.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// A best move; the move itself if there is no better one.
    pub best: Move,
    /// Value of the best move.
    pub best_value: Value,
    /// Value of the move that was made.
    pub value: Value,
    /// Discs lost against the best move; 0 for a forced move.
    pub loss: f64,
    /// Whether both values are exact, and so the loss.
    pub exact: bool,
    /// Whether there was no choice.
    pub forced: bool,
}

impl ReviewedMove {
    /// Returns the mark of this move.
    pub fn mark(&self) -> Mark {
        Mark::of(self.loss)
    }

    /// Returns the phase, an index into [`PHASES`].
    pub const fn phase(&self) -> usize {
        match self.disc {
            0..=20 => 0,
            21..=40 => 1,
            _ => 2,
        }
    }
}

/// What a player has lost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Moves with a choice.
    pub moves: usize,
    /// Discs lost.
    pub loss: f64,
    /// Discs lost in each of the [`PHASES`].
    pub by_phase: [f64; 3],
    /// Moves marked `?!`, `?` and `??`.
    pub marks: [usize; 3],
}

/// A game with every move judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The game.
    pub game: Game,
    /// Its moves.
    pub moves: Vec<ReviewedMove>,
    /// Its opening, if it has a name.
    pub opening: Option<Opening>,
    /// Value of every position for black, the start first: one more than there are moves.
    pub values: Vec<f64>,
    /// Positions entered by all searches.
    pub nodes: u64,
    /// Whether all searches came to their end; not if they were stopped or the budget was too small.
    pub complete: bool,
}

impl Review {
    /// Returns what `color` has lost.
    pub fn totals(&self, color: Color) -> Totals {
        let mut totals = Totals::default();
        for reviewed in self
            .moves
            .iter()
            .filter(|reviewed| reviewed.color == color && !reviewed.forced)
        {
            totals.moves += 1;
            totals.loss += reviewed.loss;
            totals.by_phase[reviewed.phase()] += reviewed.loss;
            if let Some(at) = (reviewed.mark() as usize).checked_sub(1) {
                totals.marks[at] += 1;
            }
        }
        totals
    }
}

#[cfg(test)]
mod tests;
