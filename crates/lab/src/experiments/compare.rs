//! Algorithms × depths × positions: nodes, time, hit rate, and whether they agree.
//!
//! The positions are those of one game, so that the table per move is document E's: minimax against alpha-beta at
//! depths 2, 4 and 6. The other rows are document A's: table on and off, symmetry on and off.

use super::{LabError, Progress, Size, evaluation};
use crate::{
    clock::CpuClock,
    players::{parse_method, player},
    probcut::fitted,
    report::{Cell, Plot, Report, Scale, Series, Table},
    sample::openings,
};
use outflank_othello::{Move, Position};
use outflank_search::textbook::{Counters, Method, Settings, Ties, best_moves, search};
use serde_json::json;
use std::fmt::Write as _;

/// What is compared.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names of methods; the first is the reference of factors.
    pub methods: Vec<String>,
    /// Depths in placed discs.
    pub depths: Vec<u32>,
    /// Name of the evaluation.
    pub evaluation: String,
    /// Positions given by the user; if there are none, those of a game played from `seed`.
    pub positions: Vec<Position>,
    /// Every how many plies of the game a position is taken.
    pub stride: usize,
    /// Seed of the game.
    pub seed: u64,
}

/// The methods compared by default.
const METHODS: [&str; 12] = [
    "minimax",
    "minimax+table",
    "alpha-beta",
    "alpha-beta-stack",
    "alpha-beta+order",
    "alpha-beta+table",
    "alpha-beta+table+canonical",
    "alpha-beta+table+direct",
    "pvs",
    "pvs+table",
    "mtdf+table",
    "mtdf+table+reorder",
];

impl Options {
    /// Returns the options of this size.
    pub fn of_size(size: Size, seed: u64) -> Self {
        let (depths, stride): (&[u32], _) = match size {
            Size::Full => (&[2, 4, 6], 2),
            Size::Quick => (&[2, 4, 5], 6),
            Size::Tiny => (&[1, 3], 20),
        };
        Self {
            methods: METHODS.map(str::to_owned).to_vec(),
            depths: depths.to_vec(),
            evaluation: "e".to_owned(),
            positions: Vec::new(),
            stride,
            seed,
        }
    }
}

/// Returns the positions of a game between two simple players in which there is a choice.
fn game_positions(seed: u64, stride: usize) -> Vec<Position> {
    let mut position = openings(1, 4, seed)[0];
    let mut players = ["e/2", "phase/2"].map(|text| player(text, seed).expect("a known player"));
    let mut positions = Vec::new();
    let mut ply = 0;
    while let Some(mv) = players[ply % 2].choose(&position) {
        if ply % stride.max(1) == 0 && position.moves().len() > 1 {
            positions.push(position);
        }
        if position.play(mv).is_err() {
            break;
        }
        ply += 1;
    }
    positions
}

/// One search.
struct Run {
    value: i32,
    best: Option<Move>,
    counters: Counters,
    seconds: f64,
}

/// Searches often enough for the clock and returns the mean processor time of one search.
fn timed(
    settings: &Settings,
    position: &Position,
    evaluation: &crate::evaluation::Evaluation,
    depth: u32,
) -> Run {
    let clock = CpuClock::start();
    let mut n_runs = 0;
    loop {
        let report = search(settings, position, evaluation, depth);
        n_runs += 1;
        let seconds = clock.seconds();
        // Two milliseconds are enough to be measured; shallow searches take microseconds.
        if seconds > 0.002 || n_runs == 100 {
            return Run {
                value: report.value,
                best: report.best,
                counters: report.counters,
                seconds: seconds / f64::from(n_runs),
            };
        }
    }
}

