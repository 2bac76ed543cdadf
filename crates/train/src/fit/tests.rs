//! Generating, labeling and fitting: what is learned, and that the same seed learns it again.

use super::*;
use crate::{
    generate::{GenerateConfig, Recipe, positions},
    label::{LabelConfig, Labeler},
};
use outflank_eval::{Evaluator, HandMade, Patterns};

fn samples() -> Vec<Sample> {
    let config = GenerateConfig {
        recipe: Recipe::SelfPlay,
        empties: 6..=54,
        per_chunk: 10_000,
        label: None,
        seed: 5,
    };
    let label = LabelConfig {
        exact_empties: 7,
        depth: 1,
        ..LabelConfig::default()
    };
    let mut labeler = Labeler::new(HandMade, label);
    let mut samples = positions(&config, &mut labeler, 0);
    for sample in &mut samples {
        labeler.label(sample);
    }
    samples
}

#[test]
fn the_pipeline_learns_and_repeats_itself() {
    let samples = samples();
    assert_eq!(samples.len(), 10_000);
    let config = FitConfig {
        epochs: 4,
        ..FitConfig::default()
    };
    let first = fit(&samples, &config, None, |_| {});
    let again = fit(
        &self::samples(),
        &FitConfig { threads: 2, ..config },
        None,
        |_| {},
    );
    assert_eq!(
        first.weights.encode(),
        again.weights.encode(),
        "two runs, other threads: the same file"
    );
    assert_eq!(first.curve, again.curve);

    let error = |estimate: &dyn Fn(&Sample) -> f64| {
        let sum: f64 = samples
            .iter()
            .map(|sample| (estimate(sample) - f64::from(sample.value) / 128.0).powi(2))
            .sum();
        sum / samples.len() as f64
    };
    let patterns = Patterns::new(&first.weights);
    let fitted = error(&|sample| patterns.value(sample.board).discs());
    let zero = error(&|_| 0.0);
    assert!(fitted < 0.5 * zero, "{fitted} against {zero}");
    let light = error(&|sample| patterns.ordering_score(sample.board).discs());
    assert!(light < zero, "{light} against {zero}");
}
