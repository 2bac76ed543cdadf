//! Abstract states: a finite summary of a position, and what has become of positions with the same summary.
//!
//! The summary of source document A: who holds each corner, who has more stable discs on each edge, low, middle or
//! high mobility of both sides, and a third of the game. Seen from the player to move, and the same for all eight
//! images of a position. [`Statistics`] gathers, per abstract state, how often it occurred and how the games ended:
//! count, mean margin, win rate and spread. They serve as an evaluation, as a term of one, and as a rule that cuts
//! a branch whose abstract state nearly always ends on one side of the window ([`crate::abstract_search`]).

use crate::concepts::{anchored_stability, mobility};
use outflank_othello::{Bitboard, Board, Color, Game};
use std::{
    collections::BTreeMap,
    fmt,
    io::{self, BufRead, Write},
    sync::LazyLock,
};

/// An abstract state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AbstractState(u32);

/// The corners in the order of a walk around the board: a1, h1, h8, a8.
const CORNERS: [u64; 4] = [1, 1 << 7, 1 << 63, 1 << 56];
/// The edges in the same order, each starting at its corner: row 1, column h, row 8, column a.
const EDGES: [u64; 4] = [0xFF, 0x8080_8080_8080_8080, 0xFF << 56, 0x0101_0101_0101_0101];

impl AbstractState {
    /// Number of codes, most of which never occur.
    pub const N: u32 = 81 * 81 * 3 * 3 * 3;

    /// Returns the abstract state of `board`.
    pub fn of(board: Board) -> Self {
        let (own, other) = (board.player(), board.opponent());
        let sign = |own: u32, other: u32| match own.cmp(&other) {
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => 1,
        };
        let (own_stable, other_stable) = (anchored_stability(own), anchored_stability(other));
        let more = |mask: u64, own: Bitboard, other: Bitboard| {
            let mask = Bitboard::new(mask);
            sign((own & mask).count(), (other & mask).count())
        };
        let corners = CORNERS.map(|mask| more(mask, own, other));
        let edges = EDGES.map(|mask| more(mask, own_stable, other_stable));
        let level = |moves: u32| match moves {
            0..=3 => 0,
            4..=8 => 1,
            _ => 2,
        };
        let phase = match board.empties().count() {
            41.. => 0,
            21..=40 => 1,
            _ => 2,
        };
        let outline = (0..8)
            .map(|symmetry| outline(corners, edges, symmetry))
            .min()
            .unwrap_or(0);
        let mobility = level(board.mobility()) * 3 + level(board.passed().mobility());
        Self((outline * 9 + mobility) * 3 + phase)
    }

    /// Returns the number of the state, below [`AbstractState::N`].
    pub const fn code(self) -> u32 {
        self.0
    }
}

/// Returns corners and edges as one number under one of eight turns and reflections.
fn outline(corners: [u32; 4], edges: [u32; 4], symmetry: usize) -> u32 {
    let mut number = 0;
    for i in 0..4 {
        let at = if symmetry < 4 {
            (symmetry + i) % 4
        } else {
            (symmetry + 4 - i) % 4
        };
        // Walking backwards, the edge that starts at a corner is the one that ended there.
        let edge = if symmetry < 4 { at } else { (at + 3) % 4 };
        number = (number * 3 + corners[at]) * 3 + edges[edge];
    }
    number
}

impl fmt::Debug for AbstractState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AbstractState({})", self.0)
    }
}

/// What became of the positions of one abstract state, for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Positions.
    pub count: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Sum of the final margins, in discs.
    pub sum: i64,
    /// Sum of their squares.
    pub sum_of_squares: u64,
}

impl Record {
    /// Returns the mean final margin in discs.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// Returns wins plus half the draws, as a share.
    pub fn win_rate(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.count.max(1) as f64
    }

    /// Returns the standard deviation of the final margin in discs.
    pub fn spread(&self) -> f64 {
        let mean = self.mean();
        (self.sum_of_squares as f64 / self.count.max(1) as f64 - mean * mean)
            .max(0.0)
            .sqrt()
    }

    fn add(&mut self, margin: i32) {
        self.count += 1;
        self.wins += u64::from(margin > 0);
        self.draws += u64::from(margin == 0);
        self.sum += i64::from(margin);
        self.sum_of_squares += u64::from(margin.unsigned_abs().pow(2));
    }
}

/// Records of all abstract states that occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    records: BTreeMap<AbstractState, Record>,
}

impl Statistics {
    /// Adds every position of a finished game; games that are not finished are left out.
    pub fn add_game(&mut self, game: &Game) {
        let Some(result) = game.result() else { return };
        for position in game.positions() {
            let margin = match position.side() {
                Color::Black => result.discs.get(),
                Color::White => -result.discs.get(),
            };
            if !position.is_game_over() {
                self.records
                    .entry(AbstractState::of(position.board()))
                    .or_default()
                    .add(margin);
            }
        }
    }

