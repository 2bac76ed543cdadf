//! `outflank openings`: random openings that are fair.

use crate::{
    engine::system_clock,
    options::{ModelArg, parse_search_level},
    puzzles::judge,
};
use clap::Subcommand;
use outflank_api::openings::OpeningObject;
use outflank_search::Level;
use outflank_study::balanced::{Wanted, draw};
use outflank_terminal::{
    ending,
    output::{self, Status},
};

/// Openings for fair games.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Random(RandomArgs),
}

/// Draw random openings that neither side has the better of, by the engine's own values, as in XOT.
///
/// Every move is drawn among the legal ones; the position after them is kept if its value lies within the window, and no
/// two are images of one another. The same options give the same openings.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank openings random\n  \
    outflank openings random --moves 8 --within 2 --count 20 --seed 1\n  \
    outflank openings random --count 10000 --level 16 > openings.txt          a list for matches and tournaments\n  \
    outflank play $(outflank openings random --count 1 --seed $RANDOM)\n\
    Exit code 1 if there are not so many, or Ctrl-C cut the work short.")]
struct RandomArgs {
    /// Moves.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=40))]
    moves: u8,
    /// Greatest value for either side, in discs.
    #[arg(long, value_name = "DISCS", default_value_t = 2.0)]
    within: f64,
    /// Openings wanted.
    #[arg(long, value_name = "N", default_value_t = 20)]
    count: usize,
    /// What they are drawn with.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Strength of the searches that value them, 1 to 60.
    #[arg(long, default_value = "12", value_parser = parse_search_level)]
    level: Level,
    #[command(flatten)]
    model: ModelArg,
    /// Print one JSON object an opening, with its value.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let Command::Random(args) = &args.command;
    let stop = ending::stop_on_interrupt()?;
    let wanted = Wanted {
        moves: usize::from(args.moves),
        within: args.within,
        count: args.count,
        seed: args.seed,
        level: args.level,
    };
    let mut written = Ok(());
    let found = draw(
        &wanted,
        &judge(&args.model)?,
        (&system_clock(), &stop),
        &mut |found| {
            if written.is_ok() {
                written = if args.json {
                    output::object(&OpeningObject::from(&found))
                } else {
                    output::line(&found.game.transcript())
                };
                // Nobody reads on.
                if written.is_err() {
                    stop.stop();
                }
            }
        },
    )?;
    written?;
    if found < args.count {
        output::complain(&format!("{found} openings; {} were wanted", args.count));
        return Ok(Status::CheckFailed);
    }
    Ok(Status::Success)
}
