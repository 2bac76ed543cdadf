//! `outflank gomocup`: the engine behind the Gomocup protocol, on standard input and output.
//!
//! One thread reads lines, one thinks; the main thread owns the state of the dialogue and is never busy for long, so
//! that a stop, `INFO` and the end of the input are seen while the engine thinks.

use super::book::table;
use crate::input::listen;
use crate::output::{self, Status};
use outflank_gomoku::Point;
use outflank_gomoku_engine::{Engine, EngineConfig, OpeningTable, Outcome, Value};
use outflank_protocol::{GomocupBrain, Reaction, Thinking, Wish};
use outflank_search::StopToken;
use std::{
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{self, Sender},
    },
    thread,
};

/// Speak the Gomocup (Piskvork) protocol, for tournament managers and graphical boards.
///
/// A copy of the program called `pbrain-outflank` does this when started without arguments.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  printf 'START 15\\nBEGIN\\n' | outflank gomocup")]
pub(crate) struct Args {
    /// Report every iteration in a MESSAGE line.
    #[arg(long)]
    verbose: bool,
    /// Table size in MB; less if the manager allows less memory.
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=1 << 16))]
    hash: u64,
    /// Threads that search one position; `INFO thread_num` changes it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// An opening table to play from, instead of the one that is built in.
    #[arg(long, value_name = "FILE", conflicts_with = "no_book")]
    book: Option<PathBuf>,
    /// Play without an opening table.
    #[arg(long)]
    no_book: bool,
}

/// What the main thread waits for.
enum Input {
    Line(String),
    /// Standard input has ended.
    Closed,
    /// The engine has finished: its thread gives the engine back.
    Thought(Box<Thought>),
    Message(String),
}

/// What the engine has thought.
struct Thought {
    engine: Engine,
    moves: Vec<Point>,
    /// The position is good for the side to move.
    is_good: bool,
}

/// Memory beside the table: board copies, the tables of the rule sets, the cache of forced wins.
const OTHER_BYTES: u64 = 60 << 20;
/// Memory of a helping thread.
const HELPER_BYTES: u64 = 10 << 20;

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Status> {
    let about = format!(
        "name=\"Outflank\", version=\"{}\", author=\"The Outflank founders\", country=\"EU\"",
        env!("CARGO_PKG_VERSION")
    );
    let (sender, inputs) = mpsc::channel();
    let from_input = sender.clone();
    thread::spawn(move || {
        listen(|line| from_input.send(line.map_or(Input::Closed, Input::Line)).is_ok());
    });
    let mut session = Session {
        brain: GomocupBrain::new(&about),
        book: (!args.no_book)
            .then(|| table(args.book.as_deref()))
            .transpose()?
            .map(Arc::new),
        engine: None,
        engine_bytes: 0,
        table_bytes: args.hash << 20,
        threads: usize::from(args.threads),
        stop: StopToken::new(),
        sender,
        verbose: args.verbose,
    };
    let mut closed = false;
    while let Ok(input) = inputs.recv() {
        let reactions = match input {
            Input::Line(line) => session.brain.feed(&line),
            Input::Message(text) => vec![Reaction::Say(text)],
            Input::Closed if session.brain.is_thinking() => {
                // Nobody will read the answer, but a pipe that was closed early may still want it: end soon.
                closed = true;
                session.stop.stop();
                Vec::new()
            }
            Input::Closed => return Ok(Status::Success),
            Input::Thought(thought) => {
                // If the manager has allowed less memory meanwhile, the next move gets a new engine.
                session.engine = (session.engine_bytes <= session.table_bytes).then_some(thought.engine);
                session.brain.thought(&thought.moves, thought.is_good)
            }
        };
        for reaction in reactions {
            if session.act(reaction)? {
                return Ok(Status::Success);
            }
        }
        if closed {
            session.stop.stop();
            if !session.brain.is_thinking() {
                return Ok(Status::Success);
            }
        }
    }
    Ok(Status::Success)
}

/// The dialogue with the engine.
struct Session {
    brain: GomocupBrain,
    /// At home while it does not think.
    engine: Option<Engine>,
    /// Memory of that engine's table in bytes.
    engine_bytes: u64,
    /// Memory that a table may take in bytes.
    table_bytes: u64,
    threads: usize,
    book: Option<Arc<OpeningTable>>,
    stop: StopToken,
    sender: Sender<Input>,
    verbose: bool,
}

impl Session {
    /// Does what the brain wants; returns whether the program must end.
    fn act(&mut self, reaction: Reaction) -> anyhow::Result<bool> {
        match reaction {
            Reaction::Say(text) => output::line(&text)?,
            Reaction::Stop => self.stop.stop(),
            Reaction::Quit => return Ok(true),
            Reaction::Forget => {
                if let Some(engine) = &mut self.engine {
                    engine.clear();
                }
            }
            Reaction::Memory(bytes) => {
                let others = OTHER_BYTES + (self.threads as u64 - 1) * HELPER_BYTES;
                let allowed = bytes.saturating_sub(others).max(1 << 20);
                if allowed < self.table_bytes {
                    self.table_bytes = allowed;
                    self.engine = None;
                }
            }
            Reaction::Threads(threads) => self.threads = threads as usize,
            Reaction::Think(thinking) => self.think(*thinking)?,
        }
        Ok(false)
    }

    fn think(&mut self, thinking: Thinking) -> anyhow::Result<()> {
        let mut engine = if let Some(engine) = self.engine.take() {
            engine
        } else {
            let table_bytes = usize::try_from(self.table_bytes)?;
            let mut engine = Engine::with(EngineConfig {
                table_bytes,
                ..EngineConfig::default()
            })?;
            engine.set_book(self.book.clone());
            self.engine_bytes = self.table_bytes;
            engine
        };
        engine.set_threads(self.threads);
        self.stop = StopToken::new();
        let (stop, sender) = (self.stop.clone(), self.sender.clone());
        let verbose = self.verbose;
        thread::spawn(move || {
            let show = verbose || matches!(thinking.wish, Wish::NBest(2..));
            let outcome = engine.search(&thinking.request, &stop, &mut |news| {
                if show {
                    drop(sender.send(Input::Message(message(&news.line, news.nodes))));
                }
            });
            let (moves, is_good) = choose(&thinking, &outcome);
            let thought = Thought {
                engine,
                moves,
                is_good,
            };
            drop(sender.send(Input::Thought(Box::new(thought))));
        });
        Ok(())
    }
}

fn message(line: &outflank_gomoku_engine::Line, nodes: u64) -> String {
    let moves: Vec<String> = line.moves.iter().map(Point::to_string).collect();
    format!(
        "MESSAGE depth {} value {} nodes {nodes} pv {}",
        line.verdict.depth().unwrap_or(0),
        line.value,
        moves.join(" ")
    )
}

/// Returns the moves to answer with, and whether the position is good for the side to move.
fn choose(thinking: &Thinking, outcome: &Outcome) -> (Vec<Point>, bool) {
    let probability = outcome
        .lines
        .first()
        .map_or(0.5, |line| line.value.win_probability());
    if let Wish::Balance(n_moves) = thinking.wish {
        let even = |value: Value| (value.win_probability() - 0.5).abs();
        let line = outcome
            .lines
            .iter()
            .min_by(|a, b| even(a.value).total_cmp(&even(b.value)));
        let moves = line.map(|line| line.moves.iter().copied().take(n_moves as usize).collect());
        return (moves.unwrap_or_default(), true);
    }
    (outcome.best_move().into_iter().collect(), probability >= 0.5)
}
