//! `outflank gomocup`: the engine behind the Gomocup protocol, on standard input and output.

use super::book::table;
use crate::{
    engine::any_seed,
    engine_cmd::converse,
    options::{parse_overhead, table_megabytes, threads},
};
use outflank_api::dialogue::gomoku_engine;
use outflank_protocol::{GomocupEngine, Options};
use outflank_terminal::output::Status;
use std::{path::PathBuf, sync::Arc, time::Duration};

/// Speak the Gomocup (Piskvork) protocol, for tournament managers and graphical boards.
///
/// A copy of the program called `pbrain-outflank` does this when started without arguments.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  printf 'START 15\\nBEGIN\\n' | outflank gomocup")]
pub(crate) struct Args {
    /// Report every iteration in a MESSAGE line.
    #[arg(long)]
    verbose: bool,
    /// Table size in MB; less if the manager allows less memory.
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = table_megabytes())]
    hash: u64,
    /// Time kept back from every limit of time, in milliseconds.
    #[arg(long, value_name = "MS", default_value = "50", value_parser = parse_overhead)]
    overhead: Duration,
    /// Threads that search one position; `INFO thread_num` changes it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// Search while the other side thinks; `INFO pondering` changes it.
    #[arg(long)]
    ponder: bool,
    /// An opening table to play from, instead of the one that is built in.
    #[arg(long, value_name = "FILE", conflicts_with = "no_book")]
    book: Option<PathBuf>,
    /// Play without an opening table.
    #[arg(long)]
    no_book: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let about = format!(
        "name=\"Outflank\", version=\"{}\", author=\"The Outflank founders\", country=\"EU\"",
        env!("CARGO_PKG_VERSION")
    );
    let options = Options {
        table_bytes: args.hash << 20,
        most_bytes: None,
        threads: u32::from(args.threads),
        reserve: args.overhead,
    };
    let book = (!args.no_book)
        .then(|| table(args.book.as_deref()))
        .transpose()?
        .map(Arc::new);
    let mut brain = GomocupEngine::new(&about)
        .verbose(args.verbose)
        .pondering(args.ponder);
    if let Some(book) = &book {
        brain = brain.with_openings(book.clone(), any_seed());
    }
    converse(brain, options, false, move |options| {
        Ok(gomoku_engine(options, book.clone())?)
    })
}
