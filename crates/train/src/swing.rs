//! What searches make of an evaluation: error and bias at each depth, and how far values swing from depth to depth.

use crate::{evaluate::Errors, sample::Sample};
use outflank_eval::{Evaluator, Patterns};
use outflank_othello::{Color, Position};
use outflank_othello_engine::{Engine, EngineConfig, EngineError, Request, tuning::ProbCutTable};
use outflank_search::{ManualClock, StopToken};
use serde_json::{Value, json};
use std::{fmt, ops::RangeInclusive, sync::Arc};

/// Searches of one depth, over some positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DepthErrors {
    /// Placed discs ahead.
    pub depth: u32,
    /// Value of the search less the label, in discs.
    pub errors: Errors,
    /// Mean of the value one disc deeper less this value, in discs; `None` at the last depth.
    pub swing: Option<f64>,
    /// Median of the size of that change, in discs.
    pub change: Option<f64>,
}

/// Searches to several depths; `Display` writes a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SwingTable {
    /// By depth.
    pub rows: Vec<DepthErrors>,
}

impl SwingTable {
    /// Returns the largest swing in either direction, in discs.
    pub fn largest(&self) -> f64 {
        let sizes = self.rows.iter().filter_map(|row| row.swing).map(f64::abs);
        sizes.fold(0.0, f64::max)
    }

    /// Returns the table as JSON.
    pub fn to_json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            json!({"depth": row.depth, "positions": row.errors.count, "mae": row.errors.mae(),
                "bias": row.errors.bias(), "swing": row.swing, "change": row.change})
        });
        json!({"depths": rows.collect::<Vec<_>>(), "largest_swing": self.largest()})
    }
}

impl fmt::Display for SwingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  depth   positions     MAE    bias   swing  change")?;
        let discs = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:+.2}"));
        for row in &self.rows {
            let (depth, count) = (row.depth, row.errors.count);
            let (mae, bias) = (row.errors.mae(), row.errors.bias());
            let (swing, change) = (discs(row.swing), discs(row.change));
            writeln!(
                f,
                "{depth:>7} {count:>11} {mae:>7.2} {bias:>+7.2} {swing:>7} {change:>7}"
            )?;
        }
        writeln!(f, "largest swing {:.2} discs", self.largest())
    }
}

/// Returns an engine to search with for [`swing()`].
///
/// # Errors
///
/// There is no memory for its table.
pub fn engine(patterns: Arc<Patterns>, probcut: ProbCutTable) -> Result<Engine<Patterns>, EngineError> {
    let config = EngineConfig {
        table_bytes: 32 << 20,
        ..EngineConfig::default()
    };
    // Depths are the limit: no time is needed.
    let clock = Arc::new(ManualClock::default());
    Engine::judging_by(patterns, Arc::new(probcut), config, clock)
}

/// Searches every position to each depth and compares with the labels; `on_position` hears of each one done.
///
/// Positions with fewer empties than the last depth, or without a label, are left out.
pub fn swing<E: Evaluator>(
    engine: &mut Engine<E>,
    samples: &[Sample],
    depths: RangeInclusive<u32>,
    mut on_position: impl FnMut(),
) -> SwingTable {
    let mut table: Vec<DepthErrors> = depths
        .clone()
        .map(|depth| DepthErrors {
            depth,
            ..DepthErrors::default()
        })
        .collect();
    let mut changes = vec![Vec::new(); table.len()];
    for sample in samples {
        if sample.value == Sample::NO_VALUE || sample.empties() as u32 <= *depths.end() {
            continue;
        }
        // Which color moves is all the same.
        let request = Request::new(Position::new(sample.board, Color::Black)).depth(*depths.end());
        let mut values = vec![None; table.len()];
        engine.clear();
        engine.search(&request, &StopToken::new(), &mut |progress| {
            let index = progress.stage.depth.checked_sub(*depths.start());
            if let Some(value) = index.and_then(|index| values.get_mut(index as usize)) {
                *value = Some(progress.line.value.discs());
            }
        });
        for (index, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            table[index].errors.add(value - f64::from(sample.value) / 128.0);
            if let Some(Some(deeper)) = values.get(index + 1) {
                changes[index].push(deeper - value);
            }
        }
        on_position();
    }
    for (row, changes) in table.iter_mut().zip(&mut changes) {
        if !changes.is_empty() {
            row.swing = Some(changes.iter().sum::<f64>() / changes.len() as f64);
            let mut sizes: Vec<f64> = changes.iter().map(|change| change.abs()).collect();
            sizes.sort_by(f64::total_cmp);
            row.change = Some(sizes[sizes.len() / 2]);
        }
    }
    SwingTable { rows: table }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        sample::{Source, Split},
        source::random_board,
    };
    use outflank_search::Verdict;

    #[test]
    fn the_table_holds_what_single_searches_say() {
        let config = EngineConfig {
            table_bytes: 1 << 20,
            ..EngineConfig::default()
        };
        let mut engine = Engine::hand_made(config, Arc::new(ManualClock::default())).expect("1 MB");
        let samples: Vec<Sample> = (0..4)
            .map(|seed| Sample {
                board: random_board(seed, 30),
                value: 0,
                source: Source::Search,
                split: Split::Test,
            })
            .collect();
        let table = swing(&mut engine, &samples, 2..=4, || ());
        for row in &table.rows {
            let mut sum = 0.0;
            for sample in &samples {
                engine.clear();
                let request = Request::new(Position::new(sample.board, Color::Black)).depth(row.depth);
                let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
                assert!(matches!(outcome.best().verdict, Verdict::Estimate { .. }));
                sum += outcome.best().value.discs();
            }
            assert!((row.errors.bias() - sum / 4.0).abs() < 1e-9, "{row:?}");
        }
        assert_eq!(table.rows[2].swing, None);
        let bias = |row: usize| table.rows[row].errors.bias();
        assert!((table.rows[0].swing.expect("a deeper one") - (bias(1) - bias(0))).abs() < 1e-9);
        assert!((table.largest() - (bias(1) - bias(0)).abs().max((bias(2) - bias(1)).abs())).abs() < 1e-9);
    }
}
