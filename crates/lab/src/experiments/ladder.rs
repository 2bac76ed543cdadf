//! A tournament of the simple players, with ratings and intervals: document B's ladder and its null result, and
//! document E's heuristics.

use super::{LabError, Progress, Size, sentence};
use crate::{
    matches::{MatchResult, RoundRobin, play_match},
    report::{Cell, Report, Table},
    sample::openings,
    significance::{Conclusion, Test, conclusions, corrected, nothing_shown},
};
use outflank_draw::{Plot, Series, Shape};

/// What is played.
#[derive(Clone, Debug)]
pub struct Options {
    /// The players; the first one's rating is 0.
    pub players: Vec<String>,
    /// Openings per match of the round robin, each played twice.
    pub openings: usize,
    /// Openings per match of a single step of the ladder.
    pub step_openings: usize,
    /// Random plies of an opening.
    pub plies: usize,
    /// Seed.
    pub seed: u64,
}

/// The tournament's players by default.
const PLAYERS: [&str; 16] = [
    "random",
    "greedy",
    "discs",
    "squares",
    "frontier",
    "mobility",
    "squares+mobility",
    "squares+mobility+parity",
    "squares+mobility+divergence",
    "phase",
    "e",
    "e-improved",
    "e-improved-written",
    "automata",
    "phase/2",
    "phase/4",
];

/// Steps measured by matches of their own: what document B or E says, and who should win.
const STEPS: [(&str, &str, &str); 15] = [
    ("B3: squares beat random", "squares", "random"),
    ("B3: + mobility, one ply", "squares+mobility", "squares"),
    ("B3: + mobility, depth 3", "squares+mobility/3", "squares/3"),
    (
        "B3: + parity, one ply",
        "squares+mobility+parity",
        "squares+mobility",
    ),
    (
        "B3: + parity, depth 3",
        "squares+mobility+parity/3",
        "squares+mobility/3",
    ),
    (
        "B3: + search",
        "squares+mobility+parity/3",
        "squares+mobility+parity",
    ),
    ("B3: divergence beside squares", "squares+divergence", "squares"),
    (
        "B3, null: divergence beside mobility",
        "squares+mobility+divergence",
        "squares+mobility",
    ),
    (
        "B3: phase weights against one weight",
        "phase/3",
        "mobility+stability/3",
    ),
    ("E3: improved, as meant", "e-improved", "e"),
    ("E3: improved, as written", "e-improved-written", "e"),
    ("E3: as meant at depth 3", "e-improved/3", "e/3"),
    ("A7: automata beside squares", "automata", "squares"),
    ("A8: automata's search, depth 3", "automata/3", "automata"),
    ("B4: learned patterns, one ply", "learned", "squares+mobility"),
];

impl Options {
    /// Returns the options of this size.
    pub fn of_size(size: Size, seed: u64) -> Self {
        let (openings, step_openings, n_players) = match size {
            Size::Full => (40, 500, PLAYERS.len()),
            Size::Quick => (10, 150, PLAYERS.len() - 1),
            Size::Tiny => (1, 1, 5),
        };
        Self {
            players: PLAYERS[..n_players].iter().map(|&name| name.to_owned()).collect(),
            openings,
            step_openings,
            plies: 8,
            seed,
        }
    }
}

