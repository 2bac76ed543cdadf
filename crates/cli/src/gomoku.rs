//! `--game gomoku`: the commands of the second game, and `outflank gomocup`.
//!
//! `outflank solve --game gomoku …` is rewritten to `outflank gomoku solve …` before the arguments are parsed, so that
//! both games share the names of their commands and each keeps its own options.

mod analyze;
mod bench;
mod book;
mod brain;
mod input;
mod play;
mod show;
mod solve;

use crate::{match_cmd, output::Status};
use std::ffi::OsString;

/// The commands of Gomoku; `outflank COMMAND --game gomoku` is the same.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Show(show::Args),
    Analyze(analyze::Args),
    Solve(solve::Args),
    Play(play::Args),
    Match(Box<match_cmd::Args>),
    Bench(bench::Args),
    Book(book::Args),
}

/// Runs a command of Gomoku.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    match &args.command {
        Command::Show(args) => show::run(args),
        Command::Analyze(args) => analyze::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Play(args) => play::run(args),
        Command::Match(args) => match_cmd::run_gomoku(args),
        Command::Bench(args) => bench::run(args),
        Command::Book(args) => book::run(args),
    }
}

pub(crate) use brain::{Args as GomocupArgs, run as gomocup};
pub(crate) use input::boards;

/// Rewrites `COMMAND … --game gomoku …` to `gomoku COMMAND …`, leaves `--game othello` out, and starts the protocol where the program's file is
/// called `pbrain-outflank`.
pub(crate) fn redirect(args: Vec<OsString>) -> Vec<OsString> {
    let program = args
        .first()
        .and_then(|path| std::path::Path::new(path).file_stem())
        .and_then(|stem| stem.to_str());
    if args.len() == 1 && program.is_some_and(|stem| stem.to_ascii_lowercase().starts_with("pbrain")) {
        return vec![args[0].clone(), "gomocup".into()];
    }
    let commands = ["show", "analyze", "solve", "play", "bench", "book"];
    if !args
        .get(1)
        .is_some_and(|arg| commands.iter().any(|command| arg == command))
    {
        return args;
    }
    let word = |arg: &OsString| arg.to_str().map(str::to_ascii_lowercase);
    let found = args.iter().enumerate().find_map(|(at, arg)| {
        let arg = word(arg)?;
        match arg.strip_prefix("--game=") {
            Some(game) => Some((at, 1, game.to_owned())),
            None if arg == "--game" => Some((at, 2, word(args.get(at + 1)?)?)),
            None => None,
        }
    });
    let Some((at, n, game)) = found else { return args };
    let mut args = args;
    if game == "gomoku" {
        args.drain(at..at + n);
        args.insert(1, "gomoku".into());
    } else if game == "othello" {
        args.drain(at..at + n);
    }
    args
}

#[cfg(test)]
mod tests {
    use super::redirect;
    use std::ffi::OsString;

    #[test]
    fn the_game_option_chooses_the_command() {
        let of = |words: &[&str]| redirect(words.iter().map(OsString::from).collect());
        assert_eq!(
            of(&["outflank", "solve", "--game", "gomoku", "h8"]),
            ["outflank", "gomoku", "solve", "h8"]
        );
        assert_eq!(
            of(&["outflank", "show", "--game=gomoku"]),
            ["outflank", "gomoku", "show"]
        );
        assert_eq!(
            of(&["outflank", "show", "--game", "othello"]),
            ["outflank", "show"]
        );
        assert_eq!(
            of(&["outflank", "show", "--game", "chess"]),
            ["outflank", "show", "--game", "chess"]
        );
        assert_eq!(of(&["/x/pbrain-outflank"]), ["/x/pbrain-outflank", "gomocup"]);
    }
}
