//! `outflank levels`: what each level does, and what it costs on this machine.

use crate::{
    engine::Resources,
    output::{self, Status},
};
use outflank_othello::Position;
use outflank_othello_engine::{Request, Strength};
use outflank_search::{Level, StopToken};
use serde_json::json;
use std::time::{Duration, Instant};

/// Show what each level from 1 to 60 does and the usual time for a move on this machine.
///
/// A level looks as many discs ahead as its number, and plays without error from some number of empty squares on.
/// The times are extrapolated from a calibration of a few seconds: a midgame search to rising depth, and endgames
/// solved from rising numbers of empties.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  outflank levels\n  outflank levels --calibrate 20 --json")]
pub(crate) struct Args {
    /// Seconds to spend on the calibration.
    #[arg(long, value_name = "SECONDS", default_value = "4", value_parser = crate::engine::parse_seconds)]
    calibrate: Duration,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object a level.
    #[arg(long)]
    json: bool,
}

/// A cost that grows by a factor with each disc: the last measured points of a search.
struct Growth {
    /// Depth or empties, and seconds.
    measured: Vec<(u32, f64)>,
}

impl Growth {
    /// Returns the seconds at `at`: measured, or extrapolated from the last points.
    fn seconds(&self, at: u32) -> f64 {
        if let Some(&(_, seconds)) = self.measured.iter().find(|&&(x, _)| x == at) {
            return seconds;
        }
        let (Some(&(last, seconds)), Some(&(before, earlier))) = (
            self.measured.last(),
            self.measured.iter().rev().nth(4).or(self.measured.first()),
        ) else {
            return f64::NAN;
        };
        if at < last || last == before {
            return seconds;
        }
        let factor = (seconds / earlier.max(1e-6))
            .powf(1.0 / f64::from(last - before))
            .clamp(1.3, 4.0);
        seconds * factor.powi((at - last) as i32)
    }
}

/// Empties of the position whose midgame search is timed.
const MIDGAME_EMPTIES: u32 = 40;

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let mut engine = args.resources.engine()?;
    // A game at a low level gives the positions: one of the midgame, and endgames with any number of empties.
    let mut positions: Vec<Position> = Vec::new();
    let mut position = Position::start();
    while !position.is_game_over() {
        positions.push(position);
        let request = Request::new(position).depth(4);
        let best = engine
            .search(&request, &StopToken::new(), &mut |_| {})
            .best_move();
        let Some(mv) = best else { break };
        position.play(mv)?;
    }
    let is_midgame = |position: &&Position| position.board().empties().count() <= MIDGAME_EMPTIES;
    let midgame = positions
        .iter()
        .find(is_midgame)
        .copied()
        .unwrap_or_else(Position::start);
    engine.clear();
    let half = args.calibrate / 2;
    let mut middle = Growth { measured: Vec::new() };
    engine.search(
        &Request::new(midgame).time(half),
        &StopToken::new(),
        &mut |progress| {
            middle
                .measured
                .push((progress.stage.depth, progress.elapsed.as_secs_f64()));
        },
    );
    let begin = Instant::now();
    let mut end = Growth { measured: Vec::new() };
    for position in positions.iter().rev() {
        let empties = position.board().empties().count();
        if position.board().must_pass() || empties < 10 {
            continue;
        }
        let Some(left) = half.checked_sub(begin.elapsed()).filter(|left| !left.is_zero()) else {
            break;
        };
        engine.clear();
        let request = Request::new(*position).exact().time(left);
        let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
        if !outcome.complete {
            break;
        }
        end.measured.push((empties, outcome.elapsed.as_secs_f64()));
    }
    report(args, &middle, &end)
}

fn report(args: &Args, middle: &Growth, end: &Growth) -> anyhow::Result<Status> {
    if !args.json {
        output::line("level  looks ahead  without error from  seconds a move: midgame  longest solve")?;
    }
    for level in Level::all() {
        let strength = Strength::of(level);
        let (depth, exact_empties) = (strength.depth(), strength.exact_empties());
        let (midgame, solve) = (middle.seconds(depth), end.seconds(exact_empties));
        if args.json {
            let object = json!({
                "level": level.number(),
                "depth": depth,
                "exact_empties": exact_empties,
                "selective_empties": strength.selective_empties(),
                "confidence": strength.selectivity().confidence,
                "midgame_seconds": rounded(midgame),
                "solve_seconds": rounded(solve),
            });
            output::line(&object.to_string())?;
        } else {
            output::line(&format!(
                "{:5}  {:2} discs     {:2} empty squares    {:>22}  {:>13}",
                level.number(),
                depth,
                exact_empties,
                duration(midgame),
                duration(solve),
            ))?;
        }
    }
    Ok(Status::Success)
}

/// Returns seconds with three significant digits.
fn rounded(seconds: f64) -> f64 {
    format!("{seconds:.2e}").parse().unwrap_or(seconds)
}

/// Returns a time in the unit that suits it.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => "under 1 ms".to_owned(),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} hours", s / 3600.0),
        s if s < 3.2e7 => format!("{:.0} days", s / 86_400.0),
        _ => "years".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_extrapolated_by_the_measured_factor() {
        let growth = Growth {
            measured: (1..=10)
                .map(|depth| (depth, 0.001 * 2_f64.powi(depth as i32)))
                .collect(),
        };
        assert!((growth.seconds(5) - 0.032).abs() < 1e-9);
        assert!((growth.seconds(13) / 8.192 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn times_have_a_unit_that_suits() {
        let texts = [0.0001, 0.25, 3.0, 600.0, 1e5, 1e6, 1e12].map(duration);
        assert_eq!(
            texts,
            [
                "under 1 ms",
                "250 ms",
                "3.0 s",
                "10 min",
                "28 hours",
                "12 days",
                "years"
            ]
        );
    }
}