    /// Returns the record of a state; empty if it never occurred.
    pub fn record(&self, state: AbstractState) -> Record {
        self.records.get(&state).copied().unwrap_or_default()
    }

    /// Iterates over the states that occurred.
    pub fn iter(&self) -> impl Iterator<Item = (AbstractState, Record)> {
        self.records.iter().map(|(&state, &record)| (state, record))
    }

    /// Returns the number of states that occurred.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether nothing has been added.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Writes the statistics as text: a header, then a line per state.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        writeln!(out, "{HEADER}")?;
        for (state, record) in self.iter() {
            let Record {
                count,
                wins,
                draws,
                sum,
                sum_of_squares,
            } = record;
            writeln!(out, "{} {count} {wins} {draws} {sum} {sum_of_squares}", state.0)?;
        }
        out.flush()
    }

    /// Reads what [`Statistics::write`] wrote.
    ///
    /// # Errors
    ///
    /// Returns the first line that is not of this form.
    pub fn read(input: impl BufRead) -> Result<Self, ReadStatisticsError> {
        let mut statistics = Self::default();
        for (i, line) in input.lines().enumerate() {
            let line = line?;
            if i == 0 {
                if line.trim() != HEADER {
                    return Err(ReadStatisticsError::Header);
                }
                continue;
            }
            let numbers: Vec<i64> = line
                .split_whitespace()
                .filter_map(|word| word.parse().ok())
                .collect();
            let bad = || ReadStatisticsError::Line {
                number: i + 1,
                text: line.chars().take(60).collect(),
            };
            let [code, rest @ ..] = numbers.as_slice() else {
                return Err(bad());
            };
            let &[count, wins, draws, sum, squares] = rest else {
                return Err(bad());
            };
            let code = u32::try_from(*code)
                .ok()
                .filter(|&code| code < AbstractState::N)
                .ok_or_else(bad)?;
            let natural = |number: i64| u64::try_from(number).map_err(|_| bad());
            let record = Record {
                count: natural(count)?,
                wins: natural(wins)?,
                draws: natural(draws)?,
                sum,
                sum_of_squares: natural(squares)?,
            };
            statistics.records.insert(AbstractState(code), record);
        }
        Ok(statistics)
    }
}

const HEADER: &str = "outflank-abstract 1";

/// Why statistics cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadStatisticsError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The first line is another.
    #[error("line 1: expected {HEADER:?}; make the file with \"outflank lab abstract --save FILE\"")]
    Header,
    /// A line is not six numbers in range.
    #[error(
        "line {number}: expected a state below {} and five counts, found {text:?}",
        AbstractState::N
    )]
    Line {
        /// Number of the line, from 1.
        number: usize,
        /// The line's beginning.
        text: String,
    },
}

/// The evaluation by statistics: the mean margin of the abstract state, drawn towards 0 where it is rare, plus a
/// little mobility, since many positions share a state.
#[derive(Clone, Debug)]
pub struct AbstractEvaluation {
    /// Value of each state in 1/100 disc.
    values: BTreeMap<AbstractState, i32>,
}

impl AbstractEvaluation {
    /// Positions at which a mean counts half.
    const HALF_TRUST: f64 = 20.0;
    /// 1/100 disc per move more than the opponent.
    const PER_MOVE: i32 = 25;

    /// Returns the evaluation by these statistics.
    pub fn new(statistics: &Statistics) -> Self {
        let value = |record: Record| {
            let count = record.count as f64;
            (100.0 * record.mean() * count / (count + Self::HALF_TRUST)).round() as i32
        };
        Self {
            values: statistics
                .iter()
                .map(|(state, record)| (state, value(record)))
                .collect(),
        }
    }

    /// Returns the estimate for the player to move, in 1/100 disc.
    pub fn value(&self, board: Board) -> i32 {
        self.of_state(board) + Self::PER_MOVE * mobility(board)
    }

    /// Returns what the abstract state alone says, in 1/100 disc.
    pub fn of_state(&self, board: Board) -> i32 {
        self.values.get(&AbstractState::of(board)).copied().unwrap_or(0)
    }
}

/// The statistics that are part of the program: those of the games that `outflank lab abstract` plays.
static EMBEDDED: LazyLock<Statistics> = LazyLock::new(|| {
    let file = include_bytes!("abstract_states/embedded.txt");
    Statistics::read(&file[..]).expect("a test reads this file")
});

static EMBEDDED_EVALUATION: LazyLock<AbstractEvaluation> =
    LazyLock::new(|| AbstractEvaluation::new(&EMBEDDED));

/// Returns the statistics that are part of the program: read-only, read on first use.
pub fn embedded_statistics() -> &'static Statistics {
    &EMBEDDED
}

/// Returns the evaluation by [`embedded_statistics`].
pub fn embedded() -> &'static AbstractEvaluation {
    &EMBEDDED_EVALUATION
}

#[cfg(test)]
mod tests;
