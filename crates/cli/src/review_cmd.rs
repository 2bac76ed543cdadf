//! `outflank review`: every move of a game judged.

use crate::{
    engine::system_clock,
    options::{ModelArg, parse_level, parse_seconds},
};
use anyhow::Context;
use outflank_api::review::{MoveObject, ReviewSummary, record};
use outflank_eval::Patterns;
use outflank_othello::Color;
use outflank_records::{GameRecord, Item, MoveNote, ggf};
use outflank_search::{Level, StopToken, Verdict};
use outflank_study::review::{self, BLUNDER, DUBIOUS, Judge, MISTAKE, PHASES, Review, ReviewOptions};
use outflank_terminal::{
    input::{self, Source},
    output::{self, Status},
    text::{opening_text, signed},
};
use std::{
    fmt::Write as _,
    io::{IsTerminal as _, Write as _},
    num::NonZeroUsize,
    path::PathBuf,
    sync::Arc,
    thread,
    time::Duration,
};

/// Judge every move of games: what it was worth, what was better, and what it has cost.
///
/// Values are in discs for the player who made the move. Loss from 2 discs is marked ?!, from 4 ?, from 8 ??; a loss is
/// exact where it says so, else an estimate of the level. Of a game with a wrong move the moves before it are judged.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank review game.ggf\n  \
    outflank review f5d6c3d3c4f4f6f3e6e7 --level 14\n  \
    outflank review game.ggf --svg graph.svg --ggf annotated.ggf\n  \
    outflank review games.ggf --json --budget 10\n\
    Exit code 1 if Ctrl-C cut the work short.")]
pub(crate) struct Args {
    /// Games, or files of games, in any notation; `-` reads standard input.
    #[arg(required = true, value_name = "GAME")]
    input: Vec<String>,
    /// Strength of every search, 1 to 60.
    #[arg(long, default_value = "12", value_parser = parse_level)]
    level: Level,
    /// Positions searched at the same time; all processors by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    model: ModelArg,
    /// Seconds for each game.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    budget: Option<Duration>,
    /// Write the graph of the (last) game to this file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the games with values and marks to this file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    ggf: Option<PathBuf>,
    /// Print one JSON object per move, then a summary per game.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let workers = match args.threads {
        Some(threads) => NonZeroUsize::new(usize::from(threads)),
        None => thread::available_parallelism().ok(),
    };
    let workers = workers.unwrap_or(NonZeroUsize::MIN);
    let options = ReviewOptions {
        level: args.level,
        workers,
        budget: args.budget,
    };
    let stop = StopToken::new();
    let handler = stop.clone();
    ctrlc::set_handler(move || handler.stop()).context("cannot watch for Ctrl-C")?;
    let clock = system_clock();
    let model = args.model.load()?;
    let judge = Judge {
        evaluator: Arc::new(Patterns::new(&model.weights)),
        probcut: Arc::new(model.probcut),
    };
    let mut annotated = String::new();
    let mut svg = None;
    let mut number = 0;
    let review_item = |item: Item, stopped: Option<&str>| {
        if stop.is_stopped() {
            return Ok(());
        }
        number += 1;
        let record = record(item);
        let mut progress = Progress::new(number);
        let found = review::review_by(&judge, &record.game, &options, &clock, &stop, &mut |done, of| {
            progress.show(done, of);
        })?;
        progress.clear();
        let title = title(&record, number);
        if args.json {
            for reviewed in &found.moves {
                output::object(&MoveObject::new(number, reviewed))?;
            }
            output::object(&ReviewSummary::new(number, &record, &found, stopped))?;
        } else {
            output::write_all(text(&title, &record, &found, stopped).as_bytes())?;
        }
        annotated.push_str(&ggf::write(&annotate(&record, &found)));
        annotated.push('\n');
        svg = Some(review::svg(&found, &title));
        Ok(())
    };
    let tally = input::for_each_part(&Source::from_args(&args.input)?, review_item, true)?;
    if let Some(path) = &args.ggf {
        output::file(path, annotated.as_bytes())?;
    }
    if let (Some(path), Some(svg)) = (&args.svg, svg) {
        output::file(path, svg.as_bytes())?;
    }
    Ok(match tally.status() {
        Status::Success if stop.is_stopped() => Status::CheckFailed,
        status => status,
    })
}

/// A line on a terminal that says how far the work is.
struct Progress {
    number: usize,
    terminal: bool,
}

impl Progress {
    fn new(number: usize) -> Self {
        Self {
            number,
            terminal: std::io::stderr().is_terminal(),
        }
    }

