//! `outflank gtp`, `nboard`, `ugi`, `cassio`, `xboard`, `botzone`: the engine for other people's programs.
//!
//! One thread reads commands, one searches, and this one talks: so commands are heard while the engine thinks, and a
//! request to stop is passed on at once. What is said when is the business of `outflank_protocol`.

use crate::{
    engine::{DefaultEvaluator, Resources, parse_seconds},
    output::{self, Status, is_broken_pipe},
};
use outflank_othello_engine::{Engine, Level, Outcome, Progress, Request};
use outflank_protocol::{
    Action, BotzoneEngine, CassioEngine, Dialogue, GtpEngine, NBoardEngine, Session, Task, UgiEngine,
    XboardEngine,
};
use outflank_search::{Limits, StopToken};
use std::{
    io::{self, BufRead as _, Read as _},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::Duration,
};

/// Bytes of a command line beyond which it is cut in two.
const MAX_LINE: u64 = 1 << 20;
/// The level of an engine that is not told how strong to play.
const DEFAULT_LEVEL: u32 = 10;

#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    outflank gtp --level 12\n  \
    outflank nboard --threads 2 --hash 256\n  \
    gogui-twogtp -black \"outflank gtp --depth 8\" -white \"gtp-rhino -l 3\" -size 8\n  \
    outflank match \"external: outflank gtp --depth 4\" \"depth 4\" --games 20")]
pub(crate) struct Args {
    /// Strength level, 1 to 60.
    #[arg(long, value_name = "N", value_parser = level, group = "strength")]
    level: Option<Level>,
    /// Discs ahead.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60), group = "strength")]
    depth: Option<u32>,
    /// Seconds for each move.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, group = "strength")]
    time: Option<Duration>,
    /// Positions for each move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), group = "strength")]
    nodes: Option<u64>,
    #[command(flatten)]
    resources: Resources,
}

/// The options of `outflank botzone`.
#[derive(clap::Args, Debug)]
pub(crate) struct BotzoneArgs {
    #[command(flatten)]
    args: Args,
    /// Ask to be kept running, instead of ending after one answer.
    #[arg(long)]
    keep_running: bool,
}

fn level(text: &str) -> Result<Level, String> {
    let number = text.parse().map_err(|_| "not a number".to_owned())?;
    Level::new(number).map_err(|error| error.to_string())
}

impl Args {
    /// The request for a move if the other program sets no limit.
    fn strength(&self) -> anyhow::Result<Request> {
        if let Some(level) = self.level {
            return Ok(Request::level(level));
        }
        if self.is_default() {
            return Ok(Request::level(Level::new(DEFAULT_LEVEL)?));
        }
        Ok(Request::limited(Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time,
        }))
    }

    const fn is_default(&self) -> bool {
        self.level.is_none() && self.depth.is_none() && self.nodes.is_none() && self.time.is_none()
    }

    /// The request within which a clock of the other program is used: what was asked for here, and nothing else.
    fn timed(&self) -> anyhow::Result<Request> {
        if self.is_default() {
            Ok(Request::default())
        } else {
            self.strength()
        }
    }
}

pub(crate) fn gtp(args: &Args) -> anyhow::Result<Status> {
    serve(GtpEngine::new(args.strength()?, args.timed()?), args)
}

pub(crate) fn nboard(args: &Args) -> anyhow::Result<Status> {
    serve(NBoardEngine::new(args.strength()?), args)
}

pub(crate) fn ugi(args: &Args) -> anyhow::Result<Status> {
    serve(UgiEngine::new(args.strength()?), args)
}

pub(crate) fn cassio(args: &Args) -> anyhow::Result<Status> {
    serve(CassioEngine::new(), args)
}

pub(crate) fn xboard(args: &Args) -> anyhow::Result<Status> {
    serve(XboardEngine::new(args.strength()?), args)
}

pub(crate) fn botzone(args: &BotzoneArgs) -> anyhow::Result<Status> {
    let mut strength = args.args.strength()?;
    if args.args.is_default() {
        // Botzone allows about a second.
        strength = Request::time(Duration::from_millis(700));
    }
    serve(BotzoneEngine::new(strength, args.keep_running), &args.args)
}

/// What the threads tell the one that talks.
enum Event {
    Line(String),
    InputEnded,
    Progress(Progress),
    Finished(Outcome),
}

/// What the engine's thread is told.
enum Job {
    Search(Box<Task>, StopToken),
    Forget,
}

/// Carries a dialogue on until it is over.
fn serve(dialogue: impl Dialogue, args: &Args) -> anyhow::Result<Status> {
    let engine = args.resources.engine()?;
    let (events, inbox) = channel();
    let (jobs, work) = channel();
    let from_engine = events.clone();
    let thinker = thread::spawn(move || think(engine, &work, &from_engine));
    thread::spawn(move || listen(&events));
    let talk = talk(Session::new(dialogue), &inbox, &jobs);
    // The engine has been stopped, or has nothing to do.
    drop(jobs);
    drop(inbox);
    if thinker.join().is_err() {
        anyhow::bail!("the search has failed; please report this with the commands that led to it");
    }
    match talk {
        // Whoever talked to us is gone.
        Err(error) if is_broken_pipe(&error) => Ok(Status::Success),
        other => other.map(|()| Status::Success),
    }
}

fn talk(
    mut session: Session<impl Dialogue>,
    inbox: &Receiver<Event>,
    jobs: &Sender<Job>,
) -> anyhow::Result<()> {
    let mut stop = StopToken::new();
    // The engine's thread lives as long as this function: nothing that is sent to it can get lost.
    let send = |job: Job| {
        jobs.send(job)
            .map_err(|_| anyhow::anyhow!("the search has ended unexpectedly"))
    };
    for event in inbox {
        let actions = match event {
            Event::Line(line) => session.line(&line),
            Event::InputEnded => session.input_ended(),
            Event::Progress(news) => session.progress(&news),
            Event::Finished(outcome) => session.finished(&outcome),
        };
        for action in actions {
            match action {
                Action::Write(text) => {
                    if let Err(error) = output::line(&text) {
                        stop.stop();
                        return Err(error);
                    }
                }
                Action::Search(task) => {
                    stop = StopToken::new();
                    send(Job::Search(task, stop.clone()))?;
                }
                Action::Stop => stop.stop(),
                Action::Forget => send(Job::Forget)?,
                Action::Quit => {
                    stop.stop();
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Searches, one job after the other.
fn think(mut engine: Engine<DefaultEvaluator>, work: &Receiver<Job>, events: &Sender<Event>) {
    for job in work {
        match job {
            Job::Forget => engine.clear(),
            Job::Search(task, stop) => {
                let outcome = engine.search(&task.position, &task.request, &stop, &mut |news| {
                    // Nobody listens any more after the end of the dialogue.
                    let _unheard = events.send(Event::Progress(news.clone()));
                });
                let _unheard = events.send(Event::Finished(outcome));
            }
        }
    }
}

/// Reads lines until there are no more, or nobody wants them.
fn listen(events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let mut bytes = Vec::new();
        match input.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_end_matches(['\n', '\r']);
        if events.send(Event::Line(line.to_owned())).is_err() {
            return;
        }
    }
    let _unheard = events.send(Event::InputEnded);
}
