//! The engine's side of a dialogue over any pipe: one thread reads commands, one searches, and the caller's talks.
//!
//! So commands are heard while the engine thinks, and a request to stop is passed on at once. What is said when is the
//! business of `outflank_protocol`.
//!
//! Only where there are threads: this is not built for WebAssembly.

use crate::worker::{Failed, News, Worker};
use outflank_gomoku_engine::{EngineConfig, OpeningTable};
use outflank_protocol::{Action, Dialogue, Lines, Options, Session, Setting};
use outflank_search::{Clock, Engine, TableError};
use std::{
    collections::VecDeque,
    fmt,
    io::{self, BufRead, Write},
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

/// What the threads tell the one that talks.
enum Event<E: Engine> {
    /// A line, and when it came.
    Line(String, Duration),
    InputEnded,
    News(News<E>),
}

/// Where the other side's commands come from, and where what is said goes to.
pub struct Pipes<'a> {
    /// Read in a thread of its own, which ends with its input.
    pub input: Box<dyn BufRead + Send>,
    /// Flushed after every line.
    pub output: &'a mut dyn Write,
}

impl fmt::Debug for Pipes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipes").finish_non_exhaustive()
    }
}

/// Carries a dialogue on until it is over, with an engine that `make` makes, and makes anew when the other side sets
/// other options.
///
/// The engine is there before the first command if it is `eager`, else when it is first needed: the other side may have
/// limited its memory by then. That nobody reads the output any more is an end like another.
///
/// # Errors
///
/// Returns why there is no engine, why nothing can be written, or that the search has failed.
///
/// # Examples
///
/// ```
/// use outflank_api::dialogue::{Pipes, converse};
/// use outflank_othello_engine::{Engine, Request};
/// use outflank_protocol::{GtpEngine, Options};
/// use outflank_search::SystemClock;
///
/// let mut said = Vec::new();
/// let pipes = Pipes {
///     input: Box::new(&b"protocol_version\n7 quit\n"[..]),
///     output: &mut said,
/// };
/// let dialogue = GtpEngine::new(Request::default().depth(1), Request::default());
/// let make = |_: &Options| Ok::<_, Box<dyn std::error::Error>>(Engine::new()?);
/// converse(dialogue, pipes, SystemClock::shared(), Options::default(), false, make)?;
/// assert_eq!(said, b"= 2\n\n=7\n\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn converse<D, E, X>(
    dialogue: D,
    pipes: Pipes<'_>,
    clock: Arc<dyn Clock>,
    options: Options,
    eager: bool,
    make: impl Fn(&Options) -> Result<E, X>,
) -> Result<(), X>
where
    D: Dialogue<Game = E::Game, Value = E::Value>,
    E: Engine + 'static,
    X: fmt::Display + From<io::Error> + From<Failed>,
{
    let (events, inbox) = channel();
    let session = Session::new(dialogue, Arc::clone(&clock)).with_reserve(options.reserve);
    let mut mind = Mind {
        make,
        options,
        events: events.clone(),
        worker: None,
    };
    let Pipes { input, output } = pipes;
    thread::spawn(move || {
        listen(input, |line| {
            let event = line.map_or(Event::InputEnded, |line| Event::Line(line, clock.now()));
            events.send(event).is_ok()
        });
    });
    if eager {
        mind.start(options)?;
    }
    let talk = talk(session, &inbox, &mut mind, output);
    mind.end()?;
    talk
}

