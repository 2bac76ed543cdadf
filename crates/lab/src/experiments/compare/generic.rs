//! The comparison itself, for any game: every method at every depth on every position, and whether they agree.

use super::super::{LabError, Progress};
use crate::{
    clock::CpuClock,
    players::parse_method,
    report::{Cell, Report, Table},
};
use outflank_draw::{Plot, Scale, Series};
use outflank_game::{Evaluate, GameState};
use outflank_textbook::{Counters, Method, Settings, TableOptions, Ties, best_moves, search};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// What the comparison needs to know of a game beside its rules.
pub(super) trait Subject: GameState {
    /// What is placed, in the plural.
    const STONES: &'static str;

    /// Returns how many of them are on the board.
    fn n_stones(&self) -> usize;

    /// Returns the position as the fields of a JSON line.
    fn fields(&self) -> Map<String, Value>;

    /// Returns the position on one line.
    fn text(&self) -> String;
}

/// What is compared, and how it is called.
pub(super) struct Plan<'a> {
    /// Name of the report.
    pub(super) name: &'a str,
    /// Names of the methods.
    pub(super) names: &'a [String],
    /// The methods, as long as `names`.
    pub(super) methods: Vec<Settings>,
    /// Depths in placed stones.
    pub(super) depths: &'a [u32],
    /// Name of the evaluation, perhaps with the rules.
    pub(super) setting: String,
    /// Which document compares minimax with alpha-beta move by move, in parentheses.
    pub(super) source: &'static str,
    /// What it found.
    pub(super) claim: &'static str,
}

/// Reads the names of methods; ties go to the first move.
pub(super) fn settings(names: &[String], depths: &[u32]) -> Result<Vec<Settings>, LabError> {
    if names.is_empty() || depths.is_empty() {
        return Err(LabError::Option(
            "compare needs at least one method and one depth",
        ));
    }
    let parse = |name: &String| -> Result<Settings, LabError> {
        let (method, order) = parse_method(name)?;
        Ok(Settings {
            method,
            order,
            ties: Ties::First,
        })
    };
    names.iter().map(parse).collect()
}

/// One search.
struct Run<M> {
    value: i32,
    best: Option<M>,
    counters: Counters,
    seconds: f64,
}

