//! What an evaluation costs inside a search: the same tree walked with several evaluators.

use crate::source::random_board;
use outflank_eval::{
    Evaluator, Patterns, Score, Weights,
    patterns::{PatternState, naive::Naive},
};
use outflank_jobs::grouped;
use outflank_othello::{Bitboard, Board, Square};
use serde_json::{Value, json};
use std::{fmt, hint::black_box, time::Instant};

/// Walks all games of `depth` discs from `board` and evaluates the positions at the end.
///
/// Returns their number and the sum of their values, which keeps the compiler from leaving the work out.
pub fn walk<E: Evaluator>(evaluator: &E, board: Board, depth: u32) -> (u64, i64) {
    visit(evaluator, board, &evaluator.state(board), depth)
}

fn visit<E: Evaluator>(evaluator: &E, board: Board, state: &E::State, depth: u32) -> (u64, i64) {
    if depth == 0 {
        return (1, i64::from(evaluator.evaluate(board, state).units()));
    }
    let (mut leaves, mut sum) = (0, 0);
    for square in board.legal_moves() {
        let flips = board.flips(square);
        let next = evaluator.after_move(state, board, square, flips);
        let below = visit(evaluator, board.play_unchecked(square, flips), &next, depth - 1);
        leaves += below.0;
        sum -= below.1;
    }
    (leaves, sum)
}

/// Evaluates nothing: what a walk costs without an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Evaluator for Nothing {
    type State = ();

    fn state(&self, _board: Board) {}

    fn after_move(&self, (): &(), _board: Board, _square: Square, _flips: Bitboard) {}

    fn after_pass(&self, (): &()) {}

    fn evaluate(&self, board: Board, (): &()) -> Score {
        Score::estimate(board.player().bits() as i32 & 127)
    }

    fn ordering_score(&self, board: Board) -> Score {
        self.evaluate(board, &())
    }

    fn fingerprint(&self) -> u64 {
        0
    }
}

/// The pattern evaluation through another way to its indices.
#[derive(Debug)]
pub enum Way<'a> {
    /// Indices recomputed from the board at each leaf.
    Recomputed(&'a Patterns),
    /// An array of 64 cells, cell by cell.
    Array(&'a Naive),
    /// The light evaluation of the solver.
    Light(&'a Patterns),
}

impl Evaluator for Way<'_> {
    type State = ();

    fn state(&self, _board: Board) {}

    fn after_move(&self, (): &(), _board: Board, _square: Square, _flips: Bitboard) {}

    fn after_pass(&self, (): &()) {}

    #[inline]
    fn evaluate(&self, board: Board, (): &()) -> Score {
        match self {
            Self::Recomputed(patterns) => patterns.evaluate(board, &PatternState::of(board)),
            Self::Array(naive) => naive.evaluate(board),
            Self::Light(patterns) => patterns.ordering_score(board),
        }
    }

    fn ordering_score(&self, board: Board) -> Score {
        self.evaluate(board, &())
    }

    fn fingerprint(&self) -> u64 {
        0
    }
}

/// What one way to evaluate costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayCost {
    /// The way.
    pub name: &'static str,
    /// The least time of an evaluation, in nanoseconds.
    pub least: f64,
    /// The median.
    pub median: f64,
}

/// What all ways cost; `Display` writes a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// Evaluations in a repetition.
    pub evaluations: u64,
    /// The ways.
    pub ways: Vec<WayCost>,
    /// The least time to read the weights that are part of the program, in milliseconds.
    pub decoding: f64,
}

impl WayCost {
    /// Returns the same as JSON.
    pub fn to_json(&self) -> Value {
        let tenths = |time: f64| (time * 10.0).round() / 10.0;
        json!({"way": self.name, "min_ns": tenths(self.least), "median_ns": tenths(self.median)})
    }
}

impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = grouped(self.evaluations);
        writeln!(f, "{n} evaluations a repetition; nanoseconds each")?;
        for WayCost { name, least, median } in &self.ways {
            writeln!(f, "{name:20} least {least:7.1}  median {median:7.1}")?;
        }
        writeln!(
            f,
            "reading the weights inside the program: {:.1} ms",
            self.decoding
        )
    }
}

/// Measures what an evaluation with these weights costs inside a search, in interleaved repetitions.
///
/// What the walk costs without an evaluation is taken off.
pub fn measure(weights: Weights, repeat: u16) -> Costs {
    let mut linear = weights.clone();
    linear.set_network(None);
    let linear = Patterns::new(&linear);
    let (patterns, naive) = (Patterns::new(&weights), Naive::new(weights));
    let boards: Vec<Board> = (0..20)
        .map(|seed| random_board(seed, 20 + 24 * seed as usize / 19))
        .collect();
    let (recomputed, array, light) = (
        Way::Recomputed(&patterns),
        Way::Array(&naive),
        Way::Light(&patterns),
    );
    let sum = |walk: &dyn Fn(Board) -> (u64, i64)| {
        let start = Instant::now();
        let leaves: u64 = boards.iter().map(|&board| black_box(walk(board)).0).sum();
        (start.elapsed().as_secs_f64() * 1e9 / leaves as f64, leaves)
    };
    let names = [
        "incremental",
        "pattern weights only",
        "recomputed",
        "light",
        "naive array",
    ];
    let mut times = [const { Vec::new() }; 5];
    let mut decoding = f64::INFINITY;
    let mut evaluations = 0;
    for _ in 0..repeat {
        let (nothing, n) = sum(&|board| walk(&Nothing, board, 4));
        evaluations = n;
        times[0].push(sum(&|board| walk(&patterns, board, 4)).0 - nothing);
        times[1].push(sum(&|board| walk(&linear, board, 4)).0 - nothing);
        times[2].push(sum(&|board| walk(&recomputed, board, 4)).0 - nothing);
        times[3].push(sum(&|board| walk(&light, board, 4)).0 - nothing);
        // The array is slow: a smaller tree.
        let (nothing, _) = sum(&|board| walk(&Nothing, board, 3));
        times[4].push(sum(&|board| walk(&array, board, 3)).0 - nothing);
        let start = Instant::now();
        black_box(Patterns::embedded());
        decoding = decoding.min(start.elapsed().as_secs_f64() * 1e3);
    }
    let cost = |(name, mut times): (_, Vec<f64>)| {
        times.sort_by(f64::total_cmp);
        WayCost {
            name,
            least: times.first().copied().unwrap_or_default(),
            median: times.get(times.len() / 2).copied().unwrap_or_default(),
        }
    };
    Costs {
        evaluations,
        ways: names.into_iter().zip(times).map(cost).collect(),
        decoding,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_agree() {
        let patterns = Patterns::embedded();
        let naive = Naive::new(Patterns::embedded_weights());
        for seed in 0..4 {
            let board = random_board(seed, 30);
            let expected = walk(&patterns, board, 3);
            assert_eq!(walk(&Way::Recomputed(&patterns), board, 3), expected);
            assert_eq!(walk(&Way::Array(&naive), board, 3), expected);
            assert_eq!(walk(&Nothing, board, 3).0, expected.0);
        }
    }
}
