//! The statistics of Multi-ProbCut for one evaluator, from positions that it met in its own games. \[BURO97\]
//!
//! Every position is searched to the full width at each depth, so that one search gives all pairs of a shallow and a
//! deep value; positions near the end are solved besides. The spread of the differences follows
//! `exp(a + b·deep + c·shallow + d·empties)` closely, whose logarithm is fitted by least squares over groups of
//! positions; deeper searches than were measured are extrapolated by it. Means are taken as measured.

use outflank_eval::{Evaluator, Score};
use outflank_game::SplitMix64;
use outflank_othello::{Board, Position};
use outflank_othello_engine::{
    Engine, EngineConfig, EngineError, Request,
    probcut::{self, SpreadFormula, shallow_depth, shallow_depth_to_end},
    tuning::ProbCutTable,
};
use outflank_search::{ManualClock, StopToken};
use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

/// What to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbCutOptions {
    /// Positions searched at every depth.
    pub positions: usize,
    /// Deepest full-width search.
    pub depth: u32,
    /// Positions solved besides.
    pub solved: usize,
    /// Most empties of those.
    pub solved_empties: u32,
    /// Seed of the games.
    pub seed: u64,
}

impl Default for ProbCutOptions {
    /// Enough for spreads within some 3 %; a few minutes on one core.
    fn default() -> Self {
        Self {
            positions: 2_000,
            depth: 10,
            solved: 1_500,
            solved_empties: 18,
            seed: 1,
        }
    }
}

/// The values of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbCutSample {
    /// Empty squares.
    pub empties: u32,
    /// Value at each depth from 0, full width, in 1/128 disc.
    pub values: Vec<i32>,
    /// Value with perfect play, in 1/128 disc, if solved.
    pub exact: Option<i32>,
}

/// Plays a game with a random beginning and some random moves until `empties` are left; `None` if it ends before, or
/// if the player to move must pass.
fn position_from_play<E: Evaluator + 'static>(
    engine: &mut Engine<E>,
    random: &mut SplitMix64,
    empties: u32,
) -> Option<Board> {
    /// Plies played at random from the start position.
    const OPENING: u32 = 8;
    /// One move in this many is random later on.
    const STRAY: usize = 8;
    let mut position = Position::start();
    while position.board().empties().count() > empties {
        let moves = position.legal_moves();
        let at_random =
            position.board().empties().count() > 60 - OPENING || random.below(STRAY) == 0 || moves.len() == 1;
        let mv = if at_random {
            *moves.get(random.below(moves.len().max(1)))?
        } else {
            let request = Request::new(position).depth(2);
            engine
                .search(&request, &StopToken::new(), &mut |_| {})
                .best_move()?
        };
        position.play(mv).ok()?;
    }
    let board = position.board();
    (!board.legal_moves().is_empty()).then_some(board)
}

/// Plays games, searches one position of each, and returns the values; reports each sample to `on_sample`.
///
/// # Errors
///
/// Returns [`EngineError`] if there is no memory for the tables.
pub fn collect<E: Evaluator + 'static>(
    evaluator: &Arc<E>,
    options: &ProbCutOptions,
    stop: &StopToken,
    on_sample: &mut dyn FnMut(usize),
) -> Result<Vec<ProbCutSample>, EngineError> {
    let config = EngineConfig {
        table_bytes: 64 << 20,
        ..EngineConfig::default()
    };
    // Only full-width searches are asked for, so the statistics do not matter.
    let flat = SpreadFormula {
        base: 1.0,
        deep: 0.0,
        shallow: 0.0,
        empties: 0.0,
    };
    let table = Arc::new(ProbCutTable::from_formulas(&flat, &flat));
    let mut engine = Engine::judging_by(
        Arc::clone(evaluator),
        table,
        config,
        Arc::new(ManualClock::default()),
    )?;
    let mut random = SplitMix64::new(options.seed);
    let mut samples = Vec::new();
    while samples.len() < options.positions + options.solved && !stop.is_stopped() {
        let solve = samples.len() >= options.positions;
        let (least, most) = if solve {
            (10, options.solved_empties)
        } else {
            (options.depth + 2, 54)
        };
        let empties = least + random.below((most.max(least) - least + 1) as usize) as u32;
        engine.clear();
        let Some(board) = position_from_play(&mut engine, &mut random, empties) else {
            continue;
        };
        engine.clear();
        let position = Position::new(board, outflank_othello::Color::Black);
        let state = evaluator.state(board);
        let mut values = vec![evaluator.evaluate(board, &state).units()];
        let depth = if solve { 8 } else { options.depth };
        let request = Request::new(position)
            .depth(depth.min(empties - 1))
            .confidence(100);
        engine.search(&request, stop, &mut |progress| {
            values.push(progress.line.value.units());
        });
        let exact = solve.then(|| {
            let request = Request::new(position).exact().confidence(100);
            engine.search(&request, stop, &mut |_| {}).best().value.units()
        });
        if stop.is_stopped() {
            break;
        }
        samples.push(ProbCutSample {
            empties,
            values,
            exact,
        });
        on_sample(samples.len());
    }
    Ok(samples)
}

