//! `outflank play`: a game against the engine at the terminal.
//!
//! The game itself is a `Session` of the library; `table` joins it with the engine's thread and the clock.
//! What is typed is understood by `command`; two front-ends show the same game: `tui` on a terminal, `plain` line by
//! line everywhere else.

mod command;
mod files;
mod plain;
mod table;
mod tui;

use crate::{
    gomoku,
    options::{GameArgs, GameName, Resources, parse_clock, parse_level, parse_seconds},
    output::Status,
};
use clap::ValueEnum;
use outflank_search::{GameClock, Level};
use outflank_study::play::{Options, Seat, Session};
use std::{
    io::{self, IsTerminal as _},
    time::Duration,
};

/// Play against the engine, or with two people at one board.
///
/// On a terminal of 80 by 24 characters or more the board is drawn and kept up to date; F1 shows the keys. Elsewhere, and
/// with --plain, the game is played line by line: moves and commands in, boards out; `help` lists them.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank play                                    you are black, level 6\n  \
    outflank play --color white --level 12\n  \
    outflank play --clock 300+2 --level 20           five minutes each, two seconds added per move\n  \
    outflank play --load game.ggf --color both       go through a game, with hints\n  \
    outflank play --load f5d6c3d3c4 --time 2\n  \
    outflank play --save game.ggf                    saved whatever happens\n  \
    outflank play --game gomoku --rule renju --color white --time 3\n  \
    printf 'f5\\nhint\\nsave game.sgf\\n' | outflank play --plain")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// A game or position to go on with, as --load takes it.
    #[arg(conflicts_with = "load")]
    pub(crate) moves: Vec<String>,
    /// Gomoku: play without an opening table.
    #[arg(long)]
    pub(crate) no_book: bool,
    /// Strength of the engine, 1 to 60 [default: 6]; see `outflank levels`.
    #[arg(long, value_name = "N", value_parser = parse_level)]
    pub(crate) level: Option<Level>,
    /// Seconds for each of the engine's moves, instead of what the level takes.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) time: Option<Duration>,
    /// A clock for both players, in seconds or minutes:seconds: `300+2`, `5:00+2`.
    #[arg(long, value_name = "MAIN+INC", value_parser = parse_clock)]
    pub(crate) clock: Option<GameClock>,
    /// Your color; `none` lets the engine play itself.
    #[arg(long, value_enum, default_value = "black")]
    pub(crate) color: Seats,
    /// Go on with a game or position: a file, or notation of any kind.
    #[arg(long, value_name = "FILE")]
    pub(crate) load: Option<String>,
    /// Save the game to this file (.ggf .sgf .txt .obf .wtb) when it is left, also if the terminal goes away.
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<String>,
    /// Play line by line, even on a terminal.
    #[arg(long)]
    plain: bool,
    /// Draw with letters and other characters of ASCII only.
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    pub(crate) resources: Resources,
}

/// Which colors people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Seats {
    /// You are black.
    Black,
    /// You are white.
    White,
    /// Two people play.
    Both,
    /// The engine plays itself.
    None,
}

impl Seats {
    /// All of them, in the order in which a key steps through them.
    const ALL: [Self; 4] = [Self::Black, Self::White, Self::Both, Self::None];

    /// Returns who plays black and who plays white.
    const fn seats(self) -> [Seat; 2] {
        match self {
            Self::Black => [Seat::Person, Seat::Engine],
            Self::White => [Seat::Engine, Seat::Person],
            Self::Both => [Seat::Person, Seat::Person],
            Self::None => [Seat::Engine, Seat::Engine],
        }
    }

    /// Returns the next one after these seats.
    fn after(seats: [Seat; 2]) -> Self {
        let at = Self::ALL.iter().position(|choice| choice.seats() == seats);
        Self::ALL[at.map_or(0, |at| (at + 1) % Self::ALL.len())]
    }
}

/// Level of the engine if nothing else is said.
const DEFAULT_LEVEL: u32 = 6;

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    if args.game.is_gomoku() {
        return gomoku::play(args);
    }
    args.game
        .refuse(GameName::Othello, &[("--no-book", args.no_book)])?;
    let options = Options {
        seats: args.color.seats(),
        level: args.level.map_or_else(|| Level::new(DEFAULT_LEVEL), Ok)?,
        move_time: args.time,
        clock: args.clock,
    };
    let mut session = Session::new(options, Duration::ZERO);
    let moves = (!args.moves.is_empty()).then(|| args.moves.join(" "));
    if let Some(what) = args.load.as_ref().or(moves.as_ref()) {
        session.load(files::load(what)?.record, Duration::ZERO);
    }
    let engine = args.resources.engine()?;
    let saving = table::Saving {
        path: args.save.as_deref(),
        loaded: args.load.as_deref(),
    };
    if args.plain || is_dumb() || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        plain::run(session, engine, &saving)
    } else {
        tui::run(session, engine, &saving, args.ascii)
    }
}

/// Returns whether the terminal knows nothing but letters.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
}
