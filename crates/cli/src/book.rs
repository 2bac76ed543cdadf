//! `outflank book`: opening books of Othello, and the opening tables of Gomoku.

mod edit;
mod exchange;
mod learn;
mod look;

use crate::{
    gomoku,
    options::{GameName, one_game},
};
use anyhow::bail;
use outflank_book::Growth;
use outflank_othello::Color;
use outflank_study::opening::parse_discs;
use outflank_terminal::output::Status;

/// Opening books: ask, grow, check and exchange them.
///
/// A book is a file (`.ofb`, or packed `.ofbz`) of facts about moves: what a search, a person or another program's book said.
/// Everything else follows from them. Long work is done in rounds and can be stopped at any moment: what is finished is in a
/// log beside the book, and --resume goes on. `docs/book.md` tells more.
/// Gomoku has tables of its own, with `show`, `query` and `build`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank book show f5d6c3d3c4                                  what the book inside the program says\n  \
    outflank book new my.ofb --depth 18 --window 6\n  \
    outflank book expand my.ofb --positions 20000 --until 30 --threads 2\n  \
    outflank book expand my.ofb --positions 20000 --until 30 --resume    after a kill\n  \
    outflank book from-games my.ofb WTH_*.wtb --min-games 10 --until 24 --evaluate\n  \
    outflank book verify my.ofb --depth 24 --total 1 --limit 1500\n  \
    outflank book merge both.ofb a.ofb b.ofb\n  \
    outflank book umigame f5f6 --book my.ofb --until 30\n  \
    outflank book import book.dat my.ofb\n  \
    outflank book export my.ofb out.egbk3 --to egaroucid\n  \
    outflank book set my.ofb f5d6 c5=-2\n  \
    outflank book check my.ofb --solve 200\n  \
    outflank book query --game gomoku h8i9")]
pub(crate) struct Args {
    /// The game; Othello if nothing is said.
    #[arg(long, value_enum, value_name = "GAME", global = true)]
    game: Option<GameName>,
    #[command(subcommand)]
    command: Command,
}

impl Args {
    /// Takes the game that was named before the command.
    pub(crate) fn settle(&mut self, before: Option<GameName>) -> anyhow::Result<()> {
        self.game = one_game(before, self.game)?;
        Ok(())
    }
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Show(look::ShowArgs),
    New(learn::NewArgs),
    Expand(learn::ExpandArgs),
    FromGames(learn::FromGamesArgs),
    Verify(learn::VerifyArgs),
    Add(learn::AddArgs),
    Set(edit::SetArgs),
    Remove(edit::RemoveArgs),
    Prune(edit::PruneArgs),
    Merge(edit::MergeArgs),
    Check(look::CheckArgs),
    Stats(look::StatsArgs),
    Umigame(look::UmigameArgs),
    Import(exchange::ImportArgs),
    Export(exchange::ExportArgs),
    Pack(exchange::PackArgs),
    Build(gomoku::BuildArgs),
    Query(gomoku::QueryArgs),
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let is_gomoku = args.game == Some(GameName::Gomoku);
    match &args.command {
        Command::Build(_) | Command::Query(_) if args.game == Some(GameName::Othello) => {
            bail!("opening tables belong to Gomoku: --game gomoku; for Othello there is `outflank book show`")
        }
        Command::Build(args) => gomoku::build(args),
        Command::Query(args) => gomoku::query(args),
        Command::Show(args) if is_gomoku => gomoku::show(args.table(), args.stones, args.json),
        _ if is_gomoku => bail!("opening tables of Gomoku have show, query and build"),
        Command::Show(args) => look::show(args),
        Command::New(args) => learn::new(args),
        Command::Expand(args) => learn::expand(args),
        Command::FromGames(args) => learn::from_games(args),
        Command::Verify(args) => learn::verify(args),
        Command::Add(args) => learn::add(args),
        Command::Set(args) => edit::set(args),
        Command::Remove(args) => edit::remove(args),
        Command::Prune(args) => edit::prune(args),
        Command::Merge(args) => edit::merge(args),
        Command::Check(args) => look::check(args),
        Command::Stats(args) => look::stats(args),
        Command::Umigame(args) => look::umigame(args),
        Command::Import(args) => exchange::import(args),
        Command::Export(args) => exchange::export(args),
        Command::Pack(args) => exchange::pack(args),
    }
}

/// Which lines of a book are meant.
#[derive(clap::Args, Clone, Debug)]
struct GrowthArgs {
    /// What one move may lose, in discs.
    #[arg(long, value_name = "DISCS", default_value = "2", value_parser = parse_discs)]
    loss: i32,
    /// What all moves of a line may lose together, in discs.
    #[arg(long, value_name = "DISCS", default_value = "4", value_parser = parse_discs)]
    total: i32,
    /// Most discs of a position.
    #[arg(long, value_name = "DISCS", default_value_t = 36, value_parser = clap::value_parser!(u32).range(4..=63))]
    until: u32,
    /// How many moves longer a line may be for each disc that it does not lose.
    #[arg(long, value_name = "MOVES", default_value_t = 4.0)]
    per_disc: f64,
    /// A book for one side: its own moves are good ones, the other side's all within the limits.
    #[arg(long = "for", value_name = "SIDE", value_parser = parse_side)]
    side: Option<Color>,
    /// With --for, what one of its own moves may lose, in discs.
    #[arg(long, value_name = "DISCS", default_value = "0.5", value_parser = parse_discs, requires = "side")]
    own_loss: i32,
}

impl GrowthArgs {
    fn growth(&self) -> Growth {
        Growth {
            loss: self.loss,
            total: self.total,
            until: self.until,
            per_disc: (self.per_disc.clamp(0.0, 1000.0) * 1000.0) as u32,
            side: self.side.map(|side| (side, self.own_loss)),
        }
    }
}

fn parse_side(text: &str) -> Result<Color, String> {
    match text {
        "black" => Ok(Color::Black),
        "white" => Ok(Color::White),
        _ => Err("black or white".to_owned()),
    }
}