/// Mean and spread of differences.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, difference: i32) {
        self.count += 1.0;
        self.sum += f64::from(difference);
        self.squares += f64::from(difference).powi(2);
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1.0)
    }

    fn sigma(&self) -> f64 {
        (self.squares / self.count.max(1.0) - self.mean().powi(2))
            .max(1.0)
            .sqrt()
    }
}

/// Groups with fewer positions than this tell too little.
const ENOUGH: f64 = 24.0;

/// Differences by (deep, shallow, group of empties).
type Groups = BTreeMap<(u32, u32, u32), Moments>;

/// What was fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbCutFit {
    /// The table.
    pub table: ProbCutTable,
    /// The formulas, and measured against fitted spreads, as text.
    pub report: String,
}

/// Fits the statistics.
pub fn fit(samples: &[ProbCutSample]) -> ProbCutFit {
    let (mut middle, mut end) = (Groups::new(), Groups::new());
    for sample in samples {
        let group = sample.empties.saturating_sub(1) / 4;
        for (shallow, &low) in sample.values.iter().enumerate() {
            if let Some(exact) = sample.exact {
                let key = (sample.empties, shallow as u32, sample.empties);
                end.entry(key).or_default().add(exact - low);
                continue;
            }
            for (deep, &high) in sample.values.iter().enumerate().skip(shallow + 1) {
                if shallow == 0 || (deep - shallow).is_multiple_of(2) {
                    middle
                        .entry((deep as u32, shallow as u32, group))
                        .or_default()
                        .add(high - low);
                }
            }
        }
    }
    let searched = spread(
        middle
            .iter()
            .filter(|(key, _)| key.1 > 0)
            .map(|(&(d, s, g), m)| ((d, s, 4 * g + 3), m)),
    );
    let at_once = spread(
        middle
            .iter()
            .filter(|(key, _)| key.1 == 0)
            .map(|(&(d, s, g), m)| ((d, s, 4 * g + 3), m)),
    );
    // To the end the deep depth is the number of empties: only one of the two can be fitted.
    let solved = spread(end.iter().map(|(&(d, s, _), m)| ((d, s, 0), m)));
    let mut table = ProbCutTable::from_formulas(&searched, &solved);
    for group in 0..probcut::STAGES as u32 {
        let empties = 4 * group + 3;
        for deep in 1..=probcut::MAX_DEPTH as u32 {
            let shallow = shallow_depth(deep);
            let mean = mean_of(&middle, deep, shallow, group);
            let sigma = blended(
                middle.get(&(deep, shallow, group)),
                searched.sigma(deep, shallow, empties),
            );
            table.set_middle(deep, empties, true, mean, sigma);
            let mean = mean_of(&middle, deep, 0, group);
            let sigma = blended(middle.get(&(deep, 0, group)), at_once.sigma(deep, 0, empties));
            table.set_middle(deep, empties, false, mean, sigma);
        }
    }
    for empties in 1..=probcut::MAX_DEPTH as u32 {
        let shallow = shallow_depth_to_end(empties);
        let sigma = |shallow| {
            blended(
                end.get(&(empties, shallow, empties)),
                solved.sigma(empties, shallow, 0),
            )
        };
        table.set_end(empties, true, 0, sigma(shallow));
        table.set_end(empties, false, 0, sigma(0));
    }
    let mut report = format!("before the end {searched:?}\nstatic {at_once:?}\nto the end {solved:?}\n");
    for (title, groups, formula) in [("middle", &middle, &searched), ("end", &end, &solved)] {
        for (&(deep, shallow, group), moments) in groups {
            if shallow > 0 && moments.count >= ENOUGH {
                let empties = if title == "end" { 0 } else { 4 * group + 3 };
                // Writing to a string cannot fail.
                let _ = writeln!(
                    report,
                    "{title} deep {deep} shallow {shallow} empties {}: mean {:+.2} spread {:.2} fitted {:.2} discs, {} positions",
                    if title == "end" { deep } else { empties },
                    moments.mean() / 128.0,
                    moments.sigma() / 128.0,
                    f64::from(formula.sigma(deep, shallow, empties)) / 128.0,
                    moments.count
                );
            }
        }
    }
    ProbCutFit { table, report }
}

/// Returns the spread in 1/128 disc between what a group shows and what the formula says, the more the first the more
/// positions there are.
fn blended(group: Option<&Moments>, formula: i32) -> i32 {
    /// Positions that weigh as much as the formula.
    const EQUAL: f64 = 50.0;
    let Some(group) = group else { return formula };
    let log = (group.count * group.sigma().ln() + EQUAL * f64::from(formula).ln()) / (group.count + EQUAL);
    log.exp().round() as i32
}