/// Runs the comparison.
///
/// # Errors
///
/// Returns which option is wrong.
pub fn run(options: &Options, progress: Progress<'_>) -> Result<Report, LabError> {
    let evaluation = evaluation(&options.evaluation)?;
    let methods: Vec<Settings> = options
        .methods
        .iter()
        .map(|name| {
            let (method, order) = parse_method(name)?;
            Ok(Settings {
                method: fitted(method, &evaluation),
                order,
                ties: Ties::First,
            })
        })
        .collect::<Result<_, LabError>>()?;
    if methods.is_empty() || options.depths.is_empty() {
        return Err(LabError::Option(
            "compare needs at least one method and one depth",
        ));
    }
    let positions = if options.positions.is_empty() {
        game_positions(options.seed, options.stride)
    } else {
        options.positions.clone()
    };
    let mut report = Report::new("compare");
    // runs[depth][method][position]
    let mut runs: Vec<Vec<Vec<Run>>> = Vec::new();
    let total = (options.depths.len() * positions.len()) as u64;
    for (d, &depth) in options.depths.iter().enumerate() {
        let mut by_method: Vec<Vec<Run>> = methods.iter().map(|_| Vec::new()).collect();
        for (p, position) in positions.iter().enumerate() {
            progress("compare", (d * positions.len() + p) as u64, total);
            for (m, settings) in methods.iter().enumerate() {
                let run = timed(settings, position, &evaluation, depth);
                report.json.push(json!({
                    "algorithm": options.methods[m], "depth": depth, "position": p + 1, "board": board_text(position), "side": position.side().symbol().to_string(),
                    "value": run.value, "move": run.best.map(|mv| mv.to_string()),
                    "nodes": run.counters.nodes, "seconds": run.seconds,
                }));
                by_method[m].push(run);
            }
            let oracle = Settings::new(Method::AlphaBetaTable(
                outflank_search::textbook::TableOptions::default(),
            ));
            let optimal = best_moves(&oracle, position, &evaluation, depth);
            let reference = search(&Settings::new(Method::AlphaBeta), position, &evaluation, depth).value;
            for (m, settings) in methods.iter().enumerate() {
                if !settings.method.is_full_width() {
                    continue;
                }
                let run = &by_method[m][p];
                let same = run.value == reference && run.best.is_some_and(|best| optimal.contains(&best));
                if !same {
                    report.violations.push(format!(
                        "{} at depth {depth} gives {} and {:?} for {position}, alpha-beta gives {reference} and {optimal:?}",
                        options.methods[m], run.value, run.best
                    ));
                }
            }
        }
        runs.push(by_method);
    }
    progress("compare", total, total);
    report.json.push(json!({"summary": {
        "agree": report.violations.is_empty(), "positions": positions.len(), "disagreements": report.violations.len(),
    }}));
    report.tables.push(totals(options, &runs));
    report.plots.push(plot_nodes(options, &runs));
    if let Some((table, plot, finding)) = per_move(options, &positions, &runs) {
        report.tables.push(table);
        report.plots.push(plot);
        report.finding = finding;
    }
    report
        .finding
        .push_str(&agreement(options, positions.len(), &report.violations));
    Ok(report)
}

/// Returns the 64 squares as text.
fn board_text(position: &Position) -> String {
    position.to_string().chars().take(64).collect()
}

fn agreement(options: &Options, n_positions: usize, violations: &[String]) -> String {
    if violations.is_empty() {
        format!(
            "On {n_positions} positions all methods that theory holds to minimax's value gave it, and an equally good move, \
             at depths {:?}.",
            options.depths
        )
    } else {
        format!("{} searches disagree where theory forbids it.", violations.len())
    }
}

fn sum(runs: &[Run], of: impl Fn(&Run) -> f64) -> f64 {
    runs.iter().map(of).sum()
}

fn totals(options: &Options, runs: &[Vec<Vec<Run>>]) -> Table {
    let mut table = Table::new(
        &format!(
            "Cost by method and depth, all positions together, evaluation {}",
            options.evaluation
        ),
        &[
            "depth",
            "method",
            "nodes",
            "evaluations",
            "hit rate %",
            "ms",
            "nodes factor",
            "time factor",
        ],
    );
    for (&depth, by_method) in options.depths.iter().zip(runs) {
        let nodes = |m: usize| sum(&by_method[m], |run| run.counters.nodes as f64);
        let seconds = |m: usize| sum(&by_method[m], |run| run.seconds);
        for (m, name) in options.methods.iter().enumerate() {
            let probes = sum(&by_method[m], |run| run.counters.probes as f64);
            let hits = sum(&by_method[m], |run| run.counters.hits as f64);
            let rate = if probes > 0.0 {
                Cell::Number(100.0 * hits / probes, 1)
            } else {
                Cell::Nothing
            };
            table.row([
                depth.into(),
                name.clone().into(),
                (nodes(m) as u64).into(),
                (sum(&by_method[m], |run| run.counters.evaluations as f64) as u64).into(),
                rate,
                Cell::Number(1000.0 * seconds(m), 1),
                Cell::Number(nodes(0) / nodes(m).max(1.0), 2),
                Cell::Number(seconds(0) / seconds(m).max(1e-9), 2),
            ]);
        }
    }
    table
}

