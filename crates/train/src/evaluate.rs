//! Errors of an evaluator on labeled positions, per stage of four discs.

use crate::sample::Sample;
use outflank_draw::{Plot, Series, Shape};
use outflank_eval::Evaluator;
use serde_json::{Value, json};
use std::{fmt::Write as _, ops::RangeInclusive};

/// Sums of errors over some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Positions.
    pub count: u64,
    absolute: f64,
    squares: f64,
    signed: f64,
}

impl Errors {
    /// Adds the error of one position, in discs: estimate less label.
    pub fn add(&mut self, error: f64) {
        self.count += 1;
        self.absolute += error.abs();
        self.squares += error * error;
        self.signed += error;
    }

    fn mean(&self, sum: f64) -> f64 {
        if self.count == 0 {
            0.0
        } else {
            sum / self.count as f64
        }
    }

    /// Returns the mean absolute error, in discs.
    pub fn mae(&self) -> f64 {
        self.mean(self.absolute)
    }

    /// Returns the mean squared error, in square discs.
    pub fn mse(&self) -> f64 {
        self.mean(self.squares)
    }

    /// Returns the mean error, in discs: positive where the evaluator is too optimistic.
    pub fn bias(&self) -> f64 {
        self.mean(self.signed)
    }
}

/// Errors per stage and in all.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorTable {
    /// Stages of four numbers of empties (1–4, 5–8, …, 57–60) with at least one position.
    pub stages: Vec<(RangeInclusive<usize>, Errors)>,
    /// All positions.
    pub total: Errors,
}

/// Measures `evaluator` on the labeled ones of `samples`.
pub fn evaluate<E: Evaluator>(evaluator: &E, samples: &[Sample]) -> ErrorTable {
    let mut stages = vec![Errors::default(); 16];
    let mut total = Errors::default();
    for sample in samples {
        if sample.value == Sample::NO_VALUE {
            continue;
        }
        let estimate = evaluator.evaluate(sample.board, &evaluator.state(sample.board));
        let error = estimate.discs() - f64::from(sample.value) / 128.0;
        stages[sample.empties().saturating_sub(1) / 4].add(error);
        total.add(error);
    }
    let stages = stages.into_iter().enumerate();
    ErrorTable {
        stages: stages
            .filter(|(_, errors)| errors.count > 0)
            .map(|(stage, errors)| (4 * stage + 1..=4 * stage + 4, errors))
            .collect(),
        total,
    }
}

impl ErrorTable {
    /// Returns the table as text, one stage a line.
    pub fn to_text(&self) -> String {
        let mut text = String::from("  empties   positions     MAE     MSE    bias\n");
        let rows = self.stages.iter().map(|(empties, errors)| {
            let name = format!("{}-{}", empties.start(), empties.end());
            (name, errors)
        });
        for (name, errors) in rows.chain([("all".to_owned(), &self.total)]) {
            let (count, mae, mse, bias) = (errors.count, errors.mae(), errors.mse(), errors.bias());
            writeln!(text, "{name:>9} {count:>11} {mae:>7.3} {mse:>7.2} {bias:>+7.3}")
                .expect("a string takes any text");
        }
        text
    }

    /// Returns the table as JSON, errors with four decimals.
    pub fn to_json(&self) -> Value {
        let rounded = |value: f64| (value * 1e4).round() / 1e4;
        let object = |errors: &Errors| {
            json!({"count": errors.count, "mae": rounded(errors.mae()), "mse": rounded(errors.mse()),
                "bias": rounded(errors.bias())})
        };
        let mut table = object(&self.total);
        let stages = self.stages.iter().map(|(empties, errors)| {
            let mut stage = object(errors);
            stage["empties"] = json!([empties.start(), empties.end()]);
            stage
        });
        table["stages"] = stages.collect();
        table
    }

    /// Returns a bar chart of the mean absolute error by stage, as an SVG document.
    pub fn to_svg(&self, title: &str) -> String {
        let rows = self.stages.iter().enumerate();
        let bars = rows.map(|(row, (_, errors))| (row as f64, errors.mae()));
        let names = self.stages.iter().map(|(empties, errors)| {
            let (from, to) = (empties.start(), empties.end());
            format!("{from}–{to} empties, {} positions", errors.count)
        });
        Plot {
            title: title.to_owned(),
            y_label: "mean absolute error in discs".to_owned(),
            categories: names.collect(),
            series: vec![Series {
                shape: Shape::Bars,
                ..Series::line("error", bars)
            }],
            ..Plot::default()
        }
        .to_svg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        sample::{Source, Split},
        source::random_board,
    };
    use outflank_eval::HandMade;

    #[test]
    fn errors_are_counted_by_stage() {
        let samples: Vec<Sample> = [4, 5, 8, 9]
            .map(|empties| {
                let board = random_board(1, empties);
                let value = HandMade.evaluate(board, &()).units() as i16 - 256;
                Sample {
                    board,
                    value,
                    source: Source::Exact,
                    split: Split::Test,
                }
            })
            .to_vec();
        let table = evaluate(&HandMade, &samples);
        let counts: Vec<_> = table
            .stages
            .iter()
            .map(|(empties, errors)| (*empties.start(), errors.count))
            .collect();
        assert_eq!(counts, [(1, 1), (5, 2), (9, 1)]);
        for (_, errors) in &table.stages {
            assert!(
                (errors.mae() - 2.0).abs() < 1e-9
                    && (errors.mse() - 4.0).abs() < 1e-9
                    && (errors.bias() - 2.0).abs() < 1e-9
            );
        }
        assert!(table.to_svg("a < b").contains("a &lt; b"));
        assert_eq!(table.to_text().lines().count(), 5);
    }
}
