//! Errors of an evaluator on labeled positions, per stage of four discs.

use crate::sample::Sample;
use outflank_eval::Evaluator;
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

    /// Returns a bar chart of the mean absolute error by stage, as an SVG document.
    pub fn to_svg(&self, title: &str) -> String {
        let top = self
            .stages
            .iter()
            .map(|(_, errors)| errors.mae())
            .fold(1.0, f64::max)
            .ceil();
        let y = |discs: f64| 320.0 - 270.0 * discs / top;
        let title = title.replace('&', "&amp;").replace('<', "&lt;");
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 370\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"720\" height=\"370\" fill=\"#fff\"/>\n\
             <text x=\"60\" y=\"24\" font-size=\"15\">{title}</text>\n"
        );
        let mut line = |text: String| {
            svg.push_str(&text);
            svg.push('\n');
        };
        for discs in 0..=top as usize {
            let at = y(discs as f64);
            line(format!(
                "<path d=\"M60 {at:.1}H700\" stroke=\"#ddd\"/><text x=\"52\" y=\"{:.1}\" text-anchor=\"end\">{discs}</text>",
                at + 4.0
            ));
        }
        let width = 640.0 / self.stages.len().max(1) as f64;
        for (place, (empties, errors)) in self.stages.iter().enumerate() {
            let (x, at) = (60.0 + width * place as f64, y(errors.mae()));
            line(format!(
                "<rect x=\"{:.1}\" y=\"{at:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#4477aa\"><title>{} positions, \
                 MAE {:.3}</title></rect><text x=\"{:.1}\" y=\"338\" text-anchor=\"middle\">{}-{}</text>",
                x + 3.0,
                width - 6.0,
                320.0 - at,
                errors.count,
                errors.mae(),
                x + width / 2.0,
                empties.start(),
                empties.end()
            ));
        }
        line("<text x=\"380\" y=\"360\" text-anchor=\"middle\">empties; mean absolute error in discs</text>\n</svg>".to_owned());
        svg
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
