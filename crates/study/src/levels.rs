//! What each level costs, from searches of a fixed set of positions.
//!
//! What is measured is positions entered, which are the same in every run with one thread; seconds are these divided by
//! the speed of the machine, which is measured, too, and is the only thing that differs from run to run.

use outflank_eval::Evaluator;
use outflank_othello::{Game, Move, Position};
use outflank_othello_engine::{Engine, Request, Strength};
use outflank_search::{Clock, Level, StopToken};
use std::{collections::BTreeMap, time::Duration};

/// First moves of the games from which the positions come; the engine plays on from there, two discs ahead.
const OPENINGS: [&str; 3] = ["f5d6c3d3c4", "f5f6e6f4e3", "f5f4e3f6d3"];
/// Empties of the positions of the midgame: more than any level that can be measured solves.
const MIDGAME_EMPTIES: [u32; 2] = [48, 42];
/// Points that an extrapolation goes by.
const TAIL: usize = 6;
/// What one more disc ahead, or one more empty square, may cost at least and at most.
const FACTORS: [f64; 2] = [1.1, 4.0];

/// A cost by depth or by empties: geometric means of the positions entered, as far as they were measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Growth {
    measured: BTreeMap<u32, f64>,
}

impl Growth {
    /// Takes what the searches at `at` have entered.
    pub fn add(&mut self, at: u32, nodes: &[u64]) {
        let logarithms = nodes.iter().map(|&nodes| (nodes.max(1) as f64).ln());
        let mean = (logarithms.sum::<f64>() / nodes.len().max(1) as f64).exp();
        self.measured.insert(at, mean);
    }

    /// Returns the greatest place that was measured.
    pub fn last(&self) -> Option<u32> {
        self.measured.keys().next_back().copied()
    }

    /// Returns the positions entered at `at`: measured, or extrapolated from the last measured places; never less than
    /// at a smaller place. `None` if nothing was measured.
    pub fn nodes(&self, at: u32) -> Option<f64> {
        let up_to = |at: u32| {
            self.measured
                .range(..=at)
                .map(|(_, &nodes)| nodes)
                .fold(0.0, f64::max)
        };
        let (first, last) = (*self.measured.keys().next()?, self.last()?);
        if at < first {
            // Less far is cheaper by the same law.
            return Some(self.measured[&first] / self.factor().powi((first - at) as i32));
        }
        if at <= last {
            return Some(up_to(at));
        }
        Some(up_to(last) * self.factor().powi((at - last) as i32))
    }

    /// Returns by how much one step more multiplies the cost: the slope of the logarithms of the last measured places.
    fn factor(&self) -> f64 {
        let points: Vec<(f64, f64)> = self
            .measured
            .iter()
            .rev()
            .take(TAIL)
            .map(|(&at, &nodes)| (f64::from(at), nodes.ln()))
            .collect();
        let count = points.len() as f64;
        let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| {
            (x + point.0 / count, y + point.1 / count)
        });
        let variance: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        let slope = points
            .iter()
            .map(|point| (point.0 - x) * (point.1 - y))
            .sum::<f64>()
            / variance;
        let factor = if variance > 0.0 { slope.exp() } else { 2.0 };
        factor.clamp(FACTORS[0], FACTORS[1])
    }
}

/// What the levels cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// Positions entered for a move of the midgame, by level.
    pub midgame: Growth,
    /// Positions entered to solve a position, by empties.
    pub solving: Growth,
    /// Positions entered in a second: in the midgame, and solving.
    pub speed: [f64; 2],
    /// Positions of the midgame that each level searched.
    pub positions: usize,
}

impl Costs {
    /// Returns the seconds for a move of the midgame at `level`.
    pub fn midgame_seconds(&self, level: Level) -> Option<f64> {
        Some(self.midgame.nodes(level.number())? / self.speed[0])
    }

    /// Returns the seconds to solve a position with as many empties as `level` plays without error from.
    pub fn solve_seconds(&self, level: Level) -> Option<f64> {
        Some(self.solving.nodes(Strength::of(level).exact_empties())? / self.speed[1])
    }

    /// Returns whether the two costs of `level` were measured, and not extrapolated.
    pub fn is_measured(&self, level: Level) -> [bool; 2] {
        let within = |growth: &Growth, at| growth.last().is_some_and(|last| at <= last);
        [
            within(&self.midgame, level.number()),
            within(&self.solving, Strength::of(level).exact_empties()),
        ]
    }
}

