//! Changing books without searching: set, remove, prune, merge.

use super::GrowthArgs;
use anyhow::{Context as _, bail};
use outflank_book::{Book, Fact, Slot, UNITS, Union, Worked, Worth, exchange::json::board_text};
use outflank_othello::{Board, Color, Square};
use outflank_study::{
    book::{load, save},
    learn::require_no_log,
};
use outflank_terminal::{
    input::{self, Source},
    output::{self, Status, grouped},
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Loads a book that is going to be changed.
pub(super) fn load_to_change(path: &Path) -> anyhow::Result<Book> {
    let book = load(path)?;
    require_no_log(path, &book)?;
    Ok(book)
}

/// Reads the one position that is meant.
fn position(text: &str) -> anyhow::Result<Board> {
    let mut found = None;
    let tally = input::for_each(&Source::from_args(&[text.to_owned()])?, |item| {
        found = Some(item.position().board());
        Ok(())
    })?;
    match found {
        Some(board) if tally.good == 1 && tally.bad == 0 => Ok(board),
        _ => bail!("{text:?}: one position is wanted"),
    }
}

/// Set the values of moves by hand: they stay until a value is proved.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  outflank book set my.ofb f5d6 c5=-2 c3=0.5")]
pub(crate) struct SetArgs {
    /// The book.
    file: PathBuf,
    /// The position: moves, a board, or any other notation.
    position: String,
    /// Moves with their values in discs for the side to move.
    #[arg(required = true, value_name = "MOVE=DISCS", value_parser = parse_value, allow_hyphen_values = true)]
    values: Vec<(Square, i32)>,
    /// Who says so.
    #[arg(long, value_name = "NAME", default_value = "by hand")]
    by: String,
    /// Put the value in the place of one that is worth more.
    #[arg(long = "override")]
    overrides: bool,
}

fn parse_value(text: &str) -> Result<(Square, i32), String> {
    let (square, value) = text
        .split_once('=')
        .ok_or_else(|| format!("{text:?}: expected a move and its value, such as c5=-2"))?;
    let square: Square = square.parse().map_err(|error| format!("{error}"))?;
    match value.parse::<f64>() {
        Ok(discs) if discs.abs() <= 64.0 => Ok((square, (discs * f64::from(UNITS)).round() as i32)),
        _ => Err(format!("{value:?} is no number of discs from -64 to 64")),
    }
}

/// Sets values.
pub(super) fn set(args: &SetArgs) -> anyhow::Result<Status> {
    let mut book = load_to_change(&args.file)?;
    let board = position(&args.position)?;
    let source = book.source(&args.by)?;
    let mut refused = false;
    for &(square, units) in &args.values {
        let fact = Fact::new(units, Worth::MANUAL, source);
        if args.overrides {
            book.replace(board, Slot::Move(square), fact)?;
        } else if book.add(board, Slot::Move(square), fact)? == outflank_book::Added::Worse {
            refused = true;
            output::complain(&format!(
                "{square}: what the book knows is worth more; --override sets it all the same"
            ));
        }
    }
    save(&args.file, &Worked::new(book))?;
    Ok(if refused {
        Status::CheckFailed
    } else {
        Status::Success
    })
}

/// Take positions or moves out of a book. Merging an older copy brings them back.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank book remove my.ofb f5d6c3\n  \
    outflank book remove my.ofb f5d6 --move c5")]
pub(crate) struct RemoveArgs {
    /// The book.
    file: PathBuf,
    /// The position: moves, a board, or any other notation.
    position: String,
    /// Only what is known about this move.
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<Square>,
}

/// Removes a position or a move.
pub(super) fn remove(args: &RemoveArgs) -> anyhow::Result<Status> {
    let mut book = load_to_change(&args.file)?;
    let board = position(&args.position)?;
    let removed = match args.mv {
        Some(square) => book.remove_move(board, square),
        None => book.remove(board),
    };
    if !removed {
        output::complain("nothing is known about that");
        return Ok(Status::CheckFailed);
    }
    save(&args.file, &Worked::new(book))?;
    Ok(Status::Success)
}

/// Keep the lines within limits, or those that one side needs; moves out of them keep their values.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank book prune my.ofb --loss 1 --total 2 --output small.ofb\n  \
    outflank book prune my.ofb --for black --dry-run")]
pub(crate) struct PruneArgs {
    /// The book.
    file: PathBuf,
    #[command(flatten)]
    growth: GrowthArgs,
    /// The book to write; the same one if left out.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only say what would come of it.
    #[arg(long)]
    dry_run: bool,
}

/// Prunes a book.
pub(super) fn prune(args: &PruneArgs) -> anyhow::Result<Status> {
    let book = Worked::new(load_to_change(&args.file)?);
    let root = (Board::start(), Color::Black);
    let keep = outflank_book::reachable(&book, root, &args.growth.growth());
    let keep: BTreeSet<Board> = keep.into_iter().map(|(_, key)| key).collect();
    let pruned = outflank_book::prune(&book, &keep)?;
    output::line(&format!(
        "{} of {} positions stay",
        grouped(pruned.len() as u64),
        grouped(book.book().len() as u64)
    ))?;
    if !args.dry_run {
        save(args.output.as_deref().unwrap_or(&args.file), &Worked::new(pruned))?;
    }
    Ok(Status::Success)
}

/// Join books: of two facts about the same move the one that is worth more stays, so that the order makes no difference.
///
/// Proved values that contradict each other are listed, and the exit code is 1.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  outflank book merge both.ofb a.ofb b.ofb")]
pub(crate) struct MergeArgs {
    /// The book to write; what is in it is replaced.
    to: PathBuf,
    /// The books to join.
    #[arg(required = true)]
    from: Vec<PathBuf>,
    /// Only say what would come of it.
    #[arg(long)]
    dry_run: bool,
}

/// Joins books.
pub(super) fn merge(args: &MergeArgs) -> anyhow::Result<Status> {
    let mut all = Book::new();
    let mut conflicts = 0;
    for path in &args.from {
        let book = load(path)?;
        let union = all.union(&book).with_context(|| path.display().to_string())?;
        let Union {
            positions,
            new,
            better,
            same,
            worse,
            conflicts: found,
        } = union;
        output::line(&format!(
            "{}: {} positions, {} new; facts: {} new, {} better, {} the same, {} worse",
            path.display(),
            grouped(book.len() as u64),
            grouped(positions as u64),
            grouped(new as u64),
            grouped(better as u64),
            grouped(same as u64),
            grouped(worse as u64),
        ))?;
        conflicts += found.len();
        for (board, slot) in found {
            output::complain(&format!(
                "{} X: both books prove a value of {slot:?}, and not the same",
                board_text(board)
            ));
        }
    }
    if !args.dry_run {
        save(&args.to, &Worked::new(all))?;
    }
    Ok(if conflicts == 0 {
        Status::Success
    } else {
        Status::CheckFailed
    })
}