/// Searches often enough for the clock and returns the mean processor time of one search.
fn timed<G: GameState, E: Evaluate<G>>(
    settings: &Settings,
    position: &G,
    evaluation: &E,
    depth: u32,
) -> Run<G::Move> {
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

/// `runs[depth][method][position]`.
type Runs<M> = Vec<Vec<Vec<Run<M>>>>;

/// Runs the comparison.
pub(super) fn run<G: Subject, E: Evaluate<G>>(
    plan: &Plan<'_>,
    positions: &[G],
    evaluation: &E,
    progress: Progress<'_>,
) -> Report {
    let mut report = Report::new(plan.name);
    let mut runs: Runs<G::Move> = Vec::new();
    let total = (plan.depths.len() * positions.len()) as u64;
    for (d, &depth) in plan.depths.iter().enumerate() {
        let mut by_method: Vec<Vec<_>> = plan.methods.iter().map(|_| Vec::new()).collect();
        for (p, position) in positions.iter().enumerate() {
            progress(plan.name, (d * positions.len() + p) as u64, total);
            for ((settings, name), runs) in plan.methods.iter().zip(plan.names).zip(&mut by_method) {
                let run = timed(settings, position, evaluation, depth);
                report.json.push(json_line(name, depth, p, position, &run));
                runs.push(run);
            }
            let found: Vec<_> = by_method.iter().map(|runs| &runs[p]).collect();
            report
                .violations
                .extend(disagreements(plan, position, evaluation, depth, &found));
        }
        runs.push(by_method);
    }
    progress(plan.name, total, total);
    report.json.push(json!({"summary": {
        "agree": report.violations.is_empty(), "positions": positions.len(), "disagreements": report.violations.len(),
    }}));
    report.tables.push(totals(plan, &runs));
    report.plots.push(plot_nodes(plan, G::STONES, &runs));
    if let Some((table, plot, finding)) = per_move(plan, positions, &runs) {
        report.tables.push(table);
        report.plots.push(plot);
        report.finding = finding;
    }
    report
        .finding
        .push_str(&agreement(plan, positions.len(), &report.violations));
    report
}

fn json_line<G: Subject>(name: &str, depth: u32, p: usize, position: &G, run: &Run<G::Move>) -> Value {
    let mut line = Map::new();
    line.insert("algorithm".to_owned(), json!(name));
    line.insert("depth".to_owned(), json!(depth));
    line.insert("position".to_owned(), json!(p + 1));
    line.extend(position.fields());
    line.insert("value".to_owned(), json!(run.value));
    line.insert("move".to_owned(), json!(run.best.map(|mv| mv.to_string())));
    line.insert("nodes".to_owned(), json!(run.counters.nodes));
    line.insert("seconds".to_owned(), json!(run.seconds));
    Value::Object(line)
}

/// Returns every full-width method whose value is not alpha-beta's, or whose move is not worth it.
fn disagreements<G: Subject, E: Evaluate<G>>(
    plan: &Plan<'_>,
    position: &G,
    evaluation: &E,
    depth: u32,
    found: &[&Run<G::Move>],
) -> Vec<String> {
    let oracle = Settings::new(Method::AlphaBetaTable(TableOptions::default()));
    let optimal = best_moves(&oracle, position, evaluation, depth);
    let reference = search(&Settings::new(Method::AlphaBeta), position, evaluation, depth).value;
    let held = plan.methods.iter().zip(plan.names).zip(found);
    held.filter(|((settings, _), _)| settings.method.is_full_width())
        .filter(|(_, run)| {
            run.value != reference || run.best.is_none_or(|best| !optimal.contains(&best))
        })
        .map(|((_, name), run)| {
            format!(
                "{name} at depth {depth} gives {} and {:?} for {}, alpha-beta gives {reference} and {optimal:?}",
                run.value,
                run.best,
                position.text()
            )
        })
        .collect()
}

fn agreement(plan: &Plan<'_>, n_positions: usize, violations: &[String]) -> String {
    if violations.is_empty() {
        format!(
            "On {n_positions} positions all methods that theory holds to minimax's value gave it, and an equally good move, \
             at depths {:?}.",
            plan.depths
        )
    } else {
        format!("{} searches disagree where theory forbids it.", violations.len())
    }
}

fn sum<M>(runs: &[Run<M>], of: impl Fn(&Run<M>) -> f64) -> f64 {
    runs.iter().map(of).sum()
}

fn totals<M>(plan: &Plan<'_>, runs: &Runs<M>) -> Table {
    let mut table = Table::new(
        &format!(
            "Cost by method and depth, all positions together, {}",
            plan.setting
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
    for (&depth, by_method) in plan.depths.iter().zip(runs) {
        let nodes = |m: usize| sum(&by_method[m], |run| run.counters.nodes as f64);
        let seconds = |m: usize| sum(&by_method[m], |run| run.seconds);
        for (m, name) in plan.names.iter().enumerate() {
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

fn plot_nodes<M>(plan: &Plan<'_>, stones: &str, runs: &Runs<M>) -> Plot {
    let series = |(m, name): (usize, &String)| {
        let points = plan.depths.iter().zip(runs).map(|(&depth, by_method)| {
            let nodes = sum(&by_method[m], |run| run.counters.nodes as f64);
            (f64::from(depth), nodes / by_method[m].len().max(1) as f64)
        });
        Series::line(name.clone(), points)
    };
    Plot {
        title: "Nodes per search by depth".to_owned(),
        x_label: format!("depth (placed {stones})"),
        y_label: "nodes, mean over the positions".to_owned(),
        y_scale: Scale::Log,
        series: plan.names.iter().enumerate().map(series).collect(),
        ..Plot::default()
    }
}

/// Document E's table: minimax against alpha-beta, move by move; `None` if one of them is not compared.
fn per_move<G: Subject>(
    plan: &Plan<'_>,
    positions: &[G],
    runs: &Runs<G::Move>,
) -> Option<(Table, Plot, String)> {
    let at = |name: &str| plan.names.iter().position(|method| method == name);
    let (minimax, alpha_beta) = (at("minimax")?, at("alpha-beta")?);
    let mut table = Table::new(
        &format!("Minimax against alpha-beta by move of the game{}", plan.source),
        &[
            "depth",
            G::STONES,
            "minimax ms",
            "alpha-beta ms",
            "time factor",
            "nodes factor",
        ],
    );
    let mut finding = String::new();
    let mut plot = Plot {
        title: "Time per move: minimax and alpha-beta".to_owned(),
        x_label: format!("{} on the board", G::STONES),
        y_label: "milliseconds".to_owned(),
        y_scale: Scale::Log,
        ..Plot::default()
    };
    for (&depth, by_method) in plan.depths.iter().zip(runs) {
        let mut factors = Vec::new();
        let mut lines = [Vec::new(), Vec::new()];
        for ((position, slow), fast) in positions
            .iter()
            .zip(&by_method[minimax])
            .zip(&by_method[alpha_beta])
        {
            let stones = position.n_stones();
            let factor = slow.seconds / fast.seconds.max(1e-12);
            factors.push(factor);
            lines[0].push((stones as f64, 1000.0 * slow.seconds));
            lines[1].push((stones as f64, 1000.0 * fast.seconds));
            table.row([
                depth.into(),
                stones.into(),
                Cell::Number(1000.0 * slow.seconds, 3),
                Cell::Number(1000.0 * fast.seconds, 3),
                Cell::Number(factor, 2),
                Cell::Number(slow.counters.nodes as f64 / fast.counters.nodes.max(1) as f64, 2),
            ]);
        }
        let [slow, fast] = lines;
        // One color per depth: minimax dashed, alpha-beta drawn through.
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
    finding.push_str(plan.claim);
    Some((table, plot, finding))
}
