//! Bitboards against naive arrays (source document B: 10×), and bit-extracted indices against loops (5×).
//!
//! Both sides do the same work in the same run, in turns, and the results are compared before the times are.

use super::{LabError, Progress, Size, median};
use crate::{
    clock::CpuClock,
    evaluation::Evaluation,
    lines::all_lines,
    report::{Cell, Report, Table},
    sample::random_positions,
};
use outflank_draw::{Plot, Scale, Series};
use outflank_game::perft::perft;
use outflank_othello::{Bitboard, Position, kernels, naive::NaiveBoard};
use std::hint::black_box;

/// What is timed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Positions per round.
    pub positions: usize,
    /// Rounds; the median counts.
    pub rounds: usize,
    /// Depth of the count of move sequences.
    pub depth: u32,
    /// Seed of the positions.
    pub seed: u64,
}

impl Options {
    /// Returns the options of this size.
    pub const fn of_size(size: Size, seed: u64) -> Self {
        let (positions, rounds, depth) = match size {
            Size::Full => (2000, 11, 7),
            Size::Quick => (1000, 7, 5),
            Size::Tiny => (60, 3, 3),
        };
        Self {
            positions,
            rounds,
            depth,
            seed,
        }
    }
}

/// Returns what the work gives and how many nanoseconds it took per item.
fn timed(n_items: usize, work: impl FnOnce() -> u64) -> (u64, f64) {
    let clock = CpuClock::start();
    let sum = black_box(work());
    (sum, clock.seconds() * 1e9 / n_items.max(1) as f64)
}

/// Returns the legal squares by walking the array without any list, the fairer baseline.
fn array_mobility(cells: &[i8; 64], own: i8) -> u64 {
    const STEPS: [(i32, i32); 8] = [
        (1, 0),
        (1, 1),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (-1, -1),
        (0, -1),
        (1, -1),
    ];
    let mut legal = 0;
    for square in 0..64_i32 {
        if cells[square as usize] != 0 {
            continue;
        }
        let flips = STEPS.into_iter().any(|(dx, dy)| {
            let (mut x, mut y) = (square % 8 + dx, square / 8 + dy);
            let mut seen = false;
            while (0..8).contains(&x) && (0..8).contains(&y) {
                match cells[(y * 8 + x) as usize] {
                    0 => return false,
                    disc if disc == own => return seen,
                    _ => seen = true,
                }
                x += dx;
                y += dy;
            }
            false
        });
        legal |= u64::from(flips) << square;
    }
    legal
}

