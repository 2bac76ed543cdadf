//! `outflank levels`: what each level does, and what it costs on this machine.

use crate::{
    engine::system_clock,
    options::{GameName, Resources, one_game},
};
use outflank_api::levels::{GomokuLevelObject, HumanObject, LevelObject};
use outflank_search::Level;
use outflank_study::levels::measure;
use outflank_terminal::{
    ending,
    output::{self, Status},
    text::levels::{gomoku_table, table},
};

/// Show what the levels do and the usual time for a move on this machine.
///
/// human-1 to human-8 err where people err and as much as they promise: so many discs a move on average, by a search of
/// 10 discs. Levels 1 to 60 search.
/// A level looks as many discs ahead as its number, and plays without error from some number of empty squares on.
/// What is measured is how many positions a level enters, in six positions of the midgame and in endgames with more and
/// more empty squares, until --positions were entered for each; the same in every run with one thread. Higher levels
/// are extrapolated (~). Seconds are that divided by the speed that was measured, which differs a little from run to run.
///
/// In Gomoku human-1 to human-8 look past fours and threes, and levels 1 to 60 search so many positions a move.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  outflank levels\n  outflank levels --positions 100000000 --json\n  \
    outflank levels --game gomoku"
)]
pub(crate) struct Args {
    /// The game; Othello if nothing is said.
    #[arg(long, value_enum, value_name = "GAME")]
    game: Option<GameName>,
    /// Positions to enter for the midgame, and again for the end.
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object a level, for all 60.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args, before: Option<GameName>) -> anyhow::Result<Status> {
    if one_game(before, args.game)? == Some(GameName::Gomoku) {
        return gomoku(args);
    }
    let mut engine = args.resources.engine()?;
    let stop = ending::stop_on_interrupt()?;
    let costs = measure(&mut engine, args.positions, &*system_clock(), &stop);
    if stop.is_stopped() {
        return Ok(Status::CheckFailed);
    }
    if args.json {
        HumanObject::all().try_for_each(|level| output::object(&level))?;
        for level in Level::all().filter_map(|level| LevelObject::new(level, &costs)) {
            output::object(&level)?;
        }
        return Ok(Status::Success);
    }
    output::line("level    plays like    discs lost a move")?;
    for level in HumanObject::all() {
        output::line(&format!(
            "human-{}  {:<12}  {:8.1}",
            level.human, level.name, level.loss
        ))?;
    }
    output::line("")?;
    output::line(&table(&costs))?;
    Ok(Status::Success)
}

/// Says what the levels of Gomoku do.
fn gomoku(args: &Args) -> anyhow::Result<Status> {
    if args.json {
        GomokuLevelObject::all().try_for_each(|level| output::object(&level))?;
    } else {
        output::line(&gomoku_table())?;
    }
    Ok(Status::Success)
}
