//! `outflank levels`: what each level does, and what it costs on this machine.

use crate::{engine::system_clock, options::Resources};
use outflank_api::levels::LevelObject;
use outflank_othello_engine::Strength;
use outflank_search::{Level, StopToken};
use outflank_study::levels::{Costs, measure};
use outflank_terminal::output::{self, Status, grouped};

/// Show what the levels from 1 to 60 do and the usual time for a move on this machine.
///
/// A level looks as many discs ahead as its number, and plays without error from some number of empty squares on.
/// What is measured is how many positions a level enters, in six positions of the midgame and in endgames with more and
/// more empty squares, until --positions were entered for each; the same in every run with one thread. Higher levels
/// are extrapolated (~). Seconds are that divided by the speed that was measured, which differs a little from run to run.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  outflank levels\n  outflank levels --positions 100000000 --json")]
pub(crate) struct Args {
    /// Positions to enter for the midgame, and again for the end.
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object a level, for all 60.
    #[arg(long)]
    json: bool,
}

/// Levels beyond which one more is no other choice than the next one in the table.
const ALL_UP_TO: u32 = 12;
/// Seconds for a move beyond which nobody plays at a level.
const TOO_LONG: f64 = 3600.0;

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let mut engine = args.resources.engine()?;
    let stop = StopToken::new();
    let interrupt = stop.clone();
    // Only one handler can be set; the first one serves.
    drop(ctrlc::set_handler(move || interrupt.stop()));
    let costs = measure(&mut engine, args.positions, &*system_clock(), &stop);
    if stop.is_stopped() {
        return Ok(Status::CheckFailed);
    }
    if args.json {
        for level in Level::all().filter_map(|level| LevelObject::new(level, &costs)) {
            output::object(&level)?;
        }
        return Ok(Status::Success);
    }
    let rows = Level::all().filter_map(|level| Row::of(level, &costs));
    output::line("level  looks ahead  without error from     a midgame move  solving from there")?;
    for row in rows.filter(Row::is_listed) {
        output::line(&row.text())?;
    }
    output::line(&format!(
        "measured up to level {} in {} midgame positions and {} empty squares, ~ beyond that; \
         {:.1} and {:.1} million positions a second",
        costs.midgame.last().unwrap_or(0),
        costs.positions,
        costs.solving.last().unwrap_or(0),
        costs.speed[0] / 1e6,
        costs.speed[1] / 1e6,
    ))?;
    Ok(Status::Success)
}

/// One level and its costs.
struct Row {
    level: Level,
    strength: Strength,
    /// Whether each of the two costs was measured, and not extrapolated.
    measured: [bool; 2],
    seconds: [f64; 2],
}

impl Row {
    fn of(level: Level, costs: &Costs) -> Option<Self> {
        let strength = Strength::of(level);
        Some(Self {
            level,
            strength,
            measured: costs.is_measured(level),
            seconds: [costs.midgame_seconds(level)?, costs.solve_seconds(level)?],
        })
    }

    /// Returns whether the level is in the table for people: all low ones, every second one above, none beyond use.
    fn is_listed(&self) -> bool {
        let number = self.level.number();
        let step = if number <= ALL_UP_TO { 1 } else { 2 };
        number.is_multiple_of(step) && self.seconds[0] <= TOO_LONG && self.seconds[1] <= TOO_LONG
    }

    fn text(&self) -> String {
        let cost = |at: usize| {
            let mark = if self.measured[at] { "" } else { "~ " };
            format!("{mark}{}", duration(self.seconds[at]))
        };
        format!(
            "{:5}  {:2} discs     {:2} empty squares    {:>18}  {:>18}",
            self.level.number(),
            self.strength.depth(),
            self.strength.exact_empties(),
            cost(0),
            cost(1),
        )
    }
}

/// Returns a time in the unit that suits it.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => "under 1 ms".to_owned(),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.1} s"),
        s => format!("{} min", grouped((s / 60.0).round() as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn times_have_a_unit_that_suits() {
        let texts = [0.0001, 0.25, 3.0, 600.0].map(duration);
        assert_eq!(texts, ["under 1 ms", "250 ms", "3.0 s", "10 min"]);
    }
}
