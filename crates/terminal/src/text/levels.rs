//! What levels cost, as a table.

use crate::output::grouped;
use outflank_api::levels::GomokuLevelObject;
use outflank_othello_engine::Strength;
use outflank_search::Level;
use outflank_study::levels::Costs;

/// Levels beyond which one more is no other choice than the next one in the table.
const ALL_UP_TO: u32 = 12;
/// Seconds for a move beyond which nobody plays at a level.
const TOO_LONG: f64 = 3600.0;

/// Returns the table of the levels that people choose from.
pub fn table(costs: &Costs) -> String {
    let mut lines =
        vec!["level  looks ahead  without error from     a midgame move  solving from there".to_owned()];
    let rows = Level::all().filter_map(|level| Row::of(level, costs));
    lines.extend(rows.filter(Row::is_listed).map(|row| row.text()));
    lines.push(format!(
        "measured up to level {} in {} midgame positions and {} empty squares, ~ beyond that; \
         {:.1} and {:.1} million positions a second",
        costs.midgame.last().unwrap_or(0),
        costs.positions,
        costs.solving.last().unwrap_or(0),
        costs.speed[0] / 1e6,
        costs.speed[1] / 1e6,
    ));
    lines.join("\n")
}

/// Returns the table of what the levels do in Gomoku.
pub fn gomoku_table() -> String {
    let mut lines = vec!["level    plays like   overlooks fours  threes  reads fours ahead".to_owned()];
    let (humans, searches): (Vec<_>, Vec<_>) =
        GomokuLevelObject::all().partition(|level| level.human.is_some());
    lines.extend(humans.iter().map(|level| {
        format!(
            "human-{}  {:<11}  {:>13} % {:>5} %  {:>17}",
            level.human.unwrap_or_default(),
            level.name.as_deref().unwrap_or_default(),
            level.missed_fours.unwrap_or_default(),
            level.missed_threes.unwrap_or_default(),
            level.fours.unwrap_or_default(),
        )
    }));
    lines.push(
        "of the other side's in a row near the last stone; more on a diagonal and far away, fewer of its own"
            .to_owned(),
    );
    lines.push(String::new());
    lines.push("level  positions a move".to_owned());
    let listed = |number: u32| number <= ALL_UP_TO || number.is_multiple_of(4);
    lines.extend(
        searches
            .iter()
            .filter_map(|level| Some((level.level?, level.nodes?)))
            .filter(|&(number, _)| listed(number))
            .map(|(number, nodes)| format!("{number:5}  {:>16}", grouped(nodes))),
    );
    lines.join("\n")
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