fn plot_nodes(options: &Options, runs: &[Vec<Vec<Run>>]) -> Plot {
    let series = |(m, name): (usize, &String)| {
        let points = options.depths.iter().zip(runs).map(|(&depth, by_method)| {
            let nodes = sum(&by_method[m], |run| run.counters.nodes as f64);
            (f64::from(depth), nodes / by_method[m].len().max(1) as f64)
        });
        Series::line(name.clone(), points)
    };
    Plot {
        title: "Nodes per search by depth".to_owned(),
        x_label: "depth (placed discs)".to_owned(),
        y_label: "nodes, mean over the positions".to_owned(),
        y_scale: Scale::Log,
        series: options.methods.iter().enumerate().map(series).collect(),
        ..Plot::default()
    }
}

/// Document E's table: minimax against alpha-beta, move by move; `None` if one of them is not compared.
fn per_move(
    options: &Options,
    positions: &[Position],
    runs: &[Vec<Vec<Run>>],
) -> Option<(Table, Plot, String)> {
    let at = |name: &str| options.methods.iter().position(|method| method == name);
    let (minimax, alpha_beta) = (at("minimax")?, at("alpha-beta")?);
    let mut table = Table::new(
        "Minimax against alpha-beta by move of the game (document E)",
        &[
            "depth",
            "discs",
            "minimax ms",
            "alpha-beta ms",
            "time factor",
            "nodes factor",
        ],
    );
    let mut finding = String::new();
    let mut plot = Plot {
        title: "Time per move: minimax and alpha-beta".to_owned(),
        x_label: "discs on the board".to_owned(),
        y_label: "milliseconds".to_owned(),
        y_scale: Scale::Log,
        ..Plot::default()
    };
    for (&depth, by_method) in options.depths.iter().zip(runs) {
        let mut factors = Vec::new();
        let mut lines = [Vec::new(), Vec::new()];
        for ((position, slow), fast) in positions
            .iter()
            .zip(&by_method[minimax])
            .zip(&by_method[alpha_beta])
        {
            let discs = position.board().occupied().count();
            let factor = slow.seconds / fast.seconds.max(1e-12);
            factors.push(factor);
            lines[0].push((f64::from(discs), 1000.0 * slow.seconds));
            lines[1].push((f64::from(discs), 1000.0 * fast.seconds));
            table.row([
                depth.into(),
                discs.into(),
                Cell::Number(1000.0 * slow.seconds, 3),
                Cell::Number(1000.0 * fast.seconds, 3),
                Cell::Number(factor, 2),
                Cell::Number(slow.counters.nodes as f64 / fast.counters.nodes.max(1) as f64, 2),
            ]);
        }
        let [slow, fast] = lines;
        // One colour per depth: minimax dashed, alpha-beta drawn through.
        let color = plot.series.len() / 2;
        plot.series.push(Series {
            dashed: true,
            color: Some(color),
            ..Series::line(format!("minimax, depth {depth}"), slow)
        });
        plot.series.push(Series {
            color: Some(color),
            ..Series::line(format!("alpha-beta, depth {depth}"), fast)
        });
        let mean = factors.iter().sum::<f64>() / factors.len().max(1) as f64;
        let least = factors.iter().copied().fold(f64::INFINITY, f64::min);
        let most = factors.iter().copied().fold(0.0, f64::max);
        // Writing to a string cannot fail.
        let _ = write!(
            finding,
            "At depth {depth} alpha-beta is {mean:.1} times as fast as minimax on average ({least:.1} to {most:.1} by move). "
        );
    }
    finding.push_str("(Document E: 1.6 at depth 4; 6.2 on average, 3.6 to 11.7, at depth 6.) ");
    Some((table, plot, finding))
}
