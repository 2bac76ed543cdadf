//! `outflank gtp`, `nboard`, `ugi`, `cassio`, `xboard`, `botzone`: the engine for other people's programs.

use crate::{
    engine::{BookArgs, system_clock},
    options::{LimitArgs, Resources, parse_level, parse_overhead},
};
use clap::ArgGroup;
use outflank_api::{
    dialogue::{self, Pipes},
    worker::Soon,
};
use outflank_book::{AnyBook, SharedBook};
use outflank_eval::Score;
use outflank_othello::Position;
use outflank_othello_engine::Request;
use outflank_protocol::{
    BotzoneEngine, CassioEngine, Dialogue, DialogueBook, GtpEngine, NBoardEngine, Options, UgiEngine,
    XboardEngine,
};
use outflank_search::{Engine, Level, Limits};
use outflank_study::book::Shelf;
use outflank_terminal::output::Status;
use std::{
    fs::OpenOptions,
    io::{self, BufReader, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// The level of an engine that is not told how strong to play.
const DEFAULT_LEVEL: u32 = 10;

#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank gtp --level 12\n  \
    outflank nboard --book my.ofb --book-random 0.5\n  \
    outflank nboard --threads 2 --hash 256\n  \
    gogui-twogtp -black \"outflank gtp --depth 8\" -white \"gtp-rhino -l 3\" -size 8\n  \
    outflank match \"external: outflank gtp --depth 4\" \"depth 4\" --games 20",
    group = ArgGroup::new("strength").args(["level", "depth", "time", "nodes"]))]
pub(crate) struct Args {
    /// Strength level, 1 to 60, or human-1 to human-8, which err as people do.
    #[arg(long, value_name = "N", value_parser = parse_level)]
    level: Option<Level>,
    /// What human-1 to human-8 draw their choices from; another game every time if left out.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Time kept back from every limit of time, in milliseconds.
    #[arg(long, value_name = "MS", default_value = "10", value_parser = parse_overhead)]
    overhead: Duration,
    #[command(flatten)]
    book: BookArgs,
    #[command(flatten)]
    resources: Resources,
}

/// The options of `outflank botzone`.
#[derive(clap::Args, Debug)]
pub(crate) struct BotzoneArgs {
    #[command(flatten)]
    args: Args,
    /// Ask to be kept running, instead of ending after one answer.
    #[arg(long)]
    keep_running: bool,
}

impl Args {
    /// The request for a move if the other program sets no limit.
    fn strength(&self) -> anyhow::Result<Request> {
        if let Some(level) = self.level {
            return Ok(Request::default().level(level));
        }
        if self.is_default() {
            return Ok(Request::default().level(Level::new(DEFAULT_LEVEL)?));
        }
        Ok(Request::default().limits(self.limits.limits()))
    }

    /// What the other program may change.
    const fn options(&self) -> Options {
        Options {
            table_bytes: self.resources.hash << 20,
            most_bytes: None,
            threads: self.resources.threads as u32,
            reserve: self.overhead,
        }
    }

    fn is_default(&self) -> bool {
        self.level.is_none() && self.limits.limits() == Limits::default()
    }

    /// The request within which a clock of the other program is used: what was asked for here, and nothing else.
    fn timed(&self) -> anyhow::Result<Request> {
        if self.is_default() {
            Ok(Request::default())
        } else {
            self.strength()
        }
    }
}

impl Args {
    /// The book of the engine, which the other program may ask about and replace.
    fn dialogue_book(&self, shared: &SharedBook) -> DialogueBook {
        let open = |name: &str| match Shelf::open(Path::new(name)) {
            Ok(shelf) => Ok(Arc::new(shelf) as AnyBook),
            Err(error) => Err(error.to_string()),
        };
        DialogueBook::new(shared.clone()).with_files(open)
    }
}

