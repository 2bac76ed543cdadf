//! `outflank gtp`, `nboard`, `ugi`, `cassio`, `xboard`, `botzone`: the engine for other people's programs.
//!
//! One thread reads commands, one searches, and this one talks: so commands are heard while the engine thinks, and a
//! request to stop is passed on at once. What is said when is the business of `outflank_protocol`.

use crate::{
    engine::system_clock,
    input::listen,
    options::{LimitArgs, Resources, parse_level, parse_overhead},
    output::{self, Status, is_broken_pipe},
};
use clap::ArgGroup;
use outflank_api::worker::{News, Worker};
use outflank_eval::Score;
use outflank_othello::Position;
use outflank_othello_engine::Request;
use outflank_protocol::{
    Action, BotzoneEngine, CassioEngine, Dialogue, GtpEngine, NBoardEngine, Options, Session, Setting,
    UgiEngine, XboardEngine,
};
use outflank_search::{Engine, Level, Limits};
use std::{
    collections::VecDeque,
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
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
    outflank match \"external: outflank gtp --depth 4\" \"depth 4\" --games 20",
    group = ArgGroup::new("strength").args(["level", "depth", "time", "nodes"]))]
pub(crate) struct Args {
    /// Strength level, 1 to 60.
    #[arg(long, value_name = "N", value_parser = parse_level)]
    level: Option<Level>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Time kept back from every limit of time, in milliseconds.
    #[arg(long, value_name = "MS", default_value = "10", value_parser = parse_overhead)]
    overhead: Duration,
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
        Ok(Request::default().limits(self.limits.limits()))
    }

    /// What the other program may change.
    const fn options(&self) -> Options {
        Options {
            table_bytes: self.resources.hash << 20,
            most_bytes: None,
            threads: self.resources.threads as u32,
            reserve: self.overhead,
        }
    }

    fn is_default(&self) -> bool {
        self.level.is_none() && self.limits.limits() == Limits::default()
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
    let dialogue = GtpEngine::new(args.strength()?, args.timed()?);
    serve(dialogue.with_files(open).with_options(args.options()), args)
}

pub(crate) fn nboard(args: &Args) -> anyhow::Result<Status> {
    serve(NBoardEngine::new(args.strength()?), args)
}

pub(crate) fn ugi(args: &Args) -> anyhow::Result<Status> {
    serve(
        UgiEngine::new(args.strength()?).with_options(args.options()),
        args,
    )
}

pub(crate) fn cassio(args: &Args) -> anyhow::Result<Status> {
    serve(CassioEngine::new(), args)
}

pub(crate) fn xboard(args: &Args) -> anyhow::Result<Status> {
    serve(
        XboardEngine::new(args.strength()?).with_options(args.options()),
        args,
    )
}

pub(crate) fn botzone(args: &BotzoneArgs) -> anyhow::Result<Status> {
    let mut strength = args.args.strength()?;
    if args.args.is_default() {
        // Botzone allows about a second.
        strength = Request::default().time(Duration::from_millis(700));
    }
    serve(BotzoneEngine::new(strength, args.keep_running), &args.args)
}

fn serve(dialogue: impl Dialogue<Game = Position, Value = Score>, args: &Args) -> anyhow::Result<Status> {
    converse(dialogue, args.options(), true, |options| {
        let resources = Resources {
            threads: u16::try_from(options.threads)?,
            hash: options.table_bytes >> 20,
            model: args.resources.model.clone(),
        };
        resources.engine()
    })
}

/// What the threads tell the one that talks.
enum Event<E: Engine> {
    /// A line, and when it came.
    Line(String, Duration),
    InputEnded,
    News(News<E>),
}

