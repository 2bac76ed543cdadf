//! `outflank train evaluate`: errors of an evaluation per stage.

use super::evaluator;
use crate::output::{self, Status};
use anyhow::Context;
use outflank_eval::HandMade;
use outflank_train::{
    evaluate::{ErrorTable, Errors, evaluate},
    label::{LabelConfig, Labeler},
    sample::{self, Sample, Split},
    source::{TRAINING_YEARS, read_wthor, theoretical},
};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Measure the errors of an evaluation on labeled positions, per stage of four discs.
///
/// A `.wtb` file, or a folder of them, stands for its positions at 24 empties with the theoretical scores.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank train evaluate ../shared/data/wthor/WTH_2010.wtb\n  \
    outflank train evaluate ../shared/data/wthor --validation --svg errors.svg\n  \
    outflank train evaluate out/self/chunk-00000.samples --json\n  \
    outflank train evaluate out/self/chunk-00000.samples --against-next-stage")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct Args {
    /// Sample files, `.wtb` files or folders of the latter.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Weight file (default: the weights inside the program).
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Measure the evaluator without learning instead.
    #[arg(long, conflicts_with = "weights")]
    hand_made: bool,
    /// Only validation positions; of a folder of WTHOR files, only years from 2010 on.
    #[arg(long)]
    validation: bool,
    /// Compare with this evaluation's own search to the next stage (4 discs ahead) instead of the labels.
    #[arg(long, conflicts_with = "hand_made")]
    against_next_stage: bool,
    /// Draw the mean absolute errors of all files together.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON object a file.
    #[arg(long)]
    json: bool,
}

fn read(path: &Path, validation: bool) -> anyhow::Result<Vec<Sample>> {
    let is_wthor = path.is_dir()
        || path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("wtb"));
    let mut samples = if is_wthor && validation {
        theoretical(&read_wthor(
            path,
            *TRAINING_YEARS.end() + 1..=u16::MAX,
            Some(Split::Validation),
        )?)
    } else if is_wthor {
        theoretical(&read_wthor(path, 0..=u16::MAX, None)?)
    } else {
        sample::read(path)?
    };
    if validation {
        samples.retain(|sample| sample.split == Split::Validation);
    }
    Ok(samples)
}

/// Runs `train evaluate`.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let patterns = evaluator(args.weights.as_deref())?;
    let measure = |samples: &[Sample]| {
        if args.hand_made {
            evaluate(&HandMade, samples)
        } else {
            evaluate(&patterns, samples)
        }
    };
    let mut all = Vec::new();
    for path in &args.files {
        let mut samples = read(path, args.validation)?;
        if args.against_next_stage {
            let config = LabelConfig {
                exact_empties: 4,
                depth: 4,
            };
            let mut labeler = Labeler::new(&patterns, config);
            for sample in &mut samples {
                labeler.label(sample);
            }
        }
        let table = measure(&samples);
        if args.json {
            output::line(&to_json(path, &table).to_string())?;
        } else {
            output::line(&format!("{}\n{}", path.display(), table.to_text().trim_end()))?;
        }
        all.extend(samples);
    }
    if let Some(path) = &args.svg {
        let title = format!("Errors of the evaluation on {} positions", all.len());
        fs::write(path, measure(&all).to_svg(&title)).with_context(|| path.display().to_string())?;
    }
    Ok(Status::Success)
}

fn to_json(path: &Path, table: &ErrorTable) -> Value {
    let rounded = |value: f64| (value * 1e4).round() / 1e4;
    let object = |errors: &Errors| json!({"count": errors.count, "mae": rounded(errors.mae()), "mse": rounded(errors.mse()), "bias": rounded(errors.bias())});
    let mut line = object(&table.total);
    line["file"] = json!(path.display().to_string());
    line["stages"] = table
        .stages
        .iter()
        .map(|(empties, errors)| {
            let mut stage = object(errors);
            stage["empties"] = json!([empties.start(), empties.end()]);
            stage
        })
        .collect();
    line
}