pub(crate) fn gtp(args: &Args) -> anyhow::Result<Status> {
    let open = |name: &str| std::fs::read(name).map_err(|error| format!("{name}: {error}"));
    let dialogue = GtpEngine::new(args.strength()?, args.timed()?);
    let book = args.book.shared(None)?;
    let dialogue = dialogue.with_files(open).with_options(args.options());
    serve(dialogue.with_book(args.dialogue_book(&book)), args, &book)
}

/// The options of `outflank nboard`.
#[derive(clap::Args, Debug)]
pub(crate) struct NBoardArgs {
    #[command(flatten)]
    args: Args,
    /// Append the games that NBoard wants learned to this file, for `outflank book add`.
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
}

pub(crate) fn nboard(args: &NBoardArgs) -> anyhow::Result<Status> {
    let NBoardArgs { args, learn } = args;
    let book = args.book.shared(None)?;
    let mut dialogue = NBoardEngine::new(args.strength()?).with_book(args.dialogue_book(&book));
    if let Some(path) = learn.clone() {
        dialogue = dialogue.with_learning(move |game| {
            append(&path, &game.transcript()).map_err(|error| format!("{}: {error}", path.display()))
        });
    }
    serve(dialogue, args, &book)
}

/// Appends a line to a file.
fn append(path: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{line}\n").as_bytes())
}

pub(crate) fn ugi(args: &Args) -> anyhow::Result<Status> {
    let book = args.book.shared(None)?;
    let file = args.book.file.book.as_ref();
    let file = file.map_or_else(String::new, |path| path.display().to_string());
    let dialogue = UgiEngine::new(args.strength()?).with_options(args.options());
    serve(dialogue.with_book(args.dialogue_book(&book), file), args, &book)
}

pub(crate) fn cassio(args: &Args) -> anyhow::Result<Status> {
    serve(CassioEngine::new(), args, &args.book.shared(None)?)
}

pub(crate) fn xboard(args: &Args) -> anyhow::Result<Status> {
    let book = args.book.shared(None)?;
    let dialogue = XboardEngine::new(args.strength()?).with_options(args.options());
    serve(dialogue.with_book(args.dialogue_book(&book)), args, &book)
}

pub(crate) fn botzone(args: &BotzoneArgs) -> anyhow::Result<Status> {
    let mut strength = args.args.strength()?;
    if args.args.is_default() {
        // Botzone allows about a second.
        strength = Request::default().time(Duration::from_millis(700));
    }
    let book = args.args.book.shared(None)?;
    serve(BotzoneEngine::new(strength, args.keep_running), &args.args, &book)
}

fn serve(
    dialogue: impl Dialogue<Game = Position, Value = Score>,
    args: &Args,
    book: &SharedBook,
) -> anyhow::Result<Status> {
    converse(dialogue, args.options(), true, |options| {
        let resources = Resources {
            threads: u16::try_from(options.threads)?,
            hash: options.table_bytes >> 20,
            model: args.resources.model.clone(),
        };
        let engine = if book.to_play().is_some() && resources.model.path.is_none() {
            // The book answers while the evaluation is unpacked; all that can fail is memory, which was looked at.
            resources.table_bytes()?;
            let seed = args.seed;
            Soon::start(move || {
                resources
                    .engine_of(seed)
                    .unwrap_or_else(|error| panic!("{error}"))
            })
        } else {
            let engine = resources.engine_of(args.seed)?;
            Soon::start(move || engine)
        };
        Ok(args.book.with_book(engine, book.clone(), args.seed))
    })
}

/// Carries a dialogue on over standard input and output until it is over.
pub(crate) fn converse<D, E>(
    dialogue: D,
    options: Options,
    eager: bool,
    make: impl Fn(&Options) -> anyhow::Result<E>,
) -> anyhow::Result<Status>
where
    D: Dialogue<Game = E::Game, Value = E::Value>,
    E: Engine + 'static,
{
    // What making the engine costs is no time of the other side's.
    let clock = system_clock();
    let pipes = Pipes {
        input: Box::new(BufReader::new(io::stdin())),
        output: &mut io::stdout(),
    };
    dialogue::converse(dialogue, pipes, clock, options, eager, make)?;
    Ok(Status::Success)
}
