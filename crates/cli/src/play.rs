//! `outflank play`: a game against the engine at the terminal.

use crate::{
    engine::BookArgs,
    gomoku,
    options::{GameArgs, GameName, Resources, parse_clock, parse_level, parse_seconds},
};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use outflank_gomoku_engine::OpeningTable;
use outflank_search::{GameClock, Level};
use outflank_study::{
    book::Shelf,
    play::{Options, Session, gomoku::Session as GomokuSession},
};
use outflank_terminal::{
    output::Status,
    play::{self, Manner, Saving, Seats},
};
use std::{
    hash::{BuildHasher as _, RandomState},
    sync::Arc,
    time::Duration,
};

/// Play against the engine, or with two people at one board.
///
/// On a terminal of 80 by 24 characters or more (80 by 26 for a board of Gomoku of 20 by 20) the board is drawn and kept up
/// to date; F1 shows the keys. Elsewhere, and with --plain, the game is played line by line: moves and commands in, boards
/// out; `help` lists them.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank play                                    you are black, level 6\n  \
    outflank play --color white --level 12\n  \
    outflank play --level human-3                    an opponent that errs as people do\n  \
    outflank play --clock 300+2 --level 20           five minutes each, two seconds added per move\n  \
    outflank play --load game.ggf --color both       go through a game, with hints\n  \
    outflank play tiger --time 2                     from an opening; its moves will do, too\n  \
    outflank play --save game.ggf                    saved whatever happens\n  \
    outflank play --game gomoku                      15x15, free-style, one second a move\n  \
    outflank play --game gomoku --level casual       an opponent that overlooks threats as people do\n  \
    outflank play --game gomoku --rule renju --color white --time 3 --save game.sgf\n  \
    outflank play --game gomoku --size 20 --load game.psq --color both\n  \
    printf 'f5\\nhint\\nsave game.sgf\\n' | outflank play --plain")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// A game, position or opening to go on with, as --load takes it.
    #[arg(conflicts_with = "load")]
    moves: Vec<String>,
    #[command(flatten)]
    book: BookArgs,
    /// Strength of the engine, 1 to 60, or human-1 to human-8, also by name (beginner, casual, club …), which err as people
    /// do [default: 6; in Gomoku one second a move]; see `outflank levels`.
    #[arg(long, value_name = "N", value_parser = parse_level)]
    level: Option<Level>,
    /// What human-1 to human-8 draw their choices from; another game every time if left out.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Seconds for each of the engine's moves, instead of what the level takes.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// A clock for both players, in seconds or minutes:seconds: `300+2`, `5:00+2`.
    #[arg(long, value_name = "MAIN+INC", value_parser = parse_clock)]
    clock: Option<GameClock>,
    /// Your color; `none` lets the engine play itself.
    #[arg(long, default_value = "black", value_parser = seats())]
    color: Seats,
    /// Go on with a game or position: a file, notation of any kind, or the name of an opening.
    #[arg(long, value_name = "FILE")]
    load: Option<String>,
    /// Save the game to this file (.ggf .sgf .txt .obf .wtb; of Gomoku .sgf .psq .json .txt) when it is left, also if the
    /// terminal goes away.
    #[arg(long, value_name = "FILE")]
    save: Option<String>,
    /// Play line by line, even on a terminal.
    #[arg(long)]
    plain: bool,
    /// Draw with letters and other characters of ASCII only.
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    resources: Resources,
}

/// Reads which colors people play.
fn seats() -> impl TypedValueParser<Value = Seats> {
    let names = Seats::ALL.map(|seats| {
        PossibleValue::new(seats.name()).help(match seats {
            Seats::Black => "You are black",
            Seats::White => "You are white",
            Seats::Both => "Two people play",
            Seats::None => "The engine plays itself",
        })
    });
    PossibleValuesParser::new(names).map(|name| Seats::of(&name).expect("one of the possible values"))
}

/// Level of the engine if nothing else is said.
const DEFAULT_LEVEL: u32 = 6;
/// Level of Gomoku's engine if nothing else is said and the time for its moves is switched off.
const GOMOKU_LEVEL: u32 = 20;
/// Time for each of the moves of Gomoku's engine if nothing else is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    if args.game.is_gomoku() {
        return gomoku(args);
    }
    let options = Options {
        seats: args.color.seats(),
        level: args.level.map_or_else(|| Level::new(DEFAULT_LEVEL), Ok)?,
        move_time: args.time,
        clock: args.clock,
    };
    let mut session = Session::new(options, Duration::ZERO);
    let moves = (!args.moves.is_empty()).then(|| args.moves.join(" "));
    if let Some(what) = args.load.as_ref().or(moves.as_ref()) {
        session.load(play::load(what)?, Duration::ZERO);
    }
    let engine = args.resources.engine_of(args.seed)?;
    let book = args.book.shared(Shelf::starter())?;
    let engine = args.book.with_book(engine, book, args.seed);
    play::run(session, engine, &args.saving(), args.manner())
}

impl Args {
    fn saving(&self) -> Saving<'_> {
        Saving {
            path: self.save.as_deref(),
            loaded: self.load.as_deref(),
        }
    }

    const fn manner(&self) -> Manner {
        Manner {
            plain: self.plain,
            ascii: self.ascii,
        }
    }
}

/// Plays Gomoku.
fn gomoku(args: &Args) -> anyhow::Result<Status> {
    args.game.refuse(
        GameName::Gomoku,
        &[
            ("--model", args.resources.model.path.is_some()),
            ("--book", args.book.file.book.is_some()),
        ],
    )?;
    let timed = args.time.is_some() || args.level.is_none() && args.clock.is_none();
    let options = Options {
        seats: args.color.seats(),
        level: args.level.map_or_else(|| Level::new(GOMOKU_LEVEL), Ok)?,
        move_time: timed.then(|| args.time.unwrap_or(DEFAULT_TIME)),
        clock: args.clock,
    };
    let words: Vec<String> = args.moves.iter().chain(&args.load).cloned().collect();
    let record = gomoku::record(&words, args.game)?;
    let (rule, size) = (
        record.rule.unwrap_or_default(),
        record.size.unwrap_or(gomoku::SIZE),
    );
    let mut session = GomokuSession::new(options, rule, size, Duration::ZERO)?;
    session.load(&record, Duration::ZERO)?;
    let mut engine = args.resources.gomoku_engine()?;
    engine.reseed(args.seed.unwrap_or_else(|| RandomState::new().hash_one("a seed")));
    if !args.book.file.no_book {
        engine.set_book(Some(Arc::new(OpeningTable::built_in())));
    }
    play::run_gomoku(session, engine, &args.saving(), args.manner())
}
