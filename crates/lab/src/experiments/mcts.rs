//! Monte-Carlo tree search: strength against simulations, policy, constant, epsilon, reward and update.

use super::{LabError, Progress, Size};
use crate::{
    clock::CpuClock,
    matches::{MatchResult, play_match},
    players::MctsOptions,
    report::{Cell, Report, Table},
    rollouts::Policy,
    sample::{openings, random_positions},
    significance::{Conclusion, Test, conclusions, corrected, nothing_shown},
};
use outflank_draw::{Plot, Scale, Series, Shape};
use outflank_search::Control;
use outflank_textbook::mcts::Mcts;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// Simulations per move on the strength curve.
    pub simulations: Vec<u64>,
    /// Simulations per move where options are compared.
    pub base: u64,
    /// Openings per match, each played twice.
    pub openings: usize,
    /// The opponent on the strength curve.
    pub opponent: String,
    /// Seconds per move of the timed matches against random and squares; 0 leaves them out.
    pub seconds: f64,
    /// Openings of the timed matches.
    pub timed_openings: usize,
    /// Seed.
    pub seed: u64,
}

impl Options {
    /// Returns the options of this size.
    pub fn of_size(size: Size, seed: u64) -> Self {
        let (simulations, base, openings, seconds, timed_openings): (&[u64], _, _, _, _) = match size {
            Size::Full => (&[25, 50, 100, 200, 400, 800], 200, 40, 0.0, 25),
            Size::Quick => (&[25, 100, 400], 100, 20, 0.0, 0),
            Size::Tiny => (&[5, 10], 5, 1, 0.0, 0),
        };
        Self {
            simulations: simulations.to_vec(),
            base,
            openings,
            opponent: "phase/2".to_owned(),
            seconds,
            timed_openings,
            seed,
        }
    }
}

/// The variants compared with the default at equal simulations.
const VARIANTS: [(&str, &str); 19] = [
    ("policy", "policy=best-square"),
    ("policy", "policy=weighted"),
    ("policy", "policy=corners"),
    ("policy", "policy=truncated"),
    ("policy", "policy=learned"),
    ("constant", "c=0"),
    ("constant", "c=0.3"),
    ("constant", "c=1.4"),
    ("constant", "c=3"),
    ("epsilon", "epsilon=0.3:decay=0.999"),
    ("epsilon", "epsilon=0.3:decay=1"),
    ("epsilon", "epsilon=0.1:decay=1"),
    ("expansion", "expand=1"),
    ("expansion", "expand=8"),
    ("reward", "reward=margin"),
    ("reward", "reward=result"),
    ("update", "update=written"),
    ("tree", "reuse=no"),
    ("threads", "threads=2"),
];

fn result_cells(result: &MatchResult) -> [Cell; 5] {
    let elo = result.elo();
    [
        result.games().into(),
        Cell::Number(100.0 * result.score(), 1),
        Cell::Number(elo.value, 0),
        Cell::Number(elo.low, 0),
        Cell::Number(elo.high, 0),
    ]
}

/// Runs the experiment.
///
/// # Errors
///
/// Returns which player's text is wrong.
pub fn run(options: &Options, progress: Progress<'_>) -> Result<Report, LabError> {
    let mut report = Report::new("mcts");
    let starts = openings(options.openings, 8, options.seed);
    let total = (options.simulations.len() + VARIANTS.len()) as u64;
    let mut table = Table::new(
        &format!("Strength by simulations a move, against {}", options.opponent),
        &["simulations", "games", "score %", "Elo", "from", "to"],
    );
    let (mut points, mut curve) = (Vec::new(), Vec::new());
    for (i, &simulations) in options.simulations.iter().enumerate() {
        progress("mcts: simulations", i as u64, total);
        let result = play_match(
            &format!("mcts/{simulations}n"),
            &options.opponent,
            &starts,
            options.seed,
            &mut |_| (),
        )?;
        let elo = result.elo();
        points.push([simulations as f64, elo.value, elo.low, elo.high]);
        table.row([Cell::from(simulations)].into_iter().chain(result_cells(&result)));
        curve.push(result);
    }
    report.plots.push(Plot {
        title: format!("Strength by simulations, against {}", options.opponent),
        x_label: "simulations a move".to_owned(),
        y_label: "Elo".to_owned(),
        x_scale: Scale::Log,
        series: vec![Series {
            name: "mcts".to_owned(),
            points: points.clone(),
            shape: Shape::Line,
            ..Series::default()
        }],
        ..Plot::default()
    });
    report.tables.push(table);

    let standard = format!("mcts/{}n", options.base);
    let mut table = Table::new(
        &format!(
            "Variants against the standard at {} simulations a move",
            options.base
        ),
        &[
            "what",
            "variant",
            "games",
            "score %",
            "Elo",
            "from",
            "to",
            "p, corrected",
            "shown",
        ],
    );
    let mut results = Vec::new();
    let mut bars = Vec::new();
    for (i, (_, variant)) in VARIANTS.iter().enumerate() {
        progress("mcts: variants", (options.simulations.len() + i) as u64, total);
        let text = format!("mcts:{variant}/{}n", options.base);
        let result = play_match(&text, &standard, &starts, options.seed, &mut |_| ())?;
        let elo = result.elo();
        bars.push([i as f64, elo.value, elo.low, elo.high]);
        results.push(result);
    }
    // The growth along the curve is one comparison more.
    let mut tests: Vec<_> = results.iter().map(Test::of_match).collect();
    tests.extend(
        curve
            .first()
            .zip(curve.last())
            .map(|(first, last)| Test::between(last, first)),
    );
    let (chances, conclusions) = (corrected(&tests), conclusions(&tests));
    for (i, ((what, variant), result)) in VARIANTS.iter().zip(&results).enumerate() {
        let shown = match conclusions[i] {
            Conclusion::Better => "stronger".to_owned(),
            Conclusion::Worse => "weaker".to_owned(),
            Conclusion::Open => nothing_shown(result.games()),
        };
        let cells = [Cell::from(*what), Cell::from(*variant)].into_iter();
        let verdict = [Cell::Number(chances[i], 3), shown.into()];
        table.row(cells.chain(result_cells(result)).chain(verdict));
    }
    report.plots.push(Plot {
        title: format!("Variants against the standard, {} simulations", options.base),
        y_label: "Elo, 95 % interval".to_owned(),
        categories: VARIANTS
            .iter()
            .map(|(_, variant)| (*variant).to_owned())
            .collect(),
        series: vec![Series {
            name: "variant".to_owned(),
            points: bars,
            shape: Shape::Intervals,
            ..Series::default()
        }],
        ..Plot::default()
    });
    report.tables.push(table);
    report.tables.push(speeds(options.seed));
    timed_matches(options, &mut report)?;
    progress("mcts", total, total);
    report.finding = finding(options, &results, &points, &conclusions);
    Ok(report)
}