    fn show(&self, done: usize, of: usize) {
        if self.terminal {
            // A terminal that is gone is no reason to stop.
            let _lost = write!(
                std::io::stderr(),
                "\rgame {}: {done} of {of} positions ",
                self.number
            );
        }
    }

    fn clear(&mut self) {
        if self.terminal {
            let _lost = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

fn title(record: &GameRecord, number: usize) -> String {
    match (record.tag("PB"), record.tag("PW")) {
        (Some(black), Some(white)) => format!("{black} – {white}"),
        _ => format!("Game {number}"),
    }
}

/// The review in 80 columns: opening, moves, totals, graph.
fn text(title: &str, record: &GameRecord, found: &Review, stopped: Option<&str>) -> String {
    let mut text = String::new();
    let mut add = |line: String| {
        text.push_str(line.trim_end());
        text.push('\n');
    };
    add(title.to_owned());
    if let Some(opening) = &found.opening {
        add(format!(
            "Opening: {}, after {} moves",
            opening_text(*opening),
            opening.moves
        ));
    }
    if let Some(reason) = stopped {
        let n_moves = found.game.moves().len();
        add(format!(
            "Reviewed up to move {n_moves}; what follows is no legal move: {reason}"
        ));
    }
    match found.game.result() {
        Some(result) => add(format!("Result: {} for black", result.discs)),
        None => add("The game is not finished.".to_owned()),
    }
    if let Some(stated) = record.tag("RE").filter(|_| found.game.result().is_none()) {
        add(format!("Stated result: {stated}"));
    }
    if !found.complete {
        add("Searches were cut short: the values are less deep than the level asks for.".to_owned());
    }
    add(String::new());
    add("  #    move        value   best  value    loss".to_owned());
    for reviewed in &found.moves {
        let (mark, loss) = if reviewed.forced {
            ("", "forced".to_owned())
        } else if reviewed.loss > 0.0 {
            let loss = format!("{:.1}{}", reviewed.loss, if reviewed.exact { "" } else { " ~" });
            (reviewed.mark().symbol(), loss)
        } else {
            ("", String::new())
        };
        let better = if reviewed.best == reviewed.mv {
            (String::new(), String::new())
        } else {
            (reviewed.best.to_string(), signed(reviewed.best_value.discs))
        };
        add(format!(
            "{:>3} {} {:<4} {mark:<2}  {:>7}{} {:>6} {:>6}  {loss:>8}",
            reviewed.number,
            reviewed.color.symbol(),
            reviewed.mv.to_string(),
            signed(reviewed.value.discs),
            if reviewed.value.verdict == Verdict::Exact {
                "="
            } else {
                " "
            },
            better.0,
            better.1,
        ));
    }
    add(String::new());
    add(format!(
        "player   loss  a move   {}    ?!    ?   ??",
        PHASES.map(|phase| format!("{phase:>8}")).join(" ")
    ));
    for color in [Color::Black, Color::White] {
        let totals = found.totals(color);
        let [dubious, mistakes, blunders] = totals.marks;
        add(format!(
            "{:<6} {:>6.1}  {:>6.2}   {}  {dubious:>4} {mistakes:>4} {blunders:>4}",
            color.to_string(),
            totals.loss,
            totals.loss / totals.moves.max(1) as f64,
            totals.by_phase.map(|loss| format!("{loss:>8.1}")).join(" "),
        ));
    }
    add(format!(
        "= exact, ~ estimate; ?! from {DUBIOUS} discs, ? from {MISTAKE}, ?? from {BLUNDER}"
    ));
    add(String::new());
    add("Black's value after each move:".to_owned());
    add(review::text_graph(found, 80, 15));
    text
}

/// The game with the value of every move, and the marks in a comment.
fn annotate(record: &GameRecord, found: &Review) -> GameRecord {
    let mut annotated = record.clone();
    annotated.notes.resize(found.moves.len(), MoveNote::default());
    let mut comment = String::from("reviewed by Outflank:");
    for (note, reviewed) in annotated.notes.iter_mut().zip(&found.moves) {
        note.eval = format!("{:.2}", reviewed.value.discs);
        if reviewed.mark() != review::Mark::Good {
            write!(
                comment,
                " {}. {}{} ({} {:.1} better)",
                reviewed.number,
                reviewed.mv,
                reviewed.mark().symbol(),
                reviewed.best,
                reviewed.loss
            )
            .expect("a string takes every text");
        }
    }
    annotated.add_tag("CO", comment);
    annotated
}
