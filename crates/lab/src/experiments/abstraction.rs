//! Abstract states: how much they say, what they are worth as an evaluation, and what the pruning rule costs.

use super::{LabError, Progress, Size};
use crate::{
    abstract_search::{AbstractSearch, PruningRule},
    abstract_states::{AbstractEvaluation, AbstractState, Record, Statistics},
    evaluation::Evaluation,
    matches::MatchResult,
    players::{Player, player},
    report::{Cell, Report, Table},
    sample::{openings, random_positions},
    significance::{Test, corrected, standing},
};
use outflank_draw::{Plot, Scale, Series};
use outflank_game::GameState as _;
use outflank_game::SplitMix64;
use outflank_othello::{Game, Move, Position};
use std::sync::Arc;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// Games played for the statistics, if none are given.
    pub games: usize,
    /// Openings per match, each played twice.
    pub openings: usize,
    /// Positions for the pruning rule.
    pub positions: usize,
    /// Depth of the searches with the rule.
    pub depth: u32,
    /// Widths of the rule, in spreads.
    pub widths: Vec<f64>,
    /// Seed.
    pub seed: u64,
}

impl Options {
    /// Returns the options of this size.
    pub fn of_size(size: Size, seed: u64) -> Self {
        let (games, openings, positions, depth) = match size {
            Size::Full => (6000, 250, 60, 6),
            Size::Quick => (1500, 60, 25, 5),
            Size::Tiny => (30, 2, 3, 3),
        };
        Self {
            games,
            openings,
            positions,
            depth,
            widths: vec![0.25, 0.5, 0.75, 1.0, 1.5],
            seed,
        }
    }
}

/// Plays games for statistics: one-ply players with a random move in five, so that mistakes are in the data.
pub(crate) fn self_play(n: usize, seed: u64, progress: Progress<'_>) -> Result<Vec<Game>, LabError> {
    let mut random = SplitMix64::new(seed);
    let mut players = [player("phase", seed)?, player("squares+mobility", seed)?];
    let mut games = Vec::with_capacity(n);
    for i in 0..n {
        if i % 50 == 0 {
            progress("abstract: games", i as u64, n as u64);
        }
        for player in &mut players {
            player.new_game(random.next_u64());
        }
        let mut game = Game::new();
        loop {
            let moves = game.position().legal_moves();
            let mover: &mut Box<dyn Player> = &mut players[(game.moves().len() + i) % 2];
            let chosen = if random.below(5) == 0 {
                moves.get(random.below(moves.len())).copied()
            } else {
                mover.choose(game.position())
            };
            if chosen.is_none_or(|mv| game.play(mv).is_err()) {
                break;
            }
        }
        games.push(game);
    }
    Ok(games)
}

/// Runs the experiment on `games`, or on games of its own if there are none; returns the statistics of all of them
/// too.
///
/// # Errors
///
/// None with the built-in options.
pub fn run(
    options: &Options,
    games: &[Game],
    progress: Progress<'_>,
) -> Result<(Report, Statistics), LabError> {
    let played;
    let games = if games.is_empty() {
        played = self_play(options.games, options.seed, progress)?;
        &played
    } else {
        games
    };
    // Every fifth game is kept aside to see what the statistics of the others are worth.
    let (mut known, mut all) = (Statistics::default(), Statistics::default());
    for (i, game) in games.iter().enumerate() {
        if i % 5 != 0 {
            known.add_game(game);
        }
        all.add_game(game);
    }
    let mut report = Report::new("abstract");
    report.tables.push(common_states(&all));
    let explained = prediction(&known, games, &mut report);
    let strength = matches(options, &all, &mut report, progress)?;
    let saving = pruning(options, &all, &mut report, progress);
    let n_positions: u64 = all.iter().map(|(_, record)| record.count).sum();
    report.finding = format!(
        "{n_positions} positions of {} games fall into {} abstract states. On games kept aside the states explain {:.0} % of the \
         variance of the final margin in the middle third of the game. {strength} {saving}",
        games.len(),
        all.len(),
        100.0 * explained
    );
    let mut file = Vec::new();
    if all.write(&mut file).is_ok() {
        report.files.push((
            "abstract-states.txt".to_owned(),
            String::from_utf8_lossy(&file).into_owned(),
        ));
    }
    Ok((report, all))
}

