//! `outflank games`: a database of games, and what is asked of it.

mod export;
mod filter;
mod import;

use anyhow::{Context, bail};
use clap::ValueEnum;
use filter::FilterArgs;
use outflank_api::games::{
    self, ExploreRequest, ListRequest, NamesOf, OrderName, RatingsRequest, TotalsBy,
    import::{self as database, Database},
};
use outflank_terminal::{
    ending,
    output::{self, Status, complain, grouped},
    text::games as text,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Keep games in a database, and ask it: what was played from a position, lists, totals, ratings.
///
/// A database is one file of SQLite; docs/games.md describes its tables for those who ask it with other tools. Names are
/// meant by the beginnings of their words, whatever the accents and capitals; `=Name` means the whole name.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank games import wthor.db WTH_*.wtb WTH.JOU WTH.TRN\n  \
    outflank games position wthor.db f5d6c3d3c4 --years 2000.. --examples 2\n  \
    outflank games list wthor.db --player Tamenori --event World --result win --limit 20\n  \
    outflank games stats wthor.db --by opening --limit 20\n  \
    outflank games ratings wthor.db --min-games 100\n  \
    outflank games export wthor.db --player Tamenori --to ggf --out tamenori.ggf\n  \
    outflank games duplicates wthor.db\n  \
    outflank games check wthor.db\n  \
    outflank games names wthor.db nicolet")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Import(import::ImportArgs),
    Position(PositionArgs),
    List(ListArgs),
    Stats(StatsArgs),
    Ratings(RatingsArgs),
    Export(export::ExportArgs),
    Duplicates(DuplicatesArgs),
    Check(CheckArgs),
    Names(NamesArgs),
}

/// Show what was played from a position and how it fared, most played moves first.
///
/// Games count whose players had the same discs before them, up to symmetry, however they came about. The score has half
/// the width of its interval of 95 % behind it; few games say little.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank games position wthor.db\n  \
    outflank games position wthor.db f5d6c3d3c4 --player Tamenori --color black\n  \
    outflank games position wthor.db f5f6e6f4 --years 2000.. --json")]