/// Measures levels from the lowest up, and positions with more and more empties, until `nodes` positions were entered for
/// each of the two; `stop` ends it early with what is known.
pub fn measure<E: Evaluator + 'static>(
    engine: &mut Engine<E>,
    nodes: u64,
    clock: &dyn Clock,
    stop: &StopToken,
) -> Costs {
    let games: Vec<Vec<Position>> = OPENINGS
        .iter()
        .map(|opening| game(engine, opening, stop))
        .collect();
    let at = |empties: u32| {
        let with = move |position: &&Position| position.board().empties().count() == empties;
        games
            .iter()
            .filter_map(move |game| game.iter().find(with))
            .copied()
    };
    let middle: Vec<Position> = MIDGAME_EMPTIES.into_iter().flat_map(at).collect();
    let levels = Level::all().map(|level| (level.number(), middle.clone(), level));
    let (midgame, first) = series(engine, levels, nodes, clock, stop);
    // Endgames are solved as the highest level solves them.
    let top = Level::all().last().expect("there are levels");
    let endgames = (2..=60).map(|empties| (empties, at(empties).collect(), top));
    let (solving, second) = series(engine, endgames, nodes, clock, stop);
    Costs {
        midgame,
        solving,
        speed: [first, second],
        positions: middle.len(),
    }
}

/// Searches the positions of one place after the other; returns their costs, and positions entered in a second.
fn series<E: Evaluator + 'static>(
    engine: &mut Engine<E>,
    places: impl Iterator<Item = (u32, Vec<Position>, Level)>,
    budget: u64,
    clock: &dyn Clock,
    stop: &StopToken,
) -> (Growth, f64) {
    let (mut growth, mut total) = (Growth::default(), 0);
    let begin = clock.now();
    for (at, positions, level) in places {
        if total >= budget {
            break;
        }
        let mut costs = Vec::new();
        for position in positions {
            engine.clear();
            let outcome = engine.search(&Request::new(position).level(level), stop, &mut |_| {});
            if stop.is_stopped() {
                return (growth, speed(total, clock.now().saturating_sub(begin)));
            }
            costs.push(outcome.nodes);
        }
        if !costs.is_empty() {
            total += costs.iter().sum::<u64>();
            growth.add(at, &costs);
        }
    }
    (growth, speed(total, clock.now().saturating_sub(begin)))
}

fn speed(nodes: u64, time: Duration) -> f64 {
    nodes.max(1) as f64 / time.as_secs_f64().max(1e-6)
}

/// Returns the positions of a game that begins with `opening`.
fn game<E: Evaluator + 'static>(engine: &mut Engine<E>, opening: &str, stop: &StopToken) -> Vec<Position> {
    let mut game = Game::new();
    for at in (0..opening.len()).step_by(2) {
        let square: outflank_othello::Square = opening[at..at + 2].parse().expect("a square");
        game.play(square.into()).expect("legal");
    }
    engine.clear();
    while !game.position().is_game_over() {
        let best = engine
            .search(&Request::new(*game.position()).depth(2), stop, &mut |_| {})
            .best_move();
        let Some(mv) = best.filter(|&mv| game.play(mv).is_ok()) else {
            break;
        };
        debug_assert!(mv != Move::Pass || !game.moves().is_empty());
    }
    game.positions()
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_othello_engine::EngineConfig;
    use outflank_search::SystemClock;
    use std::sync::Arc;

    #[test]
    fn costs_are_extrapolated_by_the_measured_factor_on_both_sides() {
        let mut growth = Growth::default();
        assert_eq!(growth.nodes(5), None);
        for at in 5..=10 {
            growth.add(at, &[100 << at, 100 << at]);
        }
        let close = |at: u32, nodes: f64| {
            let found = growth.nodes(at).expect("measured");
            assert!((found / nodes - 1.0).abs() < 1e-9, "{at}: {found} {nodes}");
        };
        close(5, 3200.0);
        close(13, 819_200.0);
        // Below the first measured place as well, where it once took the last one.
        close(2, 400.0);
        // A place that happens to be cheaper than the one before it is not shown so.
        growth.add(11, &[10]);
        assert_eq!(growth.nodes(11), growth.nodes(10));
    }

    #[test]
    fn what_is_measured_is_the_same_every_time_and_grows() {
        let clock = Arc::new(SystemClock::new());
        let once = || {
            let config = EngineConfig {
                table_bytes: 1 << 20,
                ..EngineConfig::default()
            };
            let mut engine = Engine::with_clock(config, Arc::clone(&clock) as _).expect("an engine");
            measure(&mut engine, 30_000, &*clock, &StopToken::new())
        };
        let (one, two) = (once(), once());
        assert_eq!((&one.midgame, &one.solving), (&two.midgame, &two.solving));
        assert_eq!(one.positions, 6);
        assert!(
            one.midgame.last() >= Some(5) && one.solving.last() >= Some(10),
            "{one:?}"
        );
        let mut before = [0.0; 2];
        for level in Level::all() {
            let now = [one.midgame_seconds(level), one.solve_seconds(level)]
                .map(|seconds| seconds.expect("measured"));
            assert!(
                now[0] >= before[0] && now[1] >= before[1],
                "{level:?}: {before:?} {now:?}"
            );
            before = now;
        }
        assert_eq!(one.is_measured(Level::new(3).expect("a level")), [true; 2]);
        assert_eq!(one.is_measured(Level::new(60).expect("a level")), [false; 2]);
    }
}
