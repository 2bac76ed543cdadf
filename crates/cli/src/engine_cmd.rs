//! `outflank gtp`, `nboard`, `ugi`, `cassio`, `xboard`, `botzone`: the engine for other people's programs.
//!
//! One thread reads commands, one searches, and this one talks: so commands are heard while the engine thinks, and a
//! request to stop is passed on at once. What is said when is the business of `outflank_protocol`.

use crate::{
    engine::{Resources, parse_level, parse_seconds},
    input::listen,
    output::{self, Status, is_broken_pipe},
    thinker::{News, Thinker},
};
use outflank_othello_engine::Request;
use outflank_protocol::{
    Action, BotzoneEngine, CassioEngine, Dialogue, GtpEngine, NBoardEngine, Session, UgiEngine, XboardEngine,
};
use outflank_search::{Level, Limits};
use std::{
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

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
    #[arg(long, value_name = "N", value_parser = parse_level, group = "strength")]
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

impl Args {
    /// The request for a move if the other program sets no limit.
    fn strength(&self) -> anyhow::Result<Request> {
        if let Some(level) = self.level {
            return Ok(Request::default().level(level));
        }
        if self.is_default() {
            return Ok(Request::default().level(Level::new(DEFAULT_LEVEL)?));
        }
        Ok(Request::default().limits(Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time,
            ..Limits::default()
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
    let open = |name: &str| std::fs::read(name).map_err(|error| format!("{name}: {error}"));
    serve(
        GtpEngine::new(args.strength()?, args.timed()?).with_files(open),
        args,
    )
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
        strength = Request::default().time(Duration::from_millis(700));
    }
    serve(BotzoneEngine::new(strength, args.keep_running), &args.args)
}

/// What the threads tell the one that talks.
enum Event {
    Line(String),
    InputEnded,
    News(News),
}

/// Carries a dialogue on until it is over.
fn serve(dialogue: impl Dialogue, args: &Args) -> anyhow::Result<Status> {
    let (events, inbox) = channel();
    let from_engine = events.clone();
    let mut thinker = Thinker::start(args.resources.engine()?, move |news| {
        // Nobody listens any more after the end of the dialogue.
        let _unheard = from_engine.send(Event::News(news));
    });
    thread::spawn(move || listen(|line| events.send(line.map_or(Event::InputEnded, Event::Line)).is_ok()));
    let talk = talk(Session::new(dialogue), &inbox, &mut thinker);
    thinker.end()?;
    match talk {
        // Whoever talked to us is gone.
        Err(error) if is_broken_pipe(&error) => Ok(Status::Success),
        other => other.map(|()| Status::Success),
    }
}

fn talk(
    mut session: Session<impl Dialogue>,
    inbox: &Receiver<Event>,
    thinker: &mut Thinker,
) -> anyhow::Result<()> {
    for event in inbox {
        let actions = match event {
            Event::Line(line) => session.line(&line),
            Event::InputEnded => session.input_ended(),
            Event::News(News::Progress(news)) => session.progress(&news),
            Event::News(News::Finished(outcome)) => session.finished(&outcome),
            Event::News(News::Failed) => return Ok(()),
        };
        for action in actions {
            match action {
                Action::Write(text) => output::line(&text)?,
                Action::Search(request) => thinker.search(*request)?,
                Action::Stop => thinker.stop(),
                Action::Forget => thinker.forget()?,
                Action::Suggest(suggestion) => thinker.suggest(suggestion.position, suggestion.line)?,
                Action::Quit => return Ok(()),
            }
        }
    }
    Ok(())
}
