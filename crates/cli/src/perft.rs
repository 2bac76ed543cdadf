//! `outflank perft`: counts move sequences, the test of every move generator.

use crate::options::threads;
use anyhow::{Context, bail};
use clap::ValueEnum;
use outflank_othello::{
    Board,
    perft::{
        self,
        method::{self, MethodError},
    },
};
use outflank_terminal::output::{self, Status, grouped};
use serde_json::json;
use std::time::Instant;

/// Count the move sequences of each length from the start position.
///
/// A pass counts as a ply, and a game that ends earlier counts as one sequence, as in the published tables.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank perft 11                     count to depth 11, counting the last ply in bulk\n  \
    outflank perft 12 --threads 2 --hash 512\n  \
    outflank perft 9 --method portable    the same through the portable kernels\n  \
    outflank perft 9 --unique             positions up to symmetry\n  \
    outflank perft 8 --compare            every method in one run, with the factor over the naive array")]
pub(crate) struct Args {
    /// Count sequences of 1 to DEPTH plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: u32,
    /// How to count.
    #[arg(long, value_enum, default_value_t = Method::Bulk, conflicts_with_all = ["unique", "compare"])]
    method: Method,
    /// Use a table of this many MB per thread (counts of positions met before are reused).
    #[arg(long, value_name = "MB", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=1 << 20))]
    hash: u64,
    /// Number of threads.
    #[arg(long, default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// Count different positions up to symmetry instead of sequences.
    #[arg(long, conflicts_with = "compare")]
    unique: bool,
    /// Count DEPTH by every method and compare the speeds.
    #[arg(long)]
    compare: bool,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Method {
    /// Count the last ply without playing it.
    Bulk,
    /// Play every move.
    Plain,
    /// As bulk, through the portable kernels.
    Portable,
    /// Array of 64 cells, one cell at a time.
    Naive,
}

const ONE_THREAD: &str = "--threads and --hash need --method bulk or portable";

impl From<Method> for method::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::Bulk => Self::Bulk,
            Method::Plain => Self::Plain,
            Method::Portable => Self::Portable,
            Method::Naive => Self::Naive,
        }
    }
}

impl Args {
    fn count(&self, depth: u32) -> anyhow::Result<u64> {
        let (threads, hash) = (usize::from(self.threads), usize::try_from(self.hash)?);
        match method::Method::from(self.method).count(depth, threads, hash) {
            Err(MethodError::OneThread) => bail!(ONE_THREAD),
            Err(error @ MethodError::Memory(_)) => Err(error).with_context(|| {
                format!("no memory for {threads} tables of {hash} MB; try a smaller --hash")
            }),
            Ok(leaves) => Ok(leaves),
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    if args.unique {
        return unique(args);
    }
    if args.compare {
        return compare(args);
    }
    for depth in 1.min(args.depth)..=args.depth {
        let start = Instant::now();
        let leaves = args.count(depth)?;
        let seconds = start.elapsed().as_secs_f64();
        if args.json {
            output::line(&json!({"depth": depth, "leaves": leaves, "seconds": round(seconds)}).to_string())?;
        } else {
            let rate = leaves as f64 / seconds / 1e6;
            output::line(&format!(
                "perft({depth:2}) = {:>24}  {seconds:9.3} s  {rate:9.1} M/s",
                grouped(leaves)
            ))?;
        }
    }
    Ok(Status::Success)
}

fn round(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

fn unique(args: &Args) -> anyhow::Result<Status> {
    const DEEPEST: u32 = 11;
    if args.depth > DEEPEST {
        bail!("--unique counts at most {DEEPEST} moves: the positions of the last ply are held in memory");
    }
    let start = Instant::now();
    let counts = perft::unique_positions(Board::start(), args.depth);
    for (depth, count) in counts.into_iter().enumerate() {
        if args.json {
            output::line(&json!({"depth": depth, "unique": count}).to_string())?;
        } else {
            output::line(&format!("unique({depth:2}) = {:>16}", grouped(count as u64)))?;
        }
    }
    if !args.json {
        output::line(&format!("{:.3} s", start.elapsed().as_secs_f64()))?;
    }
    Ok(Status::Success)
}

/// Prints the speed of every method beside the naive array's.
fn compare(args: &Args) -> anyhow::Result<Status> {
    let start = Instant::now();
    if args.threads > 1 || args.hash > 0 {
        bail!(ONE_THREAD);
    }
    let comparison = method::compare(args.depth, &|| start.elapsed().as_secs_f64());
    let naive = comparison.rates[0].1;
    for (method, rate) in comparison.rates {
        let (name, factor) = (format!("{method:?}").to_lowercase(), rate / naive);
        if args.json {
            output::line(
                &json!({"method": name, "leaves_per_second": rate.round(), "factor": factor}).to_string(),
            )?;
        } else {
            output::line(&format!(
                "{name:10} {:10.2} M leaves/s  {factor:8.1} times naive",
                rate / 1e6
            ))?;
        }
    }
    Ok(if comparison.agree {
        Status::Success
    } else {
        Status::CheckFailed
    })
}