/// Runs the comparison.
///
/// # Errors
///
/// None with the built-in options.
pub fn run(options: &Options, progress: Progress<'_>) -> Result<Report, LabError> {
    if options.positions == 0 || options.rounds == 0 {
        return Err(LabError::Option("bitboard needs positions and rounds"));
    }
    let positions = random_positions(options.positions, 0..58, options.seed);
    let naive: Vec<_> = positions.iter().map(NaiveBoard::from_position).collect();
    let cells: Vec<[i8; 64]> = positions.iter().map(to_cells).collect();
    let lines = all_lines();
    let automata = Evaluation::by_name("automata");
    let n = positions.len();
    let mut report = Report::new("bitboard");
    // Per work: a name, what one item is, and the times of both sides by round.
    let mut works: Vec<(&str, &str, Vec<f64>, Vec<f64>)> = vec![
        ("legal moves, lists of squares", "position", vec![], vec![]),
        ("legal moves, plain loops", "position", vec![], vec![]),
        ("all moves played", "position", vec![], vec![]),
        ("line numbers", "38 lines", vec![], vec![]),
        ("line-automata value", "position", vec![], vec![]),
        ("move sequences (perft)", "leaf", vec![], vec![]),
    ];
    for round in 0..options.rounds {
        progress("bitboard", round as u64, options.rounds as u64);
        let hold = |slow: u64, fast: u64, violations: &mut Vec<String>, what: &str| {
            if slow != fast {
                violations.push(format!("{what}: arrays give {slow}, bitboards {fast}"));
            }
        };
        let fast_moves = timed(n, || {
            positions
                .iter()
                .fold(0, |h, p| mix(h, p.board().legal_moves().bits()))
        });
        let list_moves = timed(n, || {
            let bits = |board: &NaiveBoard| board.legal_moves().into_iter().collect::<Bitboard>().bits();
            naive.iter().fold(0, |h, board| mix(h, bits(board)))
        });
        let loop_moves = timed(n, || {
            cells.iter().fold(0, |h, cells| mix(h, array_mobility(cells, 1)))
        });
        let fast_play = timed(n, || {
            positions.iter().fold(0, |h, position| {
                let board = position.board();
                let play = |h, square| {
                    mix(
                        h,
                        board.play_unchecked(square, board.flips(square)).player().bits(),
                    )
                };
                board.legal_moves().into_iter().fold(h, play)
            })
        });
        let slow_play = timed(n, || {
            naive.iter().fold(0, |h, board| {
                board.legal_moves().into_iter().fold(h, |h, square| {
                    let mut next = board.clone();
                    next.place(square);
                    mix(h, next.to_board().player().bits())
                })
            })
        });
        let fast_lines = timed(n, || {
            positions.iter().fold(0, |h, p| {
                lines
                    .iter()
                    .fold(h, |h, line| mix(h, line.number(p.board()) as u64))
            })
        });
        let slow_lines = timed(n, || {
            let number = |cells: &[i8; 64], line: &crate::lines::BoardLine| {
                let digit =
                    |square: &outflank_othello::Square| [2, 0, 1][(cells[square.index()] + 1) as usize];
                line.squares
                    .iter()
                    .rev()
                    .fold(0, |number, square| 3 * number + digit(square))
            };
            cells.iter().fold(0, |h, cells| {
                lines.iter().fold(h, |h, line| mix(h, number(cells, line)))
            })
        });
        let values = [fast_moves.0 == list_moves.0, fast_play.0 == slow_play.0];
        for (same, what) in values.into_iter().zip(["legal moves", "boards after moves"]) {
            if !same {
                report
                    .violations
                    .push(format!("{what} differ between arrays and bitboards"));
            }
        }
        hold(
            loop_moves.0,
            fast_moves.0,
            &mut report.violations,
            "legal moves by plain loops",
        );
        hold(slow_lines.0, fast_lines.0, &mut report.violations, "line numbers");
        for (work, (slow, fast)) in [
            (0, (list_moves.1, fast_moves.1)),
            (1, (loop_moves.1, fast_moves.1)),
            (2, (slow_play.1, fast_play.1)),
            (3, (slow_lines.1, fast_lines.1)),
        ] {
            works[work].2.push(slow);
            works[work].3.push(fast);
        }
        if let Some(Evaluation::Lines(lines)) = &automata {
            // The naive matcher is slow: a fiftieth of the positions is enough.
            let few = &positions[..n.div_ceil(50)];
            let sum = |value: &dyn Fn(&Position) -> i32| few.iter().fold(0, |h, p| mix(h, value(p) as u64));
            let fast = timed(few.len(), || sum(&|p| lines.value(p.board())));
            let slow = timed(few.len(), || sum(&|p| lines.value_naive(p.board())));
            hold(slow.0, fast.0, &mut report.violations, "line-automata values");
            works[4].2.push(slow.1);
            works[4].3.push(fast.1);
        }
        if round == 0 {
            let leaves = perft(&mut Position::start(), options.depth);
            let fast = timed(leaves as usize, || perft(&mut Position::start(), options.depth));
            let slow = timed(leaves as usize, || NaiveBoard::start().perft(options.depth));
            hold(slow.0, fast.0, &mut report.violations, "perft");
            works[5].2.push(slow.1);
            works[5].3.push(fast.1);
        }
    }
    progress("bitboard", options.rounds as u64, options.rounds as u64);
    finish(&mut report, &works);
    Ok(report)
}

/// Mixes a word into a running hash, so that the work cannot be left out and its results can be compared.
const fn mix(h: u64, word: u64) -> u64 {
    (h ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
}

fn to_cells(position: &Position) -> [i8; 64] {
    let board = position.board();
    std::array::from_fn(|i| {
        let bit = 1 << i;
        i8::from(board.player().bits() & bit != 0) - i8::from(board.opponent().bits() & bit != 0)
    })
}

fn finish(report: &mut Report, works: &[(&str, &str, Vec<f64>, Vec<f64>)]) {
    let mut table = Table::new(
        &format!(
            "Naive arrays against bitboards ({} kernels), nanoseconds per item, medians",
            kernels::ACTIVE
        ),
        &["work", "item", "arrays", "bitboards", "factor"],
    );
    let mut points = Vec::new();
    for (i, (name, item, slow, fast)) in works.iter().enumerate() {
        let (slow, fast) = (median(slow.clone()), median(fast.clone()));
        let factor = slow / fast.max(1e-9);
        points.push((i as f64, factor));
        table.row([
            (*name).into(),
            (*item).into(),
            Cell::Number(slow, 1),
            Cell::Number(fast, 1),
            Cell::Number(factor, 1),
        ]);
    }
    report.finding = format!(
        "Bitboards generate moves {:.0} times as fast as plain loops over an array ({:.0} times as fast as lists of squares), \
         and count move sequences {:.0} times as fast; line numbers cut out of the bitboards come {:.1} times as fast as by \
         loops. (Document B, 黑白棋AI分享: 10 times for moves, 5 times for indices.)",
        points[1].1, points[0].1, points[5].1, points[3].1
    );
    report.plots.push(Plot {
        title: "Gain of bitboards over naive arrays".to_owned(),
        y_label: "times as fast".to_owned(),
        y_scale: Scale::Log,
        categories: works.iter().map(|work| work.0.to_owned()).collect(),
        series: vec![
            Series::line("measured", points),
            // Moves by bitboards, and pattern numbers cut out of them.
            Series::line("document B", [(1.0, 10.0), (3.0, 5.0)]),
        ],
        ..Plot::default()
    });
    report.tables.push(table);
}
