//! Document B's depth ladder: how deep each method gets in a fixed time, in the middlegame and to the end.
//!
//! The time is the processor's, so that other work on the machine does not count. Multi-ProbCut is fitted first, and a
//! table of its own says what its cuts save and what they cost.

use super::{LabError, Progress, Size, evaluation, median};
use crate::{
    clock::CpuClock,
    evaluation::Evaluation,
    players::parse_method,
    probcut::{self, Fit, Pair},
    report::{Cell, Report, Table},
    sample::random_positions,
    significance::{Conclusion, Test, conclusions},
};
use outflank_draw::{Plot, Series, Shape};
use outflank_othello::Position;
use outflank_search::{Control, StopToken};
use outflank_textbook::{Method, Order, Settings, TableOptions, Ties, deepen};
use std::{sync::Arc, time::Duration};

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
    /// How Multi-ProbCut's cuts are fitted.
    pub fit: Fit,
    /// Positions on which Multi-ProbCut is compared with a full-width search.
    pub compared: usize,
    /// Depth of that comparison.
    pub compared_depth: u32,
    /// Seed of the positions.
    pub seed: u64,
}

const METHODS: [&str; 10] = [
    "minimax",
    "alpha-beta",
    "alpha-beta+order",
    "alpha-beta+table+order",
    "pvs+order",
    "pvs+table+order",
    "mtdf+table+order",
    "mtdf+table+reorder",
    "alpha-beta+table+canonical+order",
    "probcut+table+order",
];

/// What document B reports for 3 s: method, least and greatest depth. Multi-ProbCut: 2 to 4 more than ordering gives.
const DOCUMENT_B: [(&str, f64, f64); 4] = [
    ("minimax", 4.0, 5.0),
    ("alpha-beta", 6.0, 7.0),
    ("alpha-beta+order", 7.0, 8.0),
    ("probcut+table+order", 9.0, 12.0),
];

/// Widths of the cuts that are compared, in hundredths of a spread.
const WIDTHS: [i32; 4] = [75, 100, 150, 200];