/// Returns the mean difference of a pair of depths in 1/128 disc, from neighboring groups where this one has few
/// positions; deeper pairs than measured take the deepest pair of the same parity.
fn mean_of(groups: &Groups, deep: u32, shallow: u32, group: u32) -> i32 {
    let deepest = groups.keys().map(|key| key.0).max().unwrap_or(0);
    let (deep, shallow) = if deep <= deepest {
        (deep, shallow)
    } else {
        let deep = deepest - (deepest + deep) % 2;
        (deep, if shallow == 0 { 0 } else { shallow_depth(deep) })
    };
    let mut all = Moments::default();
    for neighbor in group.saturating_sub(1)..=group + 1 {
        if let Some(moments) = groups.get(&(deep, shallow, neighbor)) {
            all.count += moments.count;
            all.sum += moments.sum;
        }
    }
    if all.count < ENOUGH {
        0
    } else {
        all.mean().round() as i32
    }
}

/// Fits the logarithm of the spreads by least squares, each group weighted by its number of positions.
fn spread<'a>(groups: impl Iterator<Item = ((u32, u32, u32), &'a Moments)>) -> SpreadFormula {
    let mut normal = [[0.0; 5]; 4];
    for ((deep, shallow, empties), moments) in groups.filter(|(_, moments)| moments.count >= ENOUGH) {
        let row = [1.0, f64::from(deep), f64::from(shallow), f64::from(empties)];
        let target = (moments.sigma() / f64::from(Score::PER_DISC)).ln();
        for i in 0..4 {
            for j in 0..4 {
                normal[i][j] += moments.count * row[i] * row[j];
            }
            normal[i][4] += moments.count * row[i] * target;
        }
    }
    // A touch of ridge, for columns that do not vary.
    for (i, row) in normal.iter_mut().enumerate() {
        row[i] += 1e-6;
    }
    let [base, deep, shallow, empties] = solve(normal);
    SpreadFormula {
        base,
        deep,
        shallow,
        empties,
    }
}

/// Solves four linear equations by elimination with pivoting; the last column is the right-hand side.
fn solve(mut rows: [[f64; 5]; 4]) -> [f64; 4] {
    for column in 0..4 {
        let pivot = (column..4)
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
            .unwrap_or(column);
        rows.swap(column, pivot);
        let head = rows[column];
        for (i, row) in rows.iter_mut().enumerate() {
            if i != column {
                let factor = row[column] / head[column];
                for (cell, above) in row.iter_mut().zip(head) {
                    *cell -= factor * above;
                }
            }
        }
    }
    [0, 1, 2, 3].map(|i| rows[i][4] / rows[i][i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_eval::HandMade;

    #[test]
    fn equations_are_solved() {
        let rows = [
            [0.0, 2.0, 1.0, 0.0, 8.0],
            [1.0, 0.0, 0.0, 1.0, 5.0],
            [3.0, 1.0, 0.0, 0.0, 6.0],
            [0.0, 0.0, 2.0, 1.0, 8.0],
        ];
        let solution = solve(rows);
        for (found, expected) in solution.into_iter().zip([1.0, 3.0, 2.0, 4.0]) {
            assert!((found - expected).abs() < 1e-9, "{solution:?}");
        }
    }

    #[test]
    fn a_known_spread_is_found_again() {
        let truth = SpreadFormula {
            base: 0.5,
            deep: 0.08,
            shallow: -0.15,
            empties: 0.01,
        };
        let mut random = SplitMix64::new(3);
        // Normal differences that shrink with the shallow depth: v(d) = v(deepest) + noise.
        let mut groups = Groups::new();
        for deep in 2..=10 {
            for shallow in (1..deep).rev().step_by(2).skip(1) {
                for group in 2..12 {
                    let sigma = f64::from(truth.sigma(deep, shallow, 4 * group + 3));
                    for _ in 0..200 {
                        let uniform: f64 = (0..12)
                            .map(|_| random.below(1 << 20) as f64 / f64::from(1 << 20))
                            .sum();
                        groups
                            .entry((deep, shallow, group))
                            .or_default()
                            .add(((uniform - 6.0) * sigma) as i32);
                    }
                }
            }
        }
        let found = spread(groups.iter().map(|(&(d, s, g), m)| ((d, s, 4 * g + 3), m)));
        assert!((found.deep - truth.deep).abs() < 0.02, "{found:?}");
        assert!((found.shallow - truth.shallow).abs() < 0.02, "{found:?}");
        assert!((found.empties - truth.empties).abs() < 0.003, "{found:?}");
    }

    #[test]
    fn a_small_fit_runs_and_is_reproducible() {
        let options = ProbCutOptions {
            positions: 40,
            depth: 4,
            solved: 40,
            solved_empties: 11,
            seed: 5,
        };
        let evaluator = Arc::new(HandMade);
        let run = || collect(&evaluator, &options, &StopToken::new(), &mut |_| {}).expect("memory");
        let samples = run();
        assert_eq!(samples, run());
        assert_eq!(samples.len(), 80);
        assert!(
            samples
                .iter()
                .take(40)
                .all(|sample| sample.values.len() == 5 && sample.exact.is_none())
        );
        let fitted = fit(&samples);
        assert_eq!(fitted, fit(&samples));
        assert!(fitted.table.to_string().parse::<ProbCutTable>().is_ok());
    }
}
