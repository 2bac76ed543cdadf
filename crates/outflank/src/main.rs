//! The command line of Outflank: one sub-command per module, each a thin adapter over the libraries.

#![expect(
    clippy::print_stderr,
    reason = "a front-end reports its errors on standard error"
)]

mod output;
mod perft;

use clap::{CommandFactory, Parser, Subcommand};
use output::{Status, is_broken_pipe};
use std::process::ExitCode;

/// Othello and Gomoku engines, and a laboratory of game search.
#[derive(Parser, Debug)]
#[command(
    name = "outflank",
    version,
    about,
    propagate_version = true,
    after_help = "Exit code: 0 all right, 1 a check failed, 2 bad usage or input.\n\
                  Every command takes --help and shows examples there."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Perft(perft::Args),
    /// Print a completion script for a shell.
    #[command(
        after_help = "Example:\n  outflank completions bash > ~/.local/share/bash-completion/completions/outflank"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

fn run(command: Command) -> anyhow::Result<Status> {
    match command {
        Command::Perft(args) => perft::run(&args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "outflank", &mut script);
            output::write_all(&script)?;
            Ok(Status::Success)
        }
    }
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(status) => status.into(),
        // The reader of our output has seen enough, as in `outflank … | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("outflank: {error:#}");
            Status::BadInput.into()
        }
    }
}