impl Options {
    /// Returns the options of this size.
    pub fn of_size(size: Size, seed: u64) -> Self {
        let (seconds, positions, endgames, samples, deepest) = match size {
            Size::Full => (3.0, 8, 3, 150, 8),
            Size::Quick => (0.1, 5, 2, 40, 6),
            Size::Tiny => (0.002, 2, 1, 5, 4),
        };
        Self {
            methods: METHODS.map(str::to_owned).to_vec(),
            evaluation: "phase".to_owned(),
            time: Duration::from_secs_f64(seconds),
            positions,
            endgames,
            fit: Fit {
                positions: samples,
                depth: deepest,
                seed,
                ..Fit::default()
            },
            compared: samples / 2,
            compared_depth: deepest,
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
    let parsed: Vec<(Method, Order)> = options
        .methods
        .iter()
        .map(|name| parse_method(name))
        .collect::<Result<_, _>>()?;
    progress("depth: fit", 0, 1);
    let is_probcut = |&(method, _): &(Method, Order)| matches!(method, Method::ProbCut(..));
    let pairs = if parsed.iter().any(is_probcut) {
        probcut::fit(&evaluation, &options.fit)
    } else {
        Vec::new()
    };
    let mut bars = Vec::new();
    let mut reached = Vec::new();
    for (m, (name, &(method, order))) in options.methods.iter().zip(&parsed).enumerate() {
        let method = match method {
            Method::ProbCut(table, _) => Method::ProbCut(table, probcut::cuts(&pairs, options.fit.width)),
            other => other,
        };
        let settings = Settings {
            method,
            order,
            ties: Ties::First,
        };
        let deepened = |position: &Position| {
            let clock = CpuClock::start();
            let control = Control::new(StopToken::new(), Arc::new(clock), Some(options.time), None);
            let found = deepen(&settings, position, &evaluation, None, &control);
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
        reached.push(
            found
                .iter()
                .map(|&(depth, ..)| i64::from(depth))
                .collect::<Vec<_>>(),
        );
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
        "In {seconds} s, medians of {} positions: minimax reaches depth {}, alpha-beta {}, with ordering by evaluation {}, with \
         a table as well {}; PVS {} and MTD(f) {} with both, Multi-ProbCut {}. {} (Document B, 黑白棋AI分享, 3 s: 4–5, 6–7, 7–8, little from PVS, MTD(f) and the \
         table, and 2 to 4 more from Multi-ProbCut.)",
        middle.len(),
        figure("minimax"),
        figure("alpha-beta"),
        figure("alpha-beta+order"),
        figure("alpha-beta+table+order"),
        figure("pvs+table+order"),
        figure("mtdf+table+order"),
        figure("probcut+table+order"),
        steps(&options.methods, &reached),
    );
    report.plots.push(plot(options, &bars));
    report.tables.push(table);
    if !pairs.is_empty() {
        report.tables.push(fitted_pairs(&pairs, options));
        progress("depth: Multi-ProbCut", 0, 1);
        let (table, sentence) = effects(options, &evaluation, &pairs);
        report.tables.push(table);
        report.finding.push_str(&sentence);
    }
    Ok(report)
}

/// The steps of the document's ladder: a method and the one that it is held against.
const STEPS: [(&str, &str); 6] = [
    ("alpha-beta", "minimax"),
    ("alpha-beta+order", "alpha-beta"),
    ("alpha-beta+table+order", "alpha-beta+order"),
    ("pvs+table+order", "alpha-beta+table+order"),
    ("mtdf+table+order", "alpha-beta+table+order"),
    ("probcut+table+order", "pvs+table+order"),
];

/// Says which steps lead deeper, position by position.
fn steps(methods: &[String], reached: &[Vec<i64>]) -> String {
    let depths = |name: &str| {
        methods
            .iter()
            .position(|method| method == name)
            .map(|m| &reached[m])
    };
    let compared: Vec<_> = STEPS
        .iter()
        .filter_map(|&(method, other)| {
            let pairs = depths(method)?.iter().zip(depths(other)?);
            let differences: Vec<_> = pairs.map(|(depth, other)| depth - other).collect();
            Some((
                format!("{method} than {other}"),
                Test::of_differences(&differences),
            ))
        })
        .collect();
    let tests: Vec<_> = compared.iter().map(|&(_, test)| test).collect();
    let conclusions = conclusions(&tests);
    let named = |wanted: Conclusion| {
        let matching = compared
            .iter()
            .zip(&conclusions)
            .filter(|&(_, &found)| found == wanted);
        let names: Vec<_> = matching.map(|((name, _), _)| name.as_str()).collect();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        }
    };
    format!(
        "Deeper, corrected for {} comparisons: {}; less deep: {}; no difference shown with {} positions: {}.",
        tests.len(),
        named(Conclusion::Better),
        named(Conclusion::Worse),
        reached.first().map_or(0, Vec::len),
        named(Conclusion::Open)
    )
}

/// The depths reached, beside document B's.
fn plot(options: &Options, bars: &[(f64, f64, f64)]) -> Plot {
    let documented = options.methods.iter().enumerate().filter_map(|(m, name)| {
        let &(_, low, high) = DOCUMENT_B.iter().find(|(method, ..)| method == name)?;
        Some([m as f64, f64::midpoint(low, high), low, high])
    });
    Plot {
        title: format!("Depth reached in {} s", options.time.as_secs_f64()),
        y_label: "placed discs".to_owned(),
        categories: options.methods.clone(),
        series: vec![
            Series::line("middlegame depth", bars.iter().map(|&(x, depth, _)| (x, depth))),
            Series::line(
                "solved to the end from",
                bars.iter().map(|&(x, _, solved)| (x, solved)),
            ),
            Series {
                name: "document B, 3 s".to_owned(),
                points: documented.collect(),
                shape: Shape::Intervals,
                ..Series::default()
            },
        ],
        ..Plot::default()
    }
}

/// How well shallow searches foretell deep ones.
fn fitted_pairs(pairs: &[Pair], options: &Options) -> Table {
    let mut table = Table::new(
        &format!(
            "Multi-ProbCut: the deep value foretold by the shallow one, {} positions",
            options.fit.positions
        ),
        &["depth", "shallow", "slope", "offset", "spread"],
    );
    for pair in pairs {
        table.row([
            pair.depth.into(),
            pair.shallow.into(),
            Cell::Number(pair.slope, 2),
            Cell::Number(pair.offset, 1),
            Cell::Number(pair.spread, 1),
        ]);
    }
    table
}

/// What the cuts save and cost at one depth, by their width.
fn effects(options: &Options, evaluation: &Evaluation, pairs: &[Pair]) -> (Table, String) {
    let depth = options.compared_depth;
    // Other positions than those that the cuts were fitted to.
    let positions = random_positions(options.compared, 12..44, options.seed ^ 0xB6);
    let table_options = TableOptions::default();
    let settings = Settings {
        method: Method::Pvs(Some(table_options)),
        order: Order::Evaluated,
        ties: Ties::First,
    };
    let control = Control::unlimited();
    let full: Vec<_> = positions
        .iter()
        .map(|position| deepen(&settings, position, evaluation, Some(depth), &control))
        .collect();
    let nodes: u64 = full.iter().map(|found| found.total.nodes).sum();
    let truth: Vec<_> = full.into_iter().map(|found| found.report).collect();
    let mut table = Table::new(
        &format!(
            "Multi-ProbCut against full-width PVS at depth {depth}, {} positions",
            positions.len()
        ),
        &[
            "width (spreads)",
            "nodes",
            "nodes saved %",
            "same value %",
            "same move %",
            "mean error",
        ],
    );
    table.row([
        "full-width".into(),
        nodes.into(),
        Cell::Number(0.0, 1),
        Cell::Number(100.0, 0),
        Cell::Number(100.0, 0),
        Cell::Number(0.0, 1),
    ]);
    let mut sentence = String::new();
    let percent = |n: usize| 100.0 * n as f64 / positions.len().max(1) as f64;
    for width in WIDTHS {
        let method = Method::ProbCut(table_options, probcut::cuts(pairs, width));
        let found = probcut::effect(method, evaluation, &positions, &truth, depth);
        let saved = 100.0 * (1.0 - found.nodes as f64 / nodes.max(1) as f64);
        let shown_width = format!("{:.2}", f64::from(width) / 100.0);
        if width == options.fit.width {
            sentence = format!(
                " At {shown_width} spreads Multi-ProbCut saves {saved:.0} % of the nodes of PVS to depth {depth} and keeps the \
                 move in {:.0} % of {} positions.",
                percent(found.same_move),
                positions.len()
            );
        }
        table.row([
            shown_width.into(),
            found.nodes.into(),
            Cell::Number(saved, 1),
            Cell::Number(percent(found.same_value), 0),
            Cell::Number(percent(found.same_move), 0),
            Cell::Number(found.error, 1),
        ]);
    }
    (table, sentence)
}