struct PositionArgs {
    /// The database.
    database: PathBuf,
    /// The position in any notation, the moves that lead to it, or a file with one of them; the start if left out.
    position: Vec<String>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Show this many moves at most.
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Show this many games with each move, of the players who have most games.
    #[arg(long, value_name = "N", default_value_t = 0)]
    examples: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// List games, latest first.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank games list wthor.db --player Tamenori --result win --limit 20\n  \
    outflank games list wthor.db --position f5d6c3d3c4f4f6b4 --order earliest\n  \
    outflank games list wthor.db --event World --years 1996 --json")]
struct ListArgs {
    /// The database.
    database: PathBuf,
    #[command(flatten)]
    selection: Selection,
    /// Print one JSON object a game, which every command takes as a game.
    #[arg(long)]
    json: bool,
}

/// Which games, and in which order.
#[derive(clap::Args, Debug)]
struct Selection {
    #[command(flatten)]
    filter: FilterArgs,
    /// Only games that go through this position, in any notation.
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// The order.
    #[arg(long, value_enum, default_value = "latest")]
    order: OrderArg,
    /// Leave out this many games at the beginning.
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: usize,
    /// The most games.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

impl Selection {
    fn request(&self) -> ListRequest {
        ListRequest {
            position: self.position.clone(),
            filter: self.filter.filter(),
            order: match self.order {
                OrderArg::Latest => OrderName::Latest,
                OrderArg::Earliest => OrderName::Earliest,
                OrderArg::Margin => OrderName::Margin,
                OrderArg::Number => OrderName::Number,
            },
            skip: self.skip,
            limit: self.limit,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum OrderArg {
    /// Latest games first.
    Latest,
    /// Earliest games first.
    Earliest,
    /// Greatest margins first.
    Margin,
    /// As they were imported.
    Number,
}

/// Count games, points and discs by player, year, event, source or opening.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank games stats wthor.db --by opening --limit 20\n  \
    outflank games stats wthor.db --by player --years 2010..\n  \
    outflank games stats wthor.db --by year --player Tamenori --json")]
struct StatsArgs {
    /// The database.
    database: PathBuf,
    /// What to count by.
    #[arg(long, value_enum)]
    by: ByArg,
    #[command(flatten)]
    filter: FilterArgs,
    /// The most lines.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum ByArg {
    /// Players, from their view.
    Player,
    /// Years.
    Year,
    /// Events.
    Event,
    /// Sources.
    Source,
    /// Openings: the last named position of each game.
    Opening,
}

/// Rate players by maximum likelihood from the games between them, as `match` does.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank games ratings wthor.db --limit 30\n  \
    outflank games ratings wthor.db --min-games 100 --years 2005..2014 --json")]
struct RatingsArgs {
    /// The database.
    database: PathBuf,
    /// Rate players with at least this many games against each other.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    min_games: u64,
    #[command(flatten)]
    filter: FilterArgs,
    /// The most players to show.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print one JSON object a player.
    #[arg(long)]
    json: bool,
}

/// Show games with the same moves, from one side or another; those by the same players in the same year count once.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank games duplicates wthor.db\n  \
    outflank games duplicates wthor.db --player Tamenori --json")]
struct DuplicatesArgs {
    /// The database.
    database: PathBuf,
    #[command(flatten)]
    filter: FilterArgs,
    /// Print one JSON object a group.
    #[arg(long)]
    json: bool,
}

/// Look at everything in a database: the file, names, moves, results, duplicates and the index.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  outflank games check wthor.db\n\
    Exit code 1 if something is wrong.")]
struct CheckArgs {
    /// The database.
    database: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// List players or events with their spellings, or join spellings.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank games names wthor.db nicolet\n  \
    outflank games names wthor.db --of events world\n  \
    outflank games names wthor.db --aliases aliases.tsv\n\
    A line of aliases is a spelling, a tab, and the name that it stands for; # begins a comment.")]
struct NamesArgs {
    /// The database.
    database: PathBuf,
    /// Beginnings of words of the name, or `=` and the whole name; all names if left out.
    name: Vec<String>,
    /// The names.
    #[arg(long, value_enum, default_value = "players")]
    of: OfArg,
    /// Take the spellings of players that stand for other names from this file, in place of those that are there.
    #[arg(long, value_name = "FILE")]
    aliases: Option<PathBuf>,
    /// Print one JSON object a name.
    #[arg(long)]
    json: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum OfArg {
    /// Players.
    Players,
    /// Events.
    Events,
}

/// Opens a database for reading.
fn open(path: &Path) -> anyhow::Result<Database> {
    Ok(Database::open(path)?)
}

/// Prints objects as JSON, or all together as text.
fn show<T: serde::Serialize>(
    objects: &[T],
    json: bool,
    text: impl FnOnce(&[T]) -> String,
) -> anyhow::Result<Status> {
    if json {
        objects.iter().try_for_each(|object| output::object(object))?;
    } else {
        output::write_all(text(objects).as_bytes())?;
    }
    Ok(Status::Success)
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    match &args.command {
        Command::Import(args) => import::run(args),
        Command::Position(args) => position(args),
        Command::List(args) => list(args),
        Command::Stats(args) => stats(args),
        Command::Ratings(args) => ratings(args),
        Command::Export(args) => export::run(args),
        Command::Duplicates(args) => {
            let groups = games::alike(&args.filter.filter(), &open(&args.database)?)?;
            show(&groups, args.json, text::alike)
        }
        Command::Check(args) => check(args),
        Command::Names(args) => names(args),
    }
}

fn position(args: &PositionArgs) -> anyhow::Result<Status> {
    let position = match &args.position[..] {
        [] => None,
        [path] if Path::new(path).is_file() => Some(fs::read_to_string(path).with_context(|| path.clone())?),
        words => Some(words.join(" ")),
    };
    let request = ExploreRequest {
        position,
        filter: args.filter.filter(),
        examples: args.examples,
    };
    let mut found = games::explore(&request, &open(&args.database)?)?;
    found.moves.truncate(args.top.unwrap_or(usize::MAX));
    if args.json {
        output::object(&found)?;
    } else {
        output::write_all(text::explored(&found).as_bytes())?;
    }
    Ok(Status::Success)
}

fn list(args: &ListArgs) -> anyhow::Result<Status> {
    let database = open(&args.database)?;
    let mut failure = Ok(());
    let mut shown = 0;
    let total = games::list(&args.selection.request(), &database, &mut |game| {
        shown += 1;
        failure = if args.json {
            output::object(&game)
        } else {
            let heading = if shown == 1 {
                text::list_heading()
            } else {
                String::new()
            };
            output::write_all((heading + &text::listed(&game)).as_bytes())
        };
        failure.as_ref().map_or_else(
            |_| Err(outflank_api::Error::Input("nobody reads".to_owned())),
            |()| Ok(()),
        )
    });
    failure?;
    let total = total?;
    if !args.json {
        output::line(&format!("{} of {} games", grouped(shown), grouped(total as u64)))?;
    }
    Ok(Status::Success)
}

fn stats(args: &StatsArgs) -> anyhow::Result<Status> {
    let by = match args.by {
        ByArg::Player => TotalsBy::Player,
        ByArg::Year => TotalsBy::Year,
        ByArg::Event => TotalsBy::Event,
        ByArg::Source => TotalsBy::Source,
        ByArg::Opening => TotalsBy::Opening,
    };
    let mut totals = games::totals(by, &args.filter.filter(), &open(&args.database)?)?;
    totals.truncate(args.limit.unwrap_or(usize::MAX));
    show(&totals, args.json, |totals| text::totals(by, totals))
}

fn ratings(args: &RatingsArgs) -> anyhow::Result<Status> {
    let request = RatingsRequest {
        filter: args.filter.filter(),
        min_games: args.min_games,
    };
    let mut players = games::ratings(&request, &open(&args.database)?)?;
    players.truncate(args.limit.unwrap_or(usize::MAX));
    show(&players, args.json, text::ratings)
}

fn check(args: &CheckArgs) -> anyhow::Result<Status> {
    let stop = ending::stop_on_interrupt()?;
    let database = open(&args.database)?;
    let problems = database::check(&database, &stop, &mut |step| {
        if !args.json {
            complain(&format!("looking at {step}"));
        }
    })?;
    let is_sound = problems.is_empty() && !stop.is_stopped();
    if args.json {
        output::object(
            &serde_json::json!({"sound": is_sound, "stopped": stop.is_stopped(), "problems": problems}),
        )?;
    } else {
        for problem in &problems {
            output::line(problem)?;
        }
        output::line(match (is_sound, stop.is_stopped()) {
            (true, _) => "everything is right",
            (false, true) => "stopped before the end",
            (false, false) => "make a new database by importing the sources again",
        })?;
    }
    Ok(if is_sound {
        Status::Success
    } else {
        Status::CheckFailed
    })
}

fn names(args: &NamesArgs) -> anyhow::Result<Status> {
    let of = match args.of {
        OfArg::Players => NamesOf::Players,
        OfArg::Events => NamesOf::Events,
    };
    if let Some(path) = &args.aliases {
        if !args.name.is_empty() || matches!(of, NamesOf::Events) {
            bail!("--aliases takes all spellings of players from its file: leave the name out");
        }
        // Only what is there can have aliases: a name that is mistyped makes no database.
        drop(open(&args.database)?);
        let lines = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let set = database::set_aliases(&lines, &mut Database::create(&args.database)?);
        let n_aliases = set.with_context(|| path.display().to_string())?;
        output::line(&format!(
            "{} spellings stand for other names",
            grouped(n_aliases as u64)
        ))?;
        return Ok(Status::Success);
    }
    let name = args.name.join(" ");
    let wanted = Some(name.as_str()).filter(|name| !name.is_empty());
    let found = games::names_of(of, wanted, &open(&args.database)?)?;
    if let Some(wanted) = wanted.filter(|_| found.is_empty()) {
        bail!("{wanted:?} is the name of none");
    }
    show(&found, args.json, text::names)
}
