//! Document B's depth ladder: how deep each method gets in a fixed time, in the middlegame and to the end.
//!
//! The time is the processor's, so that other work on the machine does not count.

use super::{LabError, Progress, Size, evaluation, median};
use crate::{
    clock::CpuClock,
    players::parse_method,
    report::{Cell, Plot, Report, Series, Table},
    sample::random_positions,
};
use outflank_othello::Position;
use outflank_search::{
    Limits,
    textbook::{Settings, Ties, deepen},
};
use std::time::Duration;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names of methods, each under iterative deepening.
    pub methods: Vec<String>,
    /// Name of the evaluation.
    pub evaluation: String,
    /// Time per search; document B: 3 s.
    pub time: Duration,
    /// Middlegame positions, at 36 empties.
    pub positions: usize,
    /// Endgame positions per number of empties.
    pub endgames: usize,
    /// Seed of the positions.
    pub seed: u64,
}

const METHODS: [&str; 9] = [
    "minimax",
    "alpha-beta",
    "alpha-beta+order",
    "alpha-beta+table+order",
    "pvs+order",
    "pvs+table+order",
    "mtdf+table+order",
    "mtdf+table+reorder",
    "alpha-beta+table+canonical+order",
];

impl Options {
    /// Returns the options of this size.
    pub fn of_size(size: Size, seed: u64) -> Self {
        let (seconds, positions, endgames) = match size {
            Size::Full => (3.0, 8, 3),
            Size::Quick => (0.1, 5, 2),
            Size::Tiny => (0.002, 2, 1),
        };
        Self {
            methods: METHODS.map(str::to_owned).to_vec(),
            evaluation: "phase".to_owned(),
            time: Duration::from_secs_f64(seconds),
            positions,
            endgames,
            seed,
        }
    }
}

/// Runs the ladder.
///
/// # Errors
///
/// Returns which option is wrong.
pub fn run(options: &Options, progress: Progress<'_>) -> Result<Report, LabError> {
    let evaluation = evaluation(&options.evaluation)?;
    let middle = random_positions(options.positions, 24..25, options.seed);
    let seconds = options.time.as_secs_f64();
    let mut table = Table::new(
        &format!("Depth reached in {seconds} s, evaluation {}", options.evaluation),
        &[
            "method",
            "median depth",
            "least",
            "most",
            "thousand nodes/s",
            "solves to the end from",
        ],
    );
    let mut bars = Vec::new();
    for (m, name) in options.methods.iter().enumerate() {
        let (method, order) = parse_method(name)?;
        let settings = Settings {
            method,
            order,
            ties: Ties::First,
        };
        let deepened = |position: &Position| {
            let clock = CpuClock::start();
            let limits = Limits {
                time: Some(options.time),
                ..Limits::default()
            };
            let found = deepen(&settings, position, &evaluation, limits, Some(&clock), None);
            (found.report.depth, found.total.nodes, found.exhausted)
        };
        progress("depth", m as u64, options.methods.len() as u64);
        let found: Vec<_> = middle.iter().map(deepened).collect();
        let depths: Vec<_> = found.iter().map(|&(depth, ..)| f64::from(depth)).collect();
        let nodes: u64 = found.iter().map(|&(_, nodes, _)| nodes).sum();
        let mut solved = 0;
        // From few empties upwards until half of the positions are no longer searched to their end.
        for empties in 5..=30 {
            let n_plies = 60 - empties;
            let ends = random_positions(options.endgames, n_plies..n_plies + 1, options.seed);
            let n_solved = ends.iter().filter(|position| deepened(position).2).count();
            if 2 * n_solved <= options.endgames {
                break;
            }
            solved = empties;
        }
        let middle_depth = median(depths.clone());
        bars.push((m as f64, middle_depth, solved as f64));
        table.row([
            name.clone().into(),
            Cell::Number(middle_depth, 1),
            Cell::Number(depths.iter().copied().fold(f64::INFINITY, f64::min), 0),
            Cell::Number(depths.iter().copied().fold(0.0, f64::max), 0),
            Cell::Number(
                nodes as f64 / 1000.0 / (seconds * options.positions.max(1) as f64),
                0,
            ),
            Cell::from(format!("{solved} empties")),
        ]);
    }
    progress(
        "depth",
        options.methods.len() as u64,
        options.methods.len() as u64,
    );
    let mut report = Report::new("depth");
    let at = |name: &str| {
        options
            .methods
            .iter()
            .position(|method| method == name)
            .map(|m| bars[m].1)
    };
    let figure = |name: &str| at(name).map_or_else(|| "–".to_owned(), |depth| format!("{depth}"));
    report.finding = format!(
        "In {seconds} s minimax reaches depth {}, alpha-beta {}, with ordering by evaluation {}, with a table as well {}; PVS \
         {} and MTD(f) {} with both. (Document B, 3 s: 4–5, 6–7, 7–8, and little from PVS, MTD(f) and the table.)",
        figure("minimax"),
        figure("alpha-beta"),
        figure("alpha-beta+order"),
        figure("alpha-beta+table+order"),
        figure("pvs+table+order"),
        figure("mtdf+table+order"),
    );
    report.plots.push(Plot {
        title: format!("Depth reached in {seconds} s"),
        y_label: "median depth; empties solved".to_owned(),
        categories: options.methods.clone(),
        series: vec![
            Series::line("middlegame depth", bars.iter().map(|&(x, depth, _)| (x, depth))),
            Series::line(
                "solved to the end from",
                bars.iter().map(|&(x, _, solved)| (x, solved)),
            ),
        ],
        ..Plot::default()
    });
    report.tables.push(table);
    Ok(report)
}
