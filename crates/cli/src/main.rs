//! The command line of Outflank: one sub-command per module, each a thin adapter over the libraries.

mod analyze;
mod bench;
mod book;
mod convert;
mod cpu;
mod drill;
mod engine;
mod engine_cmd;
#[cfg(feature = "database")]
mod games;
mod gomoku;
mod lab;
mod levels;
mod match_cmd;
#[cfg(feature = "mcp")]
mod mcp;
mod openings;
mod options;
mod perft;
mod play;
mod puzzles;
mod report_cmd;
mod review_cmd;
mod serve;
mod show;
mod solve;
mod train;

use anyhow::{Context as _, bail};
use clap::{CommandFactory, Parser, Subcommand};
use options::GameName;
use outflank_terminal::{
    output::{self, Status, is_broken_pipe},
    report,
};
use std::{ffi::OsString, fs, path::PathBuf, process::ExitCode};

/// Othello and Gomoku engines, and a laboratory of game search.
#[derive(Parser, Debug)]
#[command(
    name = "outflank",
    version,
    long_version = long_version(),
    about,
    propagate_version = true,
    after_help = "Exit code: 0 all right, 1 a check failed, 2 bad usage or input.\n\
                  Every command takes --help and shows examples there."
)]
struct Cli {
    /// The game, before or after the commands that know both: show, analyze, solve, review, play, match, bench, book.
    #[arg(long, value_enum, value_name = "GAME")]
    game: Option<GameName>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Show(show::Args),
    Analyze(analyze::Args),
    Solve(solve::Args),
    Convert(convert::Args),
    Match(Box<match_cmd::Args>),
    Review(review_cmd::Args),
    Play(play::Args),
    Puzzles(puzzles::Args),
    Drill(drill::Args),
    Openings(openings::Args),
    Serve(serve::Args),
    #[cfg(feature = "mcp")]
    Mcp(mcp::Args),
    Perft(perft::Args),
    /// Play through GTP (GoGui, gogui-twogtp, Quarry, other match runners).
    Gtp(engine_cmd::Args),
    /// Play through the NBoard protocol.
    Nboard(engine_cmd::NBoardArgs),
    /// Play through UGI, the Universal Game Interface.
    Ugi(engine_cmd::Args),
    /// Play through Cassio's engine protocol.
    Cassio(engine_cmd::Args),
    /// Play through the xboard protocol, variant reversi.
    Xboard(engine_cmd::Args),
    /// Play on Botzone: JSON or simple interaction.
    Botzone(engine_cmd::BotzoneArgs),
    Bench(bench::Args),
    Report(report_cmd::Args),
    Train(train::Args),
    Levels(levels::Args),
    Lab(Box<lab::Args>),
    Book(Box<book::Args>),
    #[cfg(feature = "database")]
    Games(Box<games::Args>),
    Gomocup(gomoku::GomocupArgs),
    /// Print a completion script for a shell.
    #[command(
        after_help = "Example:\n  outflank completions bash > ~/.local/share/bash-completion/completions/outflank"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual pages, for `man`, into a folder.
    #[command(after_help = "Example:\n  outflank manual ~/.local/share/man/man1 && man outflank-analyze")]
    Manual {
        /// Where the pages go; it is made if it is not there.
        folder: PathBuf,
    },
}

fn run(command: Command, game: Option<GameName>) -> anyhow::Result<Status> {
    match command {
        Command::Show(mut args) => {
            args.game.settle(game)?;
            show::run(&args)
        }
        Command::Analyze(mut args) => {
            args.game.settle(game)?;
            analyze::run(&args)
        }
        Command::Solve(mut args) => {
            args.game.settle(game)?;
            solve::run(&args)
        }
        Command::Match(mut args) => {
            args.game.settle(game)?;
            match_cmd::run(&args)
        }
        Command::Review(mut args) => {
            args.game.settle(game)?;
            review_cmd::run(&args)
        }
        Command::Play(mut args) => {
            args.game.settle(game)?;
            play::run(&args)
        }
        Command::Bench(mut args) => {
            args.game.settle(game)?;
            bench::run(&args)
        }
        Command::Book(mut args) => {
            args.settle(game)?;
            book::run(&args)
        }
        Command::Gomocup(args) => gomoku::gomocup(&args),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(&args),
        Command::Lab(args) => lab::run(&args, game),
        Command::Levels(args) => levels::run(&args, game),
        _ if game == Some(GameName::Gomoku) => bail!("this command is for Othello only"),
        Command::Convert(args) => convert::run(&args),
        #[cfg(feature = "database")]
        Command::Games(args) => games::run(&args),
        Command::Report(args) => report_cmd::run(&args),
        Command::Puzzles(args) => puzzles::run(&args),
        Command::Drill(args) => drill::run(&args),
        Command::Openings(args) => openings::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Gtp(args) => engine_cmd::gtp(&args),
        Command::Nboard(args) => engine_cmd::nboard(&args),
        Command::Ugi(args) => engine_cmd::ugi(&args),
        Command::Cassio(args) => engine_cmd::cassio(&args),
        Command::Xboard(args) => engine_cmd::xboard(&args),
        Command::Botzone(args) => engine_cmd::botzone(&args),
        Command::Train(args) => train::run(&args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "outflank", &mut script);
            output::write_all(&script)?;
            Ok(Status::Success)
        }
        Command::Manual { folder } => {
            let written =
                fs::create_dir_all(&folder).and_then(|()| clap_mangen::generate_to(Cli::command(), &folder));
            written.with_context(|| format!("cannot write manual pages to {}", folder.display()))?;
            Ok(Status::Success)
        }
    }
}

/// Returns the argument with `.` for `-` in the board that it starts with, if it does.
///
/// Both stand for an empty square, but an argument that starts with `-` would be taken for an option.
fn protect_board(arg: OsString) -> OsString {
    let Some(text) = arg.to_str().filter(|text| text.starts_with('-')) else {
        return arg;
    };
    let board = text
        .split(|c: char| !("-.XxOoBbWw*01".contains(c) || c.is_whitespace()))
        .next()
        .unwrap_or("");
    if board.chars().filter(|c| !c.is_whitespace()).count() < 32 {
        return arg;
    }
    (board.replace('-', ".") + &text[board.len()..]).into()
}

/// Returns the version and what it was built for, as `--version` says them; `-V` says the version alone.
fn long_version() -> String {
    format!("{}\nbuilt for {}", env!("CARGO_PKG_VERSION"), cpu::level())
}

fn main() -> ExitCode {
    cpu::run_best_build();
    report::on_panic();
    let missing = cpu::missing_features();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        output::complain(&format!(
            "this CPU lacks {missing}, which this binary was built for; build it here, or with \
             RUSTFLAGS=\"-C target-cpu=x86-64\" for any x86-64 CPU"
        ));
        return Status::BadInput.into();
    }
    let mut arguments: Vec<OsString> = std::env::args_os().map(protect_board).collect();
    if gomoku::is_brain(&arguments) {
        arguments.push("gomocup".into());
    }
    let cli = Cli::parse_from(arguments);
    match run(cli.command, cli.game) {
        Ok(status) => status.into(),
        // The reader of our output has seen enough, as in `outflank … | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&output::reasons(&error));
            Status::BadInput.into()
        }
    }
}