/// Carries a dialogue on until it is over, with an engine that `make` makes, and makes anew when the other side sets
/// other options.
///
/// The engine is there before the first command if it is `eager`, else when it is first needed: the other side may have
/// limited its memory by then.
pub(crate) fn converse<D, E>(
    dialogue: D,
    options: Options,
    eager: bool,
    make: impl Fn(&Options) -> anyhow::Result<E>,
) -> anyhow::Result<Status>
where
    D: Dialogue<Game = E::Game, Value = E::Value>,
    E: Engine + 'static,
{
    let (events, inbox) = channel();
    // What making the engine costs is no time of the other side's.
    let clock = system_clock();
    let session = Session::new(dialogue, Arc::clone(&clock)).with_reserve(options.reserve);
    let mut mind = Mind {
        make,
        options,
        events: events.clone(),
        thinker: None,
    };
    thread::spawn(move || {
        listen(|line| {
            let event = line.map_or(Event::InputEnded, |line| Event::Line(line, clock.now()));
            events.send(event).is_ok()
        });
    });
    if eager {
        mind.start(options)?;
    }
    let talk = talk(session, &inbox, &mut mind);
    mind.end()?;
    match talk {
        // Whoever talked to us is gone.
        Err(error) if is_broken_pipe(&error) => Ok(Status::Success),
        other => other.map(|()| Status::Success),
    }
}

/// The engine behind a dialogue, as large as the other side wants it.
struct Mind<E: Engine, F> {
    make: F,
    options: Options,
    events: Sender<Event<E>>,
    /// `None` until the engine is needed.
    thinker: Option<Worker<E>>,
}

impl<E: Engine + 'static, F: Fn(&Options) -> anyhow::Result<E>> Mind<E, F> {
    fn start(&mut self, options: Options) -> anyhow::Result<&mut Worker<E>> {
        let events = self.events.clone();
        let thinker = Worker::start((self.make)(&options)?, move |news| {
            // Nobody listens any more after the end of the dialogue.
            let _unheard = events.send(Event::News(news));
        });
        self.options = options;
        Ok(self.thinker.insert(thinker))
    }

    /// Returns the engine's thread.
    fn thinker(&mut self) -> anyhow::Result<&mut Worker<E>> {
        match self.thinker {
            Some(ref mut thinker) => Ok(thinker),
            None => self.start(self.options),
        }
    }

    /// Sets an option while no search runs; returns why it cannot be, everything being as before.
    fn configure(&mut self, setting: Setting) -> anyhow::Result<Option<anyhow::Error>> {
        let before = self.options;
        let mut wanted = before;
        wanted.set(setting);
        if wanted == before {
            return Ok(None);
        }
        // The old engine goes first: there may be no room for two.
        self.end()?;
        if let Err(trouble) = self.start(wanted) {
            self.start(before)?;
            return Ok(Some(trouble));
        }
        Ok(None)
    }

    /// Ends the engine's thread.
    fn end(&mut self) -> anyhow::Result<()> {
        Ok(self.thinker.take().map_or(Ok(()), Worker::end)?)
    }
}

fn talk<D, E>(
    mut session: Session<D>,
    inbox: &Receiver<Event<E>>,
    mind: &mut Mind<E, impl Fn(&Options) -> anyhow::Result<E>>,
) -> anyhow::Result<()>
where
    D: Dialogue<Game = E::Game, Value = E::Value>,
    E: Engine + 'static,
{
    for event in inbox {
        let actions = match event {
            Event::Line(line, arrived) => session.line_from(&line, arrived),
            Event::InputEnded => session.input_ended(),
            Event::News(News::Progress(news)) => session.progress(&news),
            Event::News(News::Finished(outcome)) => session.finished(&outcome),
            Event::News(News::Failed) => return Ok(()),
        };
        let mut actions = VecDeque::from(actions);
        while let Some(action) = actions.pop_front() {
            match action {
                Action::Write(text) => output::line(&text)?,
                Action::Search(request) => mind.thinker()?.search(*request)?,
                Action::Stop => mind.thinker()?.stop(),
                Action::Forget => mind.thinker()?.forget()?,
                Action::Suggest(suggestion) => {
                    mind.thinker()?.suggest(suggestion.position, suggestion.line)?;
                }
                Action::Configure(setting) => {
                    if let Some(trouble) = mind.configure(setting)? {
                        for action in session.complain(&trouble.to_string()).into_iter().rev() {
                            actions.push_front(action);
                        }
                    }
                }
                Action::Quit => return Ok(()),
            }
        }
    }
    Ok(())
}
