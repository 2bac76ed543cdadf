//! Asking books: show, check, stats, umigame.

use crate::engine::system_clock;
use anyhow::Context as _;
use outflank_api::book::{self, CheckObject};
use outflank_book::{BookFile, Expected, Worked, is_packed};
use outflank_othello::{Board, Game};
use outflank_othello_engine::{Engine, EngineConfig, SolverGoal};
use outflank_search::{Control, Verdict};
use outflank_study::book::Shelf;
use outflank_terminal::{
    ending,
    input::{self, Source},
    output::{self, Status},
    text,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Show what a book says about positions: the moves with value, loss, grade, risk, depth, games.
///
/// Without input, the start position. With --game gomoku: what an opening table holds.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank book show f5d6c3d3c4\n  \
    outflank book show f5 --book my.ofb --json\n  \
    outflank book show --game gomoku openings.txt --stones 2")]
pub(crate) struct ShowArgs {
    /// Positions or games in any notation, files, or `-`; with --game gomoku the table's file.
    input: Vec<String>,
    /// The book; the one inside the program if left out.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Gomoku: list the shapes with this many stones.
    #[arg(long, value_name = "N")]
    pub(super) stones: Option<usize>,
    /// Print one JSON object a position.
    #[arg(long)]
    pub(super) json: bool,
}

impl ShowArgs {
    /// Returns the file of a table of Gomoku.
    pub(super) fn table(&self) -> Option<&Path> {
        self.book.as_deref().or(self.input.first().map(Path::new))
    }
}

/// Opens a book, or the one inside the program.
pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Shelf> {
    match path {
        Some(path) => Ok(Shelf::open(path)?),
        None => Shelf::starter().context("this program was built without a book: name one with --book FILE"),
    }
}

/// Shows positions.
pub(super) fn show(args: &ShowArgs) -> anyhow::Result<Status> {
    anyhow::ensure!(args.stones.is_none(), "--stones belongs to Gomoku: --game gomoku");
    let shelf = open(args.book.as_deref())?;
    let print = |game: &Game| -> anyhow::Result<()> {
        let shown = book::show(&shelf, game)?;
        if args.json {
            return output::object(&shown);
        }
        output::line(&format!("{} {}", shown.board, shown.side))?;
        if let Some(name) = text::value::opening_of(game) {
            output::line(&format!("opening: {name}"))?;
        }
        output::line(&text::book::position(&shown))
    };
    if args.input.is_empty() {
        print(&Game::new())?;
        return Ok(Status::Success);
    }
    let tally = input::for_each(&Source::from_args(&args.input)?, |item| print(&item.game()))?;
    Ok(tally.status())
}

/// Count what is in a book: positions by discs, grade and source, sizes, digest.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  outflank book stats my.ofb --json")]
pub(crate) struct StatsArgs {
    /// The book; the one inside the program if left out.
    file: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Counts what is in a book.
pub(super) fn stats(args: &StatsArgs) -> anyhow::Result<Status> {
    let stats = with_book(args.file.as_deref(), |book| Ok(book::stats(book)))?;
    if args.json {
        output::object(&stats)?;
    } else {
        output::line(&text::book::stats(&stats))?;
    }
    Ok(Status::Success)
}

/// Hands the book of a file, or the one inside the program, to `work`.
fn with_book<T>(path: Option<&Path>, work: impl FnOnce(&Worked) -> anyhow::Result<T>) -> anyhow::Result<T> {
    work(&*open(path)?.worked()?)
}

/// Count the lines that a player must know to stay in the book: umigame numbers.
///
/// At a player's own move the answer with the fewest lines counts, at the other's all of them together. Transpositions are
/// counted more than once; the positions in brackets are different ones.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  outflank book umigame f5f6 --book my.ofb --loss 0 --until 30")]
pub(crate) struct UmigameArgs {
    /// Positions or games in any notation; the start position if left out.
    input: Vec<String>,
    /// The book; the one inside the program if left out.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// What all moves of a line may lose together, in whole discs.
    #[arg(long, value_name = "DISCS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=64))]
    loss: u32,
    /// Discs at which nobody needs to know more.
    #[arg(long, value_name = "DISCS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(4..=64))]
    until: u32,
    /// Print one JSON object a position.
    #[arg(long)]
    json: bool,
}

/// Counts lines.
pub(super) fn umigame(args: &UmigameArgs) -> anyhow::Result<Status> {
    let expected = Expected {
        loss: args.loss,
        until: args.until,
    };
    with_book(args.book.as_deref(), |book| {
        let print = |game: &Game| match book::count_lines(book, game.position(), expected) {
            None => output::line("not in the book"),
            Some(found) if args.json => output::object(&found),
            Some(found) => output::line(&text::book::umigame(&found)),
        };
        if args.input.is_empty() {
            print(&Game::new())?;
            return Ok(Status::Success);
        }
        let tally = input::for_each(&Source::from_args(&args.input)?, |item| print(&item.game()))?;
        Ok(tally.status())
    })
}

/// Check a book: check sums, order, legal moves, and that everything that follows from the facts is as the file says.
///
/// With --solve, values that are called proved are solved again.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  outflank book check my.ofb --solve 200")]
pub(crate) struct CheckArgs {
    /// The book.
    file: PathBuf,
    /// Solve this many proved values again, chosen at random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    solve: usize,
    /// Seed of the choice.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Checks a book.
pub(super) fn check(args: &CheckArgs) -> anyhow::Result<Status> {
    let name = || args.file.display().to_string();
    let bytes = fs::read(&args.file).with_context(name)?;
    let mut object = CheckObject::default();
    let book = if is_packed(&bytes) {
        outflank_book::unpack(&bytes).with_context(name)?
    } else {
        let file = BookFile::open(bytes.as_slice()).with_context(name)?;
        object.problems = file.check().with_context(name)?;
        file.load().with_context(name)?
    };
    object.positions = book.len() as u64;
    let facts = book::proved_facts(&book, args.solve, args.seed);
    if !facts.is_empty() {
        let stop = ending::stop_on_request()?;
        let mut engine = Engine::with(EngineConfig::default())?;
        for (board, square, said) in facts {
            if stop.is_stopped() {
                break;
            }
            let after = board.play(square.into())?;
            let control = Control::new(stop.clone(), system_clock(), None, None);
            let solved = engine.solve(after, SolverGoal::Exact, &control);
            if solved.verdict != Verdict::Exact {
                break;
            }
            object.solved += 1;
            let value = -solved.value.get();
            if value != said {
                let board = board_text(board);
                object
                    .problems
                    .push(format!("{board}: {square} is worth {value:+}, not {said:+}"));
            }
        }
    }
    if args.json {
        output::object(&object)?;
    } else {
        output::line(&text::book::checked(&object))?;
    }
    Ok(if object.problems.is_empty() {
        Status::Success
    } else {
        Status::CheckFailed
    })
}

/// Returns the 64 squares of a board and its side.
fn board_text(board: Board) -> String {
    format!("{} X", outflank_book::exchange::json::board_text(board))
}