/// Plays the tournament.
///
/// # Errors
///
/// Returns which player's text is wrong.
pub fn run(options: &Options, progress: Progress<'_>) -> Result<Report, LabError> {
    if options.players.len() < 2 || options.openings == 0 {
        return Err(LabError::Option("a ladder needs two players and an opening"));
    }
    let starts = openings(options.openings, options.plies, options.seed);
    let n = options.players.len();
    let total = (n * (n - 1) * options.openings) as u64;
    let table = RoundRobin::play(&options.players, &starts, options.seed, &mut |games| {
        progress("ladder", u64::from(games), total);
    })?;
    let ratings = table.ratings(options.seed);
    let mut order: Vec<_> = (0..n).collect();
    order.sort_by(|&a, &b| ratings[a].value.total_cmp(&ratings[b].value));

    let mut report = Report::new("ladder");
    let mut rows = Table::new(
        &format!(
            "Round robin, {} games between each two, {} random plies",
            2 * options.openings,
            options.plies
        ),
        &["player", "Elo", "from", "to", "games", "score %", "mean discs"],
    );
    for &i in &order {
        let games: u32 = table.results[i].iter().map(MatchResult::games).sum();
        let points: f64 = table.results[i]
            .iter()
            .map(|result| result.score() * f64::from(result.games()))
            .sum();
        let discs: i64 = table.results[i].iter().map(|result| result.discs).sum();
        rows.row([
            options.players[i].clone().into(),
            Cell::Number(ratings[i].value, 0),
            Cell::Number(ratings[i].low, 0),
            Cell::Number(ratings[i].high, 0),
            games.into(),
            Cell::Number(100.0 * points / f64::from(games.max(1)), 1),
            Cell::Number(discs as f64 / f64::from(games.max(1)), 1),
        ]);
    }
    report.tables.push(rows);
    report.plots.push(Plot {
        title: "Ratings of the simple players".to_owned(),
        y_label: "Elo, 95 % interval".to_owned(),
        categories: order.iter().map(|&i| options.players[i].clone()).collect(),
        series: vec![Series {
            name: "rating".to_owned(),
            points: order
                .iter()
                .enumerate()
                .map(|(x, &i)| [x as f64, ratings[i].value, ratings[i].low, ratings[i].high])
                .collect(),
            shape: Shape::Intervals,
            ..Series::default()
        }],
        ..Plot::default()
    });
    report.finding = steps(options, &mut report, progress)?;
    Ok(report)
}

fn steps(options: &Options, report: &mut Report, progress: Progress<'_>) -> Result<String, LabError> {
    let starts = openings(options.step_openings.max(1), options.plies, options.seed ^ 0x57E9);
    let mut table = Table::new(
        "Single steps, each a match of its own",
        &[
            "step",
            "player",
            "against",
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
    for (i, (_, better, worse)) in STEPS.iter().enumerate() {
        progress("ladder: steps", i as u64, STEPS.len() as u64);
        results.push(play_match(better, worse, &starts, options.seed, &mut |_| ())?);
    }
    let tests: Vec<_> = results.iter().map(Test::of_match).collect();
    let (chances, conclusions) = (corrected(&tests), conclusions(&tests));
    let (mut shown, mut open, mut reversed) = (Vec::new(), Vec::new(), Vec::new());
    for (i, ((what, better, worse), result)) in STEPS.iter().zip(&results).enumerate() {
        let elo = result.elo();
        let list = match conclusions[i] {
            Conclusion::Better => &mut shown,
            Conclusion::Worse => &mut reversed,
            Conclusion::Open => &mut open,
        };
        list.push(format!("{what} ({:+.0})", elo.value));
        table.row([
            (*what).into(),
            (*better).into(),
            (*worse).into(),
            result.games().into(),
            Cell::Number(100.0 * result.score(), 1),
            Cell::Number(elo.value, 0),
            Cell::Number(elo.low, 0),
            Cell::Number(elo.high, 0),
            Cell::Number(chances[i], 3),
            conclusions[i].shown(result.games()).into(),
        ]);
    }
    progress("ladder: steps", STEPS.len() as u64, STEPS.len() as u64);
    report.tables.push(table);
    let list = |items: &[String]| {
        if items.is_empty() {
            "none".to_owned()
        } else {
            items.join("; ")
        }
    };
    let games = results.first().map_or(0, MatchResult::games);
    Ok(format!(
        "Steps shown by matches, in Elo, after correction for {} comparisons: {}. The other way round: {}. {}: {}.",
        STEPS.len(),
        list(&shown),
        list(&reversed),
        sentence(&nothing_shown(games)),
        list(&open)
    ))
}
