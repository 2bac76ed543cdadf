//! Line automata: their sizes, what one pass gains over the loop version, and what they are worth in play.

use super::{LabError, Progress, Size, abstraction::self_play, median};
use crate::{
    automata::{Dfa, Nfa, PATTERNS, Regex},
    clock::CpuClock,
    line_evaluation::LineEvaluation,
    matches::play_match,
    report::{Cell, Report, Table},
    sample::{openings, random_positions},
    significance::{Test, corrected, standing},
};
use outflank_draw::{Plot, Scale, Series};
use std::hint::black_box;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// Positions to time on.
    pub positions: usize,
    /// Rounds of timing; the median counts.
    pub rounds: usize,
    /// Games played to fit the weights.
    pub games: usize,
    /// Openings per match, each played twice.
    pub openings: usize,
    /// Opponents of the one-ply player by line automata.
    pub opponents: Vec<String>,
    /// Seed.
    pub seed: u64,
}

impl Options {
    /// Returns the options of this size.
    pub fn of_size(size: Size, seed: u64) -> Self {
        let (positions, rounds, games, openings) = match size {
            Size::Full => (400, 9, 4000, 250),
            Size::Quick => (40, 5, 500, 60),
            Size::Tiny => (5, 3, 20, 2),
        };
        let opponents = ["random", "squares", "frontier", "squares+mobility", "phase", "e"];
        Self {
            positions,
            rounds,
            games,
            openings,
            opponents: opponents.map(str::to_owned).to_vec(),
            seed,
        }
    }
}

/// Runs the experiment.
///
/// # Errors
///
/// Returns which opponent is unknown.
pub fn run(options: &Options, progress: Progress<'_>) -> Result<Report, LabError> {
    let mut report = Report::new("automata");
    let total = 2 + options.opponents.len() as u64;
    progress("automata", 0, total);
    let games = self_play(options.games, options.seed, progress)?;
    sizes(&mut report, &LineEvaluation::standard().fit(&games));
    progress("automata", 1, total);
    let gain = speeds(options, &mut report);
    let mut table = Table::new(
        "One ply by line automata against other players, Elo with 95 % intervals",
        &[
            "opponent",
            "games",
            "score %",
            "Elo",
            "from",
            "to",
            "p, corrected",
        ],
    );
    let mut results = Vec::new();
    for (i, opponent) in options.opponents.iter().enumerate() {
        progress("automata", 2 + i as u64, total);
        let starts = openings(options.openings, 8, options.seed);
        results.push((
            opponent.as_str(),
            play_match("automata", opponent, &starts, options.seed, &mut |_| ())?,
        ));
    }
    let chances = corrected(
        &results
            .iter()
            .map(|(_, result)| Test::of_match(result))
            .collect::<Vec<_>>(),
    );
    for ((opponent, result), chance) in results.iter().zip(chances) {
        let elo = result.elo();
        table.row([
            Cell::from(*opponent),
            result.games().into(),
            Cell::Number(100.0 * result.score(), 1),
            Cell::Number(elo.value, 0),
            Cell::Number(elo.low, 0),
            Cell::Number(elo.high, 0),
            Cell::Number(chance, 3),
        ]);
    }
    progress("automata", total, total);
    report.tables.push(table);
    report.finding = format!(
        "One pass of a single automaton over the 38 lines is {:.0} times as fast as an automaton per pattern, and \
         the table of all lines {:.0} times; the value is the same. At one ply, the patterns against others: {}.",
        gain.0,
        gain.1,
        standing(&results)
    );
    Ok(report)
}

/// States of each automaton, alone and together; their drawings go into files.
fn sizes(report: &mut Report, fitted: &[f64]) {
    let mut table = Table::new(
        "Automata: states",
        &[
            "pattern",
            "expression",
            "NFA",
            "DFA",
            "minimal",
            "weight",
            "fitted now",
            "meaning",
        ],
    );
    let mut row = |name: &str, text: &str, regexes: &[Regex], weight: Option<(i32, f64)>, meaning: &str| {
        let nfa = Nfa::from_regexes(regexes);
        let dfa = Dfa::from_nfa(&nfa);
        let small = dfa.minimized();
        table.row([
            name.into(),
            text.into(),
            nfa.n_states().into(),
            dfa.n_states().into(),
            small.n_states().into(),
            weight.map_or(Cell::Nothing, |(weight, _)| Cell::Integer(i64::from(weight))),
            weight.map_or(Cell::Nothing, |(_, fitted)| Cell::Number(100.0 * fitted, 0)),
            meaning.into(),
        ]);
        small
    };
    let (regexes, _) = crate::automata::standard_patterns();
    for (i, pattern) in PATTERNS.iter().enumerate() {
        let own = &regexes[2 * i..=2 * i];
        let dfa = row(
            pattern.name,
            pattern.regex,
            own,
            Some((pattern.weight, fitted[i])),
            pattern.meaning,
        );
        let drawing = dfa.graphviz(&[pattern.name.to_owned()]).to_string();
        report
            .files
            .push((format!("automaton-{}.dot", pattern.name), drawing));
    }
    let dfa = row(
        "all",
        "",
        &regexes,
        None,
        "all patterns of both players in one automaton",
    );
    let names: Vec<_> = PATTERNS
        .iter()
        .flat_map(|pattern| [pattern.name.to_owned(), format!("{}'", pattern.name)])
        .collect();
    report
        .files
        .push(("automaton-all.dot".to_owned(), dfa.graphviz(&names).to_string()));
    report.tables.push(table);
}

/// Times the ways; returns the gains of one pass and of the table over an automaton per pattern.
fn speeds(options: &Options, report: &mut Report) -> (f64, f64) {
    let lines = LineEvaluation::standard();
    let positions = random_positions(options.positions, 0..58, options.seed);
    let mut times = [vec![], vec![], vec![], vec![]];
    for _ in 0..options.rounds.max(1) {
        let mut sums = [0_i64; 4];
        for (way, times) in times.iter_mut().enumerate() {
            let clock = CpuClock::start();
            for position in &positions {
                let board = black_box(position.board());
                sums[way] += i64::from(match way {
                    0 => lines.value_naive(board),
                    1 => lines.value_by_single_automata(board),
                    2 => lines.value_by_pass(board),
                    _ => lines.value(board),
                });
            }
            times.push(clock.seconds() * 1e9 / positions.len().max(1) as f64);
        }
        if sums.iter().any(|&sum| sum != sums[0]) {
            report
                .violations
                .push(format!("the ways to evaluate lines give {sums:?}"));
        }
    }
    let times = times.map(median);
    let mut table = Table::new(
        "Evaluation by 14 patterns on 38 lines, nanoseconds per position, medians",
        &["way", "ns", "factor"],
    );
    let ways = [
        "naive matcher, pattern by pattern",
        "an automaton per pattern",
        "one automaton, one pass per line",
        "table of all lines",
    ];
    for (way, ns) in ways.iter().zip(times) {
        table.row([
            (*way).into(),
            Cell::Number(ns, 0),
            Cell::Number(times[0] / ns.max(1e-9), 1),
        ]);
    }
    report.tables.push(table);
    report.plots.push(Plot {
        title: "Evaluating the lines of a position".to_owned(),
        y_label: "nanoseconds".to_owned(),
        y_scale: Scale::Log,
        categories: ways.map(str::to_owned).to_vec(),
        series: vec![Series::line(
            "time",
            times.iter().enumerate().map(|(i, &ns)| (i as f64, ns)),
        )],
        ..Plot::default()
    });
    (times[1] / times[2].max(1e-9), times[1] / times[3].max(1e-9))
}
