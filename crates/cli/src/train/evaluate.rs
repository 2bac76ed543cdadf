//! `outflank train evaluate`: errors of an evaluation per stage.

use super::evaluator;
use crate::output::{self, Status};
use anyhow::Context;
use outflank_eval::{HandMade, Patterns};
use outflank_othello_engine::{Engine, EngineConfig, tuning::ProbCutTable};
use outflank_search::ManualClock;
use outflank_train::{
    evaluate::{ErrorTable, Errors, evaluate},
    label::{LabelConfig, Labeler},
    sample::{self, Sample, Split},
    source::{TRAINING_YEARS, read_wthor, theoretical},
    swing::{largest, swing},
};
use serde_json::{Value, json};
use std::{
    fs,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Measure the errors of an evaluation on labeled positions, per stage of four discs.
///
/// A `.wtb` file, or a folder of them, stands for its positions at 24 empties with the theoretical scores.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank train evaluate ../shared/data/wthor/WTH_2010.wtb\n  \
    outflank train evaluate ../shared/data/wthor --validation --svg errors.svg\n  \
    outflank train evaluate out/self/chunk-00000.samples --json\n  \
    outflank train evaluate out/self/chunk-00000.samples --against-next-stage\n  \
    outflank train evaluate ../shared/data/wthor --validation --depths 8..13 --positions 2000")]
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
    /// Search to each of these depths instead, and print error, bias and how values swing from depth to depth.
    #[arg(long, value_name = "FROM..TO", value_parser = super::parse_range, conflicts_with_all = ["hand_made", "against_next_stage", "svg"])]
    depths: Option<RangeInclusive<usize>>,
    /// Measure on every n-th position only, so that N are left.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    positions: Option<u32>,
    /// ProbCut table of the weights for `--depths` (default: the one inside the program).
    #[arg(long, value_name = "FILE")]
    probcut: Option<PathBuf>,
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

/// Keeps about `n` samples, evenly spread.
fn thin(samples: &mut Vec<Sample>, n: Option<u32>) {
    let Some(n) = n.map(|n| n as usize).filter(|&n| n < samples.len()) else {
        return;
    };
    *samples = (0..n).map(|number| samples[number * samples.len() / n]).collect();
}

/// Prints what searches to each depth make of the evaluation.
fn by_depth(args: &Args, patterns: &Arc<Patterns>, depths: &RangeInclusive<usize>) -> anyhow::Result<Status> {
    let probcut = match &args.probcut {
        Some(path) => fs::read_to_string(path)
            .with_context(|| path.display().to_string())?
            .parse()
            .with_context(|| path.display().to_string())?,
        None => ProbCutTable::embedded(),
    };
    let config = EngineConfig {
        table_bytes: 32 << 20,
        ..EngineConfig::default()
    };
    // Depths are the limit: no time is needed.
    let clock = Arc::new(ManualClock::default());
    let mut engine = Engine::judging_by(Arc::clone(patterns), Arc::new(probcut), config, clock)?;
    let depths = *depths.start() as u32..=*depths.end() as u32;
    for path in &args.files {
        let mut samples = read(path, args.validation)?;
        thin(&mut samples, args.positions);
        let table = swing(&mut engine, &samples, depths.clone(), || ());
        if args.json {
            let rows: Vec<_> = table
                .iter()
                .map(|row| {
                    json!({"depth": row.depth, "positions": row.errors.count, "mae": row.errors.mae(),
                        "bias": row.errors.bias(), "swing": row.swing, "change": row.change})
                })
                .collect();
            output::line(
                &json!({"file": path, "depths": rows, "largest_swing": largest(&table)}).to_string(),
            )?;
            continue;
        }
        output::line(&format!(
            "{}\n  depth   positions     MAE    bias   swing  change",
            path.display()
        ))?;
        let discs = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:+.2}"));
        for row in &table {
            output::line(&format!(
                "{:>7} {:>11} {:>7.2} {:>+7.2} {:>7} {:>7}",
                row.depth,
                row.errors.count,
                row.errors.mae(),
                row.errors.bias(),
                discs(row.swing),
                discs(row.change)
            ))?;
        }
        output::line(&format!("largest swing {:.2} discs", largest(&table)))?;
    }
    Ok(Status::Success)
}

/// Runs `train evaluate`.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let patterns = Arc::new(evaluator(args.weights.as_deref())?);
    if let Some(depths) = &args.depths {
        return by_depth(args, &patterns, depths);
    }
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
        thin(&mut samples, args.positions);
        if args.against_next_stage {
            let config = LabelConfig {
                exact_empties: 4,
                depth: 4,
                ..LabelConfig::default()
            };
            let mut labeler = Labeler::new(Arc::clone(&patterns), config);
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
