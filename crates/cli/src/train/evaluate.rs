//! `outflank train evaluate`: errors of an evaluation per stage.

use super::files::evaluator;
use crate::options::parse_range;
use anyhow::Context;
use outflank_eval::{HandMade, Patterns};
use outflank_othello_engine::tuning::ProbCutTable;
use outflank_terminal::output::{self, Status};
use outflank_train::{
    evaluate::evaluate,
    label::to_next_stage,
    sample::{Sample, thin},
    source::read_labeled,
    swing,
};
use serde_json::json;
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
    #[arg(long, value_name = "FROM..TO", value_parser = parse_range, conflicts_with_all = ["hand_made", "against_next_stage", "svg"])]
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

impl Args {
    /// Reads what is measured on in a file.
    fn read(&self, path: &Path) -> anyhow::Result<Vec<Sample>> {
        let mut samples = read_labeled(path, self.validation)?;
        if let Some(n) = self.positions {
            thin(&mut samples, n as usize);
        }
        Ok(samples)
    }
}

/// Prints what searches to each depth make of the evaluation.
fn by_depth(args: &Args, patterns: Arc<Patterns>, depths: &RangeInclusive<usize>) -> anyhow::Result<Status> {
    let probcut = match &args.probcut {
        Some(path) => fs::read_to_string(path)
            .with_context(|| path.display().to_string())?
            .parse()
            .with_context(|| path.display().to_string())?,
        None => ProbCutTable::embedded(),
    };
    let mut engine = swing::engine(patterns, probcut)?;
    let depths = *depths.start() as u32..=*depths.end() as u32;
    for path in &args.files {
        let table = swing::swing(&mut engine, &args.read(path)?, depths.clone(), || ());
        if args.json {
            let mut object = table.to_json();
            object["file"] = json!(path);
            output::line(&object.to_string())?;
        } else {
            output::write_all(format!("{}\n{table}", path.display()).as_bytes())?;
        }
    }
    Ok(Status::Success)
}

/// Runs `train evaluate`.
pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let patterns = Arc::new(evaluator(args.weights.as_deref())?);
    if let Some(depths) = &args.depths {
        return by_depth(args, patterns, depths);
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
        let mut samples = args.read(path)?;
        if args.against_next_stage {
            to_next_stage(Arc::clone(&patterns), &mut samples);
        }
        let table = measure(&samples);
        if args.json {
            let mut object = table.to_json();
            object["file"] = json!(path.display().to_string());
            output::line(&object.to_string())?;
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