/// Says what the comparisons show.
fn finding(
    options: &Options,
    results: &[MatchResult],
    points: &[[f64; 4]],
    conclusions: &[Conclusion],
) -> String {
    let games = results.first().map_or(0, MatchResult::games);
    let growth = match (points, &conclusions[results.len()..]) {
        ([first, .., last], [Conclusion::Better]) => {
            format!("the strength grows by {:.0} Elo", last[1] - first[1])
        }
        ([first, .., last], [Conclusion::Worse]) => {
            format!("the strength falls by {:.0} Elo", first[1] - last[1])
        }
        _ => nothing_shown(games),
    };
    let named = |wanted: Conclusion, word: &str| {
        let matching = VARIANTS
            .iter()
            .zip(results)
            .zip(conclusions)
            .filter(|&(_, &found)| found == wanted);
        let texts: Vec<_> = matching
            .map(|(((_, variant), result), _)| format!("{variant} ({:+.0})", result.elo().value))
            .collect();
        (!texts.is_empty()).then(|| format!("{word} than the standard, in Elo: {}", texts.join(", ")))
    };
    let shown = [
        named(Conclusion::Better, "stronger"),
        named(Conclusion::Worse, "weaker"),
    ];
    let shown: Vec<_> = shown.into_iter().flatten().collect();
    let open = conclusions[..results.len()]
        .iter()
        .filter(|&&found| found == Conclusion::Open)
        .count();
    format!(
        "From {} to {} simulations a move: {growth}. At {} simulations, {games} games each, corrected for {} comparisons: {}{}the \
         other {open} variants: {}.",
        options.simulations.first().unwrap_or(&0),
        options.simulations.last().unwrap_or(&0),
        options.base,
        conclusions.len(),
        shown.join("; "),
        if shown.is_empty() { "" } else { "; " },
        nothing_shown(games),
    )
}

/// Simulations a second, whole searches, one thread.
fn speeds(seed: u64) -> Table {
    let mut table = Table::new(
        "Roll-outs a second (whole simulations, one thread)",
        &["policy", "at 50 empties", "at 30 empties", "at 10 empties"],
    );
    for name in Policy::NAMES {
        let mut cells = vec![Cell::from(name)];
        for plies in [10, 30, 50] {
            let position = random_positions(1, plies..plies + 1, seed)[0];
            let policy = Policy::by_name(name).unwrap_or(Policy::Uniform);
            let clock = CpuClock::start();
            let found =
                Mcts::new(MctsOptions::default().config, policy).search(&position, &Control::of_nodes(3000));
            let seconds = clock.seconds();
            cells.push(Cell::Count((found.simulations as f64 / seconds.max(1e-9)) as u64));
        }
        table.row(cells);
    }
    table
}

/// Matches at a time per move against the two simplest players.
fn timed_matches(options: &Options, report: &mut Report) -> Result<(), LabError> {
    if options.seconds <= 0.0 || options.timed_openings == 0 {
        return Ok(());
    }
    let starts = openings(options.timed_openings, 4, options.seed);
    let mut table = Table::new(
        &format!("At {} s a move", options.seconds),
        &["opponent", "games", "score %", "Elo", "from", "to"],
    );
    for opponent in ["random", "squares"] {
        let text = format!("mcts/{}s", options.seconds);
        let result = play_match(&text, opponent, &starts, options.seed, &mut |_| ())?;
        table.row([Cell::from(opponent)].into_iter().chain(result_cells(&result)));
    }
    report.tables.push(table);
    Ok(())
}
