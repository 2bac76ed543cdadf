//! What searches make of an evaluation: error and bias at each depth, and how far values swing from depth to depth.

use crate::{evaluate::Errors, sample::Sample};
use outflank_eval::Evaluator;
use outflank_othello::{Color, Position};
use outflank_othello_engine::{Engine, Request};
use outflank_search::StopToken;
use std::ops::RangeInclusive;

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

/// Searches every position to each depth and compares with the labels; `on_position` hears of each one done.
///
/// Positions with fewer empties than the last depth, or without a label, are left out.
pub fn swing<E: Evaluator>(
    engine: &mut Engine<E>,
    samples: &[Sample],
    depths: RangeInclusive<u32>,
    mut on_position: impl FnMut(),
) -> Vec<DepthErrors> {
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
    table
}

/// Returns the largest swing of a table in either direction, in discs.
pub fn largest(table: &[DepthErrors]) -> f64 {
    let sizes = table.iter().filter_map(|row| row.swing).map(f64::abs);
    sizes.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        sample::{Source, Split},
        source::random_board,
    };
    use outflank_othello_engine::EngineConfig;
    use outflank_search::{ManualClock, Verdict};
    use std::sync::Arc;

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
        for row in &table {
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
        assert_eq!(table[2].swing, None);
        let bias = |row: usize| table[row].errors.bias();
        assert!((table[0].swing.expect("a deeper one") - (bias(1) - bias(0))).abs() < 1e-9);
        assert!((largest(&table) - (bias(1) - bias(0)).abs().max((bias(2) - bias(1)).abs())).abs() < 1e-9);
    }
}