fn common_states(statistics: &Statistics) -> Table {
    let mut table = Table::new(
        "The twelve most frequent abstract states, for the player to move",
        &["state", "positions", "mean margin", "win rate %", "spread"],
    );
    let mut records: Vec<_> = statistics.iter().collect();
    records.sort_by_key(|(state, record)| (std::cmp::Reverse(record.count), *state));
    for (state, record) in records.into_iter().take(12) {
        table.row([
            Cell::from(state.code().to_string()),
            record.count.into(),
            Cell::Number(record.mean(), 1),
            Cell::Number(100.0 * record.win_rate(), 1),
            Cell::Number(record.spread(), 1),
        ]);
    }
    table
}

/// How well the states of the known games predict the margins of the others; returns the share of the variance
/// explained in the middle of the game.
fn prediction(known: &Statistics, games: &[Game], report: &mut Report) -> f64 {
    let mut table = Table::new(
        "Prediction of the final margin on games kept aside",
        &[
            "empties",
            "positions",
            "mean absolute error",
            "without states",
            "variance explained %",
        ],
    );
    let mut middle = 0.0;
    let mut curve = Vec::new();
    for from in (0..60).step_by(10).rev() {
        let (mut n, mut sum, mut squares, mut error, mut square_error, mut bare) =
            (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        for game in games.iter().step_by(5) {
            if game.result().is_none() {
                continue;
            }
            for position in game.positions() {
                let empties = position.board().empties().count();
                if position.is_game_over() || !(from..from + 10).contains(&empties) {
                    continue;
                }
                let margin = f64::from(game.position().final_discs(position.side()).get());
                let predicted = shrunk(known.record(AbstractState::of(position.board())));
                n += 1.0;
                sum += margin;
                squares += margin * margin;
                bare += margin.abs();
                error += (margin - predicted).abs();
                square_error += (margin - predicted).powi(2);
            }
        }
        if n < 1.0 {
            continue;
        }
        let variance = squares / n - (sum / n) * (sum / n);
        let explained = 1.0 - square_error / n / variance.max(1e-9);
        if from == 20 {
            middle = explained;
        }
        curve.push((f64::from(from) + 5.0, explained * 100.0));
        table.row([
            Cell::from(format!("{from}–{}", from + 9)),
            (n as u64).into(),
            Cell::Number(error / n, 1),
            Cell::Number(bare / n, 1),
            Cell::Number(100.0 * explained, 1),
        ]);
    }
    report.plots.push(Plot {
        title: "What abstract states say about the result".to_owned(),
        x_label: "empties".to_owned(),
        y_label: "% of the variance explained".to_owned(),
        series: vec![Series::line("games kept aside", curve)],
        ..Plot::default()
    });
    report.tables.push(table);
    middle
}

/// The mean margin of a state, drawn towards 0 where it is rare.
fn shrunk(record: Record) -> f64 {
    let count = record.count as f64;
    record.mean() * count / (count + 20.0)
}

/// A one-ply player by statistics, outside the registry since it needs them.
struct ByStatistics(Evaluation);

impl ByStatistics {
    fn choose(&self, position: &Position) -> Option<Move> {
        let value = |mv: &Move| {
            let mut next = *position;
            let _flips = outflank_game::GameState::play(&mut next, *mv);
            match next.outcome() {
                Some(outcome) => outflank_game::Evaluate::outcome_value(&self.0, outcome),
                None => self.0.value(next.board()),
            }
        };
        position.legal_moves().into_iter().min_by_key(value)
    }
}

/// Plays one ply by statistics against simple players.
fn matches(
    options: &Options,
    statistics: &Statistics,
    report: &mut Report,
    progress: Progress<'_>,
) -> Result<String, LabError> {
    let ours = ByStatistics(Evaluation::Abstract(Arc::new(AbstractEvaluation::new(
        statistics,
    ))));
    let mut table = Table::new(
        "One ply by abstract states against other players",
        &["opponent", "games", "score %", "p, corrected"],
    );
    let mut results = Vec::new();
    let opponents = ["random", "squares", "mobility", "squares+mobility", "phase"];
    for (i, text) in opponents.into_iter().enumerate() {
        progress("abstract: matches", i as u64, opponents.len() as u64);
        let mut opponent = player(text, options.seed)?;
        let mut result = MatchResult::default();
        for (g, opening) in openings(options.openings, 8, options.seed)
            .into_iter()
            .enumerate()
        {
            let margins = [true, false].map(|ours_is_mover| {
                opponent.new_game(options.seed ^ g as u64);
                let mut position = opening;
                let own_side = if ours_is_mover {
                    opening.side()
                } else {
                    !opening.side()
                };
                while !position.is_game_over() {
                    let chosen = if position.side() == own_side {
                        ours.choose(&position)
                    } else {
                        opponent.choose(&position)
                    };
                    if chosen.is_none_or(|mv| position.play(mv).is_err()) {
                        break;
                    }
                }
                position.final_discs(own_side).get()
            });
            result.add_pair(margins);
        }
        results.push((text, result));
    }
    let chances = corrected(
        &results
            .iter()
            .map(|(_, result)| Test::of_match(result))
            .collect::<Vec<_>>(),
    );
    for ((text, result), chance) in results.iter().zip(chances) {
        table.row([
            Cell::from(*text),
            result.games().into(),
            Cell::Number(100.0 * result.score(), 1),
            Cell::Number(chance, 3),
        ]);
    }
    report.tables.push(table);
    Ok(format!(
        "At one ply, the states against others: {}.",
        standing(&results)
    ))
}

/// What the rule saves and what it costs.
fn pruning(
    options: &Options,
    statistics: &Statistics,
    report: &mut Report,
    progress: Progress<'_>,
) -> String {
    let positions = random_positions(options.positions, 8..44, options.seed);
    let plain: Vec<_> = positions
        .iter()
        .map(|p| AbstractSearch::new(statistics, None).search(p, options.depth))
        .collect();
    let plain_nodes: u64 = plain.iter().map(|found| found.counters.nodes).sum();
    let mut table = Table::new(
        &format!("The pruning rule at depth {}", options.depth),
        &[
            "width (spreads)",
            "nodes",
            "nodes saved %",
            "cuts",
            "mean error (discs)",
            "same move %",
        ],
    );
    table.row([
        "off".into(),
        plain_nodes.into(),
        Cell::Number(0.0, 1),
        Cell::Count(0),
        Cell::Number(0.0, 2),
        Cell::Number(100.0, 0),
    ]);
    let mut points = Vec::new();
    let mut sentence = String::new();
    for (i, &width) in options.widths.iter().enumerate() {
        progress("abstract: rule", i as u64, options.widths.len() as u64);
        let rule = PruningRule {
            width,
            ..PruningRule::default()
        };
        let (mut nodes, mut cuts, mut error, mut same) = (0, 0, 0.0, 0);
        for (position, truth) in positions.iter().zip(&plain) {
            let found = AbstractSearch::new(statistics, Some(rule)).search(position, options.depth);
            nodes += found.counters.nodes;
            cuts += found.pruned;
            error += f64::from((found.value - truth.value).abs()) / 100.0;
            same += u32::from(found.best == truth.best);
        }
        let n = positions.len().max(1) as f64;
        let saved = 100.0 * (1.0 - nodes as f64 / plain_nodes.max(1) as f64);
        let same = 100.0 * f64::from(same) / n;
        points.push((width, saved, same));
        table.row([
            Cell::from(format!("{width}")),
            nodes.into(),
            Cell::Number(saved, 1),
            cuts.into(),
            Cell::Number(error / n, 2),
            Cell::Number(same, 0),
        ]);
        if (width - 0.5).abs() < 0.01 {
            sentence = format!(
                "Cutting at half a spread saves {saved:.0} % of the nodes at depth {} and keeps the move in {same:.0} % of {} \
                 positions.",
                options.depth,
                positions.len()
            );
        }
    }
    report.tables.push(table);
    report.plots.push(Plot {
        title: "The pruning rule".to_owned(),
        x_label: "width of the rule (spreads)".to_owned(),
        y_label: "%".to_owned(),
        x_scale: Scale::Linear,
        series: vec![
            Series::line("nodes saved", points.iter().map(|&(x, saved, _)| (x, saved))),
            Series::line("same move", points.iter().map(|&(x, _, same)| (x, same))),
        ],
        ..Plot::default()
    });
    sentence
}
