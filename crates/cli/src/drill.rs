//! `outflank drill`: puzzles and openings, asked again at growing intervals.

use crate::puzzles::{FilterArgs, puzzles};
use anyhow::Context as _;
use clap::{Subcommand, ValueEnum};
use outflank_game::SplitMix64;
use outflank_othello::{Color, Game};
use outflank_study::{
    book::Shelf,
    drill::{Card, Scope, from_book},
    opening::parse_discs,
    tree::{self, repertoire},
};
use outflank_terminal::{
    drill::{self, Manner},
    output::Status,
    play,
};
use std::{
    fs,
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

/// Learn puzzles and openings by repetition: after 1, 3, 7, 21 and 60 days.
///
/// A right answer puts a card off to the next interval, a wrong one to tomorrow. Every answer is one line of a file, by
/// default `$XDG_DATA_HOME/outflank/drill.jsonl` or `~/.local/share/outflank/drill.jsonl`; the lines of two devices may simply
/// be put together. Answers are read from standard input, one a line: a square, `?` to give up, `q` to end.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Puzzles(PuzzlesArgs),
    Openings(OpeningsArgs),
}

/// What both kinds have.
#[derive(clap::Args, Debug)]
struct Session {
    /// Cards to ask at most.
    #[arg(long, value_name = "N", default_value_t = 20)]
    count: usize,
    /// New cards among them at most.
    #[arg(long, value_name = "N", default_value_t = 10)]
    new: usize,
    /// The file of answers.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// The day, counted from 1970-01-01, instead of today.
    #[arg(long, value_name = "N")]
    day: Option<i64>,
    /// Print one JSON object a question and an answer.
    #[arg(long)]
    json: bool,
}

/// Find the best move in endgames.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank drill puzzles\n  \
    outflank drill puzzles --theme parity --max-wrong 60 --count 5\n  \
    outflank drill puzzles mine.tsv --new 3\n  \
    printf 'a1\\n?\\n' | outflank drill puzzles --json --state answers.jsonl")]
struct PuzzlesArgs {
    /// A file of puzzles, as `puzzles make` and `review --puzzles` write it; those inside the program if none is named.
    file: Option<PathBuf>,
    #[command(flatten)]
    filter: FilterArgs,
    /// What new puzzles are shuffled with; their order in the file if left out.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    session: Session,
}

/// Find the moves of a repertoire: an SGF tree of what one side plays against all that the other may, or a book.
///
/// From a book one's own moves are its best ones, and the other side plays what people play, if the book counts games, or
/// else any good move. The likeliest positions come first.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank drill openings repertoire.sgf --side black\n  \
    outflank drill openings repertoire.sgf --side white --new 5 --json\n  \
    outflank drill openings --book my.ofb --side black\n  \
    outflank drill openings --book my.ofb --side white --from tiger --accept 0.5 --until 24")]
struct OpeningsArgs {
    /// The tree; every branch of one's own side is an answer, the first is the main one.
    #[arg(required_unless_present = "book", conflicts_with = "book")]
    file: Option<PathBuf>,
    /// Whose moves are asked.
    #[arg(long, value_enum)]
    side: Side,
    /// Take the repertoire from this book.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// With --book: begin after these moves, or this opening.
    #[arg(long, value_name = "MOVES", requires = "book")]
    from: Option<String>,
    /// With --book: an answer is right if it loses at most so many discs.
    #[arg(long, value_name = "DISCS", default_value = "1", value_parser = parse_discs)]
    accept: i32,
    /// With --book: the other side plays moves that lose at most so many discs, where the book counts no games.
    #[arg(long, value_name = "DISCS", default_value = "2", value_parser = parse_discs)]
    expect: i32,
    /// With --book: ask positions that at least one game in N gets to.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    reach: u32,
    /// With --book: nothing is asked from so many discs on.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(4..=64))]
    until: u32,
    #[command(flatten)]
    session: Session,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    Black,
    White,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let (cards, session) = match &args.command {
        Command::Puzzles(args) => {
            let all = puzzles(args.file.as_deref())?;
            let wanted = args.filter.filter().apply(&all)?;
            let mut cards: Vec<Card> = wanted.into_iter().cloned().map(Card::Puzzle).collect();
            if let Some(seed) = args.seed {
                let mut random = SplitMix64::new(seed);
                for at in (1..cards.len()).rev() {
                    cards.swap(at, random.below(at + 1));
                }
            }
            (cards, &args.session)
        }
        Command::Openings(args) => (args.cards()?, &args.session),
    };
    let state = session.state.clone().map_or_else(drill::usual_state, Ok)?;
    let manner = Manner {
        state: &state,
        day: session.day.unwrap_or_else(today),
        count: session.count,
        new: session.new,
        json: session.json,
    };
    drill::run(&cards, &manner)
}

impl OpeningsArgs {
    /// Returns the positions in which the side has to know a move.
    fn cards(&self) -> anyhow::Result<Vec<Card>> {
        let side = match self.side {
            Side::Black => Color::Black,
            Side::White => Color::White,
        };
        let (path, cards) = match (&self.book, &self.file) {
            (Some(path), _) => {
                let scope = Scope {
                    accepted: self.accept,
                    expected: self.expect,
                    reach: 1.0 / f64::from(self.reach),
                    until: self.until,
                    ..Scope::of(side)
                };
                let start = self.from.as_deref().map(play::load).transpose()?;
                let start = start.map_or_else(Game::new, |record| record.game);
                let cards = from_book(&Shelf::open(path)?, &start, &scope);
                (path, cards.with_context(|| path.display().to_string())?)
            }
            (None, Some(path)) => {
                let name = || path.display().to_string();
                let text = fs::read_to_string(path).with_context(name)?;
                let mut cards = Vec::new();
                for (_, tree) in tree::sgf::parse_all(&text) {
                    cards.extend(repertoire(&tree.with_context(name)?.value, side));
                }
                (path, cards)
            }
            (None, None) => anyhow::bail!("name a tree, or a book with --book"),
        };
        anyhow::ensure!(
            !cards.is_empty(),
            "{}: no {} with moves of this side",
            path.display(),
            if self.book.is_some() { "position" } else { "tree" }
        );
        Ok(cards.into_iter().map(Card::Opening).collect())
    }
}

/// Returns the day of now, counted from 1970-01-01.
fn today() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_secs() / 86_400) as i64
}