/// Hands the lines of `input` to `tell`, then `None`; until there are no more, or it returns `false`.
pub fn listen(mut input: impl BufRead, mut tell: impl FnMut(Option<String>) -> bool) {
    let mut lines = Lines::default();
    loop {
        let bytes = match input.fill_buf() {
            Ok([]) => break,
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let complete = lines.feed(bytes);
        let used = bytes.len();
        input.consume(used);
        if !complete.into_iter().all(|line| tell(Some(line))) {
            return;
        }
    }
    if lines.finish().is_none_or(|line| tell(Some(line))) {
        tell(None);
    }
}

/// The engine behind a dialogue, as large as the other side wants it.
struct Mind<E: Engine, F> {
    make: F,
    options: Options,
    events: Sender<Event<E>>,
    /// `None` until the engine is needed.
    worker: Option<Worker<E>>,
}

impl<E, X, F> Mind<E, F>
where
    E: Engine + 'static,
    X: From<Failed>,
    F: Fn(&Options) -> Result<E, X>,
{
    fn start(&mut self, options: Options) -> Result<&mut Worker<E>, X> {
        let events = self.events.clone();
        let worker = Worker::start((self.make)(&options)?, move |news| {
            // Nobody listens any more after the end of the dialogue.
            let _unheard = events.send(Event::News(news));
        });
        self.options = options;
        Ok(self.worker.insert(worker))
    }

    /// Returns the engine's thread.
    fn worker(&mut self) -> Result<&mut Worker<E>, X> {
        match self.worker {
            Some(ref mut worker) => Ok(worker),
            None => self.start(self.options),
        }
    }

    /// Sets an option while no search runs; returns why it cannot be, everything being as before.
    fn configure(&mut self, setting: Setting) -> Result<Option<X>, X> {
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
    fn end(&mut self) -> Result<(), X> {
        Ok(self.worker.take().map_or(Ok(()), Worker::end)?)
    }
}

fn talk<D, E, X>(
    mut session: Session<D>,
    inbox: &Receiver<Event<E>>,
    mind: &mut Mind<E, impl Fn(&Options) -> Result<E, X>>,
    output: &mut dyn Write,
) -> Result<(), X>
where
    D: Dialogue<Game = E::Game, Value = E::Value>,
    E: Engine + 'static,
    X: fmt::Display + From<io::Error> + From<Failed>,
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
                Action::Write(text) => match writeln!(output, "{text}").and_then(|()| output.flush()) {
                    // Whoever talked to us is gone.
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                    written => written?,
                },
                Action::Search(request) => mind.worker()?.search(*request)?,
                Action::Stop => mind.worker()?.stop(),
                Action::Forget => mind.worker()?.forget()?,
                Action::Suggest(suggestion) => {
                    mind.worker()?.suggest(suggestion.position, suggestion.line)?;
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

/// Memory beside the table: board copies, the tables of the rule sets, the cache of forced wins.
const OTHER_BYTES: u64 = 60 << 20;
/// Memory of a helping thread.
const HELPER_BYTES: u64 = 10 << 20;
/// Memory that a table has even where the manager allows less.
const LEAST_BYTES: u64 = 1 << 20;

/// Returns Gomoku's engine as large as the other side wants it, with an opening table if there is one.
///
/// # Errors
///
/// There is no memory for its table.
pub fn gomoku_engine(
    options: &Options,
    book: Option<Arc<OpeningTable>>,
) -> Result<outflank_gomoku_engine::Engine, TableError> {
    let mut engine = outflank_gomoku_engine::Engine::with(EngineConfig {
        table_bytes: usize::try_from(table_bytes(options)).unwrap_or(usize::MAX),
        threads: options.threads as usize,
        ..EngineConfig::default()
    })?;
    engine.set_book(book);
    Ok(engine)
}

/// Returns the size of a table with which the whole program keeps to what the manager allows.
fn table_bytes(options: &Options) -> u64 {
    let others = OTHER_BYTES + u64::from(options.threads.saturating_sub(1)) * HELPER_BYTES;
    let allowed = options
        .most_bytes
        .map(|bytes| bytes.saturating_sub(others).max(LEAST_BYTES));
    options.table_bytes.min(allowed.unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_leave_room_for_the_rest() {
        let options = |megabytes: u64, most: Option<u64>, threads| Options {
            table_bytes: megabytes << 20,
            most_bytes: most.map(|most| most << 20),
            threads,
            reserve: Duration::ZERO,
        };
        for (given, expected) in [
            (options(64, None, 1), 64),
            (options(64, Some(350), 1), 64),
            (options(64, Some(100), 1), 40),
            (options(64, Some(100), 3), 20),
            (options(64, Some(10), 1), 1),
        ] {
            assert_eq!(table_bytes(&given), expected << 20, "{given:?}");
        }
    }
}
